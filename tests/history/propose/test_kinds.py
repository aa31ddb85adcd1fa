"""Rows of another kind are mentioned with a condition that works."""

from __future__ import annotations

import tomllib

import pytest

from history.meaning import conditions
from history.propose.facts import facts_of
from history.propose.kinds import other_kinds
from history.readers import parse

ROWS = [("fern", "open"), ("moss", "open"), ("oak", "closed"), ("elm", "open"), ("ivy", "open")]


@pytest.mark.parametrize(
    ("header", "more", "why", "kept"),
    [
        pytest.param("kind", [("ann", "human_expert")], "1 row is human_expert", 5, id="people"),
        pytest.param(
            "Model type", [("ann", "human"), ("x", "Random baseline")],
            "1 row is human, 1 row is Random baseline", 5, id="two kinds, and a name with a space",
        ),
        pytest.param(
            "type", [("ann", "human"), ("new", "")], "1 row is human", 6, id="a gap is kept"
        ),
    ],
)  # fmt: skip
def test_other_kinds(header, more, why, kept):
    text = f"model,{header}\n" + "".join(f"{a},{b}\n" for a, b in ROWS + more)
    table = parse("csv", text.encode()).table()
    (guess,) = other_kinds(facts_of(table))
    assert (guess.key, guess.value, guess.why) == ("table.where", None, why)
    condition = conditions.parse(tomllib.loads(guess.hint)["where"])
    assert sum(held is True for held in conditions.truths(condition, table, {})) == kept


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("model,kind\na,open\nb,closed\nc,open\n", id="kinds of models"),
        pytest.param("model,note\na,human\nb,x\nc,x\nd,x\ne,x\nf,x\n", id="no column of kinds"),
        pytest.param("model,kind\na,human\nb,human\nc,human\nd,x\n", id="most rows"),
    ],
)
def test_no_other_kinds(text):
    assert other_kinds(facts_of(parse("csv", text.encode()).table())) == []
