"""Sentences: what each form means, and what is said of those that are not understood."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from history.claims.language.claim import LATEST, Claim, ClaimError, When
from history.claims.language.claims_file import parse_claims
from history.claims.language.claims_text import to_toml
from history.claims.sentences.grammar import sentence_forms
from history.claims.sentences.sentence import read_sentence

DAY = date(2024, 10, 20)
NOON = datetime(2024, 10, 20, 12, tzinfo=UTC)


def claim(predicate: str, **more) -> Claim:
    given = {"subject": "fern", "boards": ("text",), "when": LATEST, **more}
    return Claim("sentence", predicate, **given)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("fern is #1 on text", claim("first")),
        ("fern is first on text now", claim("first")),
        ("fern is the sole number one on text", claim("first", sole=True)),
        ("fern is first alone on text.", claim("first", sole=True)),
        (
            "fern is #1 on text and vision on 2024-10-20",
            claim("first", boards=("text", "vision"), when=When("on", DAY)),
        ),
        ("fern is first on a, b and c", claim("first", boards=("a", "b", "c"))),
        ("fern was ever first on text", claim("first", when=When("ever"))),
        (
            "fern was always first on text since 2024-10-20",
            claim("first", when=When("always", DAY)),
        ),
        ("fern is 10th of 120 on text", claim("rank", n=10, of=120)),
        ("fern was 10th of 120 on text", claim("rank", n=10, of=120, when=When("ever"))),
        ("fern is 1st of 189 on text", claim("rank", n=1, of=189)),
        ("fern is #1 of 189 on text", claim("rank", n=1, of=189)),
        ("fern is the sole first of 69 on text", claim("rank", n=1, of=69, sole=True)),
        ("fern leads text", claim("first")),
        ("fern led text and vision now", claim("first", boards=("text", "vision"))),
        ("fern leads on text", claim("first")),
        ("fern ever led text", claim("first", when=When("ever"))),
        ("fern leads moss on text", claim("ahead", other="moss")),
        ("fern is second on text", claim("rank", n=2)),
        ("fern is #3 on text at abcdef1", claim("rank", n=3, when=When("at", commit="abcdef1"))),
        ("fern is in the top 5 on text", claim("top_k", k=5)),
        (
            "fern scores 81.25 on text as of 2024-10-20",
            claim("score", value="81.25", when=When("as_of", DAY)),
        ),
        ("fern scores about 81 on text", claim("score", value="81", approx=True)),
        (
            "fern is +6.2 over moss on the public suite of text",
            claim("delta", other="moss", value="+6.2", split="public"),
        ),
        (
            "fern is -1.4 over moss on text on the new domains split",
            claim("delta", other="moss", value="-1.4", split="new domains"),
        ),
        ("fern is tied with moss on text", claim("tie", other="moss")),
        (
            "fern is ahead of moss on text at 2024-10-20T12:00:00Z",
            claim("ahead", other="moss", when=When("as_of", NOON)),
        ),
        (
            "fern was ahead of moss on text from 2024-10-20 to 2024-10-20 12:00 UTC",
            claim("ahead", other="moss", when=When("over", DAY, NOON)),
        ),
        (
            "Fern 2.0 Large is ahead of moss-v1.1 (beta) on text",
            claim("ahead", subject="Fern 2.0 Large", other="moss-v1.1 (beta)"),
        ),
        (
            '"first on the moon" is first on "my board"',
            claim("first", subject="first on the moon", boards=("my board",)),
        ),
        (
            "\"'fern'\" is tied with 'moss \"wild\"' on text",
            claim("tie", subject="'fern'", other='moss "wild"'),
        ),
        (
            "Rock 'n' fern is ahead of the moss' kin on text",
            claim("ahead", subject="Rock 'n' fern", other="the moss' kin"),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_a_sentence_means(sentence, expected):
    assert read_sentence(sentence) == replace(expected, text=sentence.rstrip("."), spoken=True)


@pytest.mark.parametrize(
    ("ending", "when"),
    [
        ("on 20 October 2024", When("on", DAY)),
        ("on October 20, 2024", When("on", DAY)),
        ("on Oct. 20th 2024", When("on", DAY)),
        ("as of 20 OCT 2024", When("as_of", DAY)),
        ("since 20 Oct 2024", When("over", DAY)),
        ("from 20 Oct 2024 to Oct 20, 2024", When("over", DAY, DAY)),
        ("in 2024-02", When("over", date(2024, 2, 1), date(2024, 2, 29))),
        ("in December 2024", When("over", date(2024, 12, 1), date(2024, 12, 31))),
    ],
)
def test_dates_as_people_write_them(ending, when):
    assert read_sentence(f"fern is first on text {ending}").when == when


def test_a_name_may_hold_a_month():
    found = read_sentence("May 2024 fern is first on may day")
    assert (found.subject, found.boards) == ("May 2024 fern", ("may day",))


@pytest.mark.parametrize(
    ("ending", "op", "approx", "span"),
    [
        ("for 29 hours", "=", False, "total"),
        ("for about 29 hours", "=", True, "total"),
        ("for at least 29 hours", ">=", False, "total"),
        ("for more than 29 hours", ">", False, "total"),
        ("for at most 29 hours", "<=", False, "total"),
        ("for less than 29 hours in a row", "<", False, "longest"),
    ],
)
def test_how_long(ending, op, approx, span):
    found = read_sentence(f"fern was first on text {ending}")
    assert (found.predicate, found.value, found.unit, found.when) == (
        "duration",
        "29",
        "hours",
        None,
    )
    assert (found.op, found.approx, found.span) == (op, approx, span)
    assert found.members[0].predicate == "first"
    assert found.members[0].when is None


def test_never_is_not_ever_on_each_board():
    alone, both = (
        read_sentence(f"fern was never first on {boards}") for boards in ("text", "text and vision")
    )
    assert (alone.predicate, alone.members[0].when) == ("not", When("ever"))
    assert both.predicate == "all_of"
    assert [m.members[0].boards for m in both.members] == [("text",), ("vision",)]


def test_a_sole_first_of_many_can_be_saved():
    said = read_sentence("fern is the sole first of 69 on text")
    (saved,) = parse_claims(to_toml([said]), "claims.toml")
    assert (saved.predicate, saved.n, saved.of, saved.sole) == ("rank", 1, 69, True)


@pytest.mark.parametrize("form", sentence_forms(), ids=lambda form: form.form)
def test_every_documented_example_is_understood_and_can_be_saved(form):
    said = read_sentence(form.example)
    saved = parse_claims(to_toml([said]), "claims.toml")[0]
    assert (saved.predicate, saved.when) == (said.predicate, said.when)


@pytest.mark.parametrize(
    ("sentence", "found", "nearest"),
    [
        ("fern is great on text", '"great on text" was not understood, "fern is" was', ""),
        ("fern is first", "it names no board", "first on BOARD"),
        ("is first on text", "it names no entry", "first on BOARD"),
        ("", "the sentence stops too early", ""),
        ("fern is tied on text", '"on text" was not understood', "tied with ENTRY"),
        ("fern scores 70,0 on text", '"70,0" is no plain number', "scores [about] X"),
        ("fern is first on text on 2024-13-40", '"2024-13-40" is no date', "first on BOARD"),
        ("fern is first on text on 31 Feb 2024", '"31 Feb 2024" is no date', ""),
        ("fern is first on text on 1 May", '"1 May" is not one day: write it as 2026-03-20', ""),
        ("fern is first on text since May 5", '"May 5" is not one day', ""),
        ("fern is first on text on 03/04/2024", '"03/04/2024" is not one day', ""),
        ("fern is first on text on July 2024", 'a month as "in 2026-03"', ""),
        ("fern is first on text as of 2024-07", '"2024-07" is not one day', ""),
        ("fern is first on text in 2024-13", '"2024-13" is no month', ""),
        ("fern was first on text for 7 months", "give days or weeks", "N UNIT"),
        ("fern leads", "it names no board", "leads [ENTRY on] BOARD"),
        ("fern leads moss and oak on text", "it leads several entries", ""),
        ("fern is first on text now on 2024-10-20", "it gives two times", ""),
        ("fern is first on text at noon", '"noon" was not understood', "first on BOARD"),
        ("fern was never first on text now", '"never" with one moment', ""),
        ("fern was first on text from 2024-10-20 to 2024-10-19", "ends before it begins", ""),
    ],
)
def test_what_is_not_understood_is_named_with_the_nearest_form(sentence, found, nearest):
    with pytest.raises(ClaimError) as caught:
        read_sentence(sentence)
    message = str(caught.value)
    assert found in message
    assert "Nearest form: " in message
    assert nearest in message.partition("Nearest form: ")[2]
    assert "\n" not in message
