"""How does a test open the dashboard in a real browser and read it?

In: a store. Out: a server as people start it, and tabs of a headless Chromium. The fixtures of
tests/app/conftest.py stand on these: `visit` opens a page of the store that `site` gives.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

ROOT = Path(__file__).parents[2]
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 30_000  # milliseconds, on a busy machine
METRICS = """
() => [...document.querySelectorAll('[data-testid=stMetric]')].map((one) =>
  ['Label', 'Value'].map((part) =>
    one.querySelector(`[data-testid=stMetric${part}]`)?.innerText ?? ''))
"""
DONE = """
() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
  && ![...document.querySelectorAll('[data-testid=stSkeleton]')].some(
    (one) => !one.closest('details:not([open])'))
"""


@contextmanager
def served(store: Path, *options: str) -> Iterator[str]:
    """Address of a dashboard that shows a store, started as people start it."""
    with started(store, *options) as (address, _):
        yield address


@contextmanager
def started(store: Path, *options: str) -> Iterator[tuple[str, int]]:
    """The same, with the id of its process."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "--store", str(store), "dashboard"]
    command += ["--port", str(port), "--address", "127.0.0.1", *options]
    environment = {k: v for k, v in os.environ.items() if k != "RANKTRAIL_CLAIMS"}
    with (
        (store.parent / "server.log").open("ab") as log,
        subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment) as child,
    ):
        try:
            below = options[options.index("--base-path") + 1] if "--base-path" in options else ""
            address = f"http://127.0.0.1:{port}{below}"
            wait_for(f"{address}/_stcore/health")
            yield address, child.pid
        finally:
            child.terminate()
            child.wait(15)


def wait_for(address: str) -> None:
    """Until the server answers, at most a minute."""
    until = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def settle(tab: Any) -> None:
    """Until Streamlit has run the page to its end, and nothing on it waits to be drawn."""
    tab.wait_for_function(DONE)


def unfold(tab: Any) -> None:
    """Open all that is folded on the page."""
    folded = tab.locator('[data-testid="stExpander"] details:not([open]) > summary')
    while folded.count():
        folded.first.click()
        tab.wait_for_timeout(300)  # what it shows may itself be folded
        settle(tab)


def metrics(tab: Any) -> dict[str, str]:
    """Labels and values of the numbers on the page."""
    pairs = tab.evaluate(METRICS)  # in one look, as pages are drawn bit by bit
    return {name.strip(): value.strip() for name, value in pairs}


def address_of(tab: Any) -> dict[str, list[str]]:
    """What the address of a tab says."""
    return parse_qs(urlsplit(tab.url).query)


class Visitor:
    """Opens pages of a server, each in a fresh browser, and collects what goes wrong there."""

    def __init__(self, browser: Any, server: str):
        self._browser = browser
        self._server = server
        self._contexts: list[Any] = []
        self.trouble: list[str] = []

    def __call__(
        self,
        page: str,
        width: int = 1280,
        zone: str = "UTC",
        dark: bool = False,
        **address: str | list[str],
    ) -> Any:
        """A tab that shows a page; `from_` in the address is `from`."""
        context = self._browser.new_context(
            viewport={"width": width, "height": 900},
            timezone_id=zone,
            color_scheme="dark" if dark else "light",
        )
        self._contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        tab.on("dialog", self._dialog)
        tab.on("request", lambda request: self._asked(request.url))
        tab.on("console", lambda said: self.trouble.append(said.text) if serious(said) else None)
        words = {name.rstrip("_"): value for name, value in address.items()}
        tab.goto(f"{self._server}/{page}?{urlencode(words, doseq=True)}")
        tab.locator("h2").first.wait_for()
        settle(tab)
        return tab

    def _dialog(self, dialog: Any) -> None:
        self.trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, url: str) -> None:
        ours = urlsplit(self._server).netloc
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).netloc != ours:
            self.trouble.append(f"asks the network for {url}")

    def close(self) -> None:
        """Close all that was opened."""
        for context in self._contexts:
            context.close()


def serious(said: Any) -> bool:
    """Whether a console message is an error; Streamlit asks below each page for its own health."""
    return said.type == "error" and "/_stcore/" not in said.location.get("url", "")
