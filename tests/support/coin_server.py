"""The command line with nothing but a coin to measure, two seconds for each row: a run that one can stop.

It is a script because the server's workers run it again, up to its guard, and so know the coin as well.
"""

import os

from lab_coin import NOTHING_ELSE
from worldwise.cli import main as cli
from worldwise.lab import papers

if __name__ in ("__main__", "__mp_main__"):  # imported by a test, it leaves the experiments as they are
    os.environ["COIN_MS"] = "2000"
    papers.EXPERIMENTS = NOTHING_ELSE

if __name__ == "__main__":
    cli.main()
