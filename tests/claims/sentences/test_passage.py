"""Pasted texts: the claims in them, with their words, and what was not understood."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.claims.language.claim import ClaimError
from history.claims.sentences.passage import LONGEST_PASSAGE, read_passage
from tests.claims.sentences.scenes import SCENE, plain

POST = """# Introducing **d3-turbo**

Today we release d3-turbo, a small decision model that is first on vision and 10th of 229
on text. It is #1 on both boards as of 16 October! See [the docs](https://example.org/a.b).

- **+6.2 over d3** on the public suite of text
- `d3-turbo` led vision for about 29 hours.
- d3-flash trails d3 on vision. It is fifth on text.

Opus 5.5 and Carbon-X are great. It is third on text. We hope it would lead text soon.

| model | place |
| --- | --- |
| d3 | first on text |

```
d3 is first on text
```
"""


def test_a_launch_post():
    passage = read_passage(POST, SCENE)
    told = [
        (one.words, one.assumed, claim["predicate"], claim.get("subject"))
        for one in passage.found
        for claim in [plain(one.claim)]
    ]
    assert told == [
        ("is first on vision and 10th of 229\non text.", "d3-turbo", "all_of", None),
        ("It is #1 on both boards as of 16 October!", "d3-turbo", "first", "d3-turbo"),
        ("**+6.2 over d3** on the public suite of text", "d3-turbo", "delta", "d3-turbo"),
        ("`d3-turbo` led vision for about 29 hours.", "", "duration", None),
        ("d3-flash trails d3 on vision.", "", "ahead", "d3"),
        ("It is fifth on text.", "d3-flash", "rank", "d3-flash"),
    ]
    assert [one.words for one in passage.unread] == [
        "It is third on text.",
        "We hope it would lead text soon.",
    ]
    for one in (*passage.found, *passage.unread):
        assert POST[one.start : one.stop] == one.words
    assert all(one.why for one in passage.unread)


@pytest.mark.parametrize(
    "text",
    [
        "If d3 were first on text, we would tell.",
        "Is d3 first on text?",
        "d3 should be first on text, we think.",
        "Rumour has it, d3 will be first on text.",
        "d3 is first on text, said nobody.",
        "Carbon-X, d3 and others, it is said, are first on text.",
    ],
)
def test_nothing_is_made_up(text):
    passage = read_passage(text, SCENE)
    assert passage.found == ()
    assert len(passage.unread) == 1


@pytest.mark.parametrize(
    "text", ["", "Hello there.", "Ten out of ten would buy again.", "d3-turbo is out now!"]
)
def test_what_is_no_claim_is_left_alone(text):
    passage = read_passage(text, SCENE)
    assert (passage.found, passage.unread) == ((), ())


def test_dots_that_end_no_sentence():
    text = "d3 is No. 1 on text as of Oct. 16. StartLux-Decision v1.1 is 2.1 behind d3 on text."
    assert len(read_passage(text, SCENE).found) == 2


def test_a_long_text_is_refused():
    with pytest.raises(ClaimError, match="letters"):
        read_passage("a" * (LONGEST_PASSAGE + 1), SCENE)


def test_a_long_sentence_is_unread():
    (unread,) = read_passage("d3 is first on text and " * 200, SCENE).unread
    assert "letters" in unread.why


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(["d3", "it", "is first on text", ",", ". ", "\n\n", "# ", "- ", "**"]),
            st.sampled_from(["which", "and", "would", "`", "[a](b)", "```", "|", "<i>", "#1"]),
            st.text(max_size=6),
        ),
        max_size=25,
    ).map(" ".join)
)
def test_any_text_is_read(text):
    passage = read_passage(text, SCENE)
    for one in (*passage.found, *passage.unread):
        assert text[one.start : one.stop] == one.words
