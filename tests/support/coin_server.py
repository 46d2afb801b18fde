"""The command line with nothing but a coin to measure, two seconds for each row: a run that one can stop.

It is a script because the server's workers run it again, up to its guard, and so know the coin as well.
"""

import os

import worldwise.lab.experiments
from lab_coin import COIN
from worldwise.cli import main as cli

if __name__ in ("__main__", "__mp_main__"):  # imported by a test, it leaves the experiments as they are
    os.environ["COIN_MS"] = "2000"
    worldwise.lab.experiments.EXPERIMENTS = (COIN,)

if __name__ == "__main__":
    cli.main()
