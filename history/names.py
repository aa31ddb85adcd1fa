"""What are the entries of a board called, and who is meant by a name?

In: the display names of every version, and aliases. Out: Names. Start at Names. An entry is its
key; names change, and one can pass from an entry to another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from operator import itemgetter

import numpy as np
import pandas as pd

from crawler.board import nearest
from crawler.errors import TypedError

# A name is looked up as it is written, and then as it is without capitals.
_SPELLINGS: tuple[Callable[[str], str], ...] = (str, str.casefold)


class UnknownEntry(TypedError):
    """No entry of the board, at any time, has this key, name or alias."""


class AmbiguousEntry(TypedError):
    """Several entries answer to this name."""


class Names:
    """The keys and display names of a board's entries, through time.

    Args:
        board: its name.
        listed: columns `version`, `entry`, `name`, a row per version and entry, by version.
        aliases: key in the file -> entry.

    >>> listed = pd.DataFrame({"version": [0, 1], "entry": ["77", "77"], "name": ["Blue", "Azure"]})
    >>> names = Names("course", listed, {})
    >>> names.shown("77"), names.shown("77", 0), names.resolve("blue")
    ('Azure', 'Blue', '77')
    """

    def __init__(self, board: str, listed: pd.DataFrame, aliases: Mapping[str, str]):
        self._board, self._aliases = board, aliases
        # Texts are compared by their codes: there are as many rows as the whole history has.
        entry, name = (
            listed[column].astype("category").cat.codes.to_numpy() for column in ("entry", "name")
        )
        order = np.argsort(entry, kind="stable")
        entry, name = entry[order], name[order]
        changed = np.ones(len(order), dtype=bool)
        changed[1:] = (entry[1:] != entry[:-1]) | (name[1:] != name[:-1])
        renamed = listed[["version", "entry", "name"]].iloc[order[changed]]
        self._renamed = renamed.astype({"entry": str, "name": str}).reset_index(drop=True)

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

    @cached_property
    def _known(self) -> list[tuple[dict[str, set[str]], dict[str, set[str]]]]:
        """Entries by key, and by display name or alias: as they are written, and case-folded."""
        pairs = [*self.table.itertuples(index=False, name=None)]
        named = [(name, entry) for entry, name in pairs] + list(self._aliases.items())
        found = []
        for same in _SPELLINGS:
            by_key: dict[str, set[str]] = {}
            by_name: dict[str, set[str]] = {}
            for entry, _ in pairs:
                by_key.setdefault(same(entry), set()).add(entry)
            for name, entry in named:
                by_name.setdefault(same(name), set()).add(entry)
            found.append((by_key, by_name))
        return found

    def resolve(self, text: str) -> str:
        """The entry that a person means: by key, display name or alias, exactly, else case-folded.

        Raises:
            UnknownEntry: with the nearest names. AmbiguousEntry: with those that fit.
        """
        for found, same in zip(self._known, _SPELLINGS, strict=True):
            by_key, by_name = found
            wanted = same(text)
            fits = by_key.get(wanted) or by_name.get(wanted) or set()
            if len(fits) == 1:
                return next(iter(fits))
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
