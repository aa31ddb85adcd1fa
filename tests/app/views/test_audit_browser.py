"""The page of an audit in a real browser: by its address, with its widgets, on a phone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.audited_board import BROKEN, plant_hedge
from tests.app.browsing import PATIENCE, address_of, settle
from tests.app.small_board import Garden, run

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def hedge(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    return plant_hedge(tmp_path_factory.mktemp("hedge"))


@pytest.fixture(scope="module")
def site(hedge: Garden) -> Path:
    return hedge.store


def told(hedge: Garden, *more: str) -> dict:
    return json.loads(run(hedge.store, "audit", "hedge", "--json", *more).stdout)


def test_a_version_opens_by_its_address_with_what_the_command_finds(visit, hedge):
    tab = visit("audit", board="hedge", at=hedge.commits[1])
    (version,) = told(hedge, "--at", hedge.commits[1])["versions"]
    findings = tab.locator('[data-testid="stTable"]').nth(1).locator("tbody tr")
    expect(findings).to_have_count(len(version["smells"]))
    shown = [row.split("\t") for row in findings.all_inner_texts()]
    assert sorted([row[0].strip(), row[1].strip(), row[2].strip()] for row in shown) == sorted(
        [one["kind"], one["entry"], one["found"]] for one in version["smells"]
    )
    off = f"farthest off {version['formula']['worst']:.4g}"
    expect(tab.get_by_text(off)).to_be_visible()
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(2)


def test_a_kind_is_picked_the_address_follows_and_back_undoes_it(visit):
    tab = visit("audit", board="hedge")
    findings = tab.locator('[data-testid="stTable"]').nth(1).locator("tbody tr")
    expect(findings).to_have_count(6)
    box = tab.get_by_role("combobox", name=re.compile("Kind"))
    box.click()
    tab.get_by_role("option", name="off_formula").click()
    expect(findings).to_have_count(1)
    settle(tab)
    assert address_of(tab) == {"board": ["hedge"], "show": ["off_formula"]}
    tab.go_back()
    expect(findings).to_have_count(6)
    assert address_of(tab) == {"board": ["hedge"]}


def test_the_bytes_that_are_downloaded_are_those_of_the_blob(visit, hedge):
    tab = visit("audit", board="hedge", at=hedge.commits[2])
    expect(tab.locator('[data-testid="stCode"]')).to_contain_text("<script>alert(1)</script>")
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name=f"Download the file ({len(BROKEN)} bytes)").click()
    saved = waiting.value
    assert saved.suggested_filename == f"{hedge.commits[2][:8]}-board.json"
    assert Path(saved.path()).read_bytes() == BROKEN.encode()


def test_names_from_a_board_are_text_everywhere(visit):
    tab = visit("audit", board="hedge")
    main = tab.locator('[data-testid="stMain"]')
    expect(main.get_by_text("<b>oak</b>").first).to_be_visible()
    assert main.locator("b:text-is('oak'), script, strong:text-is('other')").count() == 0


@pytest.mark.parametrize("at", [None, 1, 2])
def test_a_phone_shows_it_without_moving_sideways(visit, hedge, at):
    more = {} if at is None else {"at": hedge.commits[at]}
    tab = visit("audit", width=380, board="hedge", **more)
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
