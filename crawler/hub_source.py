"""How does the history of a Space, dataset or model on the Hugging Face Hub get here?

In: OWNER/NAME. Out: its branch in our own bare repository. Start at HubSource. The Hub's API says
whether anything moved and why a repository cannot be read (one request); the content comes by
git (three), where one download per revision would be thousands.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from crawler.board import Board
from crawler.git_source import fetch_branch, login_settings
from crawler.objects import Objects
from crawler.source import CrawlError, Fetched, Progress

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_TIMEOUT = 20.0  # seconds for one answer
_TRIES = 3
_LONGEST_WAIT = 60.0  # seconds before one more try; a server may ask for any
_FOLDERS = {"space": "spaces/", "dataset": "datasets/", "model": ""}


class HubSource:
    """Repositories of the Hugging Face Hub, or of the server that HF_ENDPOINT names."""

    def fetch(
        self, board: Board, objects: Objects, known: str | None, progress: Progress
    ) -> Fetched:
        """Ask the Hub for the branch's newest commit; fetch the branch if it is a new one.

        Raises:
            CrawlError: missing, private, gated, disabled, a bad token, offline: a line for each.
        """
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read at import: one request less
        from huggingface_hub import HfApi, get_token

        endpoint = os.environ.get("HF_ENDPOINT", "").rstrip("/")
        api = HfApi(endpoint=endpoint or None, library_name="ranktrail")
        source, branch = board.source, board.source.branch
        where = f"{api.endpoint}/{_FOLDERS[source.repo_type]}{source.repo}"
        token = get_token()
        if token and not _is_hugging_face(api.endpoint):
            progress(f"your Hugging Face token goes to {api.endpoint} (HF_ENDPOINT)")
        progress(f"asking {where}")
        info = _ask(api, board, where)
        if not info.sha:
            raise CrawlError(where, "the repository is empty", "Crawl again when it has a commit")
        if info.id != source.repo:
            progress(f"{source.repo} is now called {info.id}; write that into board.toml")
        if info.sha == known and objects.holds(info.sha):
            return Fetched(info.sha, False)
        address = f"{api.endpoint}/{_FOLDERS[source.repo_type]}{info.id}"
        progress(f"fetching {address}")
        settings = login_settings(address, "user", token) if token else {}
        try:
            return Fetched(fetch_branch(objects, address, branch, settings), True)
        except CrawlError as error:
            if "authentication needed" in error.found:
                raise _no_access(where, "gated or private: its files are refused") from None
            raise


def _ask(api: HfApi, board: Board, where: str) -> Any:
    """What the Hub says about a repository; a passing trouble is tried again, a few times."""
    import httpx2
    from huggingface_hub.errors import (
        DisabledRepoError,
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    source = board.source
    for attempt in range(1, _TRIES + 1):
        try:
            return api.repo_info(
                source.repo,
                repo_type=source.repo_type,
                revision=source.branch or None,
                expand=["sha"],  # type: ignore[arg-type]  # sha is known for every kind
                timeout=_TIMEOUT,
            )
        except GatedRepoError:
            raise _no_access(where, "gated: access has to be granted") from None
        except DisabledRepoError:
            raise CrawlError(where, "disabled by the Hub", "Ask its owner or the Hub") from None
        except RepositoryNotFoundError:
            found = "no such repository, or a private one that you may not read"
            raise _no_access(where, found) from None
        except RevisionNotFoundError:
            fix = "Correct `branch` in board.toml, or leave it out"
            raise CrawlError(where, f"no branch {source.branch!r}", fix) from None
        except OfflineModeIsEnabled:
            raise CrawlError(where, "HF_HUB_OFFLINE is set", "Unset it to crawl") from None
        except HFValidationError as error:
            raise CrawlError(where, str(error).splitlines()[0], "Correct `repo`") from None
        except HfHubHTTPError as error:
            status, wait = error.response.status_code, _asked_to_wait(error.response.headers)
            if status == 401:
                fix = "Log in again with `hf auth login`, or unset HF_TOKEN"
                raise CrawlError(where, "your Hugging Face token is not valid (401)", fix) from None
            if status not in (408, 429) and status < 500:
                found = f"refused with status {status}"
                raise CrawlError(where, found, "Open the page in a browser to see why") from None
            problem = "too many requests" if status == 429 else "the Hub has trouble"
            problem = f"{problem} (status {status})"
        except httpx2.TransportError as error:
            wait, problem = 0.0, f"cannot be reached ({error or type(error).__name__})"
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            found = f"the answer is no repository information ({type(error).__name__})"
            raise CrawlError(where, found, "Check HF_ENDPOINT, or crawl again later") from None
        wait = max(wait, float(attempt))
        if wait > _LONGEST_WAIT or attempt == _TRIES:
            raise CrawlError(where, problem, f"Crawl again in {wait:.0f} seconds or more")
        time.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _no_access(where: str, found: str) -> CrawlError:
    fix = f"Check the name; if {where} opens in your browser, run `hf auth login`"
    return CrawlError(where, found, fix)


def _asked_to_wait(headers: Any) -> float:
    """Seconds that the Hub asks to wait, by `RateLimit` or `Retry-After`; 0 if it does not say."""
    seconds = dict(
        part.strip().partition("=")[::2] for part in headers.get("RateLimit", "").split(";")
    )
    for text in (seconds.get("t", ""), headers.get("Retry-After", "")):
        if text.isdecimal():
            return float(text) + 1
    return 0.0


def _is_hugging_face(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    return host == "huggingface.co" or host.endswith(".huggingface.co")
