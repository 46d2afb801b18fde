"""Players of bridge that search over sampled layouts of the hidden hands: PIMC and alpha-mu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding, carding_weights
from worldwise.bridge.players.world_sample import WorldSample, legal_cards
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.pimc import Pimc, SolverCache
from worldwise.core.weights import integer_weights
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.players.seats import SeatedPlayer
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View


class _SearchingPlayer(Protocol):
    """Draws worlds, weighs them, and plays the card that a search likes best; defenders search by PIMC."""

    worlds: int
    aim: Aim
    constraints: tuple[str, ...]
    carding: Carding
    threads: int
    system: str

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> SeatedPlayer:
        """Take a seat."""
        return _SeatedSearcher(self, vulnerability, WorldSample(self.worlds, self.constraints, seed, self.system))

    def best(
        self,
        view: View,
        worlds: Sequence[Deal],
        goal: Goal,
        solvers: SolverCache,
        heard: Sequence[int] | None = None,
    ) -> Card:
        """The card that is best over these worlds; ``heard`` is what the auction makes them weigh."""
        weights = _weigh(view, worlds, self.carding, heard)
        declares = view.seat == view.contract.declarer
        search = self.declarer_search if declares else Pimc(self.aim, self.threads)
        return search.evaluate(view, worlds, weights=weights, goal=goal, solvers=solvers).best

    @property
    def declarer_search(self) -> BridgeAlphaMu | Pimc:
        """What chooses declarer's cards."""


@dataclass(frozen=True)
class PimcPlayer(_SearchingPlayer):
    """Plays the card that is best on average over sampled worlds with every hand face up (``bridge.solvers.pimc``).

    ``worlds``       how many layouts of the hidden hands, all different; all there are if these are fewer
    ``aim``          to make (or beat) the contract, for tricks, or for the score
    ``constraints``  what is known of the hidden hands, beyond the cards
    ``carding``      how the hidden hands are thought to choose among equal cards; it weighs the layouts
    ``threads``      how many worlds are solved at a time; it changes nothing but the time
    ``system``       what the calls mean that were heard, by name or as a file; ``none`` leaves them alone
    """

    worlds: int = 40
    aim: Aim = Aim.MAKE
    constraints: tuple[str, ...] = ()
    carding: Carding = Carding.EQUAL
    threads: int = 1
    system: str = DEFAULT_SYSTEM

    name: ClassVar[str] = "pimc"

    def __post_init__(self) -> None:
        _expect_positive(self, "worlds", "threads")

    @property
    def declarer_search(self) -> Pimc:
        """The defenders' search too."""
        return Pimc(self.aim, self.threads)


@dataclass(frozen=True)
class AlphaMuPlayer(_SearchingPlayer):
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
    system: str = DEFAULT_SYSTEM

    name: ClassVar[str] = "alphamu"

    def __post_init__(self) -> None:
        _expect_positive(self, "worlds", "depth", "threads")

    @property
    def declarer_search(self) -> BridgeAlphaMu:
        """alpha-mu, so many cards ahead."""
        return BridgeAlphaMu(self.depth, self.aim, self.threads)


def _weigh(view: View, worlds: Sequence[Deal], carding: Carding, heard: Sequence[int] | None) -> tuple[int, ...]:
    """What worlds weigh by the cards played, and by the auction."""
    weights = carding_weights(view, worlds, carding)
    if heard is None:
        return weights
    return integer_weights([one * other for one, other in zip(weights, heard, strict=True)], len(worlds))


def _expect_positive(player: PimcPlayer | AlphaMuPlayer, *options: str) -> None:
    for option in options:
        if getattr(player, option) < 1:
            raise InputError(f"{player.name}: expected at least one for {option}, found {getattr(player, option)}")


@dataclass
class _SeatedSearcher:
    """Keeps its worlds, and what the double-dummy solver has found out about them, through the deal."""

    player: _SearchingPlayer
    vulnerability: Vulnerability
    worlds: WorldSample
    solvers: SolverCache | None = None

    def choose(self, view: View) -> Card:
        legal = legal_cards(view)
        if len(legal) == 1:
            return legal[0]
        worlds = self.worlds.follow(view)
        choices = choices_of(view, worlds[0])
        if len(choices) == 1:
            return choices[0][-1]
        self.solvers = self.solvers or SolverCache(view.contract.strain, 2 * self.player.worlds)
        goal = Goal.seen_by(view, self.player.aim, self.vulnerability)
        return self.player.best(view, worlds, goal, self.solvers, self.worlds.auction_weights(worlds))
