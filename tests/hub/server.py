"""Which server stands in for the Hugging Face Hub, for the real client and the real git?

Three servers on this machine: `hub` (API, git, downloads, buckets, plain files, and any other git
host), `hub.cdn` (large files: signed addresses, no Authorization) and `hub.elsewhere` (a stranger
that has the same content and asks nobody who they are). Every request to any of them is written
down. There is no quota; what goes wrong is what a test asks for.

    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        hub.add("spaces/lab/board", history)        # datasets/lab/board; lab/board is a model
        hub.add("lab/board.git", history)           # any git host: {hub.url}/lab/board.git
        hub.add("spaces/lab/board", history, private=True, gated="files", disabled=True)
        hub.repos["spaces/lab/board"].moved_to = "spaces/grove/board"      # renamed: 307
        history.commit({"board.csv": hub.keep_large(b"1,2")}, at)          # LFS: commits a pointer
        hub.lfs[sha256] = content                                          # the same, by hand
        hub.add("spaces/lab/board", history, xet=True)                     # ... said to be in Xet
        hub.buckets["lab/board"] = Bucket(private=False, by_cdn=False)
        hub.buckets["lab/board"].put("board.csv", b"1,2")                  # overwritten in place
        hub.files["/board.csv"] = b"1,2"            # with ETag and Last-Modified of its own
        hub.files.put("/board.csv", b"1,2", validators=False)              # without
        hub.compresses = True                       # text comes as gzip, without a length
        hub.allows_filters = False                  # no partial clones
        hub.mishandles_gzip = True                  # a compressed question of git gets nothing
        squash(history, at)                         # one root commit, the old objects deleted

        hub.requests[-1].status, .method, .path, .authorization, .sent, .at, .origin, .kind
        hub.log("api")          # requests of a kind: api, git, resolve, cdn, bucket, file, elsewhere
        hub.tally()             # {"api": 1, "git": 3}
        hub.count()             # how many since the last count(), which forgets them

Tokens: TOKEN may see everything, STRANGER is a valid token that may see nothing private or gated,
every other one is refused with 401.

Faults come from `tests.hub.faults`; append them to `hub.faults`. All take `on=` (a kind, "all" or
a glob of the path, "POST */paths-info/*"; "api" if not said), `times=` (1; ALWAYS) and `after=`
(right answers that come first).

    refuse(404, "EntryNotFound")                  an error by its code; any status
    bad_token()                                   401, the token is none
    gated()                                       403, not let in
    too_many(retry_after=5 or "a date")           429 with Retry-After
    too_many(resets_in=55)                        429 with RateLimit
    trouble(503)                                  5xx with a proxy's page
    web_page("text")                              200 and HTML instead of what was asked for
    shape({"not": "a list"})                      200 and JSON of another shape
    redirect(hub.elsewhere.url, on="git")         307 to the same path of another server
    loop(times=ALWAYS)                            307 to itself
    next_page_at(hub.elsewhere.url)               `Link: rel="next"` to another server
    endless_pages(times=ALWAYS)                   every page has a next one
    gzip_refused(times=ALWAYS)                    as mishandles_gzip, but counted
    cut(0.5, on="resolve")                        connection ends early, full Content-Length
    short(0.5, on="file", times=ALWAYS)           content cut, Content-Length of the cut one
    reset(), reset(0.5)                           connection reset, at once or inside the body
    silent(), silent(0.5)                         says nothing, or nothing more
    drip(0.1, 1)                                  a byte every 0.1 s
    endless(most=1 << 30)                         a body without an end and without a length
    Fault(418, {"Name": "value"}, b"body")        any other answer

By hand: `python -m tests.hub spaces/lab/board=PATH_OF_A_BARE_REPOSITORY --port 8000`.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

from tests.histories import History
from tests.hub import api, buckets, faults, git_http, resolve
from tests.hub.access import STRANGER, TOKEN, Repo
from tests.hub.buckets import Bucket
from tests.hub.faults import ALWAYS, Fault
from tests.hub.files import Files
from tests.hub.lfs import pointer_of, pointer_text
from tests.hub.messages import KINDS, Answer, Refused, Request, error
from tests.hub.rewrite import squash
from tests.hub.wire import Origin

__all__ = [
    "ALWAYS",
    "STRANGER",
    "TOKEN",
    "Bucket",
    "Fault",
    "HubServer",
    "Repo",
    "Request",
    "squash",
]

_CLASSES = {"api": ("api", 500), "resolve": ("resolvers", 3000)}
_WINDOW = 300


class HubServer:
    """The servers; a context manager. See the module.

    Args:
        port: of the Hub; 0 for any that is free.

    Attributes:
        repos: by the name that `add` was given.
        requests: all of them, in order.
        faults: met by the next requests that they are for, first come first served.
        mishandles_gzip: whether a compressed question of git gets an empty answer.
    """

    def __init__(self, port: int = 0) -> None:
        self.repos: dict[str, Repo] = {}
        self.lfs: dict[str, bytes] = {}
        self.buckets: dict[str, Bucket] = {}
        self.files = Files()
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.mishandles_gzip = False
        self.allows_filters = True
        self.compresses = False
        self._lock = threading.Lock()
        self._surprises: list[BaseException] = []
        told = (self._answer, self._surprises.append)
        self._hub = Origin("hub", "127.0.0.1", *told, port)
        self.cdn = Origin("cdn", "127.0.0.1", *told)
        self.elsewhere = Origin("elsewhere", "localhost", *told)

    @property
    def url(self) -> str:
        """Address of the Hub, for HF_ENDPOINT."""
        return self._hub.url

    def add(self, name: str, history: History, **guards: object) -> Repo:
        """Serve a repository as `spaces/OWNER/NAME`, `datasets/OWNER/NAME` or `OWNER/NAME`.

        Args:
            guards: fields of Repo.
        """
        old = self.repos.get(name)
        self.repos[name] = Repo(history, **guards)  # type: ignore[arg-type]
        if old:
            old.repository.close()
        return self.repos[name]

    def keep_large(self, content: bytes) -> bytes:
        """Keep a large file's content, and give the pointer to commit in its place."""
        text = pointer_text(content)
        pointer = pointer_of(text)
        assert pointer
        self.lfs[pointer.sha256] = content
        return text

    def log(self, kind: str) -> list[Request]:
        """Requests of one kind so far, in order."""
        if kind not in KINDS:
            raise KeyError(f"{kind}: is none of {', '.join(KINDS)}")
        with self._lock:
            return [request for request in self.requests if request.kind == kind]

    def tally(self) -> dict[str, int]:
        """How many requests of each kind came so far."""
        with self._lock:
            return dict(Counter(request.kind for request in self.requests))

    def count(self) -> int:
        """Requests since the last call."""
        with self._lock:
            number = len(self.requests)
            self.requests.clear()
        return number

    def __enter__(self) -> HubServer:
        for origin in (self._hub, self.cdn, self.elsewhere):
            origin.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        for origin in (self._hub, self.cdn, self.elsewhere):
            origin.stop()
        for repo in self.repos.values():
            repo.repository.close()
        if self._surprises and kind is None:
            raise self._surprises[0]

    # --- answers ------------------------------------------------------------------------------

    def _answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
        try:
            right = self._right(request)
        except Refused as refused:
            right = refused.answer
        except Exception as surprise:
            self._surprises.append(surprise)
            right = error(500, message=f"the stand-in failed: {surprise}")
        if request.origin == "hub":
            right.headers |= _limits(request)
        with self._lock:
            return faults.take(self.faults, request, right)

    def _right(self, request: Request) -> Answer:
        """The answer of a server without faults."""
        if request.origin == "cdn":
            kept = dict(self.lfs)
            for bucket in list(self.buckets.values()):
                kept |= bucket.by_digest()
            return resolve.large(kept, request)
        file = self.files.answer(request, self.compresses)
        if file is not None:
            return file
        place = request.place
        if place.startswith(("/api/buckets/", "/buckets/")):
            return buckets.answer(self.buckets, request, self.cdn.url)
        if place.startswith("/api/resolve-cache/"):
            return resolve.cached(self.repos, request, self.compresses)
        if place.startswith("/api/"):
            return api.answer(self.repos, request)
        if "/resolve/" in place or "/raw/" in place:
            return resolve.answer(self.repos, request, self.cdn.url, self.compresses)
        if self.mishandles_gzip and request.compressed:
            return faults.gzip_refused().applied(request, Answer())
        return git_http.answer(self.repos, request, filters=self.allows_filters)


def serve(repositories: dict[str, Path], port: int) -> HubServer:
    """A server of repositories that are there already, for use by hand."""
    hub = HubServer(port)
    for name, folder in repositories.items():
        hub.add(name, History(folder))
    return hub


def _limits(request: Request) -> dict[str, str]:
    """What every answer says of quotas; nothing here ever uses them up."""
    name, most = _CLASSES.get(request.kind, ("pages", 100))
    return {
        "RateLimit": f'"{name}";r={most - 1};t={_WINDOW}',
        "RateLimit-Policy": f'"fixed window";"{name}";q={most};w={_WINDOW}',
    }
