"""How does a case meet the Hub?

In: a trial and a repository. Out: Served, a stand-in Hub on this machine that has it, for the real
client and the real git of the real commands. Start at served().
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.histories import History
from tests.hub.server import TOKEN, HubServer, Request
from tests.tools.cases.trial import BoardOf, Trial, Trouble, last_line, strict_json

WAYS = ("git", "api")


@dataclass
class Served:
    """A repository on a Hub.

    Attributes:
        trial: the case.
        hub: the Hub.
        history: the repository, for more commits.
        repo: its name on the Hub, another one for each in a trial: what a store has of a
            repository it has for all ways.
        token: of whoever crawls; empty for nobody.
    """

    trial: Trial
    hub: HubServer
    history: History
    repo: str
    token: str = TOKEN

    def define(self, called: str) -> str:
        """Define a board on it; the board's name."""
        return self.trial.define(called=called, source={"kind": "hub", "repo": self.repo})

    def crawl(self, name: str, via: str) -> subprocess.CompletedProcess[str]:
        """Crawl a board by one way."""
        return self.trial.run("crawl", name, "--via", via, settings=self.settings())

    def crawled(self, name: str, via: str) -> BoardOf:
        """Crawl a board that can be crawled.

        Raises:
            Trouble: it could not.
        """
        words = ("crawl", name, "--via", via, "--json")
        done = self.trial.run(*words, settings=self.settings())
        if done.returncode:
            raise Trouble(f"crawl --via {via}: exit {done.returncode}: {last_line(done.stderr)}")
        return BoardOf(self.trial, name, strict_json(done.stdout)["boards"][0])

    def status(self, name: str) -> Mapping[str, Any]:
        """What `boards` says of a board."""
        found = self.trial.ask("boards")["boards"]
        return next(one for one in found if one["board"] == name)

    def settings(self) -> dict[str, str]:
        """The environment of a command that asks this Hub."""
        home = self.trial.folder / "home"
        home.mkdir(exist_ok=True)
        return {"HF_ENDPOINT": self.hub.url, "HF_TOKEN": self.token, "HF_HOME": str(home)}

    def asked(self, part: str) -> list[Request]:
        """The requests since the last count whose paths hold a text."""
        return [one for one in self.hub.requests if part in one.path]

    def downloads(self) -> list[Request]:
        """The requests since the last count for the bytes of a file, answered or not."""
        return self.asked("/resolve/")


@contextmanager
def served(trial: Trial, repository: Path | None = None) -> Iterator[Served]:
    """A Hub that has a bare repository as a Space; an empty one of its own if none is named."""
    number = len(list(trial.folder.glob("served-*")))
    folder = trial.folder / f"served-{number}.git"
    history = History(folder)
    if repository:
        history.git("fetch", "--quiet", str(repository), "+refs/*:refs/*")
    with HubServer() as hub:
        hub.add(f"spaces/lab/board-{number}", history)
        yield Served(trial, hub, history, f"lab/board-{number}")


def the_same_by_both(trial: Trial, answers: Mapping[str, Any]) -> Any:
    """The answer of all ways.

    Raises:
        Trouble: they differ.
    """
    first, *others = answers.values()
    if any(other != first for other in others):
        raise Trouble(f"the ways differ: {answers}")
    trial.notes.append(f"the same by {' and by '.join(answers)}")
    return first
