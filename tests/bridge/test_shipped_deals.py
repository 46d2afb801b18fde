"""The shipped bridge deals: each says what the right card is, and that is what is found."""

import pytest

from best_defence import chances_of_cards
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import ENDING
from worldwise.bridge.rules.deal import read_card
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.double_dummy import dds_found
from worldwise.catalog import deal, deals
from worldwise.errors import UnknownNameError
from worldwise.kernels import in_use

WORLDS = 100
ENDINGS = [name for name, lesson in deals().items() if lesson.board.play.position.tricks_left <= ENDING]
NO_TRICK_TO_LOSE = ["deals/discovery", "deals/drop-nine", "deals/points-count", "deals/squeeze", "deals/two-way-guess"]

WHERE_SAMPLING_FAILS = {"deals/discovery": (70, 55, 40, 46), "deals/points-count": (65, 65, 40, 55)}
"""As the instructions say: the layouts, what sampling believes to win with its card, what that wins, and the right."""


def advice_on(name, algorithm="alphamu", carding=Carding.EQUAL):
    lesson = deal(name)
    if name not in ENDINGS and not (in_use() or dds_found()):
        pytest.skip("a whole deal takes plain Python too long: it needs the compiled solver or DDS")
    known = {"constraints": lesson.constraints, "carding": carding}
    return lesson, advise(lesson.view, worlds=WORLDS, algorithm=algorithm, **known)


@pytest.mark.parametrize("name", deals())
def test_the_right_card_is_recommended(name):
    lesson, advice = advice_on(name)
    if lesson.pimc is not None and not in_use():
        pytest.skip("seeing through this guess takes the compiled search")
    assert advice.card == lesson.right
    assert advice.best.chance > advice.choices[-1].chance


@pytest.mark.parametrize("name", deals())
def test_where_sampling_goes_wrong(name):
    """It does in the way that is said, and nowhere else."""
    lesson, advice = advice_on(name, "pimc")
    assert advice.card == (lesson.pimc or lesson.right)


@pytest.mark.parametrize("name", NO_TRICK_TO_LOSE)
def test_the_right_card_is_right_against_best_defence(name):
    """And nothing is worth more than it is face up. The layouts count alike here, as in the brute force."""
    lesson, advice = advice_on(name, "pimc", Carding.NONE)
    assert advice.exact
    chances = chances_of_cards(lesson.view, advice.worlds)
    assert chances[lesson.right] == max(chances.values())
    assert all(chance <= advice.choice_of(card).chance + 1e-9 for card, chance in chances.items())
    if lesson.pimc is not None:
        number = len(advice.worlds)
        believed = round(advice.choice_of(lesson.pimc).chance * number)
        assert (number, believed, chances[lesson.pimc] * number, chances[lesson.right] * number) == (
            WHERE_SAMPLING_FAILS[name]
        )
        assert chances[lesson.pimc] < chances[lesson.right]


def test_other_aims_have_other_cards():
    lesson = deal("deals/safety-play")
    if not (in_use() or dds_found()):
        pytest.skip("a whole deal takes plain Python too long: it needs the compiled solver or DDS")
    tricks = advise(lesson.view, worlds=WORLDS, aim=Aim.TRICKS)
    assert tricks.card == read_card("SK")
    assert tricks.best.chance < 1


@pytest.mark.parametrize("name", deals())
def test_deals_are_whole_and_say_what_they_teach(name):
    lesson = deal(name)
    board = lesson.board
    assert board.deal.complete
    assert board.deal.cards.bit_count() == 52
    assert lesson.view.on_turn
    legal = board.play.position.legal
    assert legal >> lesson.right & 1
    assert lesson.pimc is None or (legal >> lesson.pimc & 1 and lesson.pimc != lesson.right)
    assert lesson.title
    assert len(lesson.instruction) > 100
    assert read_pbn(pbn_text([board])).boards == (board,)
    assert max(map(len, pbn_text([board]).splitlines())) <= 255, "PBN lines are at most 255 characters long"


def test_there_are_enough():
    assert len(deals()) >= 8
    assert [name for name, lesson in deals().items() if lesson.pimc] == list(WHERE_SAMPLING_FAILS)


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="did you mean 'deals/squeeze'"):
        deal("deals/squeese")
