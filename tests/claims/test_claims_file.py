"""Claims files: what is read, what is refused and how that is said."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from history.claims.language.claim import Claim, ClaimError, Operand, When
from history.claims.language.claims_file import parse_claims, read_claims
from history.claims.language.claims_text import to_toml

SAID = datetime(2024, 10, 20, 0, 42, 15, tzinfo=UTC)
FIRST = 'predicate = "first"\nsubject = "fern"\nboards = ["text"]\n'


def one(text: str) -> Claim:
    return parse_claims(f'[[claim]]\nid = "c"\n{text}', "claims.toml")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            FIRST,
            Claim("c", "first", subject="fern", boards=("text",)),
            id="the least that a claim needs",
        ),
        pytest.param(
            'predicate = "rank"\nsubject = "fern"\nboard = "text"\nn = 10\nof = 120\nop = "<="',
            Claim("c", "rank", subject="fern", boards=("text",), n=10, of=120, op="<="),
            id="one board, a place and how many there are",
        ),
        pytest.param(
            'predicate = "delta"\nsubject = { value = "81.5", source = "a card" }\nother = "moss"\n'
            'boards = ["text"]\nvalue = "+4.0"\nsplit = "public"\napprox = true',
            Claim(
                "c",
                "delta",
                subject=Operand("81.5", "reported", "a card"),
                other="moss",
                boards=("text",),
                value="+4.0",
                split="public",
                approx=True,
            ),
            id="a number of its own against an entry",
        ),
        pytest.param(
            'predicate = "duration"\nsubject = "fern"\nboards = ["text"]\nvalue = 29\nunit = "hours"\n'
            'state = { predicate = "first", sole = true }\nspan = "longest"\nop = ">="',
            Claim(
                "c",
                "duration",
                subject="fern",
                boards=("text",),
                value="29",
                unit="hours",
                span="longest",
                op=">=",
                members=(Claim("c/1", "first", subject="fern", boards=("text",), sole=True),),
            ),
            id="a state takes subject and boards from its duration",
        ),
        pytest.param(
            'predicate = "tie"\nsubject = "fern"\nwith = "moss"\nboards = ["text"]\n'
            'source = { url = "https://example.org", said_by = "x", said_at = 2024-10-20T00:42:15Z }',
            Claim(
                "c",
                "tie",
                subject="fern",
                other="moss",
                boards=("text",),
                source="https://example.org",
                said_by="x",
                said_at=SAID,
            ),
            id="a source with all that is known of it",
        ),
    ],
)
def test_a_claim_is_read(text, expected):
    assert one(text) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        pytest.param("{ latest = true }", When("latest"), id="the last look"),
        pytest.param("{ as_of = 2024-10-20 }", When("as_of", date(2024, 10, 20)), id="a day's end"),
        pytest.param('{ as_of = "said_at" }', When("as_of", SAID), id="when it was said"),
        pytest.param(
            '{ as_of = "2024-10-20T02:42:15+02:00" }', When("as_of", SAID), id="another time zone"
        ),
        pytest.param('{ at = "ABCDEF12" }', When("at", commit="abcdef12"), id="a commit"),
        pytest.param('{ on = "2024-10-20" }', When("on", date(2024, 10, 20)), id="a day"),
        pytest.param(
            '{ on = "said_at" }', When("on", date(2024, 10, 20)), id="the day it was said"
        ),
        pytest.param('{ ever = ["", ""] }', When("ever"), id="open at both ends"),
        pytest.param('{ over = ["", "said_at"] }', When("over", None, SAID), id="up to when said"),
        pytest.param(
            "{ always = [2024-10-16, 2024-10-20T00:42:15Z] }",
            When("always", date(2024, 10, 16), SAID),
            id="a day and a time",
        ),
    ],
)
def test_a_when_is_read(when, expected):
    claim = one(f"{FIRST}said_at = 2024-10-20T00:42:15Z\nwhen = {when}")
    assert claim.when == expected


def test_without_a_when_the_time_it_was_said_counts():
    said = one(f"{FIRST}said_at = 2024-10-20T00:42:15Z")
    assert (said.effective_when, one(FIRST).effective_when) == (When("as_of", SAID), When("latest"))


def test_json_may_be_a_list_or_hold_one_and_null_is_an_open_end():
    claim = {"predicate": "first", "subject": "fern", "board": "text", "when": {"over": [None, ""]}}
    expected = [Claim("claim-1", "first", subject="fern", boards=("text",), when=When("over"))]
    for content in ([claim], {"claim": [claim]}):
        assert parse_claims(json.dumps(content), "c.json", "json") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            'predicate = "frist"',
            '`predicate` is "frist". Did you mean first?',
            id="misspelt predicate",
        ),
        pytest.param(
            'predicate = "drop_one"\ncolumn = "a"\nboard = "text"',
            "no result. drop_one needs `order`",
            id="drop_one of what",
        ),
        pytest.param(
            'predicate = "first"\nsubjct = "fern"',
            'unknown key "subjct" for first. Did you mean subject?',
            id="misspelt key",
        ),
        pytest.param(
            f"{FIRST}n = 1", 'unknown key "n" for first', id="argument of another predicate"
        ),
        pytest.param('predicate = "first"\nsubject = "fern"', "no `boards`", id="no board"),
        pytest.param(
            'predicate = "rank"\nsubject = "fern"\nboard = "text"',
            "no `n`. rank needs subject, n",
            id="no n",
        ),
        pytest.param(
            'predicate = "score"\nsubject = "fern"\nboard = "text"\nvalue = 54.20',
            '`value` is the number 54.20, no text. Write it as it was printed, in quotes: "54.20"',
            id="a number that lost its decimals",
        ),
        pytest.param(
            'predicate = "score"\nsubject = "fern"\nboard = "text"\nvalue = "7o"',
            '`value`: "7o" is no plain number',
            id="no number",
        ),
        pytest.param(f'{FIRST}filter = "open"', '`filter` is "open": ', id="a filter"),
        pytest.param(
            f"{FIRST}when = {{ latest = false }}", "`when.latest` is False", id="not latest"
        ),
        pytest.param(
            f'{FIRST}when = {{ as_of = "said_at" }}', "the claim has none", id="never said"
        ),
        *(
            pytest.param(
                'predicate = "duration"\nvalue = 29\nunit = "hours"\n'
                f"when = {when}\n"
                'state = { predicate = "first", subject = "fern", board = "text" }',
                "A duration is of a stretch: give { over = [FROM, TO] } or { on = DATE }",
                id=f"a duration at {when}",
            )
            for when in (
                '{ as_of = "2024-03-05" }',
                '{ at = "0123456789" }',
                "{ latest = true }",
                '{ ever = ["", ""] }',
                '{ always = ["", ""] }',
            )
        ),
        pytest.param(
            'predicate = "duration"\nvalue = 29\nunit = "hours"\n'
            'state = { predicate = "delta", subject = { value = "2" }, other = { value = "1" }, '
            'value = "1" }',
            "`state` is about numbers of its own, which no time changes",
            id="a duration of numbers that stand on no board",
        ),
        pytest.param(
            f'{FIRST}when = {{ on = "yesterday" }}', '`when.on` is "yesterday"', id="no date"
        ),
        pytest.param(
            f'{FIRST}when = {{ as_of = "0001-01-01T00:00:00+14:00" }}',
            "`when.as_of` is",
            id="before all years",
        ),
        pytest.param(
            f"{FIRST}said_at = 9999-12-31T23:00:00-14:00", "`said_at` is", id="after all years"
        ),
        pytest.param(f'{FIRST}when = {{ at = "xyz" }}', '`when.at` is "xyz"', id="no commit"),
        pytest.param(
            f'{FIRST}when = {{ since = "2024-10-20" }}',
            "`when` is { since = 2024-10-20 }",
            id="no when",
        ),
        pytest.param(
            f'{FIRST}when = {{ over = ["2024-10-20", "2024-10-19"] }}',
            "ends before it begins",
            id="backwards",
        ),
        pytest.param(
            'predicate = "not"\nclaims = []',
            "`claims` is []. Give a list of one claim",
            id="not of nothing",
        ),
        pytest.param(
            'predicate = "all_of"\nwhen = { latest = true }\nclaims = [{ predicate = "first", '
            'subject = "fern", board = "text", when = { latest = true } }]',
            "`when` stands on the whole and on a member",
            id="two times",
        ),
        pytest.param(
            'predicate = "duration"\nvalue = "1"\nunit = "fortnights"\nstate = { predicate = "first", '
            'subject = "fern", board = "text" }',
            '`unit` is "fortnights"',
            id="odd unit",
        ),
        pytest.param(f'{FIRST}sole = "yes"', '`sole` is "yes". Give true or false', id="no flag"),
        pytest.param(
            'predicate = "first"\nsubject = { value = "81.5" }\nboard = "text"',
            "in first. Numbers of their own are for score, delta, tie,",
            id="a number cannot be first",
        ),
        pytest.param(f"{FIRST}approx = true", "`approx` in first", id="about first"),
        pytest.param(f"{FIRST}board = 'text'", "both `board` and `boards`", id="board and boards"),
    ],
)
def test_what_is_refused_names_the_claim_what_was_found_and_what_to_do(text, message):
    with pytest.raises(ClaimError) as caught:
        one(text)
    assert str(caught.value).startswith('claims.toml, claim "c"')
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("", "it holds no claims", id="empty"),
        pytest.param("[[claim]\n", "it is no TOML", id="not TOML"),
        pytest.param(
            "[[claims]]\nid = 'x'", 'unknown key "claims"', id="another name for the list"
        ),
        pytest.param(
            f'[[claim]]\nid = "a"\n{FIRST}[[claim]]\nid = "a"\n{FIRST}',
            'two claims have the id "a"',
            id="one id twice",
        ),
    ],
)
def test_a_bad_file_is_refused_whole(tmp_path, content, message):
    file = tmp_path / "claims.toml"
    file.write_text(content)
    with pytest.raises(ClaimError, match=r"claims\.toml") as caught:
        read_claims(file)
    assert message in str(caught.value)


def test_a_missing_and_a_binary_file_are_named(tmp_path):
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe\x00")
    for name, found in (("a.toml", "No such file"), ("b.toml", "no UTF-8")):
        with pytest.raises(ClaimError, match=found):
            read_claims(tmp_path / name)


def test_a_json_file_with_a_key_twice_is_refused():
    with pytest.raises(ClaimError, match='key "id" stands twice'):
        parse_claims('[{"id": "a", "id": "b"}]', "c.json", "json")


def test_a_json_file_with_half_an_emoji_is_refused():
    with pytest.raises(ClaimError, match=r"it is no JSON: .*surrogates not allowed"):
        parse_claims(r'[{"id": "a \ud83c"}]', "c.json", "json")


def test_what_is_written_reads_back_to_the_same_claims():
    text = f"""
        [[claim]]
        id = "a"
        text = 'He said "first", twice'
        said_at = 2024-10-20T00:42:15Z
        source = "https://example.org"
        predicate = "not"
        when = {{ over = ["", "said_at"] }}
        claims = [{{ predicate = "first", subject = "fern \\\\ 2", boards = ["x", "y"], sole = true }}]
        [[claim]]
        id = "b"
        predicate = "duration"
        value = "29"
        unit = "hours"
        approx = true
        state = {{ {FIRST.strip().replace(chr(10), ", ")} }}
        [[claim]]
        id = "c"
        predicate = "average_of"
        subject = "fern"
        table = "own.csv"
        columns = ["one", "two"]
        value = "66.7"
        [[claim]]
        id = "d"
        predicate = "tie"
        subject = "fern"
        with = "moss"
        board = "x"
        when = {{ on = 2024-10-20 }}
        edition = "0.3"
        rank_kind = "tie"
    """
    claims = parse_claims(text, "claims.toml")
    assert parse_claims(to_toml(claims), "claims.toml") == claims
