"""What a table's columns are taken for; the tables are made up, the habits are real."""

from __future__ import annotations

import pytest

from history.propose.facts import facts_of
from history.propose.roles import Given, Unclear, roles_of
from history.readers import parse

NOTHING = Given()


def roles(text: str, format_: str = "csv", given: Given = NOTHING):
    table = parse(format_, text.encode()).table()
    return roles_of(facts_of(table), table.keys is not None, given)


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
    ],
)
def test_what_is_no_leaderboard(text):
    with pytest.raises(ValueError):
        roles(text)
