"""What is known of a history at all?

In: the published line as it is stored. Out: Seen. Start at seen_of().
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a history at all.

    Attributes:
        history: "line" by ancestry, "flat" by a list of commits, "polled" by looks at an address.
        complete: whether it is all: not cut off, not seen from time to time only, and with
            nothing that vanished (what vanished between two looks is not known).
        cut_at: time of the commit before which it is cut off; None where it is not.
    """

    history: str
    complete: bool
    cut_at: datetime | None = None


def seen_of(table: pa.Table) -> Seen | None:
    """What is known of the history of a line; None before the first look."""
    if not table.num_rows:
        return None
    import pyarrow.compute as pc

    here = table.filter(pc.invert(table["vanished"]))
    ways = set(here["seen_by"].to_pylist())
    history = "flat" if "api" in ways else "polled" if "poll" in ways else "line"
    is_cut = bool(table["parents"][0].as_py()) and history == "line"
    complete = history != "polled" and not is_cut and here.num_rows == table.num_rows
    return Seen(history, complete, table["committed_at"][0].as_py() if is_cut else None)
