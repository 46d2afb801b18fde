"""A game of kriegspiel between a person and a player: whose turn it is, what may be tried, what is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from typing import TYPE_CHECKING

from worldwise.core.reading import read_whole
from worldwise.core.result import Clock, Limit
from worldwise.errors import InputError, LimitReachedError, say_where
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.summary import summary
from worldwise.kriegspiel.players.belief_tracking import draw_some
from worldwise.kriegspiel.records.record import RESULTS, Record, replay
from worldwise.kriegspiel.records.try_reader import read_try
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, Colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.game import Event, Observed, State
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.view import PlayerView

YOU = "you"
"""A person's name in records."""

TAKEN_BACK = "TakenBack"
"""The tag that tells how many moves of a game were taken back."""

PLIES = 600
"""Three hundred moves each: some rule sets would let a game of a person's go on for ever."""

RECALL_LIMIT = Limit(seconds=10.0)
"""How long a person waits for what fits all that he has heard."""


def date_tag() -> tuple[str, str]:
    """PGN dates a game by the day on which it began, where it was played."""
    return "Date", f"{date.today():%Y.%m.%d}"


@dataclass(frozen=True)
class KriegspielSession:
    """Where a game stands for the person who plays ``you``; a value, nothing changes.

    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> session = KriegspielSession.of(Record(white="you", black="rand"))
    >>> session.yours, uci(session.move("Nf3")), session.opponent
    (True, 'g1f3', 'rand')
    """

    game: Kriegspiel
    state: State
    you: Colour
    record_so_far: Record
    resigned: bool = False

    @classmethod
    def of(cls, record: Record, you: Colour | None = None) -> KriegspielSession:
        """Where a record stands, once the umpire has given every answer again; a game that is over is refused."""
        you = _colour_of_you(record) if you is None else _check_colour(record, you)
        state = replay(record)
        if state.end or record.result != "*":
            raise InputError(f"expected a game to go on with, found one that is over ({record.result})")
        return cls(Kriegspiel(record.rules, (record.first,)), state, you, record)

    @property
    def opponent(self) -> str:
        """The other's name."""
        return self.record_so_far.white if self.you else self.record_so_far.black

    @property
    def over(self) -> bool:
        """Whether the result is known."""
        return self.resigned or self.state.end is not None

    @property
    def yours(self) -> bool:
        """Whether the person is to try something."""
        return not self.over and self.state.board.turn is self.you

    @property
    def view(self) -> PlayerView:
        """What the person sees."""
        return self.state.view(self.you)

    @property
    def observed(self) -> Observed:
        """All that the person has seen and heard."""
        return self.game.observe(self.state, self.you)

    @property
    def last_heard(self) -> Event | None:
        """What the person hears of the last try."""
        return self.state.events[-1].heard_by(self.you, self.game.rules) if self.state.events else None

    @property
    def latest(self) -> tuple[Event, ...]:
        """What the person has heard from his last move on."""
        events = self.observed.events
        moves = [at for at, event in enumerate(events) if event.colour is self.you and not event.is_refusal]
        return events[moves[-1] if moves else 0 :]

    @property
    def before_last_try(self) -> State:
        """Where the game stood before the last try."""
        return replay(Record(self.game.rules, self.state.first, self.state.events[:-1]))

    def before_own_move(self) -> KriegspielSession:
        """The person's last move taken back, the tries of its turn too; the record counts how often that was done."""
        events = self.state.events
        made = [at for at, event in enumerate(events) if event.colour is self.you and not event.is_refusal]
        if not made:
            raise InputError("expected a move of yours to take back, found none")
        first = made[-1]
        while first and events[first - 1].colour is self.you:
            first -= 1
        old = self.record_so_far
        tags = dict(old.tags)
        with say_where(f"the tag {TAKEN_BACK}"):
            tags[TAKEN_BACK] = str(read_whole(tags.get(TAKEN_BACK, "0"), least=0) + 1)
        state = replay(Record(self.game.rules, self.state.first, events[:first]))
        return replace(self, state=state, record_so_far=replace(old, tags=tuple(tags.items())))

    @property
    def record(self) -> Record:
        """The game so far."""
        old = self.record_so_far
        told = Record.of(self.state, self.game.rules, old.white, old.black, old.tags)
        return replace(told, result=RESULTS[self.you.other]) if self.resigned else told

    # ------------------------------------------------------------------ what is meant

    def tries(self, square: str = "") -> list[ChessMove]:
        """What the person may try, from a square if one is given."""
        found = self.view.tries
        if not square:
            return list(found)
        origin = self.view.geometry.square(square)
        return [move for move in found if move.origin == origin]

    def move(self, text: str) -> ChessMove:
        """The try that a person means: in UCI, or as chess players write a move of his pieces (e4, Nf3, exd5, O-O)."""
        return read_try(self.view, text)

    # ------------------------------------------------------------------ what is known

    @property
    def enemies(self) -> int:
        """How many pieces the enemy has left; this much is always told."""
        at_first = sum(1 for _ in self.state.first.pieces_of(self.you.other))
        return at_first - sum(self.taken.values())

    @property
    def taken(self) -> Counter[str]:
        """The enemy's pieces that the person has taken, by what was said of them ("" if nothing was)."""
        heard = (event.message for event in self.observed.events if event.colour is self.you)
        return Counter(said.piece for said in heard if said and said.taken is not None)


def _colour_of_you(record: Record) -> Colour:
    found = [colour for colour, name in ((WHITE, record.white), (BLACK, record.black)) if name == YOU]
    if len(found) != 1:
        raise InputError(f"expected a game that you play, found {record.white!r} against {record.black!r}; say --you")
    return found[0]


def _check_colour(record: Record, you: Colour) -> Colour:
    """The colour that a person has asked for, unless the record has him on the other side."""
    names = record.white, record.black
    if names[you] != YOU and names[you.other] == YOU:
        raise InputError(f"--you: expected {you.other}, for the game was saved with you as {you.other}, found {you}")
    return you


@dataclass
class PersonMemory:
    """What fits all that a person has heard; brought up to date when he asks.

    It has ``missed`` the next answer if that could not be explained in time.
    """

    belief: SampledBelief
    missed: bool = False

    @classmethod
    def of(cls, session: KriegspielSession) -> PersonMemory:
        """At the beginning of a game."""
        boards = (session.state.first,)
        return cls(SampledBelief.start(session.you, session.game.rules, boards, size=300, exact=5_000))

    def recall(self, session: KriegspielSession, limit: Limit = RECALL_LIMIT) -> BeliefSummary:
        """The belief now; ``LimitReachedError`` if none was found in time. Who asks again has it looked for further."""
        before = len(self.belief.events)
        try:
            self._catch_up(session.observed.events[before:], Clock(limit))
        except (InputError, LimitReachedError):  # there is a board that explains it: the true one
            self.missed = len(self.belief.events) == before
            self.belief = replace(self.belief, seed=self.belief.seed + 1)
            raise LimitReachedError("the search for a board that explains all you have heard", limit) from None
        return summary(self.belief.boards, session.you, exact=self.belief.is_exact)

    def some_boards(self, most: int) -> WeightedBoards:
        """So many boards of the belief, by their weights."""
        return draw_some(self.belief.boards, most, Random(len(self.belief.events)))

    def _catch_up(self, news: Sequence[Event], clock: Clock) -> None:
        """What could not be explained by itself may be, once it is known what came after."""
        if self.missed:
            self.belief, self.missed = self.belief.catch_up(news, clock.rest), False
            return
        for event in news:
            if clock.ran_out(0):
                raise LimitReachedError("the belief", clock.limit)
            self.belief = self.belief.after(event, clock.rest)
