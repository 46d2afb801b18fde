"""Restricted choice: the book's odds, the model against its definition, and samples drawn by weight."""

import os
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.bridge.layouts.carding import HONOURS, Carding, carding_weights, equal_ways
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.layouts.leads import LEADS
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, Seat, cards_in, read_card, read_hand, set_of
from worldwise.bridge.rules.play import Play, winning_place
from worldwise.bridge.rules.view import View, view_of
from worldwise.bridge.solvers.pimc import Pimc
from worldwise.core.weights import effective_sample_size
from worldwise.errors import InputError

SAMPLES = ((40, 100), (300, 100)) if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else ((40, 20), (300, 3))
"""How many layouts a sample has, and with how many seeds it is drawn."""


@dataclass(frozen=True)
class Classic:
    """North to play after South's lead towards the honours: take the ``top`` card for the drop, or finesse.

    ``drop`` and ``finesse`` are the chances of either, by hand: the ways in which the cards can lie, times the chance
    that the defenders would then have played as they did.
    """

    north: str
    south: str
    others: str
    played: str
    top: str
    drop: Fraction = Fraction(0)
    finesse: Fraction = Fraction(0)
    constraints: tuple[str, ...] = ()
    contract: str = "1NT by S"

    @property
    def view(self) -> View:
        """What South knows."""
        north, south = read_hand(self.north), read_hand(self.south)
        pack = north | south | read_hand(self.others) if self.others else PACK
        played = tuple(map(read_card, self.played.split()))
        return View(Seat.SOUTH, Contract.read(self.contract), south, north, played, pack)

    @property
    def layouts(self) -> Layouts:
        """What the defenders may hold."""
        return Layouts(self.view, self.constraints)

    def drops(self, worlds, weights):
        """Whether PIMC plays for the drop."""
        return Pimc().evaluate(self.view, worlds, weights=weights).best == read_card(self.top)


ENDINGS = {
    # The jack with West in C(6, 2) layouts, with East in C(6, 3), half as likely each: queen or jack, he could choose.
    "nine cards without queen and jack, the queen falls": Classic(
        north="AKT9.2.2.2",
        south="8765.A.A.A",
        others="QJ32.K3.KQJT98.K3",
        played="HK H2 H3 HA  S5 S2 SA SQ  C2 C3 CA CK  S6 S3",
        top="SK",
        drop=Fraction(20, 2) / (15 + Fraction(20, 2)),
        finesse=15 / (15 + Fraction(20, 2)),
    ),
    # The same, with the ace cashed from the long hand: C(8, 3) layouts against half of C(8, 4).
    "ten nine and king opposite the ace, the jack falls": Classic(
        north="KT94.2.2.2",
        south="A8765.A..A",
        others="QJ32.K3.AKQJT9.K3",
        played="HK H2 H3 HA  SA S2 S4 SJ  S5 S3",
        top="SK",
        drop=Fraction(35, 56 + 35),
        finesse=Fraction(56, 56 + 35),
    ),
    # East wins the first finesse with the king. Queen with West: C(8, 3). King and queen with East: half of C(8, 4).
    "ace jack ten without king and queen, the first finesse loses": Classic(
        north="AJT9.2.2.32",
        south="8765.A.A.AK",
        others="KQ32.K3.T9876543.54",
        played="HK H2 H3 HA  S5 S2 SJ SK  C4 CA C5 C2  S6 S3",
        top="SA",
        drop=Fraction(35, 56 + 35),
        finesse=Fraction(56, 56 + 35),
    ),
    # West is known to hold two diamonds of his three cards: the jack with him in 1 layout, with East in half of 4.
    "vacant places outweigh restricted choice": Classic(
        north="AKT9.2.2.2",
        south="8765.A.A.A",
        others="QJ32.K3.KQJT98.K3",
        played="HK H2 H3 HA  S5 S2 SA SQ  C2 C3 CA CK  S6 S3",
        top="SK",
        drop=Fraction(2, 3),
        finesse=Fraction(1, 3),
        constraints=("hascard(west, DK)", "hascard(west, DQ)"),
    ),
    # Only spot cards have come. Of each kind of layout there are ten (of the last five), but they could have followed
    # in more ways with some: with 542 and Q3 in 3 x 2 ways, with 42 and Q53 or with Q42 and 53 in 2 x 2, with Q542 and
    # 3 in 3 x 2. So Qxx with West is to Qx with East as 3 to 2, as it was before anybody played.
    "eight cards without the queen, all follow low": Classic(
        north="AKJ7.2.2.2",
        south="T986.A.A.A",
        others="Q5432.K3.KQJT9.K3",
        played="HK H2 H3 HA  S6 S2 SA S3  C2 C3 CA CK  S8 S4",
        top="SK",
        drop=Fraction(10, 6) / (Fraction(10, 6) + Fraction(10, 4) + Fraction(10, 4) + Fraction(5, 6)),
        finesse=(Fraction(10, 4) + Fraction(5, 6))
        / (Fraction(10, 6) + Fraction(10, 4) + Fraction(10, 4) + Fraction(5, 6)),
    ),
}

DEALS = {
    "AKT9 opposite 8765, the queen falls": Classic(
        north="AKT94.A2.A32.A32",
        south="8765.KQ3.KQ4.KQ4",
        others="",
        played="H9 H2 H4 HK  S5 S2 SA SQ  C2 C5 CQ C6  S6 S3",
        top="SK",
        contract="7NT by S",
    ),
    "KT9 opposite the ace, the jack falls": Classic(
        north="KT94.A32.A32.A32",
        south="A8765.KQ.KQ4.KQ4",
        others="",
        played="H9 H2 H4 HK  SA S2 S4 SJ  S5 S3",
        top="SK",
        contract="7NT by S",
    ),
    "AJT9 opposite 8765, the king wins": Classic(
        north="AJT94.A2.A32.A32",
        south="8765.KQ3.KQ4.KQ4",
        others="",
        played="H9 H2 H4 HK  S5 S2 SJ SK  C6 CQ C5 C2  S6 S3",
        top="SA",
        contract="6NT by S",
    ),
    "AKT9 opposite 8765, West long in the red suits": Classic(
        north="AKT94.A2.A32.A32",
        south="8765.KQ3.KQ4.KQ4",
        others="",
        played="H9 H2 H4 HK  S5 S2 SA SQ  C2 C5 CQ C6  S6 S3",
        top="SK",
        constraints=("hearts(west) >= 6", "diamonds(west) >= 3"),
        contract="7NT by S",
    ),
}


# ---------------------------------------------------------------------- the book's odds


@pytest.mark.parametrize("classic", ENDINGS.values(), ids=ENDINGS)
def test_the_odds_of_the_book(classic):
    drawn = draw_worlds(classic.layouts, 40, Random(1))
    assert drawn.exact
    found = Pimc().evaluate(classic.view, drawn.worlds, weights=drawn.weights)
    assert found.values[read_card(classic.top)] == float(classic.drop)
    finesses = {value for card, value in found.values.items() if card != read_card(classic.top)}
    assert max(finesses) == float(classic.finesse)
    assert classic.drops(drawn.worlds, drawn.weights) == (classic.drop > classic.finesse)


def test_without_weights_the_drop_looks_better():
    classic = ENDINGS["nine cards without queen and jack, the queen falls"]
    drawn = draw_worlds(classic.layouts, 40, Random(1), Carding.NONE)
    assert (drawn.exact, set(drawn.weights)) == (True, {1})
    assert classic.drops(drawn.worlds, drawn.weights)


# ---------------------------------------------------------------------- the model


def weights_of(contract, played, *deals):
    """What some layouts weigh, seen from South, who declares; the first of them is the deal that is played."""
    first = Deal.read(deals[0])
    play = Play(first, Contract.read(contract))
    for card in played.split():
        play = play.then(read_card(card))
    return carding_weights(view_of(play, Seat.SOUTH), [Deal.read(deal) for deal in deals])


def test_cards_that_are_gone_do_not_separate():
    # With the jack gone queen and ten touch: East's second card was a choice if he has both.
    deals = "N:AKJ2... QT3... 9876... 54.AK..", "N:AKJ2... Q3.A.. 9876... T54.K.."
    assert weights_of("1NT by S", "S4 SJ S3 S6  SA SQ", *deals) == (1, 2)
    # While dummy has it they do not.
    assert weights_of("1NT by S", "S4 S2 SQ S6", *deals) == (1, 1)


def test_the_winning_card_separates_and_a_beaten_one_does_not():
    # Dummy's jack is winning: the queen beats it, the ten does not.
    deals = "N:J2... QT... 98... 43...", "N:J2... Q3... 98... T4..."
    assert weights_of("1NT by S", "S4 SJ SQ", *deals) == (1, 1)
    # Under South's king dummy's jack is as good as gone.
    deals = "N:J2.2.. QT.4.. K9.A.. 4.3.2.", "N:J2.2.. Q.4.2. K9.A.. T4.3.."
    assert weights_of("1NT by S", "H3 H2 H4 HA  SK S4 SJ SQ", *deals) == (1, 2)


def test_partners_honour_separates_and_his_spot_cards_do_not():
    # To East, who does not see West's jack, queen and ten are not equal.
    assert weights_of("1NT by S", "S4 SA SQ", "N:A2... QT... 98... J4...", "N:A2... QJ... 98... T4...") == (2, 1)
    # But the 5 and the 3 are, whoever has the 4.
    assert weights_of("1NT by S", "S4 SA S3", "N:A2... 53... 98... K4...", "N:A2... K3... 98... 54...") == (1, 2)


def test_leads_and_discards_weigh_nothing():
    # West leads the queen, with the jack or without.
    assert weights_of("1NT by S", "SQ SA", "N:A2... 43... 98... QJ...", "N:A2... J3... 98... Q4...") == (1, 1)
    # East discards the queen, with the jack or without.
    assert weights_of("1NT by S", "S4 SA HQ", "N:A2... .QJ.. 98... 4..2.", "N:A2... .Q.2. 98... 4.J..") == (1, 1)


def test_the_other_hand_of_a_defender_is_weighed_too():
    """West sees dummy and his own; declarer and partner have followed."""
    deal = Deal.read("N:A2... 53... KQ... 84...")
    play = Play(deal, Contract.read("1NT by S"), tuple(map(read_card, ["S8", "S2", "S3", "SK"])))
    view = view_of(play, Seat.WEST)
    worlds = Layouts(view).enumerate()
    # Declarer took the trick with the king from king and queen, or had to; East followed from 53, or had to.
    assert {world[Seat.SOUTH]: way for world, way in zip(worlds, equal_ways(view, worlds), strict=True)} == {
        read_hand("KQ..."): 4,
        read_hand("K5..."): 1,
    }


def defined(view, world):
    """The chance that the hidden hands would have played as they did in a world, by walking through the play."""
    hands, chance = list(world.hands), Fraction(1)
    for number, (seat, card) in enumerate(view.history()):
        trick = view.played[number - number % 4 : number]
        if seat in view.hidden and trick and trick[0] >> 4 == card >> 4:
            winning = trick[winning_place(trick, view.contract.strain)]
            equal = [other for other in cards_in(hands[seat]) if equal_cards(card, other, seat, hands, winning)]
            chance *= Fraction(sum(other == card for other in equal), len(equal))
        hands[seat] &= ~(1 << card)
    return chance


def equal_cards(one, two, seat, hands, winning):
    """Whether two cards of a hand are equal, by the letter of the model."""
    low, high = sorted([one, two])
    between = range(low + 1, high)
    theirs = hands[seat.next] | hands[seat.next.partner] | hands[seat.partner] & HONOURS
    return one >> 4 == two >> 4 and winning not in between and not any(theirs >> card & 1 for card in between)


@given(st.integers(0, 10**9))
def test_weights_are_bayes_over_all_layouts(seed):
    rng = Random(seed)
    size = rng.choice([3, 4])
    # Few suits, so that hands follow and cards touch.
    pack = rng.sample([card for card in cards_in(PACK) if card >> 4 < 2], 4 * size)
    deal = Deal(tuple(set_of(pack[place * size : (place + 1) * size]) for place in range(4)))
    play = Play(deal, Contract(1, rng.choice(list(Strain)), rng.choice(SEATS)))
    for _ in range(rng.randrange(6, 4 * size - 1)):
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    view = view_of(play, rng.choice(SEATS))
    worlds = Layouts(view).enumerate()
    chances = [defined(view, world) for world in worlds]
    weights = carding_weights(view, worlds)
    assert [Fraction(weight, sum(weights)) for weight in weights] == [chance / sum(chances) for chance in chances]


def test_no_layouts_have_no_weights():
    assert carding_weights(DEALS["AKT9 opposite 8765, the queen falls"].view, []) == ()


# ---------------------------------------------------------------------- samples


@pytest.mark.parametrize("classic", DEALS.values(), ids=DEALS)
def test_a_sample_finds_the_right_card(needs_kernels, classic):
    right = classic.constraints != ()  # to play for the drop
    for number, seeds in SAMPLES:
        drawn = [draw_worlds(classic.layouts, number, Random(seed)) for seed in range(seeds)]
        assert not any(sample.exact or sum(sample.weights) != number for sample in drawn)
        assert [classic.drops(sample.worlds, sample.weights) for sample in drawn] == [right] * seeds


def test_samples_are_right_on_average():
    """Every layout comes up as often as it weighs."""
    view = DEALS["AKT9 opposite 8765, the queen falls"].view
    layouts = Layouts(view, ["hearts(west) >= 7", "spades(west) <= 2"])
    worlds = layouts.enumerate()
    weights = carding_weights(view, worlds)
    share = dict(zip(worlds, weights, strict=True))
    seeds, number, counts = 400, 20, dict.fromkeys(worlds, 0)
    for seed in range(seeds):
        drawn = draw_worlds(layouts, number, Random(seed))
        assert not drawn.exact
        for world, weight in zip(drawn.worlds, drawn.weights, strict=True):
            counts[world] += weight
    for weight in set(weights):
        found = sum(count for world, count in counts.items() if share[world] == weight)
        expected = Fraction(weights.count(weight) * weight, sum(weights)) * seeds * number
        assert abs(found - expected) < 5 * float(expected) ** 0.5


def test_a_smaller_sample_is_the_beginning_of_a_larger_one():
    layouts = DEALS["AKT9 opposite 8765, the queen falls"].layouts
    few, more, many = (draw_worlds(layouts, number, Random(3)).worlds for number in (6, 20, 60))
    assert (more[:6], many[:20]) == (few, more)


@pytest.mark.parametrize("name", DEALS)
def test_without_carding_samples_are_what_they_were(name):
    layouts = DEALS[name].layouts
    drawn = draw_worlds(layouts, 40, Random(5), Carding.NONE)
    assert list(drawn.worlds) == layouts.sample_different(Random(5), 40)
    assert (set(drawn.weights), drawn.effective) == ({1}, 40)


def test_before_anybody_has_followed_samples_are_what_they_were():
    view = DEALS["AKT9 opposite 8765, the queen falls"].view
    layouts = Layouts(View(view.seat, view.contract, view.hand, view.dummy, view.played[:1]), [LEADS["fourth-best"]])
    assert list(draw_worlds(layouts, 40, Random(5)).worlds) == layouts.sample_different(Random(5), 40)


def test_layouts_that_must_be_tried_are_weighed():
    view = DEALS["AKT9 opposite 8765, the queen falls"].view
    layouts = Layouts(view, [lambda deal: deal[Seat.WEST] >> read_card("DJ") & 1])
    drawn = draw_worlds(layouts, 40, Random(5))
    assert list(drawn.worlds) == layouts.sample_different(Random(5), 40)
    assert drawn.weights == carding_weights(view, drawn.worlds)
    assert 1 < drawn.effective == effective_sample_size(drawn.weights) < 40


def test_no_worlds_cannot_be_drawn():
    with pytest.raises(InputError, match="expected at least one world, found 0"):
        draw_worlds(DEALS["AKT9 opposite 8765, the queen falls"].layouts, 0, Random(1))
