"""Chances against results: scores by hand computation, and a real board."""

import pytest

from worldwise.bridge.advice.calibration import FORECASTERS, Forecast, calibrate, can_be_judged, forecast
from worldwise.bridge.files.any_format import boards_in

BOARD = """
[Board "1"]
[Dealer "W"]
[Vulnerable "None"]
[Deal "N:AJ5.K5.K654.9654 T6.J987.QJ87.JT8 KQ432.432.A32.32 987.AQT6.T9.AKQ7"]
[Declarer "S"]
[Contract "2S"]
[Result "8"]
[Auction "W"]
1C Pass 1H 1S
2H 2S AP
[Play "W"]
CA
*
"""


def _said(*chances):
    return dict(zip(FORECASTERS, chances, strict=True))


def test_scores_against_hand_computation():
    told = [Forecast(_said(0.8, 0.5, 1.0), True), Forecast(_said(0.4, 0.5, 1.0), False)]
    heard, deaf, seen = calibrate(told)
    assert heard.brier.value == pytest.approx((0.04 + 0.16) / 2)
    assert (deaf.brier.value, seen.brier.value) == (0.25, 0.5)
    assert heard.better.value == pytest.approx(0.25 - 0.1)
    assert deaf.better.value == 0
    assert [fifth and (fifth.said, fifth.made.value) for fifth in heard.fifths] == [
        None,
        None,
        (0.4, 0),
        None,
        (0.8, 1),
    ]
    assert seen.fifths[4].made.count == 2
    assert {one.made.value for one in (heard, deaf, seen)} == {0.5}


@pytest.mark.usefixtures("needs_kernels")
def test_a_played_table():
    board = boards_in(BOARD).boards[0]
    told = forecast(board, worlds=6)
    assert told.made
    assert told.chances["double dummy"] >= told.chances["pimc, no auction"] > 0
    assert told == forecast(board, worlds=6)


def test_what_cannot_be_judged():
    board = boards_in(BOARD.replace('[Result "8"]\n', "")).boards[0]
    assert not can_be_judged(board)
    assert can_be_judged(boards_in(BOARD).boards[0])
