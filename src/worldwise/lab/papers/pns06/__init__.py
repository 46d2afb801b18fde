"""PNS06's experiments: overconfidence, paranoia and greed at kriegspiel."""
