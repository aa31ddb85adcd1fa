"""What does a board look like of which every text is meant to do harm?"""

from __future__ import annotations

import json
from pathlib import Path

from tests.app.small_board import Garden, define, run
from tests.histories import History

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


def plant_nasty(folder: Path) -> Garden:
    """A board that says nothing but such things, and claims about them."""
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
