"""What goes to and fro between a client and the stand-in Hub?

In: nothing. Out: `Request` (as it arrived, with what was sent back), `Answer` (as it is meant to
go) and `Refused`, which any module raises to answer with an error at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Any
from urllib.parse import parse_qs, quote, unquote

KINDS = ("api", "git", "resolve", "cdn", "bucket", "file", "elsewhere")
_GIT = ("/info/refs", "/git-upload-pack", "/git-receive-pack", "/HEAD")


@dataclass
class Request:
    """One request as it arrived, and what came of it.

    Attributes:
        method: GET, HEAD or POST.
        path: as sent, percent-encoded and with its query.
        authorization: the whole header; empty where there is none.
        compressed: whether the body came as gzip.
        origin: the server that it reached: hub, cdn or elsewhere.
        base: address of that server.
        at: seconds since 1970.
        status: sent back; 0 where no answer was given at all.
        sent: bytes of the answer's body that were handed to the network.
    """

    method: str
    path: str
    authorization: str = ""
    compressed: bool = False
    origin: str = "hub"
    base: str = ""
    at: float = 0.0
    headers: Message = field(default_factory=Message, repr=False)
    body: bytes = field(default=b"", repr=False)
    status: int = 0
    sent: int = 0

    @property
    def place(self) -> str:
        """The path without its query, still percent-encoded."""
        return self.path.partition("?")[0]

    @property
    def query(self) -> dict[str, list[str]]:
        """The query's values by name."""
        return parse_qs(self.path.partition("?")[2], keep_blank_values=True)

    @property
    def kind(self) -> str:
        """One of KINDS: what is asked for, or `elsewhere` for all that went to that server."""
        place = self.place
        if self.origin != "hub":
            return self.origin
        if place.startswith(("/buckets/", "/api/buckets/")):
            return "bucket"
        if place.startswith("/api/resolve-cache/"):
            return "resolve"
        if place.startswith("/api/"):
            return "api"
        if place.endswith(_GIT) or "/objects/" in place:
            return "git"
        if "/resolve/" in place or "/raw/" in place:
            return "resolve"
        return "file"

    def parts(self) -> list[str]:
        """The path's parts, each decoded by itself: an encoded slash stays inside its part."""
        return [unquote(part) for part in self.place.strip("/").split("/")]


@dataclass
class Answer:
    """What is to be sent.

    Attributes:
        manner: how it is put on the wire; None for whole and at once.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    manner: Callable[[Any, Answer], None] | None = None


class Refused(Exception):
    """An answer that ends the work on a request."""

    def __init__(self, answer: Answer):
        super().__init__(f"{answer.status} {answer.headers}")
        self.answer = answer


def as_json(value: object, headers: Mapping[str, str] | None = None, status: int = 200) -> Answer:
    """A value as the API sends it."""
    kind = {"Content-Type": "application/json; charset=utf-8"}
    return Answer(status, kind | dict(headers or {}), json.dumps(value).encode())


def error(
    status: int, code: str = "", message: str = "", headers: Mapping[str, str] | None = None
) -> Answer:
    """An error as the Hub words it: the code and the message are headers, the text is JSON."""
    named = {"X-Error-Code": code, "X-Error-Message": message}
    told = {name: value for name, value in named.items() if value} | dict(headers or {})
    return as_json({"error": message or code or f"status {status}"}, told, status)


def address(*parts: str) -> str:
    """A path of parts, each encoded; a part keeps its slashes."""
    return "/" + "/".join(quote(part) for part in parts if part)
