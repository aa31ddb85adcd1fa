"""What a card says becomes claims that the claims file reads back, and nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from history.claims.cards.card import Card, CardFile
from history.claims.cards.card_tables import tables
from history.claims.cards.draft import MOST_CLAIMS, draft
from history.claims.cards.yaml_results import model_index
from history.claims.language.claims_file import parse_claims
from history.claims.language.claims_text import to_toml

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
INDEX = """\
---
license: mit
model-index:
- name: fern
  results:
  - task: {type: text-classification}
    dataset: {name: Pond Words, type: lab/pond-words, config: small, split: test}
    metrics:
    - {type: accuracy, value: 81.20}
    - {type: f1, value: 0.8100}
  - dataset: {name: Moss}
    metrics:
    - {type: acc, value: 70%}
---
# Fern
"""
TABLE = """\
| Model | Size | Ponds | Sums | Average |
| --- | --- | --- | --- | --- |
| [**fern**](https://example.org) | 27 | 60.10 | 73.3 | 66.7 |
| moss | 8 | 50.0 | 60.0 | 55.0 |
"""


def card(text: str | bytes | None = None, **results: str) -> Card:
    data = text.encode() if isinstance(text, str) else text
    files = {
        f".eval_results/{name}.yaml": CardFile(content.encode(), f"https://hub/{name}")
        for name, content in results.items()
    }
    readme = None if data is None else CardFile(data, "https://hub/README.md")
    return Card("lab/fern", "a" * 40, AT, readme, files)


def drafted(made: Card, boards: dict[str, str] | None = None):
    """Claims as a file that holds them is read."""
    found = draft(made, boards or {})
    return parse_claims(to_toml(found.claims), "claims.toml") if found.claims else []


def test_model_index_keeps_its_digits():
    claims = drafted(card(INDEX), {"moss": "moss"})
    assert [(one.boards, one.value, one.tracked) for one in claims] == [
        (("pond-words",), "81.20", False),
        (("pond-words",), "0.8100", False),
        (("moss",), "70", True),
    ]
    first = claims[0]
    assert (first.id, first.predicate, first.subject) == (
        "pond-words-accuracy",
        "score",
        "lab/fern",
    )
    assert (first.text, first.source) == (
        "Pond Words (small, test), accuracy: 81.20",
        "https://hub/README.md",
    )
    assert first.said_at == AT


def test_a_tracked_board_and_the_name_it_has_for_the_model():
    found = draft(card(INDEX), {"lab-pond-words": "ponds"}, lambda board: f"{board}/fern")
    assert [(one.subject, one.boards, one.tracked) for one in found.claims[:2]] == [
        ("ponds/fern", ("ponds",), True)
    ] * 2


def test_files_of_results():
    data = """\
- dataset: {id: lab/ponds, task_id: deep}
  value: 20.90
  notes: no tools
- dataset: {id: lab/sums, task_id: default}
  value: 0.5
"""
    claims = drafted(card(ponds=data), {"deep": "deep-ponds"})
    assert [(one.boards, one.value, one.text) for one in claims] == [
        (("deep-ponds",), "20.90", "lab/ponds (deep, no tools): 20.90"),
        (("lab-sums",), "0.5", "lab/sums: 0.5"),
    ]
    assert claims[0].source == "https://hub/ponds"


def test_a_table_with_an_average():
    found = draft(card(TABLE), {})
    *scores, average = parse_claims(to_toml(found.claims), "claims.toml")
    assert [(one.boards, one.value) for one in scores] == [
        (("ponds",), "60.10"),
        (("sums",), "73.3"),
    ]
    assert (average.predicate, average.subject, average.table) == ("average_of", "fern", "CARD.md")
    assert (average.columns, average.value) == (("Ponds", "Sums"), "66.7")
    assert found.needs_card
    assert found.left_out == ("table at line=1: taken for no result: Size",)


def test_the_second_of_two_tables_is_named():
    found = draft(card("| Model | A |\n| - | - |\n| oak | 1 |\n\n" + TABLE), {})
    assert [one.table for one in found.claims if one.table] == ["CARD.md#2"]


def test_a_table_that_says_model_index_again_adds_nothing():
    both = INDEX + "| Model | Moss | Ferns |\n| - | - | - |\n| fern | 70 | 9.5 |\n"
    found = draft(card(both), {})
    assert [one.boards[0] for one in found.claims] == ["pond-words", "pond-words", "moss", "ferns"]
    assert "said twice: 1" in found.left_out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param("| oak | 1 | 2 |", "no row of it is named fern", id="another model"),
        pytest.param(
            "| fern | 1 | 2 |\n| Fern | 3 | 4 |", "2 rows are named", id="the model twice"
        ),
        pytest.param("| fern | x | - |", "", id="no numbers"),
    ],
)
def test_tables_without_the_models_row(rows, said):
    found = draft(card(f"| Model | A | B |\n| - | - | - |\n{rows}\n"), {})
    assert found.claims == ()
    assert said in "".join(found.left_out)


def test_a_table_with_a_column_of_the_model_is_left_out():
    found = draft(card("| Benchmark | fern | moss |\n| - | - | - |\n| Ponds | 1.0 | 2.0 |\n"), {})
    assert found.claims == ()
    assert found.left_out == ("table at line=1: the model is a column of it; only rows are read",)


def test_the_row_that_says_ours():
    text = "| Model | A | B |\n| - | - | - |\n| x-9 (ours) | 1.5 | 2 |\n| y | 3 | 4 |\n"
    assert [one.value for one in drafted(card(text))] == ["1.5", "2"]


@pytest.mark.parametrize(
    "front",
    [
        pytest.param(
            "a: !!python/object/apply:os.system [ls]", id="a tag that would run something"
        ),
        pytest.param(
            "a: &a [x, x, x, x, x, x, x, x, x]\n"
            + "".join(
                f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n"
                for a, b in zip("abcdefgh", "bcdefghi", strict=True)
            ),
            id="a billion laughs",
        ),
        pytest.param("a: " + "[" * 5000, id="nested deep"),
        pytest.param("model-index: []\nmodel-index: []", id="a key twice"),
        pytest.param("model-index: 7", id="no list"),
        pytest.param("a: [", id="no YAML"),
    ],
)
def test_a_hostile_front_matter_is_left_out_and_said(front):
    found = draft(card(f"---\n{front}\n---\n{TABLE}"), {})
    assert len(found.claims) == 3  # the table is read all the same
    (said,) = [one for one in found.left_out if "front matter" in one]
    assert len(said) < 400 and said.isprintable()


@pytest.mark.parametrize(
    "value",
    ["[1, 2]", "{a: 1}", "yes", "1e-5", ".nan", "half", "81.2 ± 0.4", "''", "~", "9" * 50],
)
def test_what_is_no_plain_number_is_left_out(value):
    text = f"---\nmodel-index:\n- results:\n  - dataset: {{name: A}}\n    metrics: [{{value: {value}}}]\n---\n"
    found = model_index(CardFile(text.encode(), ""))
    assert found.results == ()
    assert found.left_out == (
        "front matter of README.md, model-index: the value is no plain number",
    )


@pytest.mark.parametrize(
    "shape",
    [
        "[7]",
        "[{results: 7}]",
        "[{results: [7, {metrics: 7}, {metrics: [7]}]}]",
        "[{results: [{dataset: [], metrics: [{value: 1}]}]}]",
        "[{results: [{dataset: {name: [a]}, metrics: [{value: 1}]}]}]",
    ],
)
def test_other_shapes_are_no_results(shape):
    found = model_index(CardFile(f"---\nmodel-index: {shape}\n---\n".encode(), ""))
    assert found.results == ()


def test_names_with_markup_and_5000_letters_are_made_plain():
    name = '<b>\\u200b\\u202e\\"x\\n= 1' + "y" * 5000
    text = f'---\nmodel-index:\n- results:\n  - dataset: {{name: "{name}"}}\n    metrics: [{{value: 1.0}}]\n---\n'
    (claim,) = drafted(card(text))
    assert claim.text.startswith('<b>"x = 1y') and len(claim.text) < 200
    assert claim.text.isprintable() and len(claim.boards[0]) <= 60


def test_thousands_of_numbers_are_capped_and_said():
    metrics = ", ".join(f"{{type: m{n}, value: {n}.5}}" for n in range(3000))
    text = f"---\nmodel-index:\n- results:\n  - dataset: {{name: A}}\n    metrics: [{metrics}]\n---\n{TABLE}"
    found = draft(card(text), {})
    assert len(found.claims) == MOST_CLAIMS
    assert found.claims[-1].predicate == "average_of"
    assert "2,803 more numbers: 200 claims are drafted" in found.left_out
    assert len({one.id for one in found.claims}) == MOST_CLAIMS


def test_a_table_of_thousands_of_rows():
    rows = "".join(f"| m{n} | {n} | 1 |\n" for n in range(9000))
    text = f"| Model | A | Average |\n| - | - | - |\n{rows}| fern | 5.5 | 5.5 |\n"
    found = tables(CardFile(text.encode(), ""), ["fern"])
    assert [one.value for one in found.results] == ["5.5"]
    assert found.left_out == ("table at line=1: Average of fewer than two numbers",)


def test_nothing_at_all():
    assert draft(card(None), {}).claims == ()
    assert draft(card("# Fern\n\nIt is the best.\n"), {}).claims == ()
    assert draft(card(b"\xff\xfe\x00"), {}).claims == ()
