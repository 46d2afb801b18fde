"""A ladder: ratings from results, outside programs at the board, and the command."""

import json
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kriegspiel_play import TINY, play_game, seated
from worldwise.errors import InputError, WorldwiseError
from worldwise.kriegspiel.ladder import ADDED, MEAN, standings
from worldwise.kriegspiel.players.names import LEVELS, player_name, read_opponent, read_player
from worldwise.kriegspiel.players.outside_program import TRIES, OutsidePlayer
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.umpire import RULES, WILD16

NAMES = ("a", "b", "c")


def expected(one, other):
    return 1 / (1 + 10 ** ((other - one) / 400))


@given(
    st.lists(st.tuples(st.sampled_from([("a", "b"), ("b", "c"), ("c", "a")]), st.sampled_from([-1, 0, 1])), min_size=1)
)
def test_ratings_expect_the_scores_that_were_made(drawn):
    """The likeliest strengths are those under which everybody scores what he scored, the added draws included."""
    results = [(*pair, score) for pair, score in [*drawn, (("a", "b"), 0), (("b", "c"), 0)]]
    found = {rung.name: rung for rung in standings(NAMES, results)}
    met = {frozenset(result[:2]) for result in results}
    for name, rung in found.items():
        scored = rung.points + sum(ADDED / 2 for pair in met if name in pair)
        hoped = sum(
            expected(rung.rating.value, found[other].rating.value)
            * (sum({name, other} == set(result[:2]) for result in results) + ADDED)
            for other in NAMES
            if frozenset((name, other)) in met and other != name
        )
        assert scored == pytest.approx(hoped, abs=1e-6)
        assert name == rung.name in NAMES
        assert rung.rating.low < rung.rating.value < rung.rating.high
    assert sum(rung.rating.value for rung in found.values()) / 3 == pytest.approx(MEAN)


def test_more_games_say_more():
    few, many = (standings("ab", [("a", "b", 1), ("a", "b", -1)] * count)[0].rating for count in (5, 50))
    assert many.high - many.low < (few.high - few.low) / 2


def test_intervals_cover_the_truth():
    """Three players 200 points apart, 60 games a pair, 300 times: 95 % of 900 intervals have the true rating."""
    truth = {"a": MEAN + 200, "b": MEAN, "c": MEAN - 200}
    rng, covered = Random(5), 0
    for _ in range(300):
        results = [
            (one, other, 1 if rng.random() < expected(truth[one], truth[other]) else -1)
            for one, other in (("a", "b"), ("b", "c"), ("a", "c"))
            for _ in range(60)
        ]
        covered += sum(truth[rung.name] in rung.rating for rung in standings(NAMES, results))
    assert 0.92 < covered / 900 < 0.98


def test_counts_are_kept():
    (first, second) = standings(("a", "b"), [("a", "b", 1), ("b", "a", 0), ("b", "a", -1)])
    assert (first.name, first.won, first.drawn, first.lost, first.games, first.points) == ("a", 2, 1, 0, 3, 2.5)
    assert (second.won, second.drawn, second.lost) == (0, 1, 2)


@pytest.mark.parametrize(
    ("names", "results", "found"),
    [
        (("a",), [], "expected two players or more"),
        (("a", "a"), [], "expected two players or more"),
        (("a", "b", "c"), [("a", "b", 1)], "found some who have met none"),
    ],
)
def test_ladders_that_are_none(names, results, found):
    with pytest.raises(InputError, match=found):
        standings(names, results)


# ---------------------------------------------------------------------- outside programs

BOT = """\
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    open({log!r}, "a").write(line)
    {act}
"""
FIRST_MOVE = 'print(state["allowed_moves"][0], flush=True)'


@pytest.fixture
def bot(tmp_path):
    """A program that plays, and the file with all it was told."""

    def install(act=FIRST_MOVE):
        program, log = tmp_path / "bot.py", tmp_path / "told.jsonl"
        program.write_text(BOT.format(log=str(log), act=act))
        return OutsidePlayer("mine", f"{sys.executable} {program}"), log

    return install


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_program_plays_and_hears_what_its_colour_hears(bot, rules):
    player, log = bot()
    game = Kriegspiel(rules, (TINY,))
    state = play_game(game, RandomTriesPlayer(), player, seed=3)
    assert state.end is not None
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert {one["your_color"] for one in told} == {"black"}
    assert all(one["allowed_moves"] for one in told)
    last = told[-1]["heard"]
    assert all(one["move_uci"] is None for one in last if one["actor"] == "opponent")
    assert any(one["move_uci"] for one in last if one["actor"] == "self")
    refused = [one for one in last if one["kind"] == "illegal_move" and one["actor"] == "opponent"]
    assert not refused or rules.refusals_heard


def test_a_program_that_dies_is_started_again(bot):
    player, log = bot(f"import os; {FIRST_MOVE}; os._exit(0)")
    state = play_game(Kriegspiel(WILD16, (TINY,)), player, RandomTriesPlayer(), seed=1)
    assert state.end is not None
    assert len(log.read_text().splitlines()) > 1


def test_a_program_that_never_answers_is_given_up(bot):
    player, log = bot("import os; os._exit(1)")
    with pytest.raises(WorldwiseError, match="stops without an answer"):
        play_game(Kriegspiel(WILD16, (TINY,)), player, RandomTriesPlayer())
    assert len(log.read_text().splitlines()) == TRIES


@pytest.mark.parametrize(("answer", "found"), [("e9e9", "found 'e9'"), ("a1a1", "expected one of the allowed moves")])
def test_a_program_that_answers_nonsense_is_told_off(bot, answer, found):
    player, _ = bot(f"print({answer!r}, flush=True)")
    with pytest.raises(WorldwiseError, match=found):
        play_game(Kriegspiel(WILD16, (TINY,)), player, RandomTriesPlayer())


def test_a_program_that_is_not_there():
    with pytest.raises(WorldwiseError, match="expected a program that plays kriegspiel, found none at 'no-such-bot'"):
        play_game(Kriegspiel(WILD16, (TINY,)), OutsidePlayer("mine", "no-such-bot"), RandomTriesPlayer())


# ---------------------------------------------------------------------- levels


def test_levels_are_players():
    assert [player_name(read_player(level)) for level in LEVELS] == [
        player_name(read_player(LEVELS[x])) for x in LEVELS
    ]
    assert read_opponent("expert").vary == 0.05
    assert read_opponent(" beginner ") == read_player("simple")
    assert seated("casual", [TINY])


# ---------------------------------------------------------------------- the command


def test_a_ladder_resumes(worldwise_command, tmp_path, bot):
    player, log = bot()
    ladder = ("kriegspiel", "ladder", "rand", "simple", "--bot", f"mine={player.command}", "--ply-limit", "6", "--json")
    short = worldwise_command(*ladder, "--games", "2", "--out", str(tmp_path / "kept"))
    assert (short.returncode, short.json["games"]) == (0, 6)
    asked = len(log.read_text().splitlines())
    again = worldwise_command(*ladder, "--games", "2", "--out", str(tmp_path / "kept"))
    assert again.json == short.json
    assert len(log.read_text().splitlines()) == asked
    longer = worldwise_command(*ladder, "--games", "4", "--out", str(tmp_path / "kept"))
    assert longer.json["games"] == 12
    assert sorted(rung["player"] for rung in longer.json["ladder"]) == ["mine", "rand", "simple"]
    assert {rung["games"] for rung in longer.json["ladder"]} == {8}


def test_a_ladder_for_people(worldwise_command):
    done = worldwise_command("kriegspiel", "ladder", "rand", "simple", "--games", "2", "--ply-limit", "4")
    assert done.returncode == 0
    assert "wild16 ply_limit=4, 2 games" in done.stdout
    assert done.stdout.count("50.0 %") == 2


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("rand",), "expected two players or more, all different, found rand"),
        (("rand", "rand"), "expected two players or more, all different, found rand, rand"),
        (("rand", "nobody"), "unknown player 'nobody'"),
        (("rand", "simple", "--bot", "mine"), "--bot: expected a name and a command"),
        (("rand", "--bot", "\x1b[31mmine=python"), "--bot: expected a name and a command"),
        (("rand", "--bot", f"{'x' * 300}=python"), "--bot: expected a name and a command"),
        (("rand", "--bot", "a b=python", "--bot", "a_b=python"), "expected two players or more, all different"),
    ],
)
def test_ladders_that_are_refused(worldwise_command, arguments, found):
    done = worldwise_command("kriegspiel", "ladder", *arguments)
    assert (done.returncode, found in done.stderr) == (2, True)
