"""What comes with the package, by name: the papers' figures and games, lesson deals, problems, facts about suits.

One list feeds tests, documentation and command line. Whatever is asked for by its name is read alone.
"""

from worldwise.catalog.advice_problems import Problem, problems
from worldwise.catalog.extensive import game, game_names, games
from worldwise.catalog.lessons import LessonDeal, deal, deal_names, deals
from worldwise.catalog.suits import SuitFact, suit_combinations, suit_facts
from worldwise.catalog.trees import Figure, FigureAnswer, digits, figure, figure_names, figures, tree

__all__ = [
    "Figure",
    "FigureAnswer",
    "LessonDeal",
    "Problem",
    "SuitFact",
    "deal",
    "deal_names",
    "deals",
    "digits",
    "figure",
    "figure_names",
    "figures",
    "game",
    "game_names",
    "games",
    "problems",
    "suit_combinations",
    "suit_facts",
    "tree",
]
