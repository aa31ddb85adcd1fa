"""The page of moves in a real browser: by its address, with its controls, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, metrics, settle

pytestmark = pytest.mark.browser


def numbers_of(told: dict) -> dict[str, str]:
    move = told["moves"][0]
    return {
        "Rank before": f"{move['rank_before']} of {told['from']['n_ranked']}",
        "Rank after": f"{move['rank_after']} of {told['to']['n_ranked']}",
        "Score before": move["score_before_text"],
        "Score after": move["score_after_text"],
    }


def test_numbers_and_chart_of_an_address_are_those_of_the_command(visit, garden):
    told = garden.json("changes", "garden", "--entry", "fern")
    tab = visit("moves", board="garden", entry="fern")
    expect(tab.locator('[data-testid="stMetricValue"]')).to_have_count(4, timeout=PATIENCE)
    assert metrics(tab) == numbers_of(told)
    chart = tab.locator('[data-testid="stVegaLiteChart"]')
    expect(chart.locator("svg")).to_be_visible(timeout=PATIENCE)
    move = told["moves"][0]
    said = chart.get_attribute("aria-label")
    assert f"rank {move['rank_before']} before, rank {move['rank_after']} after." in said
    assert f"+{move['causes']['joined']} who joined" in said


def test_an_entry_is_picked_the_address_follows_and_back_undoes_it(visit, garden):
    tab = visit("moves", board="garden", entry="fern")
    box = tab.get_by_role("combobox", name="Entry")
    box.click()
    box.fill("moss")
    tab.get_by_role("option", name="Moss 2 (moss)").click()
    expect(tab.get_by_role("heading", name="Moss 2")).to_be_visible(timeout=PATIENCE)
    settle(tab)
    assert address_of(tab)["entry"] == ["moss"]
    assert metrics(tab) == numbers_of(garden.json("changes", "garden", "--entry", "moss"))
    tab.go_back()
    expect(tab.get_by_role("heading", name="Fern")).to_be_visible(timeout=PATIENCE)
    assert address_of(tab)["entry"] == ["fern"]


def test_a_step_of_the_feed_opens_its_causes_in_place(visit, garden):
    tab = visit("moves", board="garden", entry="fern")
    tab.get_by_role("button", name=f"Why, at {garden.commits[1][:8]}").click()
    tab.wait_for_url(f"**at={garden.commits[1]}**")
    settle(tab)
    assert address_of(tab) == {
        "board": ["garden"],
        "entry": ["fern"],
        "from": [garden.commits[0]],
        "at": [garden.commits[1]],
    }
    ends = ("--from", garden.commits[0], "--to", garden.commits[1])
    told = garden.json("changes", "garden", "--entry", "fern", *ends)
    expect(tab.get_by_text("1 of 2").first).to_be_visible(timeout=PATIENCE)
    assert metrics(tab) == numbers_of(told)


def test_a_ticked_row_opens_its_entry(visit, garden):
    tab = visit("moves", board="garden", entry="fern")
    tab.get_by_role("heading", name="All entries").scroll_into_view_if_needed()
    listed = tab.locator('[data-testid="stDataFrame"] canvas').last
    expect(listed).to_be_visible(timeout=PATIENCE)
    listed.scroll_into_view_if_needed()
    settle(tab)
    box = listed.bounding_box()
    first = garden.json("changes", "garden")["moves"][0]["entry"]
    tab.mouse.click(box["x"] + 17, box["y"] + 35 + 17)
    tab.wait_for_url("**entry=%3Divy**")
    assert address_of(tab)["entry"] == [first]


def test_a_click_on_a_bar_leaves_the_rivals_behind_it(visit, garden):
    tab = visit("moves", board="garden", entry="fern")
    bar = tab.locator('[data-testid="stVegaLiteChart"] path[aria-label*="who joined"]').first
    bar.click()
    tab.wait_for_url("**cause=joined**")
    settle(tab)
    expect(tab.get_by_role("radio", name="who joined")).to_be_checked()
    rim = tab.locator('[data-testid="stVegaLiteChart"] path[aria-label*="who joined"][stroke]')
    expect(rim).to_have_count(1, timeout=PATIENCE)
    tab.get_by_text("anything", exact=True).click()
    tab.wait_for_url(lambda url: "cause" not in url)
    settle(tab)
    expect(rim).to_have_count(0, timeout=PATIENCE)


def test_a_phone_does_not_move_sideways(visit):
    tab = visit("moves", width=380, board="garden", entry="fern")
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_be_visible(timeout=PATIENCE)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
