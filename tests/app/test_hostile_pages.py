"""Is everything that a board says text on every page, and can the page still be read?"""

from __future__ import annotations

import json

import pytest

from tests.app.browsing import PATIENCE, settle
from tests.app.pages import PAGES
from tests.app.small_board import Garden, define, run
from tests.histories import History

pytestmark = [pytest.mark.browser, pytest.mark.long]

LONG = "m" * 5000
NASTY = (
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "$\\sum$",
    ":red[red-x]",
    ":smile:",
    "[link-x](https://elsewhere.example/)",
    "https://elsewhere.example/",
    "`code-x`",
    "[[x]]",
    "**bold-x**",
    "<b>html-x</b>",
    "turned\u202ex",
    "two\nlines",
    "# heading-x",
    LONG,
)
ALL = " ".join(NASTY)
DEFINITION = {
    "title": ALL,
    "reconstruction": ALL,
    "source": {"kind": "git", "repo": "../../nasty.git", "paths": ["board.json"]},
    "table": {
        "rows": "$.rows",
        "entry": "id",
        "name": "name",
        "score": "s",
        "direction": "higher",
        "parts": {NASTY[3]: "pub", NASTY[0]: "priv"},
        "attributes": {NASTY[7]: "maker"},
    },
    "splits": {NASTY[3]: NASTY[3], NASTY[0]: NASTY[0]},
    "ties": {"rule": "anchored", "band": 0.5},
    "edition": {"label": "$.label"},
}


def toml(tables: dict) -> str:
    """A definition with any text in it."""
    plain = [f"{json.dumps(k)} = {value(v)}" for k, v in tables.items() if not isinstance(v, dict)]
    for name, table in tables.items():
        if isinstance(table, dict):
            plain += [f"[{name}]", *(f"{json.dumps(k)} = {value(v)}" for k, v in table.items())]
    return "\n".join(plain) + "\n"


def value(one: object) -> str:
    if isinstance(one, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {value(v)}" for k, v in one.items()) + " }"
    return json.dumps(one)


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    """A board that says nothing but such things; its newest version cannot be read."""
    folder = tmp_path_factory.mktemp("nasty")
    upstream = History(folder / "nasty.git")
    commits = []
    for turn, day in enumerate(("01", "02", "03")):
        rows = [
            {"id": one, "name": one, "s": 60.0 - (n + turn) % 7, "pub": n, "priv": -n, "maker": one}
            for n, one in enumerate(NASTY)
        ]
        content = json.dumps({"label": f"{turn} {ALL}", "rows": rows})
        commits.append(upstream.commit({"board.json": content}, f"2026-03-{day}T08:00:00Z"))
    note = f'\n[[note]]\ntext = {json.dumps(ALL)}\n[[note]]\nentry = {json.dumps(NASTY[0])}\ntext = "x"\n'
    store = folder / "store"
    define(store, "nasty", toml(DEFINITION) + note)
    done = run(store, "crawl")
    assert done.exit_code == 0, done.stderr
    claims = [
        {
            "id": f"{number} {one}"[:60].strip(),
            "text": one,
            "said_by": one,
            "source": one,
            "predicate": "first",
            "subject": one,
            "boards": ["nasty"],
            "when": {"as_of": "2026-03-02T12:00:00Z"},
        }
        for number, one in enumerate(NASTY[:-1])
    ]
    blocks = ("\n".join(f"{key} = {value(said)}" for key, said in one.items()) for one in claims)
    (store / "claims.toml").write_text("".join(f"[[claim]]\n{block}\n" for block in blocks))
    return Garden(store, upstream, commits)


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
    assert tab.locator('[data-testid="stException"]').count() == 0
    assert tab.evaluate(ALIVE) == []
    main = tab.locator('[data-testid="stMain"]')
    said = main.inner_text()
    assert "\u202e" not in said and "😄" not in said
    assert max(map(len, said.splitlines())) <= 2600
    assert "m" * 81 not in said
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 380


def test_what_is_chosen_and_hovered_is_text(visit):
    tab = visit("trail", board="nasty", entry=list(NASTY[6:12]), at="2026-03-02")
    box = tab.get_by_role("combobox", name="Version")
    box.click()
    expected = tab.get_by_role("option").first
    expected.wait_for(timeout=PATIENCE)
    tab.keyboard.press("Escape")
    tab.locator('[data-testid="stVegaLiteChart"] svg path[aria-label*="Since"]').first.hover(
        force=True
    )
    tab.wait_for_timeout(500)
    assert tab.evaluate(ALIVE) == []
