"""How does what each entry had of first place read for people?

In: the document of `reigns`. Out: lines and a table below its reigns. Start at careers_table().
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from app.output import clean, table
from app.wording import Document, duration, ordinal, reign_length


def by_text(document: Document) -> str:
    """What counts as first, where it is not the score alone.

    >>> print(by_text({"by": "tie", "ties": {"rule": "anchored", "bands": ["0.9"],
    ...     "source": "caller"}}))
     by tie group (anchored 0.9, not the board's own rule)
    """
    if document["by"] == "score":
        return ""
    rule = document["ties"]
    if rule["rule"] == "none":
        return " by tie group (the board has no tie rule: only equal scores tie)"
    band = f" {', '.join(rule['bands'])}" if rule["bands"] else ""
    own = "the board's own rule" if rule["source"] == "board" else "not the board's own rule"
    return f" by tie group ({rule['rule']}{band}, {own})"


def careers_table(careers: Iterable[Document]) -> Any:
    """Time in first place, one row per entry; a shared one counts in full, `alone` does not have it."""
    rows = [
        [
            one["name"],
            one["first_ever"],
            one["times_first"] or None,
            _length(one["longest"]),
            duration(one["seconds"]) if one["times_first"] else None,
            duration(one["seconds_sole"]) if one["times_first"] else None,
            None if one["peak"] is None else ordinal(one["peak"]),
        ]
        for one in careers
    ]
    header = ("entry", "first ever", "times", "longest", "in all", "alone", "best rank")
    right = ("times", "longest", "in all", "alone", "best rank")
    spare, folds = ("times", "alone", "best rank"), ("longest", "entry")
    return table(header, rows, right=right, folds=folds, spare=spare)


def peak_lines(careers: Iterable[Document]) -> Iterator[str]:
    """Every time that entries stood at their best."""
    for one in careers:
        if one["peak"] is None:
            yield clean(f"{one['name']} was never ranked.")
            continue
        times = ", ".join(
            f"{at['from']} to {'the last look' if at['open'] else at['until']} ({_length(at)})"
            for at in one["peak_intervals"]
        )
        yield clean(f"{one['name']} was {ordinal(one['peak'])} at best: {times}")


def times_line(time: Document) -> str:
    """How first place was held, over all.

    >>> times_line({"seconds_sole": 7200, "seconds_shared": 60, "seconds_nobody": 0,
    ...     "seconds": 7260, "seconds_certain": 7260})
    'First place in 2 h 1 min: held alone 2 h, shared 1 min.'
    """
    said = [f"held alone {duration(time['seconds_sole'])}"]
    said.append(f"shared {duration(time['seconds_shared'])}")
    if time["seconds_nobody"]:
        said.append(f"nobody's {duration(time['seconds_nobody'])}")
    if time["seconds_certain"] != time["seconds"]:
        said.append(f"certain {duration(time['seconds_certain'])}")
    return f"First place in {duration(time['seconds'])}: {', '.join(said)}."


CLOCK = {
    "backward": "ran backwards and counts as between its neighbours",
    "equal": "is that of the next version, which holds from then on",
    "future": "is later than the crawl that saw it",
}


def clock_lines(faults: Iterable[Document]) -> Iterator[str]:
    """Which commit times are not to be taken as they stand: a line for each kind.

    >>> list(clock_lines([{"kind": "future", "commit": "ab" * 20,
    ...     "committed_at": "2030-01-01T00:00:00Z"}]))
    ['Clock: the time of abababab (2030-01-01T00:00:00Z) is later than the crawl that saw it.']
    """
    listed = list(faults)
    for kind, says in CLOCK.items():
        if of_kind := [one for one in listed if one["kind"] == kind]:
            first = of_kind[0]
            more = f", and {len(of_kind) - 1} more times," if len(of_kind) > 1 else ""
            said = f"the time of {first['commit'][:8]} ({first['committed_at']}){more} {says}"
            yield f"Clock: {said}."


def _length(stretch: Document | None) -> str | None:
    """How long something held; what still goes on says so."""
    if stretch is None:
        return None
    return f"{reign_length(stretch)}{' and counting' if stretch['open'] else ''}"
