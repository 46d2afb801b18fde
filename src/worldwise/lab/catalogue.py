"""Every experiment there is, from the modules that define them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.bridge_curves import CURVES
from worldwise.lab.bridge_declarers import DUELS
from worldwise.lab.bridge_switches import SWITCHED
from worldwise.lab.bridge_threads import TABLE_5
from worldwise.lab.imp_pruning import IMP_PRUNING
from worldwise.lab.kriegspiel_budgets import BUDGETS
from worldwise.lab.kriegspiel_caution import CAUTION
from worldwise.lab.kriegspiel_choices import CHOICES
from worldwise.lab.kriegspiel_overconfidence import OVERCONFIDENCE
from worldwise.lab.kriegspiel_sampler import SAMPLER
from worldwise.lab.kriegspiel_speed import FIG_4
from worldwise.lab.random_trees import RANDOM_TREES
from worldwise.lab.suit_play import SUIT_PLAY

if TYPE_CHECKING:
    from worldwise.lab.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *RANDOM_TREES,
    *SUIT_PLAY,
    *IMP_PRUNING,
    *SWITCHED,
    *DUELS,
    *CURVES,
    TABLE_5,
    *OVERCONFIDENCE,
    FIG_4,
    BUDGETS,
    CAUTION,
    CHOICES,
    SAMPLER,
)
