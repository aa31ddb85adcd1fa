"""Sentences as people write them: each is read as the claim that it makes, or refused."""

from __future__ import annotations

import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.claims.language.claim import Claim, ClaimError
from history.claims.language.claims_file import parse_claims
from history.claims.language.claims_text import to_toml
from history.claims.sentences import vocabulary
from history.claims.sentences.grammar import sentence_forms
from history.claims.sentences.scene import Scene
from history.claims.sentences.sentence import LONGEST, read_sentence
from tests.claims.sentences.scenes import SCENE, plain

FIRST = tomllib.loads((Path(__file__).parent / "first.toml").read_text(encoding="utf-8"))
SAID = [one for one in FIRST["sentence"] if "claim" in one]
REFUSED = [one for one in FIRST["sentence"] if "refuse" in one]
# The grammar is not fitted to it.
SECOND = tomllib.loads((Path(__file__).parent / "second.toml").read_text(encoding="utf-8"))


def bare(claim: Claim) -> Claim:
    """A claim without what a file does not keep."""
    return replace(claim, spoken=False, members=tuple(map(bare, claim.members)))


def read(text: str) -> object:
    try:
        return plain(read_sentence(text, SCENE))
    except ClaimError as error:
        return str(error)


def test_the_set_is_whole():
    assert (len(SAID), len(REFUSED)) == (180, 20)


def test_sentences_are_read_as_the_claims_that_they_make():
    wrong = [(one["text"], one["claim"], read(one["text"])) for one in SAID]
    wrong = [(text, wanted, found) for text, wanted, found in wrong if wanted != found]
    for text, wanted, found in wrong:
        print(f"{text}\n  wanted {wanted}\n  found  {found}")
    assert len(SAID) - len(wrong) >= 170


def test_the_second_set_is_reported_as_it_comes_out():
    said = [one for one in SECOND["sentence"] if "claim" in one]
    right = [one for one in said if read(one["text"]) == one["claim"]]
    refused = [read(one["text"]) for one in SECOND["sentence"] if "refuse" in one]
    print(f"{len(right)} of {len(said)} are read as meant")
    assert len(said) == 54 and len(right) >= 50
    assert len(refused) == 6 and all(isinstance(one, str) for one in refused)


@pytest.mark.parametrize("one", REFUSED, ids=lambda one: one["refuse"])
def test_no_claim_is_made_up(one):
    with pytest.raises(ClaimError) as caught:
        read_sentence(one["text"], SCENE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("one", SAID, ids=lambda one: one["text"])
def test_what_is_read_can_be_saved(one):
    try:
        claim = read_sentence(one["text"], SCENE)
    except ClaimError:
        pytest.skip("not understood; counted above")
    (saved,) = parse_claims(to_toml([claim]), "claims.toml")
    assert bare(saved) == bare(claim)


def test_a_sentence_takes_no_time():
    read_sentence(SAID[0]["text"], SCENE)
    start = time.process_time()
    for one in FIRST["sentence"]:
        read(one["text"])
    assert (time.process_time() - start) / len(FIRST["sentence"]) < 0.02


@pytest.mark.parametrize("form", sentence_forms(), ids=lambda form: form.form)
def test_every_form_is_read_with_known_names(form):
    known = Scene(
        (("text", "Text"), ("vision", "Vision")), ("fern", "moss"), ("public",), ("open", "size")
    )
    assert plain(read_sentence(form.example, known)) == plain(read_sentence(form.example))


# --- other words than in first.toml ---------------------------------------------------------------

LATEST = {"latest": True}
EVER = {"ever": ["", ""]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "At 00:42 UTC on 20 Oct 2026 Carbon-X was runner-up on text",
            {"predicate": "rank", "n": 2, "when": {"as_of": "2026-10-20T00:42:00Z"}},
        ),
        (
            "Carbon-X was first on text on 20 October at 14:00+02:00",
            {"predicate": "first", "when": {"as_of": "2026-10-20T12:00:00Z"}},
        ),
        ("Carbon-X is #10/229 on text", {"predicate": "rank", "n": 10, "of": 229, "when": LATEST}),
        ("First place on text goes to Carbon-X", {"predicate": "first", "when": LATEST}),
        (
            "From 1 to 9 October Carbon-X was twenty-first on text",
            {"predicate": "rank", "n": 21, "when": {"over": ["2026-10-01", "2026-10-09"]}},
        ),
        (
            "Carbon-X is second among open models on text",
            {"predicate": "rank", "n": 2, "filter": "open == true", "when": LATEST},
        ),
        (
            "Best sub-8B model on text: Carbon-X",
            {"predicate": "first_in_class", "filter": "size < '8B'", "when": LATEST},
        ),
        (
            "Carbon-X has a 4.0-point lead over d3 on text",
            {"predicate": "delta", "other": "d3", "value": "4.0", "when": LATEST},
        ),
        (
            "Carbon-X trails d3 by at least 2 points on text",
            {"predicate": "delta", "other": "d3", "value": "-2", "op": "<=", "when": LATEST},
        ),
        (
            "Carbon-X is significantly worse than d3 on text",
            {"predicate": "noise", "other": "d3", "op": "<", "when": LATEST},
        ),
        ("Carbon-X has beaten d3 on text", {"predicate": "ahead", "other": "d3", "when": EVER}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_words_for_the_same(text, expected):
    assert read(text) == {"subject": "Carbon-X", "boards": ["text"], **expected}


def member(predicate: str, **more: object) -> dict[str, object]:
    return {"predicate": predicate, "subject": "d3", "boards": ["text"], "when": LATEST, **more}


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("d3 leads text with 70.2", [member("first"), member("score", value="70.2")]),
        (
            "d3 is first on text, 3.0 points ahead of Carbon-X",
            [member("first"), member("delta", other="Carbon-X", value="3.0")],
        ),
        (
            "d3 is first on text and Carbon-X on vision",
            [member("first"), member("first", subject="Carbon-X", boards=["vision"])],
        ),
        (
            "On text d3 is first, on vision it is tenth",
            [member("first"), member("rank", n=10, boards=["vision"])],
        ),
        (
            "d3 is not first but second on text",
            [{"predicate": "not", "claims": [member("first")]}, member("rank", n=2)],
        ),
        (
            "d3 and Carbon-X are in the top 3 on text",
            [member("top_k", k=3), member("top_k", k=3, subject="Carbon-X")],
        ),
        (
            "d3 is not first on either board",
            [
                {"predicate": "not", "claims": [member("first")]},
                {"predicate": "not", "claims": [member("first", boards=["vision"])]},
            ],
        ),
        (
            "d3 is 3rd on text and, as of 16 October, 5th on vision",
            [
                member("rank", n=3),
                member("rank", n=5, boards=["vision"], when={"as_of": "2026-10-16"}),
            ],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_several_claims_in_one_sentence(text, members):
    assert read(text) == {"predicate": "all_of", "claims": members}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("is d3 first on text?", "it asks"),
        ("d3 is first on text or vision", "leaves open which board"),
        ("d3 is not first and second on text", "leaves open whether this is denied"),
        ("d3 ranks 3 on text", "it may be a place or a score"),
        ("d3's rank on text is 3", "it may be a place or a score"),
        ("d3 has a top score of 70 on text", '"top score of 70 on text" was not understood'),
        ("d3 is almost first on text", '"almost" with a place'),
        ("d3 is ahead of Carbon-X by 4% on text", "in percent"),
        ("d3 is ahead of d3 on text", "compares an entry with itself"),
        ("d3 leads text by 3.0", "it names no rival"),
        ("it is first on text", "it names no entry"),
        ("d3 is first on text with 229 models", '"models" was not understood'),
        ("d3 is in the top 10 of 229 on text", '"of 229 on text" was not understood'),
        ("d3 is significantly 15x faster than Carbon-X", "was not understood"),
        ("d3 scores 70 alone on text", '"alone on text" was not understood'),
        ("d3 is first on the public leaderboard", "it names no board"),
        ("d3 is first on text on 20 October at 12:00 CET", '"CET" was not understood'),
        ("about 200 models are listed on text", 'a count is no "about"'),
        ("d3 is 2.1 behind Carbon-X on text on 31 September", "is no date"),
        ("d3 and Carbon-X trail Opus 5.5 on text", '"trail Opus 5.5 on text" was not'),
        ("Nobody beats d3 on text", '"Nobody beats d3 on text" was not understood'),
        ("Only d3 leads text", '"Only d3 leads text" was not understood'),
        ("d3 was first on text for 29 hours as of 16 October", "a duration at one moment"),
    ],
)
def test_what_is_not_plain_is_refused(text, reason):
    with pytest.raises(ClaimError) as caught:
        read_sentence(text, SCENE)
    assert reason in str(caught.value)


def test_a_long_sentence_is_refused():
    with pytest.raises(ClaimError, match="letters"):
        read_sentence("d3 is first on text " * LONGEST, SCENE)


# --- any words at all --------------------------------------------------------------------------

WORDS = st.one_of(
    st.sampled_from(sorted(vocabulary.words())),
    st.sampled_from([*SCENE.entries, *SCENE.splits, "text", "vision", "zzz", "<b>", "\u200b"]),
    st.sampled_from(["4.0", "+6.2", "#1", "10th", "15x", "8B", "2026-10-20", "16 October", "%"]),
    st.sampled_from([",", ":", ";", "(", ")", "'", '"', "\u2019", "-", "\u2014", "."]),
    st.text(max_size=8),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=14).map(" ".join), st.sampled_from([SCENE, Scene.empty()]))
def test_any_words_are_read_or_refused(text, scene):
    try:
        claim = read_sentence(text, scene)
    except ClaimError:
        return
    (saved,) = parse_claims(to_toml([claim]), "claims.toml")
    assert bare(saved) == bare(claim)


@pytest.mark.parametrize(
    "text",
    [
        "d3 is " + "not " * 450 + "first on text",
        "d3, " * 450 + "d3",
        "two hundred and " * 120,
        "text and " * 210 + "text",
        "(" * 1900,
        "fern " * 390,
        "1 " * 900,
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.parametrize("scene", [SCENE, Scene.empty()], ids=["known", "unknown"])
def test_long_sentences_are_refused_in_time(text, scene):
    start = time.process_time()
    with pytest.raises(ClaimError):
        read_sentence(text, scene)
    assert time.process_time() - start < 2
