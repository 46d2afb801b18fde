"""The command line in a process of its own, with nothing of this one's terminal."""

import os

from processes import worldwise


def run(*arguments, stdin="", cwd=None, **environment):
    switches = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", **environment}
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = worldwise(*arguments, stdin=given, cwd=cwd, environment=switches)
    assert "Traceback" not in done.stderr
    return done
