"""Rules of the tree that no linter knows."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import worldwise

SOURCE = Path(worldwise.__file__).parent


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_one_module_imports_the_kernels():
    users = [path.name for path in SOURCE.rglob("*.py") if any("_kernels" in name for name in imports(path))]
    assert users == ["kernels.py"]


def test_every_public_name_exists_and_is_documented():
    for name in worldwise.__all__:
        assert getattr(worldwise, name).__doc__, name


def test_type_checkers_are_told_of_every_public_name_and_where_it_is():
    told = {name for name in imports(SOURCE / "__init__.pyi") if name != "__version__"}
    assert told == {f"worldwise.{module}.{name}" for module, names in worldwise._NAMES.items() for name in names}


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
    assert run.stdout.split() == ["worldwise"]
