"""Which table is taken, and that what is said of its columns never moves the choice elsewhere."""

from __future__ import annotations

import json

import pytest

from history.propose.candidates import Readable, propose
from history.propose.guesses import Given, Unclear
from history.readers import parse

NOTHING = Given()


def readable(path: str, text: str, format_: str = "json") -> Readable:
    return Readable(path, format_, parse(format_, text.encode()), 1, None)


def nested(n: int) -> str:
    """Entries with scores one level deeper, in no order; other objects stand inside each."""
    rows = {
        f"fern-{k}": {
            "link": "x",
            "pass": {"easy": k * 7 % n, "hard": k * 3 % n},
            "by task": {t: {"easy": 9 - i, "hard": i} for i, t in enumerate("abcde")},
        }
        for k in range(n)
    }
    return json.dumps(rows)


BOARDS = json.dumps(
    {
        name: {f"m{k}": {"rating": 90 - k - 0.5 * plus} for k in range(9)}
        for plus, name in enumerate(("full", "code", "math"))
    }
)
# Sorted, with ranks, and short: beside a long table it is a legend.
LEGEND = "rank,model,score\n1,a,3\n2,b,2\n3,c,1\n"
LONG = "model,x,y\n" + "".join(f"m{k},{k * 7 % 40},{k * 3 % 40}\n" for k in range(40))


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(NOTHING, id="nothing"),
        pytest.param(Given(score="/pass/hard", direction="higher"), id="a score as asked for"),
        pytest.param(Given(score="pass.hard", direction="higher"), id="a score with dots"),
        pytest.param(Given(score="/pass/nothing"), id="a score that no table has"),
    ],
)
def test_what_is_said_of_columns_keeps_the_table(given):
    try:
        proposal = propose([readable("a.json", nested(30))], "", given)
    except Unclear as unclear:
        assert "a.json (30 rows)" in unclear.question.text
        assert [answer for answer, _ in unclear.question.choices] == ["/pass/easy", "/pass/hard"]
    else:
        assert (proposal.rows, proposal.roles.entry) == ("", "@key")
        assert (proposal.roles.score, len(proposal.guesses)) == ("/pass/hard", 4)


def test_the_last_name_of_a_column_is_enough():
    data = '{"a": {"p": {"x+": 1}}, "b": {"p": {"x+": 3}}, "c": {"p": {"x+": 2}}, "d": {"x": "1"}}'
    proposal = propose([readable("a.json", data)], "", Given(score="x+", direction="higher"))
    assert (proposal.rows, proposal.roles.score) == ("", "/p/x+")


def test_an_object_of_longer_boards_is_none_itself():
    assert propose([readable("a.json", BOARDS)], "", NOTHING).rows == "$.full"


def test_many_rows_count_more_than_ranks():
    files = [readable("legend.csv", LEGEND, "csv"), readable("all.csv", LONG, "csv")]
    with pytest.raises(Unclear) as unclear:
        propose(files, "", NOTHING)
    assert unclear.value.question.text.startswith("all.csv (40 rows): which column is the score")
    assert propose(files, "", Given(score="y", direction="higher")).path == "all.csv"
    assert propose(files, "", Given(score="score")).path == "legend.csv"


def test_the_file_that_was_chosen_stays():
    files = [readable(name, LEGEND, "csv") for name in ("a.csv", "b.csv")]
    with pytest.raises(Unclear) as unclear:
        propose(files, "", NOTHING)
    assert unclear.value.question.option == "--path"
    proposal = propose(files, "", NOTHING, "b.csv")
    assert (proposal.path, proposal.guesses[0].why) == ("b.csv", "you chose it; also here: a.csv")


def test_rows_that_only_one_file_has():
    files = [readable("a.json", '{"x": 1}'), readable("b.json", json.dumps({"m": [
        {"model": "a", "score": 3}, {"model": "b", "score": 2}, {"model": "c", "score": 1}]}))]  # fmt: skip
    assert propose(files, "$.m", NOTHING).path == "b.json"


def test_a_column_deeper_than_is_looked():
    rows = [{"model": m, "r": {"all": {"acc": 9 - k}}} for k, m in enumerate("abcd")]
    files = [readable("a.json", json.dumps(rows))]
    assert propose(files, "", Given(score="/r/all/acc")).roles.score == "/r/all/acc"


def markdown(*headings: str) -> list[Readable]:
    rows = "|Model|Acc|\n|---|---|\n|a|9|\n|b|8|\n|c|7|\n|d|6|\n|e|5|\n"
    return [readable("README.md", "\n".join(f"## {one}\n\n{rows}" for one in headings), "markdown")]


@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        pytest.param(["Old leaderboard (2023)", "Leaderboard"], "Leaderboard", id="an old one"),
        pytest.param(["Archive", "Leaderboard"], "Leaderboard", id="an archive"),
        pytest.param(["Leaderboard"], "", id="only one"),
    ],
)
def test_of_tables_with_the_same_columns_the_one_that_is_meant(headings, rows):
    assert propose(markdown(*headings), "", Given()).rows == rows


def test_tables_with_the_same_columns_are_asked_for_by_their_headings():
    files = markdown("English", "German")
    with pytest.raises(Unclear) as unclear:
        propose(files, "", Given())
    question = unclear.value.question
    assert question.option == "--rows"
    assert question.choices == (("English", "5 rows"), ("German", "5 rows"))
    assert propose(files, "English", Given()).rows == "English"
