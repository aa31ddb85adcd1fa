"""How is one file of a revision downloaded?

In: a request to /resolve/, /raw/, /api/resolve-cache/, or to the server of large files. Out: a
redirect to where the bytes are, or the bytes. Large files are on another origin: their address is
signed, and whoever sends it an Authorization header is refused. Start at answer(), cached() and
large().
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from urllib.parse import quote, unquote

from tests.hub.access import Repo, opened
from tests.hub.api import commit_of
from tests.hub.content import give
from tests.hub.lfs import Pointer, xet_hash
from tests.hub.messages import Answer, Request, address, error
from tests.hub.repository import Entry

_RESOLVE = re.compile(
    r"/((?:spaces/|datasets/)?(?:[^/]+/)?[^/]+)/(?P<how>resolve|raw)/([^/]+)/(.+)"
)
_CACHED = re.compile(r"/api/resolve-cache/(\w+)/((?:[^/]+/)?[^/]+)/([0-9a-f]{40})/(.+)")
_LARGE = re.compile(r"/(?:repos|buckets)/([0-9a-f]{64})")


def answer(repos: dict[str, Repo], request: Request, cdn: str, compress: bool) -> Answer:
    """Answer /resolve/ and /raw/.

    Args:
        cdn: address of the server of large files.
        compress: send text as gzip without a length.

    Raises:
        Refused: with the error to send.
    """
    found = _RESOLVE.fullmatch(request.place)
    if found is None:
        return error(404, message="Not found")
    key, how, revision, path = found[1], found["how"], unquote(found[3]), unquote(found[4])
    repo = opened(repos, key, request, files=True)
    commit = commit_of(repo, revision)
    entry = _file(repo, commit, path)
    told = {"X-Repo-Commit": commit}
    if entry is None:
        return error(404, "EntryNotFound", "Entry not found", told)
    if how == "raw":
        data = repo.repository.blob(entry.oid)
        return give(request, data, etag=entry.oid, headers=told, compress=compress)
    if entry.pointer:
        return _to_large(repo, key, commit, entry.pointer, request, cdn)
    kind, name = _kind_and_name(key)
    place = address("api/resolve-cache", kind, name, commit, path) + f"?etag=%22{entry.oid}%22"
    told |= {"X-Linked-Etag": f'"{entry.oid}"', "Location": place}
    return Answer(307, told, f"Temporary Redirect. Redirecting to {place}".encode())


def cached(repos: dict[str, Repo], request: Request, compress: bool) -> Answer:
    """Answer /api/resolve-cache/, where a plain file's bytes are.

    Raises:
        Refused: with the error to send.
    """
    found = _CACHED.fullmatch(request.place)
    if found is None:
        return error(404, message="Not found")
    kind, name, commit, path = found[1], unquote(found[2]), found[3], unquote(found[4])
    repo = opened(repos, name if kind == "models" else f"{kind}/{name}", request, files=True)
    entry = _file(repo, commit_of(repo, commit), path)
    told = {"X-Repo-Commit": commit}
    if entry is None:
        return error(404, "EntryNotFound", "Entry not found", told)
    last = path.rpartition("/")[2]
    told["Content-Disposition"] = f"inline; filename*=UTF-8''{quote(last)}"
    data = repo.repository.blob(entry.oid)
    return give(request, data, etag=entry.oid, headers=told, compress=compress)


def large(contents: Mapping[str, bytes], request: Request) -> Answer:
    """Answer as the server of large files does: to a signed address and to no Authorization."""
    if request.authorization:
        text = b"<Error><Code>InvalidArgument</Code>Only one auth mechanism allowed</Error>"
        return Answer(400, {"Content-Type": "application/xml"}, text)
    found = _LARGE.fullmatch(request.place)
    if found is None or request.query.get("Signature") != [signature(found[1])]:
        return Answer(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
    data = contents.get(found[1])
    if data is None:
        return Answer(404, {}, b"<Error><Code>NoSuchKey</Code></Error>")
    # Its tag is no sha256 of the bytes: whoever takes it for one is wrong here as there.
    kind = {"Content-Type": "application/octet-stream"}
    return give(request, data, etag=xet_hash(found[1]), headers=kind)


def signed(cdn: str, folder: str, digest: str) -> str:
    """The address of a large content, by the sha256 of its bytes."""
    return f"{cdn}/{folder}/{digest}?Expires=4102444800&Signature={signature(digest)}"


def signature(digest: str) -> str:
    """What makes an address of the large files valid."""
    return hashlib.sha256(f"signed {digest}".encode()).hexdigest()[:24]


def xet_headers(base: str, token_place: str, digest: str) -> dict[str, str]:
    """How the Hub says that a content is in its other store as well."""
    known = xet_hash(digest)
    link = f'<{base}{token_place}>; rel="xet-auth", <{base}/v1/reconstructions/{known}>'
    return {"X-Xet-Hash": known, "Link": f'{link}; rel="xet-reconstruction-info"'}


def _to_large(
    repo: Repo, key: str, commit: str, pointer: Pointer, request: Request, cdn: str
) -> Answer:
    kind, name = _kind_and_name(key)
    place = signed(cdn, "repos", pointer.sha256)
    told = {
        "X-Repo-Commit": commit,
        "X-Linked-Etag": f'"{pointer.sha256}"',
        "X-Linked-Size": str(pointer.size),
        "Cache-Control": "no-store",
        "Location": place,
    }
    if repo.xet:
        token = f"/api/{kind}/{name}/xet-read-token/{commit}"
        told |= xet_headers(request.base, token, pointer.sha256)
    return Answer(302, told, f"Found. Redirecting to {place}".encode())


def _file(repo: Repo, commit: str, path: str) -> Entry | None:
    entry = repo.repository.entry(commit, path)
    return entry if entry and entry.kind == "file" else None


def _kind_and_name(key: str) -> tuple[str, str]:
    """`spaces/lab/board` -> spaces, lab/board; `lab/board` -> models, lab/board."""
    kind, _, name = key.partition("/")
    return (kind, name) if kind in ("spaces", "datasets") else ("models", key)
