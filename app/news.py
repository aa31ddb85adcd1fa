"""What is new in a store since the last look?

In: a store, before and after a crawl. Out: per board the new versions and each change of first
place, and each verdict of the claims file that is another one now. Start at Memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import check
from app.faults import Failure
from crawler.errors import RanktrailError
from history.times import time_text

if TYPE_CHECKING:
    from crawler.store import Store
    from history.claims.language.claim import Claim
    from history.pipeline import BoardHistory

CLAIMS = "claims.toml"
News = dict[str, Any]
_TROUBLE = (RanktrailError, Failure, OSError)


@dataclass(frozen=True)
class _Stand:
    """How a board stood at a look.

    Attributes:
        stamp: its files as the disk had them.
        versions: how many there were.
        vanished: how many of them are no longer on the branch.
        first: who held first place in the newest version that can be read.
    """

    stamp: tuple[object, ...] = ()
    versions: int = 0
    vanished: int = 0
    first: tuple[str, ...] | None = None


class Memory:
    """What was known at the last look, and what is new since then.

    A look at boards whose files are as they were reads nothing.

    Args:
        store: the store, as it is now: what it holds is no news.
        names: the boards to look at, in their order; none: all that there are at each look.

    Attributes:
        troubles: what kept the last look from seeing something, a line each.
    """

    def __init__(self, store: Store, names: Sequence[str] = ()):
        self.store, self.names = store, names
        self.troubles: list[str] = []
        self._stands: dict[str, _Stand] = {}
        self._verdicts: dict[str, str] = {}
        self.look()

    def look(self) -> tuple[list[News], list[News]]:
        """What is new of the boards, and which verdicts are.

        Returns:
            Records of boards that have news: board, versions, new_versions, vanished (since the
            last look), commit and at of the newest version, first (who holds first place),
            first_place: changes, each with from, to, commit, at; names: what people read for
            their entries. And records of verdicts: id, text, from, to, sentence.
        """
        self.troubles = []
        news = []
        for name in self.names or self.store.names():
            try:
                found = self._board(name)
            except _TROUBLE as error:
                self.troubles.append(f"{name}: {_one_line(error)}")
                continue
            if found is not None:
                news.append(found)
        return news, self._claims()

    def _board(self, name: str) -> News | None:
        before = self._stands.get(name, _Stand())
        stamp = self._stamp(name)
        if stamp == before.stamp:
            return None
        from history.pipeline import open_board

        history = open_board(self.store, name)
        readings = history.readings
        if history.as_of is None or readings.empty:
            return None
        reigns = history.reigns()
        first = reigns[-1].entries if reigns else None
        versions, vanished = len(readings), int(readings["vanished"].sum())
        self._stands[name] = _Stand(stamp, versions, vanished, first)
        newest = readings.iloc[-1]
        changes = _changes(history, before, reigns)
        if (versions, vanished) == (before.versions, before.vanished) and not changes:
            return None
        shown = {entry for one in changes for entry in (*one["from"], *one["to"])}
        return {
            "board": name,
            "versions": versions,
            "new_versions": max(versions - before.versions, 0),
            "vanished": max(vanished - before.vanished, 0),
            "commit": str(newest["commit"]),
            "at": time_text(newest["committed_at"]),
            "first": list(first or ()),
            "first_place": changes,
            "names": {entry: history.shown(entry) for entry in sorted(shown | set(first or ()))},
        }

    def _stamp(self, name: str) -> tuple[object, ...]:
        """What an answer about a board depends on, as the disk has it now."""
        store = self.store
        files = (store.board_file(name), store.versions_file(name), store.readings_file(name))
        return tuple(_stat(file) for file in files)

    def _claims(self) -> list[News]:
        from history.claims.language.claims_file import read_claims

        file = self.store.root / CLAIMS
        if not file.is_file():
            self._verdicts = {}
            return []
        try:
            documents = self._checked(read_claims(file), file.parent)
        except _TROUBLE as error:
            self.troubles.append(f"{CLAIMS}: {_one_line(error)}")
            return []
        news = []
        for document in documents:
            changed = []
            for one in document["claims"]:
                key, verdict = one["id"] or one["text"], one["verdict"]
                before = self._verdicts.get(key, verdict)
                self._verdicts[key] = verdict
                if before != verdict:
                    changed.append(one)
                    told = {name: one[name] for name in ("id", "text", "sentence")}
                    news.append(told | {"from": before, "to": verdict})
            check.keep(self.store, document | {"claims": changed})
        return news

    def _checked(self, claims: Sequence[Claim], folder: Path | None) -> list[dict[str, Any]]:
        """Documents of `check`: one of all claims, or one of each where one of them has a fault."""
        try:
            return [check.check(self.store, claims, folder)]
        except _TROUBLE:
            documents = []
        for claim in claims:
            try:
                documents.append(check.check(self.store, [claim], folder))
            except _TROUBLE as error:
                said = _one_line(error)
                self.troubles.append(f"{CLAIMS}, {claim.id or claim.text!r}: {said}")
        return documents


def _changes(history: BoardHistory, before: _Stand, reigns: Sequence[Any]) -> list[News]:
    """Each change of first place that came with a new version.

    Where none came and another holds first place all the same, the definition was changed or the
    branch rewritten: then that is the change.
    """
    if before.first is None or not reigns:
        return []
    begun = [
        (old.entries, new)
        for old, new in pairwise(reigns)
        if new.from_version >= before.versions and old.entries != new.entries
    ]
    if not begun and reigns[-1].entries != before.first:
        begun = [(before.first, reigns[-1])]
    return [
        {
            "from": list(old),
            "to": list(new.entries),
            "commit": new.from_commit,
            "at": time_text(new.start),
        }
        for old, new in begun
    ]


def _stat(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _one_line(error: Exception) -> str:
    said = error.format_message() if isinstance(error, Failure) else str(error)
    return " ".join(said.split())
