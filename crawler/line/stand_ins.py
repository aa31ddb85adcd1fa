"""Which commit here holds the files of a published one?

Mostly it itself. Of a commit that only the API told of, a commit of our own does (see
`crawler.chain.chain`). Start at StandIns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from crawler.board import Board
from crawler.chain.chain import Chain, Link
from crawler.objects import Objects
from crawler.paths import Paths

if TYPE_CHECKING:
    import pyarrow as pa


class StandIns:
    """The commits of one board's line, as they are called upstream and as they are called here.

    Args:
        objects: where they are.
        links: those that stand for others, by what they stand for.

    >>> StandIns(None, {}).of("c1")
    'c1'
    """

    def __init__(self, objects: Objects, links: Mapping[str, Link]):
        self._links = links
        self._label = {link.own: label for label, link in links.items()}
        labels = list(links)
        infos = objects.infos(labels) if labels else []
        self._came = {
            label for label, info in zip(labels, infos, strict=True) if info.kind == "commit"
        }
        self._why = {blob: why for link in links.values() for blob, why in link.lacking.items()}

    def of(self, commit: str) -> str:
        """The commit here that has the files of a published one."""
        if commit in self._came or commit not in self._links:
            return commit
        return self._links[commit].own

    def span(self, base: str | None, tip: str) -> tuple[str | None, str]:
        """The two ends of a stretch of the line, so that the one can be reached from the other."""
        end = self.of(tip)
        if base is not None and end != tip and base in self._links:
            return self._links[base].own, end
        return base, end

    def published(self, commit: str) -> str:
        """What a commit here is called upstream."""
        return self._label.get(commit, commit)

    def is_listed(self, commit: str) -> bool:
        """Whether this is a commit that the API told of."""
        return commit in self._links

    def listed_at(self, commit: str) -> datetime | None:
        """The time that the API told of a commit; None where it did not tell of it."""
        link = self._links.get(commit)
        return link.at if link else None

    def why_lacking(self, blob: str) -> str | None:
        """Why the bytes of a file could not be had; None where they were not asked for."""
        return self._why.get(blob)


def stand_ins(objects: Objects, board: Board, line: pa.Table) -> StandIns:
    """The stand-ins of a board.

    Args:
        objects: its object store.
        board: the board.
        line: rows of commits.parquet of its branch.
    """
    import pyarrow.compute as pc

    listed = bool(pc.any(pc.equal(line["seen_by"], "api")).as_py())
    return StandIns(objects, listing_of(objects, board).links() if listed else {})


def listing_of(objects: Objects, board: Board) -> Chain:
    """The chain with what the API told of a board's files; boards of the same files share it."""
    asked = json.dumps([board.source.branch, sorted(Paths(board.source.paths).limits())])
    return Chain(objects, f"api-{hashlib.sha256(asked.encode()).hexdigest()[:12]}")
