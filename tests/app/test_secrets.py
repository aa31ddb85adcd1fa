"""No secret in any file, line or argument, wherever it came from; `board.toml` is the user's own.

Secrets are planted in every place where one may come from, servers say them back in every place
where they may stand, and then everything that the program wrote or said is searched.
"""

from __future__ import annotations

import base64
import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest

from tests.crawler.web.faulty import Faulty, answer
from tests.histories import History
from tests.hub import access
from tests.hub.messages import Answer, Request
from tests.hub.server import ALWAYS, Bucket, Fault, HubServer

# No prefix that is known: what is hidden must be hidden since it is the secret, not by its look.
# Of one run of the tests only, so that no other that runs beside it is seen in the processes.
TOKEN, PASSWORD, KEY, SSH, PROXY, NETRC = (
    f"S3cret{name}{os.getpid()}"
    for name in (
        "TokenAlpha",
        "PasswordBeta",
        "QueryGamma",
        "SshDelta",
        "ProxyEpsilon",
        "NetrcZeta",
    )
)
SECRETS = (TOKEN, PASSWORD, KEY, SSH, PROXY, NETRC)
OWN_FILES = ("board.toml", ".netrc", "token", "token-elsewhere")  # written by the user
TABLE = '[table]\nentry = "entry"\nscore = "score"\ndirection = "higher"\n'
ROWS = "entry,score\nfern,81\nmoss,80\noak,72\nelm,70\n"
TALKATIVE = {
    "HF_DEBUG": "1",
    "HF_HUB_VERBOSITY": "debug",
    "GIT_TRACE": "1",
    "GIT_TRACE_CURL": "1",
    "GIT_TRACE_REDACT": "0",
    "GIT_CURL_VERBOSE": "1",
    "GIT_TRACE_PACKET": "1",
    "PYTHONWARNINGS": "default",
    "RANKTRAIL_LOG": "text",
}


def forms(secret: str) -> set[bytes]:
    """How a secret may stand in a text: as it is, quoted, in a login, in base64 at any place."""
    found = {secret.encode(), quote(secret, safe="").encode()}
    for before in ("", "a", "ab", "user:", "me:"):
        coded = base64.b64encode(f"{before}{secret}".encode())
        found.add(coded[4:-4])  # what stands before and behind changes the ends only
    return found


FORMS = {secret: forms(secret) for secret in SECRETS}


def secrets_in(data: bytes) -> list[str]:
    return [secret for secret, written in FORMS.items() if any(one in data for one in written)]


class Home:
    """A machine of a user: a home, a folder to work in, one for temporary files, a store."""

    def __init__(self, folder: Path, hub: HubServer):
        self.folder, self.hub = folder, hub
        self.store = folder / "work" / "snapshots"
        for name in ("home", "work", "tmp"):
            (folder / name).mkdir()
        self.store.mkdir()
        self.said: list[tuple[str, bytes]] = []
        self.environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("HF_")},
            **TALKATIVE,
            "HOME": str(folder / "home"),
            "HF_HOME": str(folder / "home" / "hf"),
            "TMPDIR": str(folder / "tmp"),
            "HF_ENDPOINT": hub.url,
            "HF_TOKEN": TOKEN,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }

    def define(self, name: str, kind: str, repo: str, repo_type: str = "") -> None:
        place = self.store / name / "board.toml"
        place.parent.mkdir(exist_ok=True)
        typed = f'repo_type = "{repo_type}"\n' if repo_type else ""
        source = f'[source]\nkind = "{kind}"\nrepo = "{repo}"\n{typed}paths = ["board.csv"]\n'
        place.write_text(source + TABLE)

    def run(self, *arguments: str, codes: Sequence[int] = (0,), **more: str) -> str:
        """Run the program; all that it says is kept."""
        environment = {name: text for name, text in (self.environment | more).items() if text}
        done = subprocess.run(
            [sys.executable, "-m", "app", *arguments],
            cwd=self.folder / "work",
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=100,
        )
        said = " ".join(arguments)
        self.said += [(f"stdout of {said}", done.stdout), (f"stderr of {said}", done.stderr)]
        assert done.returncode in codes, done.stderr.decode() + done.stdout.decode()
        return done.stdout.decode()

    def run_at_terminal(self, *arguments: str) -> None:
        """The same with bars."""
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            cwd=self.folder / "work",
            env={**self.environment, "TERM": "xterm", "RANKTRAIL_LOG": "auto"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        screen = b""
        try:
            while data := os.read(master, 65536):
                screen += data
        except OSError:  # the other end was closed
            pass
        os.close(master)
        assert process.wait(60) == 0, screen.decode()
        self.said.append(("terminal", screen))

    def found(self) -> list[str]:
        """Where a secret stands that must not stand there."""
        places = [f"{where}: {secret}" for where, data in self.said for secret in secrets_in(data)]
        for file in sorted(self.folder.rglob("*")):
            name = file.relative_to(self.folder)
            places += [f"the name {name}: {secret}" for secret in secrets_in(str(name).encode())]
            if not file.is_file() or file.name in OWN_FILES:
                continue
            data = file.read_bytes()
            if file.suffix == ".parquet":
                table = pq.read_table(file, partitioning=None)
                data += str(table.to_pydict()).encode() + str(table.schema.metadata).encode()
            places += [f"{name}: {secret}" for secret in secrets_in(data)]
        for objects in self.folder.rglob("objects.git"):
            call = ["git", f"--git-dir={objects}", "cat-file", "--batch", "--batch-all-objects"]
            everything = subprocess.run(call, capture_output=True, check=True).stdout
            places += [f"objects of {objects.name}: {one}" for one in secrets_in(everything)]
        return places


@pytest.fixture
def hub(monkeypatch) -> Iterator[HubServer]:
    monkeypatch.setattr(access, "TOKEN", TOKEN)
    monkeypatch.setattr(access, "STRANGER", PASSWORD)
    with HubServer() as hub:
        yield hub


@pytest.fixture
def home(tmp_path, hub) -> Home:
    """All kinds of sources, private where that may be."""
    repo, large, plain = (History(tmp_path / f"{name}.git") for name in ("repo", "large", "plain"))
    for number in (1, 2):
        text = ROWS + f"ash,{number}\n"
        for history in (repo, plain):
            history.commit({"board.csv": text}, f"2026-10-0{number}T12:00:00Z")
        pointer = hub.keep_large(text.encode())
        large.commit({"board.csv": pointer}, f"2026-10-0{number}T12:00:00Z")
    hub.add("spaces/lab/board", repo, private=True)
    hub.add("spaces/lab/large", large, private=True)
    hub.add("lab/board.git", plain)
    hub.buckets["lab/board"] = Bucket(private=True, by_cdn=True)
    hub.buckets["lab/board"].put("board.csv", ROWS.encode())
    hub.files.put(f"/board.csv?token={KEY}", ROWS.encode(), etag=f"echo-{KEY}")
    folder = tmp_path / "machine"
    folder.mkdir()
    home = Home(folder, hub)
    host = hub.url.removeprefix("http://")
    home.define("space", "hub", "lab/board", "space")
    home.define("large", "hub", "lab/large", "space")
    home.define("bucket", "hub", "lab/board", "bucket")
    home.define("host", "git", f"http://me:{PASSWORD}@{host}/lab/board.git")
    home.define("file", "url", f"{hub.url}/board.csv?token={KEY}")
    return home


@pytest.fixture(autouse=True)
def arguments() -> Iterator[set[bytes]]:
    """Arguments of all processes that were seen meanwhile; none may hold a secret."""
    seen: set[bytes] = set()
    over = threading.Event()

    def sample() -> None:
        looks: dict[str, int] = {}
        while not over.wait(0.01):
            for number in filter(str.isdecimal, os.listdir("/proc")):
                looks[number] = looks.get(number, 0) + 1
                if looks[number] > 3:  # twice: a child bears its parent's arguments for a moment
                    continue
                with suppress(OSError):
                    seen.add(Path("/proc", number, "cmdline").read_bytes())

    sampler = threading.Thread(target=sample)
    sampler.start()
    yield seen
    over.set()
    sampler.join()
    assert any(b"git\0" in one for one in seen)
    # What the user typed behind `add` is in the user's hands.
    assert not [one for one in seen if secrets_in(one) and b"-m\0app\0add" not in one]


def echo(request: Request, right: Answer) -> Answer:
    """A refusal that says everything back that it was sent, wherever there is room."""
    said = f"you sent {request.authorization} for {request.path} ({access.token_of(request)})"
    headers = {"X-Error-Message": said, "ETag": f'"{said}"', "X-Request-Id": said}
    return Answer(403, {**headers, "Content-Type": "text/plain"}, said.encode())


def echo_page(request: Request, right: Answer) -> Answer:
    """A page that says it, with 200."""
    said = f"<h1>you sent {request.authorization} {access.token_of(request)} {request.path}</h1>"
    return Answer(200, {"Content-Type": "text/html"}, said.encode())


def echo_redirect(request: Request, right: Answer) -> Answer:
    """A redirect to an address that names it, in every part, and leads nowhere."""
    token = access.token_of(request) or KEY
    where = f"ftp://me:{token}@127.0.0.1/{token}?token={token}"
    return Answer(302, {"Location": where})


def echo_link(request: Request, right: Answer) -> Answer:
    token = access.token_of(request)
    link = f'<http://{token}.example.org/{token}?p=1&token={token}>; rel="next"'
    return replace(right, headers=right.headers | {"Link": link})


def echo_busy(request: Request, right: Answer) -> Answer:
    said = f"you sent {request.authorization} for {request.path}"
    return Answer(429, {"Retry-After": "3600", "X-Error-Message": said}, said.encode())


def test_good_crawls_by_all_ways_leave_no_secret(home, hub):
    document = json.loads(home.run("crawl", "--json"))
    assert {one["status"] for one in document["boards"]} == {"ok"}
    assert document["boards"][-2]["versions"] == 2
    assert any(TOKEN in access.token_of(one) for one in hub.log("git")), "it has to be in use"
    assert not [one for one in hub.log("cdn") if one.authorization]
    home.run("--log", "json", "crawl", "space", "--via", "api")
    home.run("boards", "--json")
    home.run("verify", codes=(0, 1))
    home.run("check", "fern is #1 on space", "--crawl", "--json", codes=(0, 3))
    home.run("watch", "--once", "--json")
    home.run("audit", "file", "--json", codes=(0, 5))
    home.run_at_terminal("crawl", "large", "host", "file", "bucket")
    assert home.found() == []


@pytest.mark.long
def test_a_first_crawl_by_the_api_at_a_terminal_leaves_no_secret(home):
    home.run_at_terminal("crawl", "--via", "api")
    assert home.found() == []


ECHOES = [
    pytest.param(echo, id="a refusal"),
    pytest.param(echo_page, id="a page", marks=pytest.mark.long),
    pytest.param(echo_redirect, id="a redirect", marks=pytest.mark.long),
    pytest.param(echo_busy, id="too many requests", marks=pytest.mark.long),
]


@pytest.mark.parametrize("change", ECHOES)
def test_what_servers_say_back_is_not_said_on(home, hub, change):
    home.run("crawl", "host", "file", codes=(0,))
    for on in ("api", "git", "bucket", "file", "resolve"):
        hub.faults.append(Fault(change=change, on=on, times=ALWAYS))
    home.run("--log", "json", "crawl", "--json", codes=(1,))
    home.run("crawl", "--via", "api", codes=(1,))
    hub.faults[:] = [fault for fault in hub.faults if fault.on != "api"]
    home.run("crawl", codes=(0, 1, 4))  # the same one step later: git, large files
    home.run("watch", "--once")
    home.run("boards", "--fail-stale", "36h", codes=(5,))
    assert home.found() == []


def test_a_next_page_that_names_the_token_is_not_followed(home, hub):
    hub.faults.append(Fault(change=echo_link, on="*/commits/*", times=ALWAYS, only="body"))
    home.run("crawl", "space", "--via", "api", codes=(1,))
    assert home.found() == []


@pytest.mark.long
def test_what_is_added_by_an_address_with_a_secret(home, hub):
    host = hub.url.removeprefix("http://")
    home.run("add", "hf://spaces/lab/board", "--name", "one", "--yes")
    home.run("add", f"{hub.url}/board.csv?token={KEY}", "--name", "two", "--yes", "--json")
    home.run("add", f"http://me:{PASSWORD}@{host}/lab/board.git", "--name", "three", "--yes")
    hub.faults.append(Fault(change=echo, on="all", times=ALWAYS))
    home.run("add", f"{hub.url}/board.csv?token={KEY}", "--name", "four", "--yes", codes=(1, 2))
    home.run("add", f"http://me:{PASSWORD}@{host}/lab/board.git", "--yes", codes=(1, 2))
    assert home.found() == []


TOKENS = [
    pytest.param({"HF_TOKEN": "", "HUGGING_FACE_HUB_TOKEN": TOKEN}, "", id="the old variable"),
    pytest.param(
        {"HF_TOKEN": "", "HF_TOKEN_PATH": "token-elsewhere"}, "token-elsewhere", id="a path"
    ),
    pytest.param({"HF_TOKEN": ""}, "hf/token", id="the login of hf"),
]


@pytest.mark.long
@pytest.mark.parametrize(("variables", "file"), TOKENS)
def test_a_token_from_elsewhere_is_used_and_hidden(home, hub, variables, file):
    if file:
        place = home.folder / "home" / file
        place.parent.mkdir(exist_ok=True)
        place.write_text(TOKEN)
    if "HF_TOKEN_PATH" in variables:
        variables = {**variables, "HF_TOKEN_PATH": str(home.folder / "home" / file)}
    home.run("crawl", "space", "bucket", **variables)
    assert any(one.authorization for one in hub.log("git"))
    hub.faults += [Fault(change=echo, on=on, times=ALWAYS) for on in ("api", "bucket")]
    home.run("--log", "json", "crawl", "space", "bucket", codes=(1,), **variables)
    assert home.found() == []


@pytest.mark.long
def test_logins_of_ssh_of_a_proxy_and_of_netrc(home, hub):
    (home.folder / "home" / ".netrc").write_text(f"machine 127.0.0.1 login x password {NETRC}\n")
    home.define("shell", "git", f"ssh://git:{SSH}@127.0.0.1:9/lab/board.git")
    home.define("open", "git", f"{hub.url}/spaces/lab/board")  # asks for a login: of netrc
    home.run("crawl", "shell", "open", codes=(1,))
    refusal = answer(b"who are you?", "407 Proxy Authentication Required")
    with Faulty(refusal) as proxy:
        address = f"http://me:{PROXY}@127.0.0.1:{proxy.port}"
        for port in (address, f"http://me:{PROXY}@127.0.0.1:9"):
            through = {"http_proxy": port, "HTTP_PROXY": port, "NO_PROXY": "", "no_proxy": ""}
            home.run("crawl", "space", "host", "file", codes=(1,), **through)
    home.run(
        "crawl",
        "file",
        codes=(1,),
        ALL_PROXY=f"nonsense://me:{PROXY}@127.0.0.1:9",
        NO_PROXY="",
        no_proxy="",
    )
    home.run("boards", "--json")
    assert home.found() == []
