"""What a definition says beside the file is said wherever it belongs, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler.board import BoardError
from history.notes import TimedNote, meeting
from history.pipeline import open_board
from tests.app.small_board import DEFINITION, VERSIONS, Garden, define, plant, run

NOTES = """
[[note]]
text = "v1.1 weights"
source = "https://example.org/note"
entry = "fern"
from = 2026-03-02

[[note]]
text = "moved to another server"
until = "{third}"

[[note]]
text = "retired"
entry = "moss"
from = "{fourth}"
until = 2026-03-04

[[ignore]]
commit = "{second}"
entry = "moss"
why = "a count"

[[ignore]]
commit = "{third}"
why = "cut off"
"""
FERN = "Note: fern: v1.1 weights (https://example.org/note)"
FERN_THEN = "Note: fern, from 2026-03-02T00:00:00Z: v1.1 weights (https://example.org/note)"
BOARD = "Note: moved to another server"
BOARD_THEN = "Note: until 2026-03-02T15:00:00Z: moved to another server"
RETIRED_THEN = "Note: moss, from 2026-03-03T10:00:00Z, until 2026-03-04T00:00:00Z: retired"
COUNT = "Note: moss: ignored: a count"
COUNT_THEN = "Note: moss, from 2026-03-02T09:00:00Z, until 2026-03-02T15:00:00Z: ignored: a count"
CUT_THEN = "Note: from 2026-03-02T15:00:00Z, until 2026-03-03T10:00:00Z: ignored: cut off"


def noted(folder: Path, more: str = NOTES) -> Garden:
    """The small board with notes."""
    garden = plant(folder)
    names = dict(zip(("first", "second", "third", "fourth"), garden.commits, strict=True))
    define(garden.store, "garden", DEFINITION + more.format(**names))
    assert run(garden.store, "rebuild", "garden").exit_code == 0
    return garden


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """A store that no test changes."""
    return noted(tmp_path_factory.mktemp("noted"))


def told(garden: Garden, *arguments: str) -> list[str]:
    """The notes that a command prints for people."""
    lines = garden.run(*arguments).stdout.splitlines()
    return [line for line in lines if line.startswith("Note: ")]


def test_a_bound_becomes_a_time(garden):
    at = [
        (note.entry, str(note.start), str(note.end), note.ignores)
        for note in open_board(garden.store, "garden").notes
    ]
    assert at == [
        ("fern", "2026-03-02 00:00:00+00:00", "None", False),
        (None, "None", "2026-03-02 15:00:00+00:00", False),
        ("moss", "2026-03-03 10:00:00+00:00", "2026-03-04 00:00:00+00:00", False),
        ("moss", "2026-03-02 09:00:00+00:00", "2026-03-02 15:00:00+00:00", True),
        (None, "2026-03-02 15:00:00+00:00", "2026-03-03 10:00:00+00:00", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "end", "shown", "ranked", "expected"),
    [
        pytest.param(1, 1, ["fern"], [], [], id="before it begins"),
        pytest.param(2, 2, ["fern"], [], ["fern: new"], id="its first instant"),
        pytest.param(4, 4, ["fern"], [], [], id="its end is no part of it"),
        pytest.param(1, 2, ["fern"], [], ["fern: new"], id="a stretch that reaches it"),
        pytest.param(None, None, ["fern"], [], ["fern: new"], id="all time"),
        pytest.param(2, 2, ["oak"], ["fern"], [], id="a note of another entry"),
        pytest.param(5, 5, ["oak"], ["moss"], ["moss: ignored: x"], id="an ignored rival"),
        pytest.param(5, 5, ["oak"], [], [], id="an ignored entry where nobody is ranked"),
    ],
)
def test_which_notes_belong_to_an_answer(start, end, shown, ranked, expected):
    notes = [TimedNote("fern", "new", None, 2, 4), TimedNote("moss", "ignored: x", ignores=True)]
    assert [str(one) for one in meeting(notes, start, end, shown, ranked)] == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(["standings", "--at", "2026-03-01"], [BOARD], id="only the board's"),
        pytest.param(
            ["standings", "--at", "2026-03-02T09:00Z"], [FERN, BOARD, COUNT], id="at its commit"
        ),
        pytest.param(
            ["standings", "--at", "2026-03-02T09:00Z", "--top", "1"],
            [FERN, BOARD, COUNT],
            id="who is ignored is not among the top, and touches it",
        ),
        pytest.param(["standings"], [FERN], id="at the last look"),
        pytest.param(["standings", "--top", "1"], [], id="fern is not shown"),
        pytest.param(["splits", "--at", "2026-03-01"], [BOARD], id="splits"),
        pytest.param(
            ["history"], [FERN_THEN, BOARD_THEN, RETIRED_THEN, COUNT_THEN, CUT_THEN], id="history"
        ),
        pytest.param(
            ["history", "--entry", "oak", "--until", "2026-03-02"],
            [BOARD_THEN, COUNT_THEN, CUT_THEN],
            id="history of another entry",
        ),
        pytest.param(
            ["history", "--entry", "moss", "--since", "2026-03-03T10:00Z"],
            [RETIRED_THEN],
            id="history of a time",
        ),
        pytest.param(
            ["reigns"], [FERN_THEN, BOARD_THEN, COUNT_THEN, CUT_THEN], id="reigns without moss"
        ),
    ],
)
def test_notes_below_an_answer(garden, arguments, expected):
    command, *options = arguments
    assert told(garden, command, "garden", *options) == expected


def test_notes_as_json(garden):
    found = garden.json("standings", "garden", "--at", "2026-03-02T09:00Z")["notes"]
    assert found == [
        {
            "entry": "fern",
            "text": "v1.1 weights",
            "source": "https://example.org/note",
            "from": "2026-03-02T00:00:00Z",
            "until": None,
        },
        {
            "entry": None,
            "text": "moved to another server",
            "source": None,
            "from": None,
            "until": "2026-03-02T15:00:00Z",
        },
        {
            "entry": "moss",
            "text": "ignored: a count",
            "source": None,
            "from": "2026-03-02T09:00:00Z",
            "until": "2026-03-02T15:00:00Z",
        },
    ]


def test_beside_a_csv_notes_are_on_stderr(garden):
    result = garden.run("standings", "garden", "--csv")
    assert result.stderr.splitlines() == [FERN]
    assert "weights" not in result.stdout


SAYS_FERN = "garden: fern: v1.1 weights (https://example.org/note)"
SAYS_BOARD = "garden: moved to another server"
SAYS_COUNT = "garden: moss: ignored: a count"
SAYS_CUT = "garden: ignored: cut off"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param(
            {"predicate": "first", "when": {"as_of": "2026-03-02T09:00:00Z"}},
            [SAYS_FERN, SAYS_BOARD, SAYS_COUNT],
            id="first, while another is ignored",
        ),
        pytest.param(
            {"predicate": "score", "value": "71.5", "when": {"as_of": "2026-03-02T09:00:00Z"}},
            [SAYS_FERN, SAYS_BOARD],
            id="a score has no rivals",
        ),
        pytest.param(
            {"predicate": "first", "when": {"as_of": "2026-03-01"}}, [SAYS_BOARD], id="before"
        ),
        pytest.param({"predicate": "first"}, [SAYS_FERN], id="at the last look"),
        pytest.param(
            {"predicate": "first", "when": {"ever": ["", ""]}},
            [SAYS_FERN, SAYS_BOARD, SAYS_COUNT, SAYS_CUT],
            id="all the time",
        ),
        pytest.param(
            {"predicate": "first", "when": {"on": "2026-03-03"}}, [SAYS_FERN, SAYS_CUT], id="a day"
        ),
        pytest.param(
            {
                "predicate": "duration",
                "state": {"predicate": "first"},
                "value": "1",
                "unit": "days",
            },
            [SAYS_FERN, SAYS_BOARD, SAYS_COUNT, SAYS_CUT],
            id="a duration without a time",
        ),
        pytest.param(
            {
                "predicate": "not",
                "claims": [{"predicate": "first", "when": {"as_of": "2026-03-01"}}],
            },
            [SAYS_BOARD],
            id="a member's own time",
        ),
    ],
)
def test_notes_of_a_verdict(garden, tmp_path, claim, expected):
    file = tmp_path / "claims.json"
    whole = {"id": "c", "subject": "fern", "boards": ["garden"], **claim}
    file.write_text(json.dumps([whole]), encoding="utf-8")
    result = garden.run("check", str(file), "--json")
    notes = json.loads(result.stdout)["claims"][0]["notes"]
    assert [note for note in notes if note.startswith("garden: ")] == expected
    shown = " ".join(garden.run("check", str(file)).stdout.split())
    assert all(f"note {note}" in shown for note in expected)


def test_a_commit_that_is_not_there(tmp_path):
    garden = noted(tmp_path, '[[note]]\ntext = "x"\nfrom = "0123abcd"\n')
    with pytest.raises(BoardError, match="commit 0123abcd is not on the board's line"):
        _ = open_board(garden.store, "garden").notes


def test_a_definition_without_notes_looks_nothing_up(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    assert open_board(garden.store, "garden").notes == ()
