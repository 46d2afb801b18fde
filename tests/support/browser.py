"""A real Chromium for tests, headless, spoken to through a pipe: Chrome's DevTools protocol with nothing in between.

Chromium reads commands from its file 3 and writes answers to its file 4, JSON with a zero byte after each. So there is
no driver to install, no port and no socket. At the end stands what every page is held to, whatever it shows.
"""

import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep

from patience import PATIENCE

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

KEYS = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    " ": 32,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Delete": 46,
}


MIDDLE = """(e) => { e.scrollIntoView({block: 'center', behavior: 'instant'});
  const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }"""

USABLE = f"""async (selector) => {{
  const middle = {MIDDLE}, frame = () => new Promise(requestAnimationFrame);
  const e = document.querySelector(selector);
  if (!e || e.disabled || !e.checkVisibility({{visibilityProperty: true}})) return false;
  const before = middle(e);
  await frame(); await frame();
  if (!e.isConnected) return false;
  const [x, y] = middle(e);
  return x === before[0] && y === before[1] && e.contains(document.elementFromPoint(x, y));
}}"""


def find_chromium():
    """Where a Chromium is, or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def served(*options, start=("-m", "worldwise")):
    """A server of the pages, in a process of its own; gives its address."""
    command = [sys.executable, *start, "web", "--port", "0", "--no-browser", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        said = server.stdout.readline()
        address = re.search(r"http://\S+/", said)
        assert address, f"expected the server to say where it is, found {said!r}"
        try:
            yield address[0]
        finally:
            server.terminate()


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
            assert select.select([self.ours_in], [], [], PATIENCE)[0], f"Chromium said nothing for {PATIENCE} seconds"
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
        page = self.pages[session] = Page(self, session, context)
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

    def __init__(self, browser, session, context):
        self.browser, self.session, self.context = browser, session, context
        self.faults, self.excused = [], []

    def close(self):
        """Leave, so that the server need not go on; gives every fault that was not to be expected."""
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)
        del self.browser.pages[self.session]
        return [fault for fault in self.faults if not any(words in fault for words in self.excused)]

    def excuse(self, words):
        """Faults with these words are meant to happen: Chromium notes every request that is refused."""
        self.excused.append(words)

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
        """What the system says about light and dark; nothing moves, so that what is looked at stands still."""
        wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.call("Emulation.setEmulatedMedia", features=features)

    def go_offline(self, offline=True):
        speeds = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.call("Network.enable")
        self.call("Network.emulateNetworkConditions", offline=offline, **speeds)

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.assert_soon("document.readyState === 'complete'")

    def js(self, expression):
        """The value of an expression on the page."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise AssertionError(f"{expression}: {told['exceptionDetails']['exception'].get('description')}")
        return told["result"].get("value")

    def assert_soon(self, expression):
        """Something is true, or will be while we wait."""
        end = monotonic() + PATIENCE
        while not self._is_true(expression):
            assert monotonic() < end, (
                f"waited {PATIENCE} seconds for {expression}; there is:\n{self.text('main')[:800]}"
            )
            sleep(0.02)

    def _is_true(self, expression):
        try:
            return self.js(f"(async () => Boolean(await ({expression})))()")
        except RuntimeError as error:
            if "navigated" not in str(error) and "collected" not in str(error):
                raise
            return False  # a page that is just leaving has nothing to say

    def text(self, selector):
        """What a person reads there."""
        return self.js(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def assert_text_soon(self, selector, words):
        """A person reads these words there, or will while we wait."""
        shown = f"(document.querySelector({json.dumps(selector)})?.innerText ?? '')"
        self.assert_soon(f"{shown}.includes({json.dumps(words)})")

    def count(self, selector):
        return self.js(f"document.querySelectorAll({json.dumps(selector)}).length")

    def click(self, selector):
        """Press the mouse where a person sees it, once it is there, can be used, stands still and is not covered."""
        self.assert_soon(f"({USABLE})({json.dumps(selector)})")
        x, y = self.js(f"({MIDDLE})(document.querySelector({json.dumps(selector)}))")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def choose(self, selector, value):
        """Take one of the options of a list."""
        self.assert_soon(f"document.querySelector({json.dumps(selector)})")
        self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)};"
            " for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true})); })()"
        )

    def drop(self, text, name):
        """Let a file with some text fall on the page."""
        self.js(
            f"(() => {{ const files = new DataTransfer();"
            f" files.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));"
            " document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: files, bubbles: true})); })()"
        )

    def choose_file(self, selector, path):
        """Take a file, as from the window that the system opens."""
        found = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def saved(self, folder, selector):
        """What is in the file that a click saves, by its name; the folder must be empty."""
        where = {"behavior": "allow", "downloadPath": str(folder), "browserContextId": self.context}
        self.browser.call("Browser.setDownloadBehavior", **where)
        self.click(selector)
        end = monotonic() + PATIENCE
        while not (found := [path for path in folder.iterdir() if path.suffix != ".crdownload"]):
            assert monotonic() < end, f"waited {PATIENCE} seconds for the file that {selector} saves"
            sleep(0.02)
        return {path.name: path.read_text() for path in found}

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
        self.js(f"document.querySelector({json.dumps(selector)}).select()")
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


# ---------------------------------------------------------------------- what every page is held to

TEXTS = """(() => {
  const solid = (colour) => colour.startsWith('rgb(') ? colour : null;
  const paper = (e) => e ? solid(getComputedStyle(e).backgroundColor) ?? paper(e.parentElement) : 'rgb(255, 255, 255)';
  const covers = (shape, e) => {
    const [a, b] = [shape.getBoundingClientRect(), e.getBoundingClientRect()];
    const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
    return a.left < x && x < a.right && a.top < y && y < a.bottom && shape.compareDocumentPosition(e) & 4;
  };
  const drawn = (e) => [...e.ownerSVGElement.querySelectorAll('rect, circle, polygon')]
    .filter((shape) => covers(shape, e) && solid(getComputedStyle(shape).fill)).at(-1);
  const behind = (e) => {
    const shape = e.ownerSVGElement && drawn(e);
    return shape ? getComputedStyle(shape).fill : paper(e);
  };
  const ink = (e) => e.ownerSVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color;
  const own = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const seen = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.only-heard, .skip, .elsewhere');
  return [...document.querySelectorAll('body *')].filter((e) => own(e) && seen(e))
    .map((e) => [`${e.tagName} ${e.getAttribute('class')}: ${e.textContent.slice(0, 30)}`, ink(e), behind(e)]);
})()"""
"""Every text that is seen, its colour, and that of what it stands on: for one in a drawing, the last shape below it."""

SMALL = """(() => {
  const label = (e) => e.closest('tr') ?? e.closest('label') ?? document.querySelector(`label[for=${e.id}]`);
  const used = 'button, input, select, textarea, summary, nav a, a.button, [role=gridcell]';
  return [...document.querySelectorAll(used)].map((e) => /^(radio|checkbox|file)$/.test(e.type) ? label(e) : e)
    .filter((e) => e.checkVisibility({visibilityProperty: true}) && Math.min(e.offsetHeight, e.offsetWidth) < 24)
    .map((e) => e.outerHTML.slice(0, 120));
})()"""
"""What is used and smaller than 24 pixels; a small box belongs to its label or its row, which can be hit as well."""

USED = ("button", "link", "textbox", "radio", "checkbox", "spinbutton", "combobox", "slider", "grid", "gridcell")


def luminance(colour):
    """WCAG's: 0 is black, 1 is white."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ink, paper):
    """WCAG's: 1 is none, 21 is black on white."""
    high, low = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def is_dark(page):
    return luminance(page.js("getComputedStyle(document.body).backgroundColor")) < 0.1


def assert_good_to_use(page):
    """What is shown can be used by anybody: read, heard, and held in one hand."""
    assert_readable(page)
    assert_named(page)
    assert_fits(page)


def assert_readable(page):
    """Contrast of at least 4.5 to 1, as WCAG asks, for every text on the page, light and dark."""
    for scheme in ("dark", "light"):
        page.prefer(scheme)
        texts = page.js(TEXTS)
        pale = [text for text in texts if contrast(*text[1:]) < 4.5]
        assert is_dark(page) == (scheme == "dark"), f"expected a {scheme} page, found another"
        assert len(texts) > 10, f"expected a page with texts, found {texts}"
        assert not pale, f"expected a contrast of 4.5 on a {scheme} page, found less in {pale}"


def assert_named(page):
    """What can be used says what it is to those who do not see it."""
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    used = [node for node in nodes if not node["ignored"] and node["role"]["value"] in USED]
    nameless = [node for node in used if not node["name"].get("value")]
    assert len(used) > 10, f"expected a page with things to use, found {used}"
    assert not nameless, f"expected a name for everything that is used, found none for {nameless}"


def assert_fits(page):
    """On no screen is anything scrolled sideways, and a thumb hits everything: 24 pixels, as WCAG asks."""
    for width in (320, 390, 768, 1280):
        page.resize(width, 900)
        page.assert_soon(f"document.documentElement.clientWidth === {width}")
        wide, small = page.js("document.documentElement.scrollWidth"), page.js(SMALL)
        assert wide <= width, f"expected a page {width} pixels wide, found {wide}"
        assert not small, f"expected 24 pixels for everything that is used on {width}, found less for {small}"
