"""What is true of the entries of a class, and of scores that no entry has?"""

from __future__ import annotations

import pytest

from crawler.store import UnknownBoard
from history.claims.language.claim import ClaimError

ATTRIBUTES = '\n[table.attributes]\nsize = "size"\nopen = "open"\n'
DAY_1, DAY_2, DAY_3 = ({"as_of": f"2024-03-0{day}"} for day in (1, 2, 3))


def table(*rows: str) -> str:
    return "\n".join(["model,score,size,open,lab", *rows, ""])


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """oak leads all; of the open ones fern, then moss; of reed the size is not known."""
    from tests.claims.conftest import World

    world = World(tmp_path_factory.mktemp("classes"))
    world.board("text", more=ATTRIBUTES)
    world.board("plain", path="text.csv")
    day_1 = table("oak,90,70B,false,A", "fern,80,7B,true,B", "moss,70,8B,true,A")
    day_2 = table("oak,90,70B,false,A", "fern,80,7B,true,B", "moss,85,8B,true,A")
    day_3 = table("oak,90,70B,false,A", "reed,88,,true,C", "fern,80,7B,true,B", "moss,75,8B,true,A")
    for number, rows in enumerate((day_1, day_2, day_3), start=1):
        world.commit(f"2024-03-0{number}T10:00:00Z", **{"text.csv": rows})
    world.crawl()
    return world


def claim(predicate: str, subject: str = "fern", board: str = "text", **more: object):
    return {"predicate": predicate, "subject": subject, "boards": [board], **more}


@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        pytest.param(claim("first", when=DAY_1), "false", None, id="not first of all"),
        pytest.param(
            claim("first_in_class", filter="open == true", when=DAY_1), "true", None, id="open"
        ),
        pytest.param(
            claim("first", filter="open == true", when=DAY_1), "true", None, id="first with filter"
        ),
        pytest.param(
            claim("first_in_class", filter="open == true", when=DAY_2), "false", None, id="passed"
        ),
        pytest.param(
            claim("first_in_class", filter="size < '8B'", when=DAY_2), "true", None, id="under 8B"
        ),
        pytest.param(
            claim("first_in_class", filter="size < '8B'", when=DAY_3),
            "not_decidable",
            "MISSING_COMPONENT",
            id="the size of a better one is not known",
        ),
        pytest.param(
            claim("first_in_class", "oak", filter="size < '8B'", when=DAY_1),
            "false",
            None,
            id="not in the class",
        ),
        pytest.param(
            claim("first_in_class", "reed", filter="size < '8B'", when=DAY_3),
            "not_decidable",
            "MISSING_COMPONENT",
            id="its own size is not known",
        ),
        pytest.param(
            claim("rank", n=2, of=2, filter="open == true", subject="moss", when=DAY_1),
            "true",
            None,
            id="of so many in the class",
        ),
        pytest.param(
            claim("first_in_class", "moss", filter="lab == 'A' and open == true", when=DAY_1),
            "true",
            None,
            id="a column that is no attribute",
        ),
        pytest.param(
            claim("first_in_class", filter="colour == 'red'", when=DAY_1),
            "not_decidable",
            "MISSING_COMPONENT",
            id="no such column",
        ),
        pytest.param(
            claim("first_in_class", filter="open == true", board="plain", when=DAY_1),
            "true",
            None,
            id="a board without attributes is read for it",
        ),
        pytest.param(
            claim("first_in_class", filter="open == true", when={"over": ["", "2024-03-02"]}),
            "true_then_false",
            None,
            id="through time",
        ),
        pytest.param(
            claim("score", "oak", value="90", filter="open == true", when=DAY_1),
            "not_decidable",
            "NOT_LISTED",
            id="a score outside the class",
        ),
    ],
)
def test_classes(classes, given, verdict, code):
    found = classes.one(**given)
    assert (found.verdict, found.code) == (verdict, code), found.sentence
    assert any(one.commit and one.pointer for one in found.evidence)


def test_the_sentence_names_the_class_and_who_may_belong_to_it(classes):
    found = classes.one(**claim("first_in_class", filter="size < '8B'", when=DAY_3))
    assert "of 1 better on text (reed) whether size < '8B'" in found.sentence
    assert found.evidence[0].entry == "reed"
    passed = classes.one(**claim("first_in_class", filter="open == true", when=DAY_2))
    assert "fern was 2nd of 2 on text (only open == true) (80; moss led" in passed.sentence


@pytest.mark.parametrize(
    ("score", "rank", "more", "verdict", "strength"),
    [
        pytest.param("95", 1, {}, "true", "certain", id="first"),
        pytest.param("85", 2, {"of": 4}, "true", "certain", id="second of four"),
        pytest.param("85", 2, {"of": 3}, "false", "certain", id="of another number"),
        pytest.param("90", 1, {}, "true", "printed", id="equal to the first"),
        pytest.param("85", 1, {}, "false", "certain", id="not first"),
        pytest.param("60", 3, {"op": "<="}, "false", "certain", id="not third or better"),
        pytest.param("85", 3, {"op": "<="}, "true", "certain", id="third or better"),
    ],
)
def test_where_a_score_would_have_stood(classes, score, rank, more, verdict, strength):
    given = {"predicate": "would_rank", "boards": ["text"], "snapshot": DAY_1}
    found = classes.one(**given, score=score, rank=rank, **more)
    assert (found.verdict, found.strength) == (verdict, strength), found.sentence
    assert [one.text for one in found.evidence if one.label == "reported"] == [score]
    assert any(one.commit and one.pointer for one in found.evidence)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        pytest.param({"above": "80", "n": 1}, "true", id="strictly better"),
        pytest.param({"above": "79.5", "n": 2, "of": 3}, "true", id="of so many"),
        pytest.param({"above": "79.5", "n": 2, "of": 4}, "false", id="of another number"),
        pytest.param({"above": "60", "n": 2, "op": ">"}, "true", id="more than"),
        pytest.param({"above": "99", "n": 0}, "true", id="none"),
    ],
)
def test_how_many_are_better_than_a_number(classes, given, verdict):
    found = classes.one(predicate="count", what="ranked", boards=["text"], when=DAY_1, **given)
    assert found.verdict == verdict, found.sentence
    assert any(one.commit and one.pointer for one in found.evidence)


def test_a_board_that_is_not_tracked_is_said_to_be_so(classes):
    given = claim("first", board="elsewhere")
    with pytest.raises(UnknownBoard):
        classes.one(**given)
    found = classes.one(**given, tracked=False, source="https://example.org/post")
    assert (found.verdict, found.code) == ("not_decidable", "NO_BOARD")
    assert [(one.field, one.text) for one in found.evidence] == [("board", "elsewhere")]
    both = {"predicate": "any_of", "claims": [claim("first", "oak"), {**given, "tracked": False}]}
    assert classes.one(**both).verdict == "true"


@pytest.mark.parametrize("text", ["size <", "size < 8B and", "__import__('os')", "(" * 500])
def test_a_class_that_cannot_be_understood_is_refused(classes, text):
    with pytest.raises(ClaimError) as caught:
        classes.check(_toml(text))
    assert "`filter` is" in str(caught.value) and "\n" not in str(caught.value)


def _toml(text: str) -> str:
    return f'[[claim]]\npredicate = "first"\nsubject = "fern"\nboards = ["text"]\nfilter = """{text}"""'
