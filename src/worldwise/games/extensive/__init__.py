"""Games in extensive form: trees with chance moves, any number of players, and information sets."""

from worldwise.games.extensive.building import GameBuilder, chance, decision, game_of, leaf, written_out
from worldwise.games.extensive.conversions import from_game, from_world_game
from worldwise.games.extensive.efg import efg_from_text, efg_text, read_efg, write_efg
from worldwise.games.extensive.game import ChanceMove, ExtensiveGame, InformationSet, Outcome
from worldwise.games.extensive.imp_model import ImpModel, Uniform
from worldwise.games.extensive.measures import Measures, measures
from worldwise.games.extensive.open_spiel import OpenSpielForm, OpenSpielSampler, load_open_spiel, to_open_spiel
from worldwise.games.extensive.recall import Forgotten, agents, forgotten, perfect_recall, split
from worldwise.games.extensive.reductions import partition_of, three_partition_game
from worldwise.games.extensive.sampling import ExactSampler, SamplerReport, check_sampler, contradiction

__all__ = [
    "ChanceMove",
    "ExactSampler",
    "ExtensiveGame",
    "Forgotten",
    "GameBuilder",
    "ImpModel",
    "InformationSet",
    "Measures",
    "OpenSpielForm",
    "OpenSpielSampler",
    "Outcome",
    "SamplerReport",
    "Uniform",
    "agents",
    "chance",
    "check_sampler",
    "contradiction",
    "decision",
    "efg_from_text",
    "efg_text",
    "forgotten",
    "from_game",
    "from_world_game",
    "game_of",
    "leaf",
    "load_open_spiel",
    "measures",
    "partition_of",
    "perfect_recall",
    "read_efg",
    "split",
    "three_partition_game",
    "to_open_spiel",
    "write_efg",
    "written_out",
]
