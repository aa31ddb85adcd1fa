"""The dashboard in a real browser: by its address, with its widgets, on a phone, in every zone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, metrics, settle
from tests.app.small_board import VERSIONS, Garden, board_json, plant

pytestmark = pytest.mark.browser

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
    way = tab.get_by_role("link", name="Standings").last  # the first is above the page
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
