"""How is the table read that a claim brings along?"""

from __future__ import annotations

import pytest

from history.claims.language.claim import Claim, ClaimError
from history.claims.own.own_numbers import judge
from tests.claims.own.own_claims import numbers

TWO = "# A\n\n| Plant | Score |\n|---|---|\n| fern | 1.5 |\n\n# B\n\n| Plant | Score |\n|---|---|\n| fern | 2.5 |\n"


def score(folder, table, *, subject="fern", columns=("Score",), value="1"):
    return folder.one("score", table=table, subject=subject, columns=list(columns), value=value)


@pytest.mark.parametrize(
    ("name", "text", "measured"),
    [
        pytest.param(
            "a.csv",
            "p,Score\nfern,70\nmoss,66.3\n",
            [70.0, 69.95, 70.05],
            id="CSV: the decimals of the column",
        ),
        pytest.param(
            "a.md",
            "| p | Score |\n|--|--|\n| fern | 70 |\n| moss | 66.3 |\n",
            [70.0, 69.5, 70.5],
            id="Markdown: those of the cell",
        ),
        pytest.param("a.tsv", "p\tScore\nfern\t7,0\n", [7.0, 6.95, 7.05], id="TSV, decimal comma"),
        pytest.param("a.csv", "p;Score\nfern;1.2k\n", [1200.0, 1150.0, 1250.0], id="thousands"),
        pytest.param(
            "a.csv",
            'p,Score,x\nfern,"26,270",1.5\n',
            [26270.0, 26269.5, 26270.5],
            id="a comma, where the table has points",
        ),
        pytest.param(
            "a.md",
            "| p | Score | x |\n|--|--|--|\n| **fern** | **302 ms** | 2.07 s |\n",
            [0.302, 0.3015, 0.3025],
            id="ms beside s",
        ),
        pytest.param("a.md", TWO, [1.5, 1.45, 1.55], id="the first table"),
        pytest.param("a.md#2", TWO, [2.5, 2.45, 2.55], id="the second table"),
        pytest.param("a.md#B", TWO, [2.5, 2.45, 2.55], id="a table by its heading"),
        pytest.param("a.csv", "p,score\n FERN ,81.5\n", [81.5, 81.45, 81.55], id="other letters"),
    ],
)
def test_numbers(folder, name, text, measured):
    folder.write(name.partition("#")[0], text)
    assert numbers(score(folder, name), "measured", "low", "high") == measured


def test_evidence_says_where_a_number_stands(folder):
    folder.write("two.md", TWO)
    (one,) = score(folder, "two.md#2").evidence
    assert (one.board, one.commit, one.path, one.pointer) == (
        None,
        None,
        "two.md",
        "line=11;cell=2",
    )
    assert (one.entry, one.field, one.text, one.label) == ("fern", "Score", "2.5", "reported")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("p,Score\nfern,\n", "In a.csv fern has no Score."),
        ("p,Score\nfern,n/a\n", 'In a.csv fern has no Score ("n/a": missing).'),
        ("p,Score\nfern,<70\n", 'In a.csv fern has no Score ("<70": bound).'),
        ('p,Score\nfern,"1,234"\n', 'In a.csv fern has no Score ("1,234": 1234 or 1.234).'),
    ],
)
def test_no_number_is_never_one(folder, text, fact):
    folder.write("a.csv", text)
    verdict = score(folder, "a.csv")
    assert (verdict.code, verdict.sentence) == ("MISSING_COMPONENT", f"Not decidable. {fact}")


def test_without_columns_all_of_numbers_count(folder):
    folder.write(
        "a.csv", "p,kind,x,items,y,note\nfern,tree,1.0,400,2.0,\nmoss,herb,3.0,400,5.0,a\n"
    )
    verdict = folder.one("delta", table="a.csv", subject="moss", other="fern", value="2.5")
    assert verdict.verdict == "true"
    assert [one.field for one in verdict.evidence] == ["x", "y", "x", "y"]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"table": "no.csv"}, "table no.csv: it cannot be read (No such file or directory). Give"),
        ({"table": "a\0.csv"}, "it cannot be read (embedded null byte)"),
        ({"table": "a.txt"}, "its name does not end in .csv, .tsv or .md. Give a CSV, TSV or"),
        ({"table": "."}, "its name does not end in .csv"),
        ({"table": "empty.csv"}, "it is no table: empty: the file is empty (0 bytes). Mend it."),
        ({"table": "plain.md"}, "it is no table: no_table: the file holds no table. Mend it."),
        ({"table": "two.md#3"}, "no table is named '3'; there are 1: A; 2: B"),
        ({"table": "twice.csv"}, '2 columns named "Score". Rename one of them.'),
        ({"table": "pair.csv"}, '2 rows named "fern" in the first column. It'),
        (
            {"table": "garden.csv", "columns": ["rain"]},
            'no column "rain". It has plant, sun, shade',
        ),
        ({"table": "garden.csv", "columns": ["sun"], "subject": "elm"}, 'no rows named "elm" in'),
        ({"table": "words.csv", "columns": None}, "no column of numbers. Name the columns that"),
        ({"table": "long.csv"}, "it has 60,000 cells. At most 50,000 are read; keep what the"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(folder, claim, message):
    folder.write("empty.csv", "")
    folder.write("plain.md", "no table\n")
    folder.write("two.md", TWO)
    folder.write("twice.csv", "p,Score,Score\nfern,1,2\n")
    folder.write("pair.csv", "p,Score\nfern,1\nfern,2\n")
    folder.write("words.csv", "p,Score\nfern,tall\n")
    folder.write("long.csv", "p,Score,x\n" + "fern,1,2\n" * 20_000)
    given = {"subject": "fern", "columns": ["Score"], "value": "1", **claim}
    with pytest.raises(ClaimError) as caught:
        folder.one("score", **{key: value for key, value in given.items() if value})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("predicate", "claim", "message"),
    [
        ("formula", {"formula": "2*a"}, "no column says where the score stands. Add column"),
        ("formula", {"column": "score", "formula": "2*a +"}, "`formula`: '2*a +' is no formula"),
        ("formula", {"column": "score", "formula": "2*z"}, 'no column "z". It has'),
        ("formula", {"column": "score", "formula": "score"}, "score is said to be made of itself"),
        ("formula", {"column": "a", "columns": ["a"]}, "a is said to be made of itself"),
        ("ratio", {"value": "2"}, "no columns that make a ratio. Give columns = [ABOVE, BELOW]"),
        ("drop_one", {"column": "d", "values": {"fern": "1"}}, 'no column "d"'),
        ("drop_one", {"column": "a", "columns": ["a"], "values": {"fern": "1"}}, "no other column"),
        ("lead_set", {"subject": "oak", "columns": ["a"]}, 'no rows named "oak"'),
    ],
)
def test_a_claim_that_does_not_fit_its_table_is_refused(folder, predicate, claim, message):
    with pytest.raises(ClaimError) as caught:
        folder.one(predicate, table="parts.csv", **claim)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (Claim("c", "rank", "x", "fern", n=1, table="parts.csv"), "decides rank. Name the board"),
        (
            Claim("c", "lead_set", "x", "fern", columns=("a",)),
            "without a board and without a table",
        ),
    ],
)
def test_a_question_for_boards_is_none_for_a_table(folder, claim, message):
    with pytest.raises(ClaimError) as caught:
        judge(claim, folder.folder)
    assert message in str(caught.value)
