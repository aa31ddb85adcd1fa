"""A small Hub on this machine, for the real client and the real git.

It answers what `crawler` asks of the Hugging Face Hub: repository information (also of renamed,
private, gated and disabled repositories) and git, by `git http-backend`. It is a plain git server
as well. Every request is written down.

    with HubServer() as hub:
        hub.add("spaces/lab/board", History(tmp_path / "upstream.git"))
        ... HF_ENDPOINT=hub.url ...
        assert hub.count() == 4
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from tests.histories import History

TOKEN = "hf_goodTOKEN1234567890"
_KINDS = ("spaces", "datasets", "models")


@dataclass
class Repo:
    """One repository of the Hub, and how it is guarded."""

    history: History
    private: bool = False
    gated: str = ""  # "files": information is open, files are refused; "all": both are refused
    disabled: bool = False
    moved_to: str = ""


@dataclass
class Request:
    """One request as it arrived."""

    method: str
    path: str
    authorization: str
    compressed: bool


@dataclass
class Fault:
    """An answer that is given once instead of the right one."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class HubServer:
    """The server; a context manager.

    Attributes:
        requests: all of them, in order.
        faults: given to the next requests of the API, first come first served.
        mishandles_gzip: whether a compressed question of git gets an empty answer.
    """

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.mishandles_gzip = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def add(self, name: str, history: History, **guards: object) -> Repo:
        """Serve a repository as `spaces/OWNER/NAME`, `datasets/OWNER/NAME` or `OWNER/NAME`."""
        self.repos[name] = Repo(history, **guards)  # type: ignore[arg-type]
        return self.repos[name]

    def count(self) -> int:
        """Requests since the last call."""
        number = len(self.requests)
        self.requests.clear()
        return number

    def __enter__(self) -> HubServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(hub: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _answer(self, body: bytes) -> None:
            sent = self.headers.get("Authorization", "")
            compressed = self.headers.get("Content-Encoding") == "gzip"
            hub.requests.append(Request(self.command, self.path, sent, compressed))
            path, _, query = self.path.partition("?")
            if path.startswith("/api/"):
                self._api(path)
            else:
                self._git(path, query, body)

        def _api(self, path: str) -> None:
            if hub.faults:
                fault = hub.faults.pop(0)
                return self._send(fault.status, fault.body, fault.headers)
            kind, owner, name, *rest = path.removeprefix("/api/").split("/")
            key = f"{owner}/{name}" if kind == "models" else f"{kind}/{owner}/{name}"
            repo = hub.repos.get(key)
            if self._bad_token():
                message = {"X-Error-Message": "Invalid credentials in Authorization header"}
                return self._send(401, b"{}", message)
            if repo is None or kind not in _KINDS or (repo.private and not self._token()):
                status = 404 if self._token() else 401
                return self._send(status, b"{}", {"X-Error-Code": "RepoNotFound"})
            if repo.moved_to:
                return self._send(307, b"", {"Location": f"/api/{repo.moved_to}"})
            if repo.disabled:
                message = {"X-Error-Message": "Access to this resource is disabled."}
                return self._send(403, b"{}", message)
            if repo.gated == "all" and not self._token():
                return self._send(401, b"{}", {"X-Error-Code": "GatedRepo"})
            branch = unquote(rest[1]) if rest[:1] == ["revision"] else repo.history.branch
            ref = f"refs/heads/{branch}"
            sha = repo.history.git("for-each-ref", "--format=%(objectname)", ref)
            if not sha and rest:
                return self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
            return self._send(200, json.dumps({"id": f"{owner}/{name}", "sha": sha}).encode())

        def _git(self, path: str, query: str, body: bytes) -> None:
            key = next((key for key in hub.repos if path.startswith(f"/{key}/")), None)
            if key is None:
                return self._send(404, b"Repository not found")
            repo, rest = hub.repos[key], path.removeprefix(f"/{key}")
            if repo.moved_to:
                place = f"/{repo.moved_to}{rest}?{query}"
                return self._send(307, b"", {"Location": place})
            if (repo.private or repo.gated) and not self._token():
                return self._send(401, b"", {"WWW-Authenticate": 'Basic realm="hub"'})
            if hub.mishandles_gzip and hub.requests[-1].compressed:
                kind = {"Content-Type": "application/x-git-upload-pack-result"}
                return self._send(200, b"0000", kind)
            folder = repo.history.folder
            done = subprocess.run(
                ["git", "http-backend"],
                input=body,
                capture_output=True,
                check=True,
                env={
                    "PATH": os.environ["PATH"],
                    "GIT_PROJECT_ROOT": str(folder.parent),
                    "GIT_HTTP_EXPORT_ALL": "1",
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                    "PATH_INFO": f"/{folder.name}{rest}",
                    "QUERY_STRING": query,
                    "REQUEST_METHOD": self.command,
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                    "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                },
            ).stdout
            head, _, content = done.partition(b"\r\n\r\n")
            lines = (line.partition(": ")[::2] for line in head.decode().splitlines())
            headers = dict(lines)
            status = int(headers.pop("Status", "200").split()[0])
            return self._send(status, content, headers)

        def _token(self) -> bool:
            return TOKEN in _secrets(self.headers.get("Authorization", ""))

        def _bad_token(self) -> bool:
            return bool(self.headers.get("Authorization")) and not self._token()

        def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the terminal free."""

    return Handler


def _secrets(authorization: str) -> str:
    """What an Authorization header carries, decoded."""
    scheme, _, value = authorization.partition(" ")
    return base64.b64decode(value).decode() if scheme == "Basic" else value
