"""Rules of the tree that no linter knows."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import worldwise
from worldwise.web.searches import PRELOADED

SOURCE = Path(worldwise.__file__).parent


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = {
    ".".join(("worldwise", *path.relative_to(SOURCE).with_suffix("").parts)): path for path in SOURCE.rglob("*.py")
}
GAMES = {"bridge", "extensive", "kriegspiel", "trees"}


def test_no_two_public_classes_share_a_name():
    homes = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def test_no_module_has_its_game_as_a_prefix():
    assert [name for name in MODULES if any(name.rpartition(".")[2].startswith(f"{game}_") for game in GAMES)] == []


def loaded_by(path):
    """What a module imports when it is loaded: not what type checkers alone read."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module


def test_chains_of_imports_are_short():
    """Whoever follows an import to the ground passes at most eighteen modules."""

    @cache
    def depth(module):
        return 1 + max((depth(name) for name in loaded_by(MODULES[module]) if name in MODULES), default=0)

    assert max(map(depth, MODULES)) <= 18


SEARCHES = re.compile(
    r"\.(search(\.(?!alphamu_root)|$)|solvers|solving|judging\.\w*judge|advice\.advise|play_out|suit\.solver|find_)"
)
"""What works something out; of ``alphamu_root`` views need the kinds of figures."""


def test_views_only_render():
    thinking = {
        module: found
        for module, path in MODULES.items()
        if ".views." in module and (found := [name for name in loaded_by(path) if SEARCHES.search(name)])
    }
    assert thinking == {}


def test_one_module_imports_the_kernels():
    users = [path.name for path in SOURCE.rglob("*.py") if any("_kernels" in name for name in imports(path))]
    assert users == ["kernels.py"]


PACKAGES = [worldwise, *(getattr(worldwise, room) for room in worldwise.ROOMS)]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_public_name_exists_and_is_documented(package):
    for name in package.__all__:
        found = getattr(package, name)
        assert not isinstance(found, ModuleType), f"{package.__name__}.{name} is hidden by a module of that name"
        assert found.__doc__, name


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_type_checkers_are_told_of_every_public_name_and_where_it_is(package):
    told = {name for name in imports(Path(package.__file__).with_suffix(".pyi")) if name != "__version__"}
    homes = {f"{package.__name__}.{module}" for module in package.NAMES}
    assert told == {f"{package.__name__}.{module}.{name}" for module, names in package.NAMES.items() for name in names}
    assert not {f"{package.__name__}.{name}" for name in package.__all__} & homes


def test_what_stands_at_the_top():
    """A name more is a promise more: who adds one changes this list on purpose."""
    assert worldwise.__all__ == [
        "ALGORITHMS",
        "AlphaBeta",
        "AlphaMu",
        "Belief",
        "Exact",
        "ExtensiveForm",
        "ExtensiveGame",
        "Front",
        "Game",
        "InformationSetSearch",
        "Limit",
        "MonteCarlo",
        "SearchResult",
        "Side",
        "Solution",
        "Stats",
        "Ties",
        "Vector",
        "VectorMinimax",
        "WorldGame",
        "WorldTree",
        "algorithm",
        "evaluate",
        "game",
        "judge",
        "random_tree",
        "read_efg",
        "read_tree",
        "solve",
        "solve_game",
        "tree",
        "tree_from_dict",
        "unroll",
        "write_tree",
    ]


def test_names_are_found_when_they_are_asked_for():
    assert worldwise.catalog.tree is worldwise.tree
    assert {"solve", "__version__"} <= set(dir(worldwise))
    with pytest.raises(AttributeError, match="module 'worldwise' has no attribute 'sovle'"):
        _ = worldwise.sovle


def test_importing_the_package_imports_nothing_of_it():
    """Whoever starts a process for one small thing waits for that thing only."""
    asked = (
        "import sys, worldwise; print(*[name for name in sys.modules if name.split('.')[0] in ('worldwise', 'numpy')])"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {"worldwise", "worldwise.lazy_exports"}


def test_what_workers_are_to_find_loaded_can_be_loaded():
    assert all(find_spec(name) for name in PRELOADED)


def test_tests_that_are_left_out_without_kernels_are_there():
    """A list of files goes stale quietly: what is no longer there leaves out nothing."""
    root = Path(__file__).parents[1]
    listed = re.findall(r"^(?:KERNEL_FREE|TOGETHER) := ((?:.*\\\n)*.*)$", (root / "Makefile").read_text("utf-8"), re.M)
    names = " ".join(listed).replace("\\\n", " ").split()
    assert len(names) > 20
    missing = [
        name for name in names if not (root / "tests" / Path(name).parent / f"test_{Path(name).name}.py").exists()
    ]
    assert missing == []
