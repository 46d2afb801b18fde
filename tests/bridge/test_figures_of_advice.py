"""What the figures of advice are, and that text, JSON and page say so: final, as far as was searched, or a bound."""

import re
from dataclasses import replace
from importlib.resources import files

import pytest

from worldwise.bridge.advice import advise as advice_module
from worldwise.bridge.advice.advise import TRIED, AdviceMemory, advise
from worldwise.bridge.advice.play_out import play_out
from worldwise.bridge.advice.record import Trial
from worldwise.bridge.advice.stages import advise_in_stages
from worldwise.bridge.files.pbn import read_pbn
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_card
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import KIND_WORDS, advice_table, chance_words, foresight_words, losing_lines
from worldwise.catalog import deal, deals
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.statistics import wilson
from worldwise.search.alphamu_root import ValueKind

GUESS = deal("deals/two-way-guess")
SURE = re.compile(r"(makes|beats) the contract in (all|\d+)\b")
SAID = {"": ValueKind.FINAL, "up to ": ValueKind.DEPTH, "at most ": ValueKind.BOUND}

STRIP = """[Dealer "N"]
[Vulnerable "None"]
[Deal "N:KQT82.Q32.AJ.KJT 43.JT9.KQ982.932 AJ965.AK6.76.A64 7.8754.T543.Q875"]
[Declarer "N"]
[Contract "6S"]
[Play "E"]
DK D6 D3 DA
S3 S5 S7 SK
S4 S6 H4 SQ
H9 HA H5 H2
HT HK H7 H3
*
"""
"""A slam to be made by elimination: strip the hearts, and throw East in with a diamond."""


def quick(view, depth=None, **settings):
    """Advice without the plan and the trial, which take longer."""
    return advise(view, limit=Limit(depth=depth), planning=False, trying=False, **settings)


def on_lesson(name, **settings):
    lesson = deal(name)
    return quick(lesson.view, constraints=lesson.constraints, **settings)


def check_figures(advice):
    """Every figure says what it is, and the first is never a bound, nor worth less than another can be."""
    assert advice.best.worth.kind is not ValueKind.BOUND
    assert advice.best.worth.value == max(choice.worth.value for choice in advice.choices)
    found = advice_json(advice)
    for choice, told in zip(advice.choices, found["choices"], strict=True):
        words = re.match(r"(up to |at most )?", chance_words(choice))[0]
        assert SAID[words] is choice.kind
        assert told["kind"] == choice.kind.value
        assert told["worth"]["kind"] == choice.worth.kind.value
        assert choice.worth.value == pytest.approx(max(average(advice, outcome) for outcome in told["worth"]["front"]))
        assert choice.worth.value <= advice.hoped(choice) + 1e-9
    assert found["why"] == list(why_words(advice, ascii=True))
    promise = found["why"][0]
    assert ("up to" in promise) == (advice.trial is None and advice.best.worth.kind is ValueKind.DEPTH)
    assert not SURE.search(promise) or advice.best.worth.kind is ValueKind.FINAL
    most = "at least" in next(losing_lines(advice))
    assert most == (bool(advice.best.loses) and not advice.to_the_end)


def average(advice, outcome):
    return sum(map(int.__mul__, advice.weights, outcome)) / sum(advice.weights)


# ---------------------------------------------------------------------- kinds


@pytest.mark.parametrize("name", deals())
@pytest.mark.parametrize("depth", [1, 3])
def test_every_figure_says_what_it_is(needs_kernels, name, depth):
    check_figures(on_lesson(name, worlds=12, depth=depth))


@pytest.mark.parametrize("aim", Aim)
def test_whatever_the_aim(aim):
    check_figures(quick(GUESS.view, aim=aim))
    check_figures(quick(GUESS.view, aim=aim, algorithm="pimc"))


def test_the_card_named_is_best_by_what_is_shown(needs_kernels):
    """Face up the queen of hearts takes every trick and makes every time. What counts is what one plan takes."""
    lesson = deal("deals/points-count")
    advice = quick(lesson.view, 5, aim=Aim.TRICKS, constraints=lesson.constraints)
    check_figures(advice)
    queen = advice.choice_of(read_card("HQ"))
    assert card_name(advice.card) == "S4"
    assert queen.chance > advice.best.chance
    assert queen.worth.value < advice.best.worth.value < advice.hoped(queen)
    counted = advice_table(advice).columns[1]
    told = [re.match(r"(up to |at most )?(-?[\d.]+)", words) for words in counted.cells]
    assert [SAID[words[1] or ""] for words in told] == [choice.worth.kind for choice in advice.choices]
    amounts = [float(words[2]) for words in told]
    assert amounts == sorted(amounts, reverse=True)
    assert counted.header == "tricks"
    said = " ".join(why_words(advice, ascii=True))
    worth = "takes up to 8.85 tricks on average over the 65 layouts, looking five cards ahead"
    assert said.startswith(f"Play the S4. It {worth}. The SJ does as well on average.")
    assert said.endswith("No single plan that begins so takes more than 8.69 tricks.")


def test_tricks_of_one_plan_are_told_to_the_end(needs_kernels):
    """What is final needs no "up to", and nobody claims that it makes the contract."""
    lesson = deal("deals/discovery")
    advice = quick(lesson.view, aim=Aim.SCORE, constraints=lesson.constraints)
    assert {choice.worth.kind for choice in advice.choices} == {ValueKind.FINAL}
    assert {choice.kind for choice in advice.choices} == {ValueKind.DEPTH}
    assert len({choice.score for choice in advice.choices}) == 1, "face up all cards look alike"
    assert [column.header for column in advice_table(advice).columns] == ["card", "score", "PIMC", "makes it"]
    assert next(why_words(advice, ascii=True)) == (
        "Play the HA. It scores 636 points on average over the 70 layouts, weighed by how likely they are."
    )


def test_a_sample_of_tricks_may_be_too_close_to_call(needs_kernels):
    """One trick more in one layout of ten may be chance; one in every layout is none."""
    lesson = deal("deals/hold-up")
    near = quick(lesson.view, 2, aim=Aim.TRICKS, worlds=10)
    assert [card_name(choice.card) for choice in near.close] == ["HA"]
    far = on_lesson("deals/unblocking", aim=Aim.TRICKS, depth=2, worlds=10)
    assert not far.close


def test_while_one_looks(needs_kernels):
    for advice in advise_in_stages(deal("deals/points-count").view, constraints=deal("deals/points-count").constraints):
        check_figures(advice)


def test_a_defender_too():
    ending = Deal.read("N:AQ4... K53... 876... JT9...")
    advice = quick(view_of(Play(ending, Contract.read("1NT by S"), ()), Seat.WEST))
    check_figures(advice)
    assert next(why_words(advice)).endswith("as seen with all cards face up.")


def test_the_page_has_the_same_words():
    script = files("worldwise.web").joinpath("static", "desk-judging.js").read_text("utf-8")
    line = re.search(r"const KINDS = \{(.*)\}", script)[1]
    assert dict(re.findall(r'(\w+): "(.*?)"', line)) == {kind.value: words for kind, words in KIND_WORDS.items()}


def test_every_card_says_how_far_it_was_searched(needs_kernels):
    """A column tells the figures of one table apart, and is not there where all of them are final."""
    board = read_pbn(STRIP).boards[0]
    advice = quick(board.view(Seat.NORTH), 2, worlds=10)
    told = [foresight_words(choice) for choice in advice.choices]
    assert set(told) <= {"2 cards ahead", "to the end", "cut short"}
    assert "2 cards ahead" in told
    assert [column.header for column in advice_table(advice).columns][2] == "searched"
    ended = advise(deal("deals/two-way-guess").view)
    assert "searched" not in [column.header for column in advice_table(ended).columns]


def test_an_elimination_is_no_certainty_before_it_is_searched(needs_kernels):
    """All cards win face up. A club gives away the contract; what is left looks safe, and no more than that."""
    board = read_pbn(STRIP).boards[0]
    for depth in (1, 2, 3, 5):
        advice = quick(board.view(Seat.NORTH), depth, worlds=40, constraints=["hascard(east, DQ)"])
        check_figures(advice)
        assert all(choice.pimc == 1 for choice in advice.choices)
        assert not any(choice.chance == 1 and choice.kind is ValueKind.FINAL for choice in advice.choices)
    assert card_name(advice.card) in ("H6", "D7", "S9")
    assert advice.choice_of(read_card("C4")).chance < 0.8


# ---------------------------------------------------------------------- the trial


def test_a_card_is_tried_on_layouts_that_did_not_choose_it(needs_kernels, monkeypatch):
    tried, played = [], []
    evaluate = BridgeAlphaMu.evaluate

    def watched(self, view, worlds, *rest, among=None, **more):
        if among is not None:
            tried.extend(worlds)
        return evaluate(self, view, worlds, *rest, among=among, **more)

    def watched_play(view, card, worlds, *rest):
        played.extend(worlds)
        return [True, *[False] * (len(worlds) - 1)]

    monkeypatch.setattr(advice_module.BridgeAlphaMu, "evaluate", watched)
    monkeypatch.setattr(advice_module, "play_out", watched_play)
    lesson = deal("deals/hold-up")
    advice = advise(lesson.view, limit=Limit(depth=2), planning=False)
    assert len(tried) == advice.trial.layouts
    assert set(played) <= set(tried)
    assert not set(tried) & set(advice.worlds)
    assert (advice.trial.played, advice.trial.made) == (len(played), 1)
    told = advice_json(advice)["trial"]
    assert (told["played_out"], told["made"], told["layouts"]) == (len(played), 1, len(tried))
    check_figures(advice)


@pytest.mark.parametrize("seat", [Seat.SOUTH, Seat.EAST])
def test_what_sampling_chose_is_tried_too(needs_kernels, seat):
    """Declarer's by PIMC, and a defender's: on layouts that had no part in the choice, all cards seen."""
    board = deal("deals/hold-up").board
    view = board.with_cards(board.cards[:2] if seat is Seat.EAST else board.cards).view(seat)
    memory = AdviceMemory(SolverCache(view.contract.strain, 100))
    advice = advise(view, worlds=20, algorithm="pimc", carding=Carding.NONE, memory=memory)
    fresh = [row for world, row in memory.rows.items() if world not in advice.worlds]
    column = next(i for i, cards in enumerate(choices_of(view, advice.worlds[0])) if advice.card in cards)
    needed = view.contract.tricks if advice.declares else 14 - view.contract.tricks
    succeeds = sum(row[column] >= needed for row in fresh)
    assert len(fresh) == TRIED == advice.trial.layouts
    assert (advice.trial.most, advice.trial.least) == (wilson(succeeds, TRIED), None)
    verb = "makes" if advice.declares else "beats"
    share = f"{100 * succeeds / TRIED:.0f} % of {TRIED} fresh layouts"
    said = next(why_words(advice))
    assert f"It {verb} the contract in up to {share} (" in said
    assert said.endswith("), as seen with all cards face up.")


def test_the_seed_draws_the_sample_and_the_trial(needs_kernels):
    lesson = deal("deals/finesse-eight")
    one, same, other = (advise(lesson.view, limit=Limit(depth=1), planning=False, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.worlds != other.worlds
    assert one.trial is not None


def test_the_plan_leaves_time_for_the_trial(needs_kernels, monkeypatch):
    """The headline comes first: a long plan took the seconds that the trial needed."""
    asked = []
    monkeypatch.setattr(advice_module, "play_out", lambda *_: asked.append("trial") or [True])
    monkeypatch.setattr(advice_module, "plan", lambda *_: asked.append("plan") or ())
    advise(deal("deals/finesse-eight").view, limit=Limit(depth=1))
    assert asked == ["trial", "plan"]


def test_all_layouts_need_no_trial():
    assert advise(GUESS.view).trial is None


PLAYED_OUT = "Played out on 12 fresh layouts against defenders who see every card, it made the contract in"


@pytest.mark.parametrize(
    ("most", "made", "said"),
    [
        (36, 10, f"{PLAYED_OUT} 10 (83 %, 55-95). Over 40 such layouts the search gives it at most 90 %."),
        (40, 12, f"{PLAYED_OUT} all 12 (100 %, 76-100). Over 40 such layouts the search saw no way to beat it."),
        (4, 0, f"{PLAYED_OUT} none (0 %, 0-24). Over 40 such layouts the search gives it at most 10 %."),
        (20, None, "Over 40 fresh layouts the search gives it at most 50 %."),
    ],
)
def test_the_headline_is_the_trials(most, made, said):
    trial = Trial(40, wilson(most, 40))
    if made is not None:
        trial = replace(trial, least=wilson(made, 12), played=12, made=made)
    advice = replace(quick(GUESS.view), trial=trial)
    assert next(why_words(advice, ascii=True)) == f"Play the S3. {said}"


# ---------------------------------------------------------------------- weights


def test_weights_reach_every_figure():
    """East has dropped the queen. Two layouts are left: the jack is with West, or it was one of East's two."""
    ending = Deal.read("N:AKT9.2.2.2 Q.3.KQJT.3 8765.A.A.A J32.K.8.KQ")
    tricks = ("HK", "H2", "H3", "HA", "S5", "S2", "SA", "SQ", "C2", "C3", "CA", "CK", "S6", "S3")
    view = view_of(Play(ending, Contract.read("1NT by S"), tuple(map(read_card, tricks))), Seat.SOUTH)
    known = [f"hascard(east, D{rank})" for rank in "KQJ"] + ["hascard(west, D8)", "hascard(west, CQ)"]
    weighed, alike = (quick(view, constraints=known, carding=carding) for carding in (Carding.EQUAL, Carding.NONE))
    assert (len(weighed.worlds), sorted(weighed.weights), alike.weights) == (2, [1, 2], (1, 1))
    jack_with_west = next(
        number for number, world in enumerate(weighed.worlds) if world[Seat.WEST] >> read_card("SJ") & 1
    )
    assert weighed.weights[jack_with_west] == 2
    finesse, drop = (weighed.choice_of(read_card(card)) for card in ("S9", "SK"))
    assert weighed.best == finesse
    assert finesse.loses == (1 - jack_with_west,)
    assert drop.loses == (jack_with_west,)
    assert weighed.share(drop.loses) == pytest.approx(2 / 3)
    assert weighed.effective == pytest.approx(9 / 5)
    for choice, share in ((finesse, 2 / 3), (drop, 1 / 3)):
        equal = alike.choice_of(choice.card)
        assert (choice.chance, choice.pimc, *choice.interval) == pytest.approx([share] * 4)
        assert (equal.chance, equal.pimc, *equal.interval) == pytest.approx([1 / 2] * 4)
        if choice is finesse:
            assert choice.tricks > equal.tricks
            assert choice.score > equal.score
        else:
            assert choice.tricks < equal.tricks
            assert choice.score < equal.score


# ---------------------------------------------------------------------- close calls


def test_close_calls(needs_kernels):
    """36 of 40 against 40 may be chance; 1 of 40 against 40 is not, nor is 31 against 36 if nothing speaks for it."""
    safe = on_lesson("deals/safety-play", depth=1)
    assert card_name(safe.card) == "S8"
    assert {card_name(choice.card) for choice in safe.close} == {"SK", "S2"}
    assert "Too close to call on a sample of this size: the SK or the S2 may be just as good." in why_words(
        safe, ascii=True
    )
    clear = on_lesson("deals/unblocking", depth=1)
    assert not clear.close
    assert "Too close" not in " ".join(why_words(clear))


def test_when_nothing_can_be_told_apart_no_card_is_named():
    advice = quick(GUESS.view)
    many = replace(advice, choices=advice.choices * 2, close=(*advice.choices[1:], *advice.choices))
    assert "Too close to call on a sample of this size: any other card may be just as good." in why_words(many)


def test_all_layouts_leave_nothing_open():
    advice = quick(GUESS.view)
    assert advice.exact
    assert not advice.close


# ---------------------------------------------------------------------- played out


def test_a_card_is_played_out():
    """By the count of the hand the finesse against East wins wherever he has the queen, and the ace wherever not."""
    advice = quick(GUESS.view)
    for choice in advice.choices:
        made = play_out(GUESS.view, choice.card, advice.worlds, 0, Clock(NO_LIMIT))
        assert [number for number, won in enumerate(made) if not won] == list(choice.loses)


def test_playing_out_ends_with_the_clock():
    advice = quick(GUESS.view)
    assert not play_out(GUESS.view, advice.card, advice.worlds, 0, Clock(Limit(seconds=0)))


def test_the_trial_weighs_layouts_as_the_choice_did(needs_kernels, monkeypatch):
    """Carding is heeded, or switched off, while a card is played out too."""
    asked = []

    def drawn(layouts, number, rng, carding, belief, **settings):
        asked.append(carding)
        return draw_worlds(layouts, number, rng, carding, belief, **settings)

    monkeypatch.setattr("worldwise.bridge.layouts.evidence.draw_worlds", drawn)
    advise(deal("deals/finesse-eight").view, worlds=6, limit=Limit(depth=1), carding=Carding.NONE)
    assert set(asked) == {Carding.NONE}
