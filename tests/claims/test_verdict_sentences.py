"""What does a verdict say, and by which names?"""

from __future__ import annotations

import json

import pytest

from history.names import UnknownEntry
from tests.claims.conftest import claim


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        pytest.param(
            claim("first", when={"as_of": "2024-02-01"}),
            "Not decidable. plain is known from 1 Mar 2024 00:00 UTC on, not at the end of 1 Feb 2024 (UTC).",
            id="too early",
        ),
        pytest.param(
            claim("score", value="84", when={"as_of": "2024-03-04"}),
            "Not decidable. At the end of 4 Mar 2024 (UTC) the file of plain could not be read "
            "(conflict_markers).",
            id="in the dark",
        ),
        pytest.param(
            claim("score", "rowan", value="84"),
            "Not decidable. plain never listed rowan.",
            id="a stranger",
        ),
        pytest.param(
            claim("score", value="84"),
            "True. At the last look fern had 84 on plain.",
            id="a number",
        ),
        pytest.param(
            claim("ahead", other="moss", when={"on": "2024-03-05"}),
            "False. fern was never ahead of moss on plain on 5 Mar 2024; on 5 Mar 2024 00:00 UTC fern was "
            "0.5 behind moss on plain (82.5 and 83).",
            id="a day",
        ),
    ],
)
def test_sentences(garden, given, sentence):
    found = garden.one(**given).sentence
    assert found.startswith(sentence)
    assert found.endswith(" Last look: 10 Mar 2024 00:00 UTC, 227 days 12 h ago.")


def test_a_sentence_says_names_as_they_were_then(world):
    world.board("b", "b.json")
    file = world.store.board_file("b")
    file.write_text(file.read_text().replace('entry = "model"', 'entry = "model"\nname = "name"'))
    for day, name in ((1, "Fern one"), (2, "Fern two")):
        rows = [{"model": "fern", "name": name, "score": 2}, {"model": "moss", "score": 1}]
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.json": json.dumps({"models": rows})})
    world.crawl()
    given = {"predicate": "first", "subject": "fern", "board": "b"}
    said = [world.one(**given, when={"as_of": f"2024-03-0{day}"}).sentence for day in (1, 2)]
    assert ["Fern one" in said[0], "Fern two" in said[1]] == [True, True]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param(
            "FERN scores 80 on Plain on 1 March 2024",
            "True. On 1 Mar 2024, throughout, fern had 80 on plain.",
            id="of one version it is said once",
        ),
        pytest.param(
            "fern was first on plain from 2024-03-03 to 2024-03-03",
            "True. On 3 Mar 2024, throughout, fern was first of 2 on plain (82.5, 1.5 ahead of moss).",
            id="also of a place",
        ),
        pytest.param(
            "Fern was ahead of MOSS on PLAIN from 2024-03-07 to 2024-03-09",
            "True. From 7 Mar 00:00 to 9 Mar 2024 23:59 UTC, throughout, fern was 1 ahead of moss "
            "on plain (84 and 83).",
            id="names as the board writes them",
        ),
        pytest.param(
            "ash is tied with Elm on Bare",
            "True. At the last look ash and elm had the same score on bare (7.4 and 7.4). It was "
            "tied with elm on bare from 1 Mar 2024 00:00 UTC up to the last look (9 days).",
            id="equal scores are the same",
        ),
        pytest.param(
            "moss is in the top 1 on plain as of 2024-03-01",
            "False. At the end of 1 Mar 2024 (UTC) moss was 2nd of 2 on plain (79; fern led with 80, "
            "1 ahead). It was in the top 1 on plain later, from 2 Mar 12:00 to 3 Mar 2024 00:00 UTC "
            "(12 h), passed by fern (re-scored) and from 5 Mar 00:00 to 6 Mar 2024 00:00 UTC (24 h), "
            "when the file was removed.",
            id="who passed it, and what else ended it",
        ),
        pytest.param(
            "fern is first on plain as of 2024-03-03",
            "True. At the end of 3 Mar 2024 (UTC) fern was first of 2 on plain (82.5, 1.5 ahead of "
            "moss). It was first on plain from 3 Mar 00:00 to 5 Mar 2024 00:00 UTC (48 h, 24 h of "
            "it not known), lost to moss, which was re-scored.",
            id="what is not known inside a stretch",
        ),
    ],
)
def test_each_thing_is_said_once_and_by_the_boards_own_names(garden, said, sentence):
    assert garden.say(said).sentence.startswith(sentence)


def test_names_that_begin_with_what_was_said_are_the_nearest(world):
    world.board("b")
    names = ["gp-5", "gpt-50", *(f"gpt-5 ({effort})" for effort in ("high", "low", "medium"))]
    world.commit("2024-03-01T00:00:00Z", b=dict.fromkeys([*names, "fern", "moss"], 1))
    world.crawl()
    with pytest.raises(UnknownEntry) as caught:
        world.say("GPT-5 is first on b")
    assert str(caught.value) == (
        'b: no entry "GPT-5". Nearest: gpt-5 (high), gpt-5 (low), gpt-5 (medium), gpt-50, gp-5.'
    )


def test_a_kind_of_rank_is_said_with_its_times(garden):
    given = claim("first", "fern", "chain", rank_kind="tie", when={"latest": True})
    said = garden.one(**given).sentence
    assert "It was first on chain by its tie rank from 1 Mar" in said


def test_a_place_lost_with_a_new_definition_says_so(world):
    more = '[[since]]\ndate = 2024-03-02\ntable.score = "wet"\n'
    world.board("b", more=f"\n{more}")
    for day in (1, 2):
        table = f"model,score,wet\nfern,8{day},2\nmoss,70,3\n"
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.csv": table})
    world.crawl()
    found = world.say("fern was ever first on b")
    assert "lost to moss, which was re-scored, with a new definition." in found.sentence


def test_a_sentence_about_a_stranger_is_refused_with_the_nearest_name(garden):
    with pytest.raises(UnknownEntry, match="fern"):
        garden.say("fernn is first on plain")
