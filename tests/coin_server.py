"""The command line with nothing but a coin to measure, two seconds for each row: a run that one can stop.

It is a script because the server's workers run it again, up to its guard, and so know the coin as well.
"""

import os

import worldwise.lab.catalogue
from lab_coin import COIN
from worldwise import cli

if __name__ != "coin_server":  # a test that only wants to know where this is has its experiments still
    os.environ["COIN_MS"] = "2000"
    worldwise.lab.catalogue.EXPERIMENTS = (COIN,)

if __name__ == "__main__":
    cli.main()
