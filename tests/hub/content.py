"""How are bytes given: whole, in part, compressed, or not again?

In: a request and the bytes. Out: an answer: 200, 206 for a range, 304 where the client's copy is
current, 416 for a range behind the end. Start at give().
"""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from tests.hub.messages import Answer, Request
from tests.hub.wire import Wire

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


def give(
    request: Request,
    data: bytes,
    *,
    etag: str = "",
    modified: datetime | None = None,
    headers: dict[str, str] | None = None,
    compress: bool = False,
) -> Answer:
    """Give bytes to a GET or HEAD.

    Args:
        etag: without quotes; empty for none.
        modified: sent as Last-Modified; None for none.
        compress: send text as gzip in chunks, without a length, to a client that takes it.
    """
    told = dict(headers or {})
    if etag:
        told["ETag"] = f'"{etag}"'
    if modified:
        told["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    if _is_current(request, etag, modified):
        return Answer(304, told)
    told = {"Content-Type": "text/plain; charset=utf-8", "Accept-Ranges": "bytes"} | told
    asked = _RANGE.fullmatch(request.headers.get("Range", ""))
    if asked and any(asked.groups()):
        return _part(data, asked.group(1), asked.group(2), told)
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    if compress and takes_gzip and request.method == "GET" and b"\0" not in data:
        zipped = gzip.compress(data, mtime=0)
        return Answer(200, told | {"Content-Encoding": "gzip"}, zipped, chunked)
    return Answer(200, told, data)


def chunked(wire: Wire, answer: Answer) -> None:
    """Send a body in chunks: a client learns its length at the end."""
    wire.head(answer.status, answer.headers | {"Transfer-Encoding": "chunked"})
    for start in range(0, len(answer.body), 4096):
        piece = answer.body[start : start + 4096]
        wire.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    wire.write(b"0\r\n\r\n")


def _is_current(request: Request, etag: str, modified: datetime | None) -> bool:
    """Whether the client has these bytes; the tag counts before the time."""
    tags = request.headers.get("If-None-Match", "")
    if tags:
        known = {tag.strip().removeprefix("W/").strip('"') for tag in tags.split(",")}
        return bool(etag) and bool(known & {etag, "*"})
    since = request.headers.get("If-Modified-Since", "")
    if not since or not modified:
        return False
    return modified.astimezone(UTC).replace(microsecond=0) <= parsedate_to_datetime(since)


def _part(data: bytes, first: str, last: str, headers: dict[str, str]) -> Answer:
    """One range of the bytes."""
    total = len(data)
    if first:
        start, end = int(first), min(int(last or total), total - 1)
    else:
        start, end = max(0, total - int(last)), total - 1
    if start > end or start >= total:
        return Answer(416, headers | {"Content-Range": f"bytes */{total}"})
    told = headers | {"Content-Range": f"bytes {start}-{end}/{total}"}
    return Answer(206, told, data[start : end + 1])
