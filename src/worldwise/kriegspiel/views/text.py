"""Kriegspiel for a terminal: boards, what the umpire says, and what a player may believe.

::

    8  · · · · · · · ·
    7  · · · · · · · ·
    6  · · · · · · · ·
    5  · · · · · · · ·
    4  · · · · P · · ·
    3  · · · · · · · ·
    2  P P P P · P P P
    1  R N B Q K B N R
       a b c d e f g h

Pieces are letters as in FEN, White's capital. A player's own side is below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.squares import NAMES, WHITE, uci
from worldwise.kriegspiel.rules.umpire import Captured, End, PawnTries

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import Colour, Geometry, Square
    from worldwise.kriegspiel.rules.umpire import Message, Rules
    from worldwise.kriegspiel.rules.view import PlayerView

UNKNOWN = "·"
"""A square on which a player has no piece of his own."""

# ---------------------------------------------------------------------- boards


def board_text(board: ChessBoard, side: Colour = WHITE) -> Text:
    """The true board, seen from a side.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> print(board_text(read_fen("k1/2/1K w")))
    3  k .
    2  . .
    1  . K
       a b
    """
    return _grid(board.geometry, side, lambda square: (board.pieces[square], ""))


def view_text(view: PlayerView, *, ascii: bool = False) -> Text:  # noqa: A002
    """A player's own pieces; other squares are dim, for anything may be there.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import BLACK
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> print(view_text(PlayerView.of(read_fen("k1/2/1K w"), BLACK)))
    1  · ·
    2  · ·
    3  · k
       b a
    """
    unknown = EMPTY if ascii else UNKNOWN

    def cell(square: Square) -> tuple[str, str]:
        piece = view.pieces[square]
        return (unknown, "dim") if piece == EMPTY else (piece, "bold")

    return _grid(view.geometry, view.colour, cell)


def _grid(geometry: Geometry, side: Colour, cell: Callable[[Square], tuple[str, str]], width: int = 1) -> Text:
    """Cells with their styles, each so wide, and the names of ranks and files."""
    files, ranks = range(geometry.files), range(geometry.ranks)
    shown = Text(no_wrap=True)
    for rank in ranks if side else reversed(ranks):
        shown.append(f"{rank + 1} ")
        for file in reversed(files) if side else files:
            text, style = cell(rank * geometry.files + file)
            shown.append(f" {text:>{width}}", style=style)
        shown.append("\n")
    names = "".join(f" {'abcdefgh'[file]:>{width}}" for file in (reversed(files) if side else files))
    return shown.append(f"  {names}")


# ---------------------------------------------------------------------- the umpire


def event_words(event: Event, geometry: Geometry, refused: int = 0) -> str:
    """A try and its answer, as somebody has heard it; so many tries of the other's were refused before, if it is his.

    >>> from worldwise.kriegspiel.rules.game import Event
    >>> from worldwise.kriegspiel.rules.squares import BLACK, CHESS, ChessMove
    >>> from worldwise.kriegspiel.rules.umpire import CheckDirection, Message
    >>> event_words(Event(WHITE, ChessMove(12, 28), None), CHESS)
    'white tries e2e4: refused'
    >>> event_words(Event(BLACK, None, Message(28, "pawn", (CheckDirection.FILE,), 2)), CHESS)
    'black moves: a pawn is taken on e4, check on the file, white has 2 pawn tries'
    >>> event_words(Event(BLACK, None, Message()), CHESS, refused=11)
    'black moves after 11 refused tries: nothing is said'
    """
    move = uci(event.move, geometry) if event.move else "something"
    if event.message is None:
        return f"{event.colour} tries {move}: refused"
    said = said_words(event, geometry) or "nothing is said"
    return f"{event.colour} moves{f' {move}' if event.move else ''}{_after_refusals(refused)}: {said}"


def said_words(event: Event, geometry: Geometry) -> str:
    """What the umpire says after a move; nothing if it was a refused try.

    >>> from worldwise.kriegspiel.rules.game import Event
    >>> from worldwise.kriegspiel.rules.squares import BLACK, CHESS
    >>> from worldwise.kriegspiel.rules.umpire import CheckDirection, Message
    >>> said_words(Event(BLACK, None, Message(28, "pawn", (CheckDirection.FILE,))), CHESS)
    'a pawn is taken on e4, check on the file'
    """
    return ", ".join(_said_words(event.message, event.colour, geometry)) if event.message else ""


def _after_refusals(refused: int) -> str:
    return f" after {refused} refused {_plural('try', refused)}" if refused else ""


def _plural(word: str, count: int) -> str:
    return word if count == 1 else "tries" if word == "try" else f"{word}s"


def _said_words(message: Message, mover: Colour, geometry: Geometry) -> Iterator[str]:
    if message.taken is not None:
        what = f"a {_name(message.piece)} is taken" if message.piece else "a capture"
        yield f"{what} on {geometry.name(message.taken)}"
    if message.checks:
        yield f"check {' and '.join(check.value for check in message.checks)}"
    if message.tries is not None:
        yield f"{mover.other} has {_tries_words(message.tries)}"
    if message.end:
        yield f"mate, {mover} wins" if message.end is End.MATE else f"a draw, {message.end.value}"


def _tries_words(tries: int | bool) -> str:
    if tries is True:
        return "pawn tries"
    return f"{tries or 'no'} pawn {_plural('try', tries)}"


_CAPTURED = {
    Captured.NOTHING: "Of a capture you hear only where.",
    Captured.KIND: "Of a capture you hear where, and whether a pawn or a piece was taken.",
    Captured.TYPE: "Of a capture you hear where, and what was taken.",
}
_PAWN_TRIES = {
    PawnTries.NOTHING: "Of captures that pawns can make nothing is said.",
    PawnTries.ANY: "Of captures that pawns can make you hear whether there are any.",
    PawnTries.COUNT: "Of captures that pawns can make you hear how many there are.",
}


def rules_words(rules: Rules) -> str:
    """What the umpire says by a rule set, and what not.

    >>> from dataclasses import replace
    >>> from worldwise.kriegspiel.rules.umpire import BERKELEY
    >>> print(rules_words(BERKELEY))
    Refused tries are heard. Of a capture you hear only where. Of captures that pawns can make nothing is said.
    A check on a diagonal says whether it is the long or the short one. There is no draw by repetition or fifty moves.
    >>> print(rules_words(replace(BERKELEY, ply_limit=160, quiet_limit=50)))  # doctest: +ELLIPSIS
    Refused tries are heard. ... The game is a draw after 160 plies or after 50 without a capture or a pawn's move.
    """
    draws = [name for name, is_one in (("repetition", rules.repetition), ("fifty moves", rules.fifty)) if is_one]
    sentences = (
        "Refused tries are heard." if rules.refusals_heard else "Refused tries are not heard.",
        _CAPTURED[rules.captured],
        _PAWN_TRIES[rules.pawn_tries],
        "A check on a diagonal says whether it is the long or the short one." if rules.split_diagonals else "",
        "" if draws else "There is no draw by repetition or fifty moves.",
        _limits_words(rules),
    )
    return " ".join(filter(None, sentences))


def _limits_words(rules: Rules) -> str:
    """When a game is stopped, whatever is on the board; "" if never."""
    plies = " plies" if rules.ply_limit is None else ""
    limits = (
        f"after {rules.ply_limit} plies" if rules.ply_limit is not None else "",
        f"after {rules.quiet_limit}{plies} without a capture or a pawn's move" if rules.quiet_limit is not None else "",
    )
    return f"The game is a draw {' or '.join(filter(None, limits))}." if any(limits) else ""


def start_words(you: Colour, opponent: str, rules: Rules) -> str:
    """What a person needs to know before he plays.

    >>> from worldwise.kriegspiel.rules.umpire import CINCINNATI
    >>> print(start_words(WHITE, "rand", CINCINNATI))  # doctest: +ELLIPSIS
    you play white against rand; help lists the commands
    the rules are cincinnati: Refused tries are heard. ...
    """
    opening = f"you play {you} against {opponent}; help lists the commands"
    return f"{opening}\nthe rules are {rules.name}: {rules_words(rules)}"


def log_lines(events: Iterable[Event], geometry: Geometry, number: int = 1) -> Iterator[str]:
    """A line for every own try and every move, with the number of the move; the other's refused tries are counted.

    >>> from worldwise.kriegspiel.rules.game import Event
    >>> from worldwise.kriegspiel.rules.squares import BLACK, CHESS, ChessMove
    >>> from worldwise.kriegspiel.rules.umpire import Message
    >>> unheard = Event(BLACK, None, None)
    >>> heard = Event(WHITE, ChessMove(12, 28), Message()), unheard, unheard, Event(BLACK, None, Message(28)), unheard
    >>> for line in log_lines(heard, CHESS):
    ...     print(line)
      1. white moves e2e4: nothing is said
      1. black moves after 2 refused tries: a capture on e4
      2. black has had 1 try refused so far
    """
    for event, refused in _with_refusals(events):
        yield f"{number:3}. {_event_line(event, refused, geometry)}"
        number += bool(event.colour) and not event.is_refusal


def last_line(events: Iterable[Event], geometry: Geometry) -> str:
    """What was heard last, as the log has it."""
    *_, (event, refused) = _with_refusals(events)
    return _event_line(event, refused, geometry)


def _event_line(event: Event, refused: int, geometry: Geometry) -> str:
    if event.is_refusal and event.move is None:
        return f"{event.colour} has had {refused} {_plural('try', refused)} refused so far"
    return event_words(event, geometry, refused)


def _with_refusals(events: Iterable[Event]) -> Iterator[tuple[Event, int]]:
    """Own tries and all moves, each with how many tries of the other's were refused just before; and what is left."""
    refused, event = 0, None
    for event in events:
        if event.is_refusal and event.move is None:
            refused += 1
        else:
            yield event, refused
            refused = 0
    if event and refused:
        yield event, refused


def game_words(events: Iterable[Event], colour: Colour, geometry: Geometry, number: int = 1) -> str:
    """All that a player tried, when it may be told: refused tries in parentheses, what was taken after an x.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> game = Kriegspiel()
    >>> state = game.start(START)
    >>> for text in ("e2e4", "d7d5", "e4f5", "e4d5"):
    ...     state = game.play(state, read_uci(text))
    >>> game_words(state.events, WHITE, START.geometry)
    '1. e2e4 2. (e4f5) e4xd5'
    """
    words, is_new = [], True
    for event in events:
        if event.colour is colour and event.move:
            words += [f"{number}."] if is_new else []
            is_new = not event.is_refusal
            words.append(_try_words(event, geometry))
        number += bool(event.colour) and not event.is_refusal
    return " ".join(words)


def tried_words(name: str, events: Iterable[Event], colour: Colour) -> str:
    """The heading of all that a player tried, which says what the parentheses are.

    >>> from worldwise.kriegspiel.rules.game import Event
    >>> from worldwise.kriegspiel.rules.squares import ChessMove
    >>> tried_words("rand", [Event(WHITE, ChessMove(12, 28), None)], WHITE)
    'what rand tried (1 try was refused, in parentheses):'
    """
    own = [event for event in events if event.colour is colour]
    refused = sum(event.is_refusal for event in own)
    if not own:
        return f"{name} tried nothing"
    if not refused:
        return f"what {name} tried (nothing was refused):"
    were = "was" if refused == 1 else "were"
    return f"what {name} tried ({refused} {_plural('try', refused)} {were} refused, in parentheses):"


def _try_words(event: Event, geometry: Geometry) -> str:
    assert event.move is not None
    text = uci(event.move, geometry)
    if event.message is None:
        return f"({text})"
    return text if event.message.taken is None else f"{text[:2]}x{text[2:]}"


def tries_words(view: PlayerView, moves: Iterable[tuple[int, int, str]]) -> str:
    """Tries by the pieces that make them.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> view = PlayerView.of(START, WHITE, 0)
    >>> print(tries_words(view, [move for move in view.tries if move.origin in (1, 12)]))
    N b1: a3 c3
    P e2: e3 e4
    """
    targets: dict[Square, list[str]] = {}
    for origin, target, promotion in moves:
        targets.setdefault(origin, []).append(view.geometry.name(target) + promotion.lower())
    lines = (
        f"{view.pieces[origin].upper()} {view.geometry.name(origin)}: {' '.join(sorted(names))}"
        for origin, names in targets.items()
    )
    return "\n".join(lines) or "none"


def enemy_words(enemies: int, taken: Counter[str]) -> str:
    """What is left of the enemy, as far as it has been said.

    >>> from collections import Counter
    >>> enemy_words(13, Counter({"pawn": 2, "piece": 1}))
    'the enemy has 13 pieces and pawns left; you took 2 pawns, 1 piece'
    >>> enemy_words(16, Counter())
    'the enemy has 16 pieces and pawns left'
    >>> enemy_words(1, Counter({"": 15}))
    'the enemy has only the king left; you took 15'
    """
    counts = [f"{count} {_plural(_name(kind), count)}" if kind else str(count) for kind, count in taken.items()]
    lost = f"; you took {', '.join(counts)}" if counts else ""
    return f"the enemy has {'only the king' if enemies == 1 else f'{enemies} pieces and pawns'} left{lost}"


def _name(said: str) -> str:
    """A piece as the umpire has called it: by its letter, or as a pawn or piece."""
    return NAMES.get(said, said)


# ---------------------------------------------------------------------- belief


FEW_BOARDS = 10
"""Of fewer boards, if they are a sample, one wrong piece may be on all."""


def belief_words(belief: BeliefSummary, geometry: Geometry, most: int = 4) -> str:
    """How many boards fit, and where the king is likeliest.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.belief.summary import summary
    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")
    >>> belief_words(summary(WeightedBoards.of(boards), WHITE), boards[0].geometry)
    '2 boards fit, all there are; the king: a8 50 %, b8 50 %'
    """
    doubt = ", too few to go by" if belief.effective < FEW_BOARDS else ""
    kind = "all there are" if belief.exact else f"a sample worth {belief.effective:,.0f}{doubt}"
    found = f"{belief.boards:,} board{'s fit' if belief.boards != 1 else ' fits'}, {kind}"
    best = sorted(range(geometry.squares), key=lambda square: -belief.king[square])[:most]
    places = ", ".join(f"{geometry.name(at)} {100 * belief.king[at]:.0f} %" for at in best if belief.king[at] >= 0.005)
    return f"{found}; the king: {places}"


def belief_text(
    belief: BeliefSummary,
    view: PlayerView,
    *,
    ascii: bool = False,  # noqa: A002
    side: Colour | None = None,
) -> Text:
    """Two maps: on each square the likeliest enemy piece with its chance in percent, and the chance of the king.

    They are seen from a side, the player's own if none is said.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.belief.summary import summary
    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> boards = [read_fen("k1/2/1K w"), read_fen("1k/2/1K w")]
    >>> print(belief_text(summary(WeightedBoards.of(boards), WHITE), PlayerView.of(boards[0], WHITE), ascii=True))
    likeliest enemy    the king
    3   k50  k50       3   50  50
    2     .    .       2    .   .
    1     .    K       1    .   K
          a    b            a   b
    """
    side = view.colour if side is None else side
    pieces = _belief_map(view, side, 4, belief.likeliest, ascii=ascii)
    king = _belief_map(view, side, 3, lambda square: ("", belief.king[square]), ascii=ascii)
    left, right = pieces.split("\n"), king.split("\n")
    width = max(len("likeliest enemy"), *(len(line) for line in left)) + 4
    shown = Text(f"{'likeliest enemy':<{width}}the king", no_wrap=True)
    for one, other in zip(left, right, strict=True):
        shown.append("\n").append_text(one).append(" " * (width - len(one))).append_text(other)
    return shown


def _belief_map(
    view: PlayerView,
    side: Colour,
    width: int,
    found: Callable[[Square], tuple[str, float] | None],
    *,
    ascii: bool,  # noqa: A002
) -> Text:
    unknown = EMPTY if ascii else UNKNOWN

    def cell(square: Square) -> tuple[str, str]:
        if view.pieces[square] != EMPTY:
            return view.pieces[square], "bold"
        piece, chance = found(square) or ("", 0.0)
        percent = round(100 * chance)
        return (f"{piece}{percent}", _shade(chance)) if percent else (unknown, "dim")

    return _grid(view.geometry, side, cell, width)


def _shade(chance: float) -> str:
    """The likelier, the redder."""
    return "bold red" if chance >= 0.5 else "red" if chance >= 0.2 else "yellow" if chance >= 0.05 else "dim"
