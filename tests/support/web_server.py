"""Servers that really listen, at 127.0.0.1: the command in a process of its own, or an application in a thread."""

import http.client
import os
import re
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Thread
from time import sleep

import uvicorn

from worldwise.web.server import config_of, listen

PATIENCE = 60
"""Seconds for what should take none."""


@dataclass(frozen=True)
class Reply:
    """What came back over the wire."""

    status: int
    headers: dict
    body: bytes


@dataclass(frozen=True)
class Place:
    """Where a server listens, and what it said and warned of when it began."""

    port: int
    said: str = ""
    warned: str = ""
    server: uvicorn.Server | None = None

    def ask(self, target, method="GET", body=None, **headers):
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, given)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def connect(self, *, sending=b"", receiving=None):
        """A connection that has said something, and perhaps takes but few bytes at a time."""
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receiving:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receiving)
        made.settimeout(PATIENCE)
        made.connect(("127.0.0.1", self.port))
        made.sendall(sending)
        return made

    @contextmanager
    def crowd(self, count, sending):
        """So many connections that have said something."""
        with ExitStack() as stack:
            yield [stack.enter_context(self.connect(sending=sending)) for _ in range(count)]


@contextmanager
def command(*options, lines=1, **environment):
    """``worldwise web`` in a process of its own; it says so many lines when it begins."""
    asked = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser", *options]
    with ExitStack() as stack:
        warned = stack.enter_context(NamedTemporaryFile("r"))
        pipes = {"stdout": subprocess.PIPE, "stderr": warned, "text": True, "env": {**os.environ, **environment}}
        process = stack.enter_context(subprocess.Popen(asked, **pipes))
        stack.callback(process.terminate)
        said = "".join(process.stdout.readline() for _ in range(lines))
        yield Place(int(re.search(r":(\d+)/", said)[1]), said, Path(warned.name).read_text())


@contextmanager
def serving(app):
    """An application in a thread of this process."""
    with listen("127.0.0.1", 0) as listening:
        server = uvicorn.Server(config_of(app))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started:
                sleep(0.01)
            yield Place(listening.getsockname()[1], server=server)
        finally:
            server.should_exit = True
            thread.join()
