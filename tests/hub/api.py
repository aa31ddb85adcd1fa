"""What does the Hub's API say of a repository?

In: a request under /api/spaces, /api/datasets or /api/models. Out: information, refs, commits,
trees and paths as JSON, paged by `Link` headers. Start at answer().
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from tests.hub.access import KINDS, Repo, opened, unknown
from tests.hub.lfs import xet_hash
from tests.hub.messages import Answer, Refused, Request, as_json, error
from tests.hub.repository import Entry

_VERBS = ("revision", "refs", "commits", "tree", "paths-info", "xet-read-token")
_MOST_COMMITS, _COMMITS, _MOST_ENTRIES, _EXPANDED_ENTRIES = 1000, 50, 1000, 50
_COMMIT = "%H%x1f%an%x1f%ct%x1f%s%x1f%b%x1f%(trailers:key=Co-authored-by,valueonly)%x1e"


def answer(repos: dict[str, Repo], request: Request) -> Answer:
    """Answer a question to the API.

    Raises:
        Refused: with the error to send.
    """
    kind, name, verb, rest = _parsed(request)
    key = name if kind == "models" else f"{kind}/{name}"
    repo = opened(repos, key, request, files=verb in ("tree", "paths-info"))
    if verb == "refs":
        return _refs(repo, request)
    if verb in ("", "revision"):
        return _info(repo, name, rest[0] if rest else "", request)
    if verb in ("commits", "tree", "paths-info") and rest:
        commit = commit_of(repo, rest[0])
        answers: dict[str, Callable[[], Answer]] = {
            "commits": lambda: _commits(repo, commit, request),
            "tree": lambda: _tree(repo, commit, "/".join(rest[1:]), request),
            "paths-info": lambda: _paths_info(repo, commit, request),
        }
        return answers[verb]()
    return error(404, message="Not found")


def commit_of(repo: Repo, revision: str) -> str:
    """The full id of a revision of a repository.

    Raises:
        Refused: there is none.
    """
    commit = repo.repository.commit_of(revision)
    if commit is None:
        raise Refused(error(404, "RevisionNotFound", f"Invalid rev id: {revision}"))
    return commit


def page(items: list[Any], request: Request, size: int) -> Answer:
    """One page of a listing, by a cursor that only the server understands."""
    start = int(request.query.get("cursor", ["c0"])[0].removeprefix("c"))
    size = min(int(request.query.get("limit", [size])[0]), size)
    headers = _next(request, cursor=f"c{start + size}") if len(items) > start + size else {}
    return as_json(items[start : start + size], headers)


def moment(seconds: float) -> str:
    """A time as the Hub writes it: UTC, milliseconds."""
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def asked_paths(request: Request) -> tuple[list[str], bool]:
    """The paths of a question, and whether more is asked of each; sent as a form or as JSON."""
    if "json" in request.headers.get("Content-Type", ""):
        sent = json.loads(request.body)
        paths = sent["paths"]
        return [paths] if isinstance(paths, str) else paths, bool(sent.get("expand"))
    form = parse_qs(request.body.decode(), keep_blank_values=True)
    return form.get("paths", []), form.get("expand", [""])[0].lower() == "true"


def _parsed(request: Request) -> tuple[str, str, str, list[str]]:
    """Kind, name, what is asked, and the rest: /api/KIND/[OWNER/]NAME[/VERB[/REST]]."""
    _, kind, *parts = request.parts()
    if kind not in KINDS or not parts:
        raise Refused(unknown(request) if parts else error(404, message="Not found"))
    length = 1 if len(parts) > 1 and parts[1] in _VERBS else 2
    verb, *rest = parts[length:] or [""]
    return kind, "/".join(parts[:length]), verb, rest


def _info(repo: Repo, name: str, revision: str, request: Request) -> Answer:
    repository = repo.repository
    sha = commit_of(repo, revision) if revision else repository.commit_of(repository.head())
    born = "2026-01-01T00:00:00.000Z"

    def changed() -> str:
        return moment(float(repository.git("log", "-1", "--format=%ct", sha))) if sha else born

    def siblings() -> list[dict[str, Any]]:
        blobs = request.query.get("blobs", [""])[0] == "true"
        entries = repository.entries(sha, "", recursive=True) if sha else None
        return [_sibling(entry, blobs) for entry in entries or [] if entry.kind == "file"]

    known: dict[str, Callable[[], Any]] = {
        "id": lambda: name,
        "author": lambda: name.rpartition("/")[0],
        "sha": lambda: sha,
        "lastModified": changed,
        "createdAt": lambda: born,
        "private": lambda: repo.private,
        "gated": lambda: "auto" if repo.gated else False,
        "disabled": lambda: repo.disabled,
        "likes": lambda: 0,
        "tags": list,
        "siblings": siblings,
    }
    wanted = request.query.get("expand", []) + request.query.get("expand[]", [])
    names = [key for key in known if key in ("id", *wanted)] if wanted else list(known)
    return as_json({key: known[key]() for key in names})


def _sibling(entry: Entry, blobs: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"rfilename": entry.path}
    if blobs:
        told |= {"size": entry.size, "blobId": entry.oid}
        if pointer := entry.pointer:
            told["size"] = pointer.size
            told["lfs"] = {
                "sha256": pointer.sha256,
                "size": pointer.size,
                "pointerSize": pointer.pointer_size,
            }
    return told


def _refs(repo: Repo, request: Request) -> Answer:
    peeled = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"
    told: dict[str, list[dict[str, str]]] = {"branches": [], "converts": [], "tags": []}
    groups = {"refs/heads/": "branches", "refs/convert/": "converts", "refs/tags/": "tags"}
    if request.query.get("include_prs", [""])[0] in ("1", "true"):
        told["pullRequests"] = []
        groups["refs/pr/"] = "pullRequests"
    for line in repo.repository.git("for-each-ref", f"--format={peeled} %(refname)").splitlines():
        target, _, ref = line.partition(" ")
        for start, group in groups.items():
            if ref.startswith(start):
                short = ref.removeprefix(start)
                told[group].append({"name": short, "ref": ref, "targetCommit": target})
    return as_json(told)


def _commits(repo: Repo, commit: str, request: Request) -> Answer:
    """One page of the flat list: newest first as git log orders it, nothing about parents."""
    number = int(request.query.get("p", ["0"])[0])
    limit = min(max(int(request.query.get("limit", [_COMMITS])[0]), 1), _MOST_COMMITS)
    formatted = "formatted" in request.query.get("expand[]", []) + request.query.get("expand", [])
    git = repo.repository.git
    total = int(git("rev-list", "--count", commit))
    window = [f"--skip={number * limit}", f"--max-count={limit}"]
    listed = git("log", *window, f"--format={_COMMIT}", commit)
    told = [
        _commit(*line.lstrip("\n").split("\x1f"), formatted=formatted)
        for line in listed.split("\x1e")
        if line.strip()
    ]
    headers = {"X-Total-Count": str(total)}
    if (number + 1) * limit < total:
        headers |= _next(request, p=str(number + 1), limit=str(limit))
    return as_json(told, headers)


def _commit(
    sha: str, author: str, seconds: str, title: str, body: str, helpers: str, *, formatted: bool
) -> dict[str, Any]:
    users = [author, *(line.partition("<")[0].strip() for line in helpers.splitlines() if line)]
    message = body.strip("\n")
    told: dict[str, Any] = {
        "id": sha,
        "title": title,
        "message": message,
        "authors": [{"user": user, "avatar": ""} for user in users],
        "date": moment(float(seconds)),
    }
    if formatted:
        told["formatted"] = {"title": html.escape(title), "message": html.escape(message)}
    return told


def _tree(repo: Repo, commit: str, folder: str, request: Request) -> Answer:
    recursive, expand = (
        request.query.get(name, [""])[0].lower() in ("true", "1")
        for name in ("recursive", "expand")
    )
    entries = repo.repository.entries(commit, folder.strip("/"), recursive)
    if entries is None:
        message = f"{folder} does not exist on {commit}"
        return error(404, "EntryNotFound", message, {"X-Repo-Commit": commit})
    size = _EXPANDED_ENTRIES if expand else _MOST_ENTRIES
    answer = page([_item(repo, entry) for entry in entries], request, size)
    return _expanded(repo, commit, answer) if expand else answer


def _paths_info(repo: Repo, commit: str, request: Request) -> Answer:
    paths, expand = asked_paths(request)
    found = (repo.repository.entry(commit, path.strip("/")) for path in paths)
    answer = as_json([_item(repo, entry) for entry in found if entry is not None])
    return _expanded(repo, commit, answer) if expand else answer


def _item(repo: Repo, entry: Entry) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": entry.kind,
        "oid": entry.oid,
        "size": entry.size,
        "path": entry.path,
    }
    if pointer := entry.pointer:
        told["size"] = pointer.size
        told["lfs"] = {
            "oid": pointer.sha256,
            "size": pointer.size,
            "pointerSize": pointer.pointer_size,
        }
        if repo.xet:
            told["xetHash"] = xet_hash(pointer.sha256)
    return told


def _expanded(repo: Repo, commit: str, answer: Answer) -> Answer:
    """Say of every item when it was changed last."""
    items = json.loads(answer.body)
    for item in items:
        shape = "--format=%H%x1f%ct%x1f%s"
        told = repo.repository.git("log", "-1", shape, commit, "--", f":(literal){item['path']}")
        sha, seconds, title = told.rstrip("\n").split("\x1f")
        item["lastCommit"] = {"id": sha, "title": title, "date": moment(float(seconds))}
        if item["type"] == "file":
            scan = {"status": "safe"}
            item["securityFileStatus"] = {
                "status": "safe",
                "avScan": scan,
                "pickleImportScan": scan,
            }
    headers = {name: value for name, value in answer.headers.items() if name == "Link"}
    return as_json(items, headers)


def _next(request: Request, **changed: str) -> dict[str, str]:
    """The header that names the next page: this address with some values changed."""
    query = {name: values for name, values in request.query.items() if name not in changed}
    asked = urlencode(query | changed, doseq=True, quote_via=quote)
    return {"Link": f'<{request.base}{request.place}?{asked}>; rel="next"'}
