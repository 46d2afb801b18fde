"""A real Chromium for tests, headless, spoken to through a pipe: Chrome's DevTools protocol with nothing in between.

Chromium reads commands from its file 3 and writes answers to its file 4, JSON with a zero byte after each. So there is
no driver to install, no port and no socket.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 30
"""Seconds until something that should be there counts as missing."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)

START = """
import os, sys
os.dup2(int(sys.argv[1]), 103)
os.dup2(int(sys.argv[2]), 104)
os.dup2(103, 3)
os.dup2(104, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Becomes Chromium, the two pipes in their places; out of the way first, because they may stand in each other's."""

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40}


def find_chromium():
    """Where a Chromium is, or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A process of Chromium; each ``page`` is a window of its own, with nothing remembered."""

    def __init__(self, path, folder):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        start = [sys.executable, "-I", "-S", "-c", START, str(theirs_in), str(theirs_out)]
        self.process = subprocess.Popen(
            [*start, path, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.ours_in, self.ours_out = ours_in, ours_out
        self.numbers, self.rest, self.pages = count(1), b"", {}

    def call(self, method, session=None, **parameters):
        """Ask, and wait for the answer; what else comes in goes to its page."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.ours_out, json.dumps(message).encode() + b"\0")
        while (answer := self._heard()).get("id") != number:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _heard(self):
        while b"\0" not in self.rest:
            more = os.read(self.ours_in, 1 << 16)
            if not more:
                raise EOFError("Chromium has ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        page = self.pages.get(event.get("sessionId"))
        if page is not None:
            page.note(event["method"], event["params"])

    def page(self, width=1280, height=900, dark=False):
        """A new window of some size, bright or dark."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        page.prefer("dark" if dark else "light")
        return page

    def close(self):
        """End it."""
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (EOFError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.ours_in)
        os.close(self.ours_out)


class Page:
    """A window: goes somewhere, does what a person does, and says what is there."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.faults = []

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def note(self, method, parameters):
        """Remember whatever a console would show in red."""
        if method == "Runtime.exceptionThrown":
            self.faults.append(parameters["exceptionDetails"]["exception"].get("description", "an exception"))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.faults.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.faults.append(str(parameters["args"]))

    def resize(self, width, height):
        narrow = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=narrow)

    def prefer(self, scheme):
        """What the system says about light and dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def go_offline(self):
        self.call("Network.enable")
        speeds = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.call("Network.emulateNetworkConditions", offline=True, **speeds)

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def js(self, expression):
        """The value of an expression on the page."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise AssertionError(f"{expression}: {told['exceptionDetails']['exception'].get('description')}")
        return told["result"].get("value")

    def wait(self, expression):
        """Wait until something is true."""
        end = monotonic() + PATIENCE
        while not self._is_true(expression):
            assert monotonic() < end, (
                f"waited {PATIENCE} seconds for {expression}; there is:\n{self.text('main')[:800]}"
            )
            sleep(0.02)

    def _is_true(self, expression):
        try:
            return self.js(f"Boolean({expression})")
        except RuntimeError as error:
            if "navigated" not in str(error):
                raise
            return False  # a page that is just leaving has nothing to say

    def text(self, selector):
        """What a person reads there."""
        return self.js(f"document.querySelector({selector!r})?.innerText ?? ''")

    def wait_text(self, selector, words):
        self.wait(f"(document.querySelector({selector!r})?.innerText ?? '').includes({words!r})")

    def count(self, selector):
        return self.js(f"document.querySelectorAll({selector!r}).length")

    def click(self, selector):
        """Press the mouse where a person sees it, once it is there and stands still."""
        self.wait(f"document.querySelector({selector!r})")
        place, before = self._place(selector), None
        while place != before:
            sleep(0.02)
            place, before = self._place(selector), place
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def _place(self, selector):
        """Its middle, brought into sight."""
        return self.js(
            f"(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key):
        """A key, down and up."""
        code = KEYS.get(key, ord(key[0].upper()))
        letter = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **letter)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def rewrite(self, selector, text):
        """Type over what stands in a field."""
        self.click(selector)
        self.js(f"document.querySelector({selector!r}).select()")
        if text:
            self.type(text)
        else:
            self.js("document.execCommand('delete')")

    def picture(self, path, whole=False):
        """What it looks like, as PNG."""
        options = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options = {"captureBeyondViewport": True, "clip": {**size, "scale": 1}}
        taken = self.call("Page.captureScreenshot", format="png", **options)
        Path(path).write_bytes(base64.b64decode(taken["data"]))
