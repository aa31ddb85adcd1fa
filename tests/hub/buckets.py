"""What does the Hub say of a bucket, and how are its files downloaded?

In: a request to /api/buckets/ or /buckets/. Out: information, listings and bytes. A bucket has no
history: only what is in it now. Start at answer().
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import Any

from tests.hub.access import checked, trusted, unknown
from tests.hub.api import moment, page
from tests.hub.content import give
from tests.hub.lfs import xet_hash
from tests.hub.messages import Answer, Refused, Request, as_json, error
from tests.hub.resolve import signed, xet_headers

_ENTRIES, _BORN = 1000, "2026-01-01T00:00:00.000Z"


@dataclass
class Bucket:
    """A folder of files that change in place.

    Attributes:
        private: only the holder of TOKEN sees that it exists.
        by_cdn: whether its bytes are on the server of large files, behind a redirect.
        files: path -> bytes and time of the last change, seconds since 1970.
    """

    private: bool = False
    by_cdn: bool = False
    files: dict[str, tuple[bytes, float]] = field(default_factory=dict)

    def put(self, path: str, data: bytes, at: float | None = None) -> None:
        """Write a file, or write it anew."""
        self.files[path] = (data, time.time() if at is None else at)

    def remove(self, path: str) -> None:
        """Take a file away."""
        del self.files[path]

    def by_digest(self) -> dict[str, bytes]:
        """Every content by its sha256."""
        return {_digest(data): data for data, _ in list(self.files.values())}


def answer(buckets: dict[str, Bucket], request: Request, cdn: str) -> Answer:
    """Answer what is asked of a bucket.

    Raises:
        Refused: with the error to send.
    """
    parts = request.parts()
    api = parts[0] == "api"
    asked = parts[2 if api else 1 :]
    owner, name, verb = [*asked, "", "", ""][:3]
    checked(request)
    bucket = buckets.get(f"{owner}/{name}")
    if bucket is None or (bucket.private and not trusted(request)):
        raise Refused(unknown(request))
    path = "/".join(asked[3:])
    if not api and verb == "resolve":
        return _resolve(bucket, f"{owner}/{name}", path, request, cdn)
    if api and verb == "":
        return _info(bucket, f"{owner}/{name}")
    if api and verb == "tree":
        recursive = request.query.get("recursive", [""])[0].lower() in ("true", "1")
        return page(_listed(bucket, path, recursive), request, _ENTRIES)
    if api and verb == "paths-info":
        paths = json.loads(request.body)["paths"]
        return as_json([_item(bucket, path) for path in paths if path in bucket.files])
    return error(404, message="Not found")


def _info(bucket: Bucket, name: str) -> Answer:
    return as_json(
        {
            "id": name,
            "private": bucket.private,
            "createdAt": _BORN,
            "size": sum(len(data) for data, _ in bucket.files.values()),
            "totalFiles": len(bucket.files),
        }
    )


def _listed(bucket: Bucket, prefix: str, recursive: bool) -> list[dict[str, Any]]:
    """Files whose path starts with a text, be it a folder's name or not."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(bucket.files):
        if not path.startswith(prefix):
            continue
        depth = prefix.count("/") + (f"{prefix}/" == path[: len(prefix) + 1])
        folders = path.split("/")[: -1 if recursive else depth + 1]
        folder = "/".join(folders)
        if not recursive and folder != path:
            told = {"type": "directory", "path": folder, "uploadedAt": _BORN}
            found.setdefault(folder, told)
        else:
            found[path] = _item(bucket, path)
    return list(found.values())


def _item(bucket: Bucket, path: str) -> dict[str, Any]:
    data, at = bucket.files[path]
    return {
        "type": "file",
        "path": path,
        "size": len(data),
        "xetHash": xet_hash(_digest(data)),
        "mtime": moment(at),
        "uploadedAt": moment(at),
    }


def _resolve(bucket: Bucket, name: str, path: str, request: Request, cdn: str) -> Answer:
    if path not in bucket.files:
        return error(404, "EntryNotFound", "Entry not found")
    data, _ = bucket.files[path]
    digest = _digest(data)
    told = xet_headers(request.base, f"/api/buckets/{name}/xet-read-token", digest)
    told |= {"X-Linked-Size": str(len(data)), "X-Linked-Etag": f'"{xet_hash(digest)}"'}
    if not bucket.by_cdn:
        return give(request, data, etag=xet_hash(digest), headers=told)
    told |= {"Location": signed(cdn, "buckets", digest), "Cache-Control": "no-store"}
    return Answer(302, told)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
