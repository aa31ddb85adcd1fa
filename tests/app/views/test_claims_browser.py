"""The page of claims in a real browser: by its address, with its widgets, on a phone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from app.tables import clean
from tests.app.browsing import PATIENCE, address_of, settle, unfold
from tests.app.small_board import run

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

EARLY = "moss is first on garden as of 2026-03-01T12:00Z"
TEXT = "fern is #1 on garden as of 2026-03-01. Moss was ever first on garden."


def told(garden, sentence: str) -> dict:
    (claim,) = json.loads(run(garden.store, "check", sentence, "--json").stdout)["claims"]
    return claim


def body(claim: dict) -> str:
    """The sentence without its word and without the age of the last look."""
    return claim["sentence"].partition(". ")[2].partition(" Last look: ")[0]


def test_a_claim_opens_by_its_address_with_the_verdict_of_check(visit, garden):
    tab = visit("claims", claim=EARLY)
    claim = told(garden, EARLY)
    heading = tab.locator("h3").first
    expect(heading).to_contain_text("False.")
    expect(heading).to_contain_text(clean(body(claim)))
    expect(tab.locator('[data-testid="stVegaLiteChart"] svg')).to_be_visible()
    rows = tab.locator('[data-testid="stTable"] tbody tr')
    expect(rows).to_have_count(len(claim["evidence"]))
    cells = [row.split("\t") for row in rows.all_inner_texts()]
    assert [[cell.strip() for cell in row][:4] for row in cells] == [
        [one["label"], one["entry"], one["field"], one["text"]] for one in claim["evidence"]
    ]


def test_a_sentence_is_typed_and_back_undoes_it(visit, garden):
    tab = visit("claims", claim=EARLY)
    line = tab.get_by_role("textbox", name="What was claimed")
    line.fill("moss is 2nd on garden now")
    line.press("Enter")
    expect(tab.locator("h3").first).to_contain_text("True.")
    assert address_of(tab) == {"claim": ["moss is 2nd on garden now"]}
    tab.go_back()
    expect(tab.locator("h3").first).to_contain_text("False.")
    assert address_of(tab) == {"claim": [EARLY]}
    expect(line).to_have_value(EARLY)


def test_what_would_be_true_is_a_click_away(visit):
    tab = visit("claims", claim=EARLY)
    tab.get_by_role("heading", name="What would be true").wait_for()
    tab.locator('[class*="st-key-open-near-"] button').first.click()
    expect(tab.locator("h3").first).to_contain_text("True.")
    assert address_of(tab)["claim"] != [EARLY]


def test_what_is_not_understood_offers_sentences_that_are(visit):
    tab = visit("claims", claim="what a fine day")
    expect(tab.get_by_role("alert")).to_contain_text("Nearest form")
    tab.locator('[class*="st-key-open-"] button').first.click()
    expect(tab.locator("h3").first).to_contain_text("True.")


def test_a_text_is_pasted_and_each_claim_of_it_opens(visit):
    tab = visit("claims")
    tab.get_by_text("Or paste a text of several sentences").click()
    tab.get_by_role("textbox", name="A post, an article or a model card").fill(TEXT)
    tab.get_by_role("button", name="Find the claims in it").click()
    expect(tab.get_by_role("heading", name="Claims in this text")).to_be_visible()
    assert address_of(tab) == {"claim": [TEXT]}
    tab.get_by_role("button", name="Open this claim").nth(1).click()
    expect(tab.get_by_text("Claimed: “Moss was ever first on garden.”")).to_be_visible()
    settle(tab)
    assert address_of(tab) == {"claim": [TEXT], "show": ["2"]}
    tab.go_back()
    expect(tab.get_by_role("heading", name="Claims in this text")).to_be_visible()


def test_the_link_that_is_copied_opens_the_same_view(visit, server):
    tab = visit("claims", claim=EARLY)
    unfold(tab)
    link = tab.locator('[data-testid="stCode"]').first.inner_text().strip()
    assert link.startswith(f"{server}/claims?claim=")
    again = visit("claims", claim=EARLY)
    again.goto(link)
    expect(again.locator("h3").first).to_contain_text("False.")


@pytest.mark.parametrize("claim", [EARLY, TEXT, "what a fine day", None])
def test_a_phone_shows_it_without_moving_sideways(visit, claim):
    tab = visit("claims", width=380, **({} if claim is None else {"claim": claim}))
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380
