"""Which entries are not what their name says?

In: Steps. Out: smells about who is listed: look-alikes, one row under two keys, entries with
fewer parts than the others, entries that left and came back, likely renames. Start at find().
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from history.audit import renames, shifts
from history.audit.shifts import Shift
from history.audit.smells.smell import Smell, at_place, at_row
from history.audit.steps import Steps
from history.frames import SCORE
from history.look_alikes import difference, skeleton

# One row under two keys: that many numbers must be theirs alone; one or two are chance.
SAME_NUMBERS = 3
# A part counts as usual where at most this share of the scored entries lacks it (or one does).
LACKING = 0.2
# How many readable versions an entry may be away and still "came back".
AWAY = 3


def find(steps: Steps, shifted: Sequence[Shift]) -> Iterator[Smell]:
    """All smells about who is listed.

    Args:
        steps: the rows of every entry.
        shifted: names that moved on from row to row.
    """
    moved = {row for one in shifted for row in one.rows}
    skeletons = {entry: skeleton(entry) for entry in map(str, steps.scores["entry"].unique())}
    found, more = renames.suggest(steps, skeletons, shifted)
    for one in shifted:
        yield at_row(steps, one.rows[0], "rename", SCORE, shifts.sentence(steps, one))
    yield from _renames(steps, found)
    for place, number in more.items():
        text = f"{number} more keys joined with numbers of keys that left: other names for all?"
        yield at_place(steps, place, "rename", text)
    yield from _look_alikes(steps, skeletons, moved | {pair.joined_row for pair in found})
    yield from _prefixed(steps, skeletons)
    yield from _same_rows(steps)
    yield from _incomplete(steps)
    yield from _came_back(steps)


def _look_alikes(
    steps: Steps, skeletons: Mapping[str, str], renamed: Collection[int]
) -> Iterator[Smell]:
    entries = steps.scores["entry"].astype("category")
    names = [str(name) for name in entries.cat.categories]
    groups, _ = pd.factorize(pd.Series([skeletons[name] for name in names], dtype=object))
    codes = entries.cat.codes.to_numpy()
    rows = np.flatnonzero((np.bincount(groups, minlength=1) > 1)[groups][codes])
    group = groups[codes[rows]]
    rows = rows[np.lexsort((steps.scores["row"].to_numpy()[rows], steps.place[rows], group))]
    seen: set[int] = set()
    for last, row in zip([None, *rows[:-1].tolist()], rows.tolist(), strict=False):
        code = int(codes[row])
        known = code in seen
        seen.add(code)
        other = -1 if last is None else int(codes[last])
        if last is None or groups[code] != groups[other]:
            continue
        if steps.place[last] == steps.place[row]:
            ending = "both are listed"
        elif not known and row not in renamed:
            ending = f"the second was listed until {steps.commits[steps.place[last]]}"
        else:
            continue
        differ = difference(names[code], names[other])
        text = f"{names[code]!r} and {names[other]!r} differ only {differ}; {ending}"
        yield at_row(steps, row, "look_alike", SCORE, text)


def _prefixed(steps: Steps, skeletons: Mapping[str, str]) -> Iterator[Smell]:
    """Keys that are another one with a prefix, as of a vendor, while both are listed."""
    bare: dict[str, list[str]] = {}
    for name, seen in skeletons.items():
        if "/" not in seen:
            bare.setdefault(seen, []).append(name)
    pairs = {
        name: others
        for name, seen in skeletons.items()
        if "/" in seen and (others := bare.get(seen.rpartition("/")[2]))
    }
    if not pairs:
        return
    places = _places(steps, {key for name, others in pairs.items() for key in (name, *others)})
    entries = steps.scores["entry"].astype(str)
    for row in np.flatnonzero(entries.isin(list(pairs))).tolist():
        name, place = steps.entry(row), int(steps.place[row])
        other = next((key for key in pairs[name] if place in places[key]), None)
        if other is not None:
            prefix = name[: name.rindex("/") + 1] if "/" in name else name
            text = f"{name!r} and {other!r} differ only in the prefix {prefix!r}; both are listed"
            yield at_row(steps, row, "look_alike", SCORE, text)


def _same_rows(steps: Steps) -> Iterator[Smell]:
    if len(steps.fields) < SAME_NUMBERS:
        return
    columns = [steps.values(field) for field in steps.fields]
    own = [(steps.rarity(field) == 2) & (steps.values(field) != 0) for field in steps.fields]
    rare = np.sum(own, axis=0)
    usable = np.flatnonzero(rare >= SAME_NUMBERS)
    frame = pd.DataFrame(np.column_stack(columns)[usable]).fillna(-np.inf)
    frame = frame.assign(place=steps.place[usable], row=usable)
    keys = [column for column in frame.columns if column != "row"]
    twins = frame[frame.duplicated(keys, keep=False)]
    twins = twins.assign(at=steps.scores["row"].to_numpy()[twins["row"]]).sort_values([*keys, "at"])
    pairs = twins["row"].tolist()
    for first, other in zip(pairs[::2], pairs[1::2], strict=True):
        text = (
            f"{steps.entry(first)!r} and {steps.entry(other)!r} print the same numbers, the score "
            f"{steps.text(other, SCORE)} and all {len(columns) - 1} parts"
        )
        yield at_row(steps, other, "same_row", SCORE, text)


def _incomplete(steps: Steps) -> Iterator[Smell]:
    parts = [field for field in steps.fields if field != SCORE]
    scored = ~np.isnan(steps.values(SCORE))
    if len(parts) < 2 or not scored.any():
        return
    size = steps.count(scored)
    lacks = np.column_stack([np.isnan(steps.values(part)) & scored for part in parts])
    for number in range(len(parts)):
        lacking = steps.count(lacks[:, number])
        usual = (lacking <= np.maximum(1, LACKING * size)) & (size - lacking >= 2)
        lacks[:, number] &= usual[steps.place]
    for row in np.flatnonzero(lacks.any(axis=1)).tolist():
        gone = [part for part, lacking in zip(parts, lacks[row], strict=True) if lacking]
        text = (
            f"{steps.entry(row)!r} has the score {steps.text(row, SCORE)} and no number for "
            f"{', '.join(gone)}, which the others have"
        )
        yield at_row(steps, int(row), "incomplete", SCORE, text)


def _came_back(steps: Steps) -> Iterator[Smell]:
    values = steps.values(SCORE)
    gap = np.zeros(len(values), dtype=np.int64)
    gap[1:] = np.where(steps.same[1:], steps.place[1:] - steps.place[:-1], 0)
    unchanged = steps.before(values, only_next=False) == values
    back = (gap > 1) & (gap <= AWAY + 1) & unchanged
    back[1:] &= ~steps.partial[np.minimum(steps.place[:-1] + 1, len(steps.partial) - 1)]
    listed = steps.count(np.ones(len(values), dtype=bool))
    for place in np.flatnonzero((steps.count(back) == listed) & (listed > 0)):
        rows = np.flatnonzero(steps.place == place)
        left = steps.place[rows - 1]
        if (left == left[0]).all() and listed[left[0]] == len(rows):
            back[rows] = False
            text = (
                f"all {len(rows)} entries of {steps.commits[left[0]]} left in "
                f"{steps.commits[left[0] + 1]} and came back unchanged"
            )
            yield at_place(steps, int(place), "came_back", text)
    for row in np.flatnonzero(back).tolist():
        text = (
            f"{steps.entry(row)!r} left in {steps.commits[steps.place[row - 1] + 1]} and came back "
            f"with the same score {steps.text(row, SCORE)}"
        )
        yield at_row(steps, row, "came_back", SCORE, text)


def _renames(steps: Steps, found: Sequence[renames.Rename]) -> Iterator[Smell]:
    places = _places(steps, {key for one in found for key in (one.left, one.joined)})
    for one in found:
        row, before = one.joined_row, steps.text(one.left_row, SCORE)
        commit = steps.commits[one.place]
        both = min(places[one.left] & places[one.joined], default=None)
        later = None if both is None else steps.commits[both]
        text = renames.sentence(one, steps.text(row, SCORE), before, commit, later)
        yield at_row(steps, row, "rename", SCORE, text)


def _places(steps: Steps, keys: Collection[str]) -> dict[str, set[int]]:
    """The places at which some keys are listed."""
    if not keys:
        return {}
    entries = steps.scores["entry"].astype(str)
    rows = np.flatnonzero(entries.isin(list(keys)))
    found: dict[str, set[int]] = {key: set() for key in keys}
    for key, place in zip(entries.to_numpy()[rows], steps.place[rows].tolist(), strict=True):
        found[key].add(place)
    return found
