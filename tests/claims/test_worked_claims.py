"""A launch post's claims, end to end: two boards, four versions, one model that comes and goes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from history.claims.verdict import Verdict, document, exit_code
from tests.claims.conftest import LOOK, NOW, World

# Public, same skills, new domains: what the text board adds up from.
PARTS = {"fern": (81.62, 54.29, 46.41), "moss": (75.45, 52.83, 47.86)}
NAMES = {name: name for name in ("fern", "moss", "oak", "elm", "ash", "yew", "late")}

CLAIMS = """
    [[claim]]
    id = "both"
    text = "#1 on both boards"
    said_at = 2024-10-20T00:42:15Z
    predicate = "first"
    subject = "{fern}"
    boards = ["{text}", "{vision}"]

    [[claim]]
    id = "public"
    predicate = "delta"
    subject = "{fern}"
    other = "{moss}"
    value = "+6.2"
    split = "public"
    board = "{text}"
    when = {{ latest = true }}

    [[claim]]
    id = "never"
    predicate = "not"
    claims = [{{ predicate = "first", subject = "{fern}", board = "{text}", when = {{ ever = ["", ""] }} }}]

    [[claim]]
    id = "place"
    predicate = "rank"
    subject = "{fern}"
    n = 3
    of = 5
    board = "{text}"

    [[claim]]
    id = "tie"
    predicate = "tie"
    subject = "{fern}"
    with = "{moss}"
    board = "{text}"

    [[claim]]
    id = "vision"
    predicate = "first"
    subject = "{fern}"
    board = "{vision}"
    when = {{ over = ["", ""] }}

    [[claim]]
    id = "hours"
    predicate = "duration"
    value = "29"
    unit = "hours"
    approx = true
    state = {{ predicate = "first", subject = "{fern}", board = "{vision}" }}

    [[claim]]
    id = "second"
    predicate = "rank"
    subject = "{fern}"
    n = 2
    board = "{vision}"

    [[claim]]
    id = "now"
    predicate = "first"
    subject = "{fern}"
    board = "{vision}"
    when = {{ latest = true }}

    [[claim]]
    id = "ahead"
    predicate = "ahead"
    subject = "{fern}"
    other = "{moss}"
    board = "{text}"
    when = {{ over = ["", ""] }}

    [[claim]]
    id = "average"
    predicate = "average_of"
    subject = "Own"
    table = "own.csv"
    columns = ["One", "Two", "Three"]
    value = "66.7"
"""
EXPECTED = {
    "both": ("false", "certain"),
    "public": ("true", "certain"),
    "never": ("true", "certain"),
    "place": ("true", "certain"),
    "tie": ("true", "certain"),
    "vision": ("true_then_false", "certain"),
    "hours": ("true", "certain"),
    "second": ("true", "certain"),
    "now": ("false", "certain"),
    "ahead": ("false_then_true", "certain"),
    "average": ("true", "printed"),
}


def build(world: World, names: Mapping[str, str], boards: tuple[str, str], shift: int) -> World:
    """The two boards, under any names and with all scores moved by the same."""
    text, vision = boards
    parts = '\n[table.parts]\npublic = "pub"\nsame = "same"\nfresh = "fresh"\n'
    world.board(text, "text.json", parts + '[ties]\nrule = "anchored"\nband = 0.9\n')
    world.board(vision, "vision.csv")

    def model(entry: str, score: str) -> str:
        pub, same, fresh = PARTS.get(entry, (50.5, 50.5, 50.5))
        cells = {"pub": pub + shift, "same": same + shift, "fresh": fresh + shift}
        printed = ", ".join(f'"{key}": {value:.2f}' for key, value in cells.items())
        moved = f"{float(score) + shift:.2f}"
        return f'{{"model": {json.dumps(names[entry])}, "score": {moved}, {printed}}}'

    def table(rows: Mapping[str, str]) -> str:
        return f'{{"models": [{", ".join(model(*row) for row in rows.items())}]}}'

    def sheet(rows: Mapping[str, str]) -> dict[str, str]:
        return {
            names[e]: f"{float(s) + shift:.{len(s.partition('.')[2])}f}" for e, s in rows.items()
        }

    history = (
        ("2024-10-16T12:00:00Z", {"oak": "59.12", "moss": "56.25"}, {"ash": "52.4"}),
        (
            "2024-10-20T13:53:00Z",
            {"oak": "70.10", "elm": "61.50", "moss": "59.11", "fern": "59.09"},
            {"ash": "52.40", "fern": "52.33", "moss": "51.25"},
        ),
        (
            "2024-10-21T15:13:00Z",
            {"oak": "70.10", "elm": "61.50", "moss": "57.20", "fern": "57.37"},
            {"ash": "52.40", "fern": "52.44", "moss": "51.25"},
        ),
        (
            "2024-10-22T20:12:00Z",
            {"oak": "70.10", "elm": "61.50", "moss": "57.20", "fern": "57.37", "yew": "40.00"},
            {"late": "53.3", "ash": "52.40", "fern": "52.44", "moss": "51.25"},
        ),
    )
    for at, on_text, on_vision in history:
        world.commit(at, **{"text.json": table(on_text), "vision": sheet(on_vision)})
    world.crawl(LOOK)
    (world.folder / "own.csv").write_text("Model,One,Two,Three\nOwn,74.9,85.1,40.0\nOther,1,2,3\n")
    return world


def verdicts(world: World, names: Mapping[str, str], boards: tuple[str, str]) -> dict[str, Verdict]:
    text, vision = boards
    found = world.check(CLAIMS.format(**names, text=text, vision=vision))
    return {verdict.id: verdict for verdict in found}


@pytest.fixture(scope="module")
def launch(make_world) -> tuple[World, dict[str, Verdict]]:
    boards = ("text", "vision")
    world = build(make_world("launch"), NAMES, boards, 0)
    return world, verdicts(world, NAMES, boards)


@pytest.mark.parametrize("claim", list(EXPECTED))
def test_every_claim_gets_its_verdict(launch, claim):
    found = launch[1][claim]
    assert (found.verdict, found.strength) == EXPECTED[claim]


def test_every_verdict_carries_a_commit_or_a_file_and_a_pointer(launch):
    world, found = launch
    for verdict in found.values():
        assert verdict.evidence, verdict.id
        for evidence in verdict.evidence:
            assert evidence.commit in world.commits or evidence.path == "own.csv"
            assert evidence.pointer
            assert evidence.label in ("measured", "reported")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        pytest.param(
            "both",
            "False. On 20 Oct 2024 at 00:42 UTC fern was not listed on text or vision. It was never first "
            "on text. It was first on vision later, from 21 Oct 15:13 to 22 Oct 2024 20:12 UTC "
            "(28 h 59 min), lost to late, which joined. Last look: 23 Oct 2024 10:00 UTC, 2 h ago.",
            id="what it was then, and when it came true",
        ),
        pytest.param(
            "vision",
            "True, then false. fern was first on vision from 21 Oct 15:13 to 22 Oct 2024 20:12 UTC "
            "(28 h 59 min), lost to late, which joined. Last look: 23 Oct 2024 10:00 UTC, 2 h ago.",
            id="how it was lost",
        ),
        pytest.param(
            "now",
            "False. At the last look fern was 2nd of 4 on vision (52.44; late led with 53.3, 0.86 ahead). "
            "It was first on vision before, from 21 Oct 15:13 to 22 Oct 2024 20:12 UTC (28 h 59 min), "
            "lost to late, which joined. Last look: 23 Oct 2024 10:00 UTC, 2 h ago.",
            id="who is first instead",
        ),
        pytest.param(
            "average",
            "True. The mean of 3 columns of Own is 66.6667 in own.csv.",
            id="a table has no last look",
        ),
    ],
)
def test_sentences(launch, claim, sentence):
    assert launch[1][claim].sentence == sentence


def test_what_is_true_at_other_times_is_nearest(launch):
    (near,) = launch[1]["both"].nearest
    assert near["statement"].startswith("fern was first on vision from 21 Oct 15:13 to 22 Oct")
    assert near["evidence"][0]["text"] == "52.44"


def test_the_json_is_as_documented(launch):
    whole = json.loads(json.dumps(document(launch[1].values(), NOW)))
    assert whole["checked_at"] == "2024-10-23T12:00:00Z"
    first = next(claim for claim in whole["claims"] if claim["id"] == "vision")
    assert set(first) >= {
        "id", "text", "verdict", "sentence", "strength", "code", "answer", "intervals", "evidence",
        "nearest", "notes", "would_decide",
    }  # fmt: skip
    assert first["intervals"] == [
        {
            "from": "2024-10-21T15:13:00Z",
            "until": "2024-10-22T20:12:00Z",
            "from_commit": launch[0].commits[2],
            "until_commit": launch[0].commits[3],
        }
    ]
    assert first["evidence"][0] == {
        "board": "vision",
        "commit": launch[0].commits[2],
        "committed_at": "2024-10-21T15:13:00Z",
        "path": "vision.csv",
        "pointer": "cell=3,2",
        "entry": "fern",
        "field": "score",
        "text": "52.44",
        "label": "measured",
    }


def test_names_and_a_constant_change_no_verdict(launch, make_world):
    names = {name: f"Model {n} of X" for n, name in enumerate(reversed(NAMES))}
    boards = ("board-b", "board-a")
    world = build(make_world("renamed"), names, boards, 7)
    found = verdicts(world, names, boards)
    before = launch[1]
    assert {k: v.verdict for k, v in found.items()} == {k: v.verdict for k, v in before.items()}
    whens = [[(i.start, i.until) for i in v.intervals] for v in found.values()]
    assert whens == [[(i.start, i.until) for i in v.intervals] for v in before.values()]


def test_the_exit_code_is_that_of_the_worst(launch):
    words = {claim: verdict.verdict for claim, verdict in launch[1].items()}
    assert exit_code(words.values()) == 5
    assert exit_code(word for word in words.values() if word != "false") == 3
    assert exit_code([words["public"], words["tie"]]) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": "none.csv"}, "it cannot be read (No such file"),
        ({"table": "own.txt"}, "its name does not end in .csv, .tsv or .md"),
        ({"subject": "Owm"}, 'no rows named "Owm" in the first column. It has Own'),
        ({"columns": ["One", "Tow"]}, 'no column "Tow". It has Two'),
    ],
)
def test_a_table_that_does_not_fit_is_refused(launch, change, message):
    from history.claims.language.claim import ClaimError

    given = {"predicate": "average_of", "subject": "Own", "table": "own.csv", "columns": ["One"]}
    with pytest.raises(ClaimError) as caught:
        launch[0].one(**{**given, "value": "74.9", **change})
    assert message in str(caught.value)
