"""How does Arrow start without pandas?

Arrow loads pandas as soon as it makes a table, which takes longer than all else that a crawl
loads, and what a crawl reads and writes never becomes a frame. Start at without_pandas().
"""

from __future__ import annotations

import sys


class _Finder:
    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse pandas, as if it were not installed; leave all else to the other finders."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def without_pandas() -> None:
    """Keep pandas out of this process up to its end, unless it is there already."""
    if "pandas" not in sys.modules and _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
