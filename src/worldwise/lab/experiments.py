"""Every experiment there is, from the modules that define them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.papers.bmv96.pruning import IMP_PRUNING
from worldwise.lab.papers.clv21.curves import CURVES
from worldwise.lab.papers.clv21.declarers import DUELS
from worldwise.lab.papers.clv21.switches import SWITCHED
from worldwise.lab.papers.clv21.threads import TABLE_5
from worldwise.lab.papers.fb01.random_trees import RANDOM_TREES
from worldwise.lab.papers.fb01.suit_play import SUIT_PLAY
from worldwise.lab.papers.pns06.budgets import BUDGETS
from worldwise.lab.papers.pns06.caution import CAUTION
from worldwise.lab.papers.pns06.choices import CHOICES
from worldwise.lab.papers.pns06.overconfidence import OVERCONFIDENCE
from worldwise.lab.papers.pns06.sampler import SAMPLER
from worldwise.lab.papers.pns06.speed import FIG_4

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
