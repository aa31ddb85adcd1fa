"""Web against servers that are slow, broken or hostile, each on this machine."""

from __future__ import annotations

import gzip
import shutil
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from crawler.source import CrawlError
from crawler.web.answer import Answer, next_link
from crawler.web.waiting import asked_to_wait
from crawler.web.web import Patience, Web
from crawler.work import Stopped, Work
from tests.crawler.web import faulty
from tests.crawler.web.faulty import Faulty, answer, chunked, moved

TOKEN = "secret0TOKEN"  # not like one of the Hub, so that only Web itself can hide it
SHORT = Patience(
    connect=2.0,
    idle=0.4,
    one_try=0.8,
    call=6.0,
    window=0.6,
    least=1000,
    first_wait=0.01,
    longest_wait=3.0,
)
TEMPORARY = "503 Service Unavailable"
LIMITED = "429 Too Many Requests"


@pytest.fixture(scope="module")
def web():
    with Web(Work(), patience=SHORT) as web:
        yield web


@pytest.fixture(scope="module")
def hasty():
    with Web(Work(), patience=replace(SHORT, tries=2)) as web:
        yield web


def lines(asked):
    return [request.line for request in asked]


# --- what is asked ---------------------------------------------------------------------------


def test_a_request_and_its_answer(web):
    with Faulty(answer(b'{"a": 1}', headers=["ETag: W/1", "X-Two: 1", "X-Two: 2"])) as server:
        got = web.get(f"{server.url}/a?b=c", headers={"If-None-Match": '"x"'})
    assert (got.status, got.json(), got.url) == (200, {"a": 1}, f"{server.url}/a?b=c")
    assert (got.headers["etag"], got.headers["x-two"]) == ("W/1", "1, 2")
    (asked,) = server.asked
    assert asked.line == "GET /a?b=c"
    assert asked.headers["if-none-match"] == '"x"'
    assert asked.headers["user-agent"].startswith("ranktrail/")
    assert asked.headers["accept-encoding"] == "gzip"
    assert "authorization" not in asked.headers


@pytest.mark.parametrize(
    ("sent", "kind", "body"),
    [
        ({"data": {"paths": ["a b", "ä"], "expand": "false"}}, "form", b"paths=a+b&paths=%C3%A4"),
        ({"json": {"paths": ["a"]}}, "json", b'{"paths": ["a"]}'),
    ],
)
def test_a_longer_question(web, sent, kind, body):
    with Faulty(answer()) as server:
        web.post(f"{server.url}/paths-info", **sent)
    (asked,) = server.asked
    assert asked.line == "POST /paths-info"
    assert kind in asked.headers["content-type"] and asked.body.startswith(body)


def test_a_file_is_asked_for_unpacked_and_unpacked_where_it_comes_packed(web):
    packed = gzip.compress(b"name,score\n")
    with Faulty(answer(packed, headers=["Content-Encoding: gzip"])) as server:
        assert web.fetch(server.url).body == b"name,score\n"
    assert server.asked[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [200, 206, 304, 401, 403, 404, 410, 416, 451])
def test_what_the_caller_knows_is_an_answer(web, status):
    with Faulty(answer(b"" if status == 304 else b"body", f"{status} Word")) as server:
        assert web.get(server.url).status == status
    assert len(server.asked) == 1


def test_not_modified_may_say_how_long_the_whole_is(web):
    with Faulty(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99999\r\n\r\n") as server:
        assert web.get(server.url, cap=10).status == 304


def test_an_etag_that_cannot_be_sent_back_is_left_out(web):
    with Faulty(answer()) as server:
        web.get(server.url, headers={"If-None-Match": "é", "If-Modified-Since": "a\r\nb: c"})
    assert not {"if-none-match", "if-modified-since", "b"} & set(server.asked[0].headers)


@pytest.mark.parametrize("name", ["Authorization", "cookie", "Host", "Accept-Encoding"])
def test_callers_set_no_login(web, name):
    with pytest.raises(ValueError, match="set by Web"):
        web.get("http://127.0.0.1:9/", headers={name: "x"})


def test_cookies_are_not_kept(web):
    with Faulty(answer(headers=["Set-Cookie: id=1; Path=/"])) as server:
        web.get(server.url)
        web.get(server.url)
    assert ["cookie" in asked.headers for asked in server.asked] == [False, False]


def test_threads_share_a_few_connections(web):
    with Faulty(answer(b"[7]")) as server, ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda n: web.get(f"{server.url}/{n}"), range(120)))
    assert [a.url.rpartition("/")[2] for a in answers] == [str(n) for n in range(120)]
    assert all(a.json() == [7] for a in answers)
    assert len(server.asked) == 120 and server.connections <= 12


def test_the_proxy_of_the_environment_is_used_and_cannot_hold_us(monkeypatch):
    with Faulty(answer(b"by proxy"), faulty.drip_headers) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        patience = replace(SHORT, tries=1)
        with Web(Work(), patience=patience) as web, Faulty(answer(b"direct")) as server:
            assert web.get(server.url).body == b"direct"  # 127.0.0.1 is in NO_PROXY here
            assert web.get("http://board.example.org/a").body == b"by proxy"
            with pytest.raises(CrawlError, match="too slow"):
                web.get("http://board.example.org/a")
    assert lines(proxy.asked)[0] == "GET http://board.example.org/a"


def test_a_proxy_that_is_none_is_said(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", f"nonsense://me:{TOKEN}@127.0.0.1:1")
    with pytest.raises(CrawlError, match="HTTP_PROXY") as caught:
        Web(Work())
    assert TOKEN not in str(caught.value)


# --- where the token goes ----------------------------------------------------------------------


def test_the_token_goes_home_and_nowhere_else():
    with (
        Faulty(answer()) as other,
        Faulty(moved(f"{other.url}/file")) as home,
        Web(Work(), token=TOKEN, home=f"{home.url}/api", patience=SHORT) as web,
    ):
        assert web.fetch(f"{home.url}/resolve").url == f"{other.url}/file"
        web.post(f"{home.url}/resolve", data={"a": "b"})
        web.get(other.url)
        web.get(f"http://localhost:{other.port}/")
    assert [a.headers["authorization"] for a in home.asked] == [f"Bearer {TOKEN}"] * 2
    assert len(other.asked) == 4
    assert all(TOKEN not in str(asked) for asked in other.asked)


def test_the_token_comes_back_with_a_redirect_home():
    with Faulty(moved("/")) as other, Faulty(moved(f"{other.url}/"), answer()) as home:
        other.plays = [moved(f"{home.url}/b")]
        with Web(Work(), token=TOKEN, home=home.url, patience=SHORT) as web:
            assert web.get(f"{home.url}/a").url == f"{home.url}/b"
    assert ["authorization" in a.headers for a in (*home.asked, *other.asked)] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("play", "said"),
    [
        pytest.param(answer(b"", "500 Secret"), "has trouble", id="a status"),
        pytest.param(moved("ftp://x/%s"), "which is refused", id="a redirect"),
        pytest.param(moved("http://me:%s@x/"), "which is refused", id="a redirect with a login"),
        pytest.param(answer(b"<p>you sent Bearer %s</p>"), "you sent", id="a page"),
        pytest.param(b"%s is no HTTP\r\n\r\n", "broke off", id="another protocol"),
        pytest.param(answer(headers=["Content-Encoding: %s"]), "packed as", id="a packing"),
    ],
)
def test_no_error_repeats_the_token(play, said):
    play = play.replace(b"%s", TOKEN.encode()).replace(b"Length: 27", b"Length: 36")
    lines: list[str] = []
    with (
        Faulty(play) as home,
        Web(Work(lines.append), token=TOKEN, home=home.url, patience=SHORT) as web,
        pytest.raises(CrawlError, match=said) as caught,
    ):
        web.get(f"{home.url}/a?signature={TOKEN}").json()
    assert TOKEN in home.asked[0].headers["authorization"]
    assert TOKEN not in f"{caught.value} {lines}" and "signature" not in str(caught.value)


def test_a_token_needs_a_home():
    with pytest.raises(CrawlError, match="no address of http or https"):
        Web(Work(), token=TOKEN)


# --- redirects -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "second", "body"),
    [
        ("307 Temporary Redirect", "POST /b", b"a=1"),
        ("308 Permanent Redirect", "POST /b", b"a=1"),
        ("303 See Other", "GET /b", b""),
        ("302 Found", "GET /b", b""),
    ],
)
def test_what_a_redirect_makes_of_a_post(web, status, second, body):
    with Faulty(moved("/b", status), answer()) as server:
        assert web.post(f"{server.url}/a", data={"a": "1"}).url == f"{server.url}/b"
    assert (server.asked[1].line, server.asked[1].body) == (second, body)
    assert server.connections == 1


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("file:///etc/passwd", "it redirects to 'file:///etc/passwd', which is refused"),
        ("ftp://example.org/a", "which is refused"),
        ("javascript:alert(1)", "which is refused"),
        ("http://me:pw@127.0.0.1/", "it redirects to 'http://127.0.0.1/', which is refused"),
        ("http://[::1", "which is refused"),
        ("http://127.0.0.1:99999/", "which is refused"),
        ("/again", "more than 10 redirects"),
    ],
)
def test_redirects_that_are_refused(web, to, said):
    with Faulty(moved(to)) as server, pytest.raises(CrawlError) as caught:
        web.get(server.url)
    assert said in caught.value.found and not caught.value.passing
    assert len(server.asked) == (11 if to == "/again" else 1)


def test_the_text_of_a_redirect_is_not_waited_for(web):
    with Faulty(answer(b"here")) as there:

        def endless_redirect(connection, over):
            connection.sendall(f"HTTP/1.1 302 Found\r\nLocation: {there.url}\r\n\r\n".encode())
            while not over.is_set():
                connection.sendall(b"x" * 65536)

        with Faulty(endless_redirect) as server:
            assert web.get(server.url).body == b"here"


def test_a_new_try_starts_at_the_first_address(web):
    with Faulty(moved("/signed?1"), answer(b"", TEMPORARY), moved("/signed?2"), answer()) as server:
        web.get(f"{server.url}/a")
    assert lines(server.asked) == ["GET /a", "GET /signed?1", "GET /a", "GET /signed?2"]


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


# --- stopping ------------------------------------------------------------------------------------


def seconds_to_stop(ask):
    """How long `ask(web)` goes on after a stop, with the patience of every day."""
    work, stopped_at = Work(), []

    def stop():
        stopped_at.append(time.monotonic())
        work.stop()

    with Web(work) as web:
        threading.Timer(0.25, stop).start()
        with pytest.raises(Stopped):
            ask(web)
    return time.monotonic() - stopped_at[0]


@pytest.mark.parametrize(
    "play",
    [
        faulty.stall,
        faulty.stall_in_body,
        faulty.drip,
        faulty.drip_headers,
        faulty.early_hints,
        faulty.deaf,
        pytest.param(answer(b"", TEMPORARY, ["Retry-After: 30"]), id="asked to wait"),
    ],
)
def test_a_stop_ends_everything_within_a_second(play):
    with Faulty(play) as server:
        content = "b" * (20_000_000 if play is faulty.deaf else 1)
        assert seconds_to_stop(lambda web: web.post(server.url, json=content)) < 1


def test_a_stop_ends_an_endless_body():
    with Faulty(faulty.endless) as server:
        assert seconds_to_stop(lambda web: web.fetch(server.url, cap=10**12)) < 1


def test_a_stop_ends_a_stall_on_a_connection_that_was_good():
    with Faulty(answer(), faulty.stall) as server:
        assert seconds_to_stop(lambda web: (web.get(server.url), web.get(server.url))) < 1
    assert server.connections == 1


def test_a_stop_ends_shaking_hands():
    with Faulty(faulty.stall) as server:
        assert seconds_to_stop(lambda web: web.get(f"https://127.0.0.1:{server.port}/")) < 1


def test_a_stop_ends_all_threads():
    def ask(web):
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(web.get, server.url) for _ in range(4)]
            assert all(isinstance(one.exception(), Stopped) for one in asked)
        raise Stopped

    with Faulty(faulty.stall) as server:
        assert seconds_to_stop(ask) < 1


def test_nothing_is_asked_after_a_stop():
    work = Work()
    work.stop()
    with Faulty(answer()) as server, Web(work) as web, pytest.raises(Stopped):
        web.get(server.url)
    assert server.asked == []


# --- TLS ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of this machine, and a context for a server that shows it."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate, and is not here")
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=board "
        "-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return folder / "cert.pem", context


def test_a_certificate_that_is_trusted(certificate, monkeypatch):
    file, context = certificate
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with (
        Faulty(answer(b"good" * 50_000), tls=context) as server,
        Web(Work(), token=TOKEN, home=server.url, patience=SHORT) as web,
    ):
        assert web.get(server.url).body == b"good" * 50_000
        web.get(server.url)
    assert [TOKEN in str(asked) for asked in server.asked] == [True, True]


def test_a_certificate_that_is_not_trusted_is_not_tried_again(certificate):
    with (
        Faulty(answer(), tls=certificate[1]) as server,
        Web(Work(), patience=SHORT) as web,
        pytest.raises(CrawlError, match="its certificate is refused") as caught,
    ):
        web.get(server.url)
    assert not caught.value.passing
    assert (server.asked, server.connections) == ([], 1)


def test_a_redirect_to_plain_http_is_refused(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with (
        Faulty(answer()) as plain,
        Faulty(moved(plain.url), tls=certificate[1]) as server,
        Web(Work(), patience=SHORT) as web,
        pytest.raises(CrawlError, match="redirects from https to plain http"),
    ):
        web.get(server.url)
    assert plain.asked == []


def test_a_redirect_to_https_loses_the_token(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with (
        Faulty(answer(), tls=certificate[1]) as server,
        Faulty(moved(server.url)) as home,
        Web(Work(), token=TOKEN, home=home.url, patience=SHORT) as web,
    ):
        assert web.get(home.url).status == 200
    assert [TOKEN in str(asked) for asked in (*home.asked, *server.asked)] == [True, False]


def test_a_stop_ends_a_stall_behind_tls(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with Faulty(faulty.stall_in_body, tls=certificate[1]) as server:
        assert seconds_to_stop(lambda web: web.get(server.url)) < 1


# --- answers -------------------------------------------------------------------------------------

HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        (b"<!doctype html><title>Sign in</title>", {}, 'an HTML page that begins "Sign in"'),
        (b"Sign in", HTML, 'an HTML page that begins "Sign in"'),
        (b"<html><script>var a=1</script>\n<p>Down\x1b[2J</p>", HTML, '"Down [2J"'),
        (b"<html><style>", HTML, "no JSON: an HTML page. "),
        (b"", {}, "an empty answer"),
        (b" \n", HTML, "an empty answer"),
        pytest.param(b"PK\x03\x04\0\0", {}, "binary data", id="a zip"),
        pytest.param(b"Too many " * 99, {}, 'a text that begins "Too many Too many', id="long"),
        (b"[1, 2", {}, 'a text that begins "[1, 2"'),
        (b"\xff\xfe", {}, "no JSON: a text"),
        (b"[NaN]", {}, "no JSON"),
        pytest.param(b"9" * 5000, {}, "no JSON", id="a number without end"),
        pytest.param(b"[" * 100_000, {}, "nested more than 100 deep", id="too deep to read"),
        pytest.param(b"[" * 300 + b"]" * 300, {}, "nested more than 100 deep", id="lists"),
        pytest.param(
            b'{"a":' * 150 + b"1" + b"}" * 150, {}, "nested more than 100 deep", id="tables"
        ),
        (b'"hf_abcdefghijk', {}, "hf_***"),
    ],
)
def test_what_is_no_json(body, headers, said):
    with pytest.raises(CrawlError) as caught:
        Answer(200, headers, body, "https://example.org/a?signature=x").json()
    assert said in str(caught.value) and caught.value.where == "https://example.org/a"
    assert str(caught.value).isprintable() and len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'\xef\xbb\xbf{"\xc3\xa4": null}', {"ä": None}),
        pytest.param(b"[" * 99 + b"]" * 99, None, id="99 deep"),
        (b"0", 0),
    ],
)
def test_what_is_json(body, value):
    got = Answer(200, HTML, body, "https://example.org/").json()
    assert value is None or got == value


@pytest.mark.parametrize(
    ("link", "following"),
    [
        ("", None),
        ('<https://hub.example:8443/c?p=1>; rel="next"', "https://hub.example:8443/c?p=1"),
        ("</c?p=1&limit=9>; rel=next", "https://hub.example:8443/c?p=1&limit=9"),
        ('<?p=1>; title="a, b"; REL="prev NEXT"', "https://hub.example:8443/a/b?p=1"),
        ('</x>; rel="prev", </c?p=2> ; rel="next", </y>; rel="last"', "/c?p=2"),
        ('<https://cas/v1>; rel="xet-auth"', None),
        ('</c?p=1>; rel="nextish"', None),
        ("rubbish", None),
        pytest.param("<" * 50_000 + ">" + ";" * 50_000, None, id="many brackets"),
        pytest.param("<a>" + " ; x" * 20_000 + " " * 20_000, None, id="much space"),
        ('<http://hub.example:8443/c>; rel="next"', CrawlError),
        ('<https://hub.example/c>; rel="next"', CrawlError),
        ('<https://other.example:8443/c>; rel="next"', CrawlError),
        ('<//other.example/c>; rel="next"', CrawlError),
        ('<https://hub.example:8443@other.example/c>; rel="next"', CrawlError),
        ('<file:///c>; rel="next"', CrawlError),
        ('<https://[::1/c>; rel="next"', CrawlError),
        ('<https://hub.example:99999/c>; rel="next"', CrawlError),
        ('<https://hub.example:8443/a/b?p=0>; rel="next"', CrawlError),
    ],
)
def test_the_next_page(link, following):
    here = Answer(200, {"link": link}, b"", "https://hub.example:8443/a/b?p=0")
    began = time.monotonic()
    if following is CrawlError:
        with pytest.raises(CrawlError, match="its next page is"):
            next_link(here)
    elif following is None:
        assert next_link(here) is None
    else:
        assert (next_link(here) or "").endswith(following)
    assert time.monotonic() - began < 1
