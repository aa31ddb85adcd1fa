"""What is true of a board that was only looked at from time to time: bounds, and no more."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest

from crawler import crawl, polled
from history.moments import MomentError
from tests.claims.conftest import World
from tests.hub.server import HubServer


class Looks:
    """Looks at a board at set times; None is a look that did not come about."""

    def __init__(self, world: World):
        self._world = world
        world.board("b")
        file = world.store.board_file("b")
        self._text = file.read_text(encoding="utf-8").replace('kind = "git"', 'kind = "url"')

    def at(self, *looks: tuple[str, dict[str, float]]) -> None:
        """Put tables at the address and crawl."""
        file = self._world.store.board_file("b")
        with HubServer() as hub, pytest.MonkeyPatch.context() as patch:
            address = f'repo = "{hub.url}/b.csv"'
            lines = [
                address if line.startswith("repo") else line for line in self._text.splitlines()
            ]
            file.write_text("\n".join(lines), encoding="utf-8")
            for time, rows in looks:
                table = "".join(f"{entry},{score}\n" for entry, score in rows.items())
                hub.files["/b.csv"] = f"model,score\n{table}".encode()
                clock = _stopped(time)
                patch.setattr(polled, "datetime", clock)
                patch.setattr(crawl, "datetime", clock)
                self._world.crawl(time)


def _stopped(time: str) -> type[datetime]:
    class Stopped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.fromisoformat(time)

    return Stopped


def lasts(world: World, entry: str, value: str, **more: Any):
    state = {"predicate": "first", "subject": entry, "boards": ["b"]}
    return world.one(predicate="duration", state=state, value=value, **{"unit": "hours"} | more)


@pytest.fixture(scope="module")
def three(make_world) -> World:
    """The three vision rows that are known of October 2026, as if somebody had looked then."""
    world = make_world("three")
    Looks(world).at(
        ("2026-10-20T13:53:00+00:00", {"amos": 72.4}),
        ("2026-10-21T15:13:00+00:00", {"amos": 72.4, "d3-turbo": 72.46}),
        ("2026-10-22T20:12:00+00:00", {"amos": 72.4, "d3-turbo": 72.46, "rbdash": 73.3}),
    )
    return world


@pytest.fixture(scope="module")
def every_six_hours(make_world) -> World:
    """Moss, fern, fern, moss; one look was missed; moss."""
    world = make_world("six")
    fern, moss = {"fern": 81, "moss": 80}, {"fern": 81, "moss": 82}
    Looks(world).at(
        ("2026-03-01T00:00:00+00:00", moss),
        ("2026-03-01T06:00:00+00:00", fern),
        ("2026-03-01T12:00:00+00:00", fern | {"oak": 1}),
        ("2026-03-01T18:00:00+00:00", moss),
        ("2026-03-02T06:00:00+00:00", moss),
    )
    return world


@pytest.mark.parametrize(
    ("value", "more", "verdict"),
    [
        pytest.param("29", {}, "not_decidable", id="from looks only it is open"),
        pytest.param("55", {"op": "<="}, "true", id="not longer than from no to no"),
        pytest.param("55", {"op": ">"}, "false", id="nor that"),
        pytest.param("1", {"op": ">="}, "not_decidable", id="it may have been a moment"),
    ],
)
def test_three_looks_make_a_reign_of_nothing_to_54_hours(three, value, more, verdict):
    found = lasts(three, "d3-turbo", value, **more)
    assert found.verdict == verdict
    assert (found.answer["seconds_low"], found.answer["seconds_high"]) == (0, 54 * 3600 + 19 * 60)
    if verdict == "not_decidable":
        assert found.code == "CENSORED"
        assert found.would_decide == "a log of what was published when, or a look at that time"


def test_the_reign_says_so_too(three):
    _, reign, last = three.open("b").reigns()
    assert reign.entries == ("d3-turbo",)
    assert reign.start == pd.Timestamp("2026-10-21T15:13Z")
    assert reign.from_earliest == pd.Timestamp("2026-10-20T13:53Z")
    assert reign.until == pd.Timestamp("2026-10-22T20:12Z")
    assert reign.until_earliest == pd.Timestamp("2026-10-21T15:13Z")
    assert (reign.seconds, reign.seconds_certain) == (104340, 0)
    assert (last.from_earliest, last.open) == (reign.until_earliest, True)


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        pytest.param("2026-10-20T13:53:00Z", "false", id="at a look"),
        pytest.param("2026-10-20T13:53:01Z", "not_decidable", id="a second after it"),
        pytest.param("2026-10-21T15:12:59Z", "not_decidable", id="a second before the next"),
        pytest.param("2026-10-21T15:13:00Z", "true", id="at the next"),
        pytest.param("2026-10-22T20:12:00Z", "false", id="at the last"),
    ],
)
def test_between_two_looks_nobody_knows(three, at, verdict):
    found = three.one(predicate="first", subject="d3-turbo", boards=["b"], when={"as_of": at})
    assert found.verdict == verdict
    if verdict == "not_decidable":
        assert found.code == "CENSORED"
        assert "Nobody looked at b between " in found.sentence
        assert len({one.commit for one in found.evidence}) == 2


def test_asked_for_such_a_moment_a_board_says_when_somebody_looked(three):
    with pytest.raises(MomentError) as raised:
        three.open("b").standings("2026-10-21T12:00Z")
    assert raised.value.found == (
        "nobody looked between 2026-10-20T13:53:00Z and 2026-10-21T15:13:00Z"
    )
    assert three.open("b").standings("2026-10-21T15:13:00Z").frame["entry"].iloc[0] == "d3-turbo"


@pytest.mark.parametrize(
    ("value", "more", "verdict"),
    [
        pytest.param("6", {"op": ">="}, "true", id="for at least 6 hours"),
        pytest.param("12", {}, "not_decidable", id="for 12 hours"),
        pytest.param("18", {"op": ">"}, "false", id="for more than 18 hours"),
        pytest.param("6", {"op": "<"}, "false", id="for less than 6 hours"),
    ],
)
def test_looking_every_six_hours_gives_bounds(every_six_hours, value, more, verdict):
    found = lasts(every_six_hours, "fern", value, **more)
    assert (found.verdict, found.answer["seconds_low"], found.answer["seconds_high"]) == (
        verdict,
        6 * 3600,
        18 * 3600,
    )
    assert "for 6 h to 18 h" in found.sentence


@pytest.mark.parametrize(
    ("when", "verdict", "code"),
    [
        pytest.param(("T00:00:00Z", "T06:00:00Z"), "true_then_false", None, id="moss lost it"),
        pytest.param(
            ("T06:00:00Z", "T12:00:00Z"), "not_decidable", "CENSORED", id="at no look in between"
        ),
        pytest.param(("T01:00:00Z", "T05:00:00Z"), "not_decidable", "CENSORED", id="no look"),
    ],
)
def test_over_a_time(every_six_hours, when, verdict, code):
    over = [f"2026-03-01{time}" for time in when]
    found = every_six_hours.one(
        predicate="first", subject="moss", boards=["b"], when={"over": over}
    )
    assert (found.verdict, found.code) == (verdict, code)


def test_the_gap_and_the_time_after_the_last_look_are_two_things(every_six_hours):
    late = datetime(2026, 3, 2, 7, tzinfo=UTC)
    for at, words in ((late, "is known up to"), (late - timedelta(hours=20), "nobody looked")):
        found = every_six_hours.one(
            predicate="first", subject="moss", boards=["b"], when={"as_of": at.isoformat()}
        )
        assert found.code == "CENSORED"
        assert words in found.sentence.lower()
    assert json.dumps(found.as_dict(), default=str)
