"""Times of the published line and who held first place, second by second.

Slow and independent of the project's code. Times are whole seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def longest_non_decreasing(times: Sequence[int]) -> list[int]:
    """By trying every earlier position; from the end backwards the latest that fits."""
    length: list[int] = []
    for i, time in enumerate(times):
        length.append(1 + max((length[j] for j in range(i) if times[j] <= time), default=0))
    kept: list[int] = []
    for i in reversed(range(len(times))):
        wanted = length[kept[-1]] - 1 if kept else max(length)
        if length[i] == wanted and (not kept or times[i] <= times[kept[-1]]):
            kept.append(i)
    return kept[::-1]


def effective_times(times: Sequence[int]) -> list[int]:
    """Kept commits keep their time, others move as little as they must."""
    kept = longest_non_decreasing(times)
    moved: list[int] = []
    for i, time in enumerate(times):
        if i not in kept:
            after = [times[k] for k in kept if k > i]
            time = min([time, *after])
            time = max([time, *moved])
        moved.append(time)
    return moved


def held(versions: Sequence[tuple[int, Any]], end: int) -> list[tuple[Any, int, int, int]]:
    """What was so, from when to when, and for how many seconds for certain.

    Args:
        versions: time and what holds from then on (None: nobody knows), in order of time.
        end: the last look.

    Returns:
        What, start, until, certain seconds; while nobody knows, what was known goes on.
    """
    found: list[tuple[Any, int, int, int]] = []
    for second in range(versions[0][0], end):
        what = next(state for time, state in reversed(versions) if time <= second)
        if what is not None and (not found or found[-1][0] != what):
            found.append((what, second, second + 1, 1))
        elif found:
            before, start, _, certain = found[-1]
            found[-1] = (before, start, second + 1, certain + (what is not None))
    return found


def as_of(times: Sequence[int], when: int) -> int | None:
    """The last version that began at or before an instant; None before the first."""
    return max((i for i, time in enumerate(times) if time <= when), default=None)


def first_for(
    versions: Sequence[tuple[int, Any]], end: int, entry: str, alone: bool
) -> list[tuple[int, int, int]]:
    """When an entry was among the holders of first place: start, until, certain seconds.

    Args:
        versions: time and the holders from then on (None: nobody knows).
        end: the last look.
        entry: whose.
        alone: only where it is the only holder.
    """
    marks = [
        (time, None if who is None else entry in who and (len(who) == 1 or not alone))
        for time, who in versions
    ]
    return [(start, until, sure) for so, start, until, sure in held(marks, end) if so]
