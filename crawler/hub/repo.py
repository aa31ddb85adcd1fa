"""May a repository of the Hugging Face Hub be read, and where does its branch end?

In: OWNER/NAME. Out: a HubRepo, with the addresses of what can be asked further. Start at
open_repo(). huggingface_hub knows the endpoint, the token and what a refusal means; the requests go
through `crawler.web.web`, since the Hub's own client has no limits for time, bytes and waits, and sends
the token to whatever the next page of a list names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from crawler.board import Board
from crawler.objects import MAX_BYTES
from crawler.source import CrawlError, Find, Pointer
from crawler.work import Work

if TYPE_CHECKING:
    from crawler.web.answer import Answer
    from crawler.web.web import Web

_FOLDERS = {"space": "spaces/", "dataset": "datasets/", "model": "", "bucket": "buckets/"}
_INFO_CAP = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HubRepo:
    """A repository that may be read.

    Attributes:
        where: its address as the definition names it, for messages.
        address: its address now, also of its git.
        api: address of what the API says of it.
        tip: the branch's newest commit.
        web: asks further; with the token, if there is one.
        token: of the person who crawls; None without.
    """

    where: str
    address: str
    api: str
    tip: str
    web: Web
    token: str | None

    def file(self, commit: str, path: str, kind: str = "resolve") -> str:
        """Address of a file as it was at a commit; `raw` has pointers in place of large files.

        A name is encoded once, letter by letter; only the slashes stay.
        """
        return f"{self.address}/{kind}/{commit}/{quote(path, safe='/')}"


@dataclass(frozen=True, slots=True)
class Hub:
    """The Hub, or the server that HF_ENDPOINT names.

    Attributes:
        endpoint: its address, without a slash at the end.
        token: of the person who crawls; None without.
        web: sends the token to the endpoint only.
    """

    endpoint: str
    token: str | None
    web: Web


def reach_hub(work: Work) -> Hub:
    """The Hub as the settings of this machine name it; nothing is asked yet.

    Raises:
        CrawlError: HF_HUB_OFFLINE is set, or the endpoint is no address.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read at import
    from huggingface_hub import constants, get_token

    from crawler.web.web import Web

    # Both are read anew: the library reads them once, when it is imported.
    endpoint = (os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")
    if constants.is_offline_mode():
        raise CrawlError(endpoint, "HF_HUB_OFFLINE is set", "Unset it to crawl")
    token = get_token()
    if token and not _is_hugging_face(endpoint):
        work(f"your Hugging Face token goes to {endpoint} (HF_ENDPOINT)")
    return Hub(endpoint, token, Web(work, token=token, home=endpoint))


def open_repo(board: Board, work: Work) -> HubRepo:
    """Ask the Hub for a board's repository: one request.

    Raises:
        CrawlError: missing, private, gated, disabled, a bad token, offline: a line for each.
    """
    hub, source = reach_hub(work), board.source
    where = f"{hub.endpoint}/{_FOLDERS[source.repo_type]}{source.repo}"
    work(f"asking {where}")
    asked = f"{hub.endpoint}/api/{source.repo_type}s/{source.repo}"
    if source.branch:
        asked += f"/revision/{quote(source.branch, safe='')}"
    answer = hub.web.get(f"{asked}?expand=sha", cap=_INFO_CAP)
    refuse(answer, where, source.branch)
    said = answer.json()
    name, tip = (said.get("id"), said.get("sha")) if isinstance(said, dict) else (None, None)
    if not isinstance(name, str) or name.count("/") != 1 or not isinstance(tip, str | None):
        fix = "Check HF_ENDPOINT, or crawl again later"
        raise CrawlError(where, "the answer is no repository information", fix)
    if not tip:
        raise CrawlError(where, "the repository is empty", "Crawl again when it has a commit")
    if not is_commit(tip):
        raise CrawlError(where, f"{tip[:60]!r} is no commit", "Check HF_ENDPOINT")
    if name != source.repo:
        work(f"{source.repo} is now called {name}; write that into board.toml")
    address = f"{hub.endpoint}/{_FOLDERS[source.repo_type]}{quote(name, safe='/')}"
    api = f"{hub.endpoint}/api/{source.repo_type}s/{quote(name, safe='/')}"
    return HubRepo(where, address, api, tip, hub.web, hub.token)


def refuse(answer: Answer, where: str, branch: str = "") -> None:
    """Say what an answer that is not 200 means; the Hub's own library tells it.

    Raises:
        CrawlError: the answer is a refusal.
    """
    if answer.status == 200:
        return
    import httpx2
    from huggingface_hub.errors import (
        BucketNotFoundError,
        DisabledRepoError,
        GatedRepoError,
        HfHubHTTPError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )
    from huggingface_hub.utils._http import hf_raise_for_status

    said = httpx2.Response(
        answer.status,
        headers=answer.headers,
        content=answer.body[:10_000],
        request=httpx2.Request("GET", answer.url),
    )
    try:
        hf_raise_for_status(said)
    except GatedRepoError:
        raise no_access(where, "gated: access has to be granted") from None
    except DisabledRepoError:
        raise CrawlError(where, "disabled by the Hub", "Ask its owner or the Hub") from None
    except (RepositoryNotFoundError, BucketNotFoundError):
        found = "no such repository, or a private one that you may not read"
        raise no_access(where, found) from None
    except RevisionNotFoundError:
        fix = "Correct `branch` in board.toml, or leave it out"
        found = f"no branch {branch!r}" if branch else "no such branch or commit"
        raise CrawlError(where, found, fix) from None
    except HfHubHTTPError:
        if answer.status == 401:
            fix = "Log in again with `hf auth login`, or unset HF_TOKEN"
            raise CrawlError(where, "your Hugging Face token is not valid (401)", fix) from None
    found = f"refused with status {answer.status}"
    raise CrawlError(where, found, "Open the page in a browser to see why")


def large_files(board: Board, work: Work) -> Find:
    """How to get what Git LFS and Xet keep beside a repository.

    The repository is asked for when the first file is; a content comes from another host, which
    gets no token.
    """
    opened: list[HubRepo] = []

    def find(commit: str, path: str, pointer: Pointer) -> bytes:
        from crawler.chain.lfs import too_large

        where = f"{board.name} @ {commit[:8]}: {path}"
        if pointer.size > MAX_BYTES:
            raise too_large(where, pointer.size)
        if not opened:
            opened.append(open_repo(board, work))
        repo = opened[0]
        answer = repo.web.fetch(repo.file(commit, path), cap=pointer.size + 1)
        refuse(answer, where)
        return answer.body

    return find


def no_access(where: str, found: str) -> CrawlError:
    """The error for what one may not see."""
    fix = f"Check the name; if {where} opens in your browser, run `hf auth login`"
    return CrawlError(where, found, fix)


def is_commit(text: Any) -> bool:
    """Whether a text is a full commit id.

    >>> is_commit("0" * 40), is_commit("main")
    (True, False)
    """
    return isinstance(text, str) and len(text) in (40, 64) and not text.strip("0123456789abcdef")


def _is_hugging_face(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    return host == "huggingface.co" or host.endswith(".huggingface.co")
