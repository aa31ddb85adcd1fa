"""What is at an address, or in a bucket of the Hub, right now?

In: the files that boards read, and by what they would be known to be the same. Out: a Look. Start
at place_of(). Neither place has a history: what it held before is known only to who looked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote_plus

from crawler.board import Source
from crawler.hub.repo import reach_hub, refuse
from crawler.objects import MAX_BYTES
from crawler.source import CrawlError
from crawler.web.answer import Answer, clean, next_link, shown
from crawler.work import Work

if TYPE_CHECKING:
    from crawler.web.web import Web

_OLDEST = 366 * 24 * 3600  # seconds; a cache that says more is not believed
_LIST_CAP = 32 * 1024 * 1024
_MOST_FILES = 100_000
_SHORTEST_KEY = 6  # letters; a shorter value of a query is a word that may stand anywhere
_CLOCKS = timedelta(seconds=2)  # a time of change so near to the answer does not tell two apart


@dataclass(frozen=True, slots=True)
class Found:
    """A file as it was found.

    Attributes:
        data: its bytes; None where they are those that the marks are of.
        marks: by what the next look knows the same bytes again.
        words: what they look like, for messages.
    """

    data: bytes | None
    marks: Mapping[str, str]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """All that one look found.

    Attributes:
        files: by path; a file that is not there has none.
        asked_at: from when on the place answered so, at the earliest: before it was asked, and
            before a cache on the way had asked.
        at: when all answers were here.
    """

    files: Mapping[str, Found]
    asked_at: datetime
    at: datetime


class Place(Protocol):
    """Somewhere that files are looked at."""

    @property
    def where(self) -> str:
        """Its address, for messages."""
        ...

    def hide(self, text: str) -> str:
        """A text of the place without what must not be written down: it may say it back."""
        ...

    def look(self, paths: Sequence[str], marks: Mapping[str, Mapping[str, str]]) -> Look:
        """Look at some files.

        Args:
            paths: their names.
            marks: what is known of those that were there at the last look.

        Raises:
            CrawlError: no answer, or none that tells what is there.
        """
        ...


@contextmanager
def place_of(source: Source, work: Work) -> Iterator[Place]:
    """The place of a polled source; its connections are closed at the end.

    Raises:
        CrawlError: it cannot be asked at all, as HF_HUB_OFFLINE is set.
    """
    if source.kind == "url":
        from crawler.web.web import Web

        with Web(work) as web:
            yield Address(source.repo, web)
        return
    hub = reach_hub(work)
    with hub.web:
        yield Bucket(source.repo, hub.endpoint, hub.web, hub.token)


class Address:
    """One file at an address, whatever boards call it."""

    def __init__(self, url: str, web: Web):
        self._url, self._web = url, web

    @property
    def where(self) -> str:
        """The address without its query, which may hold a key."""
        return shown(self._url)

    def hide(self, text: str) -> str:
        """A text without the values of the address's query; a Place.hide()."""
        query = re.split("[?#]", self._url, maxsplit=1)[1:]
        values = re.split("[=&;?#]", "".join(query))
        for value in {*values, *map(unquote_plus, values)}:
            text = text.replace(value, "***") if len(value) >= _SHORTEST_KEY else text
        return text

    def look(self, paths: Sequence[str], marks: Mapping[str, Mapping[str, str]]) -> Look:
        """Get the file, unless it is the same; a Place.look()."""
        known = next(iter(marks.values()), {}) if set(paths) <= set(marks) else {}
        headers = {
            name: known[mark]
            for name, mark in (("if-none-match", "etag"), ("if-modified-since", "modified"))
            if mark in known
        }
        asked_at = datetime.now(UTC)
        try:
            answer = self._web.fetch(self._url, headers=headers)
        except CrawlError as error:  # it may name where it was sent, and that the key
            said = self.hide(error.found)
            raise CrawlError(error.where, said, error.fix, passing=error.passing) from None
        asked_at -= _age(answer)
        if answer.status == 304 and headers:
            found = Found(None, {**known, **self._marks(answer, asked_at)})
        elif answer.status == 200:
            found = Found(answer.body, self._marks(answer, asked_at), answer.seen())
        else:
            raise self._refused(answer)
        return Look(dict.fromkeys(paths, found), asked_at, datetime.now(UTC))

    def _marks(self, answer: Answer, asked_at: datetime) -> dict[str, str]:
        """Its marks, which are written down; not one that says back what must not be."""
        marks = _marks(answer, asked_at)
        return {name: text for name, text in marks.items() if self.hide(text) == text}

    def _refused(self, answer: Answer) -> CrawlError:
        what = {
            401: "it asks for a login",
            403: "it is refused",
            404: "no such file",
            410: "the file is gone for good",
        }.get(answer.status, "no file")
        fix = "Look at the address in a browser; what was saved before is kept"
        said = self.hide(answer.seen())
        return CrawlError(self.where, f"{what} (status {answer.status}): {said}", fix)


class Bucket:
    """Files of a bucket of the Hub, which change in place."""

    def __init__(self, name: str, endpoint: str, web: Web, token: str | None = None):
        self.where = f"{endpoint}/buckets/{name}"
        self._api, self._web = f"{endpoint}/api/buckets/{name}", web
        self._token = token

    def hide(self, text: str) -> str:
        """A text without the token; a Place.hide()."""
        return text.replace(self._token, "***") if self._token else text

    def look(self, paths: Sequence[str], marks: Mapping[str, Mapping[str, str]]) -> Look:
        """List the files, and get those that are not the same; a Place.look()."""
        asked_at = datetime.now(UTC)
        answer = self._web.post(f"{self._api}/paths-info", json={"paths": [*paths]}, cap=_LIST_CAP)
        refuse(answer, self.where)
        listed = dict(self._file(one) for one in self._list(answer))
        listed = {path: listed[path] for path in paths if path in listed}
        if not listed:
            self._refuse_if_empty()
        files = {
            path: Found(None, told) if marks.get(path) == told else self._get(path, told)
            for path, told in listed.items()
        }
        return Look(files, asked_at, datetime.now(UTC))

    def names(self) -> dict[str, int]:
        """All files, with their sizes in bytes.

        Raises:
            CrawlError: no answer, or a list without an end.
        """
        found: dict[str, int] = {}
        url: str | None = f"{self._api}/tree?recursive=true"
        while url:
            answer = self._web.get(url, cap=_LIST_CAP)
            refuse(answer, self.where)
            page = self._list(answer)
            for one in page:
                if isinstance(one, dict) and one.get("type") == "directory":
                    continue
                path, told = self._file(one)
                found[path] = int(told["size"])
            url = next_link(answer)
            if url and (not page or len(found) > _MOST_FILES):
                found_text = f"more than {_MOST_FILES:,} files, or a list without an end"
                raise CrawlError(self.where, found_text, "Name the file")
        return found

    def _get(self, path: str, told: Mapping[str, str]) -> Found:
        """Download a file, and make sure that it is the one that was listed."""
        where, size = f"{self.where}: {path}", int(told["size"])
        if size > MAX_BYTES:
            found = f"{size:,} bytes, more than the {MAX_BYTES:,} that are kept"
            raise CrawlError(where, found, "Name another file")
        answer = self._web.fetch(f"{self.where}/resolve/{quote(path, safe='/')}", cap=size + 1)
        if answer.status != 404:  # listed, and yet not there: it was just removed
            refuse(answer, where)
        hash_ = answer.headers.get("x-xet-hash", "") or told["xet"]
        if answer.status == 404 or len(answer.body) != size or hash_ != told["xet"]:
            found = f"not the {size:,} bytes that are listed: {answer.seen()}"
            raise CrawlError(where, found, "Crawl again later", passing=True)
        return Found(answer.body, told, answer.seen())

    def _refuse_if_empty(self) -> None:
        """Where a bucket holds nothing at all, that is no word about one file."""
        answer = self._web.get(self._api, cap=_LIST_CAP)
        refuse(answer, self.where)
        said = answer.json()
        if not isinstance(said, dict) or type(said.get("totalFiles")) is not int:
            raise self._nonsense()
        if said["totalFiles"] < 1:
            fix = "Crawl again when it holds files; what was saved before is kept"
            raise CrawlError(self.where, "the bucket is empty", fix, passing=True)

    def _list(self, answer: Answer) -> list[Any]:
        said = answer.json()
        if not isinstance(said, list):
            raise self._nonsense()
        return said

    def _file(self, said: Any) -> tuple[str, dict[str, str]]:
        """Path and marks of a listed file."""
        try:
            path, size, hash_ = said["path"], said["size"], said["xetHash"]
            changed = said["mtime"]
        except (TypeError, KeyError):
            raise self._nonsense() from None
        texts = isinstance(path, str) and isinstance(hash_, str) and isinstance(changed, str)
        if not texts or type(size) is not int or not 0 <= size < 2**60:
            raise self._nonsense()
        marks = {"xet": clean(hash_, 200), "mtime": clean(changed, 60), "size": str(size)}
        return path, marks

    def _nonsense(self) -> CrawlError:
        fix = "Check HF_ENDPOINT, or crawl again later"
        return CrawlError(self.where, "the answer tells nothing of a bucket's files", fix)


def _marks(answer: Answer, asked_at: datetime) -> dict[str, str]:
    """What an answer gives to ask with next time.

    A file that was written a second ago may be written again in the same second, which no time
    of change would show (RFC 9110, 8.8.2.2).
    """
    marks = {}
    etag, modified = (answer.headers.get(name, "") for name in ("etag", "last-modified"))
    if etag and etag.isprintable() and len(etag) < 1000:
        marks["etag"] = etag
    changed, now = _moment(modified), _moment(answer.headers.get("date", "")) or asked_at
    if changed and now - changed >= _CLOCKS:
        marks["modified"] = modified
    return marks


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _age(answer: Answer) -> timedelta:
    """How long ago a cache on the way had asked for what it answers.

    >>> _age(Answer(200, {"age": "90"}, b"", "https://example.org/"))
    datetime.timedelta(seconds=90)
    """
    said = answer.headers.get("age", "").strip()
    return timedelta(seconds=min(int(said[:12]), _OLDEST)) if said.isdecimal() else timedelta(0)
