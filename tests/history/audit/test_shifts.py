"""Names that moved on from row to row are told as that, and as no new scores."""

from __future__ import annotations

import pytest

from tests.history.audit.audits import audit_of, csv, told

PARTS = """
[table]
entry = "model"
score = "score"
direction = "higher"
[table.parts]
a = "a"
"""
STAY = ("ash,81.5", "bay,74.2", "cob,66.9", "elm,59.3", "fir,52.8", "hop,47.1")
FERN = "the row of 'fern', 88.0, is now that of 'fern (high)'"
HIGH = "the row of 'fern (high)', 86.7, is now that of 'fern (medium)'"
PLACE = "each at the same place in the file"


def moved(*rows: str, places: str = f", {PLACE}", pairs: str) -> str:
    """The sentence of a shift in the second version."""
    return (
        f"names moved on at commit 00000001: {', '.join(rows[:-1])} and {rows[-1]}{places}: "
        f"alias? [[alias]] until 00000001: {pairs}"
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            ["fern,88.0", "fern (high),86.7", "fern (low),81.3"],
            ["fern (high),88.0", "fern (medium),86.7", "fern (low),81.3"],
            [
                (
                    "rename",
                    "fern (high)",
                    moved(
                        *(FERN, HIGH),
                        pairs='"fern" = "fern (high)", "fern (high)" = "fern (medium)"',
                    ),
                )
            ],
            id="a key takes over the row of one that left, its own goes on under a new one",
        ),
        pytest.param(
            ["a1,33.3", "a2,32.2", "a3,31.1"],
            ["a2,33.3", "a3,32.2", "a4,31.1"],
            [
                (
                    "rename",
                    "a2",
                    moved(
                        "the row of 'a1', 33.3, is now that of 'a2'",
                        "the row of 'a2', 32.2, is now that of 'a3'",
                        "the row of 'a3', 31.1, is now that of 'a4'",
                        pairs='"a1" = "a2", "a2" = "a3", "a3" = "a4"',
                    ),
                )
            ],
            id="three names move on by one",
        ),
        pytest.param(
            ["fern (high),86.7", "fern (low),81.3"],
            ["fern (low),86.7", "fern (min),81.3", "fern (high),88.0"],
            [
                (
                    "rename",
                    "fern (low)",
                    moved(
                        "the row of 'fern (high)', 86.7, is now that of 'fern (low)'",
                        "the row of 'fern (low)', 81.3, is now that of 'fern (min)'",
                        places=f", {PLACE}; 'fern (high)' has a new one, 88.0",
                        pairs='"fern (high)" = "fern (low)", "fern (low)" = "fern (min)"',
                    ),
                )
            ],
            id="the first name stands for a new run",
        ),
        pytest.param(
            ["fern,88.0", "fern,86.7", "fern (high),85.0"],
            ["fern,88.0", "fern (high),86.7", "fern (low),85.0"],
            [
                (
                    "rename",
                    "fern (high)",
                    "names moved on at commit 00000001: the row of 'fern#2', 86.7, is now that of "
                    "'fern (high)' and the row of 'fern (high)', 85.0, is now that of 'fern (low)', "
                    "each at the same place in the file; one key stood in several rows, and no alias "
                    "can name one of them",
                )
            ],
            id="no alias for one of several rows",
        ),
        pytest.param(
            ["fern,88.0", "fern (high),86.7"],
            ["fern (high),85.0", "fern (medium),86.7"],
            [("corrected", "fern (high)", None)],
            id="a row that nobody had before is a new score",
        ),
        pytest.param(
            ["fern,88.0", "fern (high),86.7"],
            ["moss,70.1", "fern (high),88.0", "fern (medium),86.7"],
            [("corrected", "fern (high)", None)],
            id="the same score at another place is too little without parts",
        ),
        pytest.param(
            ["fern,88.0", "oak,88.0", "fern (high),86.7"],
            ["fern (high),88.0", "oak,88.0", "fern (medium),86.7"],
            [("corrected", "fern (high)", None)],
            id="a score that others have tells nobody apart",
        ),
    ],
)
def test_names_that_moved_on(before, after, expected, tmp_path):
    found = told(audit_of(tmp_path, csv(*STAY, *before), csv(*STAY, *after)))
    here = [(kind, entry, text) for version, kind, entry, text in found if version == 1]
    known = [
        (kind, entry, None if (kind, entry, None) in expected else text)
        for kind, entry, text in here
    ]
    assert sorted(known, key=str) == sorted(expected, key=str)


def test_the_same_numbers_at_another_place(tmp_path):
    header = "model,score,a"
    stay = [f"{row},{n}" for n, row in enumerate(STAY)]
    before = csv(*stay, "fern,88.0,70", "fern (high),86.7,61", header=header)
    after = csv("fern (high),88.0,70", "fern (medium),86.7,61", *stay, header=header)
    pairs = '"fern" = "fern (high)", "fern (high)" = "fern (medium)"'
    text = moved(FERN, HIGH, places=", each with the same parts", pairs=pairs)
    assert told(audit_of(tmp_path, before, after, table=PARTS)) == [
        (1, "rename", "fern (high)", text)
    ]
