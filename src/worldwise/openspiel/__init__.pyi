# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.openspiel.games import OpenSpielForm as OpenSpielForm
from worldwise.openspiel.games import OpenSpielSampler as OpenSpielSampler
from worldwise.openspiel.games import load_open_spiel as load_open_spiel
from worldwise.openspiel.games import to_open_spiel as to_open_spiel
