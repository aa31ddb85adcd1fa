"""Every fault of the stand-in Hub on every way to it, as the one who runs `ranktrail crawl` sees it.

Each store has the board in question and a calm one beside it, and a version of each from before.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from crawler.store import Store
from tests.crawler.faults.worlds import Before, Make, always, command, content, crawl, once, outcome
from tests.crawler.tracked import texts
from tests.hub import faults as wrong
from tests.hub.server import ALWAYS, TOKEN, Fault

LONGEST = 30.0  # seconds of a crawl; patience is shorter, the machine may be busy
OVERCOME, POINTER = "overcome", "pointer"
WAYS = ("git", "api", "host", "url", "bucket", "lfs")

# What each way asks, where most of what it needs comes from.
BODY = {
    "git": "POST *git-upload-pack",
    "api": "resolve",
    "host": "POST *git-upload-pack",
    "url": "file",
    "bucket": "*/resolve/*",
    "lfs": "cdn",
}
ASKS = {
    **BODY,
    "git": "git",
    "host": "git",
    "api": "api",
    "bucket": "*/paths-info",
    "lfs": "*/resolve/*",
}
LISTS = {"api": "*/commits/*"}
FIRST = {"git": "api", "api": "api", "lfs": "*/resolve/*"}

# A fault; which requests of each way it meets; what the line says: for all ways, or for some.
Says = str | dict[str, str]
TROUBLE = dict.fromkeys(WAYS, "trouble (status 503)") | dict.fromkeys(
    ("git", "host"), "has trouble (RPC failed; HTTP 503"
)
BROKEN = dict.fromkeys(WAYS, "broke off") | dict.fromkeys(("git", "host"), "cannot be reached")
SILENT = dict.fromkeys(WAYS, "nothing came for") | dict.fromkeys(("git", "host"), "too slow")
NONSENSE = {
    "git": "does not answer as git does",
    "api": "other bytes than the Hub lists",
    "host": "does not answer as git does",
    "url": "not the file of board board",
    "bucket": "not the",
    "lfs": POINTER,
}
TABLE_OF_FAULTS: list[tuple[str, Make, dict[str, str], Says]] = [
    (
        "a token that is none",
        always(wrong.bad_token),
        ASKS | FIRST,
        {
            **dict.fromkeys(WAYS, "token is not valid"),
            "host": "authentication needed",
            "url": "it asks for a login",
            "lfs": POINTER,
        },
    ),
    (
        "not let in",
        always(wrong.gated),
        ASKS,
        {
            **dict.fromkeys(WAYS, "gated"),
            "host": "authentication needed",
            "url": "it is refused",
            "lfs": POINTER,
        },
    ),
    (
        "deleted, or private by now",
        always(wrong.refuse, 404, "RepoNotFound"),
        ASKS,
        {**dict.fromkeys(WAYS, "no such repository"), "url": "no such file", "lfs": POINTER},
    ),
    (
        "disabled by the Hub",
        always(wrong.refuse, 403, "", "Access to this resource is disabled."),
        {"git": "api", "api": "api", "bucket": "*/paths-info"},
        "disabled by the Hub",
    ),
    (
        "a branch that is gone",
        always(wrong.refuse, 404, "RevisionNotFound"),
        {"git": "api", "api": "api"},
        "no such branch",
    ),
    (
        "a status that nobody agreed upon",
        always(Fault, 418),
        {"git": "api", "api": "api", "url": "file", "bucket": "*/paths-info"},
        "status 418",
    ),
    (
        "too many requests, for a second",
        once(wrong.too_many, retry_after=1),
        {way: on for way, on in (BODY | FIRST).items() if way != "host"},
        OVERCOME,
    ),
    (
        "too many requests, for an hour",
        always(wrong.too_many, retry_after=3600),
        ASKS,
        {
            **dict.fromkeys(WAYS, "Crawl again in 3601 seconds"),
            "git": "too many requests",
            "host": "too many requests",
        },
    ),
    (
        "too many requests, by RateLimit",
        always(wrong.too_many, resets_in=55),
        {way: on for way, on in BODY.items() if way not in ("git", "host")},
        "Crawl again in 56 seconds",
    ),
    ("trouble of the server, once", once(wrong.trouble, 503), ASKS, OVERCOME),
    ("trouble of the server", always(wrong.trouble, 503), BODY, TROUBLE),
    ("a reset, once", once(wrong.reset), ASKS, OVERCOME),
    ("a reset at once", always(wrong.reset), ASKS, BROKEN),
    ("a reset in the middle", always(wrong.reset, 0.5), BODY, BROKEN),
    ("silence", always(wrong.silent), ASKS, SILENT),
    ("silence in the middle", always(wrong.silent, 0.5), BODY, SILENT),
    (
        "a byte now and then",
        always(wrong.drip, 0.05),
        BODY,
        dict.fromkeys(WAYS, "too slow"),
    ),
    ("cut off, once", once(wrong.cut, 0.5), BODY, OVERCOME),
    ("cut off, always", always(wrong.cut, 0.5), BODY, BROKEN),
    (
        "cut off by a server that says it is all",
        always(wrong.short, 0.5),
        {way: on for way, on in BODY.items() if way != "url"},
        NONSENSE,
    ),
    (
        "a body without an end",
        always(wrong.endless, 1 << 28),
        BODY,
        {
            **dict.fromkeys(WAYS, "bytes that are allowed"),
            "git": "does not answer as git does",
            "host": "does not answer as git does",
            "lfs": POINTER,
        },
    ),
    ("a web page instead", always(wrong.web_page), BODY, NONSENSE),
    (
        "a web page for the first question",
        always(wrong.web_page),
        {"git": "git", "host": "git", "api": "api"},
        {
            "git": "no repository but a web page",
            "host": "no repository but a web page",
            "api": "an HTML page",
        },
    ),
    (
        "JSON of another shape",
        always(wrong.shape, {"not": "a list"}),
        {"git": "api", "api": "*/commits/*", "bucket": "*/paths-info", "lfs": "*/resolve/*"},
        {
            "git": "no repository information",
            "api": "no list of commits",
            "bucket": "tells nothing of a bucket",
            "lfs": POINTER,
        },
    ),
    (
        "a list of files of another shape",
        always(wrong.shape, [1, None]),
        {"api": "*/paths-info/*"},
        "no list of files",
    ),
    (
        "sent elsewhere, where the same stands",
        lambda hub, on: wrong.redirect(hub.elsewhere.url, on=on, times=ALWAYS),
        {"git": "api", "api": "*/resolve/*", "host": "git", "url": "file", "bucket": "*/resolve/*"},
        {**dict.fromkeys(WAYS, OVERCOME), "host": OVERCOME},
    ),
    (
        "git of the Hub sent elsewhere",
        lambda hub, on: wrong.redirect(hub.elsewhere.url, on=on, times=ALWAYS),
        {"git": "git"},
        "it has moved",
    ),
    (
        "sent round in a circle",
        always(wrong.loop),
        ASKS,
        {
            **dict.fromkeys(WAYS, "more than 10 redirects"),
            "git": "it has moved",
            "host": "redirects",
            "lfs": POINTER,
        },
    ),
    (
        "a next page elsewhere",
        lambda hub, on: wrong.next_page_at(hub.elsewhere.url, on=on, times=ALWAYS),
        {"api": "*/commits/*"},
        OVERCOME,  # what is known stands on the first page already
    ),
    ("pages without an end", always(wrong.endless_pages), LISTS, OVERCOME),
    (
        "no packed questions of git",
        always(wrong.gzip_refused),
        {"git": "git", "host": "git"},
        OVERCOME,
    ),
]


def cases() -> list[object]:
    """A row of the table is tried in one way in `make test`, in all of them in `make test-long`."""
    return list(_cases())


def _cases() -> Iterator[object]:
    for number, (fault, make, met, says) in enumerate(TABLE_OF_FAULTS):
        ways = [way for way in WAYS if way in met]
        quick = ways[(number + number // 6) % len(ways)]
        for way in ways:
            said = says if isinstance(says, str) else says[way]
            marks = () if way == quick else (pytest.mark.long,)
            yield pytest.param(way, make, met[way], said, id=f"{way}: {fault}", marks=marks)


@pytest.mark.parametrize(("way", "make", "on", "said"), cases())
def test_a_fault_costs_nothing_but_time(world, store, way, make, on, said):
    shutil.copytree(world.bases[way], store)
    was = Before(store)
    world.hub.requests.clear()
    world.hub.faults.append(make(world.hub, on))
    begun = time.monotonic()
    result = crawl(store, way)
    assert time.monotonic() - begun < LONGEST
    assert not [one for one in world.hub.requests if one.origin != "hub" and one.authorization]
    assert TOKEN not in result.stdout + result.stderr
    told = outcome(result)
    if said in (OVERCOME, POINTER):
        assert (result.exit_code, told["status"], told["versions"]) == (0, "ok", 2), result.stderr
        was.all_kept()
    else:
        assert (result.exit_code, told["status"]) == (4, "failed"), result.stdout
        assert said in told["error"]
        assert len(told["error"].splitlines()) == 1
        assert f"board: {told['error']}" in result.stderr.splitlines()
        was.all_kept(untouched=way != "lfs")
        monitor = json.loads(command(store, "boards", "--json").stdout)["boards"][0]
        assert monitor["error"] == told["error"]
        assert monitor["last_success"] == was.last_success
    if said == POINTER:
        assert "a Git LFS pointer" in result.stderr
        assert not [line for line in result.stderr.splitlines() if not line.startswith("board: ")]

    world.hub.faults.clear()
    assert crawl(store, way).exit_code == 0
    assert texts(Store(store), "board") == [content(1), content(2)]
    assert {row["state"] for row in Store(store).versions("board").to_pylist()} == {"published"}
    monitor = json.loads(command(store, "boards", "--json").stdout)["boards"][0]
    assert (monitor["error"], monitor["versions"]) == (None, 2)
    assert monitor["last_success"] == monitor["last_attempt"]
    assert command(store, "verify").exit_code == 0


FIRST_CRAWLS = [
    pytest.param("git", "git", always(wrong.web_page), "web page", id="a web page for git"),
    pytest.param("host", "git", always(wrong.cut, 0.6), "broken off|reached", id="a pack cut off"),
    pytest.param(
        "host", "POST *git-upload-pack", always(wrong.short, 0.9), "git does", id="a pack too short"
    ),
    pytest.param("api", "*/paths-info/*", always(wrong.trouble), "trouble", id="no files told"),
    pytest.param(
        "api",
        "*/commits/*",
        lambda hub, on: wrong.next_page_at(hub.elsewhere.url, on=on, times=ALWAYS),
        "its next page is elsewhere",
        id="a next page elsewhere",
    ),
    pytest.param(
        "api", "*/commits/*", always(wrong.endless_pages), "no end", id="pages without an end"
    ),
    pytest.param("url", "file", always(wrong.web_page), "HTML page", id="a web page for a file"),
    pytest.param("bucket", "*/resolve/*", always(wrong.cut), "broke off", id="a file cut off"),
]


@pytest.mark.parametrize(("way", "on", "make", "said"), FIRST_CRAWLS)
def test_a_first_crawl_that_fails_leaves_nothing_behind(world, store, way, on, make, said):
    base = world.bases[way] / "board"
    (store / "board").mkdir(parents=True)
    shutil.copy(base / "board.toml", store / "board")
    world.hub.requests.clear()
    world.hub.faults.append(make(world.hub, on))
    result = crawl(store, way)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert any(word in result.stderr for word in said.split("|")), result.stderr
    assert not world.hub.log("elsewhere")
    assert Store(store).versions("board").num_rows == 0
    assert command(store, "verify").exit_code == 0
    world.hub.faults.clear()
    assert crawl(store, way).exit_code == 0
    assert texts(Store(store), "board")[-1] == content(2)
    assert command(store, "verify").exit_code == 0


ALONE = [
    pytest.param("url", "file", always(wrong.refuse, 404), "no such file", id="url: gone"),
    pytest.param("git", "api", always(wrong.gated), "gated", id="git: not let in"),
]


@pytest.mark.parametrize(("way", "on", "make", "said"), ALONE)
def test_one_line_and_1_where_all_failed(world, store, way, on, make, said):
    shutil.copytree(world.bases[way], store)
    world.hub.faults.append(make(world.hub, on))
    arguments = ["--store", str(store), "crawl", "board", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ.copy(),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
