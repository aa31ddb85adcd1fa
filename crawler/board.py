"""What is a board, and where does its file come from?

In: the text of a `board.toml`. Out: a Board. Start at load_board(). Only name, title,
reconstruction and [source] are understood here; the other tables are kept as they are
for `history.meaning`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from crawler.errors import TypedError
from crawler.paths import is_pattern, what_is_wrong_with
from crawler.toml_lines import line_of

__all__ = [
    "Board",
    "BoardError",
    "Source",
    "did_you_mean",
    "is_board_name",
    "line_of",
    "load_board",
    "nearest",
    "ready_made",
]

FILE_NAME = "board.toml"
READY_MADE = Path(__file__).parent / "boards"
TABLES = ("source", "table", "splits", "ties", "edition", "formula", "aliases")
LISTS = ("since", "alias", "ignore", "note")
TOP = ("name", "title", "reconstruction", *TABLES, *LISTS)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HUB_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(//|:)")
_SCP = re.compile(r"(?:[^@/\\:\s]+@)?[A-Za-z0-9][A-Za-z0-9.-]+:(?!//)[^\s]+")
_COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
_TRANSPORTS = ("https", "http", "ssh", "git", "file")


class BoardError(TypedError):
    """A board's definition, or something else that the user typed, cannot be used.

    >>> print(BoardError("a/board.toml:3", "unknown key 'pahts'", "Did you mean paths?"))
    a/board.toml:3: unknown key 'pahts'. Did you mean paths?
    """


class Source(BaseModel):
    """The [source] table: which file of which repository.

    Attributes:
        kind: "hub" for a repository on the Hugging Face Hub, "git" for any other, "url" for a
            file at an address, which is looked at from time to time.
        repo: OWNER/NAME on the Hub; the address of a git repository: https, http, ssh,
            git, file, a local folder or a bundle, where a relative path is relative to the
            definition's folder; or the address of the file (https, http).
        repo_type: what the Hub repository is. A bucket keeps no history, so its files are looked
            at from time to time, like those at an address.
        branch: empty for the repository's own default branch, also when that is renamed.
        paths: names and patterns of files in the repository, see `crawler.paths`; the first
            item of which a file exists at a commit counts. A file at an address is called like
            the end of the address.
        newest: which of the files of one pattern is the board: "commit", the one that was
            changed last along the published line, or "date in the file name", the one with
            the greatest.
        starts: commit or date from which on the files hold this board; empty for all.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: Literal["hub", "git", "url"]
    repo: str
    repo_type: Literal["space", "dataset", "model", "bucket"] = "space"
    branch: str = ""
    paths: list[str]
    newest: Literal["commit", "date in the file name"] = "commit"
    starts: str | datetime | date = ""

    @property
    def is_polled(self) -> bool:
        """Whether it has no history of its own: what is known of it is what looks found."""
        return self.kind == "url" or (self.kind == "hub" and self.repo_type == "bucket")

    @model_validator(mode="before")
    @classmethod
    def _named_by_its_address(cls, content: Any) -> Any:
        if isinstance(content, dict) and content.get("kind") == "url" and "paths" not in content:
            return content | {"paths": [file_name_of(str(content.get("repo", "")))]}
        return content

    @field_validator("repo", "branch")
    @classmethod
    def _not_an_option(cls, text: str) -> str:
        if text.startswith("-"):
            raise ValueError("it begins with '-' and could be read as an option")
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
            raise ValueError("it holds a control character")
        return text

    @field_validator("branch")
    @classmethod
    def _plain_branch(cls, text: str) -> str:
        # The rules of git check-ref-format; a refspec or a revision expression breaks one.
        wrong = re.search(r"[\s~^:?*\[\\]|\.\.|@\{", text) or text == "@" or text.endswith(".")
        parts = text.split("/")
        if text and (wrong or any(p == "" or p[0] == "." or p.endswith(".lock") for p in parts)):
            raise ValueError("it is not the name of a branch")
        return text

    @field_validator("paths")
    @classmethod
    def _plain_paths(cls, paths: list[str]) -> list[str]:
        if not paths:
            raise ValueError("it is empty; name at least one file")
        for path in paths:
            if wrong := _what_is_wrong_with(path):
                raise ValueError(f"{path!r} {wrong}")
        if len(set(paths)) < len(paths):
            raise ValueError("a file is named twice")
        return paths

    @field_validator("starts")
    @classmethod
    def _commit_or_date(cls, starts: str | datetime | date) -> str | datetime | date:
        if isinstance(starts, str) and starts and not _COMMIT.fullmatch(starts):
            try:
                return datetime.fromisoformat(starts)
            except ValueError:
                raise ValueError("it is neither a commit (7 to 40 hex digits) nor a date") from None
        return starts

    @model_validator(mode="after")
    def _known_address(self) -> Source:
        if self.kind == "hub":
            names = self.repo.split("/")
            plain = len(names) == 2 and all(_HUB_NAME.fullmatch(name) for name in names)
            if not plain or "--" in self.repo or ".." in self.repo or len(self.repo) > 96:
                raise ValueError("repo: a Hub repository is named OWNER/NAME")
            if self.is_polled:
                self._refuse_what_polls_lack()
            return self
        if not self.repo.strip():
            raise ValueError("repo: it is empty")
        if self.kind == "url":
            self._refuse_what_no_address_has()
            return self
        scheme = _SCHEME.match(self.repo)
        if scheme and (scheme[2] != "//" or scheme[1].lower() not in _TRANSPORTS):
            raise ValueError(
                f"repo: {scheme[0]!r} is not a transport for git; known are {', '.join(_TRANSPORTS)}"
            )
        if scheme and self.repo[scheme.end() :].rpartition("@")[2].startswith("-"):
            raise ValueError("repo: its host begins with '-' and could be read as an option")
        return self

    def _refuse_what_no_address_has(self) -> None:
        scheme = _SCHEME.match(self.repo)
        if (
            not scheme
            or scheme[1].lower() not in ("https", "http")
            or not urlsplit(self.repo).hostname
        ):
            raise ValueError("repo: the address of a file begins with https:// or http://")
        if len(self.paths) > 1:
            raise ValueError("paths: at an address there is one file")
        self._refuse_what_polls_lack()

    def _refuse_what_polls_lack(self) -> None:
        if self.branch:
            raise ValueError("branch: without a history there are no branches")
        if any(is_pattern(path) for path in self.paths):
            raise ValueError("paths: without a history files are named one by one, not by patterns")
        if isinstance(self.starts, str) and self.starts:
            raise ValueError("starts: without a history it is a date")


@dataclass(frozen=True)
class Board:
    """One leaderboard, as its definition describes it.

    Attributes:
        name: the name of its folder in the store.
        title: what people read; the name if there is none.
        reconstruction: not empty where the history is not the original one.
        source: the [source] table.
        rest: all other tables of the definition, as TOML gives them.
        folder: where the definition stands; relative repositories start here.
        text: the definition as written, for line numbers in errors.
        digest: sha256 of the parsed content; comments and layout do not change it.
    """

    name: str
    title: str
    reconstruction: str
    source: Source
    rest: dict[str, Any]
    folder: Path
    text: str
    digest: str

    @property
    def file_per_entry(self) -> bool:
        """Whether every file holds one entry (`entry = "@file"`), so that all are read together.

        The one word of [table] that decides which commits are versions.
        """
        return bool(self.rest.get("table", {}).get("entry") == "@file")

    @property
    def is_local(self) -> bool:
        """Whether the source is a folder or a bundle on this machine, named by its path."""
        repo = self.source.repo
        remote = _SCHEME.match(repo) or (_SCP.fullmatch(repo) and not (self.folder / repo).exists())
        return self.source.kind == "git" and not remote

    @property
    def address(self) -> str:
        """Where git finds the source: an absolute path if it is local, else as written."""
        if not self.is_local:
            return self.source.repo
        path = Path(self.source.repo).expanduser()
        return str(path if path.is_absolute() else (self.folder / path).resolve())


def file_name_of(address: str) -> str:
    """What a file at an address is called.

    >>> file_name_of("https://example.org/a/board.csv?v=2"), file_name_of("https://example.org/")
    ('board.csv', 'index')
    >>> file_name_of("https://example.org/board[1].csv")  # brackets would make it a pattern
    'board_1].csv'
    """
    try:
        last = unquote(urlsplit(address).path).rpartition("/")[2]
    except ValueError:  # no address at all; told of elsewhere
        last = ""
    last = re.sub(r"[*?\[]", "_", last)
    return last if last and not _what_is_wrong_with(last) else "index"


def load_board(path: Path) -> Board:
    """Read one definition.

    The board is named like its folder (`<name>/board.toml`), a definition on its own like its
    file (`<name>.toml`); a `name` inside must say the same, so that a board has one name.

    Raises:
        BoardError: with the line of the key, what was found there and what was expected.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        content = tomllib.loads(text)
    except FileNotFoundError:
        raise BoardError(str(path), "no such file", "Write a definition there") from None
    except OSError as error:
        raise BoardError(str(path), error.strerror or str(error), "Make it readable") from None
    except UnicodeDecodeError as error:
        raise BoardError(
            str(path), f"not UTF-8 at byte {error.start}", "Save it as UTF-8"
        ) from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = re.search(r"\(at line (\d+), column \d+\)", message)
        where = f"{path}:{line[1]}" if line else f"{path}:{len(text.splitlines())}"
        found = message.replace(line[0], "").strip() if line else message
        raise BoardError(where, f"not TOML: {found}", "Mend this line") from None

    def wrong(keys: tuple[str | int, ...], found: str, fix: str) -> BoardError:
        line = line_of(text, *keys)
        return BoardError(f"{path}:{line}" if line else str(path), found, fix)

    _check_top(content, wrong)
    expected = path.resolve().parent.name if path.name == FILE_NAME else path.stem
    name = content.get("name", expected)
    if not is_board_name(name):
        fix = "Use letters, digits, '.', '_' and '-', and begin with a letter or digit"
        raise wrong(("name",), f"{name!r} is no name of a board", fix)
    if name != expected:
        fix = f"Write name = {expected!r}, or rename it"
        raise wrong(("name",), f"the name is {name!r} but it stands in {expected!r}", fix)
    try:
        source = Source.model_validate(content["source"])
    except ValidationError as error:
        keys, found, fix = _first_problem(error)
        raise wrong(("source", *keys), found, fix) from None
    return Board(
        name=name,
        title=content.get("title") or name,
        reconstruction=content.get("reconstruction", ""),
        source=source,
        rest={key: value for key, value in content.items() if key in TABLES[1:] + LISTS},
        folder=path.resolve().parent,
        text=text,
        digest=hashlib.sha256(
            json.dumps(content, sort_keys=True, default=str).encode()
        ).hexdigest(),
    )


def ready_made() -> dict[str, Path]:
    """The definitions that ship with the project, by name.

    >>> ready_made()["vectara"].name
    'vectara.toml'
    """
    return {file.stem: file for file in sorted(READY_MADE.glob("*.toml"))}


def is_board_name(name: str) -> bool:
    """Whether a name is safe as a folder of the store.

    >>> is_board_name("text-v0.4"), is_board_name("../text"), is_board_name("_sources")
    (True, False, False)
    """
    return bool(_NAME.fullmatch(name)) and not name.endswith(".") and len(name) <= 100


def did_you_mean(word: str, words: Iterable[str], else_say: str) -> str:
    """What to do about a word that is not known.

    >>> did_you_mean("Brnach", ["branch", "repo"], "Known are"), did_you_mean("x", ["repo"], "Known are")
    ('Did you mean branch?', 'Known are repo')
    """
    known = list(words)
    near = nearest(word, known)
    return f"Did you mean {' or '.join(near)}?" if near else f"{else_say} {', '.join(known)}"


def nearest(word: str, words: Iterable[str], n: int = 3) -> list[str]:
    """The words most like one that was not found, best first; upper and lower case are alike.

    >>> nearest("Brnach", ["branch", "repo", "paths"])
    ['branch']
    """
    folded: dict[str, str] = {}
    for known in words:
        folded.setdefault(known.casefold(), known)
    close = difflib.get_close_matches(word.casefold(), folded, n=n, cutoff=0.55)
    inside = [known for known in folded if word.casefold() in known and known not in close]
    return [folded[known] for known in (close + inside)[:n]]


def can_be_path(path: str) -> bool:
    """Whether a definition can name a file so.

    >>> can_be_path("data/board.csv"), can_be_path("a\\tb.csv"), can_be_path("\\udcff.csv")
    (True, False, False)
    """
    try:
        path.encode()
    except UnicodeEncodeError:  # the name is not UTF-8
        return False
    return not _what_is_wrong_with(path)


def _what_is_wrong_with(path: str) -> str:
    """Why a text is no name or pattern of files inside a repository; empty if it is one."""
    parts = path.split("/")
    if path.startswith("-"):
        return "begins with '-' and could be read as an option"
    if path.startswith(("/", "~", ":")) or "\\" in path or re.match(r"[A-Za-z]:", path):
        return "is not a relative path with forward slashes"
    if any(part in ("", ".", "..") for part in parts):
        return "is not a plain path: it holds an empty part, '.' or '..'"
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        return "holds a control character"
    return what_is_wrong_with(path) if is_pattern(path) else ""


def _check_top(content: dict[str, Any], wrong: Any) -> None:
    """The keys outside [source]: known ones, each of its type."""
    for key, value in content.items():
        if key not in TOP:
            raise wrong((key,), f"unknown key {key!r}", did_you_mean(key, TOP, "Known are"))
        if key in TABLES and not isinstance(value, dict):
            raise wrong((key,), f"{key} = {value!r}", f"Write a table [{key}]")
        if key in LISTS and not (
            isinstance(value, list) and all(isinstance(v, dict) for v in value)
        ):
            raise wrong((key,), f"{key} is no list of tables", f"Write tables [[{key}]]")
        if key in ("name", "title", "reconstruction") and not isinstance(value, str):
            raise wrong((key,), f"{key} = {value!r}", "Write a text in quotes")
    if "source" not in content:
        raise wrong(
            (),
            "there is no [source]",
            "Say where the file comes from: [source] with kind, repo, paths",
        )


def _first_problem(error: ValidationError) -> tuple[tuple[str | int, ...], str, str]:
    """Key, what was found and what to do, of the first problem that pydantic reports."""
    problem = error.errors(include_url=False)[0]
    keys = tuple(part for part in problem["loc"] if isinstance(part, str))[:1]
    key = str(keys[0]) if keys else "source"
    known = list(Source.model_fields)
    if problem["type"] == "extra_forbidden":
        return keys, f"unknown key {key!r} in [source]", did_you_mean(key, known, "Known are")
    if problem["type"] == "missing":
        return keys, f"[source] has no {key!r}", "Add it"
    if problem["type"] == "value_error":
        message = problem["msg"].removeprefix("Value error, ")
        if not keys:
            key, _, message = message.partition(": ")
        value = problem["input"] if keys else problem["input"].get(key)
        shown = f" {value!r}" if isinstance(value, str) and not set("@?#") & set(value) else ""
        return (key,), f"{key}{shown}: {message}", "Mend it"
    expected = problem["msg"][0].lower() + problem["msg"][1:]
    return keys, f"{key} = {problem['input']!r}", f"Here the {expected}"
