"""Rules of the tree that no linter knows."""

import ast
from pathlib import Path

import worldwise

SOURCE = Path(worldwise.__file__).parent


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_engines_import_the_kernels():
    users = {path.parent.name for path in SOURCE.rglob("*.py") if any("_kernels" in name for name in imports(path))}
    assert users == {"engines"}


def test_every_public_name_exists_and_is_documented():
    for name in worldwise.__all__:
        assert getattr(worldwise, name).__doc__, name
