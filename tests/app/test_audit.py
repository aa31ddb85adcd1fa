"""The `audit` command on a real store, and the note of `standings` about the direction."""

from __future__ import annotations

import json
import tomllib

import pytest

from app.audit_report import alias_lines, findings
from tests.app.small_board import Garden, define, run
from tests.histories import History

DEFINITION = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.csv"]

[table]
entry = "model"
score = "score"
direction = "{direction}"
published_rank = "rank"
"""
FILES = (
    "rank,model,score\n1,ash,80.0\n2,bay,70.0\n3,cob,70.0\n",
    "rank,model,score\n1,ash,80.0\n2,bay,70.0\n3,cob,70.0\n4,Ash,60.5\n",
    "<<<<<<< HEAD\nrank,model,score\n1,ash,80.0\n=======\n>>>>>>> other\n",
    "rank,model,score\n1,ash,80.0\n2,bay,70.0\n3,cob,70.0\n4,Ash,61\n",
)


@pytest.fixture(scope="module")
def plants(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    folder = tmp_path_factory.mktemp("plants")
    upstream = History(folder / "upstream.git")
    times = (f"2026-03-0{day}T08:00:00Z" for day in range(1, 5))
    commits = [
        upstream.commit({"board.csv": text}, at) for text, at in zip(FILES, times, strict=True)
    ]
    for name, direction in (("plants", "higher"), ("upside-down", "lower")):
        define(folder / "store", name, DEFINITION.format(direction=direction))
    assert run(folder / "store", "crawl").exit_code == 0
    return Garden(folder / "store", upstream, commits)


ALIKE = {
    "kind": "look_alike",
    "entry": "Ash",
    "pointer": "cell=5,3",
    "found": "'Ash' and 'ash' differ only in case; both are listed",
}
TIED = {"entry": "cob", "published": 3, "computed": 2, "contradicts": False}


def version(plants: Garden, number: int, smells: list, **more: object) -> dict:
    return {
        "commit": plants.commits[number],
        "committed_at": f"2026-03-0{number + 1}T08:00:00Z",
        "reading": "read",
        "reason": None,
        "formula": {
            "ok": None,
            "worst": None,
            "rows": [],
            "compared": 0,
            "exact": 0,
            "computed_label": "reasoned",
            "why": None,
        },
        "published_rank": {"ok": True, "rows": [TIED]},
        "tie_rule": dict.fromkeys(("fits", "nearest", "declared", "edge")),
        "smells": smells,
    } | more


def test_audit_as_json(plants):
    done = run(plants.store, "audit", "plants", "--json")
    document = json.loads(done.stdout)
    assert document.pop("as_of")
    (edition,) = document.pop("editions")
    assert (edition["label"], edition["versions"], edition["formula"]) == (None, 3, None)
    (broken,) = document["versions"][2].pop("smells")
    assert (broken["kind"], broken["entry"], broken["pointer"]) == ("unreadable", None, None)
    assert broken["found"].startswith(f"cannot be read: {document['versions'][2]['reason']}: ")
    assert (document["versions"][2]["reading"], done.exit_code) == ("unreadable", 5)
    del document["versions"][2]
    assert document == {
        "board": "plants",
        "ignored": [],
        "versions": [
            version(plants, 0, []),
            version(plants, 1, [ALIKE]),
            version(plants, 3, [ALIKE]),
        ],
        "reconstruction": "",
    }


def test_audit_for_people_tells_what_lasts_once(plants):
    done = run(plants.store, "audit", "plants")
    text = done.stdout
    assert text.count("look_alike: 'Ash' and 'ash'") == 1
    assert "[2 versions, up to the newest]" in " ".join(text.split())
    newest, oldest = text.index(plants.commits[2][:8]), text.index(plants.commits[1][:8])
    assert newest < oldest
    assert plants.commits[0][:8] not in text
    assert "plants: 1 of 4 versions without a finding." in text


def test_audit_as_csv_has_a_row_per_finding(plants):
    lines = run(plants.store, "audit", "plants", "--csv").stdout.splitlines()
    assert lines[0] == "board,commit,committed_at,kind,entry,pointer,found"
    assert [line.split(",")[3] for line in lines[1:]] == ["look_alike", "unreadable", "look_alike"]


def test_findings_of_no_entry_are_told_apart_by_what_they_say():
    """t25: of two files left out one after the other, the first seemed to stay so."""
    said = (["row 1 is short"], ["row 1 is short", "row 9 is long"], ["row 9 is long"])
    versions = [
        {
            "reading": "partial",
            "smells": [{"kind": "rows_left_out", "entry": None, "found": text} for text in texts],
        }
        for texts in said
    ]
    assert [(one.smell["found"], one.first, one.last) for one in findings(versions)] == [
        ("row 1 is short", 0, 1),
        ("row 9 is long", 1, 2),
    ]


@pytest.mark.parametrize(
    ("when", "kinds", "code"),
    [
        pytest.param("2026-03-01", [], 0, id="a version without a finding"),
        pytest.param("2026-03-03", ["unreadable"], 5, id="one that cannot be read"),
        pytest.param("latest", ["look_alike"], 5, id="the newest"),
    ],
)
def test_audit_of_one_moment(when, kinds, code, plants):
    done = run(plants.store, "audit", "plants", "--at", when, "--json")
    (one,) = json.loads(done.stdout)["versions"]
    assert ([smell["kind"] for smell in one["smells"]], done.exit_code) == (kinds, code)


def test_ranks_the_other_way_round_are_noted(plants):
    note = "the published ranks are exactly the reverse of the computed ones"
    assert note not in run(plants.store, "standings", "plants").stderr
    assert note in run(plants.store, "standings", "upside-down").stderr
    assert note in run(plants.store, "audit", "upside-down", "--csv").stdout


def test_a_kind_can_be_ignored(plants):
    done = run(plants.store, "audit", "plants", "--ignore", "look_alike", "--ignore", "unreadable")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "plants: 4 of 4 versions without a finding (look_alike, unreadable ignored)."
    )


def test_a_kind_that_there_is_not_is_refused(plants):
    done = run(plants.store, "audit", "plants", "--ignore", "look_alikes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "--ignore 'look_alikes': no such kind of finding. Nearest: look_a"
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([], [], id="nothing found, nothing proposed"),
        pytest.param(["a left and b joined: which is it?"], [], id="a guess is no proposal"),
        pytest.param(
            ['x: alias? [aliases] "a" = "b"', 'y: alias? [aliases] "b" = "c"'],
            ["[aliases]", '"a" = "c"', '"b" = "c"'],
            id="a chain ends at the newest name",
        ),
        pytest.param(
            ['x: alias? [aliases] "a" = "b"', 'y: alias? [aliases] "b" = "a"'],
            ["[aliases]", '"b" = "a"'],
            id="a name that went and came back",
        ),
        pytest.param(
            ['x: alias? [[alias]] until 0a1b2c3d: "a" = "b", "b" = "c \\" d"'],
            [
                *("", "[[alias]]", 'key = "a"', 'entry = "b"', 'until = "0a1b2c3d"'),
                *("", "[[alias]]", 'key = "b"', 'entry = "c \\" d"', 'until = "0a1b2c3d"'),
            ],
            id="names that moved on, for a time",
        ),
        pytest.param(
            ['x: alias? [aliases] "a" = "b"] [aliases] "x" = 1'], [], id="no line that is none"
        ),
    ],
)
def test_proposed_aliases(found, expected):
    lines = alias_lines([{"kind": "rename", "found": text} for text in found])
    assert lines[1:] == expected
    assert tomllib.loads("\n".join(lines)) is not None
