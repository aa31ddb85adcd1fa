"""What did a server answer, is it the JSON that was asked for, and where does its list go on?

Start at Answer. Everything in it was written by the server: texts of it are cleaned and cut before
they stand in an error, and an address of it is followed only where it may lead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from crawler.source import CrawlError, redact

_DEEPEST = 100  # lists and tables inside each other; the Hub's answers have about five
_PORTS = {"http": 80, "https": 443}
# <address>; rel="next"; other="a, b". Nothing in it can match the same text in two ways.
_LINK = re.compile(r'<([^<>]*)>((?:\s*;\s*[\w-]+\*?\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)')
_REL = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from one request, after all redirects.

    Attributes:
        status: 200, 304, 404, ...; never one that was tried again.
        headers: names in small letters; what came twice is joined by ", ".
        body: unpacked, whole.
        url: where it came from at last.
        secret: never to be shown in an error; servers may repeat what they were sent.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    url: str
    secret: str = field(default="", repr=False, compare=False)

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            CrawlError: it is none, whatever the status and the headers say.

        >>> Answer(200, {}, b'[{"id": 1}]', "https://example.org/").json()
        [{'id': 1}]
        """
        where = shown(self.url)
        try:
            value = json.loads(self.body.decode("utf-8-sig"), parse_constant=_no_number)
            deep = _is_deep(value)
        except RecursionError:
            deep = True
        except ValueError:  # no UTF-8, no JSON, NaN, a number of 5,000 digits
            found = f"no JSON: {self.seen()}"
            raise CrawlError(where, found, "Open it in a browser to see why") from None
        if deep:
            found = f"JSON nested more than {_DEEPEST} deep"
            raise CrawlError(where, found, "Check that the address is the right one")
        return value

    def seen(self) -> str:
        """What the body looks like, in a few words for a message.

        >>> Answer(200, {}, b"<html><h1>Sign in</h1>", "https://example.org/").seen()
        'an HTML page that begins "Sign in"'
        """
        start = self.body[:4000]
        if not start.strip():
            return "an empty answer"
        if b"\0" in start:
            return "binary data"
        text = start.decode("utf-8", "replace")
        kind = "a text"
        if "html" in self.headers.get("content-type", "") or re.match(r"(?i)\s*<[!?a-z]", text):
            kind = "an HTML page"
            text = re.sub(r"(?is)<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*(?:>|\Z)", " ", text)
        words = clean(text, 60, self.secret)
        return f'{kind} that begins "{words}"' if words else kind


def next_link(answer: Answer) -> str | None:
    """Address of the next page, by the `Link` of an answer; None on the last page.

    Raises:
        CrawlError: it leads to another origin, or back to the same page.

    >>> headers = {"link": '</commits?p=1>; rel="next", </commits?p=9>; rel="last"'}
    >>> next_link(Answer(200, headers, b"[]", "https://example.org/commits"))
    'https://example.org/commits?p=1'
    """
    for address, rest in _LINK.findall(answer.headers.get("link", "")):
        rels = " ".join("".join(found) for found in _REL.findall(rest))
        if "next" not in rels.lower().split():
            continue
        where = shown(answer.url)
        try:
            url = urljoin(answer.url, address.strip())
            same = _origin(url) == _origin(answer.url)
        except ValueError:
            url, same = address, False
        if not same:
            found = f"its next page is elsewhere ({shown(url, answer.secret)})"
            raise CrawlError(where, found, "Check that the address is the right one")
        if url == answer.url:
            raise CrawlError(where, "its next page is itself", "Tell who runs the server")
        return url
    return None


def shown(url: str, secret: str = "") -> str:
    """An address for a message: no login, and no query, which may be signed.

    >>> shown("https://me:pw@example.org/a.csv?X-Signature=abc#top")
    'https://example.org/a.csv'
    """
    return clean(redact(re.split(r"[?#]", url, maxsplit=1)[0]), 300, secret)


def clean(text: str, longest: int, secret: str = "") -> str:
    """One line of what a server wrote, without control characters and secrets, cut.

    >>> clean("Sign \\x1b[31min\\n\\nplease", 11)
    'Sign [31min...'
    """
    text = redact(text.replace(secret, "***") if secret else text)
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[:longest]}..."


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def _is_deep(value: Any) -> bool:
    """Whether lists and tables are nested deeper than anything that is meant."""
    level = [value]
    for _ in range(_DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")
