"""The page about firmness in a real browser: weights are moved, the address follows, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.browsing import PATIENCE, address_of, metrics, settle
from tests.app.small_board import Garden, define, run
from tests.histories import History

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> **b** $y$ :smile:"
DEFINITION = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.csv"]

[table]
entry = "model"
score = "score"
direction = "higher"
se = "se"

[table.parts]
"first *part*" = "a"
second = "b"
"""
ROWS = f"model,a,b,score,se\n{HOSTILE},90,60,75,1.5\nmoss,70,76,73,1.5\noak,40,50,45,1.5\n"


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    folder = tmp_path_factory.mktemp("robust")
    upstream = History(folder / "upstream.git")
    commits = [upstream.commit({"board.csv": ROWS}, "2026-03-01T08:00:00Z")]
    define(folder / "store", "weighed", DEFINITION)
    assert run(folder / "store", "crawl").exit_code == 0
    return Garden(folder / "store", upstream, commits)


@pytest.fixture(scope="module")
def site(garden: Garden) -> Path:
    return garden.store


def names_and_values(tab) -> dict[str, str]:
    return {name: value.replace("\u2060", "") for name, value in metrics(tab).items()}


def test_a_weight_is_moved_the_ranks_follow_and_back_undoes_it(visit, garden):
    told = garden.json("robust", "weighed")
    tab = visit("robustness", board="weighed")
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(3, timeout=PATIENCE)
    shown = names_and_values(tab)
    assert shown["First by the board's score"] == told["first"][0] == HOSTILE
    assert shown["Weight that must move"] == f"{told['reweighting']['least_movement']:.1%}"
    assert shown["Ahead by"] == f"{told['drop_one'][0]['gap']:.4g}"
    expect(tab.locator('[data-testid="stSlider"]').first).to_contain_text("first *part*")
    slider = tab.locator('[data-testid="stSlider"] input').first
    slider.focus()
    slider.press("Home")
    tab.wait_for_url("**weight=**")
    settle(tab)
    expect(tab.get_by_text("First under these weights")).to_be_visible()
    assert address_of(tab)["weight"] == ["first *part*:0"]
    assert names_and_values(tab)["First under these weights"] == "moss"
    assert names_and_values(tab)["Ahead by"] == "16"
    tab.go_back()
    expect(tab.get_by_text("First under the board's own weights")).to_be_visible()
    settle(tab)
    assert address_of(tab) == {"board": ["weighed"]}
    assert names_and_values(tab) == shown


def test_it_opens_by_its_address_and_names_are_text(visit):
    tab = visit("robustness", board="weighed", weight="second:0.9", sort="name", entry=HOSTILE)
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(3, timeout=PATIENCE)
    assert names_and_values(tab)["First under these weights"] == "moss"
    forest = tab.locator('[data-testid="stVegaLiteChart"] svg').last
    assert "1 to 2" in forest.locator("text").all_text_contents()
    main = tab.locator('[data-testid="stMain"]')
    assert main.locator("img, .katex, strong:text-is('b'), em:text-is('part')").count() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_it_without_moving_sideways(visit, dark):
    tab = visit("robustness", width=380, dark=dark, board="weighed", weight="second:0.9")
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(3, timeout=PATIENCE)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
