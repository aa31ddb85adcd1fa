"""Where can the commits and files of a board be seen?

In: a board's source. Out: Links; nothing where no page is known. Start at links_of().
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from crawler.board import Source

_HUB = "https://huggingface.co"
_HUB_FOLDERS = {"space": "spaces/", "dataset": "datasets/", "model": ""}


@dataclass(frozen=True, slots=True)
class Links:
    """Where commits and files of a repository can be seen; both begin with it."""

    commits: str
    files: str

    def commit(self, commit: str) -> str:
        """Address of a commit."""
        return f"{self.commits}/{commit}"

    def file(self, commit: str, path: str) -> str:
        """Address of a file as it was at a commit."""
        return f"{self.files}/{commit}/{quote(path, safe='/')}"


def links_of(source: Source) -> Links | None:
    """Where the commits of a source can be seen; None where no page is known.

    >>> github = Source(kind="git", repo="git@github.com:moss/board.git", paths=["a.csv"])
    >>> links_of(github).file("f0", "a b.csv")
    'https://github.com/moss/board/blob/f0/a%20b.csv'
    >>> gitlab = Source(kind="git", repo="https://me:pw@gitlab.com/moss/x/board", paths=["a.csv"])
    >>> links_of(gitlab).commit("f0")
    'https://gitlab.com/moss/x/board/-/commit/f0'
    """
    if source.is_polled:
        return None
    if source.kind == "hub":
        endpoint = (os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
        page = f"{endpoint}/{_HUB_FOLDERS[source.repo_type]}{source.repo}"
        return Links(f"{page}/commit", f"{page}/blob") if is_web(page) else None
    host, path = _host_and_path(source.repo)
    if not re.fullmatch(r"[\w.~-]+(?:/[\w.~-]+)+", path, re.ASCII):
        return None
    page = f"https://{host}/{path}"
    if host in ("github.com", "huggingface.co"):
        return Links(f"{page}/commit", f"{page}/blob")
    if host == "gitlab.com" or host.startswith("gitlab."):
        return Links(f"{page}/-/commit", f"{page}/-/blob")
    return None


def is_web(address: str | None) -> bool:
    """Whether an address can be a link: nothing but a page is opened by it.

    >>> is_web("https://example.org/a"), is_web("javascript:alert(1)"), is_web("card.csv")
    (True, False, False)
    """
    if not address or re.search(r"[\s\x00-\x1f\x7f]", address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _host_and_path(repo: str) -> tuple[str, str]:
    """Host and path of what git fetches from, without a login; empty for a local one."""
    scp = re.fullmatch(r"[\w.-]+@([\w.-]+):([^\s:]+)", repo)
    if scp:
        host, path = scp[1], scp[2]
    else:
        try:
            parts = urlsplit(repo)
            host = parts.hostname or "" if parts.scheme in ("https", "http", "ssh", "git") else ""
        except ValueError:
            return "", ""
        path = parts.path
    return host.lower(), path.strip("/").removesuffix(".git")
