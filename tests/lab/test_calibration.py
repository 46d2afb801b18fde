"""Is seventy percent seventy percent? Claims and tables by rows made by hand, and the file that is not shipped."""

import pytest

from worldwise.errors import InputError
from worldwise.lab.papers import load
from worldwise.lab.papers.clv21.calibration import FORECASTS, chances_table

CALIBRATION = load("beyond/calibration")


def _rows(chance, made, *, number=400, half="judging", verdict="best", cost=0.0):
    """Tables with one chance, of which a share was made."""
    return [
        {
            "boards": "finals",
            "number": one,
            "moment": "dummy",
            "seed": 0,
            "half": half,
            "asked": True,
            "made": one < made * number,
            **dict.fromkeys(FORECASTS, chance),
            "verdict": verdict,
            "cost": cost,
        }
        for one in range(number)
    ]


def _outcomes(rows):
    return [verdict.outcome.value for verdict in CALIBRATION.verdicts(rows)]


def test_who_says_what_comes_true_is_calibrated():
    rows = _rows(0.9, 0.9, number=4000) + _rows(0.1, 0.1, number=4000)
    assert _outcomes(rows)[:2] == ["holds", "holds"]


def test_who_is_too_hopeful_is_not():
    assert _outcomes(_rows(0.9, 0.6))[:2] == ["fails", "fails"]


def test_tables_that_the_weights_were_chosen_on_do_not_judge():
    tuned = _rows(0.9, 0.6, half="tuning")
    assert _outcomes(tuned)[:3] == ["undecided"] * 3
    assert _outcomes(tuned + _rows(0.9, 0.9, number=4000))[0] == "holds"


def test_listening_is_judged_choice_by_choice():
    rows = [{**row, "alphamu, no auction": 0.5} for row in _rows(0.9, 0.9)]
    assert _outcomes(rows)[2] == "holds"


def test_mistakes_of_experts_are_counted():
    fine, bad = _rows(0.9, 0.9, number=300), _rows(0.9, 0.9, number=100, verdict="mistake", cost=0.2)
    verdict = CALIBRATION.verdicts(fine + bad)[3]
    assert verdict.outcome.value == "fails"
    assert "best 75.0%, mistake 25.0%" in verdict.because
    assert "mistake 5.00% of a contract a choice" in verdict.because


def test_a_table_by_fifths():
    (record, *_) = chances_table(_rows(0.9, 0.5, number=10)).records()
    assert (record["said"], record["made"], record["choices"]) == (pytest.approx(0.9), 0.5, 10)
    assert record["80-100 %"].startswith("90: 50 (")
    assert record["0-20 %"] == ""


def test_moments_without_a_choice_do_not_count():
    idle = [{"moment": "later", "half": "judging", "asked": False}]
    assert chances_table(_rows(0.9, 0.9) + idle).records() == chances_table(_rows(0.9, 0.9)).records()


def test_the_file_must_be_named_and_be_the_one(tmp_path):
    other = tmp_path / "other.pbn"
    other.write_text('[Board "1"]\n')
    with pytest.raises(InputError, match="expected the file of finals"):
        CALIBRATION.with_file(other)
    with pytest.raises(InputError, match="No such file"):
        CALIBRATION.with_file(tmp_path / "none.pbn")
    with pytest.raises(InputError, match="not shipped: say where with --file"):
        CALIBRATION.measure(CALIBRATION.settings["laptop"][0], 1)


def test_a_file_for_an_experiment_that_reads_none(worldwise_command, tmp_path):
    done = worldwise_command("lab", "run", "fb01/fig-7", "--file", str(tmp_path))
    assert (done.returncode, done.stderr.strip()) == (2, "worldwise: --file: fb01/fig-7 reads no file")
