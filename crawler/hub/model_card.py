"""What does a model's repository on the Hub say of the model?

In: which repository. Out: ModelFiles: its card and other small texts at one commit. Start at
model_files(). Nothing but the files that are asked for is fetched, and no git.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from crawler.board import Board, Source
from crawler.hub.files import File, HubFiles, Lost
from crawler.hub.repo import HubRepo, open_repo
from crawler.paths import Paths
from crawler.source import CrawlError
from crawler.web.answer import clean
from crawler.work import Work

MOST_FILES = 50  # of one kind
MOST_BYTES = 1_000_000  # of one file; cards have some thousand
_LETTERS = 120  # of a name that is shown


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """What was found.

    Attributes:
        commit: full id.
        at: its time, UTC; None where the Hub does not say it.
        files: path -> bytes, and address at the commit.
        left_out: files that were not read, and why; for people.
    """

    commit: str
    at: datetime | None
    files: Mapping[str, tuple[bytes, str]]
    left_out: tuple[str, ...]


def model_files(source: Source, paths: Sequence[str], work: Work) -> ModelFiles:
    """Ask the Hub for some files of a model, at one commit.

    Args:
        source: the repository; its branch may be a tag or a commit.
        paths: names and patterns.
        work: told what is asked.

    Raises:
        CrawlError: missing, private, gated, disabled, a bad token, offline: a line for each.
    """
    repo = _open(source, work)
    with repo.web:
        asked = HubFiles(repo, [Paths(paths)])
        try:
            listed = asked.at(repo.tip)
        except Lost:
            found = f"the commit {repo.tip[:8]} cannot be had"
            raise CrawlError(repo.where, found, "Try again later") from None
        names = sorted(listed, key=lambda path: (path not in paths, path))
        left_out: list[str] = []
        if len(names) > MOST_FILES:
            left_out.append(f"{len(names):,} files; the first {MOST_FILES} are read")
        files = {}
        for name in names[:MOST_FILES]:
            read = _read(repo, asked, listed[name])
            if isinstance(read, str):
                left_out.append(f"{clean(name, _LETTERS)}: {read}")
            else:
                files[name] = read, repo.file(repo.tip, name, "blob")
        return ModelFiles(repo.tip, _time(repo), files, tuple(left_out))


def _open(source: Source, work: Work) -> HubRepo:
    board = Board(source.repo, source.repo, "", source, {}, Path(), "", "")
    try:
        return open_repo(board, work)
    except CrawlError as error:
        found, fix = error.found, error.fix
        if found.startswith("no branch"):
            found = f"no revision {source.branch!r}"
            fix = "Correct --revision, or leave it out"
        fix = fix.replace("Crawl again", "Try again").replace("crawl again", "try again")
        raise CrawlError(error.where, found, fix, passing=error.passing) from None


def _read(repo: HubRepo, asked: HubFiles, file: File) -> bytes | str:
    """The bytes of a file; or why it is no text of a size that a person could have written."""
    if file.size > MOST_BYTES:
        return f"{file.size:,} bytes; at most {MOST_BYTES:,} are read"
    if file.pointer:
        return "Git LFS keeps it"
    kept = asked.content(repo.tip, file)
    return kept.why or "" if kept.data is None else kept.data


def _time(repo: HubRepo) -> datetime | None:
    from huggingface_hub.utils._datetime import parse_datetime

    try:
        answer = repo.web.get(f"{repo.api}/commits/{repo.tip}?limit=1&p=0", cap=MOST_BYTES)
        newest = answer.json()[0] if answer.status == 200 else {}
        if newest["id"] != repo.tip:
            return None
        return parse_datetime(newest["date"]).astimezone(UTC).replace(microsecond=0)
    except (CrawlError, LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return None
