"""The trail in a real browser: its picture, its numbers, its ways through time and to a commit."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, metrics, settle
from tests.app.small_board import DEFINITION, VERSIONS, Garden, define, plant, run

pytestmark = pytest.mark.browser

CLAIMS = """\
[[claim]]
id = "early"
predicate = "first"
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }
"""


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    planted = plant(tmp_path_factory.mktemp("garden"), VERSIONS, crawl=False)
    define(planted.store, "garden", f'{DEFINITION}\n[aliases]\n"fern-v1.1" = "fern"\n')
    (planted.store / "claims.toml").write_text(CLAIMS)
    assert run(planted.store, "crawl").exit_code == 0
    return planted


def picture(tab):
    drawn = tab.locator('[data-testid="stVegaLiteChart"] svg')
    expect(drawn).to_be_visible(timeout=PATIENCE)
    return drawn


def moss_in_its_second_version(tab, garden: Garden) -> None:
    """A page was opened that shows it."""
    tab.locator("h2").first.wait_for()
    settle(tab)
    assert address_of(tab) == {
        "board": ["garden"],
        "entry": ["moss"],
        "at": [garden.commits[1]],
    }
    assert metrics(tab) == {"Moss 2": "1 of 2"}


def test_the_numbers_of_a_moment_are_those_of_the_history(visit, garden):
    rows = garden.json("history", "garden")["rows"]
    at = garden.commits[3]
    expected = {
        row["name"]: f"{row['rank']} of {row['n_ranked']}"
        for row in rows
        if row["commit"] == at and row["entry"] in ("fern", "moss")
    }
    tab = visit("trail", board="garden", entry=["fern", "moss"], at=at)
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(2, timeout=PATIENCE)
    assert metrics(tab) == expected
    scores = tab.locator('[data-testid="stMetricDelta"]').all_inner_texts()
    told = {row["entry"]: row["score_text"] for row in rows if row["commit"] == at}
    assert [score.split(",")[0] for score in scores] == [
        f"score {told['fern']}",
        f"score {told['moss']}",
    ]


def test_first_place_rank_and_score_are_one_picture(visit, garden):
    tab = visit("trail", board="garden", entry="moss", zone="Pacific/Auckland")
    words = picture(tab).locator("text").all_text_contents()
    assert {"First place", "Rank, 1 on top", "Score", "2 Moss 2", "72.0"} <= set(words)
    first = picture(tab).locator('path[aria-roledescription="rect mark"][aria-label*="Fern"]')
    expect(first).to_have_count(1)
    said = picture(tab).locator('[aria-label*="Your time: 2026-03-02 22:00"]')
    assert said.count() > 0  # a time on the reader's own clock


def test_a_point_opens_the_page_at_its_commit(visit, garden):
    tab = visit("trail", board="garden", entry="moss")
    dot = picture(tab).locator('path[aria-label*="Rank: 1 of 2"][aria-label*="Commit"]').first
    dot.click()
    tab.wait_for_url(f"**at={garden.commits[1]}**")
    moss_in_its_second_version(tab, garden)
    expect(tab.get_by_text(garden.commits[1][:8], exact=True)).to_be_visible()


def test_a_claim_on_the_picture_opens_it(visit):
    tab = visit("trail", board="garden", entry="fern")
    picture(tab).locator('path[aria-label*="Claim: early"]').last.click()
    tab.wait_for_url("**/claims?board=garden&claim=early")


def test_a_cell_of_the_ranks_of_all_puts_its_entry_into_colour(visit, garden):
    tab = visit("trail", board="garden", entry="fern", at=garden.commits[1])
    tab.get_by_text("Ranks of all entries").click()
    cell = tab.locator('[data-testid="stExpander"] svg path[aria-label*="Entry: Moss 2"]').first
    cell.click(timeout=PATIENCE)
    tab.wait_for_url("**entry=moss**")
    moss_in_its_second_version(tab, garden)


def test_a_line_thickens_where_the_pointer_is(visit):
    tab = visit("trail", board="garden", entry=["fern", "moss"])
    lines = picture(tab).locator(".mark-line path")

    def broad() -> int:
        widths = lines.evaluate_all("all => all.map(one => one.getAttribute('stroke-width'))")
        return widths.count("4.5")

    assert broad() == 0
    picture(tab).locator('path[aria-label*="Rank: 1 of 2"]').first.hover()
    tab.wait_for_function(
        "document.querySelectorAll('[data-testid=stVegaLiteChart] path[stroke-width=\"4.5\"]').length"
    )
    assert broad() >= 2  # its rank and its score


def test_the_slider_and_its_neighbours_write_the_address_and_back_undoes_it(visit, garden):
    tab = visit("trail", board="garden", entry="fern")
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_text("3 of 3", timeout=PATIENCE)
    assert metrics(tab) == {"Fern": "3 of 3"}
    tab.get_by_role("slider", name="Slide through the versions").press("ArrowLeft")
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_text("unknown", timeout=PATIENCE)
    settle(tab)
    assert address_of(tab)["at"] == [garden.commits[2]]
    tab.get_by_role("button", name="Earlier").press("Enter")
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_text("2 of 2", timeout=PATIENCE)
    settle(tab)
    assert address_of(tab)["at"] == [garden.commits[1]]
    tab.go_back()
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_text("unknown", timeout=PATIENCE)
    assert address_of(tab)["at"] == [garden.commits[2]]


def test_an_alias_that_is_typed_finds_its_entry(visit):
    tab = visit("trail", board="garden", entry="moss")
    box = tab.get_by_role("combobox", name=re.compile("Entries"))
    box.click()
    box.fill("fern-v1.1")
    tab.get_by_role("option").first.click()
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(2, timeout=PATIENCE)
    settle(tab)
    assert address_of(tab)["entry"] == ["moss", "fern"]


def test_a_phone_shows_all_of_it_without_moving_sideways(visit):
    tab = visit("trail", width=380, board="garden", entry=["fern", "moss"])
    box = picture(tab).bounding_box()
    assert box["width"] <= 380
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
