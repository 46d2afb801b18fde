"""A server of the pages in a process of its own, which can be killed, and a client that asks it over the wire."""

import http.client
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager

PATIENCE = 600.0
"""Seconds."""


class WebProcess:
    """A server that keeps games in a folder; started again, it has another port."""

    def __init__(self, folder):
        self.folder, self.process, self.port, self.said = folder, None, None, []

    def start(self):
        command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser", "--games", self.folder]
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ
        )
        self.said = []
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", self._line())):
            pass
        self.port = int(found[1])
        return self

    def _line(self):
        line = self.process.stdout.readline()
        assert line, f"expected the server to say where it is, found {self.said}"
        self.said.append(line)
        return line

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, path, **inputs):
        """The status and the JSON of an answer; ``OSError`` or ``HTTPException`` if the server dies meanwhile."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            body, kind = json.dumps(inputs), {"content-type": "application/json"}
            connection.request("POST", f"/api/kriegspiel/{path}", body, kind)
            answer = connection.getresponse()
            content = answer.read()
            is_json = "json" in answer.headers["content-type"]
            return answer.status, json.loads(content) if is_json else content.decode()
        finally:
            connection.close()

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()


@contextmanager
def web_process(folder):
    server = WebProcess(folder).start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
