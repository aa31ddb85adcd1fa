"""Are claims that nobody would write refused with one line, or judged, and never a crash?"""

from __future__ import annotations

import json
import os

import pytest

from history.claims.language.claim import ClaimError
from history.claims.language.claims_file import parse_claims, read_claims
from tests.claims.conftest import World

FIRST = {"predicate": "first", "subject": "fern", "boards": ["text"]}
PARTS = '[table.parts]\nreading = "reading"\nsums = "sums"\n'


@pytest.fixture(scope="module")
def board(tmp_path_factory) -> World:
    """moss joins in the second version; nobody has sums in the first."""
    world = World(tmp_path_factory.mktemp("odd"))
    world.board("text", more=PARTS)
    one = "model,score,reading,sums\nfern,70.0,80.0,\noak,60.0,90.0,\n"
    two = "model,score,reading,sums\nfern,70.0,80.0,70.0\noak,60.0,90.0,30.0\nmoss,65,1.0,2.0\n"
    for day, text in (("01", one), ("02", two)):
        world.commit(f"2024-03-{day}T10:00:00Z", **{"text.csv": text})
    world.crawl()
    return world


@pytest.mark.parametrize(
    ("when", "code"),
    [
        ({"over": ["2030-01-01", ""]}, "CENSORED"),
        ({"ever": ["2030-01-01", ""]}, "CENSORED"),
        ({"always": ["9999-12-31", ""]}, "CENSORED"),
        ({"over": ["", "2020-01-01"]}, "BEFORE_FIRST_SNAPSHOT"),
        ({"ever": [None, "0001-01-01"]}, "BEFORE_FIRST_SNAPSHOT"),
    ],
)
@pytest.mark.parametrize(
    "claim",
    [
        FIRST,
        {"predicate": "score", "subject": "fern", "value": "70.0", "boards": ["text"]},
        {"predicate": "count", "what": "ranked", "n": 2, "boards": ["text"]},
        {"predicate": "not", "claims": [FIRST]},
        {"predicate": "ratio", "subject": "fern", "other": "oak", "value": "1", "boards": ["text"]},
    ],
    ids=lambda claim: claim["predicate"],
)
def test_a_window_beyond_all_that_is_known(board, claim, when, code):
    found = board.one(**claim, when=when)
    assert (found.verdict, found.code) == ("not_decidable", code)
    assert any(one.commit and one.pointer is not None for one in found.evidence)


@pytest.mark.parametrize("when", [{"over": ["2030-01-01", ""]}, {"over": ["", "2020-01-01"]}])
def test_a_duration_beyond_all_that_is_known(board, when):
    claim = {"predicate": "duration", "state": FIRST, "value": "1", "unit": "day"}
    found = board.one(**claim, when=when)
    assert found.verdict == "not_decidable" and found.evidence


def test_a_mean_without_a_part_is_of_the_version_that_is_meant(board):
    claim = {"predicate": "drop_one", "boards": ["text"], "column": "sums"}
    late = board.one(**claim, order=["oak", "fern", "moss"])
    assert late.verdict == "true", late.sentence
    early = board.one(**claim, order=["oak", "moss"], when={"as_of": "2024-03-01"})
    assert (early.verdict, early.code) == ("not_decidable", "NOT_LISTED")
    column = {**claim, "column": "reading", "order": ["fern"], "when": {"as_of": "2024-03-01"}}
    assert board.one(**column).code == "MISSING_COMPONENT"
    with pytest.raises(ClaimError):
        board.one(**{**claim, "column": "nothing", "order": ["fern"]})


def refused(claim: object, form: str = "json") -> str:
    text = json.dumps([claim]) if form == "json" else str(claim)
    with pytest.raises(ClaimError) as caught:
        parse_claims(text, "claims", form)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 1_000
    return message


def nested(depth: int) -> dict[str, object]:
    claim: dict[str, object] = FIRST
    for _ in range(depth):
        claim = {"predicate": "not", "claims": [claim]}
    return claim


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ({**FIRST, "predicate": "rank", "n": None}, "no `n`"),
        ({**FIRST, "subject": None}, "no `subject`"),
        ({**FIRST, "predicate": "rank", "n": 10**19}, "`n` has 20 digits"),
        ({**FIRST, "predicate": "score", "value": "9" * 400}, "a number of 400 letters"),
        ({**FIRST, "predicate": "tie", "with": {"value": "67.0"}}, "a number of its own beside"),
        ({**FIRST, "tracked": "false"}, "`tracked` is"),
        ({**FIRST, "filter": "not " * 1000 + "open == true"}, "a `filter` of"),
        ({**FIRST, "id": "x" * 5000}, "an `id` of 5,000 letters"),
        (nested(200), "claims within claims"),
        ({"predicate": "ratio_at", "table": "", "curve": ["x", "y"], "x": "1", "other": {"value": "1"},
          "value": "1", "boards": ["text"]}, "no `table`"),
        ({"predicate": "ratio_at", "table": "a.csv", "curve": 7, "x": "1", "other": {"value": "1"},
          "value": "1"}, "`curve` is 7"),
        ({"predicate": "score", "subject": {"formula": "1+" * 2000 + "1"}, "value": "1"},
         "`formula` has"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_one_line(claim, found):
    assert found in refused(claim)


def test_one_bracket_is_told_from_two():
    assert "Write [[claim]]" in refused('[claim]\npredicate = "first"', "toml")


def test_what_is_no_regular_file_is_not_read(tmp_path, board):
    pipe = tmp_path / "claims.toml"
    os.mkfifo(pipe)
    endless = tmp_path / "zero.json"
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        with pytest.raises(ClaimError, match="no regular file"):
            read_claims(path)
    table = board.folder / "endless.csv"
    table.symlink_to("/dev/zero")
    claim = {"predicate": "average_of", "subject": "A", "columns": ["x"], "value": "1"}
    with pytest.raises(ClaimError, match="no regular file"):
        board.one(**claim, table=table.name)


def test_a_break_in_a_name_breaks_no_sentence(board):
    found = board.one(**{**FIRST, "subject": "a\nb"})
    assert found.code == "UNKNOWN_ENTRY" and "\n" not in found.sentence


def test_commas_that_contradict_each_other_are_told_column_by_column(board):
    (board.folder / "commas.csv").write_text('M,x,y\nA,"1,234","12,5"\nB,"2,345,678","1.234,5"\n')
    claim = {"predicate": "score", "subject": "A", "table": "commas.csv"}
    assert board.one(**claim, columns=["x"], value="1234").verdict == "not_decidable"
    assert board.one(**claim, columns=["y"], value="12.5").verdict == "true"
