"""A board whose editions follow the Decision Index: 0.3, then 0.4, then 0.4.1 under the key 0.4.

Six commits in a real repository. The values of five entries are those of the text board; scores
are computed by the plain formulas, so that every one of them fits. At 0.4 the weights change and
`new_domains` is measured anew; at 0.4.1 only the label changes, and one entry is re-scored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from tests.app.small_board import define, run
from tests.histories import History
from tests.reference import editions as plain

DEFINITION = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["v03.json"]

[table]
rows = "$.models"
entry = "engine"
score = "v"
direction = "higher"

[table.parts]
public = "pub"
same_skills = "same_skills"
new_domains = "new_domains"

[ties]
rule = "anchored"
band = 0.9

[edition]
label = "$.label"
block = "$.formula"

[formula]
score = 'max(0, "$.weights.public"*public + "$.weights.same_skills"*s(same_skills) + "$.weights.new_domains"*o(new_domains))'
s = "s(x) = 23.4973 + 16.539081*(x - 24.268626)/16.350451"
o = "o(x) = 23.4973 + 16.539081*(x - 23.682619)/12.286109"

[[since]]
when = "$.edition == '0.4'"
formula.o = "o(x) = 2.6468 + 1.23498*x"
"""
OLD = {
    "decider-chat": ("57.79", "56.88", "50.35"),
    "rune": ("58.28", "57.09", "49.38"),
    "vega": ("56.97", "55.71", "47.91"),
    "kev": ("56.69", "55.51", "55.49"),
    "blink": ("58.21", "57.21", "50.08"),
}
NEW_DOMAINS = {
    "decider-chat": "54.01",
    "rune": "43.20",
    "vega": "48.12",
    "kev": "51.51",
    "blink": "42.05",
}
NEW = {entry: (*row[:2], NEW_DOMAINS[entry]) for entry, row in OLD.items()}
RESCORED = NEW | {"blink": ("60.00", "59.00", "44.00")}
WEIGHTS_03 = {"public": 0.2, "same_skills": 0.5, "new_domains": 0.3}
WEIGHTS_04 = {"public": 0, "same_skills": 0.6, "new_domains": 0.4}

Rows = Mapping[str, tuple[str, str, str]]


def file(
    label: str, rows: Rows, over: Mapping[str, str] | None = None, decided: str = "10-06"
) -> str:
    """The file of one version.

    Args:
        label: "0.3", "0.4" or "0.4.1".
        rows: public, same_skills and new_domains by entry.
        over: scores that are not what the formula gives.
        decided: something in the formula block.
    """
    new = label.startswith("0.4")
    models = []
    for entry, (public, same, other) in rows.items():
        score = (
            plain.text_score_04(same, other) if new else plain.text_score_03(public, same, other)
        )
        text = (over or {}).get(entry) or str(round(score, 2))
        numbers = {"pub": public, "same_skills": same, "new_domains": other, "v": text}
        models.append({"engine": entry} | {key: float(n) for key, n in numbers.items()})
    return json.dumps(
        {
            "edition": "0.4" if new else "0.3",
            "label": f"Decision Index {label}",
            "weights": WEIGHTS_04 if new else WEIGHTS_03,
            "models": models,
            "formula": {"formula_id": f"v{label[:3]}-final", "decided": decided, "tie_band": 0.9},
        },
        indent=1,
    )


VERSIONS = (
    ("2026-10-06T16:32:56Z", file("0.3", dict(list(OLD.items())[:4]))),
    ("2026-10-07T18:25:58Z", file("0.3", OLD)),
    ("2026-10-20T13:53:00Z", file("0.4", NEW)),
    ("2026-10-20T15:00:00Z", "{"),
    ("2026-10-21T15:13:00Z", file("0.4.1", RESCORED)),
    ("2026-10-22T20:12:00Z", file("0.4.1", RESCORED, over={"vega": "72"})),
)


def build(folder: Path, versions: tuple[tuple[str, str], ...] = VERSIONS) -> Path:
    """Commit the versions, crawl them, and return the store; the board is called `index`."""
    upstream = History(folder / "upstream.git")
    for at, text in versions:
        upstream.commit({"v03.json": text}, at)
    store = folder / "store"
    define(store, "index", DEFINITION)
    done = run(store, "crawl")
    assert done.exit_code == 0, done.stderr
    return store


def printed(rows: Rows, part: int) -> dict[str, str]:
    """One part by entry."""
    return {entry: str(Decimal(row[part])) for entry, row in rows.items()}
