"""Questions by the thousand: the answers are those of the other doors, in order, and can be called off."""

import json
import os
import subprocess
import sys
import threading
import time
from itertools import count, repeat

import pytest

from patience import PATIENCE
from worldwise.catalog import deal
from worldwise.doors.batch import Cancel, answer_all
from worldwise.doors.questions import answer_question
from worldwise.errors import InputError, LimitReachedError, UnknownNameError

pytestmark = pytest.mark.usefixtures("needs_kernels")

ENDING = {"deal": "N:AQ4... K53... 876... JT9...", "contract": "1NT by S", "cards": "SJ"}
LAYOUTS = ["N:AQ4... K53... 876... JT9...", "N:AQ4... 953... 876... JTK...", "N:AQ4... T53... 876... J9K..."]


def without_times(answer):
    return {name: value for name, value in answer.items() if name != "seconds"}


# ---------------------------------------------------------------------- one question


def test_advice_is_the_commands(worldwise_command):
    told = worldwise_command("advise", "deals/two-way-guess", "--json").json
    board = deal("deals/two-way-guess").board
    asked = {"deal": str(board.deal), "contract": str(board.contract), "cards": [*_names(board.cards)]}
    constraints = board.tag("Constraints")
    answer = answer_question("advise", {**asked, "constraints": constraints or None})
    assert without_times(answer) == without_times(told)


def _names(cards):
    return ["SHDC"[card >> 4] + "23456789TJQKA"[(card & 15) - 2] for card in cards]


def test_values_count_worlds_by_their_weights():
    """The finesse wins with the king on the left, the ace when it is bare on the right: weights decide between them."""
    asked = {
        "deal": "N:AQ... 32... 54... K6...",
        "contract": "1NT by S",
        "cards": "S6",
        "aim": "tricks",
    }
    left, right = "N:AQ... 32... 54... K6...", "N:AQ... K2... 54... 63..."

    def best(*weights):
        return answer_question("values", {**asked, "worlds": [left, right], "weights": list(weights)})

    finesse = {weights: _value(best(*weights), "SQ") for weights in ((1, 1), (3, 1), (0, 1))}
    assert finesse == {(1, 1): 1.5, (3, 1): 1.75, (0, 1): 1.0}
    assert best(1, 0)["best"] == "SQ"


def _value(answer, card):
    return next(choice["value"] for choice in answer["choices"] if card in choice["cards"])


def test_every_value_says_what_it_is():
    lesson = deal("deals/two-way-guess")
    board = lesson.board
    asked = {"deal": str(board.deal), "contract": str(board.contract), "cards": _names(board.cards)}
    advice = answer_question("advise", {**asked, "plan": False})
    worlds = [_pbn(world) for world in advice["worlds"]]
    answer = answer_question("values", {**asked, "worlds": worlds, "weights": advice["weights"], "depth": 52})
    chances = {tuple(one["cards"]): (one["probability"], one["kind"]) for one in advice["choices"]}
    assert {tuple(one["cards"]): (pytest.approx(one["value"]), one["kind"]) for one in answer["choices"]} == chances
    assert "final" in {one["kind"] for one in answer["choices"]}
    shallow = answer_question("values", {**asked, "worlds": worlds, "depth": 1})
    assert {one["depth"] for one in shallow["choices"]} == {1}
    assert all(one["value"] <= one["pimc"] for one in answer["choices"])


def _pbn(world):
    return "N:" + " ".join(world[seat] for seat in ("north", "east", "south", "west"))


def test_a_defender_gets_averages_of_one_card_ahead():
    asked = {**ENDING, "cards": "SJSQ", "worlds": LAYOUTS[:1]}
    answer = answer_question("values", asked)
    assert (answer["seat"], answer["algorithm"]) == ("E", "pimc")
    assert {(one["kind"], one["depth"]) for one in answer["choices"]} == {("depth", 1)}


@pytest.mark.parametrize(
    ("kind", "question", "message"),
    [
        ("values", {**ENDING}, "worlds: expected 1 to 2000 deals, found 0"),
        ("values", {**ENDING, "worlds": ["N:AQ4... KT3... 876... J59..."], "weights": [1, 2]}, "weights: expected one"),
        ("values", {**ENDING, "worlds": LAYOUTS[:1], "weights": [0]}, "weights: expected some world to count"),
        ("values", {**ENDING, "worlds": LAYOUTS[:1], "weights": [-1]}, "weights: expected numbers from 0"),
        (
            "values",
            {**ENDING, "worlds": ["N:AQ4... JT3... 876... K59..."]},
            "number 0: expected a whole deal that fits",
        ),
        ("values", {**ENDING, "worlds": LAYOUTS, "wieghts": [1]}, "unknown field 'wieghts' (did you mean 'weights'?)"),
        ("advise", {**ENDING, "worlds": "many"}, "worlds: expected a whole number"),
        ("advise", {**ENDING, "seconds": True}, "seconds: expected numbers"),
        ("advise", {"contract": "1NT by S"}, "deal: expected a deal"),
        ("advise", {**ENDING, "cards": "HJ"}, "expected a card of West's"),
        ("dd", {"deal": "N:AQ4... - 876... JT9..."}, "expected all four hands"),
        ("review", {**ENDING, "cards": ""}, "expected a board with cards played"),
        ("review", {**ENDING, "seat": "Q"}, "expected a seat"),
        ("suit", {"north": "AQ", "south": "32", "west_length": "many"}, "west_length"),
        ("suit", {"north": "AQ", "south": "A2"}, "expected"),
    ],
)
def test_what_is_wrong_is_said_of_its_field(kind, question, message):
    with pytest.raises(InputError) as error:
        answer_question(kind, question)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("suit", '{"north": "' + "A" * 100_000 + '"}'),
        ("advise", "a" * 100_000),
        ("dd", "[" * 100_000),
        ("dd", '{"deal":' * 100_000),
        ("dd", '{"deal": 1e999999999}'),
        ("dd", "\ud800\x00"),
        ("dd", "/dev/zero"),
        ("values", json.dumps({**ENDING, "worlds": ["x" * 100_000]})),
        ("values", json.dumps({**ENDING, "worlds": LAYOUTS, "weights": [10**300] * len(LAYOUTS)})),
    ],
)
def test_a_hostile_line_is_answered_with_a_short_error(kind, line):
    [answer] = answer_all(kind, [line], jobs=1)
    assert (list(answer), len(answer["error"]) < 2100) == (["error"], True)


def test_an_unknown_question_is_told_the_known_ones():
    with pytest.raises(UnknownNameError, match="did you mean 'advise'"):
        next(answer_all("advice", []))


# ---------------------------------------------------------------------- many


def test_answers_come_in_order_and_mistakes_cost_the_others_nothing():
    questions = [{"north": "AQT98"[:size], "south": "432", "tricks": 1} for size in (5, 1, 4, 2, 3)] * 12
    questions[7] = {"north": "A1"}
    answers = list(answer_all("suit", questions, jobs=2))
    assert [answer.get("north") for answer in answers] == [
        None if place == 7 else question["north"] for place, question in enumerate(questions)
    ]
    assert "found '1' in 'A1'" in answers[7]["error"]


def test_an_endless_batch_answers_as_it_goes():
    answers = answer_all("suit", ({"north": "AQ", "south": "32", "tricks": 2, "seconds": n} for n in count(60)), jobs=2)
    assert [next(answers)["chance"] for _ in range(50)] == [0.5] * 50
    answers.close()


def test_a_limit_of_a_question_is_its_own():
    suit = {"north": "AQT9", "south": "432"}
    answers = list(answer_all("suit", [{**suit, "seconds": 0}, {**suit, "tricks": 1}], jobs=1))
    with pytest.raises(LimitReachedError):
        answer_question("suit", {**suit, "seconds": 0})
    assert "found no answer within" in answers[0]["error"]
    assert answers[1]["chance"] == 1


def test_a_batch_is_called_off_in_the_middle_of_a_search():
    """The question would take minutes; the answers end as soon as the token says so."""
    token = Cancel()
    hard = {
        "deal": "N:AKQ2.A2.K432.432 - J43.KQJ.AQ5.AKQ5 -",
        "contract": "6NT by S",
        "cards": "H9",
        "worlds": 2000,
        "nodes": 10**12,
    }
    answers = answer_all("advise", repeat(hard), jobs=2, cancelled=token)
    threading.Timer(3, token.cancel).start()
    began = time.monotonic()
    assert list(answers) == []
    assert time.monotonic() - began < PATIENCE


def test_an_error_among_the_questions_is_the_callers():
    def questions():
        yield {"north": "AQ", "south": "32", "tricks": 1}
        raise ZeroDivisionError

    answers = answer_all("suit", questions(), jobs=1)
    assert next(answers)["chance"] == 1
    with pytest.raises(ZeroDivisionError):
        next(answers)


# ---------------------------------------------------------------------- the command


def test_lines_are_files_names_links_and_objects(worldwise_command, tmp_path):
    hands = ("N:A2... K3... Q4... J5...", "N:A3... K2... Q4... J5...")
    boards = [f'[Board "{number}"]\n[Deal "{deal}"]\n' for number, deal in enumerate(hands, 1)]
    (tmp_path / "two.pbn").write_text("\n".join(boards))
    lines = ["two.pbn", json.dumps({"source": "two.pbn", "board": 2}), "", "deals/two-way-guess", "nowhere.pbn"]
    done = worldwise_command("batch", "dd", stdin="\n".join(lines))
    answers = list(map(json.loads, done.stdout.splitlines()))
    assert [one["board"] for one in answers[0]["boards"]] == [1, 2]
    assert answers[1]["board"] == 2
    assert answers[1] == answers[0]["boards"][1]
    assert "tricks" in answers[2]["boards"][0]
    assert "no such file" in answers[3]["error"]
    assert (done.returncode, done.stderr) == (
        2,
        "worldwise: 1 of 4 questions could not be answered, the first is number 4\n",
    )


def test_what_lines_do_not_say_is_said_once(worldwise_command):
    done = worldwise_command(
        "batch",
        "advise",
        "--usual",
        '{"worlds": 5, "plan": false}',
        stdin='deals/two-way-guess\n{"source":"deals/discovery"}',
    )
    answers = list(map(json.loads, done.stdout.splitlines()))
    assert done.returncode == 0
    assert [one["plan"] for one in answers] == [[], []]
    assert answers[0]["best"] == "S3"


@pytest.mark.parametrize("usual", ["[]", "{", "3"])
def test_bad_usual_fields_are_refused(worldwise_command, usual):
    done = worldwise_command("batch", "suit", "--usual", usual)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("worldwise: --usual: expected ")


def test_review_is_the_commands(worldwise_command, tmp_path):
    board = deal("deals/two-way-guess").board
    asked = {"deal": str(board.deal), "contract": str(board.contract), "cards": [*_names(board.cards), "SA"]}
    asked |= {"seat": "declarer", "worlds": 10, "nodes": 2000}
    done = worldwise_command("batch", "review", stdin=json.dumps(asked))
    answer = json.loads(done.stdout)
    told = answer["decisions"][-1]
    assert (told["card"], told["best"], told["verdict"]) == ("SA", "S3", "mistake")


def test_a_conversation_is_answered_line_by_line():
    """Whoever waits for an answer before it asks again is not left waiting."""
    command = [sys.executable, "-m", "worldwise", "batch", "suit", "--processes", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ) as running:
        for north in ("AQ", "AQT9", "K"):
            running.stdin.write(f"{north} 432\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["north"] == north
        running.stdin.close()
        assert running.wait(PATIENCE) == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_interrupt_ends_it_while_nothing_is_asked():
    command = [sys.executable, "-m", "worldwise", "batch", "suit"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as running:
        running.stdin.write("AQ 32\n")
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(2)
        assert running.wait(PATIENCE) == 130
        assert running.stderr.read() == "worldwise: interrupted\n"
