"""The page of standings in a real browser: its table, its comparison, its address, on a phone."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, settle
from tests.app.small_board import VERSIONS, Garden, board_json, plant

pytestmark = pytest.mark.browser

LAST = (
    "2026-03-05T08:00:00Z",
    board_json(
        "2",
        ("fern", "**Fern** $x$", 73.0, 80.25, 60.5),
        ("moss", "<b>Moss</b>", 72.9, 71.5, 72.5),
        ("=ivy", ":red[Ivy]", 60.0, 75.0, 71.2),
    ),
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    return plant(tmp_path_factory.mktemp("garden"), [*VERSIONS, LAST])


def downloaded(tab: Any) -> list[dict[str, str]]:
    """The table as the page gives it away: what is drawn on a canvas cannot be read."""
    with tab.expect_download(timeout=PATIENCE) as waiting:
        tab.get_by_role("button", name="Download CSV").first.click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def test_the_table_is_the_one_that_the_command_prints(visit, garden):
    told = garden.json("standings", "garden")
    tab = visit("standings", board="garden")
    expect(tab.get_by_text("3 ranked; by score; ties anchored 0.5 inclusive.")).to_be_visible()
    rows = downloaded(tab)
    assert [row["commit"] for row in rows] == [told["commit"]] * 3
    for title, key in {
        "Rank": "rank",
        "Tie": "tie_rank",
        "Score": "score_text",
        "Best place": "rank_low",
        "Worst place": "rank_high",
        "Name": "name",
    }.items():
        assert [row[title] for row in rows] == [str(one[key]) for one in told["entries"]], title
    assert [row["Entry"] for row in rows] == ["fern", "moss", "'=ivy"]  # no formula


def test_an_earlier_moment_is_picked_the_address_follows_and_back_undoes_it(visit, garden):
    tab = visit("standings", board="garden", at=garden.commits[-1])
    tab.get_by_text("Compare with an earlier moment").click()
    box = tab.get_by_role("combobox", name=re.compile("Earlier moment"))
    expect(box).to_be_visible(timeout=PATIENCE)
    settle(tab)
    box.click()
    tab.get_by_role("option", name=re.compile("2026-03-01 08:00 UTC")).click()
    expect(tab.get_by_text("2 ranked then, 3 now.")).to_be_visible(timeout=PATIENCE)
    settle(tab)
    assert address_of(tab)["from"] == [garden.commits[0]]
    changes = [(row["Entry"], row["Change"], row["Then"]) for row in downloaded(tab)]
    assert changes == [("fern", "same", "1"), ("moss", "same", "2"), ("'=ivy", "joined", "")]
    tab.go_back()
    expect(tab.get_by_text("3 ranked; by score")).to_be_visible(timeout=PATIENCE)
    settle(tab)
    assert "from" not in address_of(tab)


def test_a_condition_and_a_rule_in_the_address_open_the_same_view(visit, garden):
    tab = visit("standings", board="garden", where="public >= 75", tie="chain:20", from_="")
    expect(tab.get_by_text("2 of 3 entries meet the condition: public >= 75")).to_be_visible()
    expect(tab.get_by_text("ties chain 20 inclusive as asked for")).to_be_visible()
    assert [(row["Entry"], row["Rank"], row["Tie"]) for row in downloaded(tab)] == [
        ("fern", "1", "1"),
        ("'=ivy", "2", "1"),
    ]


@pytest.mark.parametrize("more", [{}, {"from_": "2026-03-01"}], ids=["one", "two moments"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_shows_it_without_moving_sideways(more, dark, visit):
    tab = visit("standings", width=380, dark=dark, board="garden", **more)
    expect(tab.locator('[data-testid="stDataFrame"] canvas').first).to_be_visible(timeout=PATIENCE)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380


def test_the_picture_has_a_mark_for_each_kind_of_rank_and_names_as_texts(visit):
    tab = visit("standings", board="garden")
    picture = tab.locator('[data-testid="stVegaLiteChart"]')
    expect(picture.locator("svg")).to_be_visible(timeout=PATIENCE)
    legend = picture.locator(".role-legend-label text").all_text_contents()
    assert legend == ["rank by score", "tie rank"]
    said = picture.get_attribute("aria-label")
    assert "fern: rank by score 1, tie rank 1; moss: rank by score 2, tie rank 1" in said
    main = tab.locator('[data-testid="stMain"]')
    assert main.locator(".katex, b, strong:text-is('Fern')").count() == 0
