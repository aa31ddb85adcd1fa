"""Is everything that a board says text on every page, and can the page still be read?"""

from __future__ import annotations

import pytest

from tests.app.browsing import PATIENCE, settle, unfold
from tests.app.nasty_board import NASTY, plant_nasty
from tests.app.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    return plant_nasty(tmp_path_factory.mktemp("nasty"))


ALIVE = """
() => [...document.querySelectorAll('[data-testid=stMain] *, #vg-tooltip-element *')].filter((one) => {
  const name = one.tagName.toLowerCase(), said = one.textContent.trim();
  const link = one.getAttribute('href') || one.getAttribute('xlink:href') || '';
  return (name === 'img' && one.getAttribute('src') === 'x')
    || one.classList.contains('katex')
    || new URL(link, location).origin !== location.origin
    || (name === 'code' && said === 'code-x') || (name === 'strong' && said === 'bold-x')
    || (name === 'b' && said === 'html-x') || (name === 'span' && said === 'red-x')
    || (/^h[1-6]$/.test(name) && said === 'heading-x')
    || [...one.attributes].some((own) => /^on/.test(own.name));
}).map((one) => one.outerHTML.slice(0, 200))
"""


@pytest.mark.parametrize("page", ["boards", *PAGES, "claims list"])
def test_names_are_text_and_the_page_can_be_read(page, visit):
    asked = {"board": "nasty", "entry": list(NASTY[:5])}
    if page == "claims":
        asked |= {"claim": f"0 {NASTY[0]}"}
    tab = visit(page.split()[0], width=380, **asked)
    tab.wait_for_timeout(1000)
    settle(tab)
    main = tab.locator('[data-testid="stMain"]')
    said = main.inner_text()
    assert max(map(len, said.splitlines())) <= 2600
    assert "m" * 81 not in said
    unfold(tab)  # what is there to be copied is whole
    assert tab.locator('[data-testid="stException"]').count() == 0
    assert tab.evaluate(ALIVE) == []
    said = main.inner_text()
    assert "\u202e" not in said and "😄" not in said
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380


def test_what_is_chosen_and_hovered_is_text(visit):
    tab = visit("trail", board="nasty", entry=list(NASTY[6:12]), at="2026-03-02")
    box = tab.get_by_role("combobox", name="Version")
    box.click()
    expected = tab.get_by_role("option").first
    expected.wait_for(timeout=PATIENCE)
    tab.keyboard.press("Escape")
    tab.wait_for_timeout(1000)  # the list has faded out, charts are drawn
    settle(tab)
    tab.locator('[data-testid="stVegaLiteChart"] svg path[aria-label*="Since"]').first.hover(
        force=True
    )
    tab.wait_for_timeout(500)
    assert tab.evaluate(ALIVE) == []
