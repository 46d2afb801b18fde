"""A client of the application in this process: it can say anything, even what no library would send, and leave."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from patience import PATIENCE


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()

    @property
    def events(self):
        """The server-sent events: their names and their JSON."""
        parts = [part.split("\n") for part in self.text.split("\n\n") if part]
        return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in parts]


@dataclass
class Visit:
    """A request under way: what has come in so far, and a way to leave."""

    task: asyncio.Task
    sent: list = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def body(self):
        return b"".join(message.get("body", b"") for message in self.sent)

    async def until(self, words):
        """Wait for some bytes of the answer."""
        async with asyncio.timeout(PATIENCE):
            while words not in self.body:
                await asyncio.sleep(0.005)

    async def leave(self):
        self.gone.set()
        await self.task

    async def answer(self):
        await self.task
        start = self.sent[0]
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], headers, self.body)


def visit(app, target, *, method="GET", headers=None, chunks=(b"",)):
    """Start a request; the target is raw bytes, as they would come over the wire."""
    path, _, query = (target if isinstance(target, bytes) else target.encode()).partition(b"?")
    kind = {"content-type": "application/json"} if method == "POST" else {}
    given = {"host": "127.0.0.1:8765", **kind, **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path.decode("utf-8", "replace"),
        "raw_path": path,
        "root_path": "",
        "query_string": query,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in given.items()],
        "server": ("127.0.0.1", 8765),
        "client": ("127.0.0.1", 50000),
    }
    made = Visit(None)
    body = [{"type": "http.request", "body": part, "more_body": True} for part in chunks]
    body[-1]["more_body"] = False

    async def receive():
        if body:
            return body.pop(0)
        await made.gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        made.sent.append(message)

    made.task = asyncio.create_task(app(scope, receive, send))
    return made


@asynccontextmanager
async def opened(app):
    """The application between its start and its end, as a server would have it."""
    inbox, outbox = asyncio.Queue(), asyncio.Queue()
    task = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield app
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        assert (await outbox.get())["type"] == "lifespan.shutdown.complete"
        await task


class Client:
    """The same for tests that ask one thing after the other."""

    def __init__(self, app):
        self.app = app
        self.runner = asyncio.Runner()
        self.context = opened(app)
        self.runner.run(self.context.__aenter__())

    def close(self):
        self.runner.run(self.context.__aexit__(None, None, None))
        self.runner.close()

    def ask(self, target, **options):
        async def asked():
            return await visit(self.app, target, **options).answer()

        return self.runner.run(asked())

    def ask_all(self, targets):
        async def asked():
            return [await visit(self.app, target).answer() for target in targets]

        return self.runner.run(asked())

    def stream(self, target, **options):
        return self.ask(target, headers={"accept": "text/event-stream"}, **options)
