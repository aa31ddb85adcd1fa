"""The page of boards in a real browser: a card is read, a board is added, a phone shows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, settle
from tests.app.leaderboard_files import BEFORE, TABLE
from tests.app.small_board import Garden, run
from tests.histories import History

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(garden: Garden) -> Path:
    """A store of its own, to which a board is added."""
    return garden.store


def test_a_card_says_what_the_command_says_and_leads_on(visit, garden):
    [board] = [one for one in garden.json("boards")["boards"] if one["board"] == "garden"]
    assert board["leader"] == ["=ivy"]
    told = garden.json("standings", "garden")["entries"][0]
    tab = visit("boards")
    expect(tab.get_by_text(f"score {told['score_text']}")).to_be_visible(timeout=PATIENCE)
    strip = tab.locator('[data-testid="stVegaLiteChart"]').first
    expect(strip.locator("svg")).to_be_visible(timeout=PATIENCE)
    assert strip.get_attribute("aria-label").startswith("The garden board: who held first place")
    tab.get_by_role("link", name="Standings").last.click()
    tab.wait_for_url("**/standings?board=garden")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_shows_it_without_moving_sideways(dark, visit):
    tab = visit("boards", width=380, dark=dark)
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg').first).to_be_visible(timeout=PATIENCE)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380


def test_a_board_is_added_with_two_clicks(visit, garden, tmp_path):
    repo = History(tmp_path / "meadow.git")
    hostile = TABLE.replace("fern", "<b>fern</b>")
    repo.commit({"results.csv": BEFORE}, "2026-01-01T00:00:00Z")
    repo.commit({"results.csv": hostile}, "2026-01-02T00:00:00Z")
    tab = visit("boards")
    tab.get_by_text("Add a board").click()
    tab.get_by_role("textbox", name=re.compile("Source")).fill(str(repo.folder))
    tab.get_by_role("button", name="Look at it").click()
    expect(tab.get_by_role("heading", name="meadow")).to_be_visible(timeout=PATIENCE)
    expect(tab.get_by_text('score = "Overall"')).to_be_visible()
    assert not (garden.store / "meadow").exists()
    tab.get_by_role("button", name="Add it and crawl").click()
    expect(tab.get_by_text("meadow is tracked now, with 2 versions.")).to_be_visible(
        timeout=PATIENCE
    )
    settle(tab)
    assert address_of(tab) == {}  # nothing of what was typed
    stood = json.loads(run(garden.store, "standings", "meadow", "--json").stdout)
    first = stood["entries"][0]
    expect(
        tab.get_by_text(re.compile(f"First now: {first['name']} since .* {first['score_text']}"))
    ).to_be_visible(timeout=PATIENCE)
    tab.get_by_role("link", name="Trail of meadow").click()
    tab.wait_for_url("**/trail?board=meadow")
    expect(tab.get_by_role("heading", name="meadow: rank and score over time")).to_be_visible()
