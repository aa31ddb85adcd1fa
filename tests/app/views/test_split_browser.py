"""The page about splits in a real browser: by its address, with its widgets, on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, metrics, settle
from tests.app.small_board import VERSIONS, Garden, board_json, plant

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> **b** $y$ :smile:"
LAST = board_json(
    "<b>3</b>",
    *[
        (name, name, 80.0 - n, 70.0 - n + 9 * (n == 0), 60.0 - n + n % 3 / 10)
        for n, name in enumerate(["fern", HOSTILE, "moss", "oak", "reed"])
    ],
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    return plant(tmp_path_factory.mktemp("split"), [*VERSIONS, ("2026-03-04T00:30:00Z", LAST)])


@pytest.fixture(scope="module")
def site(garden: Garden) -> Path:
    return garden.store


def test_numbers_are_those_of_the_command_and_back_undoes_a_choice(visit, garden):
    told = garden.json("splits", "garden")
    tab = visit("split", board="garden", entry="oak")
    charts = tab.locator('[data-testid="stVegaLiteChart"] svg')
    expect(charts).to_have_count(3, timeout=PATIENCE)
    ranks = next(one["ranks"] for one in told["entries"] if one["entry"] == "oak")
    shown = metrics(tab)
    assert shown["oak"] == f"{ranks['public']} → {ranks['private']}"
    assert shown["Shake-up"] == f"{told['shake_up']['value']:.3f}"
    box = tab.get_by_role("combobox", name="Public")
    box.click()
    box.fill("mix")
    tab.get_by_role("option", name="mix").click()
    tab.wait_for_url("**public=mix**")
    settle(tab)
    mixed = garden.json("splits", "garden", "--public", "mix")
    assert metrics(tab)["Shake-up"] == f"{mixed['shake_up']['value']:.3f}"
    tab.go_back()
    tab.wait_for_url(lambda url: "public=mix" not in url)
    settle(tab)
    assert address_of(tab) == {"board": ["garden"], "entry": ["oak"]}
    assert metrics(tab) == shown


def test_names_from_a_board_are_text(visit):
    tab = visit("split", board="garden", entry=HOSTILE, items="500")
    charts = tab.locator('[data-testid="stVegaLiteChart"] svg')
    expect(charts).to_have_count(3, timeout=PATIENCE)
    assert HOSTILE in [name.replace("\u2060", "") for name in metrics(tab)]
    main = tab.locator('[data-testid="stMain"]')
    assert main.locator("img, .katex, strong:text-is('b')").count() == 0
    seen = charts.first.locator("text").all_text_contents()
    assert any(text.startswith("2  <img src=x onerror") for text in seen)  # long names are cut


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_it_without_moving_sideways(visit, dark):
    tab = visit("split", width=380, dark=dark, board="garden", entry="oak")
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(3, timeout=PATIENCE)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
