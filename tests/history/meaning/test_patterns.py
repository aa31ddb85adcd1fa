from __future__ import annotations

import time

import pytest

from history.meaning import patterns
from history.readers import Unreadable
from history.readings import read_table
from tests.history.definitions import TABLE, meaning_of

SLOW = "^(a|aa|b)+$"  # takes ages on a text that almost fits
HOSTILE = "a" * 60 + "!"


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TABLE + f"where = \"model ~ '{SLOW}'\"", id="in a condition"),
        pytest.param(TABLE.replace('"model"', f"{{ column = 'model', pattern = '{SLOW}' }}"), id="in a column"),
    ],
)  # fmt: skip
def test_a_text_that_a_pattern_never_ends_with(tmp_path, text):
    cells = "".join(f"{HOSTILE}{n},{n}\n" for n in range(50))
    began = time.thread_time()
    reading = read_table(
        meaning_of(tmp_path, text, "b.csv"), "b.csv", f"model,score\n{cells}".encode()
    )
    assert time.thread_time() - began < 1
    assert (reading.reading, reading.reason) == ("unreadable", "too_slow")
    assert reading.found.startswith(f"the pattern {SLOW!r} takes more than 0.2 s, at 'aaa")
    kind = read_table(meaning_of(tmp_path, text, "b.csv"), "b.csv", b"model,score\naab,1\n")
    assert kind.reading == "read"


def test_all_searches_of_a_version_share_its_time():
    slow, quick = patterns.parse(SLOW), patterns.parse("fern")
    with patterns.one_version():
        with pytest.raises(Unreadable):
            slow.search(HOSTILE)
        with pytest.raises(Unreadable, match="'fern' takes more than"):
            quick.search("a fern")
    assert quick.search("a fern")


@pytest.mark.parametrize("text", ["(", "(?P<a", "[z-a]", "*"])
def test_no_pattern(text):
    with pytest.raises(ValueError, match="is no regular expression"):
        patterns.parse(text)
