"""FBM97 section 5 asks how similar the worlds of real games are: its q, measured for trees, suits and endings of deals.

``search.similarity`` says how. On random trees q is known, and must come back. What is asked of Bridge is whether the
same measure finds the q at which random trees are as hard for Monte Carlo, 0.70.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.double_dummy import double_dummy
from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.core.statistics import CONFIDENCE, Estimate, rate_difference, ratio_of_sums
from worldwise.lab.comparisons import ClaimCheck, all_of, more, sure, within
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.clv21.games import start_of
from worldwise.lab.papers.fb01.suit_problems import SuitProblem, drawn_problems
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, table_of
from worldwise.lab.user_code import ready_game
from worldwise.runs.rows import Setting
from worldwise.search.face_up import Solved
from worldwise.search.similarity import Similarity, measure_similarity
from worldwise.trees.generator import random_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from worldwise.bridge.solvers.deal_game import DealNode
    from worldwise.lab.experiment import Judge
    from worldwise.lab.newcomers import Newcomer
    from worldwise.runs.rows import Row, Rows

TREE, SUIT, ENDING = "tree", "suit", "ending"
"""What is measured: random trees of depth 8 and ten worlds, the suits of Fig 28, deals and their last tricks."""

WALKS = 40
"""Random walks through each suit or ending."""

TREE_WALKS = 10
"""Random walks through each random tree, of which there are many."""

WORLDS = 20
"""Layouts of an ending."""

OWN_GAMES = {"smoke": 10, "laptop": 100, "paper": 1000}
"""How many games of the user's own there are."""

EXACT = 0.02
"""How far the square of q may be off on random trees."""

ABOUT = (0.65, 0.75)
"""What is about 0.70."""

TRICKS = (4, 6, 8, 10)
"""How many tricks an ending has."""

WHOLE = 48
"""The cards of a deal that is as good as whole: declarer has seen dummy, and one trick is over."""


# ---------------------------------------------------------------------- games


class SuitTables:
    """A suit as a ``WorldGame`` over tables: the order in which they came about makes no difference here."""

    def __init__(self, game: SuitGame) -> None:
        self.game, self.root = game, game.root.table
        self.scale, self.worlds, self.weights = game.scale, game.worlds, game.weights
        self.to_move, self.moves, self.play = game.side, game.options, game.after

    def key(self, table: Any) -> Any:
        """The table itself."""
        return table

    def payoffs(self, table: Any) -> list[int | None]:
        """As the game has them."""
        score, fits = self.game.score(table), self.game.possible(table)
        return [score if fits >> world & 1 else None for world in range(self.worlds)]

    def code(self, table: Any) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(table))


class SuitFaceUp(Solved):
    """Every layout solved; those that a table allows are known without looking further."""

    game: SuitTables

    def open(self, position: Any) -> frozenset[int]:
        """The layouts that fit what has been played."""
        fits = self.game.game.possible(position)
        return frozenset(world for world in range(self.game.worlds) if fits >> world & 1)


class DealFaceUp:
    """Double dummy in every layout."""

    def __init__(self, game: DealGame) -> None:
        self.game = game
        self._solvers = [double_dummy(start.hands, start.trumps) for start in game.starts]
        self._needed = game.view.contract.tricks - game.starts[0].won[game.view.contract.declarer & 1]

    def open(self, position: DealNode) -> frozenset[int]:
        """The layouts that fit what has been played."""
        return position.open

    def code(self, position: DealNode, worlds: frozenset[int]) -> int:
        """Whether the contract can be made in each."""
        made = [self._makes(position, world) if world in worlds else None for world in range(self.game.worlds)]
        return self.game.scale.code(made)

    def _makes(self, position: DealNode, world: int) -> int:
        needed, declarer = self._needed - position.taken, self.game.view.contract.declarer
        state = self.game.in_world(position, world)
        if not 0 < needed <= state.tricks_left:
            return int(needed <= 0)
        return int(self._solvers[world].can_take(state, needed, declarer))


# ---------------------------------------------------------------------- measuring


def measure(setting: Setting, seed: int) -> Row:
    """What the choices of one game, or of some random trees, have in common."""
    return _MEASURES[str(setting["game"])](setting, Random(seed))


def _row(found: Similarity) -> dict[str, float]:
    return {"shared": round(found.shared, 6), "whole": round(found.whole, 6)}


def _measure_trees(setting: Setting, rng: Random) -> Row:
    q, trees = float(cast("float", setting["similarity"])), cast("int", setting["trees"])
    shapes = [random_tree(8, 10, similarity=q, seed=rng.getrandbits(63)) for _ in range(trees)]
    found = [measure_similarity(shape, TREE_WALKS, rng) for shape in shapes]
    return _row(Similarity(sum(one.shared for one in found), sum(one.whole for one in found)))


def _measure_suit(setting: Setting, rng: Random) -> Row:
    suit, tricks = Suit.of(str(setting["north"]), str(setting["south"])), cast("int", setting["tricks"])
    game = SuitTables(SuitGame(suit, tricks))
    results = suit_algorithms(suit, tricks, ("monte-carlo", "exact"), seed=rng.getrandbits(63))
    wrong = results[0].chance != results[1].chance
    return {**_row(measure_similarity(game, WALKS, rng, SuitFaceUp(game))), "wrong": wrong}


def _measure_ending(setting: Setting, rng: Random) -> Row:
    play = start_of(setting, rng.getrandbits(63))
    view = view_of(play, play.contract.declarer)
    deals = tuple(Layouts(view).sample_different(rng, WORLDS))
    game = DealGame(view, deals, Goal(Aim.MAKE, view.contract, view.seat))
    return _row(measure_similarity(game, WALKS, rng, DealFaceUp(game)))


_MEASURES: dict[str, Callable[[Setting, Random], Row]] = {
    TREE: _measure_trees,
    SUIT: _measure_suit,
    ENDING: _measure_ending,
}


# ---------------------------------------------------------------------- reading rows


def _of(rows: Rows, game: str, **names: object) -> list[Row]:
    return [row for row in rows if row["game"] == game and all(row[name] == value for name, value in names.items())]


def _column(rows: Sequence[Row], name: str) -> NDArray[np.float64]:
    return np.array([float(cast("float", row[name])) for row in rows])


def squared_q(rows: Sequence[Row], confidence: float = CONFIDENCE) -> Estimate:
    """The square of q over all these games together."""
    return ratio_of_sums(_column(rows, "shared").tolist(), _column(rows, "whole").tolist(), confidence)


def pooled_q(rows: Sequence[Row], confidence: float = CONFIDENCE) -> Estimate:
    """The q over all these games together."""
    square = squared_q(rows, confidence)
    value, low, high = (max(0.0, number) ** 0.5 for number in (square.value, square.low, square.high))
    return Estimate(value, low, high, square.count)


def _groups(rows: Rows) -> dict[str, list[Row]]:
    """Everything that was measured, by what it is."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row["game"] == TREE:
            name = f"random trees, q = {row['similarity']}"
        elif row["game"] == SUIT:
            name = "single suits"
        elif row["game"] != ENDING:
            name = str(row["game"])
        else:
            name = f"{row['contract']}, {_part_words(cast('int', row['cards']))}"
        groups.setdefault(name, []).append(row)
    return groups


def _part_words(cards: int) -> str:
    return "after the first trick" if cards == WHOLE else f"the last {cards // 4} tricks"


def similarity_table(rows: Rows) -> DataTable:
    """The q of everything that was measured."""
    found = _groups(rows).items()
    return table_of(
        ({"games": name, "rows": len(group), "q": pooled_q(group)} for name, group in found if _has_choices(group)),
        "how similar worlds are: q as FBM97 means it, measured",
    )


def _has_choices(rows: Sequence[Row]) -> bool:
    return bool(_column(rows, "whole").sum())


# ---------------------------------------------------------------------- claims


def gives_q_back(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """On random trees the square of q that is measured is that of the q they were made with, to two hundredths."""
    made = sorted({float(cast("float", row["similarity"])) for row in _of(rows, TREE)})
    each = sure(len(made), confidence)
    found = {q: _of(rows, TREE, similarity=q) for q in made}
    checks = [ClaimCheck.of("", squared_q(group, each), _near(q)) for q, group in found.items()]
    words = ", ".join(f"{pooled_q(group).value:.3f} for {q}" for q, group in found.items())
    return _enough(checks, words or "no random trees")


def _near(q: float) -> Callable[[Estimate], bool | None]:
    return lambda square: within(square, q * q - EXACT, q * q + EXACT)


def _enough(checks: Sequence[ClaimCheck], words: str) -> Verdict:
    """All of them, if they rest on games enough for an interval."""
    if any(check.figure.count < _ENOUGH for check in checks):
        return Verdict.of(None, words)
    verdict = all_of(checks, words)
    return Verdict(verdict.outcome, words, verdict.times)


_ENOUGH = 10


def is_about(game: str, cards: Sequence[int] = ()) -> Judge:
    """Whether q is about 0.70, over all games of a kind, or all deals with so many cards left."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        group = [row for row in _of(rows, game) if not cards or row["cards"] in cards]
        if not group or not _has_choices(group):
            return Verdict.of(None, "not measured")
        q = pooled_q(group, confidence)
        words = f"q = {q.value:.3f} ({q.low:.3f} to {q.high:.3f}) over {q.count:,} games"
        return _enough([ClaimCheck.of("", q, lambda q: within(q, *ABOUT))], words)

    return verdict


def predicts_errors(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Of the suits, Monte Carlo gets fewer wrong among the half with the greater q."""
    suits = [row for row in _of(rows, SUIT) if cast("float", row["whole"]) > 0]
    if len(suits) < 2:
        return Verdict.of(None, "no suits")
    order = sorted(suits, key=lambda row: cast("float", row["shared"]) / cast("float", row["whole"]))
    low, high = order[: len(order) // 2], order[len(order) // 2 :]
    wrong = [int(_column(half, "wrong").sum()) for half in (low, high)]
    gain = rate_difference(wrong[0], len(low), wrong[1], len(high), confidence)
    check = ClaimCheck.of("the lower half less the higher", gain, more)
    rates = f"sub-optimal in {wrong[0] / len(low):.1%} and {wrong[1] / len(high):.1%} of {len(order):,} suits"
    return Verdict.of(check.truth, f"{check}; {rates}", check.times)


# ---------------------------------------------------------------------- the picture


def similarity_picture(rows: Rows) -> Figure:
    """What comes back on random trees; and how q is spread over suits and endings."""
    figure, (left, right) = new_figure(9.8, 4.4, columns=2)
    made = sorted({float(cast("float", row["similarity"])) for row in _of(rows, TREE)})
    left.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle=":")
    left.plot(made, [pooled_q(_of(rows, TREE, similarity=q)).value for q in made], "o", color="#0072b2")
    left.set(xlabel="q of the random trees", ylabel="q measured")
    games = dict.fromkeys(str(row["game"]) for row in rows if row["game"] != TREE)
    for game, style in zip(games, styles(), strict=False):
        group = [row for row in _of(rows, game) if cast("float", row["whole"]) > 0]
        if group:
            squares = _column(group, "shared") / _column(group, "whole")
            values = np.sort(np.sign(squares) * np.sqrt(np.abs(squares)))
            share = 100 * np.arange(1, len(values) + 1) / len(values)
            right.plot(values, share, color=style["color"], label=f"{game}s" if game in _MEASURES else game)
    right.set(xlabel="q of a single game", ylabel="games with at most that (%)", xlim=(-0.5, 1.02))
    if games:
        right.legend(frameon=False)
    return figure


# ---------------------------------------------------------------------- games of the user's own


def measure_own(newcomer: Newcomer, _setting: Setting, seed: int) -> Row:
    """One game of the user's own."""
    rng = Random(seed)
    with newcomer.blame():
        return _row(measure_similarity(ready_game(newcomer.place, rng.getrandbits(63)), WALKS, rng))


def enter_game(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """How similar the worlds of a user's own games are, and whether it is about as in Bridge."""
    text = f"The worlds of {newcomer.name} are as similar as those of Bridge, q about 0.7"
    claim = Claim(text, "FBM97 section 5", is_about(newcomer.name), "over all games together between 0.65 and 0.75")
    return replace(
        experiment,
        source="measured as FBM97 section 5 asks, on a game of your own",
        measure=partial(measure_own, newcomer),
        claims=(claim,),
        settings=dict.fromkeys(experiment.scales, (Setting(game=newcomer.name),)),
        seeds=OWN_GAMES,
        endless=True,
    )


# ---------------------------------------------------------------------- the experiment


def _trees(similarities: Sequence[float], rows: int, trees: int) -> tuple[Setting, ...]:
    return tuple(
        Setting(game=TREE, similarity=q, trees=trees, number=number) for q in similarities for number in range(rows)
    )


def _suits(problems: Sequence[SuitProblem]) -> tuple[Setting, ...]:
    return tuple(Setting(game=SUIT, **problem._asdict()) for problem in problems)


def _endings(contracts: Sequence[str], cards: Sequence[int], deals: int) -> tuple[Setting, ...]:
    return tuple(
        Setting(game=ENDING, contract=contract, cards=left, number=number)
        for contract in contracts
        for left in cards
        for number in range(deals)
    )


MEASURED_Q = Experiment(
    id="fb01/measured-q",
    title="How similar the worlds of real games are: q for trees, suits and deals",
    source="FBM97 section 5 asks for such a measure; here on random trees, the first 650 suits of Fig 28, and 3NT "
    "and 4S after the first trick and in their last four, six, eight and ten",
    claims=(
        Claim(
            "A measure taken of the game alone gives back the q of random trees",
            "FBM97 section 5",
            gives_q_back,
            "q = 0, 0.25, 0.5, 0.7 and 0.9: its square comes back to within 0.02",
        ),
        Claim(
            "The same measure gives about 0.7 for single suits of Bridge",
            "FBM97 section 5",
            is_about(SUIT),
            "over all suits together between 0.65 and 0.75",
        ),
        Claim(
            "The same measure gives about 0.7 for the endings of deals",
            "FBM97 section 5",
            is_about(ENDING, [4 * tricks for tricks in TRICKS]),
            "the last four, six, eight and ten tricks of 3NT and 4S, over all together between 0.65 and 0.75",
        ),
        Claim(
            "The measure predicts how hard a game is for Monte Carlo",
            "FBM97 section 5",
            predicts_errors,
            "suits in two halves by their q, errors of Monte Carlo in the lower less the higher half: holds above 0, "
            "fails wholly below 1 in 100",
        ),
    ),
    settings={
        "smoke": _trees((0.5,), 2, 2) + _suits(drawn_problems()[:2]) + _endings(("3NT",), (12,), 1),
        "laptop": _trees((0.0, 0.5, 0.9), 10, 10)
        + _suits(drawn_problems()[:650:8])
        + _endings(("3NT",), (16, 24, WHOLE), 20),
        "paper": _trees((0.0, 0.25, 0.5, 0.7, 0.9), 20, 400)
        + _suits(drawn_problems()[:650])
        + _endings(("3NT", "4S"), (16, 24, 32), 150)
        + _endings(("3NT", "4S"), (40,), 50)
        + _endings(("3NT", "4S"), (WHOLE,), 25),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure,
    unit="games",
    endless=False,
    summary=similarity_table,
    plot=similarity_picture,
    contests={"game": Contest(ready_game, enter_game, (TREE, SUIT, ENDING))},
)
