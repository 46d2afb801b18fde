"""Players and opponents of the user's own in PNS06's experiments.

A player meets the opponents that the paper's players meet. Whole games take long, so those of the paper's players are
not played again: the games that come with the package stand beside the newcomer's. An opponent of one's own meets the
paper's players, and their games with him are all there are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from worldwise.core.statistics import CONFIDENCE
from worldwise.kriegspiel.players.names import PLAYERS, read_player
from worldwise.kriegspiel.players.player import KriegspielPlayer
from worldwise.lab.comparisons import all_of
from worldwise.lab.experiment import Claim
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.pns06 import claims
from worldwise.lab.papers.pns06.claims import A_LITTLE, SHORT, ScorePair, gains, helps
from worldwise.lab.papers.pns06.games import contenders, number_games, play_game
from worldwise.lab.papers.pns06.scores import Score
from worldwise.lab.results import shipped_results
from worldwise.lab.table import NOTHING, summary_alone
from worldwise.lab.user_code import ready_object
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from worldwise.lab.experiment import Experiment, Judge, Verdict
    from worldwise.lab.newcomers import Newcomer
    from worldwise.runs.rows import Row, Rows, Scalar


def ready_player(place: str) -> KriegspielPlayer:
    """The player of kriegspiel at a place."""
    wanted = "a kriegspiel player, with a method sit"
    return cast("KriegspielPlayer", ready_object(place, wanted, lambda one: isinstance(one, KriegspielPlayer)))


def measure_newcomer(newcomer: Newcomer, role: str, setting: Setting, seed: int) -> Row:
    """One game in which the newcomer has a role: player, or against."""
    with newcomer.blame():
        own = ready_player(newcomer.place)
    one, other = contenders(setting)
    players = (own, read_player(other.text)) if role == "player" else (read_player(one.text), own)
    with newcomer.blame():
        return play_game(setting, seed, *players)


# ---------------------------------------------------------------------- a player


def enter_player(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment with a player of the user's own, whose games are the only ones still to be played."""
    shown = partial(_beside_others, experiment)
    return replace(
        experiment,
        settings=_settings(experiment, partial(_as_player, newcomer.name)),
        measure=partial(measure_newcomer, newcomer, "player"),
        claims=tuple(_better_than_each(experiment, newcomer.name)),
        summary=lambda rows: experiment.summary(shown(rows)),
        plot=lambda rows: experiment.plot(shown(rows)),
        published=NOTHING,
        compare=summary_alone,
    )


def _as_player(name: str, setting: Setting) -> Setting:
    """The same opponent by the same rules; what is said of the paper's player does not hold of the newcomer."""
    kept = {key: value for key, value in setting.items() if key not in ("game", "boards", "caution", "mates")}
    return Setting(**{**kept, "player": name, "depth": 0, **({"seconds": 0} if "seconds" in setting else {})})


def _settings(experiment: Experiment, cell: Callable[[Setting], Setting]) -> dict[str, Sequence[Setting]]:
    """The cells of a newcomer at every scale, as many games each as the longest of the paper's has."""
    return {
        scale: number_games(dict.fromkeys(map(cell, settings)), games=max(cast("int", one["game"]) for one in settings))
        for scale, settings in experiment.settings.items()
    }


def _beside_others(experiment: Experiment, rows: Rows) -> Rows:
    """The games of the paper's players that come with the package, and the newcomer's."""
    shipped = shipped_results(experiment)
    return [*(shipped.rows if shipped else ()), *rows]


def _better_than_each(experiment: Experiment, name: str) -> Iterable[Claim]:
    """That the newcomer has more EU than each of the paper's players has against the same opponent.

    Of players who search against players who search, those of equal depth.
    """
    test = f"EU of {name} less EU of the other, in games of their own: holds above 0, fails wholly below {A_LITTLE}"
    cells = dict.fromkeys(Setting(**_without(one, "game")) for one in experiment.settings["paper"])
    rivals = [one for one in cells if one.get("seconds", SHORT) == SHORT and one["player"] != "rand"]
    for rival in (one for one in rivals if one.get("against_depth", one["depth"]) == one["depth"]):
        against = f"{rival['against']} {rival['against_depth']}" if "against_depth" in rival else rival["against"]
        text = f"{name} does better against {against} than {rival['player']} {rival['depth']}"
        yield Claim(text, "yours", _does_better(experiment, rival, name), test)


def _without(setting: Mapping[str, Scalar], *names: str) -> dict[str, Any]:
    return {key: value for key, value in setting.items() if key not in names}


def _does_better(experiment: Experiment, rival: Setting, name: str) -> Judge:
    opponent = {key: rival.get(key) for key in ("against", "against_depth", "against_boards", "ply_limit")}

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        own, others = _games(rows, opponent), _games(_beside_others(experiment, ()), rival)
        if not own or not others:
            return all_of([], "not measured")
        one, other = Score.of(own), Score.of(others)
        what = f"{name} {one}, {rival['player']} {rival['depth']} {other}:"
        return all_of(gains([ScorePair(what, one, other)], helps, confidence), "")

    return verdict


def _games(rows: Rows, of: Mapping[str, Scalar]) -> list[Row]:
    return [row for row in rows if all(row.get(key) == value for key, value in of.items())]


# ---------------------------------------------------------------------- an opponent


def enter_opponent(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment in which the paper's players meet an opponent of the user's own."""
    test = f"overconfident and paranoid, at each depth: {claims.MORE_EU}"
    text = f"Against {newcomer.name} overconfident play does better at each depth"
    return replace(
        experiment,
        settings=_settings(experiment, partial(_as_opponent, newcomer.name)),
        measure=partial(measure_newcomer, newcomer, "against"),
        claims=(Claim(text, "yours", claims.better_at_each_depth, test),),
        published=NOTHING,
        compare=summary_alone,
    )


def _as_opponent(name: str, setting: Setting) -> Setting:
    return Setting(**{**_without(setting, "game", "against_depth", "against_boards"), "against": name})


CONTESTS = {
    "algorithm": Contest(ready_player, enter_player, PLAYERS),
    "opponent": Contest(ready_player, enter_opponent, PLAYERS),
}
"""Who can enter where the paper's players meet an opponent."""
