"""Does Web stop at once, and whom does it trust?"""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from crawler.source import CrawlError
from crawler.web.web import Web
from crawler.work import Stopped, Work
from tests.crawler.web import faulty
from tests.crawler.web.faulty import Faulty, answer, moved
from tests.crawler.web.patience import SHORT, TEMPORARY, TOKEN

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
