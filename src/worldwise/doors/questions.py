"""What other programs can ask, by name: a question is an object of JSON, and so is its answer, whichever door it takes.

``advise``  which card to play, as ``worldwise advise --json`` says it
``values``  what every card is worth over the caller's own worlds, which may have weights
``review``  what every card played was worth
``dd``      how many tricks each declarer takes in each strain, all cards seen
``suit``    how to play a single suit

Positions are told as ``worldwise.doors.positions`` says. Every figure says what it is, as at the other doors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.advise import ADVISERS, WORLDS, advise
from worldwise.bridge.advice.review import NODES, ReviewEffort, review, seats_named
from worldwise.bridge.advice.review import WORLDS as REVIEW_WORLDS
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import MOST_WORLDS
from worldwise.bridge.layouts.leads import LEADS
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.deal_tables import check_strength, par_of, table_of
from worldwise.bridge.suit.rules import FREE, Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.answers import answers_json
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.double_dummy_text import double_dummy_json
from worldwise.bridge.views.review_json import review_json
from worldwise.core.reading import shorten
from worldwise.core.result import Limit
from worldwise.doors.fields import Json, QuestionFields
from worldwise.doors.own_worlds import MOST_DEPTH, own_worlds_json, read_worlds
from worldwise.doors.positions import read_board, read_boards_asked_for, read_source
from worldwise.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.board import Board
    from worldwise.doors.positions import Sources


def answer_question(kind: str, question: Mapping[str, Any], sources: Sources = read_source) -> Json:
    """The answer to a question; ``InputError`` says what is wrong with it.

    >>> answer_question("suit", {"north": "AQ", "south": "32", "tricks": 2})["chance"]
    0.5
    """
    if kind not in QUESTIONS:
        raise UnknownNameError("question", kind, QUESTIONS)
    asked = QuestionFields(question)
    find = QUESTIONS[kind](asked, sources)  # which reads all fields: nothing is searched for a question with a mistake
    asked.refuse_others()
    return find()


def _advise(asked: QuestionFields, sources: Sources) -> Callable[[], Json]:
    board = _expect_open(read_board(asked, sources))
    view, limit, settings = board.view(board.play.turn), _limit(asked), _hearing(asked)
    if limit.seconds is None:
        check_strength(view.pack.bit_count() - len(view.played))
    settings |= {
        "constraints": _constraints(asked, board),
        "worlds": asked.whole("worlds", WORLDS, least=1, most=MOST_WORLDS),
        "algorithm": asked.one_of("algorithm", ADVISERS, "alphamu"),
        "aim": _aim(asked),
        "seed": asked.whole("seed", 0),
        "planning": asked.flag("plan", True),
        "trying": asked.flag("trial", True),
    }
    return lambda: advice_json(advise(view, vulnerability=board.vulnerability, limit=limit, **settings))


def _values(asked: QuestionFields, sources: Sources) -> Callable[[], Json]:
    board = _expect_open(read_board(asked, sources))
    view, weights, limit = board.view(board.play.turn), asked.numbers_if_given("weights"), _limit(asked)
    check_strength(view.pack.bit_count() - len(view.played))
    worlds = read_worlds(view, asked.texts("worlds"), weights)
    algorithm, aim = asked.one_of("algorithm", ADVISERS, "alphamu"), _aim(asked)
    return lambda: own_worlds_json(view, worlds, weights, aim, board.vulnerability, algorithm, limit)


def _review(asked: QuestionFields, sources: Sources) -> Callable[[], Json]:
    boards = [board for board in read_boards_asked_for(asked, sources) if board.cards]
    if not boards:
        raise InputError("expected a board with cards played, found none")
    check_strength(max(board.deal.cards.bit_count() for board in boards))
    hearing, seats = _hearing(asked), asked.text("seat", "all")
    effort = ReviewEffort(
        worlds=asked.whole("worlds", REVIEW_WORLDS, least=1, most=MOST_WORLDS),
        nodes=asked.whole("nodes", NODES, least=1),
        seed=asked.whole("seed", 0),
        constraints=tuple(asked.texts("constraints")),
        **hearing,
    )
    return lambda: _one_or_all(
        [review_json(review(board, seats_named(seats, board), effort)) for board in boards], asked
    )


def _dd(asked: QuestionFields, sources: Sources) -> Callable[[], Json]:
    boards = read_boards_asked_for(asked, sources)
    return lambda: _one_or_all([board_table_json(board) for board in boards], asked)


def board_table_json(board: Board) -> Json:
    """A board's number, its double-dummy table, and the par if there is somebody to say."""
    table = table_of(board.deal)
    return {"board": board.number, **double_dummy_json(table, par_of(board, table))}


def _suit(asked: QuestionFields, _sources: Sources) -> Callable[[], Json]:
    tricks, limit = asked.whole_if_given("tricks", least=1, most=13), Limit(asked.number_if_given("seconds"))
    entries = tuple(
        free if count is None else count
        for free, count in zip(FREE, map(asked.whole_if_given, ("north_entries", "south_entries")), strict=True)
    )
    words = {name: asked.text(name, usual) for name, usual in _SUIT_WORDS.items()}
    places = {name: asked.whole(name, 13, most=13) for name in ("west_cards", "east_cards")}
    ruffs = asked.whole("ruffs", 0, most=13)
    suit = Suit.of(**words, **places, ruffs=ruffs)  # type: ignore[arg-type]
    return lambda: answers_json(SuitSolver(suit, entries=(entries[0], entries[1]), limit=limit), tricks)


_SUIT_WORDS = {
    "north": "-",
    "south": "-",
    "gone": "-",
    "west": "-",
    "east": "-",
    "west_length": "0+",
    "east_length": "0+",
    "discards": "-",
    "defenders_lead": "never",
}

QUESTIONS: dict[str, Callable[[QuestionFields, Sources], Callable[[], Json]]] = {
    "advise": _advise,
    "values": _values,
    "review": _review,
    "dd": _dd,
    "suit": _suit,
}
"""What reads a question, and gives what answers it."""


def question_of_text(kind: str, text: str) -> Json:
    """The question that a text is: two holdings if it is about a suit, and otherwise a source of boards.

    >>> question_of_text("suit", "AQT9 432"), question_of_text("dd", "deals.pbn")
    ({'north': 'AQT9', 'south': '432'}, {'source': 'deals.pbn'})
    """
    if kind != "suit":
        return {"source": text}
    hands = text.split()
    if len(hands) != 2:
        raise InputError(f"expected two hands such as AKQ9 32 (- for none), found {shorten(text)}")
    return {"north": hands[0], "south": hands[1]}


# ---------------------------------------------------------------------- what several questions have in common


def _limit(asked: QuestionFields) -> Limit:
    return Limit(
        asked.number_if_given("seconds"),
        asked.whole_if_given("nodes", least=1),
        asked.whole_if_given("depth", least=1, most=MOST_DEPTH),
    )


def _aim(asked: QuestionFields) -> Aim:
    return Aim(asked.one_of("aim", [aim.value for aim in Aim], Aim.MAKE.value))


def _hearing(asked: QuestionFields) -> dict[str, Any]:
    """How cards and calls are read."""
    system = asked.text("system", DEFAULT_SYSTEM)
    return {
        "carding": Carding(asked.one_of("carding", list(Carding), Carding.EQUAL)),
        "system": system if asked.flag("hear_auction", True) else NO_SYSTEM,
    }


def _constraints(asked: QuestionFields, board: Board) -> list[Constraint]:
    """What the board itself says of the hidden hands, in a tag, and what is told besides."""
    lead = asked.one_of("lead", ["", *LEADS], "")
    told: list[Constraint] = [text for text in (board.tag("Constraints"), *asked.texts("constraints")) if text]
    return [*told, *([LEADS[lead]] if lead else [])]


def _expect_open(board: Board) -> Board:
    if board.play.position.over or board.tricks is not None:
        raise InputError("expected a board whose play goes on, found it over (after: N goes back to an earlier card)")
    return board


def _one_or_all(found: list[Json], asked: QuestionFields) -> Json:
    """The answer about a board, or those about all boards of a source."""
    alone = len(found) == 1 and ("board" in asked or "source" not in asked)
    return found[0] if alone else {"boards": found}
