"""What a table's columns are taken for; the tables are made up, the habits are real."""

from __future__ import annotations

import pytest

from history.propose.facts import facts_of
from history.propose.guesses import Given, Unclear
from history.propose.roles import roles_of
from history.readers import parse

NOTHING = Given()
NAMES = ("fern", "moss", "lichen", "ivy", "oak", "elm")
MIXED = (71, 80.2, 65, 90.1, 55, 77)  # in no order
SORTED = (90.1, 80.2, 77, 71, 65, 55)


def roles(text: str, format_: str = "csv", given: Given = NOTHING):
    table = parse(format_, text.encode()).table()
    return roles_of(facts_of(table), "" if table.keys is None else "@key", given)


@pytest.mark.parametrize(
    ("text", "format_", "expected"),
    [
        pytest.param(
            "rank,model,rmse,votes\n1,moss,18.75,9\n2,fern,21.4,3\n3,lichen,30.1,5\n4,oak,31.0,7\n",
            "csv",
            ("model", "rmse", "lower"),
            id="published ranks tell score and direction",
        ),
        pytest.param(
            "Model,Cost,Accuracy\nfern,3,81.2\nmoss,9,80.1\noak,1,79.5\nelm,5,70.0\nivy,2,60\n",
            "csv",
            ("Model", "Accuracy", "higher"),
            id="the rows are sorted by the score",
        ),
        pytest.param(
            "name,hallucination rate,consistency\na,0.6,99.4\nb,1.3,98.7\nc,3,97\nd,4,96\ne,5,95\n",
            "csv",
            ("name", "hallucination rate", "lower"),
            id="of two that run opposite ways the first, with its own direction",
        ),
        pytest.param(
            "team,x,average\nfern,1.5,71\nmoss,9.5,80\noak,2.5,75\n",
            "csv",
            ("team", "average", "higher"),
            id="a name that sums up",
        ),
        pytest.param(
            '{"fern": {"elo": 1200, "n": 3}, "moss": {"elo": 1100, "n": 9}, "oak": {"elo": 900, "n": 1}}',
            "json",
            ("@key", "elo", "higher"),
            id="keyed by entry",
        ),
        pytest.param(
            '[{"id": "a1", "name": "x", "score": 3}, {"id": "b2", "name": "x", "score": 2},'
            ' {"id": "c3", "name": "y", "score": 1}]',
            "json",
            ("id", "score", "higher"),
            id="a key beside names that repeat",
        ),
        pytest.param(
            ",team,points\n0,fern,5\n1,moss,9\n2,oak,7\n",
            "csv",
            ("team", "points", "higher"),
            id="the number of the row is no score",
        ),
    ],
)
def test_roles(text, format_, expected):
    found = roles(text, format_)
    assert (found.entry, found.score, found.direction) == expected


def columns(**by_name):
    """A CSV of NAMES and some columns; the name stands in the key, `_` for a space."""
    rows = [("Model", *(name for name in by_name)), *zip(NAMES, *by_name.values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        pytest.param("Likes", (9000, 800, 70, 60, 50, 4), id="likes"),
        pytest.param("Downloads", (9000, 800, 70, 60, 50, 4), id="downloads"),
        pytest.param("Costs", (75, 60, 30, 15, 10, 5), id="a plural"),
        pytest.param("Charge", ("$75", "$60", "$30", "$15", "$10", "$5"), id="a sign in the cells"),
        pytest.param("USD per 1M", (75, 60, 30, 15, 10, 5), id="money"),
        pytest.param("Entries", (99, 98, 97, 96, 95, 94), id="entries"),
        pytest.param("Delta", (9, 8, 7, 6, 5, 4), id="a difference"),
        pytest.param("Rating Count", (99, 98, 97, 96, 95, 94), id="a count of what sums up"),
        pytest.param("Avg Tokens", (99, 98, 97, 96, 95, 94), id="an average of what is no score"),
        pytest.param("Total Params (B)", (99, 98, 97, 96, 95, 94), id="a total of what is no score"),
        pytest.param("Yr", (2015, 2016, 2017, 2018, 2019, 2020), id="a year by its name"),
        pytest.param("Since", (2015, 2016, 2017, 2018, 2019, 2020), id="a year by its cells"),
        pytest.param("at", tuple(range(1700000006, 1700000000, -1)), id="a time since 1970"),
        pytest.param("day", tuple(range(20230101, 20230107)), id="a day in one number"),
        pytest.param("Paper", tuple(2301.00001 + k for k in range(6)), id="a paper"),
        pytest.param("Runtime", (1.5, 2.5, 3.5, 4.5, 5.5, 6.5), id="a time"),
        pytest.param("tok/s", (99, 98, 97, 96, 95, 94), id="a unit"),
        pytest.param("VRAM GB", (80, 40, 24, 16, 12, 8), id="memory"),
        pytest.param("Layers", (80, 40, 24, 16, 12, 8), id="layers"),
        pytest.param("W", (9, 8, 7, 6, 5, 4), id="a column that says nothing"),
    ],
)  # fmt: skip
def test_a_sorted_column_is_not_the_score_beside_one_that_says_so(name, cells):
    found = roles(columns(**{name: cells, "Score": MIXED}))
    assert (found.score, found.direction) == ("Score", "higher")


@pytest.mark.parametrize(
    ("name", "cells", "direction"),
    [
        pytest.param("Score (RMSLE)", MIXED, "lower", id="an error called a score"),
        pytest.param("Mean LogLoss", MIXED, "lower", id="a loss in one word"),
        pytest.param("Total Penalty", MIXED, "lower", id="a penalty"),
        pytest.param("Problems solved", MIXED, "higher", id="what is counted, solved"),
        pytest.param("Accuracy", SORTED, "higher", id="sorted as its name says"),
        pytest.param("Accuracy", SORTED[::-1], None, id="the worst first"),
        pytest.param("WER", SORTED, None, id="an error, the largest first"),
        pytest.param("Toxicity Score", MIXED, None, id="more of it may be better or worse"),
        pytest.param("Attack Success Rate", MIXED, None, id="whose success"),
    ],
)  # fmt: skip
def test_which_way(name, cells, direction):
    text = columns(**{name: cells})
    if direction is None:
        with pytest.raises(Unclear) as unclear:
            roles(text)
        assert unclear.value.question.option == "--direction"
    else:
        assert roles(text).direction == direction


@pytest.mark.parametrize(
    ("ranks", "published"),
    [
        pytest.param({"Prev Rank": (6, 5, 4, 3, 2, 1), "Rank": (1, 2, 3, 4, 5, 6)}, "Rank",
                     id="the one called so"),
        pytest.param({"Public Rank": (3, 1, 2, 6, 4, 5), "Private Rank": (1, 2, 3, 4, 5, 6)},
                     "Private Rank", id="the one that the score follows"),
        pytest.param({"rank_tie": (1, 1, 2, 2, 3, 3), "rank_v": (1, 2, 3, 4, 5, 6)}, "rank_v",
                     id="the one without ties"),
        pytest.param({"#": (1, 2, 3, 4, 5, 6)}, "#", id="a number sign"),
        pytest.param({"Prev Rank": (6, 5, 4, 3, 2, 1)}, None, id="not that of before"),
    ],
)  # fmt: skip
def test_which_ranks_are_published(ranks, published):
    found = roles(columns(**ranks, Score=SORTED))
    assert (found.score, found.direction) == ("Score", "higher")
    assert guessed(found, "table.published_rank").get("table.published_rank") == published


def test_names_that_repeat_stand_beside_a_key():
    found = roles("engine,name,score\na,x,9\nb,x,8\nc,y,7\nd,z,6\ne,w,5\n")
    assert (found.entry, found.name) == ("engine", "name")


def guessed(found, *keys):
    return {guess.key: guess.value for guess in found.guesses if guess.key in keys}


def test_what_stands_beside_the_score():
    found = roles(
        '{"a": {"rating": 9.5, "rating_q025": 9.1, "rating_q975": 9.9},'
        ' "b": {"rating": 8.5, "rating_q025": 8.1, "rating_q975": 8.9},'
        ' "c": {"rating": 7.5, "rating_q025": 7.1, "rating_q975": 7.9}}',
        "json",
    )
    assert guessed(found, "table.low", "table.high") == {
        "table.low": "rating_q025",
        "table.high": "rating_q975",
    }


def test_a_public_and_a_private_column():
    found = roles(
        "team,Score - public,Score - private\na,9,5\nb,8,6\nc,7,4\nd,6,6\ne,5,1\n",
        given=Given(score="Score - public"),
    )
    assert guessed(found, "table.parts.public", "table.parts.private", "splits.private") == {
        "table.parts.public": "Score - public",
        "table.parts.private": "Score - private",
        "splits.private": "private",
    }


@pytest.mark.parametrize(
    ("text", "given", "option", "answers"),
    [
        pytest.param(
            "model,pass_1,pass_2\na,3,9\nb,5,7\nc,4,8\n", Given(), "--score", ["pass_1", "pass_2"],
            id="two scores",
        ),
        pytest.param(
            "model,x\na,3\nb,5\nc,4\n", Given(score="x"), "--direction", ["higher", "lower"],
            id="no hint of a direction",
        ),
        pytest.param(
            "model,x,y\na,3,1\nb,5,2\nc,4,7\n", Given(score="z"), "--score", ["x", "y"],
            id="a column that is not there",
        ),
        pytest.param("a,b\n1,2\n2,1\n3,4\n", Given(), "--entry", ["a", "b"], id="no names"),
        pytest.param(
            "model,score,score\na,3,9\nb,2,7\nc,1,8\nd,0,5\n", Given(), "--score", ["#2", "#3"],
            id="two columns of one name",
        ),
        pytest.param(
            "Name,Margin\na,9\nb,8\nc,7\nd,6\ne,5\n", Given(), "--score", ["Margin"],
            id="sorted, but nothing says that it is a board",
        ),
    ],
)  # fmt: skip
def test_questions(text, given, option, answers):
    with pytest.raises(Unclear) as unclear:
        roles(text, given=given)
    question = unclear.value.question
    assert (question.option, [answer for answer, _ in question.choices]) == (option, answers)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("model,score\na,1\nb,2\n", id="two rows"),
        pytest.param("model,note\na,x\nb,y\nc,z\n", id="no numbers"),
        pytest.param("model,score\na,1\na,2\na,3\na,4\n", id="no rows told apart"),
        pytest.param("Name,Stars\na,9\nb,8\nc,7\nd,6\ne,5\n", id="stars"),
        pytest.param("Name,Age,Salary\na,1,9\nb,2,8\nc,3,7\nd,4,6\ne,5,5\n", id="people"),
        pytest.param("Option,Default\na,9\nb,8\nc,7\nd,6\ne,5\n", id="options"),
    ],
)
def test_what_is_no_leaderboard(text):
    with pytest.raises(ValueError):
        roles(text)
