"""Games in extensive form: trees with chance moves, any number of players, and information sets."""

from worldwise.extensive.building import GameBuilder, chance, decision, game_of, leaf, written_out
from worldwise.extensive.conversions import from_game, from_world_game
from worldwise.extensive.efg import efg_from_text, efg_text, read_efg, write_efg
from worldwise.extensive.game import ChanceMove, ExtensiveGame, InformationSet, Outcome
from worldwise.extensive.imp_model import ImpModel, Uniform
from worldwise.extensive.measures import Measures, measures
from worldwise.extensive.recall import Forgotten, agents, forgotten, perfect_recall, split
from worldwise.extensive.reductions import partition_of, three_partition_game
from worldwise.extensive.sampling import ExactSampler, SamplerReport, check_sampler, contradiction

__all__ = [
    "ChanceMove",
    "ExactSampler",
    "ExtensiveGame",
    "Forgotten",
    "GameBuilder",
    "ImpModel",
    "InformationSet",
    "Measures",
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
    "measures",
    "partition_of",
    "perfect_recall",
    "read_efg",
    "split",
    "three_partition_game",
    "write_efg",
    "written_out",
]
