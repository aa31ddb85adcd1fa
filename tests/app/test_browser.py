"""The dashboard in a real browser: by its address, with its widgets, on a phone, in every zone."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright import sync_api
from playwright.sync_api import expect

from tests.app.small_board import VERSIONS, Garden, board_json, plant

pytestmark = pytest.mark.browser

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 30_000  # milliseconds, on a busy machine
SPECIAL = "a&b=c#d/é"
HOSTILE = (
    ":red[x]",
    "$\\sum$",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:1)",
    "**b** --> www.x.example",
    ":smile:",
)
CLAIMS = """\
[[claim]]
id = "early"
predicate = "first"
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }

[[claim]]
id = "late"
predicate = "first"
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-02T12:00:00Z }
"""


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    rows = [(name, name, 60.0 - n, 1.0, 1.0) for n, name in enumerate((*HOSTILE, SPECIAL))]
    hostile = ("2026-03-04T00:30:00Z", board_json("<b>3</b>", *rows))
    planted = plant(tmp_path_factory.mktemp("garden"), [*VERSIONS, hostile])
    (planted.store / "claims.toml").write_text(CLAIMS)
    return planted


@pytest.fixture(scope="module")
def server(garden: Garden) -> Iterator[str]:
    """Address of a dashboard that shows the garden, started as people start it."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "--store", str(garden.store), "dashboard"]
    command += ["--port", str(port), "--address", "127.0.0.1"]
    log = (garden.store.parent / "server.log").open("wb")
    root = Path(__file__).parents[2]
    environment = {k: v for k, v in os.environ.items() if k != "RANKTRAIL_CLAIMS"}
    with subprocess.Popen(command, cwd=root, stdout=log, stderr=log, env=environment) as child:
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}"
        finally:
            child.terminate()
            child.wait(15)
            log.close()


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


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Open a page by its address in a fresh browser; at the end nothing may have gone wrong."""
    contexts, trouble = [], []

    def opened(page: str, width: int = 1280, zone: str = "UTC", **address: str | list[str]) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, timezone_id=zone)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        tab.on(
            "dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        tab.on("request", lambda request: elsewhere(request.url))
        tab.on("console", lambda said: trouble.append(said.text) if serious(said) else None)
        tab.goto(f"{server}/{page}?{urlencode(address, doseq=True)}")
        tab.locator("h2").first.wait_for()
        settle(tab)
        return tab

    def elsewhere(url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and not url.split("://")[
            1
        ].startswith(server.split("://")[1]):
            trouble.append(f"asks the network for {url}")

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []


def serious(said: Any) -> bool:
    """Whether a console message is an error; Streamlit asks below each page for its own health."""
    return said.type == "error" and "/_stcore/" not in said.location.get("url", "")


def settle(tab: Any) -> None:
    """Until Streamlit has run the page to its end."""
    tab.wait_for_function(
        "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    )


def metrics(tab: Any) -> dict[str, str]:
    """Labels and values of the numbers on the page."""
    names = tab.locator('[data-testid="stMetricLabel"]').all_inner_texts()
    values = tab.locator('[data-testid="stMetricValue"]').all_inner_texts()
    return {n.strip(): v.strip() for n, v in zip(names, values, strict=True)}


def address_of(tab: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(tab.url).query)


def test_a_number_on_the_page_is_the_one_that_the_command_prints(visit, garden):
    at = garden.commits[3]
    told = garden.json("standings", "garden", "--at", at)
    tab = visit("trail", board="garden", entry=["moss", "fern"], at=at)
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(2)
    expected = {
        one["name"]: f"{one['rank']} of {told['n_ranked']}"
        for one in told["entries"]
        if one["entry"] in ("moss", "fern")
    }
    assert metrics(tab) == expected


def test_an_entry_is_picked_the_address_follows_and_back_undoes_it(visit, garden):
    tab = visit("trail", board="garden", at=garden.commits[3], entry="fern")
    box = tab.get_by_role("combobox", name=re.compile("Entries"))
    box.click()
    box.fill("moss")
    tab.get_by_role("option", name="Moss 2 (moss)").click()
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(2)
    settle(tab)
    assert address_of(tab)["entry"] == ["fern", "moss"]
    assert metrics(tab) == {"Fern": "3 of 3", "Moss 2": "2 of 3"}
    tab.go_back()
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(1)
    assert address_of(tab)["entry"] == ["fern"]
    assert metrics(tab) == {"Fern": "3 of 3"}


def test_the_way_to_another_page_keeps_board_moment_and_a_special_name(visit, garden):
    tab = visit("trail", board="garden", entry=SPECIAL, at="2026-03-04")
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(1, timeout=PATIENCE)
    assert metrics(tab) == {SPECIAL: "7 of 7"}
    tab.get_by_role("link", name="Standings").click()
    tab.wait_for_url("**/standings**")
    settle(tab)
    assert address_of(tab) == {"board": ["garden"], "entry": [SPECIAL], "at": ["2026-03-04"]}
    expect(tab.get_by_text("7 ranked; by score")).to_be_visible()


def test_names_from_a_board_are_text_everywhere(visit):
    tab = visit("trail", board="garden", entry=list(HOSTILE))
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(6)
    assert [name.replace("\u2060", "") for name in metrics(tab)] == list(HOSTILE)
    main = tab.locator('[data-testid="stMain"]')
    assert main.locator("img, .katex, strong:text-is('b'), a[href^='javascript']").count() == 0
    assert main.locator("a[href^='http']").count() == 0


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_the_chart_is_drawn_with_the_same_days_for_every_reader(visit, zone):
    tab = visit("trail", zone=zone, board="garden", entry="fern")
    picture = tab.locator('[data-testid="stVegaLiteChart"] svg')
    expect(picture).to_be_visible()
    labels = picture.locator(".role-axis-label text").all_text_contents()
    assert {"02 Mar", "12:00", "03 Mar", "04 Mar"} <= set(labels)
    said = tab.locator('[data-testid="stVegaLiteChart"]').get_attribute("aria-label")
    assert said.startswith("The garden board: rank over time from 2026-03-01 08:00 UTC")
    dots = picture.locator('path[aria-label*="Since: 2026-03-02 09:00 UTC"]')
    assert dots.count() == 1


@pytest.mark.parametrize("page", ["trail", "standings", "claims"])
def test_a_phone_shows_every_page_without_moving_sideways(visit, page):
    tab = visit(page, width=380, board="garden", claim="fern was ever first on garden")
    settle(tab)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380


@pytest.mark.parametrize("page", ["", "boards"])
def test_the_boards_have_two_addresses_and_lead_on(visit, page):
    tab = visit(page)
    way = tab.get_by_role("link", name="Standings of garden")
    expect(way).to_be_visible(timeout=PATIENCE)
    expect(tab.get_by_role("dialog")).to_have_count(0)
    way.click()
    tab.wait_for_url("**/standings?board=garden")
    tab.get_by_role("link", name="Boards", exact=True).click()
    tab.wait_for_url("**/boards?board=garden")
    settle(tab)
    expect(tab.get_by_role("heading", name="Boards")).to_be_visible()
    expect(tab.get_by_role("dialog")).to_have_count(0)


def test_a_ticked_row_opens_its_claim_and_back_lists_them_again(visit):
    tab = visit("claims")
    listed = tab.locator('[data-testid="stDataFrame"] canvas').first
    expect(listed).to_be_visible(timeout=PATIENCE)
    # A canvas has no boxes to ask for: the head is 35 pixels high, the second row below it.
    settle(tab)
    listed.scroll_into_view_if_needed()
    box = listed.bounding_box()
    tab.mouse.click(box["x"] + 17, box["y"] + 35 + 0.75 * (box["height"] - 35))
    expect(tab.get_by_role("heading", name="Evidence")).to_be_visible(timeout=PATIENCE)
    assert address_of(tab) == {"claim": ["late"]}
    tab.go_back()
    expect(tab.get_by_text("Tick the box of a row")).to_be_visible(timeout=PATIENCE)
    assert address_of(tab) == {}


def test_a_claim_opens_by_its_address_with_picture_and_evidence(visit, garden):
    tab = visit("claims", claim="fern was ever first on garden")
    expect(tab.get_by_text("True. ", exact=False).first).to_be_visible()
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_be_visible()
    expect(tab.get_by_role("heading", name="Evidence")).to_be_visible()
