"""What can go wrong, when, and how often?

In: the right answer to a request. Out: another one, or none. Each function here makes one
`Fault`; put it into `hub.faults`. They all take

    on: which requests: a kind ("api", "git", "resolve", "cdn", "bucket", "file", "elsewhere"),
        "all", or a glob of the path with its query, after a method if it matters:
        "*/commits/*", "POST */paths-info/*".
    times: how often; ALWAYS for ever.
    after: how many right answers come first.

Faults of a body meet only answers that carry one (200 or 206, no HEAD), so that
`cut(on="resolve")` cuts the file and not the redirect to it. Start at Fault and take().
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TypedDict, Unpack

from tests.hub.messages import KINDS, Answer, Request, error
from tests.hub.wire import Wire

ALWAYS = math.inf


class When(TypedDict, total=False):
    """Which requests a fault meets; see the module."""

    on: str
    times: float
    after: int


@dataclass(frozen=True)
class Fault:
    """An answer that is given instead of the right one.

    Attributes:
        change: makes the wrong answer from the right one; None for a fixed one of `status`,
            `headers` and `body`.
        only: "content": it meets only answers of 200 or 206; "body": of these only the ones that
            carry a body, so none to HEAD.
        if_compressed: whether it meets only requests with a compressed body.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    on: str = "api"
    times: float = 1
    after: int = 0
    change: Callable[[Request, Answer], Answer] | None = None
    only: str = ""
    if_compressed: bool = False

    def meets(self, request: Request, right: Answer) -> bool:
        """Whether a request is one of those that this fault is for."""
        if self.only and right.status not in (200, 206):
            return False
        if self.only == "body" and request.method == "HEAD":
            return False
        if self.if_compressed and not request.compressed:
            return False
        if self.on in (*KINDS, "all"):
            return self.on in (request.kind, "all")
        method, space, glob = self.on.rpartition(" ")
        fits = not space or method == request.method
        return fits and request.kind != "elsewhere" and fnmatchcase(request.path, glob)

    def applied(self, request: Request, right: Answer) -> Answer:
        """The wrong answer."""
        if self.change is None:
            return Answer(self.status, dict(self.headers), self.body)
        return self.change(request, right)


def take(faults: list[Fault], request: Request, right: Answer) -> Answer:
    """The answer to a request, and one time less for the fault that it met.

    First come, first served; one that still lets right answers through counts this one.
    """
    for number, fault in enumerate(faults):
        if not fault.meets(request, right):
            continue
        if fault.after > 0:
            faults[number] = replace(fault, after=fault.after - 1)
            continue
        if fault.times <= 1:
            del faults[number]
        else:
            faults[number] = replace(fault, times=fault.times - 1)
        return fault.applied(request, right)
    return right


# --- another answer ---------------------------------------------------------------------------


def refuse(status: int, code: str = "", message: str = "", **when: Unpack[When]) -> Fault:
    """An error by its code: refuse(404, "EntryNotFound"), refuse(401, "RepoNotFound")."""
    made = error(status, code, message)
    return Fault(made.status, made.headers, made.body, **when)


def gated(**when: Unpack[When]) -> Fault:
    """403: this account was not let in."""
    return refuse(403, "GatedRepo", "Your request to access it is awaiting a review", **when)


def bad_token(**when: Unpack[When]) -> Fault:
    """401: the token is none."""
    return refuse(401, "", "Invalid credentials in Authorization header", **when)


def too_many(
    retry_after: float | str | None = None, resets_in: int | None = None, **when: Unpack[When]
) -> Fault:
    """429 that says when to come back: by Retry-After (seconds or a date), by RateLimit, or not."""
    made = error(429, message="You have been rate limited")
    if retry_after is not None:
        made.headers["Retry-After"] = str(retry_after)
    if resets_in is not None:
        made.headers["RateLimit"] = f'"api";r=0;t={resets_in}'
    return Fault(429, made.headers, made.body, **when)


def trouble(status: int = 503, **when: Unpack[When]) -> Fault:
    """500, 502, 503 or 504, with a page of a proxy as its body."""
    kind = {"Content-Type": "text/html"}
    return Fault(status, kind, b"<html><h1>Bad gateway</h1></html>", **when)


def web_page(text: str = "<!doctype html><title>Sign in</title>", **when: Unpack[When]) -> Fault:
    """200, and the body is a page for people: a login, a maintenance note."""
    return Fault(200, {"Content-Type": "text/html; charset=utf-8"}, text.encode(), **when)


def shape(value: object, **when: Unpack[When]) -> Fault:
    """200, and JSON of another shape than agreed."""
    return Fault(200, {"Content-Type": "application/json"}, json.dumps(value).encode(), **when)


def redirect(origin: str, status: int = 307, **when: Unpack[When]) -> Fault:
    """A redirect to the same path of another server: redirect(hub.elsewhere.url, on="git")."""

    def change(request: Request, right: Answer) -> Answer:
        return Answer(status, {"Location": f"{origin}{request.path}"})

    return Fault(change=change, **when)


def loop(**when: Unpack[When]) -> Fault:
    """A redirect to itself; for ever with times=ALWAYS."""

    def change(request: Request, right: Answer) -> Answer:
        return Answer(307, {"Location": request.path})

    return Fault(change=change, **when)


def next_page_at(origin: str, **when: Unpack[When]) -> Fault:
    """The right page, and its next one (itself, once more) is said to be on another server."""

    def change(request: Request, right: Answer) -> Answer:
        link = {"Link": f'<{origin}{request.path}>; rel="next"'}
        return replace(right, headers=right.headers | link)

    return Fault(change=change, only="body", **when)


def endless_pages(**when: Unpack[When]) -> Fault:
    """Every page has a next one; for ever with times=ALWAYS."""

    def change(request: Request, right: Answer) -> Answer:
        mark = "&" if "?" in request.path else "?"
        link = {"Link": f'<{request.base}{request.path}{mark}again=1>; rel="next"'}
        return replace(right, headers=right.headers | link)

    return Fault(change=change, only="body", **when)


def gzip_refused(**when: Unpack[When]) -> Fault:
    """A compressed question of git is answered with nothing."""
    kind = {"Content-Type": "application/x-git-upload-pack-result"}
    set_on: When = {"on": "git", **when}
    return Fault(200, kind, b"0000", if_compressed=True, **set_on)


# --- the right answer, badly delivered --------------------------------------------------------


def cut(at: float = 0.5, **when: Unpack[When]) -> Fault:
    """The whole Content-Length is announced; after a share of the body the connection ends."""

    def manner(wire: Wire, answer: Answer) -> None:
        _begin(wire, answer)
        wire.write(answer.body[: _share(at, answer)])

    return _delivered(manner, **when)


def short(at: float = 0.5, **when: Unpack[When]) -> Fault:
    """A share of the body with the Content-Length of that share; HEAD says that length, too."""

    def change(request: Request, right: Answer) -> Answer:
        return replace(right, body=right.body[: _share(at, right)], manner=None)

    return Fault(change=change, only="content", **when)


def reset(at: float | None = None, **when: Unpack[When]) -> Fault:
    """The connection is reset: at once, or after a share of the body."""

    def manner(wire: Wire, answer: Answer) -> None:
        if at is not None:
            _begin(wire, answer)
            wire.write(answer.body[: _share(at, answer)])
            wire.wait(0.1)  # a reset throws away what the client has not read yet
        wire.reset()

    return _delivered(manner, only="" if at is None else "body", **when)


def silent(at: float | None = None, **when: Unpack[When]) -> Fault:
    """Nothing is said at all, or nothing more after a share of the body; until the client goes."""

    def manner(wire: Wire, answer: Answer) -> None:
        if at is not None:
            _begin(wire, answer)
            wire.write(answer.body[: _share(at, answer)])
        wire.wait(math.inf)

    return _delivered(manner, only="" if at is None else "body", **when)


def drip(every: float = 0.1, step: int = 1, **when: Unpack[When]) -> Fault:
    """The whole body, a few bytes now and then: every wait is short, the sum is not."""

    def manner(wire: Wire, answer: Answer) -> None:
        _begin(wire, answer)
        for start in range(0, len(answer.body), step):
            wire.wait(every)
            wire.write(answer.body[start : start + step])

    return _delivered(manner, **when)


def endless(most: int = 1 << 30, **when: Unpack[When]) -> Fault:
    """The body is repeated without an end (well: `most` bytes), and no length is announced."""

    def manner(wire: Wire, answer: Answer) -> None:
        wire.keeps = False
        wire.head(answer.status, answer.headers)
        piece = (answer.body or b"0") * (1 + (1 << 16) // max(1, len(answer.body)))
        while wire.request.sent < most:
            wire.write(piece)

    return _delivered(manner, **when)


def _delivered(
    manner: Callable[[Wire, Answer], None], *, only: str = "body", **when: Unpack[When]
) -> Fault:
    def change(request: Request, right: Answer) -> Answer:
        return replace(right, manner=manner)

    return Fault(change=change, only=only, **when)


def _begin(wire: Wire, answer: Answer) -> None:
    """Announce the whole body, and that the connection ends with it."""
    wire.keeps = False
    wire.head(answer.status, answer.headers | {"Content-Length": str(len(answer.body))})


def _share(at: float, answer: Answer) -> int:
    return int(len(answer.body) * at)
