"""Which repository, and which file in it, does an address mean?

In: what somebody typed or copied from a browser. Out: a Place, the [source] of a definition in the
making. Start at place_of(). Nothing is fetched here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from crawler.board import BoardError, file_name_of

_HUB = ("huggingface.co", "hf.co", "www.huggingface.co")
_TYPES: dict[str, Literal["space", "dataset", "model", "bucket"]] = {
    "spaces": "space",
    "datasets": "dataset",
    "models": "model",
    "buckets": "bucket",
}
_FILE_WORDS = ("blob", "resolve", "raw", "edit", "blame", "tree")
_RAW_GITHUB = "raw.githubusercontent.com"
_RAW_GIST = "gist.githubusercontent.com"
_GIT_HOSTS = ("github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.sr.ht")
_DATA = re.compile(r"(?i)[^/]\.(csv|tsv|jsonl?|ndjson|ya?ml|md|markdown|html?|parquet|js)")
_FIX = "Give hf://spaces/OWNER/NAME, an address, or a local repository or bundle"
_SHOWN = 60  # letters of a text that is no address


@dataclass(frozen=True, slots=True)
class Place:
    """Where a board could come from.

    Attributes:
        kind: hub, git, or url for a file that is looked at from time to time.
        repo: OWNER/NAME on the Hub; what git fetches from, local paths absolute; or the address
            of the file.
        repo_type: what the Hub repository is.
        branch: empty for the repository's own.
        path: the file that the address names; empty if it names none.
        name: a short word for it, for people and folders.
    """

    kind: Literal["hub", "git", "url"]
    repo: str
    repo_type: Literal["space", "dataset", "model", "bucket"] = "space"
    branch: str = ""
    path: str = ""
    name: str = ""


def place_of(text: str) -> Place:
    """Understand an address.

    Args:
        text: hf://spaces/OWNER/NAME (datasets, models, buckets), an address of the Hub or of a
            git host as a browser shows it, of a file too; anything that git clones; the address
            of a data file elsewhere; a local repository or bundle.

    Raises:
        BoardError: it is none of these.

    >>> place_of("hf://spaces/moss/board").repo, place_of("hf://moss/fern").repo_type
    ('moss/board', 'model')
    >>> place = place_of("https://github.com/moss/board/blob/main/data/a%20b.csv")
    >>> place.repo, place.branch, place.path
    ('https://github.com/moss/board', 'main', 'data/a b.csv')
    >>> place_of("https://github.com/moss/board/tree/dev").branch
    'dev'
    >>> place_of("https://example.org/data/board.csv?v=2").kind
    'url'
    """
    text = text.strip()
    if text.startswith("hf://"):
        return _hub(text, text.removeprefix("hf://").split("/"))
    if (local := _local_of(text)) is not None:
        return _local(text, local)
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").lower()
    except ValueError as error:  # a bracket without its other half
        raise BoardError(text, f"no address: {error}", _FIX) from None
    if parts.scheme in ("http", "https") and host in _HUB:
        return _hub(text, unquote(parts.path).strip("/").split("/"))
    if parts.scheme in ("http", "https") and host == _RAW_GITHUB:
        steps = unquote(parts.path).strip("/").split("/")
        if len(steps) > 3:
            steps = steps[:2] + steps[4:] if steps[2:4] == ["refs", "heads"] else steps
            return _git(f"https://github.com/{steps[0]}/{steps[1]}", steps[2], "/".join(steps[3:]))
    if parts.scheme in ("http", "https") and host == _RAW_GIST and is_data_file(parts.path):
        return _polled(text)
    if parts.scheme in ("http", "https"):
        place = _web(text)
        is_page = place.path or place.branch or host.removeprefix("www.") in _GIT_HOSTS
        return _polled(text) if is_data_file(parts.path) and not is_page else place
    if parts.scheme in ("ssh", "git", "file") or re.fullmatch(r"[^@/\s]+@[^:\s]+:[^\s]+", text):
        return _git(text)
    where = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} letters)"
    raise BoardError(where or "SOURCE", "no folder, bundle or address of that name", _FIX)


def is_data_file(path: str) -> bool:
    """Whether a name ends like a file that could hold a board.

    >>> is_data_file("a/board.CSV"), is_data_file("a/board.git"), is_data_file("a/.csv")
    (True, False, False)
    """
    return _DATA.fullmatch(path[path.rfind(".") - 1 :] if "." in path else "") is not None


def _local_of(text: str) -> Path | None:
    """The folder or file that a text names; None if there is none."""
    if not text:
        return None
    try:
        local = Path(text).expanduser()
        return local if local.is_dir() or local.is_file() else None
    except (OSError, ValueError, RuntimeError):  # too long, or the home of nobody
        return None


def _hub(text: str, steps: list[str]) -> Place:
    steps = [step for step in steps if step]
    repo_type = _TYPES.get(steps[0], "model") if steps else "model"
    rest = steps[1:] if steps and steps[0] in _TYPES else steps
    if repo_type == "bucket" and len(rest) > 1:
        # What a bucket holds has no branch and no commit in its address.
        inside = rest[3:] if len(rest) > 2 and rest[2] in _FILE_WORDS else rest[2:]
        path = "/".join(inside) if rest[2:3] != ["tree"] else ""
        return Place("hub", f"{rest[0]}/{rest[1]}", repo_type, path=path, name=rest[1])
    if len(rest) < 2:
        raise BoardError(text, "no repository of the Hub", "Give hf://spaces/OWNER/NAME")
    repo, branch, path = f"{rest[0]}/{rest[1]}", "", ""
    if len(rest) > 3 and rest[2] in _FILE_WORDS:
        branch, path = _branch(rest[3]), "/".join(rest[4:])
    elif text.startswith("hf://") and len(rest) > 2:
        path = "/".join(rest[2:])
    return Place("hub", repo, repo_type, branch, path, rest[1])


def _web(text: str) -> Place:
    """A page of a git host: what stands before the word for a file is the repository."""
    steps = text.split("/")
    for number, step in enumerate(steps[5:], 5):
        if step in _FILE_WORDS and len(steps) > number + (1 if step == "tree" else 2):
            repo = "/".join(steps[: number - 1 if steps[number - 1] in ("-", "src") else number])
            path = unquote(urlsplit("/".join(steps[number + 2 :])).path)
            return _git(repo, unquote(steps[number + 1]), path)
    return _git(text)


def _local(text: str, local: Path) -> Place:
    path = local.resolve()
    if path.is_file() and path.suffix != ".bundle":
        for folder in path.parents:
            if (folder / ".git").exists():
                inside = path.relative_to(folder).as_posix()
                return Place("git", str(folder), path=inside, name=_word(folder.name))
        fix = "Give a repository, a bundle, or a file inside a repository"
        raise BoardError(text, "this file stands in no git repository", fix)
    return Place("git", str(path), name=_word(path.name))


def _polled(url: str) -> Place:
    name = file_name_of(url)
    return Place("url", url, path=name, name=name.rpartition(".")[0])


def _git(repo: str, branch: str = "", path: str = "") -> Place:
    return Place("git", repo, branch=_branch(branch), path=path, name=_word(repo.rstrip("/")))


def _branch(name: str) -> str:
    """A branch; a permalink names a commit instead, which is on the repository's own."""
    return "" if re.fullmatch(r"[0-9a-f]{40}", name) or name == "HEAD" else name


def _word(address: str) -> str:
    last = re.split(r"[/:]", address)[-1]
    return re.sub(r"\.(git|bundle)$", "", last)
