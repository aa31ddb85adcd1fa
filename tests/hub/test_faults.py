"""Does every fault of the stand-in break or mislead the plain client?

A test of the crawler that asks for a fault proves nothing if nobody would stumble over it.
"""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import threading
import time
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import HfApi, errors, hf_hub_download

from tests.histories import History
from tests.hub.faults import (
    bad_token,
    cut,
    drip,
    endless,
    endless_pages,
    gated,
    gzip_refused,
    loop,
    next_page_at,
    redirect,
    refuse,
    reset,
    shape,
    short,
    silent,
    too_many,
    trouble,
    web_page,
)
from tests.hub.server import ALWAYS, TOKEN, Fault, HubServer, squash

CLIENT = httpx2.Client()
DAY = "2026-10-{:02}T12:00:00Z"
CONTENT = "entry,score\na,1\nb,2\n"
NAME = "lab/board"
BARE = ("clone", "--quiet", "--bare", "--single-branch", "--no-tags")


def fill(repo: History) -> History:
    repo.commit({"board.csv": "old"}, DAY.format(1), "first")
    repo.commit({"board.csv": CONTENT}, DAY.format(2), "second")
    return repo


@pytest.fixture(scope="module")
def everyones(tmp_path_factory):
    """A repository that no test changes."""
    return fill(History(tmp_path_factory.mktemp("everyones") / "upstream.git"))


@pytest.fixture
def repo(git_repo, hub):
    """A repository to change; the Hub serves it instead."""
    repo = fill(git_repo())
    hub.add(f"spaces/{NAME}", repo)
    return repo


@pytest.fixture
def hub(everyones):
    with HubServer() as hub:
        hub.add(f"spaces/{NAME}", everyones)
        hub.files["/board.csv"] = CONTENT.encode()
        yield hub


def call(hub: HubServer, what: str, folder: Path, token: str | bool = False) -> object:
    """One call of the plain client; what it gives for a server without faults is in RIGHT."""
    api = HfApi(endpoint=hub.url, token=token)
    space = {"repo_type": "space"}
    if what == "download":
        asked = {"endpoint": hub.url, "cache_dir": folder, "token": token, **space}
        return Path(hf_hub_download(NAME, "board.csv", **asked)).read_text()
    if what == "file":
        return CLIENT.get(f"{hub.url}/board.csv").text
    if what == "info":
        return api.space_info(NAME).id
    if what == "commits":
        return [commit.title for commit in api.list_repo_commits(NAME, **space)]
    if what == "tree":
        return api.list_repo_files(NAME, **space)
    if what == "refs":
        return [branch.name for branch in api.list_repo_refs(NAME, **space).branches]
    assert what == "paths"
    return [entry.size for entry in api.get_paths_info(NAME, ["board.csv"], **space)]


RIGHT = {
    "info": NAME,
    "commits": ["second", "first"],
    "tree": ["board.csv"],
    "refs": ["main"],
    "paths": [len(CONTENT)],
    "download": CONTENT,
    "file": CONTENT,
}


def git(*arguments: str, timeout: float = 30) -> subprocess.CompletedProcess:
    return subprocess.run(["git", *arguments], capture_output=True, timeout=timeout)


def met(hub: HubServer) -> None:
    """Wait until every fault was met, and then as long as no answer should take."""
    until = time.monotonic() + 20
    while hub.faults and time.monotonic() < until:
        time.sleep(0.02)
    assert hub.faults == []
    time.sleep(0.4)


def secret_of(authorization: str) -> str:
    scheme, _, value = authorization.partition(" ")
    return base64.b64decode(value).decode() if scheme == "Basic" else value


@pytest.mark.parametrize("what", RIGHT)
def test_without_faults_the_plain_client_is_right(hub, tmp_path, what):
    assert call(hub, what, tmp_path) == RIGHT[what]


@pytest.mark.parametrize(
    ("fault", "what", "problem"),
    [
        pytest.param(
            refuse(401, "RepoNotFound"), "info", errors.RepositoryNotFoundError, id="401: no such"
        ),
        pytest.param(
            bad_token(), "paths", errors.HfHubHTTPError, id="401: the token is none"
        ),
        pytest.param(gated(), "commits", errors.GatedRepoError, id="403: gated"),
        pytest.param(
            gated(on="resolve"), "download", errors.GatedRepoError, id="403: a gated file"
        ),
        pytest.param(
            refuse(403, message="Access to this resource is disabled."),
            "refs", errors.DisabledRepoError, id="403: disabled",
        ),
        pytest.param(
            refuse(404, "RevisionNotFound"), "tree", errors.RevisionNotFoundError,
            id="404: no such revision",
        ),
        pytest.param(
            refuse(404, "EntryNotFound", on="resolve"), "download",
            errors.RemoteEntryNotFoundError, id="404: no such file",
        ),
        pytest.param(too_many(retry_after=1), "paths", errors.HfHubHTTPError, id="429 Retry-After"),
        pytest.param(too_many(resets_in=55), "info", errors.HfHubHTTPError, id="429 RateLimit"),
        pytest.param(trouble(500), "info", errors.HfHubHTTPError, id="500"),
        pytest.param(trouble(502), "refs", errors.HfHubHTTPError, id="502"),
        pytest.param(
            trouble(503, on="GET */board.csv*"), "download", errors.HfHubHTTPError,
            id="503 when the file is fetched",
        ),
        pytest.param(reset(), "info", httpx2.ReadError, id="a reset"),
        pytest.param(reset(0.5), "paths", httpx2.ReadError, id="a reset in the body"),
        pytest.param(
            reset(on="HEAD *"), "download", httpx2.ReadError, id="a reset of the first HEAD"
        ),
        pytest.param(cut(), "info", httpx2.RemoteProtocolError, id="truncated, full length"),
        pytest.param(cut(on="file"), "file", httpx2.RemoteProtocolError, id="a truncated file"),
        pytest.param(short(), "paths", json.JSONDecodeError, id="short JSON, consistent length"),
        pytest.param(
            short(on="GET */board.csv*"), "download", OSError, id="shorter than HEAD said"
        ),
        pytest.param(web_page(), "info", json.JSONDecodeError, id="a page instead of JSON"),
        pytest.param(
            web_page(on="resolve", times=ALWAYS), "download", errors.LocalEntryNotFoundError,
            id="a page instead of a file",
        ),
        pytest.param(shape([{"id": "1"}]), "commits", KeyError, id="commits without a date"),
        pytest.param(shape({"error": "no"}), "tree", TypeError, id="an object, no list"),
        pytest.param(shape([]), "info", TypeError, id="a list, no object"),
        pytest.param(loop(times=ALWAYS), "info", httpx2.TooManyRedirects, id="round and round"),
        pytest.param(Fault(418), "refs", errors.HfHubHTTPError, id="any other answer"),
    ],
)  # fmt: skip
def test_faults_that_break_the_client(hub, tmp_path, fault, what, problem):
    hub.faults.append(fault)
    with pytest.raises(Exception) as raised:
        call(hub, what, tmp_path)
    assert isinstance(raised.value, problem), repr(raised.value)


@pytest.mark.parametrize(
    ("fault", "what", "wrong"),
    [
        pytest.param(
            short(on="resolve", times=ALWAYS), "download", CONTENT[:10], id="half a file, no sign"
        ),
        pytest.param(short(0.6, on="file"), "file", CONTENT[:12], id="a line less, no sign"),
        pytest.param(short(0, on="file"), "file", "", id="an empty file, no sign"),
        pytest.param(web_page("<p>", on="file"), "file", "<p>", id="a page instead of a table"),
        pytest.param(
            shape([]), "paths", [], id="nothing is there: as for an unknown path"
        ),
        pytest.param(
            shape({"id": "x/y", "sha": "1" * 40}), "info", "x/y", id="another repository"
        ),
    ],
)  # fmt: skip
def test_faults_that_mislead_the_client(hub, tmp_path, fault, what, wrong):
    hub.faults.append(fault)
    assert call(hub, what, tmp_path) == wrong != RIGHT[what]


# --- without an end -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        pytest.param(silent(), "info", id="nothing is said"),
        pytest.param(silent(), "paths", id="nothing is said of paths"),
        pytest.param(silent(0.5), "refs", id="half of it, and then nothing"),
        pytest.param(drip(0.2), "info", id="a byte now and then"),
        pytest.param(too_many(retry_after=900), "commits", id="429: back in a quarter of an hour"),
        pytest.param(too_many(resets_in=299), "commits", id="429: when the window ends"),
    ],
)
def test_faults_that_hold_the_client_up(hub, tmp_path, fault, what):
    hub.faults.append(fault)

    def quietly() -> None:
        with contextlib.suppress(Exception):
            call(hub, what, tmp_path)

    thread = threading.Thread(target=quietly, daemon=True)
    thread.start()
    met(hub)
    assert thread.is_alive()


def test_a_limit_of_each_wait_is_none_of_all(hub):
    hub.faults.append(drip(0.1, step=2, on="file"))
    before = time.monotonic()
    assert CLIENT.get(f"{hub.url}/board.csv", timeout=0.7).text == CONTENT
    assert time.monotonic() - before > 0.9


def test_a_body_without_an_end_is_read_to_the_end(hub, tmp_path):
    hub.faults.append(endless(most=20_000_000))
    with pytest.raises(json.JSONDecodeError):
        call(hub, "info", tmp_path)
    assert hub.requests[-1].sent >= 20_000_000


def test_pages_without_an_end_are_all_asked_for(hub, tmp_path):
    hub.faults.append(endless_pages(times=40))
    assert call(hub, "commits", tmp_path) == ["second", "first"] * 41
    assert hub.count() == 41


# --- the token elsewhere ------------------------------------------------------------------------


def test_a_link_takes_the_token_to_another_server(hub, tmp_path):
    hub.faults.append(next_page_at(hub.elsewhere.url))
    call(hub, "commits", tmp_path, token=TOKEN)
    (stolen,) = hub.log("elsewhere")
    assert secret_of(stolen.authorization) == TOKEN


def test_a_redirect_lets_another_server_answer(hub, tmp_path):
    hub.faults += [
        redirect(hub.elsewhere.url),
        shape({"id": "x/y", "sha": "1" * 40}, on="elsewhere"),
    ]
    assert call(hub, "info", tmp_path, token=TOKEN) == "x/y"
    (there,) = hub.log("elsewhere")
    assert there.authorization == ""


def test_a_redirect_takes_the_token_of_git_to_another_server(hub, tmp_path):
    hub.faults.append(redirect(hub.elsewhere.url, on="git"))
    login = base64.b64encode(f"user:{TOKEN}".encode()).decode()
    header = f"http.{hub.url}.extraHeader=Authorization: Basic {login}"
    address = f"{hub.url}/spaces/{NAME}"
    cloned = git("-c", header, *BARE, address, str(tmp_path / "clone.git"))
    assert cloned.returncode == 0
    stolen = [request for request in hub.log("elsewhere") if request.authorization]
    assert stolen and all(TOKEN in secret_of(request.authorization) for request in stolen)


# --- git ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param(refuse(401, on="git"), "could not read Username", id="401"),
        pytest.param(gated(on="git"), "403", id="403"),
        pytest.param(refuse(404, on="git"), "not found", id="404"),
        pytest.param(too_many(retry_after=1, on="git"), "429", id="429"),
        pytest.param(trouble(on="git", after=2), "503", id="503 when the pack is fetched"),
        pytest.param(reset(on="git"), "reset by peer", id="a reset"),
        pytest.param(reset(0.8, on="git", after=2), "reset by peer", id="a reset in the pack"),
        pytest.param(cut(0.8, on="git", after=2), "early EOF", id="a pack cut off"),
        pytest.param(short(0.8, on="git", after=2), "early EOF", id="a short pack"),
        pytest.param(web_page("<html>\n", on="git"), "not valid", id="a page"),
        pytest.param(loop(on="git", times=ALWAYS), "redirects", id="round and round"),
    ],
)
def test_faults_that_break_git(hub, tmp_path, fault, said):
    hub.faults.append(fault)
    clone = tmp_path / "clone.git"
    cloned = git(*BARE, f"{hub.url}/spaces/{NAME}", str(clone))
    assert (cloned.returncode, clone.exists()) == (128, False)
    assert said in cloned.stderr.decode(), cloned.stderr.decode()


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(silent(on="git"), id="nothing is said"),
        pytest.param(silent(0.8, on="git", after=2), id="a pack that stops"),
        pytest.param(drip(0.2, on="git"), id="a byte now and then"),
    ],
)
def test_faults_that_hold_git_up(hub, tmp_path, fault):
    hub.faults.append(fault)
    command = ["git", *BARE, f"{hub.url}/spaces/{NAME}", str(tmp_path / "clone.git")]
    cloning = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        met(hub)
        assert cloning.poll() is None
    finally:
        cloning.terminate()
        cloning.wait()


def test_a_page_in_one_line_is_an_empty_repository_to_git(hub, tmp_path):
    hub.faults.append(web_page(on="git", times=ALWAYS))
    clone = str(tmp_path / "clone.git")
    assert git("clone", "--bare", f"{hub.url}/spaces/{NAME}", clone).returncode == 0
    assert git("-C", clone, "for-each-ref").stdout == b""


@pytest.mark.parametrize("by_flag", [True, False])
def test_a_compressed_question_is_answered_with_nothing(hub, repo, tmp_path, by_flag):
    hub.mishandles_gzip = by_flag
    hub.faults += [] if by_flag else [gzip_refused(times=ALWAYS)]
    roots = "".join(
        f"commit refs/heads/b{number}\ncommitter T <t@x.org> {number} +0000\ndata 0\n\n"
        for number in range(40)
    )
    importer = ["git", "-C", str(repo.folder), "fast-import", "--quiet"]
    subprocess.run(importer, input=roots.encode(), check=True)
    address, clone = f"{hub.url}/spaces/{NAME}", str(tmp_path / "clone.git")
    cloned = git("clone", "--quiet", "--bare", address, str(tmp_path / "all.git"))
    assert b"expected 'packfile'" in cloned.stderr
    assert git(*BARE, address, clone).returncode == 0


def test_a_squash_takes_the_past_from_under_a_clone(hub, repo, tmp_path):
    address, clone = f"{hub.url}/spaces/{NAME}", str(tmp_path / "clone.git")
    git(*BARE, address, clone)
    old = repo.tip
    new = squash(repo, DAY.format(5))
    fetched = git("-C", clone, "fetch", "origin", "main:main")
    assert b"non-fast-forward" in fetched.stderr
    assert git("-C", clone, "fetch", "origin", "+main:main").returncode == 0
    assert git("-C", clone, "rev-parse", "main").stdout.decode().strip() == new
    pinned = f"{hub.url}/api/spaces/{NAME}/commits/{old}"
    assert CLIENT.get(pinned).headers["X-Error-Code"] == "RevisionNotFound"


def test_a_squash_and_no_compressed_questions(hub, repo, tmp_path):
    lines = [
        f"commit refs/heads/main\ncommitter T <t@x.org> {1_790_000_000 + number} +0000\n"
        f"data 0\n{'from refs/heads/main^0' if not number else ''}\n"
        for number in range(60)
    ]
    importer = ["git", "-C", str(repo.folder), "fast-import", "--quiet"]
    subprocess.run(importer, input="".join(lines).encode(), check=True)
    address, clone = f"{hub.url}/spaces/{NAME}", str(tmp_path / "clone.git")
    git(*BARE, address, clone)
    squash(repo, DAY.format(5))
    hub.mishandles_gzip = True
    fetch = ("-C", clone, "-c", "fetch.negotiationAlgorithm={}", "fetch", "origin", "+main:main")
    failed = git(*(word.format("default") for word in fetch))
    assert b"expected 'acknowledgments'" in failed.stderr
    assert git(*(word.format("noop") for word in fetch)).returncode == 0


# --- when and how often -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "statuses"),
    [
        pytest.param([Fault(500)], [500, 200, 200, 200], id="once"),
        pytest.param([Fault(500)] * 2, [500, 500, 200, 200], id="one after the other"),
        pytest.param([Fault(500, times=3)], [500, 500, 500, 200], id="three times"),
        pytest.param([Fault(500, times=ALWAYS)], [500] * 4, id="for ever"),
        pytest.param([Fault(500, after=2)], [200, 200, 500, 200], id="after two good ones"),
        pytest.param(
            [Fault(500, after=1), Fault(503)], [503, 500, 200, 200],
            id="what another fault spoils counts, too",
        ),
        pytest.param([Fault(500, on="git")], [200] * 4, id="another kind"),
        pytest.param([Fault(500, on="*/refs")], [200, 500, 200, 200], id="by path"),
        pytest.param([Fault(500, on="POST *")], [200, 200, 500, 200], id="by method"),
        pytest.param([Fault(500, on="* */board?expand=*")], [200] * 4, id="a glob of the whole"),
        pytest.param([Fault(500, on="all", after=3)], [200, 200, 200, 500], id="all"),
    ],
)  # fmt: skip
def test_when_a_fault_is_met(hub, faults, statuses):
    hub.faults.extend(faults)
    base = f"{hub.url}/api/spaces/{NAME}"
    seen = [
        CLIENT.get(base).status_code,
        CLIENT.get(f"{base}/refs").status_code,
        CLIENT.post(f"{base}/paths-info/main", data={"paths": "board.csv"}).status_code,
        CLIENT.get(f"{base}/commits/main").status_code,
    ]
    assert seen == statuses == [request.status for request in hub.log("api")]


def test_a_mistake_of_the_stand_in_is_not_hidden(everyones):
    with pytest.raises(KeyError), HubServer() as hub:
        hub.add(f"spaces/{NAME}", everyones)
        address = f"{hub.url}/api/spaces/{NAME}/paths-info/main"
        assert CLIENT.post(address, json={"no": "paths"}).status_code == 500
