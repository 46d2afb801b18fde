"""A tiny experiment for the laboratory's tests, and the command line with nothing but it: ``lab_coin.main()``."""

import os
import random
import signal
import time
from dataclasses import replace

from worldwise.core.statistics import wilson
from worldwise.lab.comparisons import more, times_needed
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, side_by_side
from worldwise.runs.rows import Setting, grid

PAPER = DataTable(("bias", "heads", "note"), ((0.5, 0.5, None), (0.75, 0.2, "read off a picture"), (0.9, 0.9, None)))


def flip(setting, seed):
    """A row: so many heads. COIN_MS makes it slow without changing it."""
    time.sleep(float(os.environ.get("COIN_MS", "0")) / 1000)
    rng = random.Random(seed)
    return {"flips": 10, "heads": sum(rng.random() < setting["bias"] for _ in range(10)), "draw": rng.random()}


def deadly(setting, seed):
    os._exit(3)


def faulty(setting, seed):
    return {"heads": 1 // setting["bias"]}


def rates(rows, confidence=0.95):
    groups = {}
    for row in rows:
        groups.setdefault(row["bias"], []).append(row["heads"])
    return {bias: wilson(sum(heads), 10 * len(heads), confidence) for bias, heads in groups.items()}


def summary(rows):
    return DataTable(("bias", "heads"), tuple(rates(rows).items()), "heads by bias")


def compare(ours, paper):
    return side_by_side(ours, paper, ["bias"], "heads", tolerance=0.02)


def plot(rows):
    figure, (axes,) = new_figure()
    line = rates(rows)
    axes.plot(list(line), [rate.value for rate in line.values()], label="heads & tails", **next(styles()))
    axes.set_xlabel("bias")
    axes.set_ylabel("heads")
    axes.legend()
    return figure


def is_fair(rows, confidence):
    rate = rates(rows, confidence).get(0.5)
    return Verdict.of(rate and 0.5 in rate, f"heads {rate and rate.value}")


def always_heads(rows, confidence):
    return Verdict.of(all(row["heads"] == 10 for row in rows), "not all heads")


def never_known(rows, confidence):
    return Verdict.of(None, "nobody <knows>")


COIN = Experiment(
    id="coin/fig-1",
    title="A biased coin",
    source="Bernoulli 1713, Fig 1",
    claims=(
        Claim("A fair coin is fair", "section 1", is_fair),
        Claim("Heads | always", "section 2", always_heads),
        Claim("The coin knows", "section 3", never_known),
    ),
    settings={
        "smoke": grid(bias=(0.5, 0.75)),
        "laptop": grid(bias=(0.25, 0.5, 0.75)),
        "paper": (Setting(bias=0.5),),
    },
    seeds={"smoke": 5, "laptop": 100, "paper": 10_000},
    measure=flip,
    summary=summary,
    plot=plot,
    published=PAPER,
    compare=compare,
)

ANOTHER = replace(COIN, id="coin/fig-2")
DIE = replace(COIN, id="die/fig-1")


def more_heads(bias):
    """Whether a coin shows heads more often than not, by three in a hundred or more."""

    def verdict(rows, confidence):
        rate = rates(rows, confidence)[bias]
        gain = replace(rate, value=rate.value - 0.5, low=rate.low - 0.5, high=rate.high - 0.5)
        return Verdict.of(more(gain, 0.03), f"{rate.value:.3f}", times_needed(gain, lambda one: more(one, 0.03)))

    return verdict


TOSSED = replace(
    COIN,
    id="coin/tossed",
    claims=tuple(Claim(f"More heads at {bias}", "nowhere", more_heads(bias)) for bias in (0.8, 0.6, 0.5)),
    settings={"laptop": grid(bias=(0.5, 0.6, 0.8))},
    seeds={"laptop": 4},
    unit="games",
    per_row=10,
)
"""An experiment whose claims are decided sooner or later."""

NOTHING_ELSE = {"coin/fig-1": "lab_coin:COIN"}
"""The laboratory's table with only the coin in it: put it in the place of ``worldwise.lab.papers.EXPERIMENTS``."""


def main(experiments=NOTHING_ELSE):
    import worldwise.cli.main  # not needed by workers, which import this file too
    from worldwise.lab import papers

    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have ignored it
    papers.EXPERIMENTS = experiments
    worldwise.cli.main.main()
