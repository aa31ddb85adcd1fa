"""What does a test crawl that wants every way in which bytes come?

`Upstream` serves boards of four kinds that grow step by step: `git` (by http), `api` (a Space, for
`--via api`), `poll` (an address), `large` (a repository on this machine that keeps its file in Git
LFS), and `folder` (a file per entry, in the repository of `git`). `define()` writes their
definitions into a store.
"""

from __future__ import annotations

import hashlib
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.histories import History
from tests.hub.lfs import pointer_text
from tests.hub.rewrite import squash
from tests.hub.server import HubServer

BOARDS = ("api", "folder", "git", "large", "poll")
_TABLE = '[table]\nrows = "$.rows"\nentry = "id"\nscore = "s"\ndirection = "higher"\n'
_FOLDER = '[table]\nformat = "json"\nentry = "@file"\nscore = "s"\ndirection = "higher"\n'
_BEGUN = datetime(2026, 3, 1, tzinfo=UTC)


class Upstream:
    """The places that the boards are crawled from.

    Args:
        folder: where the repositories are made.
        hub: the server.
        rows: entries of each board.
    """

    def __init__(self, folder: Path, hub: HubServer, rows: int = 40):
        self._hub, self._random, self._rows = hub, random.Random(4), rows
        self.git = History(folder / "git.git")
        self.api = History(folder / "api.git")
        self.large = History(folder / "large.git")
        self.steps = 0
        hub.add("lab/board.git", self.git)
        hub.add("spaces/lab/board", self.api)

    def grow(self, commits: int = 3, *, rewritten: bool = False) -> None:
        """Publish more: some commits of each repository, one state at the address.

        Args:
            rewritten: squash the branches first; no server has their old commits any more.
        """
        if rewritten:
            for one in (self.git, self.api):
                squash(one, self._now())
        for _ in range(commits):
            self.steps += 1
            text = self.text()
            entry = json.dumps({"s": self._random.randint(1, 10**6)})
            name = f"entries/e{self._random.randint(1, 6)}.json"
            self.git.commit({"board.json": text, name: entry}, self._now())
            self.api.commit({"board.json": self.text()}, self._now())
            content = self.text().encode()
            digest = hashlib.sha256(content).hexdigest()
            place = self.large.folder / "lfs" / "objects" / digest[:2] / digest[2:4] / digest
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            self.large.commit({"board.json": pointer_text(content)}, self._now())
        self._hub.files["/board.json"] = self.text().encode()

    def text(self) -> str:
        """A board that was never there."""
        numbers = range(self._rows)
        rows = [{"id": f"e{one}", "s": self._random.randint(1, 10**6)} for one in numbers]
        return json.dumps({"rows": rows}, indent=1)

    def define(self, store: Path) -> None:
        """Write the definitions of all boards."""
        address = self._hub.url
        sources = {
            "git": f'kind = "git"\nrepo = "{address}/lab/board.git"\npaths = ["board.json"]',
            "folder": f'kind = "git"\nrepo = "{address}/lab/board.git"\npaths = ["entries/*.json"]',
            "api": 'kind = "hub"\nrepo = "lab/board"\nrepo_type = "space"\npaths = ["board.json"]',
            "large": f'kind = "git"\nrepo = "{self.large.folder}"\npaths = ["board.json"]',
            "poll": f'kind = "url"\nrepo = "{address}/board.json"\npaths = ["board.json"]',
        }
        for name, source in sources.items():
            place = store / name / "board.toml"
            place.parent.mkdir(parents=True, exist_ok=True)
            table = _FOLDER if name == "folder" else _TABLE
            place.write_text(f'name = "{name}"\n[source]\n{source}\n{table}', encoding="utf-8")

    def _now(self) -> str:
        return (_BEGUN + timedelta(hours=self.steps)).isoformat()
