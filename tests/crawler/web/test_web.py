"""What does Web ask, where does a token go, and what is an answer?"""

from __future__ import annotations

import gzip
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from crawler.source import CrawlError
from crawler.web.answer import Answer, next_link
from crawler.web.web import Web
from crawler.work import Work
from tests.crawler.web import faulty
from tests.crawler.web.faulty import Faulty, answer, moved
from tests.crawler.web.patience import SHORT, TEMPORARY, TOKEN, lines

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
