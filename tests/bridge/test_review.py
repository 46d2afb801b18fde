"""Reviews: known blunders are named where they were made, right and equal cards are not, and nobody peeks."""

import json
from dataclasses import replace
from random import Random

import pytest

from worldwise import catalog
from worldwise.bridge.advice import review as review_module
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.comparing import CardComparison, CardOutcome, compare_cards
from worldwise.bridge.advice.hindsight import look_back
from worldwise.bridge.advice.review import ReviewEffort, places_of, review, review_card
from worldwise.bridge.advice.review_record import BoardReview, CardVerdict
from worldwise.bridge.advice.review_rows import card_review_json, read_card_review
from worldwise.bridge.advice.review_summary import Role, summarise
from worldwise.bridge.layouts.drawing import WeightedWorlds
from worldwise.bridge.layouts.evidence import USUAL, Evidence
from worldwise.bridge.layouts.meanings import HandFeatures
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, read_card
from worldwise.bridge.rules.play import Play
from worldwise.bridge.solvers.double_dummy import card_tricks, double_dummy
from worldwise.bridge.views.advice_amounts import KIND_WORDS
from worldwise.bridge.views.review_json import review_json
from worldwise.bridge.views.review_text import choice_cells, review_lines, review_table
from worldwise.errors import InputError
from worldwise.search.alphamu_root import ValueKind

pytestmark = pytest.mark.usefixtures("needs_kernels")

BID = Auction.read("S: 1NT P 3NT AP")

OUTCOME = CardOutcome(read_card("SA"), (), (), ValueKind.FINAL, 1)

EFFORT = ReviewEffort(worlds=20, nodes=10_000)

QUICK = ("hold-up-1", "hold-up-4", "safety-play-4", "strip-3", "lol-3", "discovery-4", "restricted-twice", "coup-grand")
"""Problems that take no long search."""


def problem(name):
    return next(one for one in catalog.problems() if one.name == name)


def played(board, card):
    return board.with_cards((*board.cards, card))


def after(board, card, effort=EFFORT):
    """The review of one card more."""
    return review_card(played(board, card), len(board.cards), effort)


# ---------------------------------------------------------------------- blunders


@pytest.mark.parametrize("name", QUICK)
def test_the_wrong_card_is_a_mistake_and_the_right_one_is_not(name):
    one = problem(name)
    for card in cards_in(one.board.play.position.legal):
        told = after(one.board, card, ReviewEffort())
        assert told.blamed == (card not in one.right)
        if told.blamed:
            assert told.best in one.right
            assert told.cost > 0
            assert told.score_cost > 0


def test_the_blunder_is_the_decisive_moment_of_the_board():
    guess = catalog.deal("deals/two-way-guess").board
    found = review(played(guess, read_card("SA")), [Seat.SOUTH], EFFORT)
    assert found.decisive.place == len(guess.cards)
    assert [card_name(told.card) for told in found.mistakes] == ["SJ", "SA"]  # the king first may drop a bare queen
    assert found.mistakes[0].cost == pytest.approx(0.01, abs=0.001)
    assert (card_name(found.decisive.best), found.decisive.cost) == ("S3", pytest.approx(0.354, abs=0.001))
    right = review(played(guess, read_card("S3")), [Seat.SOUTH], EFFORT)
    assert right.mistakes == found.mistakes[:1]


def test_an_example_is_one_that_was_bid_so():
    """South opened 15 to 17: of the layouts that tell, those come first in which he has them."""
    view = Board(Deal.read("W:KQJ97.T83.64.J85 - - -"), dealer=Seat.SOUTH, auction=BID).view(Seat.WEST)
    worlds = tuple(Layouts(view, ["14 <= hcp(south) <= 18"]).sample_different(Random(1), 30))
    likely = USUAL.likelihoods(view, worlds)
    fits = [15 <= points <= 17 for points in HandFeatures.of(world[Seat.SOUTH] for world in worlds).points]
    assert 1 in likely
    assert all(fit for fit, one in zip(fits, likely, strict=True) if one == 1)
    assert max(one for fit, one in zip(fits, likely, strict=True) if not fit) <= 0.3
    assert Evidence(system="none").likelihoods(view, worlds) == [1.0] * 30


def test_odds_among_the_layouts_that_were_bid_so():
    """Of five layouts the first card wins two that the other loses; among the last three it loses one."""
    view = problem("lol-4").view
    drawn = WeightedWorlds(tuple(Layouts(view).sample_different(Random(1), 5)), (1, 2, 3, 4, 5), exact=False)
    one, other = (replace(OUTCOME, succeeds=succeeds) for succeeds in ((1, 1, 0, 0, 1), (0, 0, 0, 1, 1)))
    compared = CardComparison(view, drawn, (one, other))
    assert compared.odds(one, other) == (3, 4)
    assert compared.odds(one, other, [False, False, True, True, True]) == (0, 4)


def test_equal_cards_are_not_blamed():
    """The six and the seven touch; the king and the queen do as well in every layout."""
    one = problem("combining-2")
    verdicts = {card_name(card): after(one.board, card).verdict for card in one.right}
    assert CardVerdict.MISTAKE not in verdicts.values()
    deal = Deal.read("N:AQ4... K53... 876... JT9...")
    board = Board(deal, contract=Contract.read("1NT by S"), cards=tuple(map(read_card, ["SJ", "S4", "S3", "S7"])))
    told = review(board, effort=EFFORT).decisions
    assert [one.verdict for one in told][::3] == [CardVerdict.FORCED, CardVerdict.FORCED]
    assert told[0].figures is None


def test_a_contract_that_is_made_or_beaten_is_decided():
    deal = Deal.read("N:AK.2.. 4.AK.. 76.3.. T9.4..")
    cards = tuple(map(read_card, ["ST", "SA", "S4", "S6", "H2"]))
    told = review(Board(deal, contract=Contract.read("1NT by S"), cards=cards), [Seat.SOUTH], EFFORT).decisions[-1]
    assert told.verdict is CardVerdict.DECIDED  # seven tricks are out of reach with three cards
    assert told.figures.chance == 0
    assert told.cost == 0
    assert told.score_cost > 0  # but the king was a trick, and may never be one now


def small_board(seed):
    """A random whole deal whose first tricks were played at random, with an easy contract."""
    rng = Random(seed)
    play = Play(Deal.random(rng), Contract.read("2NT by S"))
    while len(play.cards) < 52:
        legal = list(cards_in(play.position.legal))
        play = play.then(rng.choice(legal))
    return Board(play.deal, number=1, contract=play.contract, cards=play.cards)


@pytest.fixture(scope="module")
def reviewed():
    """A board that was played at random, from the ninth trick on."""
    board = small_board(5)
    told = look_back(board.play)
    return board, [review_card(board, place, EFFORT, told[place]) for place in range(28, 52)]


def test_costs_are_never_negative(reviewed):
    for told in reviewed[1]:
        assert told.cost >= 0
        assert told.score_cost >= 0
        if told.figures and told.verdict is not CardVerdict.DECIDED:
            assert 0 <= told.figures.chance <= told.figures.before <= 1
        if told.verdict in (CardVerdict.BEST, CardVerdict.EQUAL):
            assert told.cost == 0


@pytest.mark.parametrize("seed", range(3))
def test_who_follows_the_advice_is_never_blamed(seed):
    """Declarer plays what advice with another seed and as much effort says, against random defenders."""
    board = small_board(seed).with_cards(small_board(seed).cards[:28])
    rng = Random(seed)
    while not board.play.position.over:
        play, view = board.play, board.view(board.play.turn)
        legal = list(cards_in(play.position.legal))
        card = rng.choice(legal) if view.seat != Seat.SOUTH else advise(view, planning=False, trying=False).card
        board = played(board, card)
    places = [place for place in places_of(board, [Seat.SOUTH]) if place >= 28]
    assert [place for place in places if review_card(board, place, EFFORT).blamed] == []


# ---------------------------------------------------------------------- nobody peeks


@pytest.mark.parametrize("place", [20, 30, 33, 37])
def test_hidden_cards_never_matter(place):
    """Other hidden hands that fit what was seen give the same verdict and figures, whoever played the card."""
    board = small_board(11)
    before = board.with_cards(board.cards[:place])
    view = before.view(before.play.turn)
    wanted = review_card(board.with_cards(board.cards[: place + 1]), place, EFFORT)
    for other in Layouts(view).sample_many(Random(place), 3):
        swapped = replace(board, deal=other, cards=board.cards[:place], tricks=None)
        assert review_card(played(swapped, board.cards[place]), place, EFFORT) == wanted


# ---------------------------------------------------------------------- hindsight


def test_hindsight_is_what_double_dummy_says_card_by_card():
    board = small_board(3)
    told = look_back(board.play)
    for place in range(30, 52):
        play = board.play.back(52 - place)
        tricks = card_tricks(double_dummy(board.deal, board.contract.strain), play.position)
        assert told[place].cost == max(tricks.values()) - tricks[board.cards[place]]
    made = [told[place].turned for place in range(52)]
    assert sum(made) >= 0


def test_the_turning_point_gives_the_contract_away_for_good():
    """After the last turn nothing changes hands any more: who is ahead then has the contract in the end."""
    for seed in range(6):
        board = small_board(seed)
        told = look_back(board.play)
        turns = [place for place, one in enumerate(told) if one.turned]
        made = board.tricks >= board.contract.tricks
        assert turns, "a random play changes hands"
        last = board.play.back(52 - turns[-1])
        gave = last.turn == board.contract.declarer
        assert gave != made


# ---------------------------------------------------------------------- text, JSON, rows


def test_rows_hold_all_of_a_review(reviewed):
    for told in reviewed[1]:
        again = read_card_review(json.loads(json.dumps(card_review_json(told))))
        if told.why:  # whether they were too few is told by there being no sign
            assert (again.why.gains, again.why.losses, again.why.sign) == (
                told.why.gains,
                told.why.losses,
                told.why.sign,
            )
        assert replace(again, why=None) == replace(told, why=None)


ODD_ROWS = {
    "a verdict without a chance": {"verdict": "best", "chance": None},
    "a mistake without a chance": {"verdict": "mistake", "chance": None},
    "a chance of 400 digits": {"before": 10**400},
    "points of 400 digits": {"score": -(10**400)},
    "an interval of 400 digits": {"interval": [0, 10**400]},
    "fewer tricks than none": {"double_dummy": {"best": "SA", "most": 0, "taken": -100, "turned": False}},
    "more tricks taken than can be": {"double_dummy": {"best": "SA", "most": 0, "taken": 100, "turned": False}},
    "more tricks than there are": {"double_dummy": {"best": "SA", "most": 10**50, "taken": 1, "turned": False}},
}


@pytest.mark.parametrize("odd", ODD_ROWS.values(), ids=ODD_ROWS)
def test_rows_that_no_review_has_written(reviewed, odd):
    """They have valid checksums, whoever wrote them; the tables used to fail on them."""
    told = next(told for told in reviewed[1] if told.figures)
    with pytest.raises(InputError, match="expected a card as a review keeps it, found something else") as error:
        read_card_review({**card_review_json(told), **odd})
    assert len(str(error.value)) < 300


def test_text_and_json_agree():
    one = problem("restricted-twice")
    wrong = next(card for card in cards_in(one.board.play.position.legal) if card not in one.right)
    found = review(played(one.board, wrong), [one.board.play.turn], EFFORT)
    told = review_json(found)["decisions"][-1]
    lines = "\n".join(review_lines(found, ascii=True))
    assert told["verdict"] == "mistake"
    assert told["why"][0] in lines
    kind = KIND_WORDS[ValueKind(told["kind"])]
    assert f"The {told['best']} was better: {kind}{100 * told['before']:.0f} %" in lines
    assert f"played the {told['card']}: {kind}{100 * told['chance']:.0f} %" in lines
    assert told["cost"] == pytest.approx(told["before"] - told["chance"])
    assert review_json(found)["decisive"] == told["place"]
    chosen = [one for one in review_json(found)["decisions"] if one["verdict"] not in ("forced", "decided")]
    assert review_table(found).row_count == len(chosen)


@pytest.mark.parametrize("kind", ValueKind)
def test_two_chances_are_known_as_well_as_the_one_known_less(kind, monkeypatch):
    """A bound beside an exact figure was called exact."""

    def compared(*asked):
        found = compare_cards(*asked)
        best, other = found.outcomes
        assert best.kind is other.kind is ValueKind.FINAL
        return replace(found, outcomes=(best, replace(other, kind=kind)))

    monkeypatch.setattr(review_module, "compare_cards", compared)
    told = after(catalog.deal("deals/two-way-guess").board, read_card("SA"))
    assert told.figures.kind is kind
    assert read_card_review(card_review_json(told)).figures.kind is kind


@pytest.mark.parametrize("kind", ValueKind)
def test_a_chance_says_what_it_is(reviewed, kind):
    """Chances that were not searched to the end stood there as if they were."""
    told = next(told for told in reviewed[1] if told.figures)
    figures = replace(told.figures, kind=kind)
    cells, most = choice_cells(replace(told, figures=figures)), "" if kind is ValueKind.FINAL else "≤ "
    assert cells[4:6] == [f"{most}{100 * chance:.0f} %" for chance in (figures.before, figures.chance)]


def test_double_dummy_sees_no_difference_where_it_knows_the_card():
    guess = catalog.deal("deals/two-way-guess").board
    card = next(card for card in (read_card("SA"),))
    found = review(played(guess, card), [Seat.SOUTH], EFFORT)
    cost = found.decisive.hindsight.cost
    words = review_json(found)["decisions"][-1]["why"][-1]
    assert ("sees no difference: it knows where the SQ is" in words) == (cost == 0)


# ---------------------------------------------------------------------- players


def test_the_summary_adds_up(reviewed):
    board, told = reviewed
    named = replace(board, names=("Ann", "Bob", "Cy", "Dee"))
    players = {player.name: player for player in summarise([BoardReview(named, tuple(told))] * 2)}
    assert set(players) <= {"Bob", "Cy", "Dee"}  # Ann is dummy
    assert sum(player.total.choices for player in players.values()) == 2 * sum(one.chosen for one in told)
    lost = sum(player.total.points for player in players.values())
    assert lost == pytest.approx(2 * sum(one.score_cost for one in told if one.blamed))
    assert players["Cy"].boards == 2
    assert players["Cy"].roles[Role.DEFENCE].choices == 0


def test_without_cards_there_is_nothing_to_review():
    with pytest.raises(InputError, match="expected a board with cards played, found none"):
        review(Board(Deal.random(Random(1)), contract=Contract.read("3NT by S")))
