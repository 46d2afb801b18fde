# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.kriegspiel.belief.exact import ExactBelief as ExactBelief
from worldwise.kriegspiel.belief.sampled import SampledBelief as SampledBelief
from worldwise.kriegspiel.belief.summary import summary as summary
from worldwise.kriegspiel.players.names import read_player as read_player
from worldwise.kriegspiel.records.pgn import heard_pgn as heard_pgn
from worldwise.kriegspiel.records.pgn import pgn as pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn as read_pgn
from worldwise.kriegspiel.records.record import Record as Record
from worldwise.kriegspiel.rules.board import START as START
from worldwise.kriegspiel.rules.fen import read_fen as read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel as Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards as possible_boards
from worldwise.kriegspiel.rules.squares import BLACK as BLACK
from worldwise.kriegspiel.rules.squares import WHITE as WHITE
from worldwise.kriegspiel.rules.squares import read_uci as read_uci
from worldwise.kriegspiel.rules.umpire import BERKELEY as BERKELEY
from worldwise.kriegspiel.rules.umpire import WILD16 as WILD16
from worldwise.kriegspiel.search.mates import guaranteed_mate as guaranteed_mate
