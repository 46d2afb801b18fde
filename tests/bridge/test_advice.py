"""Advice at the table: the figures, the words, and the command."""

import json
from dataclasses import dataclass, replace
from math import comb
from random import Random

import pytest

from worldwise.bridge.advice import advise as advice_module
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.differences import Holds, Left, difference
from worldwise.bridge.advice.plan import MOST_PLACES, TRICKS, plan, worlds_after
from worldwise.bridge.advice.record import Advice, CardChoice
from worldwise.bridge.advice.stages import advise_in_stages
from worldwise.bridge.files.any_format import write_boards
from worldwise.bridge.files.bbo import hand_link
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.leads import LEADS
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, read_card
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import Pimc
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import heading, losing_lines, plan_words, searched_words
from worldwise.catalog import deal, deals
from worldwise.core.result import Limit
from worldwise.errors import InputError, UnknownNameError

ENDING = Deal.read("N:AQ4... K53... 876... JT9...")
GUESS = deal("deals/two-way-guess")
PROMISE = (
    "Play the S3. It makes the contract in 10 of the 15 layouts, "
    "a 67.7 % chance given the cards the defenders have played."
)
WHY = "It wins where the SA loses in 10 of 15 layouts: East holds the SQ in all 10 of these and in none of the other 5."


def ending_view(seat, *cards):
    return view_of(Play(ENDING, Contract.read("1NT by S"), tuple(map(read_card, cards))), seat)


# ---------------------------------------------------------------------- the figures


def test_chances_are_those_of_the_matrix():
    advice = advise(GUESS.view, carding=Carding.NONE)
    values = Pimc(Aim.TRICKS).evaluate(GUESS.view, advice.worlds)
    for column, cards in enumerate(values.choices):
        choice = advice.choice_of(cards[0])
        tricks = values.matrix[:, column]
        assert choice.cards == cards
        assert choice.chance == (tricks >= 12).mean()
        assert choice.tricks == tricks.mean()
        assert choice.loses == tuple((tricks < 12).nonzero()[0])


def test_few_layouts_are_all_looked_at():
    advice = advise(GUESS.view, worlds=1)
    assert advice.exact
    assert advice.layouts == len(advice.worlds) == len(set(advice.worlds)) == 15
    assert all(choice.interval == (choice.chance, choice.chance) for choice in advice.choices)


def test_many_layouts_are_sampled_by_the_seed():
    one, same, other = (advise(view_of_six(), worlds=3, seed=seed) for seed in (1, 1, 2))
    assert not one.exact
    assert one.layouts == comb(11, 5)
    assert one == same
    assert one.worlds != other.worlds


def view_of_six():
    """Six cards a hand: more layouts than are looked at one by one."""
    dealt = Deal.read("N:AQ.32.76. 54.54.32. KJ.AK.AK. 32.76.54.")
    return view_of(Play(dealt, Contract.read("1NT by S"), (read_card("S2"),)), Seat.SOUTH)


@pytest.mark.parametrize("seat", Seat)
def test_any_seat(seat):
    """Declarer plays dummy's cards; the others are advised when it is their turn, the leader before dummy is faced."""
    cards = ("SJ", "S4", "S3")
    for number in range(4):
        view = ending_view(seat, *cards[:number])
        if view.on_turn:
            advice = advise(view)
            assert advice.declares == (seat is Seat.SOUTH)
            assert {card for choice in advice.choices for card in choice.cards} <= set(range(64))
        else:
            with pytest.raises(InputError, match="to be on turn"):
                advise(view)


def test_hidden_cards_do_not_matter():
    swapped = Deal.read("N:AQ4... T53... 876... KJ9...")
    one = ending_view(Seat.SOUTH, "SJ")
    other = view_of(Play(swapped, Contract.read("1NT by S"), (read_card("SJ"),)), Seat.SOUTH)
    assert advise(one) == advise(other)


def test_defenders_count_their_own_tricks():
    declarer, defender = advise(ending_view(Seat.SOUTH, "SJ")), advise(ending_view(Seat.WEST))
    assert declarer.best.tricks <= 2
    assert defender.best.chance == 1, "seven tricks are out of reach with three cards"
    assert 1 <= defender.best.tricks <= 3


def test_aims_order_the_choices():
    for aim in Aim:
        advice = advise(GUESS.view, aim=aim, vulnerability=Vulnerability.BOTH)
        counted = {Aim.MAKE: "chance", Aim.TRICKS: "tricks", Aim.SCORE: "score"}[aim]
        values = [getattr(choice, counted) for choice in advice.choices]
        assert values == sorted(values, reverse=True)


def test_of_equals_the_lowest_is_played():
    advice = advise(GUESS.view)
    assert [card_name(choice.card) for choice in advice.choices] == ["S3", "ST", "SA"]


def test_of_equals_the_top_is_led_from_a_sequence():
    assert card_name(advise(ending_view(Seat.WEST)).card) == "SJ"


def test_constraints_and_leads_are_heeded():
    view = ending_view(Seat.SOUTH, "SJ")
    assert advise(view, constraints=["hascard(west, SK)"]).layouts == comb(4, 1)
    assert advise(view, constraints=[LEADS["fourth-best"]]).layouts < advise(view).layouts
    with pytest.raises(InputError, match="found none for hcp"):
        advise(view, constraints=["hcp(west) >= 30"])


def test_limits():
    advice = advise(view_of_six(), worlds=50, algorithm="pimc", limit=Limit(nodes=3))
    assert len(advice.worlds) < 50
    assert not advice.complete
    assert "stopped by the limit" in searched_words(advice)


def test_bad_questions():
    with pytest.raises(UnknownNameError, match=r"unknown algorithm 'pimk' .did you mean 'pimc'"):
        advise(GUESS.view, algorithm="pimk")
    with pytest.raises(InputError, match="at least one world, found 0"):
        advise(GUESS.view, worlds=0)


def test_intervals():
    """A sampled chance lies within its interval; one over all layouts has none."""
    sampled = advise(view_of_six(), worlds=30, algorithm="pimc")
    assert not sampled.exact
    assert all(
        low <= choice.chance <= high and low < high for choice in sampled.choices for low, high in [choice.interval]
    )
    assert all(choice.interval == (choice.chance, choice.chance) for choice in advise(GUESS.view).choices)


# ---------------------------------------------------------------------- what tells two cards apart


def made_up(losing, other, exact=True):
    """Advice on the guess with two choices that lose in these worlds."""
    found = advise(GUESS.view)
    sides = [((read_card("S3"),), losing), ((read_card("SA"),), other)]
    choices = tuple(CardChoice(cards, 0, (0, 0), 0, 0, tuple(loses)) for cards, loses in sides)
    return replace(found, choices=choices, exact=exact)


def where(sign):
    return [number for number, world in enumerate(advise(GUESS.view).worlds) if sign(world)]


@pytest.mark.parametrize("sign", [Holds(Seat.WEST, read_card("SQ")), Left(Seat.WEST, 0, 1, 1, 0)])
def test_a_sign_is_found(sign):
    advice = made_up([], where(sign))
    found = difference(advice, *advice.choices)
    assert where(found.sign) == where(sign)
    assert (found.inside, found.outside) == (len(where(sign)), 0)


def test_no_sign_where_there_is_none():
    drawn = Random(0).sample(range(15), 7)
    advice = made_up([], drawn)
    assert difference(advice, *advice.choices).sign is None
    assert "no one card or length tells which" in " ".join(why_words(advice))
    few = made_up([], [1, 2], exact=False)
    assert difference(few, *few.choices).sign is None
    assert "tells which" not in " ".join(why_words(few))


def test_a_sample_that_differs_nearly_everywhere_shows_no_sign():
    """Three layouts on the other side may have anything in common, as three on this side may."""
    sign = Holds(Seat.WEST, read_card("SQ"))
    beyond = where(sign)[:3]
    nearly_all = made_up([], sorted(set(range(15)) - set(beyond)), exact=False)
    assert difference(nearly_all, *nearly_all.choices).too_few
    assert not difference(replace(nearly_all, exact=True), *nearly_all.choices).too_few


# ---------------------------------------------------------------------- words


def test_words():
    advice = advise(GUESS.view)
    assert heading(advice) == "South to play: all 15 layouts"
    sample = replace(advice, exact=False, weights=(1,) * 15)
    assert heading(sample) == "South to play: 15 of 15 layouts"
    uneven = replace(sample, weights=(3, *(1,) * 14))  # 17 squared by 23
    assert heading(uneven) == "South to play: 15 of 15 layouts, which tell as much as 13 of equal weight"
    assert list(why_words(advice, ascii=True)) == [
        PROMISE,
        "It is a finesse against the SQ.",
        WHY,
        "The SA wins where the S3 loses in 5.",
    ]
    assert len(list(losing_lines(advice))) == 1 + 5
    assert "one plan for all layouts to the end" in searched_words(advice)
    assert "as if nobody had to guess" in searched_words(advise(GUESS.view, algorithm="pimc"))
    uniform = advise(GUESS.view, carding=Carding.NONE)
    assert next(why_words(uniform, ascii=True)) == "Play the S3. It makes the contract in 10 of the 15 layouts."


def test_a_plan_for_all_layouts(needs_kernels):
    """PIMC counts on a guess that alpha-mu knows to be one; for a defender both are PIMC."""
    lesson = deal("deals/points-count")
    advice = advise(lesson.view, constraints=lesson.constraints)
    hoped = advice.choice_of(lesson.pimc)
    assert (advice.card, advice.to_the_end) == (lesson.right, True)
    assert (hoped.pimc, round(hoped.chance * 65)) == (1, 40)
    assert list(why_words(advice, ascii=True))[-1] == (
        "Sampling claims 100.0 % for the HQ, but it assumes that you guess right every time. "
        "No single plan that begins so wins more than 61.5 %."
    )
    shallow = advise(lesson.view, constraints=lesson.constraints, limit=Limit(depth=1))
    assert shallow.card == lesson.pimc
    assert [choice.chance for choice in shallow.choices] == [choice.pimc for choice in shallow.choices]


def test_a_forced_card_promises_no_more_than_a_plan_can_have(needs_kernels):
    """Dummy has one heart to follow with; the spades are still to be guessed, as they were before the ace."""
    board = deal("deals/discovery").board
    view = board.with_cards((*board.cards, read_card("HA"), read_card("HJ"))).view(Seat.SOUTH)
    *_, advice = advise_in_stages(view, carding=Carding.NONE)
    assert (len(advice.choices), len(advice.worlds), advice.algorithm) == (1, 35, "alphamu")
    assert (round(advice.best.chance * 35), round(advice.best.pimc * 35)) == (22, 25)
    assert " ".join(why_words(advice, ascii=True)) == (
        "Play the H6. It makes the contract in 22 of the 35 layouts. "
        "Sampling claims 71.4 % for it, but it assumes that you guess right every time. "
        "No single plan that begins so wins more than 62.9 %."
    )
    assert advice.choices == advise(view, carding=Carding.NONE).choices


def test_json_is_for_programs():
    found = json.loads(json.dumps(advice_json(advise(GUESS.view))))
    figures = {
        "cards",
        "probability",
        "kind",
        "depth",
        "interval",
        "pimc",
        "tricks",
        "score",
        "loses",
        "worth",
        "beside",
    }
    assert found["choices"][0].keys() == figures
    assert len(found["worlds"]) == found["layouts"] == 15
    assert all(set(choice["loses"]) <= set(range(15)) for choice in found["choices"])


# ---------------------------------------------------------------------- the plan


def places_of(advice):
    """Every place at which the plan names a card: what is known there, the layouts that are left, and the card."""
    for place in advice.plan:
        for reply in place.replies:
            for when in [(card,) for card in reply.when] or [()]:
                cards = (advice.card, *place.after, *when)
                yield *worlds_after(advice.view, advice.worlds, cards), reply


PLANNED = ["deals/discovery", "deals/points-count", "deals/squeeze", "deals/two-way-guess"]


@pytest.mark.parametrize("name", PLANNED)
def test_a_plan_is_what_is_played(needs_kernels, name):
    """Asked again at each place, by what is known there, the advice is the card that was planned."""
    lesson = deal(name)
    advice = advise(lesson.view, constraints=lesson.constraints)
    assert advice.plan
    for view, worlds, reply in places_of(advice):
        again = advise(view, constraints=lesson.constraints, limit=Limit(depth=advice.depth))
        assert set(again.worlds) == set(worlds)
        assert (again.card, view.to_move) == (reply.play, reply.seat)


@pytest.mark.parametrize("aim", Aim)
def test_a_plan_over_a_sample(needs_kernels, aim):
    """In the layouts that were drawn and are left, nothing is worth more to alpha-mu than what is planned."""
    for view, seed in [(view_of_six(), 1), (deal("deals/avoidance").view, 2), (deal("deals/unblocking").view, 3)]:
        advice = advise(view, worlds=12, seed=seed, aim=aim, limit=Limit(depth=3))
        for later, worlds, reply in places_of(advice):
            found = BridgeAlphaMu(advice.depth, aim).evaluate(later, worlds)
            assert found.values[reply.play] == max(found.averages)


def test_plans_are_short_and_possible(needs_kernels):
    for name, lesson in deals().items():
        advice = advise(lesson.view, worlds=10, constraints=lesson.constraints, limit=Limit(depth=2))
        assert len(advice.plan) <= MOST_PLACES, name
        before = len(lesson.view.played)
        assert all((before + 1 + len(place.after)) // 4 < before // 4 + TRICKS for place in advice.plan)
        for view, worlds, reply in places_of(advice):
            assert view.position(worlds[0]).legal >> reply.play & 1
        assert len(list(plan_words(advice))) == len(advice.plan)


def test_plan_words(needs_kernels):
    advice = advise(deal("deals/squeeze").view)
    assert list(plan_words(advice, ascii=True)) == [
        "Plan: whatever West plays, play the S6 from North.",
        "After the HJ from West, if East plays one of DJT, lead the D3; otherwise lead the HT.",
        "After the S9 from East, whatever West plays, play the D9 from North.",
    ]
    replies = advice_json(advice)["plan"]
    assert len(replies) == 4
    assert replies[1] == {"after": ["HJ", "S6"], "by": "E", "when": ["S9", "ST", "SK"], "play": "HT", "from": "S"}


def test_a_card_played_when_nobody_comes_between(needs_kernels):
    """The king of hearts wins the trick as its last card, and declarer leads."""
    dealt = Deal.read("N:AJ.2.. 54.Q.. KT.K.. Q3.5..")
    view = view_of(Play(dealt, Contract.read("1NT by S"), tuple(map(read_card, ["H5", "H2", "HQ"]))), Seat.SOUTH)
    places = plan(view, [dealt], read_card("HK"), lambda now, worlds: (lowest(now, worlds), True))
    assert [(place.by, [reply.when for reply in place.replies]) for place in places] == [
        (None, [()]),
        (Seat.WEST, [(read_card("S3"), read_card("SQ"))]),
        (Seat.EAST, [(read_card("S4"), read_card("S5"))]),
    ]
    advice = replace(
        made_up([], []), view=view, choices=(CardChoice((read_card("HK"),), 0, (0, 0), 0, 0, ()),), plan=places
    )
    assert next(plan_words(advice, ascii=True)) == "Plan: lead the ST."


@pytest.mark.parametrize("patience", range(4))
def test_plans_stop_in_time(patience):
    """What was found by then is kept; the rest is not answered."""
    advice, asked = advise(GUESS.view), iter(range(patience))
    places = plan(
        advice.view,
        advice.worlds,
        advice.card,
        lambda view, worlds: (lowest(view, worlds), True) if more(asked) else None,
    )
    assert sum(len(reply.when) or 1 for place in places for reply in place.replies) == patience


def more(left):
    return next(left, None) is not None


def lowest(view, worlds):
    return min(cards_in(view.position(worlds[0]).legal), key=lambda card: card & 15)


def test_seconds_are_for_the_plan_too(needs_kernels, monkeypatch):
    """The card takes at most three quarters of them, and all together no more than there are."""
    asked = []
    kept = advice_module.BridgeAlphaMu.evaluate

    def evaluate(self, view, worlds, limit, **more):
        asked.append(limit.seconds)
        return kept(self, view, worlds, limit, **more)

    monkeypatch.setattr(advice_module.BridgeAlphaMu, "evaluate", evaluate)
    assert advise(deal("deals/squeeze").view, limit=Limit(seconds=40.0)).plan
    assert asked[0] <= 30
    assert all(later <= 40 for later in asked[1:])
    assert asked[1:] == sorted(asked[1:], reverse=True)


def test_no_plan_without_alpha_mu():
    assert not advise(GUESS.view, algorithm="pimc").plan
    assert not advise(ending_view(Seat.WEST)).plan
    assert not list(plan_words(advise(ending_view(Seat.WEST))))


# ---------------------------------------------------------------------- the command


@dataclass
class Done:
    stdout: str
    stderr: str


@pytest.fixture
def run(worldwise_command):
    """The command, with the exit code that is expected."""

    def call(*words, code=0, text=""):
        done = worldwise_command("advise", *words, stdin=text)
        assert done.returncode == code, done.stderr
        return done

    return call


def best(done):
    return json.loads(done.stdout)["best"]


def test_every_way_to_name_a_board(run, tmp_path):
    board = replace(GUESS.board, number=4)
    for name in ("boards.pbn", "boards.lin"):
        write_boards(tmp_path / name, [replace(board, number=3, contract=None, cards=(), auction=None), board])
        assert best(run(name, "--board", 4, "--json")) == "S3"
    assert best(run(hand_link(board), "--json")) == "S3"
    assert best(run("-", "--board", 4, "--json", text=(tmp_path / "boards.pbn").read_text())) == "S3"


def test_the_list(run):
    assert "deals/two-way-guess" in run("--list").stdout
    assert {"name", "title", "right", "pimc", "instruction"} == json.loads(run("--list", "--json").stdout)[0].keys()


def test_broken_boards_cost_the_others_nothing(run, tmp_path):
    write_boards(tmp_path / "good.pbn", [replace(GUESS.board, number=1)])
    broken = '[Board "2"]\n[Deal "N:AAK... ..."]\n'
    (tmp_path / "mixed.pbn").write_text((tmp_path / "good.pbn").read_text() + "\n" + broken)
    done = run("mixed.pbn", "--json", code=2)
    assert best(done) == "S3"
    assert "mixed.pbn, line " in done.stderr
    assert "board 2: expected a deal" in done.stderr
    assert run("mixed.pbn", "--board", 1).stderr == ""
    assert "board 2: expected a deal" in run("mixed.pbn", "--board", 2, code=2).stderr


def over_board():
    """Every card played."""
    play = GUESS.board.play
    while not play.position.over:
        play = play.then(play.position.legal.bit_length() - 1)
    return GUESS.board.with_cards(play.cards)


def test_nothing_to_advise(run, tmp_path):
    boards = [Board(GUESS.board.deal, number=1), replace(over_board(), number=2)]
    write_boards(tmp_path / "boards.pbn", boards)
    assert "expected a board with a contract, found none" in run("boards.pbn", code=2).stderr
    assert "play goes on, found it over" in run("boards.pbn", "--board", 2, code=2).stderr
    assert best(run("boards.pbn", "--board", 2, "--after", len(GUESS.board.cards), "--json")) == "S3"
    assert "at most the 52 cards played" in run("boards.pbn", "--board", 2, "--after", 99, code=2).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["deals/two-way-gess"], "no such file, and unknown deal 'deals/two-way-gess' (did you mean"),
        ([], "expected a file, a link or the name of a deal"),
        (["deals/squeeze", "--constraints", "hcp(west) >= 30"], "found none for hcp(West) >= 30"),
        (["deals/squeeze", "--constraints", "hcp(west >= 3"], "expected"),
        (["deals/squeeze", "--lead", "fifth-best"], "unknown lead convention"),
        (["deals/squeeze", "--algorithm", "magic"], "unknown algorithm"),
    ],
)
def test_bad_input(run, words, message):
    assert message in run(*words, code=2).stderr


def test_the_picture(run, tmp_path):
    assert "wrote advice.svg" in run("deals/squeeze", "--svg", "advice.svg", "--layouts").stdout
    assert (tmp_path / "advice.svg").read_text("utf-8").startswith("<svg")


def test_results_are_records():
    advice = advise(GUESS.view)
    assert isinstance(advice, Advice)
    assert hash(advice.view) == hash(GUESS.view)
    assert Layouts(GUESS.view).count == advice.layouts


def test_time_that_is_up_is_no_time_without_end(needs_kernels, monkeypatch):
    """When PIMC has used all the seconds there are, alpha-mu gets none, rather than all it likes."""
    asked = []
    kept = advice_module.BridgeAlphaMu.evaluate

    def evaluate(self, view, worlds, limit, **more):
        asked.append(limit)
        return kept(self, view, worlds, Limit(seconds=-1.0), **more)

    monkeypatch.setattr(advice_module.BridgeAlphaMu, "evaluate", evaluate)
    advice = advise(deal("deals/avoidance").view, limit=Limit(seconds=30.0))
    assert asked[0].seconds <= 30
    assert advice.algorithm == "pimc"
