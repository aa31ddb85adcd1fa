"""The page of reigns in a real browser: by its address, with its controls, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from app.tables import clean
from app.wording import duration
from tests.app.browsing import PATIENCE, address_of, settle

pytestmark = pytest.mark.browser


def strip(tab):
    chart = tab.locator('[data-testid="stVegaLiteChart"]')
    expect(chart.locator("svg")).to_be_visible(timeout=PATIENCE)
    return chart


def test_lengths_and_holders_are_those_of_the_command(visit, garden):
    told = garden.json("reigns", "garden")
    chart = strip(visit("reigns", board="garden", zone="Pacific/Auckland"))
    said = chart.get_attribute("aria-label")
    assert f"Reigns: {len(told['reigns'])}, of 3 entries." in said
    labels = chart.locator("svg .role-mark text").all_text_contents()
    for one in told["entries"]:
        if one["times_first"]:
            assert f"{clean(one['name'])}: {duration(one['seconds'])}" in labels


def test_what_counts_as_first_is_picked_and_back_undoes_it(visit, garden):
    tab = visit("reigns", board="garden")
    expect(tab.get_by_text("First at the last look: ")).to_be_visible(timeout=PATIENCE)
    tab.get_by_text("the first tie group").first.click()
    expect(tab.get_by_text("First at the last look by tie group")).to_be_visible(timeout=PATIENCE)
    settle(tab)
    assert address_of(tab) == {"board": ["garden"], "by": ["tie"]}
    tab.go_back()
    expect(tab.get_by_text("First at the last look: ")).to_be_visible(timeout=PATIENCE)
    assert "by" not in address_of(tab)


def test_a_lost_reign_leads_to_its_causes(visit, garden):
    tab = visit("reigns", board="garden")
    tab.get_by_role("link", name="2026-03-02 09:00 UTC: why Fern lost it").click()
    tab.wait_for_url("**/moves**")
    settle(tab)
    assert address_of(tab) == {
        "board": ["garden"],
        "entry": ["fern"],
        "at": [garden.commits[1]],
    }
    expect(tab.get_by_role("heading", name="Fern")).to_be_visible(timeout=PATIENCE)
    expect(tab.get_by_text("Fern fell from rank 1 to rank 2, by 1 place.")).to_be_visible(
        timeout=PATIENCE
    )


def test_a_bar_opens_the_board_as_it_stood_when_the_reign_began(visit, garden):
    tab = visit("reigns", board="garden")
    strip(tab).locator(
        'svg path[aria-roledescription="rect mark"][aria-label*="Fern"]'
    ).first.click()
    tab.wait_for_url("**/standings?**")
    tab.locator("h2").first.wait_for()
    settle(tab)
    assert address_of(tab) == {"board": ["garden"], "at": [garden.commits[0]]}


def test_a_phone_does_not_move_sideways(visit):
    tab = visit("reigns", width=380, board="garden", dark=True)
    strip(tab)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
