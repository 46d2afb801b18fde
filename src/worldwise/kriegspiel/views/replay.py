"""A recorded game once more, for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, uci
from worldwise.kriegspiel.views.text import belief_text, belief_words, board_text, event_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.replay import ReplayedPly
    from worldwise.kriegspiel.rules.squares import Colour, Geometry

LOST_TRACK = "no board was found that explains everything"


def replay_texts(ply: ReplayedPly, number: int, *, maps: bool = False, ascii: bool = False) -> Iterator[Text]:  # noqa: A002
    """The ply's tries and answers, the true board, and what each player believes; with maps of it if wanted."""
    geometry = ply.state.board.geometry
    yield Text("\n".join((f"ply {number}", *(event_words(event, geometry) for event in ply.events))), style="bold")
    yield board_text(ply.state.board)
    for colour, belief in ply.beliefs.items():
        yield Text(f"{colour} believes: {_words(belief, geometry)}")
        if maps and belief:
            yield belief_text(belief, ply.state.view(colour), ascii=ascii, side=WHITE)
    yield Text("")


def _words(belief: BeliefSummary | None, geometry: Geometry) -> str:
    return belief_words(belief, geometry) if belief else LOST_TRACK


def replay_json(ply: ReplayedPly, number: int) -> dict[str, Any]:
    """The same for programs."""
    geometry = ply.state.board.geometry
    return {
        "ply": number,
        "tries": [uci(event.move, geometry) for event in ply.events if event.move],
        "said": event_words(ply.events[-1], geometry),
        "fen": fen(ply.state.board),
        **{str(colour): _belief_json(ply, colour) for colour in (WHITE, BLACK)},
    }


def _belief_json(ply: ReplayedPly, colour: Colour) -> dict[str, Any] | None:
    belief, geometry = ply.beliefs[colour], ply.state.board.geometry
    if belief is None:
        return None
    king = {geometry.name(square): round(chance, 4) for square, chance in enumerate(belief.king) if chance}
    return {"boards": belief.boards, "exact": belief.exact, "king": king}
