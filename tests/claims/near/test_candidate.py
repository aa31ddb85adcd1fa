"""Which of many true statements are given, and in which order?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from history.claims.answer import Ref
from history.claims.language.claim import Claim
from history.claims.near.candidate import Candidate, choose
from history.claims.near.classes import condition

TIME = datetime(2024, 3, 1, tzinfo=UTC)


def one(kind: str, said: str, version: int = 0, **more: Any) -> Candidate:
    refs = (Ref("b", version, "fern"),)
    return Candidate(kind, Claim("c", "first"), TIME, said, refs, **more)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(
            [one("time", "then", seconds=9), one("place", "now", place=2)],
            ["then", "now"],
            id="the same place before a weaker one",
        ),
        pytest.param(
            [one("rival", "b", changed=2, place=1), one("place", "a", place=9)],
            ["a", "b"],
            id="fewer changes first",
        ),
        pytest.param(
            [one("place", "second", place=2), one("split", "first", place=1)],
            ["first", "second"],
            id="the stronger place first",
        ),
        pytest.param(
            [one("time", "short", seconds=5), one("time", "long", seconds=50)],
            ["long", "short"],
            id="the longer stretch first",
        ),
        pytest.param(
            [one("class", "small", place=1, size=3), one("class", "large", 1, place=1, size=30)],
            ["large", "small"],
            id="the larger class first",
        ),
        pytest.param(
            [one("class", "a", place=1), one("class", "b", 1, place=1), one("time", "c")],
            ["a", "c", "b"],
            id="each kind once before any twice",
        ),
        pytest.param(
            [one("class", "x", place=1, size=3), one("class", "y", place=1, size=3)],
            ["x"],
            id="classes of as many with the same cells say the same",
        ),
        pytest.param(
            [one("place", "same"), one("shared", "same")], ["same"], id="the same is said once"
        ),
        pytest.param(
            [one("time", str(n), n, seconds=9 - n) for n in range(9)], list("01234"), id="five"
        ),
        pytest.param([], [], id="none"),
    ],
)
def test_order(found, expected):
    assert [near.statement for near in choose(found)] == expected
    assert [near.statement for near in choose(reversed(found))] == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("open", "TRUE", "open == true", id="true or false"),
        pytest.param("size", "8B", "size <= '8B'", id="a size"),
        pytest.param("size", "640.5", "size <= '640.5'", id="a number"),
        pytest.param("lab", "it's", "lab == 'it''s'", id="a text with a quote"),
        pytest.param("made by", "x", "\"made by\" == 'x'", id="a name of two words"),
        pytest.param("not", "x", "\"not\" == 'x'", id="a name that means something else"),
        pytest.param('a"b', "x", "", id="a name that cannot be written"),
        pytest.param("lab", "x" * 41, "", id="too long"),
        pytest.param("lab", "a\nb", "", id="two lines"),
        pytest.param("lab", "a\u200bb", "", id="what cannot be seen"),
        pytest.param("lab", "", "", id="nothing"),
    ],
)
def test_conditions(name, text, expected):
    assert condition(name, text) == expected
