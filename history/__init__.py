"""What does a leaderboard's history mean? From bytes to ranks, causes and claims.

from history import open_board

board = open_board("snapshots", "my-board")
board.rank_history()          # RANKS, see history.frames
board.moves().shares()        # SHARES: why ranks changed, from version to version
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from history.pipeline import BoardHistory, open_board

__all__ = ["BoardHistory", "open_board"]


def __getattr__(name: str) -> Any:
    # Not at the start: whoever needs one room of history must not load all of it.
    if name in __all__:
        from history import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module 'history' has no attribute {name!r}")
