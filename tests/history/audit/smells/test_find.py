"""How are findings gathered: none on a plain board, many as one, each where it is first seen?"""

from __future__ import annotations

import pytest

from history.audit.smells.kinds import KINDS
from tests.history.audit.audits import audit_of, csv, told
from tests.history.audit.smells.tables import seven, what_is_found


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param([seven()], None, [], id="a plain board has no finding"),
        pytest.param([seven(), seven(oak="63.0")], None, [], id="nor has an entry that joins"),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected


def test_many_of_one_kind_in_one_version_are_one_finding(tmp_path):
    rows = [f"m{n},{50 + n}" for n in range(40)]
    odd = [f"x{n},soon" for n in range(7)]
    assert told(audit_of(tmp_path, csv(*rows, *odd))) == [
        (
            0,
            "no_number",
            None,
            "7 times: the score of 'x0', soon, is no number; the score of 'x1', soon, is no number; "
            "the score of 'x2', soon, is no number; and 4 more",
        )
    ]


def test_what_lasts_is_found_in_every_version_and_an_event_once(tmp_path):
    files = [csv("a,1", "A,2"), csv("a,1", "A,2", "b,3")]
    found = [(version, kind) for version, kind, _, _ in told(audit_of(tmp_path, *files))]
    assert found == [(0, "look_alike"), (1, "look_alike")]
    assert KINDS["look_alike"].lasts and not KINDS["swapped"].lasts


def test_a_later_commit_adds_findings_to_itself_alone(tmp_path):
    files = [seven(), seven(cob=""), seven(), seven(ash="74.2", bay="81.5")]
    whole = told(audit_of(tmp_path / "all", *files))
    before = told(audit_of(tmp_path / "part", *files[:3]))
    assert [one for one in whole if one[0] < 3] == before
