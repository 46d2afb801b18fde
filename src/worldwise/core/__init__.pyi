# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.core.belief import AllHistories as AllHistories
from worldwise.core.belief import Belief as Belief
from worldwise.core.front import Front as Front
from worldwise.core.game import CHANCE as CHANCE
from worldwise.core.game import Chancy as Chancy
from worldwise.core.game import ExtensiveForm as ExtensiveForm
from worldwise.core.game import Game as Game
from worldwise.core.game import Redealing as Redealing
from worldwise.core.game import Shown as Shown
from worldwise.core.game import Side as Side
from worldwise.core.game import WorldGame as WorldGame
from worldwise.core.move_values import MoveValues as MoveValues
from worldwise.core.result import NO_LIMIT as NO_LIMIT
from worldwise.core.result import Clock as Clock
from worldwise.core.result import Limit as Limit
from worldwise.core.result import SearchResult as SearchResult
from worldwise.core.result import Stats as Stats
from worldwise.core.scale import Reals as Reals
from worldwise.core.scale import Thermometer as Thermometer
from worldwise.core.solution import Solution as Solution
from worldwise.core.tracking import TrackedBelief as TrackedBelief
from worldwise.core.vector import Vector as Vector
