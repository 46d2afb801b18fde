"""Every file in examples/ runs as it stands, and says what it should."""

import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE
from worldwise import read_tree, solve

EXAMPLES = Path(__file__).parents[1] / "examples"

SAYS = {
    "own_game.py": ["complete=True", "monte-carlo       1.000    0.333", "exact             0.667    0.667"],
    "own_extensive_game.py": [
        "Prospector(forgets=False) has perfect recall",
        "imp-minimax  believes 113/5  is worth 113/5",
        "imp-minimax  believes 113/5  is worth -11/5",
        "written and read again: ExtensiveGame(",
    ],
    "own_hidden_game.py": [
        "Playouts(games=10, ended=10, positions=161)",
        "if he moves at random    drop the next into 2: worth +0.06",
        "if he does the worst     drop the next into 0: worth -1.00",
        "if he flees              drop the next into 0: worth +1.00",
    ],
    "own_experiment.py": ["10 worlds: 22.5% of 40 trees", "undecided"],
    "epimc.py": [
        "1 of declarer's cards ahead: EPIMC is right in 13 of 17",
        "3 of declarer's cards ahead: EPIMC is right in 15",
    ],
    "played_leaves.py": ["M = 1, then played out by pimc: right in 15 of 17", "by alpha-mu-2: right in 15 of 17"],
    "drill_player.py": ["right to the end", "on average you gave away"],
    "mini_whist.py": ["positions=155", "alpha-mu against random: +0.600 a game, 95 % interval +0.044", "against pimc"],
    "phantom_tic_tac_toe.py": ["positions=396", "information-set against random", "is-mcts against random: +0.667"],
    "own_algorithm.py": ["exact    bold  550", "cautious safe  333"],
}
VALUES = {"nine_never.json": 24 / 46}


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in SAYS[example.name]:
        assert words in done.stdout


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_example_tree_is_read_and_solved(example):
    with example.open("rb") as file:
        assert solve(read_tree(file)).value == VALUES[example.name]
