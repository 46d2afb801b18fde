"""The rules of bridge: cards, deals, contracts, auctions, play and scoring."""
