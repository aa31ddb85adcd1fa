"""Which JSON document does each command print that reads a board?"""

from __future__ import annotations

import pytest

from tests.app.small_board import DEFINITION, VERSIONS, define, plant, run


def timeless(document: dict) -> dict:
    """A document without the time of the look, which is never the same twice."""
    assert document.pop("as_of")
    return document


def entry(key, name, score, text, rank, tie, group, tied, parts, unranked=None):
    return {
        "entry": key,
        "name": name,
        "score": score,
        "score_text": text,
        "rank": rank,
        "tie_rank": tie,
        "tie_group": group,
        "tied": tied,
        "rank_low": tie,
        "rank_high": None if tie is None else tie + tied,  # no tie here is of more than two
        "rank_published": None,
        "tie_rank_published": None,
        **dict.fromkeys(("low", "high", "se", "items")),
        "parts": {
            name: {"value": value, "text": text}
            for name, (value, text) in zip(("public", "private"), parts, strict=True)
        },
        "attributes": {},
        "unranked": unranked,
        "unranked_why": None,
    }


FERN = ((80.25, "80.25"), (60.5, "60.5"))

MOSS = ((71.5, "71.5"), (72.5, "72.5"))

IVY = ((75.0, "75.0"), (71.2, "71.2"))


def test_standings_as_json(garden):
    assert timeless(garden.json("standings", "garden")) == {
        "board": "garden",
        "commit": garden.commits[3],
        "committed_at": "2026-03-03T10:00:00Z",
        "edition": "2",
        "split": None,
        "score_label": "measured",
        "n_ranked": 3,
        "n_unreadable": 0,
        "ties": {"rule": "anchored", "band": 0.5, "edge": "inclusive"},
        "also": [],
        "absent": False,
        "path": "board.json",
        "notes": [],
        "entries": [
            entry("=ivy", "\x1b[31mIvy", 73.1, "73.1", 1, 1, 1, False, IVY),
            entry("moss", "Moss 2", 72.0, "72.0", 2, 2, 2, True, MOSS),
            entry("fern", "Fern", 71.5, "71.5", 3, 2, 2, True, FERN),
        ],
        "reconstruction": "",
    }


def test_standings_of_a_split_at_a_commit_with_a_tie_rule_and_a_top(garden):
    found = garden.json(
        *("standings", "The gar", "--at", garden.commits[1][:9], "--split", "mix"),
        *("--tie", "pairwise:2", "--top", "1"),
    )
    assert timeless(found) == {
        "board": "garden",
        "commit": garden.commits[1],
        "committed_at": "2026-03-02T09:00:00Z",
        "edition": "1",
        "split": "mix",
        "score_label": "reasoned",
        "n_ranked": 2,
        "n_unreadable": 0,
        "ties": {"rule": "pairwise", "band": 2.0, "edge": "inclusive"},
        "also": [],
        "absent": False,
        "path": "board.json",
        "notes": [],
        "entries": [entry("moss", "Moss 2", 72.0, "72.000", 1, 1, None, True, MOSS)],
        "reconstruction": "",
    }


def test_an_entry_without_a_score_is_unranked_and_last(garden):
    listed = garden.json("standings", "garden", "--at", "2026-03-02T09:30:00Z")["entries"]
    oak = entry(
        "oak",
        "Oak",
        None,
        None,
        None,
        None,
        None,
        False,
        ((50.0, "50.0"), (None, None)),
        "no_score",
    )
    assert listed[-1] == oak


def test_an_alias_gives_its_entry_the_name_where_no_column_does(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    text = DEFINITION.replace('name = "name"\n', "") + '[aliases]\n"fern" = "Fern (May)"\n'
    define(garden.store, "garden", text)
    assert run(garden.store, "crawl").exit_code == 0
    entries = garden.json("standings", "garden")["entries"]
    assert [(one["entry"], one["name"]) for one in entries] == [
        ("Fern (May)", "Fern (May)"),
        ("moss", "moss"),
    ]


def test_history_as_json(garden):
    rows = [
        (0, "1", "Moss", 70.2, "70.2", 2, 2, False, 2),
        (1, "1", "Moss 2", 72.0, "72.0", 1, 1, True, 2),
        (3, "2", "Moss 2", 72.0, "72.0", 2, 2, True, 3),
    ]
    times = ["2026-03-01T08:00:00Z", "2026-03-02T09:00:00Z", None, "2026-03-03T10:00:00Z"]
    assert timeless(garden.json("history", "garden", "--entry", "Moss 2")) == {
        "board": "garden",
        "split": None,
        "rows": [
            {
                "commit": garden.commits[version],
                "committed_at": times[version],
                "edition": edition,
                "reading": "read",
                "entry": "moss",
                "name": name,
                "score": score,
                "score_text": text,
                "rank": rank,
                "tie_rank": tie,
                "tied": tied,
                "n_ranked": n,
            }
            for version, edition, name, score, text, rank, tie, tied, n in rows
        ],
        "notes": [],
        "reconstruction": "",
    }


@pytest.mark.parametrize(
    ("options", "versions"),
    [
        pytest.param(["--since", "2026-03-02"], [1, 3], id="a date begins with its first instant"),
        pytest.param(["--until", "2026-03-02"], [0, 1], id="a date ends with its last instant"),
        pytest.param(
            ["--since", "2026-03-02T09:00:01Z"], [3], id="a timestamp is meant to the second"
        ),
        pytest.param(["--since", "2026-03-09"], [], id="nothing happened"),
    ],
)
def test_history_of_a_time(garden, options, versions):
    rows = garden.json("history", "garden", "--entry", "moss", *options)["rows"]
    assert [row["commit"] for row in rows] == [garden.commits[version] for version in versions]


def test_history_up_to_a_commit(garden):
    rows = garden.json("history", "garden", "--entry", "moss", "--until", garden.commits[1])["rows"]
    assert [row["commit"] for row in rows] == garden.commits[:2]


def test_reigns_as_json(garden):
    found = garden.json("reigns", "garden")
    last = found["reigns"].pop()
    careers = {one["entry"]: one for one in found.pop("entries")}
    time = found.pop("time")
    assert timeless(found) == {
        "board": "garden",
        "split": None,
        "by": "score",
        "ties": {
            "rule": "anchored",
            "band": 0.5,
            "edge": "inclusive",
            "bands": ["0.5"],
            "source": "board",
        },
        "reigns": [
            {
                "entries": ["fern"],
                "names": {"fern": "Fern", "moss": "Moss 2"},
                "stays": [],
                "sole": True,
                "score": 71.5,
                "score_text": "71.5",
                "from": "2026-03-01T08:00:00Z",
                "from_earliest": "2026-03-01T08:00:00Z",
                "until": "2026-03-02T09:00:00Z",
                "until_earliest": "2026-03-02T09:00:00Z",
                "seconds": 25 * 3600,
                "seconds_certain": 25 * 3600,
                "seconds_high": 25 * 3600,
                "open": False,
                "censored_start": True,
                "absent": False,
                "from_commit": garden.commits[0],
                "until_commit": garden.commits[1],
                "lost_to": [{"entry": "moss", "why": "re-scored"}],
                "definition_changed": False,
            },
            {
                "entries": ["moss"],
                "names": {"moss": "Moss 2", "=ivy": "\x1b[31mIvy"},
                "stays": [],
                "sole": True,
                "score": 72.0,
                "score_text": "72.0",
                "from": "2026-03-02T09:00:00Z",
                "from_earliest": "2026-03-02T09:00:00Z",
                "until": "2026-03-03T10:00:00Z",
                "until_earliest": "2026-03-02T15:00:00Z",
                "seconds": 25 * 3600,
                "seconds_certain": 6 * 3600,
                "seconds_high": 25 * 3600,
                "open": False,
                "censored_start": False,
                "absent": False,
                "from_commit": garden.commits[1],
                "until_commit": garden.commits[3],
                "lost_to": [{"entry": "=ivy", "why": "joined"}],
                "definition_changed": False,
            },
        ],
        "clock": [],
        "notes": [],
        "reconstruction": "",
    }
    assert (last["entries"], last["open"], last["until"]) == (["=ivy"], True, None)
    assert last["seconds"] > 0
    assert list(careers)[:3] == ["fern", "moss", "=ivy"]
    fern, ivy = careers["fern"], careers["=ivy"]
    assert (fern["first_ever"], fern["peak"], fern["times_first"], fern["current"]) == (
        "2026-03-01T08:00:00Z", 1, 1, None,
    )  # fmt: skip
    assert fern["seconds"] == fern["seconds_sole"] == fern["longest"]["seconds"] == 25 * 3600
    assert (ivy["longest"]["open"], ivy["current"]["until"]) == (True, None)
    assert ivy["seconds"] == last["seconds"]
    assert time["seconds_sole"] == time["seconds"] == 50 * 3600 + last["seconds"]
