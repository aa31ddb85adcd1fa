"""Editions through time on a real repository, and whether scores of two can be compared."""

from __future__ import annotations

import pytest

from history.editions.comparable import AcrossEditions, comparable, refuse, transitions
from history.editions.editions import decimal_text
from history.pipeline import BoardHistory, open_board
from tests.history.editions import board
from tests.reference import editions as plain


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> BoardHistory:
    return open_board(board.build(tmp_path_factory.mktemp("index")), "index")


def test_the_table_of_editions(index):
    table = index.editions.frame()
    assert table[
        ["label", "first_version", "last_version", "versions", "stage"]
    ].values.tolist() == [
        ["Decision Index 0.3", 0, 1, 2, ""],
        ["Decision Index 0.4", 2, 2, 1, "1"],
        ["Decision Index 0.4.1", 4, 5, 2, "1"],
    ]
    assert table["changed"].tolist() == [
        [],
        [
            "label Decision Index 0.3 -> Decision Index 0.4",
            "formula",
            "$.weights.new_domains 0.3 -> 0.4",
            "$.weights.public 0.2 -> 0",
            "$.weights.same_skills 0.5 -> 0.6",
            "formula block of the file",
        ],
        ["label Decision Index 0.4 -> Decision Index 0.4.1"],
    ]
    assert table["constants"][0] == {
        "$.weights.new_domains": "0.3",
        "$.weights.public": "0.2",
        "$.weights.same_skills": "0.5",
    }
    assert table["weights"][1] == {
        "new_domains": "0.493992",
        "public": "0",
        "same_skills": decimal_text(index.editions.runs[1].weights["same_skills"]),
    }
    assert table["tie_rule"].unique().tolist() == ["anchored within 0.9, inclusive"]
    assert table["block"].nunique() == 2
    commits = index.readings["commit"].tolist()
    assert table["last_commit"].tolist() == [commits[1], commits[2], commits[5]]
    assert table["until"].tolist()[:2] == table["from"].tolist()[1:]


def test_the_runs_are_those_of_the_plain_way(index):
    editions = index.editions
    keys = [None if (one := editions.at(v)) is None else one.key for v in range(6)]
    assert keys[3] is None  # it cannot be read, and ends nothing
    expected = [(first, last) for _, first, last in plain.runs(keys)]
    assert [(one.first, one.last) for one in editions.runs] == expected


def test_every_score_recomputes_but_the_override(index):
    found = index.audit()
    assert sorted(found.formula["version"].unique().tolist()) == [0, 1, 2, 4, 5]
    wrong = found.formula[~found.formula["fits"].astype(bool)]
    assert wrong[["version", "entry", "text"]].values.tolist() == [[5, "vega", "72.0"]]
    assert "off_formula" in found.smells["kind"].tolist()


def test_one_edition_can_be_compared(index):
    assert comparable(index, 0, 1).kind == "same"
    assert comparable(index, 4, 5).words() == "Both are of Decision Index 0.4.1."
    assert refuse(index, 0, 1) == ""


def test_inputs_that_were_drawn_again_forbid_a_replay(index):
    found = comparable(index, 1, 2)
    assert (found.kind, found.ok, found.replay, found.code) == (
        "inputs_redrawn",
        False,
        False,
        "MISSING_COMPONENT",
    )
    assert (found.redrawn, found.kept) == (("new_domains",), ("public", "same_skills"))
    assert found.why == (
        "A replay under the formula of Decision Index 0.3 is impossible: new_domains was measured "
        "anew, while public, same_skills stayed."
    )
    for part, moves in enumerate(found.parts):
        old, new = (board.printed(rows, part) for rows in (board.OLD, board.NEW))
        assert (moves.common, moves.moved) == plain.moved(old, new)
    assert "new_domains (5 of 5 common entries have another value)" in found.words()


def test_another_label_with_the_same_formula_and_inputs(index):
    found = comparable(index, 2, 5)
    assert (found.kind, found.ok, found.replay) == ("same_formula", True, None)
    assert found.changed == ("label Decision Index 0.4 -> Decision Index 0.4.1",)
    assert found.words() == (
        "Decision Index 0.4 and Decision Index 0.4.1 have the same formula, and no part was "
        "measured anew."
    )


def test_a_change_between_is_seen_from_far(index):
    found = comparable(index, 0, 5)
    assert (found.kind, found.redrawn) == ("inputs_redrawn", ("new_domains",))
    assert comparable(index, 5, 0).kind == "inputs_redrawn"


def test_comparing_across_editions_is_refused_unless_asked_for(index):
    with pytest.raises(AcrossEditions) as error:
        refuse(index, 1, 4)
    assert error.value.exit_code == 2
    assert str(error.value).startswith("index: Decision Index 0.3 and Decision Index 0.4.1 are ")
    assert str(error.value).endswith("or add --across-editions to do it all the same.")
    assert refuse(index, 1, 4, asked=True) == (
        "across editions, Decision Index 0.3 to Decision Index 0.4.1: not one scale"
    )


def test_each_edition_against_the_one_before(index):
    found = transitions(index)
    assert {number: one.kind for number, one in found.items()} == {
        2: "inputs_redrawn",
        3: "same_formula",
    }
    assert found == {2: comparable(index, 1, 2), 3: comparable(index, 2, 4)}
    assert list(transitions(index, most=1)) == [3]


def test_a_version_that_cannot_be_read_compares_with_nothing(index):
    found = comparable(index, 3, 4)
    assert (found.kind, found.ok) == ("not_known", False)
    assert refuse(index, 3, 4, asked=True) == "across editions: one of them is not known"


VERSIONS = (
    ("2026-10-06T16:00:00Z", board.file("0.3", board.OLD)),
    ("2026-10-07T16:00:00Z", board.file("0.3", board.OLD, decided="10-07")),
    ("2026-10-08T16:00:00Z", board.file("0.3", board.OLD)),
    ("2026-10-20T16:00:00Z", board.file("0.4", board.OLD)),
    ("2026-10-21T16:00:00Z", board.file("0.4", dict(list(board.NEW.items())[:2]))),
)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> BoardHistory:
    return open_board(board.build(tmp_path_factory.mktemp("other"), VERSIONS), "index")


def test_a_block_alone_makes_an_edition_that_can_come_back(other):
    runs = other.editions.runs
    assert [(one.first, one.last, one.changed) for one in runs[1:3]] == [
        (1, 1, ("formula block of the file",)),
        (2, 2, ("formula block of the file",)),
    ]
    assert comparable(other, 0, 2).kind == "same"  # another one lies between
    assert comparable(other, 0, 1).kind == "same_formula"


def test_another_formula_on_inputs_that_stayed_can_be_replayed(other):
    found = comparable(other, 2, 3)
    assert (found.kind, found.replay, found.code, found.redrawn) == (
        "other_formula",
        True,
        None,
        (),
    )


def test_values_that_move_inside_one_edition_make_no_other(other):
    assert comparable(other, 3, 4).kind == "same"


def test_too_few_common_entries_leave_it_open(tmp_path):
    two = dict(list(board.OLD.items())[:2])
    versions = tuple(
        (f"2026-10-0{n}T16:00:00Z", board.file(label, two))
        for n, label in enumerate(("0.3", "0.4", "0.4.1"), 1)
    )
    few = open_board(board.build(tmp_path, versions), "index")
    first, second = comparable(few, 0, 1), comparable(few, 1, 2)
    assert (first.kind, first.replay, first.ok) == ("other_formula", None, False)
    assert (second.kind, second.replay, second.ok) == ("not_known", None, False)
    assert second.words() == (
        "Decision Index 0.4 and Decision Index 0.4.1 are different editions (label Decision Index "
        "0.4 -> Decision Index 0.4.1; too few common entries to say whether public, same_skills, "
        "new_domains stayed)."
    )
