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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from crawler import git_source, objects
from crawler.git import calls as git_calls
from crawler.store import Store
from crawler.web import web
from tests.crawler.tracked import texts
from tests.histories import History
from tests.hub import faults as wrong
from tests.hub.server import ALWAYS, STRANGER, TOKEN, Bucket, Fault, HubServer, squash

TABLE = '[table]\nentry = "entry"\nscore = "score"\ndirection = "higher"\n'
LONGEST = 30.0  # seconds of a crawl; patience is shorter, the machine may be busy
OVERCOME, POINTER = "overcome", "pointer"
WAYS = ("git", "api", "host", "url", "bucket", "lfs")

Make = Callable[[HubServer, str], Fault]


def content(number: int) -> str:
    """A table of a few thousand bytes, another one for each number."""
    rows = (f"model-{row:03},{(row * 7919 + number * 31) % 1000 / 10}" for row in range(250))
    return "\n".join(["entry,score", *rows, ""])


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def define(store: Path, name: str, kind: str, repo: str, repo_type: str = "space") -> None:
    folder = store / name
    folder.mkdir(parents=True)
    typed = f'repo_type = "{repo_type}"\n' if kind == "hub" else ""
    source = f'[source]\nkind = "{kind}"\nrepo = "{repo}"\n{typed}paths = ["board.csv"]\n'
    (folder / "board.toml").write_text(source + TABLE)


@dataclass
class World:
    """The servers, the repositories behind them, and a store for each way, crawled once."""

    hub: HubServer
    bases: dict[str, Path]


def crawl(store: Path, way: str, *boards: str):
    via = ["--via", "api"] if way == "api" else []
    return command(store, "crawl", *boards, *via, "--json")


def command(store: Path, *arguments: str):
    return CliRunner().invoke(cli, ["--store", str(store), *arguments])


def outcome(result) -> dict[str, object]:
    """What the document says of the board in question."""
    said = {one["board"]: one for one in json.loads(result.stdout)["boards"]}
    assert said["calm"]["status"] == "ok", "one broken board must not fail the others"
    return said["board"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    repo, large, calm = (History(folder / f"{name}.git") for name in ("repo", "large", "calm"))
    with pytest.MonkeyPatch.context() as patch, HubServer() as hub:
        patch.setenv("HF_ENDPOINT", hub.url)
        patch.setenv("HF_TOKEN", TOKEN)
        bucket = hub.buckets["lab/board"] = Bucket()

        def publish(number: int) -> None:
            text = content(number)
            for history in (repo, calm):
                history.commit({"board.csv": text}, day(number))
            large.commit({"board.csv": hub.keep_large(text.encode())}, day(number))
            hub.files["/board.csv"] = text.encode()
            bucket.put("board.csv", text.encode())

        publish(1)
        for name, history in (("spaces/lab/board", repo), ("lab/board.git", repo)):
            hub.add(name, history)
        hub.add("spaces/lab/large", large)
        sources = {
            "git": ("hub", "lab/board"),
            "api": ("hub", "lab/board"),
            "host": ("git", f"{hub.url}/lab/board.git"),
            "url": ("url", f"{hub.url}/board.csv"),
            "bucket": ("hub", "lab/board", "bucket"),
            "lfs": ("hub", "lab/large"),
        }
        bases = {}
        for way, source in sources.items():
            bases[way] = folder / way
            define(bases[way], "board", *source)
            define(bases[way], "calm", "git", str(calm.folder))
            assert crawl(bases[way], way).exit_code == 0
        publish(2)
        yield World(hub, bases)


@pytest.fixture(autouse=True)
def impatient(monkeypatch, world):
    """Limits that a test can wait for, and a hub that forgot the case before."""
    short = partial(
        web.Patience, connect=5, idle=0.5, one_try=5, call=10, window=1.0, least=400, tries=3
    )
    monkeypatch.setattr(web, "Patience", partial(short, first_wait=0.02, longest_wait=3))
    monkeypatch.setitem(objects._SETTINGS, "http.lowSpeedTime", "1")
    monkeypatch.setattr(git_calls, "LONGEST_SILENCE", 4.0)
    monkeypatch.setattr(git_source, "WAITS", (0.05, 0.1))
    yield
    world.hub.faults.clear()


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


def always(make: Callable[..., Fault], *given, **more) -> Make:
    return lambda hub, on: make(*given, on=on, times=ALWAYS, **more)


def once(make: Callable[..., Fault], *given, **more) -> Make:
    return lambda hub, on: make(*given, on=on, **more)


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


class Before:
    """What a store held of the board before a crawl."""

    def __init__(self, store: Path):
        self.store = Store(store)
        self.versions = self.store.versions("board").to_pylist()
        self.line = self.store.commits(self.store.board("board")).to_pylist()
        self.files = self._files()
        attempts = json.loads(command(store, "boards", "--json").stdout)["boards"][0]
        self.last_success = attempts["last_success"]

    def _files(self) -> dict[str, bytes]:
        folder = self.store.folder("board")
        return {
            str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name not in ("crawls.jsonl", ".lock")
        }

    def all_kept(self, *, untouched: bool = False) -> None:
        """Assert that all is as it was, or that something stands behind it at most."""
        versions = self.store.versions("board").to_pylist()
        line = self.store.commits(self.store.board("board")).to_pylist()
        assert versions[: len(self.versions)] == self.versions
        assert line[: len(self.line)] == self.line
        assert texts(self.store, "board")[0] == content(1)
        if untouched:
            assert self._files() == self.files


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


# --- what is no single answer ------------------------------------------------------------------


@pytest.fixture
def own(git_repo, world, store):
    """A Space of one test's own, crawled once; its history may be changed."""
    repo = git_repo()
    for number in (1, 2):
        repo.commit({"board.csv": content(number)}, day(number))
    world.hub.add("spaces/lab/own", repo)
    define(store, "board", "hub", "lab/own")
    return repo


@pytest.mark.parametrize("way", ["git", "api"])
def test_a_renamed_repository_is_followed(world, own, store, way):
    assert crawl(store, way).exit_code == 0
    own.commit({"board.csv": content(3)}, day(3))
    world.hub.add("spaces/grove/own", own)
    world.hub.repos["spaces/lab/own"].moved_to = "spaces/grove/own"
    result = crawl(store, way)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["boards"][0]["new_versions"] == 1
    assert texts(Store(store), "board") == [content(1), content(2), content(3)]
    assert command(store, "verify").exit_code == 0


@pytest.mark.parametrize("way", ["git", "api"])
def test_what_a_squash_deleted_stays_and_is_marked(world, own, store, way):
    assert crawl(store, way).exit_code == 0
    squash(own, day(4))
    own.commit({"board.csv": content(3)}, day(5))
    result = crawl(store, way)
    assert result.exit_code == 0
    told = json.loads(result.stdout)["boards"][0]
    assert (told["vanished"], told["versions"]) == (2, 3)
    assert "the branch was rewritten" in result.stderr
    assert texts(Store(store), "board") == [content(1), content(2), content(3)]
    assert command(store, "verify").exit_code == 0
    assert json.loads(crawl(store, way).stdout)["boards"][0]["new_versions"] == 0


TOKENS = [
    pytest.param("git", STRANGER, "private", id="git: a stranger's token"),
    pytest.param("api", STRANGER, "private", id="api: a stranger's token"),
    pytest.param("git", "hf_staleTOKEN12345", "token is not valid", id="git: a stale token"),
    pytest.param("api", "hf_staleTOKEN12345", "token is not valid", id="api: a stale token"),
    pytest.param("git", "", "private", id="git: no token"),
]


@pytest.mark.parametrize(("way", "token", "said"), TOKENS)
def test_a_token_that_is_not_the_right_one_loses_nothing(
    world, own, store, monkeypatch, way, token, said
):
    world.hub.repos["spaces/lab/own"].private = True
    assert crawl(store, way).exit_code == 0
    was = Before(store)
    own.commit({"board.csv": content(3)}, day(3))
    monkeypatch.setenv("HF_TOKEN", token)
    result = crawl(store, way)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
    assert token == "" or token not in result.stderr
    was.all_kept(untouched=True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert crawl(store, way).exit_code == 0
    assert texts(Store(store), "board")[-1] == content(3)


def test_a_large_file_comes_from_its_own_host_without_the_token(world, store):
    shutil.copytree(world.bases["lfs"], store)
    world.hub.requests.clear()
    assert crawl(store, "lfs").exit_code == 0
    seen = world.hub.log("cdn")
    assert [one.authorization for one in seen] == [""]
    assert any(one.authorization for one in world.hub.log("resolve"))


PLAIN = ["git", "-c", "http.followRedirects=initial", "ls-remote"]


def test_git_of_the_hub_follows_no_redirect_for_its_header_would_go_along(world, store):
    """Git sends http.URL.extraHeader to where it is sent; so it must not be sent anywhere."""
    fault = partial(wrong.redirect, world.hub.elsewhere.url, on="git", times=ALWAYS)
    world.hub.faults.append(fault())
    world.hub.requests.clear()
    address = f"{world.hub.url}/spaces/lab/board"
    environment = git_calls.Remote(
        address, git_source.login_settings(address, "user", TOKEN)
    ).environment({})
    asked = subprocess.run([*PLAIN, address], env=environment, capture_output=True, check=False)
    assert asked.returncode == 0
    leaked = [one.authorization for one in world.hub.log("elsewhere")]
    shutil.copytree(world.bases["git"], store)
    world.hub.requests.clear()
    assert outcome(crawl(store, "git"))["error"].endswith("Write the new address.")
    assert any(leaked), "git does not do so any more"
    assert not world.hub.log("elsewhere")


# --- the program itself ------------------------------------------------------------------------

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
