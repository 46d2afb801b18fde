"""The drill in the terminal: what is typed and told, for people and for programs."""

import json
import os
import signal
import subprocess
from functools import partial

import pytest

from command_alone import run as run_alone
from interruption import command_that_hears
from patience import PATIENCE
from worldwise.bridge.suit.drill import DrillAttempt, draw_questions
from worldwise.catalog import drill_entries

OWN = ("AKQ9", "32")
RIGHT = "low from south\nq\n3\nthe nine\n"
SCORE = "1 of 1 right to the end; on average you gave away 0.00 %."


@pytest.fixture
def run(worldwise_command):
    return partial(worldwise_command, "drill")


def events(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


# ---------------------------------------------------------------------- for people


def test_a_suit_played_to_the_end(run):
    done = run(*OWN, stdin=RIGHT)
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "Question 1 of 1",
        "You want 4 tricks.",
        "Round 1: South the two, West the ten.",
        "Right to the end: 24.00 %, the best there is.",
        "If West has JT85 and East has 764, you take your 4 tricks.",
        "The best line wins 24.00 %, sampling 5.43 %",
        "AKQ9 opposite 32 for 4 tricks: right, 24.00 %.",
    ):
        assert words in done.stdout
    assert done.stdout.rstrip().endswith(SCORE)


def test_it_stops_at_a_card_that_costs(run):
    done = run(*OWN, stdin="A\ntake back\n2\n9\nq\n3\n9\n")
    assert "Cashing the ace cuts your chance from 24.00 % to 10.34 %." in done.stdout
    assert "Playing the nine cuts your chance from 24.00 % to 5.17 %." in done.stdout
    assert "To the end, with 2 slips." in done.stdout
    assert "cashing the ace cut your chance from 24.00 % to 10.34 %. Better: lead low from South." in done.stdout
    assert "0 of 1 right to the end; on average you gave away 13.66 %." in done.stdout


def test_hints_and_going_on(run):
    done = run(*OWN, "--rounds", 2, stdin=f"hint\nhint\nnext\n{RIGHT}")
    assert "Layouts that you can still win: JTxx–xxx 8.88 %" in done.stdout
    assert done.stdout.count("Lead low from South.") == 1
    assert "Better: lead low from South." in done.stdout
    assert "1 of 2 right to the end" in done.stdout


def test_streaks_are_told(run):
    done = run(*OWN, "--rounds", 3, stdin=RIGHT * 3)
    assert "2 in a row.\n" in done.stdout
    assert "3 of 3 right to the end, 3 in a row" in done.stdout


def test_what_cannot_be_done_is_said_and_asked_again(run):
    done = run(*OWN, stdin=f"\nbanana\nlow\ntake back\n{RIGHT}")
    assert done.stdout.count("expected a card of North's AKQ9 or South's 32, found") == 2
    assert "expected low from North or low from South, found 'low'" in done.stdout
    assert "expected a card to take back, found none" in done.stdout
    assert SCORE in done.stdout


@pytest.mark.parametrize("ending", ["quit\n", "exit\n", ""])
def test_it_can_be_left_at_any_time(run, ending):
    assert run(*OWN, stdin=ending).stdout.rstrip().endswith("No answers.")
    done = run(*OWN, stdin=f"A\n{ending}")
    assert (done.returncode, done.stdout.count("cut your chance")) == (0, 1)
    assert "0 of 1 right to the end" in done.stdout


def test_ctrl_c_leads_to_the_review():
    """A real one, while an answer is waited for."""
    command = command_that_hears("drill", *OWN, "--json")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, env={**os.environ, "PYTHONUTF8": "1"}) as process:
        try:
            told = [json.loads(process.stdout.readline()) for _ in range(2)]
            process.stdin.write(b"NA\n")
            process.stdin.flush()
            told.append(json.loads(process.stdout.readline()))
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert [one["event"] for one in told] == ["question", "turn", "slip"]
    review = json.loads(out)
    assert (process.returncode, errors) == (0, b"")
    assert (review["event"], review["answered"], review["right"]) == ("review", 1, 0)


def test_the_suit_command_drills_too(worldwise_command, run):
    assert worldwise_command("suit", *OWN, "--drill", stdin=RIGHT) == run(*OWN, stdin=RIGHT)
    assert worldwise_command("suit", "--drill", "--seed", 3) == run("--seed", 3)


def test_placed_cards_are_respected(worldwise_command):
    done = worldwise_command("suit", *OWN, "--west", "J", "--drill", "--json", stdin=RIGHT)
    assert all("J" in one["layout"]["west"] for one in events(done) if "layout" in one)


def test_plain_terminals(run):
    done = run_alone("drill", *OWN, stdin=f"A\n{RIGHT}", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout.isascii()) == (0, True)


# ---------------------------------------------------------------------- for programs


def test_a_program_can_play(run):
    done = run(*OWN, "--json", stdin=f"x\nNA\n{RIGHT}")
    told = events(done)
    assert [one["event"] for one in told] == ["question", "turn", "error", "slip", *["turn"] * 3, "end", "review"]
    assert told[0] | {"number": 1, "rounds": 1, "tricks": 4, "north": "AKQ9", "south": "32", "level": None} == told[0]
    assert told[1]["choices"] == ["NA", "NK", "NQ", "N9", "S3", "S2"]
    assert told[3]["before_chance"] == 0.24
    assert told[3]["given_up"][0]["west"] == "JTxxxxx"
    end = {"done": True, "right": False, "slips": 1, "hints": 0, "chance": 0.24, "streak": 0}
    assert told[-2] | end == told[-2]
    assert set(told[-2]["rivals"]) == {"sampling", "natural finesse", "drop"}
    assert told[-1]["questions"][0]["right"] is False


def test_a_program_that_knows_the_lines_gets_all_of_them_right(needs_kernels, run):
    """The same seed, the same questions: the answers are found here and sent."""
    lines = []
    for question, _ in zip(draw_questions(drill_entries(3), 5), range(2), strict=False):
        attempt = DrillAttempt(question)
        while not attempt.is_done:
            lines.append(str(attempt.play.best_move))
            attempt.put(attempt.play.best_move)
    done = run("--level", 3, "--seed", 5, "--rounds", 2, "--json", stdin="\n".join(lines) + "\n")
    review = events(done)[-1]
    assert (review["event"], review["right"], review["longest_streak"]) == ("review", 2, 2)


# ---------------------------------------------------------------------- bad input

BAD = {
    "one hand": (["AKQ9"], "expected two hands such as AKQ9 32"),
    "cards that are none": (["AKZ", "32"], "north: expected cards such as AKQ9"),
    "nothing to go wrong": (["AKQ", "32"], "expected a combination in which a card can cost something, found AKQ"),
    "a certain goal": ([*OWN, "--tricks", "3"], "a goal other than 3 in which a card can cost something"),
    "a goal too high": ([*OWN, "--tricks", "5"], "expected a goal from 1 to 4 tricks, found 5"),
    "a goal of nothing": (["--tricks", "3"], "expected cards to go with --tricks, found none"),
    "a level of one's own": ([*OWN, "--level", "2"], "expected --level or cards of your own, found both"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(run, case):
    arguments, message = BAD[case]
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


@pytest.mark.parametrize("option", [["--level", "4"], ["--rounds", "0"], ["--rounds", "9" * 30], ["--seed", "x"]])
def test_options_out_of_range(run, option):
    done = run(*option)
    assert (done.returncode, done.stdout) == (2, "")
