# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.players.answering import AnswerFinder as AnswerFinder
from worldwise.players.answering import SampledGain as SampledGain
from worldwise.players.answering import SeatGain as SeatGain
from worldwise.players.any_game import AlphaMuGamePlayer as AlphaMuGamePlayer
from worldwise.players.any_game import EpimcGamePlayer as EpimcGamePlayer
from worldwise.players.any_game import ExactGamePlayer as ExactGamePlayer
from worldwise.players.any_game import GamePlayer as GamePlayer
from worldwise.players.any_game import InformationSetGamePlayer as InformationSetGamePlayer
from worldwise.players.any_game import IsmctsGamePlayer as IsmctsGamePlayer
from worldwise.players.any_game import PimcGamePlayer as PimcGamePlayer
from worldwise.players.any_game import RandomGamePlayer as RandomGamePlayer
from worldwise.players.any_game import Turn as Turn
from worldwise.players.any_game import game_player as game_player
from worldwise.players.game_match import GameMatch as GameMatch
from worldwise.players.game_match import GameTable as GameTable
from worldwise.players.game_match import MatchSummary as MatchSummary
