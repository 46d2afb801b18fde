"""How far best defence, overconfident play and others are from an equilibrium, at small games of several kinds.

BMV96 section 4.3 notes that mixed strategies can be worth more than pure ones. Here every player of ours is measured
by NashConv: what both seats together gain once they know exactly how he plays. Games differ in what they pay, so it is
told as a share of the difference between the best and the worst payoff.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, cast

from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import Deal, Seat, read_card, set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.suit.combination import Suit
from worldwise.bridge.suit.rules import SuitGame
from worldwise.core.statistics import CONFIDENCE, mean
from worldwise.extensive import FormGame, YardstickMaker, from_game, from_world_game
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, table_of
from worldwise.openspiel.games import OpenSpielForm, load_open_spiel
from worldwise.phantom import Phantom
from worldwise.runs.rows import Setting, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from worldwise.core.game import AnyGame, AnyWorldGame
    from worldwise.extensive import ExtensiveGame
    from worldwise.lab.experiment import Judge
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows

    Both = tuple[AnyGame, ExtensiveGame]
    """The rules, for players of matches, and the tree, for algorithms."""


# ---------------------------------------------------------------------- games


def _of_world_game(game: AnyWorldGame) -> Both:
    tree = from_world_game(game)
    return FormGame(tree), tree


def _open_spiel(name: str) -> Both:
    return FormGame(OpenSpielForm(name)), load_open_spiel(name)


def _phantom(columns: int, rows: int) -> Both:
    game = Phantom(columns, rows, 2)
    return game, from_game(game, game.players)


def _ending() -> Both:
    """Three tricks left, South leads and may play either opponent for the queen; six layouts."""
    hands = ("SA SJ S4 H2", "SQ S9 D9 H5", "SK ST S5 HA", "S8 D8 D7 H9")
    deal = Deal(cast("Any", tuple(set_of(map(read_card, hand.split())) for hand in hands)))
    play = Play(deal, Contract(1, Strain.NOTRUMP, Seat.SOUTH))
    for card in ("H9", "H2", "H5", "HA"):
        play = play.then(read_card(card))
    view = view_of(play, Seat.SOUTH)
    layouts = tuple(Layouts(view).sample_different(Random(0), 6))
    return _of_world_game(DealGame(view, layouts, Goal(Aim.TRICKS, play.contract, Seat.SOUTH, tricks=4)))


def _suit(north: str, south: str, goal: int) -> Both:
    return _of_world_game(SuitGame(Suit.of(north, south), goal=goal))


GAMES: dict[str, Callable[[], Both]] = {
    "phantom 4 x 1": lambda: _phantom(4, 1),
    "phantom 2 x 3": lambda: _phantom(2, 3),
    "AQ / 32, two tricks": lambda: _suit("AQ", "32", 2),
    "KJ / 32, one trick": lambda: _suit("KJ", "32", 1),
    "a two-way guess": _ending,
    "Kuhn poker": lambda: _open_spiel("kuhn_poker"),
    "liar's dice, three sides": lambda: _open_spiel("liars_dice(dice_sides=3)"),
    "Leduc poker": lambda: _open_spiel("leduc_poker"),
}
"""Small enough to be walked. The last three are OpenSpiel's."""

PLAYERS = (
    "random",
    "pimc",
    "alphamu",
    "overconfident",
    "paranoid",
    "is-mcts:simulations=50",
    "imp-minimax",
    "mixed-equilibrium",
)


# ---------------------------------------------------------------------- rows


def measure_distance(setting: Setting, seed: int) -> Row:
    """One player at one game."""
    rules, tree = GAMES[str(setting["game"])]()
    maker = YardstickMaker(rules, tree, asked=int(cast("int", setting["asked"])), seed=seed)
    found = maker.measure([str(setting["player"])])
    (row,) = found.rows
    payoffs = [float(payoff) for leaf in tree.leaf_payoffs() for payoff in leaf]
    sure = found.shown(row)
    return {
        "nash_conv": row.nash_conv,
        "sure_first": sure[0],
        "sure_second": sure[1],
        "value": found.value,
        "range": max(payoffs) - min(payoffs),
    }


def distance(rows: Rows, game: str, player: str, confidence: float = CONFIDENCE) -> Any:
    """NashConv as a share of the range of payoffs: the mean over seeds."""
    found = [
        float(cast("float", row["nash_conv"])) / float(cast("float", row["range"]))
        for row in rows
        if (row["game"], row["player"]) == (game, player)
    ]
    return mean(found, confidence=confidence) if found else None


def _met(rows: Rows) -> list[str]:
    return [game for game in GAMES if any(row["game"] == game for row in rows)]


def distance_table(rows: Rows) -> DataTable:
    """A line for every game: the value, and how far everybody is."""
    return table_of((_record(rows, game) for game in _met(rows)), "NashConv as a share of the range of payoffs")


def _record(rows: Rows, game: str) -> dict[str, Cell]:
    value = next((row["value"] for row in rows if row["game"] == game), None)
    told: dict[str, Cell] = {"game": game, "value": value if value is None else round(float(cast("float", value)), 4)}
    for player in PLAYERS:
        found = distance(rows, game, player)
        told[player.partition(":")[0]] = None if found is None else round(found.value, 4) + 0.0  # no -0
    return told


def distance_picture(rows: Rows) -> Figure:
    """A line of marks for every game."""
    games = _met(rows)
    figure, (axes,) = new_figure(8, 1.6 + 0.45 * len(games))
    for player, style in zip(PLAYERS[:-1], styles(), strict=False):
        found = [distance(rows, game, player) for game in games]
        values = [float("nan") if one is None else 100 * one.value for one in found]
        axes.plot(values, range(len(games)), label=player.partition(":")[0], linestyle="none", **style)
    axes.set_yticks(range(len(games)), games)
    axes.invert_yaxis()
    axes.set_xlabel("NashConv (% of the range of payoffs): 0 at an equilibrium")
    axes.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


# ---------------------------------------------------------------------- claims


def nobody_beats_it(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """Nothing is nearer than an equilibrium, and the programme's answer is one."""
    low = min(float(cast("float", row["nash_conv"])) for row in rows)
    solved = [float(cast("float", row["nash_conv"])) for row in rows if row["player"] == "mixed-equilibrium"]
    if not solved:
        return Verdict.of(None, "no equilibrium measured")
    holds = low > -1e-6 and max(solved) < 1e-6
    return Verdict.of(holds, f"equilibria within {max(map(abs, solved)):.1g}; the least of all {low:.1g}")


def farther(player: str, others: Sequence[str]) -> Judge:
    """At no game is a player nearer to equilibrium than one of the others."""

    def verdict(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
        wrong, looked_at = [], 0
        for game in _met(rows):
            mine = distance(rows, game, player)
            for other in others:
                theirs = distance(rows, game, other)
                if mine is None or theirs is None:
                    continue
                looked_at += 1
                if mine.value < theirs.value - 1e-9:
                    wrong.append(f"{game}: {player} {mine.value:.3f}, {other} {theirs.value:.3f}")
        said = "; ".join(wrong[:4]) + ("; ..." if len(wrong) > 4 else "")
        return Verdict.of(not wrong if looked_at else None, said or f"in all {looked_at} comparisons")

    return verdict


def _settings(games: Sequence[str], asked: int) -> tuple[Setting, ...]:
    return grid(game=tuple(games), player=PLAYERS, asked=(asked,))


EQUILIBRIUM = Experiment(
    id="beyond/equilibrium",
    title="How far from equilibrium is best-defence play, and overconfident play?",
    source="beyond BMV96 section 4.3: phantom tic-tac-toe, single suits, a bridge ending, two pokers and liar's dice",
    claims=(
        Claim(
            "Nobody is nearer to an equilibrium than the linear programme's strategies",
            "ours",
            nobody_beats_it,
            "every game: NashConv of mixed-equilibrium is below 1e-6, and nobody's is below -1e-6",
        ),
        Claim(
            "Overconfident play is nowhere nearer to equilibrium than best defence",
            "ours",
            farther("overconfident", ("alphamu", "imp-minimax")),
            "every game: NashConv of overconfident is not below that of alphamu or imp-minimax",
        ),
        Claim(
            "Random play is nowhere nearer to equilibrium than any search",
            "ours",
            farther("random", [player for player in PLAYERS if player not in ("random", "mixed-equilibrium")]),
            "every game: NashConv of random is not below anybody else's",
        ),
    ),
    settings={
        "smoke": _settings(["phantom 4 x 1"], 2),
        "laptop": _settings(list(GAMES), 3),
        "paper": _settings(list(GAMES), 10),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 3},
    measure=measure_distance,
    summary=distance_table,
    plot=distance_picture,
)
