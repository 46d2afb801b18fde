"""Matches at kriegspiel: games by number and seed, figures, and runs that resume."""

import json
from dataclasses import replace

import pytest

from kriegspiel_play import TINY
from older_files import without_seals
from worldwise.core.statistics import wilson
from worldwise.errors import InputError, WorldwiseError
from worldwise.kriegspiel.match import KriegspielMatch, KriegspielSummary, MatchGame
from worldwise.kriegspiel.match_run import KriegspielMatchRun
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer, RandomTriesPlayer
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import replay
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.rules.umpire import WILD16, End
from worldwise.kriegspiel.views.match import match_json, match_table, match_words
from worldwise.runs.runners import Serial, complete_file, runner

RULES = replace(WILD16, ply_limit=30)
DICE = KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), RULES, TINY)
COMMAND = ("kriegspiel", "match", "rand", "rand", "--fen", "rqkr/pppp/PPPP/RQKR w", "--ply-limit", 30)
UNEVEN = KriegspielMatch(GreedyPlayer(boards=3, pool=10), RandomTriesPlayer(), RULES, TINY)


# ---------------------------------------------------------------------- games


def test_a_game_depends_on_its_number_and_seed_only():
    assert DICE.play(1, 5) == DICE.play(1, 5)
    assert DICE.play(1, 5).tries != DICE.play(1, 6).tries
    assert UNEVEN.play(2, 5) == UNEVEN.play(2, 5)


def test_colours_alternate():
    assert UNEVEN.names(1) == tuple(reversed(UNEVEN.names(2)))
    assert UNEVEN.names(1)[0].startswith("greedy")
    assert [MatchGame(number, WHITE, End.MATE, 9, "").score for number in (1, 2)] == [1, -1]
    assert [MatchGame(number, BLACK, End.MATE, 9, "").score for number in (1, 2)] == [-1, 1]
    assert MatchGame(1, None, End.PLIES, 9, "").score == 0


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("first", [TINY, START], ids=["4x4", "8x8"])
def test_a_row_tells_all_of_a_game(kernels, number, first):
    match = KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), RULES, first)
    game = match.play(number, seed=3)
    assert MatchGame.of(number, json.loads(json.dumps(game.row))) == game
    record = match.record(game)
    assert record.first == first
    assert read_pgn(pgn(record)) == (record,)
    state = replay(record)
    assert (state.end, state.plies, len(state.events)) == (game.end, game.plies, game.tried)
    if game.winner is not None:
        assert record.result == ("1-0", "0-1")[game.winner]


def test_kernels_change_nothing(monkeypatch):
    match = KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), replace(WILD16, ply_limit=40))
    fast = match.play(1, 7)
    monkeypatch.setenv("WORLDWISE_KERNELS", "off")
    assert match.play(1, 7) == fast


def test_a_match_needs_a_board_to_play_from():
    with pytest.raises(InputError, match=r"found one where the game is over \(neither side can mate\)"):
        KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), first_board=read_fen("k7/8/8/8/8/8/8/K7 w"))
    with pytest.raises(InputError, match="expected at least one game, found 0"):
        KriegspielMatchRun(DICE, 0)


# ---------------------------------------------------------------------- figures


def test_figures_against_hand_computation():
    games = [
        MatchGame(1, WHITE, End.MATE, 10, "a b c"),
        MatchGame(2, WHITE, End.MATE, 20, "a"),
        MatchGame(3, None, End.PLIES, 30, ""),
        MatchGame(4, BLACK, End.MATE, 40, "a b c d"),
    ]
    summary = KriegspielSummary(games)
    assert (summary.wins, summary.losses, summary.draws) == (wilson(2, 4), wilson(1, 4), wilson(1, 4))
    assert (summary.won_by(WHITE), summary.won_by(BLACK)) == (wilson(2, 4), wilson(1, 4))
    assert (summary.plies.value, summary.tries.value) == (25.0, 2.0)
    assert summary.ends == {End.MATE: 3, End.PLIES: 1}
    told = match_json(replace(DICE, budget=Budget(boards=3)), summary, seed=7)
    assert json.loads(json.dumps(told)) == told
    assert (told["boards"], told["seconds"], told["seed"]) == (3, None, 7)
    assert told["rows"][1] == {
        "game": 2,
        "first_colour": "black",
        "winner": "white",
        "end": "mate",
        "plies": 20,
        "tries": "a",
    }
    assert match_table(DICE, summary).row_count == 5
    assert match_words(summary)[1] == "how games ended: mate 3, the limit of plies 1"
    with pytest.raises(InputError, match="expected at least one game that was played"):
        KriegspielSummary([])


# ---------------------------------------------------------------------- runs


class Interrupted:
    """Ctrl-C at a game."""

    def __init__(self, game):
        self.game = game

    def rows(self, task, missing):
        def stop(pair):
            if pair.setting["game"] == self.game:
                raise KeyboardInterrupt
            return task(pair)

        return Serial().rows(stop, missing)


def test_runs_resume_with_no_game_lost_or_doubled(tmp_path):
    path, whole, run = tmp_path / "match.jsonl", tmp_path / "whole.jsonl", KriegspielMatchRun(DICE, count=6, seed=2)
    complete_file(whole, run, Serial())
    with pytest.raises(KeyboardInterrupt):
        complete_file(path, run, Interrupted(4))
    assert len(run.read_games(path)) == 3
    with path.open("a") as file:
        file.write('{"setting":{"game":4},"se')  # killed in the middle of a line
    assert complete_file(path, run, Serial()) == 3
    assert run.read_games(path) == run.read_games(whole)
    assert [game.number for game in run.read_games(path)] == [1, 2, 3, 4, 5, 6]
    assert path.read_bytes().splitlines()[1:] == whole.read_bytes().splitlines()[1:]
    assert complete_file(path, run, Serial()) == 0


def test_a_match_can_be_made_longer(tmp_path):
    path = tmp_path / "match.jsonl"
    complete_file(path, KriegspielMatchRun(DICE, count=2), Serial())
    assert complete_file(path, KriegspielMatchRun(DICE, count=3), Serial()) == 1


def test_who_asks_for_fewer_games_has_the_first(tmp_path):
    path, run = tmp_path / "match.jsonl", KriegspielMatchRun(DICE, count=5)
    with pytest.raises(KeyboardInterrupt):
        complete_file(path, run, Interrupted(5))
    kept = path.read_bytes()
    assert complete_file(path, KriegspielMatchRun(DICE, count=2), Serial()) == 0
    assert path.read_bytes() == kept
    assert KriegspielMatchRun(DICE, count=2).read_games(path) == run.read_games(path)[:2]
    lines = kept.splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))
    assert complete_file(path, KriegspielMatchRun(DICE, count=2), Serial()) == 1
    assert complete_file(path, run, Serial()) == 1
    assert [game.number for game in run.read_games(path)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("setting", ['{"game":"x"}', '{"game":0}', '{"game":1.5}', '{"game":3,"x":1}', "{}"])
def test_rows_of_no_game_are_refused(tmp_path, setting):
    path, run = tmp_path / "match.jsonl", KriegspielMatchRun(DICE, count=2)
    complete_file(path, run, Serial())
    path.write_text(without_seals(path.read_text()).replace('{"game":2}', setting))
    with pytest.raises(InputError, match="line 3: a match of 2 games has no row at"):
        run.read_games(path)


@pytest.mark.parametrize(
    "other",
    [
        KriegspielMatchRun(DICE, 2, seed=1),
        KriegspielMatchRun(UNEVEN, 2),
        KriegspielMatchRun(replace(DICE, rules=WILD16), 2),
        KriegspielMatchRun(replace(DICE, first_board=START), 2),
        KriegspielMatchRun(replace(DICE, budget=Budget(boards=3)), 2),
    ],
)
def test_another_match_is_refused(other, tmp_path):
    complete_file(tmp_path / "match.jsonl", KriegspielMatchRun(DICE, 2), Serial())
    with pytest.raises(InputError, match="expected"):
        complete_file(tmp_path / "match.jsonl", other, Serial())


@pytest.mark.parametrize(
    ("games", "change", "error"),
    [
        (1, ('"plies":', '"plies":"x","p":'), ": game 1: expected the row of a game, found something else (ValueError"),
        (3, ('"end":"', '"end":"bored'), ": game 3: expected the row of a game, found something else (KeyError"),
        (3, ('"winner":', '"loser":'), ": game 3: expected the row of a game, found something else (KeyError: 'winner"),
    ],
)
def test_a_game_that_is_none_is_said_to_be(worldwise_command, tmp_path, games, change, error):
    path = tmp_path / "match.jsonl"
    command = (*COMMAND, "--games", games, "--output", "match.jsonl")
    worldwise_command(*command)
    *lines, last = without_seals(path.read_text()).splitlines(keepends=True)
    path.write_text("".join([*lines, last.replace(*change)]))
    done = worldwise_command(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"worldwise: match.jsonl{error}" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("older", [False, True])
def test_a_damaged_game_is_left_out_and_played_again(worldwise_command, tmp_path, older):
    path = tmp_path / "match.jsonl"
    command = (*COMMAND, "--games", 3, "--output", "match.jsonl")
    first = worldwise_command(*command)
    text = without_seals(path.read_text()) if older else path.read_text()
    *lines, last = text.splitlines(keepends=True)
    path.write_text("".join([*lines, last.replace('"plies":', '"plies":"x","p":')]))
    done = worldwise_command(*command)
    assert (done.returncode, done.stdout) == (0, first.stdout)
    assert "worldwise: left out: match.jsonl, line 4: expected a" in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(path.read_text().splitlines()) == 5


def test_tries_that_nobody_made(worldwise_command, tmp_path):
    path, command = tmp_path / "match.jsonl", (*COMMAND, "--games", 1, "--output", "match.jsonl")
    worldwise_command(*command)
    path.write_text(without_seals(path.read_text()).replace('"tries":"', '"tries":"z9z9 '))
    done = worldwise_command(*command, "--pgn", "match.pgn")
    assert (done.returncode, "match.jsonl: expected a square" in done.stderr) == (2, True)


@pytest.mark.parametrize("pgn_name", ["match.jsonl", "./match.jsonl", "../{}/match.jsonl"])
def test_kept_games_are_not_written_over_by_their_pgn(worldwise_command, tmp_path, pgn_name):
    command = (*COMMAND, "--games", 1, "--output", "match.jsonl")
    worldwise_command(*command)
    kept = (tmp_path / "match.jsonl").read_bytes()
    done = worldwise_command(*command, "--pgn", pgn_name.format(tmp_path.name))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--pgn: expected another file than that of --output, found" in done.stderr
    assert (tmp_path / "match.jsonl").read_bytes() == kept


def test_what_the_command_says(worldwise_command, monkeypatch):
    done = worldwise_command(*COMMAND, "--games", 1, "--output", "match.jsonl")
    assert "ply_limit=30, 1 game\n" in "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    other = worldwise_command(*COMMAND, "--games", 1, "--seed", 3, "--output", "match.jsonl")
    assert (other.returncode, "expected seed 3, found 0" in other.stderr, "--out" in other.stderr) == (2, True, False)
    told = worldwise_command(*COMMAND, "--games", 1, "--seed", 3, "--boards", 5, "--json").json
    assert (told["seed"], told["boards"], told["seconds"]) == (3, 5, None)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert "games/s" in worldwise_command(*COMMAND, "--games", 1).stderr


def test_processes_change_nothing(tmp_path):
    run = KriegspielMatchRun(UNEVEN, count=4, seed=1)
    for jobs in (1, 2):
        complete_file(tmp_path / f"{jobs}.jsonl", run, runner(jobs))
    assert run.read_games(tmp_path / "1.jsonl") == run.read_games(tmp_path / "2.jsonl")


def test_an_error_says_in_which_game(tmp_path):
    class Mute:
        def sit(self, start):
            raise LookupError(f"no chair for {start.colour}")

    with pytest.raises(WorldwiseError, match="measuring at game=1, seed 0 failed: LookupError: no chair for white"):
        complete_file(tmp_path / "match.jsonl", KriegspielMatchRun(replace(DICE, first=Mute()), 1), Serial())
