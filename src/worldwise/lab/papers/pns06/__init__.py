"""PNS06's experiments: overconfidence, paranoia and greed at kriegspiel."""

EXPERIMENTS = {
    "pns06/fig-2": "overconfidence:FIG_2",
    "pns06/fig-3": "overconfidence:FIG_3",
    "pns06/fig-5": "overconfidence:FIG_5",
    "pns06/fig-4": "speed:FIG_4",
    "pns06/rand": "rand:RAND",
    "pns06/budgets": "budgets:BUDGETS",
    "pns06/caution": "caution:CAUTION",
    "pns06/choices": "choices:CHOICES",
    "pns06/sampler": "sampler:SAMPLER",
}
"""The module of this folder, and the name in it, of every experiment by its id."""
