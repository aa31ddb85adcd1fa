"""How fast is the dashboard on a long history, how much does it send, how much memory has it?

In: a store with a board of 2,000 versions. Out: figures for every page, from a real Chromium and a
server as people start it. Start at pages() and memory().

A page is painted when its script has ended, its heading is there, and every chart and table on it
is drawn. It is warm when server and browser have shown it once before, so that the browser has the
files of Streamlit; a fresh browser has none, and the server is as warm.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.app.browsing import ARGUMENTS, PATIENCE, started
from tests.tools.bench_board import BenchError

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SESSIONS = 10
SCREEN: Any = {"width": 1280, "height": 900}
# Controls that change an entry or a moment, by the beginning of their labels: what is tried.
CONTROLS = ("Entries", "Entry", "Version", "Later moment")
STREAMLITS_OWN = ("/static/", "/_stcore/", "/vendor/", "/favicon", "/manifest.json")
# Notes in the page itself when all of it was last drawn anew, and when a key was last pressed.
WATCH = """
(() => {
  const seen = {ready: false, at: 0, asked: 0, ran: false};
  window.ranktrailSeen = seen;
  const drawn = () => {
    const app = document.querySelector('[data-testid=stApp]');
    if (app?.dataset.testScriptState !== 'notRunning') return false;
    if (!document.querySelector('[data-testid=stMain] h2')) return false;
    const open = (name) => [...document.querySelectorAll(`[data-testid=${name}]`)].filter(
      (one) => !one.closest('details:not([open])'));  // what is folded is not drawn yet
    if (open('stVegaLiteChart').some((one) => !one.querySelector('svg, canvas'))) return false;
    if (open('stDataFrame').some((one) => !one.querySelector('canvas'))) return false;
    return !open('stSkeleton').length;
  };
  const look = () => {
    const now = drawn();
    if (!now) seen.ran = true;
    if (now && !seen.ready) seen.at = performance.now();
    seen.ready = now;
  };
  new MutationObserver(look).observe(
    document, {subtree: true, attributes: true, attributeFilter: ['data-test-script-state']});
  const frame = () => { look(); requestAnimationFrame(frame); };
  frame();
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') { seen.asked = performance.now(); seen.ran = false; seen.ready = false; }
  }, true);
})();
"""
PAINTED = "window.ranktrailSeen.at"  # milliseconds
QUIET = "() => { const s = window.ranktrailSeen; return s.ready && s.at && performance.now() - s.at > 500; }"


@dataclass
class Page:
    """What one page took.

    Attributes:
        path: its address.
        painted: seconds until it was painted, each time.
        fresh: the same in a browser that was never there.
        changed: seconds until it was painted anew, by control.
        received: bytes over the WebSocket until it was painted, each time.
        files: what was fetched besides Streamlit's own files.
    """

    path: str
    painted: list[float] = field(default_factory=list)
    fresh: list[float] = field(default_factory=list)
    changed: dict[str, list[float]] = field(default_factory=dict)
    received: list[int] = field(default_factory=list)
    files: set[str] = field(default_factory=set)

    @property
    def seconds(self) -> float:
        """Least time to the first paint: what else the machine does only adds to it."""
        return min(self.painted)

    @property
    def reaction(self) -> float | None:
        """Least time of the slowest control; None where there is none."""
        return max(map(min, self.changed.values()), default=None)

    @property
    def megabytes(self) -> float:
        """Most that came over the WebSocket."""
        return max(self.received) / 1e6


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium.

    Raises:
        BenchError: there is none.
    """
    from playwright import sync_api

    path = next((found for name in CHROMIUMS if (found := shutil.which(name))), None)
    if path is None:
        raise BenchError("no Chromium found: install one to measure the dashboard")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield opened
        finally:
            opened.close()


def addresses(board: str, claim: str) -> list[str]:
    """Every page of the dashboard, about one board."""
    from streamlit import logger

    logger.set_log_level("ERROR")  # the pages are only asked for their names
    from tests.app.pages import PAGES

    return [
        "boards",
        *(
            f"{page}?{urlencode({'board': board} | ({'claim': claim} if page == 'claims' else {}))}"
            for page in PAGES
        ),
    ]


def pages(store: Path, board: str, claim: str, times: int) -> list[Page]:
    """Every page, opened some times in a browser and changed by its controls."""
    found = []
    with started(store) as (server, _), chromium() as browser:
        for path in addresses(board, claim):
            page = Page(path.split("?")[0])
            context = browser.new_context(viewport=SCREEN)
            for turn in range(times + 1):
                _visit(context, server, path, page, turn)
            context.close()
            for _ in range(times):
                context = browser.new_context(viewport=SCREEN)
                tab = _open(context, f"{server}/{path}")
                page.fresh.append(tab.evaluate(PAINTED) / 1000)
                context.close()
            found.append(page)
    return found


def memory(store: Path, board: str, claim: str) -> float:
    """MB of the server with its children while ten people look at its pages."""
    with started(store) as (server, process), chromium() as browser:
        contexts = []
        paths = addresses(board, claim)
        for number in range(SESSIONS):
            context = browser.new_context(viewport=SCREEN)
            contexts.append(context)
            _open(context, f"{server}/{paths[number % len(paths)]}")
        used = resident(process)
        for context in contexts:
            context.close()
    return used


def _open(context: Any, address: str) -> Any:
    tab = context.new_page()
    tab.set_default_timeout(2 * PATIENCE)
    tab.add_init_script(WATCH)
    tab.goto(address)
    tab.wait_for_function(QUIET)
    return tab


def _visit(context: Any, server: str, path: str, page: Page, turn: int) -> None:
    """Open a page and change it; each turn asks for something that nobody has asked for."""
    cold = turn == 0
    received = [0]
    fetched: set[str] = set()

    def connected(socket: Any) -> None:
        def count(payload: str | bytes) -> None:
            received[0] += len(payload)

        socket.on("framereceived", count)

    tab = context.new_page()
    tab.set_default_timeout(2 * PATIENCE)
    tab.on("websocket", connected)
    tab.on("request", lambda request: fetched.add(request.url))
    tab.add_init_script(WATCH)
    tab.goto(f"{server}/{path}")
    tab.wait_for_function(QUIET)
    if not cold:
        page.painted.append(tab.evaluate(PAINTED) / 1000)
        page.received.append(received[0])
        page.files |= {url for url in fetched if not _streamlits(url, server, path)}
    for label in CONTROLS:
        box = tab.get_by_role("combobox", name=re.compile(f"^{label}|{label}( |$)")).first
        if not box.count() or not box.is_enabled():
            continue
        box.click()
        for _ in range(3 + turn):
            tab.keyboard.press("ArrowDown")
        time.sleep(0.3)
        tab.keyboard.press("Enter")
        tab.wait_for_function("window.ranktrailSeen.ran")
        tab.wait_for_function(QUIET)
        took = tab.evaluate("window.ranktrailSeen.at - window.ranktrailSeen.asked") / 1000
        if not cold:
            page.changed.setdefault(label, []).append(took)
        tab.keyboard.press("Escape")
    tab.close()


def _streamlits(url: str, server: str, path: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        return True
    own = parts.netloc == urlsplit(server).netloc
    return own and (
        parts.path in ("/", f"/{path.split('?')[0]}")
        or any(part in parts.path for part in STREAMLITS_OWN)
    )


def resident(process: int) -> float:
    """MB of memory that a process and all that it started hold now."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
    )
    rows = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    family = {process}
    while more := {pid for pid, parent, _ in rows if parent in family and pid not in family}:
        family |= more
    return sum(rss for pid, _, rss in rows if pid in family) * 1024 / 1e6
