# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.openspiel.bots import make_bot as make_bot
from worldwise.openspiel.bots import make_resampler as make_resampler
from worldwise.openspiel.games import OpenSpielForm as OpenSpielForm
from worldwise.openspiel.games import OpenSpielSampler as OpenSpielSampler
from worldwise.openspiel.games import load_open_spiel as load_open_spiel
from worldwise.openspiel.games import to_open_spiel as to_open_spiel
from worldwise.openspiel.own_rules import open_spiel_rules as open_spiel_rules
