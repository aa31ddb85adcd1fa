"""Does axe find anything serious on a page, and is a page reached by the keyboard?

What is Streamlit's own and cannot be mended from outside is listed in THEIRS, by rule and element.
"""

from __future__ import annotations

import pytest

from tests.app.browsing import Visitor, served, settle, unfold
from tests.app.pages import PAGES, claims_file
from tests.app.small_board import VERSIONS, Garden, plant

pytestmark = [pytest.mark.browser, pytest.mark.long]

# Rule, a part of the element's HTML, why it is not ours.
THEIRS: tuple[tuple[str, str, str], ...] = ()


@pytest.fixture(scope="module")
def garden(tmp_path_factory) -> Garden:
    page = ("2026-03-02T20:00:00Z", "<html>\n" + "<p>not a board, but a long page</p>\n" * 40)
    planted = plant(tmp_path_factory.mktemp("garden"), (*VERSIONS[:-1], page, VERSIONS[-1]))
    claims_file(planted.store).rename(planted.store / "claims.toml")
    (planted.store / "weeds").mkdir()
    (planted.store / "weeds" / "board.toml").write_text('name = "weeds"\n')
    return planted


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty") / "store"
    folder.mkdir()
    with served(folder) as address:
        yield address


def violations(tab) -> list[str]:
    """What axe calls serious or critical, but for what is Streamlit's own."""
    sync = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = sync.Axe().run(tab).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['html'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
        if not any(one["id"] == rule and part in node["html"] for rule, part, _ in THEIRS)
    ]


OF_BOARDS = [
    *(("garden", page) for page in ("boards", *PAGES)),
    *(("weeds", page) for page in PAGES if page != "claims"),  # which asks for no board
]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("board", "page"), OF_BOARDS)
def test_axe_finds_nothing_serious(board, page, dark, visit):
    claim = {"claim": "fern was ever first on garden"} if page == "claims" else {}
    tab = (
        visit(page, dark=dark, board=board, **claim)
        if board == "garden"
        else broken(visit, page, dark)
    )
    tab.wait_for_timeout(1500)  # charts are drawn and boxes have faded in
    settle(tab)
    assert violations(tab) == []
    unfold(tab)
    assert violations(tab) == []


def broken(visit, page: str, dark: bool):
    """A page of a board whose definition is wrong; the way there is through another's."""
    tab = visit(page, dark=dark, board="garden")
    tab.goto(tab.url.replace("board=garden", "board=weeds"))
    tab.locator('[data-testid="stAlert"]').first.wait_for()
    settle(tab)
    return tab


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_on_lists_and_empty_stores(dark, visit, browser, empty):
    assert violations(visit("claims", dark=dark)) == []
    visitor = Visitor(browser, empty)
    try:
        tab = visitor("", dark=dark)
        tab.locator('[data-testid="stAlert"]').first.wait_for()
        assert violations(tab) == []
    finally:
        visitor.close()
    assert visitor.trouble == []


def test_the_keyboard_reaches_ways_and_choices_and_shows_where_it_is(visit):
    tab = visit("trail", board="garden")
    tab.get_by_label("Entries").first.wait_for()
    tab.wait_for_timeout(1500)  # what is drawn later takes no focus away
    reached, unseen = set(), []
    for _ in range(50):
        tab.keyboard.press("Tab")
        seen = tab.evaluate(FOCUSED)
        reached.add(seen["name"])
        if not seen["visible"]:
            unseen.append(seen)
    wanted = ("Boards", "Trail", "Standings", "Claims", "Board", "Entries", "Version")
    assert [one for one in wanted if not any(one in name for name in reached)] == [], reached
    assert unseen == []


# Which element has the focus, and whether a line, a shadow or a border around it says so.
FOCUSED = """
() => {
  const one = document.activeElement;
  const name = one.getAttribute('aria-label') || one.labels?.[0]?.textContent
    || one.innerText?.split('\\n').pop() || one.tagName;
  let visible = one === document.body;
  for (let at = one, up = 0; at && up < 5; at = at.parentElement, up += 1) {
    const css = getComputedStyle(at);
    visible ||= css.outlineStyle !== 'none' && parseFloat(css.outlineWidth) > 0;
    visible ||= css.boxShadow !== 'none';
    visible ||= at.matches('[data-baseweb=select] > div');  // its border takes the first colour
  }
  return {name: name.trim(), visible, html: one.outerHTML.slice(0, 160)};
}
"""
