"""What are the entries of a board called, and who is meant by a name?

In: the display names of every version, and aliases. Out: Names. Start at Names. An entry is its
key; names change, and one can pass from an entry to another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from operator import itemgetter

import pandas as pd

from crawler.board import nearest
from crawler.errors import TypedError


class UnknownEntry(TypedError):
    """No entry of the board, at any time, has this key, name or alias."""


class AmbiguousEntry(TypedError):
    """Several entries answer to this name."""


class Names:
    """The keys and display names of a board's entries, through time.

    Args:
        board: its name.
        listed: columns `version`, `entry`, `name`, a row per version and entry.
        aliases: key in the file -> entry.

    >>> listed = pd.DataFrame({"version": [0, 1], "entry": ["77", "77"], "name": ["Blue", "Azure"]})
    >>> names = Names("course", listed, {})
    >>> names.shown("77"), names.shown("77", 0), names.resolve("blue")
    ('Azure', 'Blue', '77')
    """

    def __init__(self, board: str, listed: pd.DataFrame, aliases: Mapping[str, str]):
        self._board, self._aliases = board, aliases
        listed = listed[["version", "entry", "name"]].sort_values("entry", kind="stable")
        before = listed[["entry", "name"]].shift()
        changed = (listed["entry"] != before["entry"]) | (listed["name"] != before["name"])
        self._renamed = listed[changed].astype({"entry": str, "name": str}).reset_index(drop=True)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Columns `entry`, `name`: each display name that each entry ever had."""
        return self._renamed[["entry", "name"]].drop_duplicates().reset_index(drop=True)

    @cached_property
    def _over_time(self) -> dict[str, list[tuple[int, str]]]:
        owners = self.table.groupby("name")["entry"].nunique()
        shared = set(owners.index[owners > 1])
        found: dict[str, list[tuple[int, str]]] = {}
        for version, entry, name in self._renamed.itertuples(index=False):
            found.setdefault(entry, []).append((version, entry if name in shared else name))
        return found

    def shown(self, entry: str, version: int | None = None) -> str:
        """What people read for an entry: its display name, if that was never another's.

        Args:
            entry: its key.
            version: the name that it had then, or last before; None for the newest.
        """
        names = self._over_time.get(entry)
        if not names:
            return entry
        if version is None:
            return names[-1][1]
        return names[max(bisect_right(names, version, key=itemgetter(0)) - 1, 0)][1]

    def entries(self) -> list[str]:
        """Every entry that was ever listed, in code-point order."""
        return sorted(self.table["entry"].unique().tolist())

    def resolve(self, text: str) -> str:
        """The entry that a person means: by key, display name or alias, exactly, else case-folded.

        Raises:
            UnknownEntry: with the nearest names. AmbiguousEntry: with those that fit.
        """
        for same in (str, str.casefold):
            wanted = same(text)
            by_key = {e for e in self.table["entry"] if same(e) == wanted}
            by_name = {e for e, n in self.table.itertuples(index=False) if same(n) == wanted}
            by_alias = {e for key, e in self._aliases.items() if same(key) == wanted}
            fits = by_key or by_name | by_alias
            if len(fits) == 1:
                return fits.pop()
            if fits:
                listed = ", ".join(sorted(fits)[:5])
                raise AmbiguousEntry(
                    self._board,
                    f'"{text}" fits {len(fits)} entries: {listed}',
                    "Give the key of one",
                )
        known = dict.fromkeys([*self.table["entry"], *self.table["name"], *self._aliases])
        start = text.casefold()
        begun = sorted(name for name in known if name.casefold().startswith(start))
        close = list(dict.fromkeys([*begun, *nearest(text, list(known))]))[:6]
        hint = f"Nearest: {', '.join(close)}" if close else f"It has {len(self.entries())} entries"
        raise UnknownEntry(self._board, f'no entry "{text}"', hint)
