# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.catalog.advice_problems import Problem as Problem
from worldwise.catalog.advice_problems import problems as problems
from worldwise.catalog.drill_questions import drill_entries as drill_entries
from worldwise.catalog.extensive import game as game
from worldwise.catalog.extensive import game_names as game_names
from worldwise.catalog.extensive import games as games
from worldwise.catalog.lesson_deals import LessonDeal as LessonDeal
from worldwise.catalog.lesson_deals import deal as deal
from worldwise.catalog.lesson_deals import deal_names as deal_names
from worldwise.catalog.lesson_deals import deals as deals
from worldwise.catalog.suits import SuitFact as SuitFact
from worldwise.catalog.suits import suit_combinations as suit_combinations
from worldwise.catalog.suits import suit_facts as suit_facts
from worldwise.catalog.trees import Figure as Figure
from worldwise.catalog.trees import FigureAnswer as FigureAnswer
from worldwise.catalog.trees import digits as digits
from worldwise.catalog.trees import figure as figure
from worldwise.catalog.trees import figure_names as figure_names
from worldwise.catalog.trees import figures as figures
from worldwise.catalog.trees import tree as tree
