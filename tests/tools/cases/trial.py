"""What does Ranktrail say about one case?

In: a case of cases.json and the folder it came from. Out: a Trial, in which an adapter builds the
case's repository and variants of it, defines boards on them as a user would, and asks the
commands. Everything stands in one temporary folder. Start at Trial.board().
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.histories import History

PROGRAM = Path(sys.executable).with_name("ranktrail")
# 3 and 5: something is not plainly true; the answer is there all the same.
ANSWERED = (0, 3, 5)
REFUSED = (1, 2)

Json = Any
Files = Mapping[str, str]


class Trouble(Exception):
    """A case could not be built, or a command did not answer as an adapter needs it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case as handed.

    Attributes:
        raw: its object in cases.json; decimal numbers are Decimals.
        builder: build_case.py beside it.
    """

    raw: Mapping[str, Any]
    builder: Path

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.raw["id"])

    @property
    def area(self) -> str:
        """Its area."""
        return str(self.raw["area"])

    @property
    def expected(self) -> Any:
        """The right answer."""
        return self.raw["expected"]["answer"]

    @property
    def why(self) -> str:
        """How the right answer is derived."""
        return str(self.raw["expected"].get("why", ""))

    @property
    def table(self) -> dict[str, Any]:
        """What the case says of its board, as the keys of [table].

        A direction or column that it leaves open is left out.
        """
        said = self.raw["case"].get("board", {})
        direction = re.match(r"(higher|lower) is better$", str(said.get("direction", "")))
        columns = {"entry": said.get("entity"), "score": said.get("score")}
        table = {key: name for key, name in columns.items() if isinstance(name, str)}
        return table | ({"direction": direction[1]} if direction else {})

    @property
    def commits(self) -> list[Mapping[str, Any]]:
        """Its commits, oldest first."""
        return list(self.raw["case"].get("commits", []))

    @property
    def snippets(self) -> list[str]:
        r"""What stands between backticks in `do`, with \n and \ufeff made letters."""
        found = re.findall(r"`([^`]+)`", str(self.raw["case"].get("do", "")))
        return [re.sub(r"\\(n|t|u[0-9a-f]{4})", _letter, text) for text in found]


def _letter(escape: re.Match[str]) -> str:
    return str(json.loads(f'"{escape[0]}"'))


@dataclass
class Trial:
    """One case in a folder of its own.

    Attributes:
        case: the case.
        folder: where everything of it is built.
        notes: what an adapter wants a person to see besides the answer.
    """

    case: Case
    folder: Path
    notes: list[str] = field(default_factory=list)

    @property
    def store(self) -> Path:
        """The store of the case's boards."""
        return self.folder / "store"

    def repository(self) -> Path:
        """The case's own repository, built by its build_case.py."""
        built = self.folder / "repository"
        if not built.exists():
            command = [sys.executable, str(self.case.builder), self.case.id, str(built)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Trouble(f"build_case.py: {done.stderr.strip()}")
        return built

    def variant(self, name: str, change: Callable[[Files], Files] | None = None) -> Path:
        """A repository with the case's commits, the files of each changed."""
        history = History(self.folder / f"{name}.git")
        for commit in self.case.commits:
            files = dict(commit["files"])
            history.commit(files if change is None else change(files), commit["at"])
        return history.folder

    def board(
        self,
        path: str | None = None,
        *,
        called: str = "",
        repository: Path | None = None,
        source: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
        **table: Any,
    ) -> BoardOf:
        """Define a board and crawl it.

        Args:
            path: the file; without it the one that the case names.
            called: the board's name; a number without it.
            repository: the case's own without it.
            source: keys of [source], over a git repository and a path.
            tables: tables beside [table], by name.
            **table: keys of [table], over those that the case tells; None takes one away.

        Raises:
            Trouble: the crawl did not succeed.
        """
        name = self.define(
            path, called=called, repository=repository, source=source, tables=tables, **table
        )
        crawled = self.ask("crawl", name)["boards"][0]
        return BoardOf(self, name, crawled)

    def define(
        self,
        path: str | None = None,
        *,
        called: str = "",
        repository: Path | None = None,
        source: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
        **table: Any,
    ) -> str:
        """Write a board.toml; see board(). Returns the board's name."""
        name = called or f"board-{len(list(self.store.glob('*/board.toml'))) + 1}"
        paths = [path or self.case.raw["case"].get("board", {}).get("path", "board.csv")]
        given = dict(source or {})
        if "repo" not in given:
            given["repo"] = str(repository or self.repository())
        merged = {**self.case.table, **table}
        written = {
            "title": name,
            "source": {"kind": "git", "paths": paths} | given,
            "table": {key: value for key, value in merged.items() if value is not None},
            **(tables or {}),
        }
        folder = self.store / name
        folder.mkdir(parents=True)
        (folder / "board.toml").write_text(toml(written), encoding="utf-8")
        return name

    def run(
        self, *arguments: str, settings: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run one command on the case's store, with some variables of the environment changed."""
        self.store.mkdir(parents=True, exist_ok=True)
        command = [str(PROGRAM), "--store", str(self.store), *arguments]
        environment = {**os.environ, **(settings or {})}
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            timeout=300,
            env=environment,
        )

    def ask(self, *arguments: str) -> Json:
        """The document that a command prints.

        Raises:
            Trouble: the command failed, or what it prints is no strict JSON.
        """
        done = self.run(*arguments, "--json")
        if done.returncode not in ANSWERED:
            raise Trouble(f"{arguments[0]}: exit {done.returncode}: {last_line(done.stderr)}")
        return strict_json(done.stdout)

    def refusal(self, *arguments: str) -> str:
        """What a command says when it refuses.

        Raises:
            Trouble: it did not refuse.
        """
        done = self.run(*arguments)
        if done.returncode not in REFUSED:
            raise Trouble(f"{' '.join(arguments)}: not refused, exit {done.returncode}")
        return last_line(done.stderr)

    def claim(self, **fields: Any) -> Json:
        """The verdict on one claim, from a claims file."""
        file = self.folder / "claims.json"
        file.write_text(json.dumps([fields]), encoding="utf-8")
        return self.ask("check", str(file))["claims"][0]

    def page(self, page: str, **address: str) -> tuple[list[str], list[str]]:
        """The messages on a page of the dashboard, and the exceptions on it."""
        shown = opened(self, page, address)
        messages = [
            str(one.value) for kind in (shown.info, shown.warning, shown.error) for one in kind
        ]
        return messages, [str(one.value) for one in shown.exception]


def opened(trial: Trial, page: str, address: Mapping[str, str | list[str]]) -> Any:
    """A page of the dashboard on the trial's store, unfolded, as an AppTest that was run."""
    from streamlit.testing.v1 import AppTest

    from tests.app.pages import unfold

    before = os.environ.get("RANKTRAIL_STORE")
    os.environ["RANKTRAIL_STORE"] = str(trial.store)
    try:
        shown = AppTest.from_function(_show, default_timeout=60, args=(page,))
        for name, value in address.items():
            shown.query_params[name] = value
        unfold(shown)
        return shown.run()
    finally:
        if before is None:
            del os.environ["RANKTRAIL_STORE"]
        else:
            os.environ["RANKTRAIL_STORE"] = before


def _show(page: str) -> None:
    import importlib

    importlib.import_module(f"app.views.{page}").page()


@dataclass
class BoardOf:
    """One crawled board of a trial; each method is one command.

    Attributes:
        trial: whose it is.
        name: of the board.
        crawled: what `crawl` said of it.
    """

    trial: Trial
    name: str
    crawled: Mapping[str, Any]

    def standings(self, at: str = "latest", split: str | None = None) -> Json:
        """`standings`."""
        return self.trial.ask("standings", self.name, "--at", at, *_split(split))

    def entries(self, at: str = "latest", split: str | None = None) -> dict[str, Json]:
        """The entries of `standings` in its order, by key."""
        return {one["entry"]: one for one in self.standings(at, split)["entries"]}

    def ranks(self, at: str = "latest", split: str | None = None) -> dict[str, int | None]:
        """Rank by entry."""
        return {key: one["rank"] for key, one in self.entries(at, split).items()}

    def places(self, at: str = "latest", split: str | None = None) -> dict[str, list[Any]]:
        """Rank and score by entry."""
        return {key: [one["rank"], one["score"]] for key, one in self.entries(at, split).items()}

    def history(self) -> list[Json]:
        """Rows of `history`."""
        rows: list[Json] = self.trial.ask("history", self.name)["rows"]
        return rows

    def reigns(self, split: str | None = None) -> list[Json]:
        """`reigns`."""
        found: list[Json] = self.trial.ask("reigns", self.name, *_split(split))["reigns"]
        return found

    def audit(self) -> list[Json]:
        """Versions of `audit`."""
        found: list[Json] = self.trial.ask("audit", self.name)["versions"]
        return found

    def readings(self) -> list[dict[str, Any]]:
        """READINGS, from the table in the store: what could be read of each version."""
        import pandas as pd

        frame = pd.read_parquet(self.trial.store / self.name / "readings.parquet")
        return frame.astype(object).where(frame.notna(), None).to_dict("records")

    def unreadable(self, version: int = -1) -> bool:
        """Whether one version could not be read."""
        return bool(self.readings()[version]["reading"] == "unreadable")

    def found(self, version: int = -1) -> str:
        """What was noteworthy in one version, in words; its reason first if it is unreadable."""
        reading = self.readings()[version]
        words = [reading["reading"], reading["reason"], reading["found"]]
        return ": ".join(str(word) for word in words if word)

    def check(self, sentence: str) -> Json:
        """The verdict of `check` on a sentence; BOARD in it stands for the board."""
        return self.trial.ask("check", sentence.replace("BOARD", self.name))["claims"][0]


def _split(split: str | None) -> list[str]:
    return [] if split is None else ["--split", split]


def last_line(text: str) -> str:
    """The last line of what a command said."""
    return (text.strip().splitlines() or ["(nothing said)"])[-1]


def strict_json(text: str) -> Json:
    """JSON as the standard has it: no NaN, no Infinity.

    Raises:
        Trouble: it is not.
    """

    def refuse(token: str) -> Json:
        raise Trouble(f"the JSON holds {token}")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise Trouble(f"no JSON: {error}") from None


def toml(tables: Mapping[str, Any]) -> str:
    """A definition as TOML: plain values first, then one table after the other.

    >>> print(toml({"title": "a", "table": {"score": "v", "parts": {"x": "b c"}}}))
    title = "a"
    <BLANKLINE>
    [table]
    score = "v"
    parts = { x = "b c" }
    <BLANKLINE>
    """
    plain = {key: value for key, value in tables.items() if not isinstance(value, Mapping)}
    blocks = ["\n".join(_lines(plain))]
    for name, table in tables.items():
        if isinstance(table, Mapping):
            blocks.append("\n".join([f"[{_key(name)}]", *_lines(table)]))
    return "\n\n".join(blocks) + "\n"


def _lines(table: Mapping[str, Any]) -> Sequence[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
