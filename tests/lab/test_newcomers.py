"""What users bring along: an algorithm, an opponent or an experiment of their own, from a module or a file."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from processes import worldwise as run_worldwise
from worldwise import judge
from worldwise.errors import InputError, WorldwiseError
from worldwise.lab.newcomers import enter
from worldwise.lab.own_experiments import find_experiment, find_experiments
from worldwise.lab.papers import load, load_all
from worldwise.lab.papers.fb01.errors import TEN
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import find_runs, read_results
from worldwise.lab.user_code import load_object, ready_searcher
from worldwise.lab.views.report import picture
from worldwise.runs.rows import Setting
from worldwise.runs.runners import Serial, runner
from worldwise.search.knowledge import known_worlds

ROOT = Path(__file__).parents[2]
SAMPLES = f"{ROOT / 'examples' / 'own_experiment.py'}:SAMPLES"

MINE = '''
class Lowest:
    """A declarer who plays the lowest card there is; as a defender he does the same."""

    name = "lowest"

    def sit(self, seed, vulnerability=None):
        return self

    def choose(self, view):
        from worldwise.bridge.players.world_sample import legal_cards

        return legal_cards(view)[-1]


class Failing(Lowest):
    name = "failing"

    def choose(self, view):
        return 1 // 0


class First:
    """A player of kriegspiel who tries the first move there is."""

    name = "first"

    def sit(self, start):
        return self

    def hear(self, event):
        pass

    def choose(self, view):
        return list(view.tries)[0]


class Rand(First):
    name = "rand"


class PrmAgain:
    """Payoff reduction by another name."""

    name = "prm again"

    def __init__(self, ties=None):
        self.ties = ties

    def search(self, game, limit=None):
        from worldwise import algorithm

        return algorithm("prm", self.ties).search(game)


PrmAgain.__dataclass_fields__ = {"ties": None}


class Lazy:
    """Has no moves to offer."""

    name = "lazy"

    def search(self, game, limit=None):
        from dataclasses import replace

        from worldwise import solve

        return replace(solve(game), strategy={})


class ImpAgain:
    """IMP-minimax by another name."""

    name = "imp again"

    def search(self, game, limit=None):
        from worldwise.search.imp import ImpMinimax

        return ImpMinimax().search(game)


class Needy:
    def __init__(self, depth):
        self.depth = depth


class Odd(Lowest):
    name = "no/name"


SEVEN = 7


def trees(seed):
    from worldwise import random_tree

    return random_tree(depth=3, worlds=4, seed=seed)


def tricks(seed):
    """Payoffs from 0 to 13, and worlds that are not equally likely."""
    import numpy as np

    return trees(0).with_payoffs(np.random.default_rng(seed).integers(0, 14, (8, 4)).astype(float), (1, 2, 3, 4))


def uneven(seed):
    from worldwise import random_tree

    return random_tree(depth=2, worlds=2 + (seed > 0), seed=seed)


def one_world():
    from worldwise import random_tree

    return random_tree(depth=2, worlds=1)


def endless(seed):
    class Endless:
        worlds, weights, root = 2, (1, 1), 0
        to_move = lambda self, position: __import__("worldwise").Side.MAX
        moves = lambda self, position: (0,)
        play = lambda self, position, move: position + 1
        payoffs = lambda self, position: (0, 0)

    return Endless()


def broken(seed):
    return 1 // 0
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def entered(experiment, mine, name, role="algorithm"):
    return enter(load(experiment), {role: f"{mine}:{name}"})


def smoke(experiment, folder, how=Serial()):  # noqa: B008
    plan = Plan(experiment, "smoke")
    carry_out(plan, folder, how)
    return read_results(plan, folder)


# ---------------------------------------------------------------------- newcomers


@pytest.mark.parametrize("name", ["clv21/table-4", "clv21/fig-6", "clv21/fig-7"])
def test_a_declarer_has_one_more_line(name, mine, tmp_path):
    results = smoke(entered(name, mine, "Lowest"), tmp_path)
    lines = [record for record in results.summary.records() if "lowest" in record.values()]
    paper = smoke(load(name), tmp_path)
    assert len(lines) == len(results.summary.rows) - len(paper.summary.rows) >= 1
    assert results.path.name.startswith(f"{name.replace('/', '-')}+lowest.smoke")
    assert all(claim.text.startswith("lowest ") and claim.test for claim in results.experiment.claims)
    assert b"lowest" in picture(results, "svg")


def test_a_newcomer_meets_the_papers_deals(mine, tmp_path):
    """By the same seeds: whatever the paper's declarers did is in the newcomer's rows too."""
    paper, with_lowest = (
        smoke(one, tmp_path) for one in (load("clv21/table-4"), entered("clv21/table-4", mine, "Lowest"))
    )
    assert [row["made"] for row in paper.rows] == [row["made"] for row in with_lowest.rows]
    assert {row["newcomer.made"] for row in with_lowest.rows} <= {True, False}


def test_a_defence_takes_the_place_of_the_papers(mine, tmp_path):
    results = smoke(entered("clv21/table-4", mine, "Lowest", "opponent"), tmp_path)
    assert {record["defence"] for record in results.summary.records()} == {"lowest"}
    assert results.path.name == "clv21-table-4+against-lowest.smoke.0.jsonl"
    assert results.experiment.claims[0].text == "Against lowest alpha-mu with M = 2 makes more contracts than PIMC"


@pytest.mark.parametrize("name", ["pns06/fig-2", "pns06/fig-3", "pns06/fig-5"])
def test_a_player_of_kriegspiel_stands_beside_the_papers(name, mine, tmp_path):
    """Whose games are not played again: they come with the package."""
    results = smoke(entered(name, mine, "First"), tmp_path)
    assert {row["player"] for row in results.rows} == {"first"}
    assert {"first", "overconfident"} <= {record["player"] for record in results.summary.records()}
    assert all(verdict.because for verdict in results.verdicts)
    assert picture(results, "png")


def test_an_opponent_meets_the_papers_players(mine, tmp_path):
    results = smoke(entered("pns06/fig-2", mine, "First", "opponent"), tmp_path)
    assert {row["against"] for row in results.rows} == {"first"}
    assert {"overconfident", "paranoid"} <= {row["player"] for row in results.rows}


def test_the_papers_verdicts_do_not_rest_on_a_newcomers_rows(mine, tmp_path):
    newcomer = entered("clv21/table-4", mine, "Lowest")
    smoke(newcomer, tmp_path)
    paper = load("clv21/table-4")
    assert find_runs(paper, tmp_path).best.shipped
    assert [run.path.name for run in find_runs(newcomer, tmp_path).runs] == ["clv21-table-4+lowest.smoke.0.jsonl"]


def test_code_that_has_changed_measures_something_else(mine, tmp_path):
    smoke(entered("clv21/table-4", mine, "Lowest"), tmp_path)
    mine.write_text(MINE.replace("[-1]", "[0]"))
    with pytest.raises(InputError, match="expected code"):
        smoke(entered("clv21/table-4", mine, "Lowest"), tmp_path)


def test_processes_find_the_file(mine, tmp_path):
    experiment = entered("clv21/table-4", mine, "Lowest")
    assert smoke(experiment, tmp_path / "one").rows == smoke(experiment, tmp_path / "two", runner(2)).rows


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SEVEN", "expected a bridge player, with a method sit, found 7"),
        ("Needy", "Needy failed: TypeError: "),
        ("Nobody", "unknown name in .*mine.py 'Nobody'"),
        ("Odd", "expected a name of up to 40 letters"),
    ],
)
def test_what_cannot_enter_is_told(mine, name, message):
    with pytest.raises(InputError, match=f"^--algorithm: .*{message}"):
        entered("clv21/table-4", mine, name)


def test_names_that_are_taken(mine):
    with pytest.raises(InputError, match="expected a name of its own, found 'rand'"):
        entered("pns06/fig-2", mine, "Rand")


def test_who_takes_whom(mine):
    with pytest.raises(InputError, match="nobody can enter clv21/table-1"):
        entered("clv21/table-1", mine, "Lowest")
    with pytest.raises(InputError, match="clv21/fig-6 takes --algorithm"):
        entered("clv21/fig-6", mine, "Lowest", "opponent")
    with pytest.raises(InputError, match="expected one newcomer, found --algorithm and --opponent"):
        enter(load("clv21/table-4"), {"algorithm": f"{mine}:Lowest", "opponent": f"{mine}:Lowest"})


@pytest.mark.parametrize("name", ["fb01/fig-27", "fb01/fig-30", "beyond/branching", "beyond/worlds"])
def test_a_searcher_by_another_name_errs_where_it_errs_by_its_own(name, mine, tmp_path):
    """Tree by tree and in batches, ties included; rows say that both err on the same trees."""
    results = smoke(entered(name, mine, "PrmAgain"), tmp_path)
    for row in results.rows:
        own = {key: value for key, value in row.items() if key.startswith("prm again.")}
        assert own
        assert all(row[key.replace("prm again", "prm")] == value for key, value in own.items())
        both = [key for key in row if "&prm again" in key and key.startswith("prm.")]
        assert both
        assert all(row[key] == row[key.split("&")[0] + ".errors"] for key in both)
    assert "prm again" in results.summary.column("algorithm")
    assert b"prm again" in picture(results, "svg")
    level = next(
        pair for pair in zip(results.experiment.claims, results.verdicts, strict=True) if "than prm on" in pair[0].text
    )
    assert "+0.0%" in level[1].because


# ---------------------------------------------------------------------- games


@pytest.mark.parametrize("name", ["trees", "tricks"])
def test_on_a_game_of_your_own_the_algorithms_err_where_judge_says_so(name, mine):
    experiment = entered("fb01/fig-27", mine, name, "game")
    row = experiment.measure(Setting(depth=3, worlds=4, trees=12), seed=5)
    rng, errors = Random(5), Counter()
    for seed in [rng.getrandbits(63) for _ in range(12)]:
        for known in range(4):
            worlds = known_worlds(4, Fraction(known, 3), seed)
            for found in judge(load_object(f"{mine}:{name}")(seed), TEN, seed=seed, known=worlds):
                errors[f"{found.result.algorithm}.{known}.errors"] += not found.optimal
    assert {key: value for key, value in row.items() if key.endswith(".errors")} == errors
    assert 0 < errors["monte-carlo.3.errors"] <= 12
    assert all(0 <= row[key] <= 4 * 12 for key in row if key.endswith(".lost"))


def test_who_errs_at_the_three_doors_loses_one_of_three(tmp_path):
    """Whoever switches wins two doors of three, and whoever stays at some door one fewer, whatever the host knows."""
    results = smoke(enter(load("fb01/fig-27"), {"game": f"{ROOT / 'examples' / 'own_game.py'}:ThreeDoors"}), tmp_path)
    (row,) = results.rows
    assert row["monte-carlo.2.errors"] > row["iprm-beta.2.errors"] == 0
    assert all(row[f"{name}.{known}.lost"] == row[f"{name}.{known}.errors"] for name in TEN for known in range(3))
    assert results.path.name == "fb01-fig-27+on-threedoors.smoke.0.jsonl"
    assert results.experiment.title.endswith("knowledge, on ThreeDoors")
    assert all(claim.text.startswith("On ThreeDoors, ") and claim.test for claim in results.experiment.claims)
    assert b"iprm-beta" in picture(results, "svg")


def test_games_of_your_own_are_the_same_on_several_processes(mine, tmp_path):
    experiment = entered("fb01/fig-27", mine, "trees", "game")
    assert smoke(experiment, tmp_path / "one").rows == smoke(experiment, tmp_path / "two", runner(2)).rows


def test_the_q_of_a_game_of_your_own(mine, tmp_path):
    """Random trees whose worlds have nothing in common."""
    results = smoke(entered("fb01/measured-q", mine, "trees", "game"), tmp_path)
    (line,) = results.summary.records()
    assert line["games"] == "trees"
    assert line["q"].low <= 0.1 < line["q"].high < 0.65
    assert [verdict.outcome.value for verdict in results.verdicts] == ["fails"]
    assert b"trees" in picture(results, "svg")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SEVEN", "expected a WorldGame, or what makes one, found 7"),
        ("Lowest", "expected a WorldGame, or what makes one, found <"),
        ("one_world", "expected a game of two worlds or more, found 1"),
        ("endless", "endless: the game has more than 1000000 nodes"),
        ("broken", "broken failed in line [0-9]+: ZeroDivisionError"),
    ],
)
def test_what_is_no_game_is_told(mine, name, message):
    with pytest.raises(InputError, match=f"^--game: .*{message}"):
        entered("fb01/fig-27", mine, name, "game")


def test_games_of_one_run_have_equally_many_worlds(mine, tmp_path):
    with pytest.raises(WorldwiseError, match="expected 2 worlds, as in the first game, found 3"):
        smoke(entered("fb01/fig-27", mine, "uneven", "game"), tmp_path)


def test_a_strategy_without_moves_is_told(mine, tmp_path):
    with pytest.raises(InputError, match=r"Lazy: expected a move at node 0"):
        smoke(entered("fb01/fig-27", mine, "Lazy"), tmp_path)


@pytest.mark.parametrize("name", ["bmv96/two-players", "bmv96/forgetting"])
def test_a_solver_by_another_name_loses_what_it_loses_by_its_own(name, mine, tmp_path):
    results, paper = smoke(entered(name, mine, "ImpAgain"), tmp_path), smoke(load(name), tmp_path)
    for row, own in zip(results.rows, paper.rows, strict=True):
        assert {key: row[key] for key in own} == own
        assert [row[f"newcomer.{key}"] for key in ("wrong", "lost", "products")] == [
            own[key] for key in ("wrong", "lost", "lost_squares")
        ]
    assert results.summary.column("lost by imp again") == paper.summary.column("lost")
    assert b"imp again" in picture(results, "svg")
    assert "+0.0%" in results.verdicts[0].because


def test_a_solver_without_a_profile_is_told(mine, tmp_path):
    with pytest.raises(InputError, match="PrmAgain failed"):
        smoke(entered("bmv96/two-players", mine, "PrmAgain"), tmp_path)


# ---------------------------------------------------------------------- places


def test_a_file_that_fails_is_told_with_its_line(tmp_path):
    path = tmp_path / "broken.py"
    for text, words in (
        ("x = 1\n1 / 0\n", "line 2: ZeroDivisionError"),
        ("def\n", "line 1: SyntaxError"),
        ("import sys\nsys.exit(3)", "line 2: SystemExit"),
        ("raise ValueError('one\\ntwo')", "line 1: ValueError: one$"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            load_object(f"{path}:x")


def test_a_file_that_has_changed_is_loaded_anew(tmp_path):
    path = tmp_path / "number.py"
    for number in (1, 2):
        path.write_text(f"X = {number}")
        assert load_object(f"{path}:X") == number


@pytest.mark.parametrize("place", ["mine", "mine:", ":X", "a b:X", "mine.py:1", "..:X", "mine:X.y"])
def test_what_is_no_place(place):
    with pytest.raises(InputError, match=r"expected MODULE:NAME or FILE\.py:NAME"):
        load_object(place)


def test_a_searcher_breaks_ties_as_it_is_told():
    from worldwise import Ties

    cautious = ready_searcher(f"{ROOT / 'examples' / 'own_algorithm.py'}:Cautious", Ties(3))
    assert cautious.ties == Ties(3)


# ---------------------------------------------------------------------- experiments of one's own


def test_an_experiment_from_a_file_goes_everywhere(tmp_path):
    experiment = find_experiment(SAMPLES)
    assert find_experiments(SAMPLES)[0].handle == experiment.handle == SAMPLES
    results = [smoke(experiment, tmp_path / str(number), how) for number, how in enumerate((Serial(), runner(2)))]
    assert results[0].rows == results[1].rows
    assert results[0].path.name == "own-samples.smoke.0.jsonl"
    assert results[0].summary.rows
    assert picture(results[0], "svg")


@pytest.fixture
def run(tmp_path):
    """The command line in a folder of its own."""
    return lambda *arguments: run_worldwise("lab", *map(str, arguments), cwd=tmp_path)


def test_every_command_takes_it(run, tmp_path):
    done = run("run", SAMPLES, "--scale", "smoke", "--jobs", 1, "--quiet", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["experiment"], told["rows"]) == ("own/samples", 2)
    assert "own/samples" in run("list", SAMPLES).stdout
    (verdict,) = json.loads(run("verdicts", SAMPLES, "--json").stdout)
    assert verdict["command"] == f"worldwise lab run {SAMPLES} --scale smoke"
    assert json.loads(run("compare", SAMPLES, "--json").stdout)["verdicts"] == told["verdicts"]
    assert run("plot", SAMPLES).stdout.split()[-1].endswith("own-samples.png")
    assert (tmp_path / "lab-results" / "own-samples.svg").exists()


SMOKE = ("clv21/table-4", "--scale", "smoke", "--jobs", "1", "--quiet")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nothing.py:X"), "nothing.py: No such file"),
        (("run", "no_such_module:X"), "no module 'no_such_module'"),
        (("run", SAMPLES.replace("SAMPLES", "measure")), "expected an Experiment, found <function measure"),
        (("run", SAMPLES.replace("SAMPLES", "SAMPLE")), "did you mean 'SAMPLES'?"),
        (("run", *SMOKE, "--algorithm", "mine.py:Failing"), "mine.py:Failing failed in line 20: ZeroDivisionError"),
        (("run", "clv21/table-4", "--algorithm", "mine.py:SEVEN"), "expected a bridge player"),
        (("run", "own.py:BAD", *SMOKE[1:]), "own.py:BAD failed in line 5: ValueError: no luck"),
        (("run", "own.py:TAKEN"), "which is a paper's"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(run, mine, arguments, message):
    own = ROOT / "tests" / "support" / "lab_coin.py"
    (mine.parent / "own.py").write_text(
        f"import sys\nsys.path.append({str(own.parent)!r})\nfrom dataclasses import replace\n"
        "def measure(setting, seed):\n    raise ValueError('no luck')\n"
        "from lab_coin import COIN\nBAD = replace(COIN, measure=measure)\nTAKEN = replace(COIN, id='fb01/fig-7')\n"
    )
    done = run(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_every_contest_is_told_in_the_documentation():
    text = (ROOT / "docs" / "laboratory.md").read_text("utf-8")
    for experiment in load_all():
        for role in experiment.contests:
            assert (
                f"`{experiment.id}`" in text.partition("## Put your own on the scoreboard")[2].partition("\n## ")[0]
            ), role
