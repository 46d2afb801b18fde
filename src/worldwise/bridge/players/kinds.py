"""Players of bridge: each hears what its seat sees, and nothing else, and says which card to play.

A player is a frozen dataclass of its parameters, whose repr is what experiments log; a text such as
``pimc:worlds=40,aim=tricks`` means the same. For a board it takes a seat, and what it remembers from move to move it
remembers there. A player who sees all four hands is another kind of thing, ``SeesAll``: the referee must know which
of the two he has before him.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from worldwise.bridge.layouts.carding import Carding, carding_weights
from worldwise.bridge.players.worlds import Worlds, dice, legal_cards
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.double_dummy import card_tricks, double_dummy
from worldwise.bridge.solvers.pimc import Pimc, Solvers, choices_of
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.play import Play
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.double_dummy import DoubleDummySolver


class Seated(Protocol):
    """A player at the table, for one board."""

    def choose(self, view: View) -> Card:
        """The card to play next, by what the seat has seen so far; it is this player's turn."""


class SeatedSeeing(Protocol):
    """A player at the table who is shown everything."""

    def choose_seeing(self, play: Play) -> Card:
        """The card to play next."""


@runtime_checkable
class BridgePlayer(Protocol):
    """A player who hears observations only."""

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> Seated:
        """Take a seat for one board; the same seed and the same views give the same cards."""


@runtime_checkable
class SeesAll(Protocol):
    """A player who looks into all hands: no player, but a measure of how well one could do."""

    def sit_seeing(self, seed: int) -> SeatedSeeing:
        """Take a seat for one board."""


AnyPlayer = BridgePlayer | SeesAll


# ---------------------------------------------------------------------- chance


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any card that the rules allow."""

    name: ClassVar[str] = "random"

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> Seated:  # noqa: ARG002
        """Take a seat."""
        return _SeatedRandom(seed)


@dataclass(frozen=True)
class _SeatedRandom:
    seed: int

    def choose(self, view: View) -> Card:
        return dice(self.seed, view).choice(legal_cards(view))


# ---------------------------------------------------------------------- PIMC and alpha-mu


@dataclass(frozen=True)
class PimcPlayer:
    """Plays the card that is best on average over sampled worlds with every hand face up (``bridge.solvers.pimc``).

    ``worlds``       how many layouts of the hidden hands, all different; all there are if these are fewer
    ``aim``          to make (or beat) the contract, for tricks, or for the score
    ``constraints``  what is known of the hidden hands, beyond the cards
    ``carding``      how the hidden hands are thought to choose among equal cards; it weighs the layouts
    ``threads``      how many worlds are solved at a time; it changes nothing but the time
    """

    worlds: int = 40
    aim: Aim = Aim.MAKE
    constraints: tuple[str, ...] = ()
    carding: Carding = Carding.EQUAL
    threads: int = 1

    name: ClassVar[str] = "pimc"

    def __post_init__(self) -> None:
        _expect_positive(self, "worlds", "threads")

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> Seated:
        """Take a seat."""
        return _SeatedSearcher(self, vulnerability, Worlds(self.worlds, self.constraints, seed))

    def best(self, view: View, worlds: Sequence[Deal], goal: Goal, solvers: Solvers) -> Card:
        """The card that is best over these worlds."""
        weights = carding_weights(view, worlds, self.carding)
        return Pimc(self.aim, self.threads).evaluate(view, worlds, weights=weights, goal=goal, solvers=solvers).best


@dataclass(frozen=True)
class AlphaMuPlayer:
    """As declarer plays the card that alpha-mu likes best, looking ``depth`` of its own cards ahead (CLV21's M).

    The other fields are those of ``PimcPlayer``, and as a defender it plays like one: alpha-mu is for those who see
    their partner's hand.
    """

    worlds: int = 20
    depth: int = 2
    aim: Aim = Aim.MAKE
    constraints: tuple[str, ...] = ()
    carding: Carding = Carding.EQUAL
    threads: int = 1

    name: ClassVar[str] = "alphamu"

    def __post_init__(self) -> None:
        _expect_positive(self, "worlds", "depth", "threads")

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> Seated:
        """Take a seat."""
        return _SeatedSearcher(self, vulnerability, Worlds(self.worlds, self.constraints, seed))

    def best(self, view: View, worlds: Sequence[Deal], goal: Goal, solvers: Solvers) -> Card:
        """The card that is best over these worlds."""
        declares = view.seat == view.contract.declarer
        search = BridgeAlphaMu(self.depth, self.aim, self.threads) if declares else Pimc(self.aim, self.threads)
        weights = carding_weights(view, worlds, self.carding)
        return search.evaluate(view, worlds, weights=weights, goal=goal, solvers=solvers).best


def _expect_positive(player: PimcPlayer | AlphaMuPlayer, *options: str) -> None:
    for option in options:
        if getattr(player, option) < 1:
            raise InputError(f"{player.name}: expected at least one for {option}, found {getattr(player, option)}")


@dataclass
class _SeatedSearcher:
    """Keeps its worlds, and what the double-dummy solver has found out about them, through the deal."""

    player: PimcPlayer | AlphaMuPlayer
    vulnerability: Vulnerability
    worlds: Worlds
    solvers: Solvers | None = None

    def choose(self, view: View) -> Card:
        legal = legal_cards(view)
        if len(legal) == 1:
            return legal[0]
        worlds = self.worlds.seen_from(view)
        choices = choices_of(view, worlds[0])
        if len(choices) == 1:
            return choices[0][-1]
        self.solvers = self.solvers or Solvers(view.contract.strain, 2 * self.player.worlds)
        goal = Goal.seen_by(view, self.player.aim, self.vulnerability)
        return self.player.best(view, worlds, goal, self.solvers)


# ---------------------------------------------------------------------- double dummy


@dataclass(frozen=True)
class DoubleDummyPlayer:
    """Sees all four hands and never errs against others who do: the ceiling for players who see less.

    It takes all the tricks it can. For the contract alone nobody does better as declarer; as defence it is as strong
    as the defenders of the best-defence model.
    """

    name: ClassVar[str] = "dds"

    def sit_seeing(self, seed: int) -> SeatedSeeing:  # noqa: ARG002
        """Take a seat."""
        return _SeatedDoubleDummy()


@dataclass
class _SeatedDoubleDummy:
    deal: Deal | None = None
    solver: DoubleDummySolver | None = None

    def choose_seeing(self, play: Play) -> Card:
        legal = list(cards_in(play.position.legal))
        if len(legal) == 1:
            return legal[0]
        if self.solver is None or self.deal != play.deal:
            self.deal, self.solver = play.deal, double_dummy(play.deal, play.contract.strain)
        tricks = card_tricks(self.solver, play.position)
        most = max(tricks.values())
        return min((card for card in legal if tricks[card] == most), key=lambda card: card & 15)
