"""Layouts of the hidden hands: against brute force in endings, and on whole deals."""

from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise import catalog
from worldwise.bridge.layouts.constraints import HandRange, read_constraint
from worldwise.bridge.layouts.leads import LEADS
from worldwise.bridge.layouts.sampler import FEW, Layouts
from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, cards_in, read_card, read_hand, set_of
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import View, view_of
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.core.belief import Belief

NORTH, EAST, SOUTH, WEST = SEATS


def ending(rng, size, played):
    """A random ending with some cards played, in any strain, by any declarer."""
    pack = rng.sample(list(cards_in(PACK)), 4 * size)
    deal = Deal(tuple(set_of(pack[place * size : (place + 1) * size]) for place in range(4)))
    return played_on(Play(deal, Contract(1, rng.choice(list(Strain)), rng.choice(SEATS))), rng, played)


def played_on(play, rng, cards):
    for _ in range(cards):
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    return play


def divisions(cards, sizes):
    """All ways to divide some cards into hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in divisions(rest, sizes[1:]):
            yield (set_of(hand), *others)


def legal(deal, play):
    try:
        return bool(Play(deal, play.contract, play.cards).position)
    except InputError:
        return False


def brute(play, seat, *tests):
    """Every deal that looks the same to a seat, by dealing all cards anew and playing the play again."""
    view = view_of(play, seat)
    played, hidden = view.played_by(), view.hidden
    size = view.hand.bit_count()
    found = []
    for hands in divisions(list(cards_in(view.unseen)), [size - played[seat].bit_count() for seat in hidden]):
        full = view.faced | {seat: hand | played[seat] for seat, hand in zip(hidden, hands, strict=True)}
        deal = Deal(tuple(full[seat] for seat in SEATS))
        if legal(deal, play) and all(test(deal) for test in tests):
            found.append(deal)
    return found


def some_constraint(rng):
    """A constraint that endings often satisfy, of every kind."""
    seat, other, suit = rng.choice("NESW"), rng.choice("NESW"), rng.choice("SHDC")
    return rng.choice(
        [
            f"hcp({seat}) {rng.choice(['<=', '>='])} {rng.randrange(8)}",
            f"{rng.choice(['spades', 'hearts', 'clubs'])}({seat}) {rng.choice(['<=', '>=', '!='])} {rng.randrange(3)}",
            f"hcp({seat}, {suit}) >= {rng.randrange(4)}",
            f"hcp({seat}) >= hcp({other})",
            f"hcp({seat}) >= 4 || spades({other}) >= 1 && !hearts({seat}) > 1",
            f"losers({seat}) <= {rng.randrange(5)}",
            f"spades({seat}) + hearts({seat}) >= clubs({other}) + diamonds({other})",
            f"hascard({seat}, A{suit}) + hascard({seat}, K{suit}) <= 1",
            f"shape({seat}, 0xxx + any xx10 - x1xx)",
            f"top3({seat}) * 2 - controls({other}) >= 0",
            f"diamonds({seat}) <= {rng.randrange(3)} && hearts({seat}) <= 2",
        ]
    )


# ---------------------------------------------------------------------- against brute force


@given(st.integers(0, 10**9), st.booleans())
def test_all_layouts_of_endings(seed, constrained):
    """The layouts are those that brute force finds: no more, no fewer, each once."""
    rng = Random(seed)
    size = rng.choice([2, 3])
    play = ending(rng, size, rng.randrange(4 * size + 1))
    seat = rng.choice(SEATS)
    texts = [some_constraint(rng) for _ in range(rng.randrange(1, 4))] if constrained else []
    layouts = Layouts(view_of(play, seat), texts)
    expected = brute(play, seat, *map(read_constraint, texts))
    found = layouts.enumerate()
    assert layouts.count == layouts.exact == len(found) == len(set(found))
    assert set(found) == set(expected)


@given(st.integers(0, 10**9), st.sampled_from(sorted(LEADS)))
def test_leads_of_endings(seed, name):
    rng = Random(seed)
    play = ending(rng, 3, rng.randrange(1, 7))
    seat, contract = rng.choice(SEATS), play.contract
    heeded = contract.leader in view_of(play, seat).hidden

    def led(deal):
        return not heeded or LEADS[name].fits(deal[contract.leader], play.cards[0], contract.strain)

    layouts = Layouts(view_of(play, seat), [LEADS[name]])
    assert set(layouts.enumerate()) == set(brute(play, seat, led))


@given(st.integers(0, 10**9))
def test_python_tests_of_endings(seed):
    """A test in Python chooses as the same words do."""
    rng = Random(seed)
    play, seat, text = ending(rng, 3, rng.randrange(9)), rng.choice(SEATS), some_constraint(rng)
    view = view_of(play, seat)
    expression = read_constraint(text)
    tested, counted = Layouts(view, [lambda deal: expression(deal)]), Layouts(view, [text])
    assert tested.enumerate() == [deal for deal in Layouts(view).enumerate() if expression(deal)]
    assert tested.exact == counted.exact
    assert set(tested.enumerate()) == set(counted.enumerate())
    assert Layouts(view).chance(text) == Layouts(view).chance(lambda deal: expression(deal))


def squares(found, expected):
    """Pearson's sum against equal chances, in standard deviations above its mean."""
    share = len(found) / len(expected)
    times = dict.fromkeys(expected, 0)
    for deal in found:
        times[deal] += 1
    chi = sum((seen - share) ** 2 / share for seen in times.values())
    degrees = len(expected) - 1
    return (chi - degrees) / sqrt(2 * degrees)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["free", "counted", "tested", "lead"])
def test_uniform(seed, kind):
    """40 draws for each layout; the seeds are fixed, and five deviations is far beyond what they give."""
    rng = Random(seed)
    text = "hcp(west) <= 6 && spades(east) <= 2"
    constraint = {
        "free": [],
        "counted": [text],
        "tested": [lambda deal: read_constraint(text)(deal)],
        "lead": [LEADS["honours"]],
    }[kind]
    while True:
        play, seat = ending(rng, rng.choice([2, 3]), rng.randrange(6)), rng.choice(SEATS)
        layouts = Layouts(view_of(play, seat), constraint)
        if 3 <= layouts.exact <= 400:
            break
    expected = layouts.enumerate()
    assert -4 < squares(layouts.sample_many(rng, 40 * len(expected)), expected) < 5


def test_uniform_where_tests_refuse(monkeypatch):
    """Drawing again, too, is fair."""
    monkeypatch.setattr("worldwise.bridge.layouts.sampler.FEW", 0)
    rng = Random(5)
    play = ending(rng, 3, 0)
    test = read_constraint("hcp(west) >= 3 && spades(north) <= 1")
    layouts = Layouts(view_of(play, SOUTH), [lambda deal: test(deal)])
    expected = brute(play, SOUTH, test)
    assert -4 < squares(layouts.sample_many(rng, 30 * len(expected)), expected) < 5


def test_where_counting_is_given_up(monkeypatch):
    """Expressions that would tell too many groups apart are tested instead, with the same answer."""
    play = ending(Random(6), 3, 0)
    text = "hcp(west) * spades(east) >= hcp(east) * hearts(west) && diamonds(west) <= 1"
    view = view_of(play, play.contract.declarer)
    counted = Layouts(view, [text]).enumerate()
    monkeypatch.setattr("worldwise.bridge.layouts.dealing.TOO_MANY", 60)
    tested = Layouts(view, [text])
    assert tested.count > tested.exact
    assert set(tested.enumerate()) == set(counted)


# ---------------------------------------------------------------------- whole deals


@pytest.mark.parametrize("seed", range(5))
def test_consistent_with_every_observation(seed):
    """All the way through a deal, for all four seats: the play can be played again in every layout."""
    rng = Random(seed)
    play = Play(Deal.random(rng), Contract(1, rng.choice(list(Strain)), rng.choice(SEATS)))
    for number in range(52):
        for seat in SEATS if number % 8 < 2 else [rng.choice(SEATS)]:
            layouts = Layouts(view_of(play, seat))
            assert number % 8 or layouts.chance(" && ".join(in_words(play.deal, seat))) > 0
            for deal in layouts.sample_many(rng, 3):
                again = Play(deal, play.contract, play.cards)
                assert deal.complete
                assert again.position.trick == play.position.trick
                assert view_of(again, seat) == view_of(play, seat)
        play = played_on(play, rng, 1)


def in_words(deal, seat):
    """Lengths and points of two other hands, as constraints that a deal fits."""
    for other in (seat.next, seat.partner):
        yield f"hcp({other}) == {sum((card & 15) - 10 for card in cards_in(deal[other]) if card & 15 > 10)}"
        yield f"spades({other}) == {sum(card >> 4 == 0 for card in cards_in(deal[other]))}"


@pytest.mark.parametrize("seed", range(20))
def test_hidden_cards_are_never_read(seed):
    """Change the cards a seat cannot see: its view and its layouts stay what they were."""
    rng = Random(seed)
    play = played_on(Play(Deal.random(rng), Contract(3, Strain.NOTRUMP, rng.choice(SEATS))), rng, rng.randrange(30))
    for seat in SEATS:
        layouts = Layouts(view_of(play, seat), ["hcp(north) + hcp(south) >= 5"])
        other = Play(Layouts(view_of(play, seat)).sample(rng), play.contract, play.cards)
        assert view_of(other, seat) == view_of(play, seat)
        others = Layouts(view_of(other, seat), ["hcp(north) + hcp(south) >= 5"])
        assert others.sample_many(Random(seed), 20) == layouts.sample_many(Random(seed), 20)


def whole(seat=SOUTH, cards=1, seed=1, contract="3NT by S"):
    return played_on(Play(Deal.random(Random(seed)), Contract.read(contract)), Random(seed), cards)


def test_same_seed_same_layouts():
    """On every machine: the answer is written down here."""
    layouts = Layouts(view_of(whole(), SOUTH), ["hcp(west) >= 8"])
    assert layouts.sample_many(Random(7), 30) == layouts.sample_many(Random(7), 30)
    assert layouts.sample_many(Random(7), 30) != layouts.sample_many(Random(8), 30)
    assert str(layouts.sample(Random(7))) == PINNED


PINNED = "N:Q953.85.J532.T42 T82.AJ7.AQ98.765 AKJ4.KT9.K76.J98 76.Q6432.T4.AKQ3"


def test_varied():
    layouts = Layouts(view_of(whole(), SOUTH))
    assert len(set(layouts.sample_many(Random(1), 200))) > 190
    assert len(set(layouts.sample_different(Random(1), 500))) == 500


def test_few_different():
    rng = Random(2)
    play = ending(rng, 2, 1)
    layouts = Layouts(view_of(play, SOUTH))
    assert sorted(map(str, layouts.sample_different(rng, 10_000))) == sorted(map(str, layouts.enumerate()))


def test_different_where_tests_refuse():
    layouts = Layouts(view_of(whole(), SOUTH), [lambda deal: deal[WEST] >> read_card("ST") & 1 == 0])
    assert layouts.sample_many(Random(1), 0) == layouts.sample_different(Random(1), 0) == []
    assert len(set(layouts.sample_different(Random(1), 300))) == 300


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("cards", [0, 1, 9])
@pytest.mark.parametrize(
    "texts",
    [
        ["hcp(west) <= 12", "spades(west) >= 4"],
        ["shape(east, any 4432 + any 4333 + any 5332 + any 5431) && losers(east) <= 9"],
        ["hcp(north) + hcp(south) >= hcp(east) - 3", "hearts(west) >= clubs(west)"],
        [HandRange(EAST, hcp=(2, 20), hearts=(2, 6)), "hcp(west) >= 1"],
        ["controls(west) + controls(east) >= 2", lambda deal: deal[WEST] > deal[EAST]],
    ],
    ids=lambda texts: str(texts[0])[:20],
)
def test_constraints_are_satisfied(seat, cards, texts):
    """For seats that see one hand, and seats that see two; the visible hands must fit too."""
    for seed in range(20):
        play = whole(seat, cards, seed)
        tests = [text.expression if isinstance(text, HandRange) else text for text in texts]
        tests = [read_constraint(test) if isinstance(test, str) else test for test in tests]
        if all(test(play.deal) for test in tests):
            break
    found = Layouts(view_of(play, seat), texts).sample_many(Random(1), 100)
    assert len(found) == 100
    assert all(test(deal) for test in tests for deal in found)
    assert all(legal(deal, play) for deal in found[:10])


# ---------------------------------------------------------------------- known numbers


def breaks(missing):
    """South and North with so few spades missing; the other suits divided evenly between the sides."""
    north = read_hand("AKQJ." + ("KQJ." if missing == 5 else "KQJT.") + "KQJ.KQJ")
    south = read_hand("T987." + ("543." if missing == 5 else "54.") + "543.543")
    return north, south


def test_breaks_of_a_suit():
    """Five cards missing: 67.83 % 3-2, 28.26 % 4-1, 3.91 % 5-0."""
    north, south = breaks(5)
    view = View(SOUTH, Contract.read("4S by S"), south, north, (), PACK)
    layouts = Layouts(view)
    assert layouts.count == comb(26, 13)
    assert layouts.chance("1 < spades(west) < 4") == Fraction(2 * comb(5, 2) * comb(21, 11), comb(26, 13))
    assert round(float(layouts.chance("spades(west) == 0 || spades(east) == 0")), 4) == 0.0391
    found = sum(1 < (deal[WEST] & 0x7FFC).bit_count() < 4 for deal in layouts.sample_many(Random(1), 20_000))
    assert abs(found / 20_000 - 0.6783) < 0.012


def test_count_of_a_whole_pack():
    layouts = Layouts(view_of(whole(cards=0), WEST))
    assert layouts.count == comb(39, 13) * comb(26, 13)
    assert layouts.chance("hascard(north, SA)") in (Fraction(1, 3), 0)


def test_shown_out():
    """Who did not follow has no card of the suit, and the other hidden hand has them all."""
    deal = Deal.read("N:AK..432. 32..AK5. QJT..QJ. 4.A.T9.2")
    play = Play(deal, Contract.read("3NT by S"))
    for name in ["S4", "SA", "S2", "ST", "SK", "S3", "SQ", "HA"]:
        play = play.then(read_card(name))
    layouts = Layouts(view_of(play, SOUTH))
    assert layouts.chance("spades(west) == 1") == 1
    assert all(legal(deal, play) for deal in layouts.enumerate())


def test_belief():
    """The layouts are a belief: after a card, or a new view, there are fewer."""
    play = whole(cards=0)
    layouts: Belief[Deal] = Layouts(view_of(play, WEST), ["hcp(north) >= 1"])
    after = played_on(play, Random(1), 1)
    told = layouts.after(after.cards[0])
    assert told.view.played == after.cards
    assert told.count == layouts.count
    faced = told.after(view_of(after, WEST))
    assert faced.count < told.count
    assert faced.constraints == layouts.constraints
    assert legal(faced.sample(Random(1)), after)
    with pytest.raises(InputError, match="expected a view or a card, found 'x'"):
        layouts.after("x")


def test_one_text_alone():
    view = view_of(whole(), SOUTH)
    assert Layouts(view, "hcp(west) >= 8") == Layouts(view, ["hcp(west) >= 8"])


# ---------------------------------------------------------------------- nothing fits


@pytest.mark.parametrize(
    ("constraints", "named", "spared"),
    [
        (["hcp(west) >= 30", "spades(east) <= 9"], ["hcp(West) >= 30"], ["spades"]),
        (
            ["hcp(west) >= 13 && hcp(east) >= 13 && hearts(west) >= 1"],
            ["hcp(West) >= 13", "hcp(East) >= 13"],
            ["hearts"],
        ),
        (["hascard(west, AS) && hcp(west) >= 4"], ["hascard(West, SA)"], ["hcp"]),
        (["shape(west, 8xxx)"], ["shape(West, 8xxx)"], []),
        (["hcp(south) >= 20"], ["hcp(South) >= 20"], []),
        (["0"], ["found none for 0"], []),
    ],
)
def test_impossible_constraints_are_named(constraints, named, spared):
    layouts = Layouts(view_of(whole(), SOUTH), constraints)
    assert layouts.count == 0
    assert layouts.enumerate() == []
    for ask in (layouts.sample, lambda rng: layouts.sample_different(rng, 3), lambda _: layouts.chance("1")):
        with pytest.raises(InputError, match="expected constraints that some layout fits") as caught:
            ask(Random(1))
        assert all(word in str(caught.value) for word in named)
        assert not any(word in str(caught.value) for word in spared)


def test_a_test_that_nothing_passes():
    view = view_of(whole(), SOUTH)
    with pytest.raises(InputError, match=r"expected 5 layouts that pass every test, found 0 in 50000 tries of 5200300"):
        Layouts(view, [lambda deal: False]).sample_many(Random(1), 5)
    late = view_of(whole(cards=40), SOUTH)
    with pytest.raises(InputError, match="found none among all"):
        Layouts(late, [lambda deal: False]).sample(Random(1))


def test_a_test_that_little_passes():
    """What is rare among few layouts is found by going through them all."""
    layouts = Layouts(view_of(whole(cards=24), SOUTH))
    assert layouts.count <= FEW
    rare = layouts.sample(Random(3))
    assert Layouts(layouts.view, [lambda deal: deal == rare]).sample_many(Random(1), 3) == [rare] * 3


def test_too_many_to_enumerate():
    layouts = Layouts(view_of(whole(), SOUTH), [lambda deal: True])
    with pytest.raises(InputError, match="expected at most 20000 layouts to enumerate, found 5200300"):
        layouts.enumerate()
    with pytest.raises(InputError, match="one by one"):
        layouts.chance("hcp(west) >= 3")


def test_not_a_constraint():
    with pytest.raises(InputError, match=r"expected a constraint .* found 7"):
        Layouts(view_of(whole(), SOUTH), [7]).sample(Random(1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": read_hand("AK...")}, "expected 13 cards of the pack in South's hand, found AK..."),
        ({"hand": read_hand("Q95.AKQJT.AKQJT.")}, "other cards in dummy than in South's hand, found SQ, S9, S5, DJ"),
        ({"pack": PACK & ~(1 << read_card("S2"))}, "expected a pack of four equal hands, found 51 cards"),
        ({"played": ["SA"]}, "expected hidden hands to play cards that are not seen, found SA"),
        ({"played": ["DQ", "SA"]}, "expected North to play from his hand, found SA"),
        ({"played": ["DQ", "D2", "DQ"]}, "expected every card to be played once, found DQ"),
        ({"played": ["DQ", "S3"]}, r"card 2 of trick 1: expected one of North's .*D2, found S3"),
    ],
)
def test_views_that_cannot_be(change, message):
    view = view_of(whole(cards=1), SOUTH)
    change = change | {"played": [read_card(name) for name in change.get("played", [])]}
    values = {"hand": view.hand, "pack": view.pack} | change
    broken = View(SOUTH, view.contract, values["hand"], view.dummy, tuple(values["played"]), values["pack"])
    with pytest.raises(InputError, match=message):
        Layouts(broken).sample(Random(1))


# ---------------------------------------------------------------------- speed


@pytest.mark.parametrize("seat", [SOUTH, NORTH], ids=["two hidden", "three hidden"])
def test_a_thousand_layouts_of_one_in_ten_thousand(seat):
    """The promise is a second, with everything; here of the processor, with a margin for a slow one."""
    south, north = read_hand("AK2.K543.QJ2.432"), read_hand("43.AQ2.AK43.AK65")
    opening = (read_card("HJ"),)
    view = View(seat, Contract.read("3NT by S"), south if seat == SOUTH else north, north, opening, PACK)
    layouts = Layouts(view, ["hcp(west) <= 3 && spades(west) >= 7 && losers(west) == 7 && clubs(west) == 4"])
    start = process_time()
    found = layouts.sample_many(Random(1), 1000)
    seconds = process_time() - start
    assert len(found) == 1000
    assert layouts.count * 10_000 < Layouts(view).count
    assert seconds < 3


@pytest.mark.parametrize("constraints", [["hcp(west) >= 0"] * 501, [" and ".join(["hcp(west) >= 0"] * 501)]])
def test_more_conditions_than_anybody_has_are_refused(constraints):
    """They took minutes, and no limit was looked at."""
    with pytest.raises(InputError, match="at most 500 conditions, found 501"):
        assert Layouts(catalog.deal("deals/two-way-guess").view, constraints).count
