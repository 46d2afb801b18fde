"""Dealer's language, against Python's own reading of the same words; ranges; opening leads."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.bridge.layouts.constraints import FUNCTIONS, HandRange, read_constraint
from worldwise.bridge.layouts.leads import LEADS, lead_convention, sequence_top
from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, read_card, read_hand
from worldwise.errors import InputError, PlacedError, UnknownNameError

HAND = Deal.read("N:AKQ2.KJ3.T98.A54 J3.Q2.AKQJ.T9876 T9876.A987.2.QJ2 54.T654.76543.K3")


# ---------------------------------------------------------------------- the naive reading


def suits(deal, seat):
    """Four strings of ranks, spades first."""
    hand = [card_name(card) for card in cards_in(deal[Seat.of(seat)])]
    return ["".join(name[1] for name in hand if name[0] == suit) for suit in "SHDC"]


def summed(count):
    """A function of a seat and perhaps a suit, from a function of a string of ranks."""

    def function(deal):
        def of(seat, suit=None):
            found = suits(deal, seat)
            return sum(map(count, found)) if suit is None else count(found["SHDC".index(suit)])

        return of

    return function


def worth(letters, values):
    return summed(lambda ranks: sum(values[letters.index(rank)] for rank in ranks if rank in letters))


def losers(ranks):
    return sum(rank not in ranks for rank in "AKQ"[: len(ranks)])


def fits(lengths, pattern):
    orders = all_orders(pattern[4:]) if pattern.startswith("any ") else [pattern]
    return any(
        all(digit in ("x", str(length)) for digit, length in zip(order, lengths, strict=True)) for order in orders
    )


def all_orders(text):
    return [text[i] + rest for i in range(len(text)) for rest in all_orders(text[:i] + text[i + 1 :])] if text else [""]


def shape(deal):
    def of(seat, *patterns):
        lengths, found = [len(ranks) for ranks in suits(deal, seat)], False
        for sign, pattern in patterns:
            if fits(lengths, pattern):
                found = sign == "+"
        return found

    return of


def length(place):
    return lambda deal: lambda seat: len(suits(deal, seat)[place])


NAIVE = {
    "hcp": worth("AKQJ", [4, 3, 2, 1]),
    "controls": worth("AK", [2, 1]),
    "c13": worth("AKQJ", [6, 4, 2, 1]),
    "losers": summed(losers),
    "aces": worth("A", [1]),
    "kings": worth("K", [1]),
    "queens": worth("Q", [1]),
    "jacks": worth("J", [1]),
    "tens": worth("T", [1]),
    **{f"top{number}": worth("AKQJT"[:number], [1] * number) for number in (2, 3, 4, 5)},
    **{name: length(place) for place, name in enumerate(["spades", "hearts", "diamonds", "clubs"])},
    "hascard": lambda deal: lambda seat, card: int(card in [card_name(held) for held in cards_in(deal[Seat.of(seat)])]),
    "shape": shape,
}


def naive(text, deal):
    """What Python makes of the same expression."""
    return bool(eval(text, {name: function(deal) for name, function in NAIVE.items()}))


SEAT_NAMES = [("west", "W"), ("E", "E"), ("North", "N"), ("s", "S")]
SUIT_NAMES = [("spades", "S"), ("H", "H"), ("diamond", "D"), ("♣", "C")]
LENGTHS = ["spades", "hearts", "diamonds", "clubs"]
PATTERNS = ["any 4333", "any 4432", "5xxx", "xx5x", "any 5xx1", "4432", "any 6xxx", "xxxx", "any xx44"]


class Texts:
    """Random expressions, each in dealer's words and in Python's."""

    def __init__(self, seed):
        self.rng = Random(seed)

    def function(self):
        (seat, letter), (suit, initial) = self.rng.choice(SEAT_NAMES), self.rng.choice(SUIT_NAMES)
        name = self.rng.choice([*LENGTHS, "shape", "shape", *NAIVE])
        if name in LENGTHS:
            return f"{name}({seat})", f"{name}({letter!r})"
        if name == "hascard":
            card = self.rng.choice("AKQJT98765432")
            return f"hascard({seat}, {card}{initial})", f"hascard({letter!r}, {initial + card!r})"
        if name == "shape":
            signs = ["+", *self.rng.choices("+-", k=self.rng.randrange(3))]
            chosen = [(sign, self.rng.choice(PATTERNS)) for sign in signs]
            words = " ".join(f"{sign} {pattern}" for sign, pattern in chosen).removeprefix("+ ")
            return f"shape({seat}, {words})", f"shape({letter!r}, *{chosen!r})"
        one = f"{name}({seat})", f"{name}({letter!r})"
        return self.rng.choice([one, (f"{name}({seat},{suit})", f"{name}({letter!r}, {initial!r})")])

    def between(self, part, symbols, most):
        """Parts with operators between, and no brackets: the levels of the grammar decide."""
        words, same = part()
        for _ in range(self.rng.randrange(most + 1)):
            symbol, python = self.rng.choice(symbols)
            more, also = part()
            words, same = f"{words} {symbol} {more}", f"{same} {python} {also}"
        return words, same

    def before(self, prefixes, part):
        prefix, python = self.rng.choice(prefixes)
        words, same = part()
        return prefix + words, python + same

    def in_brackets(self, part):
        words, same = part()
        return f"({words})", f"({same})"

    def single(self):
        kind = self.rng.randrange(8)
        if kind == 0:
            return self.in_brackets(self.sum)
        if kind < 3:
            return self.before([("-", "-"), ("", "")], lambda: (str(self.rng.randrange(15)),) * 2)
        return self.function()

    def product(self):
        return self.between(self.single, [("*", "*")], 1)

    def sum(self):
        return self.between(self.product, [("+", "+"), ("-", "-")], 2)

    def compared(self):
        symbols = [(symbol, symbol) for symbol in ("<", "<=", ">", ">=", "==", "!=")]
        return self.between(self.sum, symbols, 2)

    def negated(self):
        part = self.compared if self.rng.random() < 0.8 else lambda: self.in_brackets(self.either)
        return self.before([("!", "not "), ("not ", "not "), ("", ""), ("", "")], part)

    def both(self):
        return self.between(self.negated, [("&&", "and"), ("AND", "and")], 2)

    def either(self):
        return self.between(self.both, [("||", "or"), ("or", "or")], 2)


expressions = st.integers(0, 10**9).map(lambda seed: Texts(seed).either())


@given(expressions, st.integers(0, 10**6))
def test_means_what_python_means(texts, seed):
    deal = Deal.random(Random(seed))
    assert read_constraint(texts[0])(deal) == naive(texts[1], deal)


@given(expressions)
def test_prints_what_it_reads(texts):
    expression = read_constraint(texts[0])
    assert read_constraint(str(expression)) == expression
    assert read_constraint(texts[0].upper()) == expression


@given(expressions, st.integers(0, 10**6))
def test_conjuncts_are_the_whole(texts, seed):
    deal, expression = Deal.random(Random(seed)), read_constraint(texts[0])
    assert all(part(deal) for part in expression.conjuncts) == expression(deal)


@given(st.text(alphabet="hcpwest()&|!<>=+-*0123456789 ,shape any4432x\n#♠", max_size=40))
def test_any_text_is_read_or_refused(text):
    """What is read can be printed and read again; anything but an error of ours with its place is a bug."""
    try:
        expression = read_constraint(text)
    except PlacedError as refused:
        expression, place = None, refused.place
    assert read_constraint(str(expression)) == expression if expression else "column" in place


@given(expressions, st.data())
def test_a_broken_text_is_refused_where_it_breaks(texts, data):
    """After a character that nothing begins with, the place is that character's or before it."""
    words = texts[0]
    place = data.draw(st.sampled_from([match.start() for match in re.finditer(r" |$", words)]))
    with pytest.raises(PlacedError) as caught:
        read_constraint(f"{words[:place]} ? {words[place:]}")
    assert int(caught.value.place.removeprefix("column ")) == place + 2


# ---------------------------------------------------------------------- by hand


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("hcp(north) == 17", True),
        ("hcp(north, spades) == 9 and hcp(n, h) == 4", True),
        ("controls(n) == 6", True),
        ("losers(north) == 6", False),
        ("losers(east) == 7", True),
        ("top3(north, spades) == 3 && top5(east, diamonds) == 4", True),
        ("hascard(east, AD) && hascard(east, DA) && !hascard(east, 10S)", True),
        ("shape(north, 4333)", True),
        ("shape(north, any 4333 - 4xxx)", False),
        ("shape(south, any 5431)", True),
        ("spade(south) + heart(south) == 9", True),
        ("1 <= hcp(west) <= 3 < hcp(east)", True),
        ("hcp(west) - 1 - 1 == 1", True),
        ("hcp(west)\n  >= 3 # a comment\n && aces(north) == 2", True),
        ("not hcp(west) >= 4", True),
        ("hcp(north) = 17", True),
    ],
)
def test_examples(text, true):
    assert read_constraint(text)(HAND) is true


@pytest.mark.parametrize(
    ("text", "column", "expected", "found"),
    [
        ("", "column 1", "a number", "the end"),
        ("hcp(west", "column 9", "')'", "the end"),
        ("hcp west", "column 5", "'('", "'west'"),
        ("hcp(wst) > 3", "column 5", "a seat", "'wst'"),
        ("hcp(west,) > 3", "column 10", "a suit", "')'"),
        ("points(west) > 3", "column 1", "hcp", "'points'"),
        ("hcp(west) >= 12 && ", "column 20", "a number", "the end"),
        ("hcp(west) >= 12 13", "column 17", "an operator", "'13'"),
        ("hcp(west) & 3", "column 11", "an operator", "'&'"),
        ("(hcp(west) > 3", "column 15", "')'", "the end"),
        ("hcp(west) > 3)", "column 14", "an operator", "')'"),
        ("shape(west, 443)", "column 13", "a shape", "'443'"),
        ("shape(west, any 4433)", "column 17", "13 cards", "'4433'"),
        ("shape(west, 9xx5)", "column 13", "13 cards", "'9xx5'"),
        ("hascard(west, SX)", "column 15", "a card", "'SX'"),
        ("hcp(west) >\n12 &&\n spades(q) > 5", "line 3, column 9", "a seat", "'q'"),
        ("hcp(west) > 12345678901234567890", "column 13", "a number", "'12345678901234567890'"),
        ("(" * 60 + "1" + ")" * 60, "column 52", "at most 50", "'('"),
    ],
)
def test_errors_say_where(text, column, expected, found):
    with pytest.raises(PlacedError) as caught:
        read_constraint(text)
    assert caught.value.place == column
    assert expected in str(caught.value)
    assert f"found {found}" in str(caught.value)


def test_long_texts():
    text = " && ".join(["hcp(west) - 1 - 1 + 2 >= 0"] * 3000)
    assert read_constraint(text)(HAND)
    assert read_constraint("!" * 5001 + "0")(HAND)


def test_every_function_has_a_naive_twin():
    assert set(NAIVE) == set(FUNCTIONS)


def test_ranges():
    assert HandRange(Seat.NORTH, hcp=(15, 17), spades=(4, 4)).expression(HAND)
    assert not HandRange(Seat.NORTH, hearts=(4, 13)).expression(HAND)
    assert HandRange(Seat.NORTH).expression(HAND)
    with pytest.raises(InputError, match=r"North's hcp, found 17 to 15"):
        HandRange(Seat.NORTH, hcp=(17, 15))


# ---------------------------------------------------------------------- opening leads

NOTRUMP, SPADES = Strain.NOTRUMP, Strain.SPADES


@pytest.mark.parametrize(
    ("convention", "holding", "strain", "card"),
    [
        ("fourth-best", "KJ763", NOTRUMP, "6"),
        ("fourth-best", "KQJ2", NOTRUMP, "K"),
        ("fourth-best", "KQT2", NOTRUMP, "K"),
        ("fourth-best", "KQ32", NOTRUMP, "2"),
        ("fourth-best", "KQ32", SPADES, "K"),
        ("fourth-best", "AQJ2", NOTRUMP, "Q"),
        ("fourth-best", "KT98", NOTRUMP, "T"),
        ("fourth-best", "A432", SPADES, "A"),
        ("fourth-best", "A432", NOTRUMP, "2"),
        ("fourth-best", "Q73", SPADES, "3"),
        ("fourth-best", "973", SPADES, "9"),
        ("fourth-best", "93", SPADES, "9"),
        ("fourth-best", "3", SPADES, "3"),
        ("third-fifth", "K953", SPADES, "5"),
        ("third-fifth", "K9532", SPADES, "2"),
        ("third-fifth", "K95432", SPADES, "5"),
        ("third-fifth", "953", SPADES, "3"),
        ("third-fifth", "95", SPADES, "9"),
        ("honours", "KQ5", SPADES, "K"),
    ],
)
def test_leads(convention, holding, strain, card):
    hand = read_hand(f".{holding}..")
    allowed = [led for led in cards_in(hand) if LEADS[convention].fits(hand, led, strain)]
    assert [card_name(led)[1] for led in allowed] == [card]


def test_honours_leave_spots_free():
    hand = read_hand(".Q973..")
    allowed = [led for led in cards_in(hand) if LEADS["honours"].fits(hand, led, SPADES)]
    assert [card_name(led) for led in allowed] == ["H9", "H7", "H3"]


@pytest.mark.parametrize("convention", LEADS.values(), ids=LEADS)
@pytest.mark.parametrize("strain", Strain)
def test_every_holding_can_be_led(convention, strain):
    """No hand is left without a lead in a suit it has, and the table of holdings says the same."""
    rng = Random(1)
    for _ in range(200):
        hand = Deal.random(rng)[Seat.WEST]
        for suit in range(4):
            cards = [card for card in cards_in(hand) if card >> 4 == suit]
            allowed = [card for card in cards if convention.fits(hand, card, strain)]
            assert bool(allowed) == bool(cards)
    meaning = convention.meaning(Seat.WEST, read_card("H7"), strain)
    deals = [Deal.random(rng) for _ in range(100)]
    assert [meaning(deal) for deal in deals] == [
        convention.fits(deal[Seat.WEST], read_card("H7"), strain) for deal in deals
    ]


def test_no_lead_without_the_card():
    assert not LEADS["honours"].fits(read_hand("AK32..."), read_card("HA"), NOTRUMP)
    assert sequence_top((), NOTRUMP) is None
    assert sequence_top((), SPADES) is None


def test_unknown_convention():
    with pytest.raises(UnknownNameError, match="did you mean 'fourth-best'"):
        lead_convention("forth-best")
    assert all(lead_convention(name) is LEADS[name] for name in LEADS)


def test_comparisons_in_each_others_brackets_do_not_double():
    """The middle of 1 < x < 2 counts twice; forty in each other would count a million million times."""
    text = "1"
    for _ in range(40):
        text = f"0 < ({text}) < 2"
    with pytest.raises(InputError, match="expected fewer comparisons in a row"):
        read_constraint(text)
