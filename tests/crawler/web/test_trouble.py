"""What does Web make of servers that are slow, broken, busy or hostile?"""

from __future__ import annotations

import gzip
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from crawler.source import CrawlError
from crawler.web.waiting import asked_to_wait
from crawler.web.web import Patience, Web
from crawler.work import Stopped, Work
from tests.crawler.web import faulty
from tests.crawler.web.faulty import Faulty, answer, chunked
from tests.crawler.web.patience import LIMITED, SHORT, TEMPORARY

# --- faults ------------------------------------------------------------------------------------

BOMB = gzip.compress(bytes(30_000_000))
ZIPPED = ["Content-Encoding: gzip"]
TRUNCATED = gzip.compress(b"1" * 1000)[:-9]


@pytest.mark.parametrize(
    ("play", "requests", "said"),
    [
        pytest.param(answer(b"", "500 Oh"), 2, "the server has trouble (status 500)", id="500"),
        pytest.param(answer(b"", LIMITED), 2, "too many requests (status 429)", id="429"),
        pytest.param(faulty.reset, 2, "the connection broke off", id="reset"),
        pytest.param(faulty.hang_up, 2, "the connection broke off", id="no word"),
        pytest.param(faulty.cut, 2, "the connection broke off", id="cut"),
        pytest.param(faulty.cut_chunks, 2, "the connection broke off", id="cut between chunks"),
        pytest.param(faulty.stall, 2, "nothing came for 0 s", id="stall"),
        pytest.param(faulty.stall_in_body, 2, "nothing came for 0 s", id="stall in the body"),
        pytest.param(faulty.drip, 2, "too slow: ", id="drip"),
        pytest.param(faulty.drip_headers, 2, "too slow: ", id="drip of headers"),
        pytest.param(faulty.early_hints, 2, "not done after 1 s", id="answers before it"),
        pytest.param(faulty.endless_headers, 2, "the connection broke off", id="endless headers"),
        pytest.param(b"SSH-2.0-x\r\n\r\n", 2, "the connection broke off", id="another protocol"),
        pytest.param(answer(TRUNCATED, headers=ZIPPED), 2, "broke off", id="cut before packing"),
        pytest.param(answer(b"plain", headers=ZIPPED), 2, "packed wrongly", id="not packed at all"),
        pytest.param(
            answer(gzip.compress(b"a") + b"b", headers=ZIPPED), 2, "behind", id="more than packed"
        ),
        pytest.param(faulty.endless, 1, "more than the 1,000,000 bytes", id="endless"),
        pytest.param(answer(BOMB, headers=ZIPPED), 1, "more than the 1,000,000 b", id="bomb"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
            1,
            "more than the 1,000,000 bytes that are allowed (99,999,999,999)",
            id="it says that it is too long",
        ),
        pytest.param(answer(headers=["Content-Encoding: br"]), 1, "packed as 'br'", id="packing"),
    ],
)
def test_faults_that_stay(hasty, play, requests, said):
    began = time.monotonic()
    with Faulty(play) as server, pytest.raises(CrawlError) as caught:
        hasty.get(f"{server.url}/a?secret", cap=1_000_000)
    assert said in caught.value.found, caught.value.found
    assert caught.value.passing == (requests > 1)
    assert caught.value.where == f"{server.url}/a"
    assert "\n" not in str(caught.value)
    assert len(server.asked) == requests
    assert time.monotonic() - began < 3


def test_four_tries_each_after_a_longer_wait():
    patience = replace(SHORT, first_wait=0.05)
    with (
        Faulty(answer(b"", TEMPORARY)) as server,
        Web(Work(), patience=patience) as web,
        pytest.raises(CrawlError, match="the server has trouble"),
    ):
        web.get(server.url)
    times = [asked.at for asked in server.asked]
    waits = [after - before for before, after in pairwise(times)]
    assert len(waits) == 3
    assert all(due <= wait < due + 1 for due, wait in zip((0.05, 0.1, 0.2), waits, strict=True))


def test_a_call_ends_with_all_its_tries():
    patience = replace(SHORT, call=0.9)
    with (
        Faulty(faulty.stall) as server,
        Web(Work(), patience=patience) as web,
        pytest.raises(CrawlError),
    ):
        web.get(server.url)
    assert len(server.asked) < SHORT.tries


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param([answer(b"", "500 Oh")] * 2, id="500 twice"),
        pytest.param([answer(b"", f"{n} Oh") for n in (408, 425, 429)], id="three others"),
        pytest.param([answer(b"", f"{n} Oh") for n in (502, 503, 504)], id="gateways"),
        pytest.param([faulty.reset, faulty.cut, faulty.stall], id="broken connections"),
        pytest.param([answer(TRUNCATED, headers=ZIPPED)], id="a packed answer with no end"),
    ],
)
def test_faults_that_pass(web, faults):
    with Faulty(*faults, answer(b"good")) as server:
        assert web.post(server.url, data={"a": "1"}).body == b"good"
    assert [a.body for a in server.asked] == [b"a=1"] * (len(faults) + 1)


def test_a_whole_answer_of_exactly_the_cap(web):
    body = b"x" * 1000
    plays = answer(body), answer(gzip.compress(body), headers=ZIPPED), chunked(body, b"")
    with Faulty(*plays) as server:
        assert [web.get(server.url, cap=1000).body for _ in plays] == [body] * 3


def test_nobody_is_there(web):
    with Faulty(answer()) as server:
        pass
    with pytest.raises(CrawlError, match=r"cannot be reached \(.*refused"):
        web.get(server.url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file:///etc/passwd", "no address of http or https"),
        ("ftp://example.org/", "no address of http or https"),
        ("example.org/a", "no address of http or https"),
        ("http://", "no address of http or https"),
        ("http://[::1", "no address"),
        ("http://a..b/", "cannot be asked ("),
        pytest.param(f"http://{'a' * 64}.example/", "cannot be asked (", id="a long label"),
        ("http://127.0.0.1:99999/", "no port 99999"),
        ("http://127.0.0.1:0/", "no port 0"),
        ("http://127.0.0.1/\r\nX: y", "no address"),
        ("https://me:secret@example.org/", "an address with a login in it"),
    ],
)
def test_addresses_that_are_not_asked(web, url, said):
    with pytest.raises(CrawlError) as caught:
        web.get(url)
    assert said in str(caught.value) and "secret" not in str(caught.value)
    assert not caught.value.passing


# --- waiting -----------------------------------------------------------------------------------

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "limited", "seconds"),
    [
        ({}, True, None),
        ({"retry-after": "7"}, False, 8),
        ({"retry-after": "0"}, False, 1),
        ({"retry-after": "-7"}, False, None),
        ({"retry-after": "soon"}, False, None),
        ({"retry-after": "1e9"}, False, None),
        pytest.param({"retry-after": "9" * 5000}, False, 1_000_000_000, id="for ever"),
        ({"retry-after": "Sun, 01 Nov 2026 12:00:30 GMT"}, False, 31),
        ({"retry-after": "Sun, 01 Nov 2026 11:00:00 GMT"}, False, 1),
        (
            {
                "retry-after": "Thu, 01 Jan 2015 00:00:05 GMT",
                "date": "Thu, 01 Jan 2015 00:00:00 GMT",
            },
            False,
            6,
        ),
        ({"ratelimit": '"api";r=0;t=55'}, True, 56),
        ({"ratelimit": '"api";r=0;t=55'}, False, None),
        ({"ratelimit": '"api";r=0;t=5, "pages";r=9;t=99'}, True, 6),
        ({"ratelimit": '"api" ; r=3 ; t=5'}, True, 6),
        ({"ratelimit": "t=;r;;="}, True, None),
        ({"ratelimit": '"api";r=0;t=5', "retry-after": "9"}, True, 10),
    ],
)
def test_how_long_a_server_asks_to_wait(headers, limited, seconds):
    assert asked_to_wait(headers, limited, NOW) == seconds


def test_a_short_wait_is_waited(web):
    with Faulty(answer(b"", LIMITED, ['RateLimit: "api";r=0;t=0']), answer()) as server:
        web.get(server.url)
    assert 0.9 < server.asked[1].at - server.asked[0].at < 2.5


@pytest.mark.parametrize(
    ("header", "seconds"), [("Retry-After: 900", 901), ('RateLimit: "api";r=0;t=299', 300)]
)
def test_a_long_wait_is_said_and_nothing_tried(web, header, seconds):
    with (
        Faulty(answer(b"", LIMITED, [header])) as server,
        pytest.raises(CrawlError, match=f"Crawl again in {seconds} seconds") as caught,
    ):
        web.get(server.url)
    assert (caught.value.passing, len(server.asked)) == (True, 1)


def test_all_waits_of_a_job_end():
    patience = Patience(first_wait=0.05, all_waits=0.2)
    with Faulty(answer(b"", TEMPORARY)) as server, Web(Work(), patience=patience) as web:
        for _ in range(5):
            with pytest.raises(CrawlError):
                web.get(server.url)
    assert 5 < len(server.asked) < 11


def test_who_waits_long_is_told_why():
    said: list[str] = []
    work = Work(said.append)
    with Faulty(answer(b"", LIMITED, ["Retry-After: 9"])) as server, Web(work) as web:
        threading.Timer(0.3, work.stop).start()
        with pytest.raises(Stopped):
            web.get(f"{server.url}/a")
    assert said == [f"{server.url}/a: too many requests (status 429); trying again in 10 seconds"]
