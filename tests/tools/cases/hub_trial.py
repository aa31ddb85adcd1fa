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
from tests.hub.server import TOKEN, HubServer
from tests.tools.cases.trial import BoardOf, Trial, Trouble, last_line

WAYS = ("git", "api")


@dataclass
class Served:
    """A repository on a Hub.

    Attributes:
        trial: the case.
        hub: the Hub.
        history: the repository, for more commits.
        token: of whoever crawls; empty for nobody.
    """

    trial: Trial
    hub: HubServer
    history: History
    token: str = TOKEN

    def define(self, called: str, repo: str = "lab/board", **more: Any) -> str:
        """Define a board on it; the board's name."""
        return self.trial.define(called=called, source={"kind": "hub", "repo": repo}, **more)

    def crawl(self, name: str, via: str) -> subprocess.CompletedProcess[str]:
        """Crawl a board by one way."""
        return self.trial.run("crawl", name, "--via", via, settings=self.settings())

    def crawled(self, name: str, via: str) -> BoardOf:
        """Crawl a board that can be crawled.

        Raises:
            Trouble: it could not.
        """
        done = self.crawl(name, via)
        if done.returncode:
            raise Trouble(f"crawl --via {via}: exit {done.returncode}: {last_line(done.stderr)}")
        return BoardOf(self.trial, name, self.status(name))

    def status(self, name: str) -> Mapping[str, Any]:
        """What `boards` says of a board."""
        found = self.trial.ask("boards")["boards"]
        return next(one for one in found if one["board"] == name)

    def settings(self) -> dict[str, str]:
        """The environment of a command that asks this Hub."""
        home = self.trial.folder / "home"
        home.mkdir(exist_ok=True)
        return {"HF_ENDPOINT": self.hub.url, "HF_TOKEN": self.token, "HF_HOME": str(home)}

    def asked(self, part: str) -> list[str]:
        """Paths that were asked for since the last count and hold a text."""
        return [one.path for one in self.hub.requests if part in one.path]


@contextmanager
def served(
    trial: Trial, repository: Path | None = None, name: str = "spaces/lab/board"
) -> Iterator[Served]:
    """A Hub that has a bare repository; an empty one of the trial's own if none is named."""
    folder = repository or trial.folder / f"served-{len(list(trial.folder.glob('served-*')))}.git"
    history = History(folder)  # git leaves what is there as it is
    with HubServer() as hub:
        hub.add(name, history)
        yield Served(trial, hub, history)


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
