"""Which versions, as files, are not what a board should publish?

In: READINGS. Out: smells about versions that cannot be read, rows left out, empty versions, and a
board that fell silent. Start at find().
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pandas as pd

from history.smells.smell import Smell

# A board is stale after this many times its longest pause before; six versions show a
# rhythm, and a week is not long for anybody.
PAUSES = 3
RHYTHM = 6
NOT_LONG = pd.Timedelta(days=7)

# What a reading's notes say, and which kind of finding that is; None: known and wanted.
_NOTES = (
    ("is repeated with the same score", "duplicate_entry"),
    ("has different scores: ", "duplicate_entry"),
    ("is repeated with the same value of ", "duplicate_entry"),
    ("has different values of ", "duplicate_entry"),
    ("is no number: ", None),  # found in SCORES, with its cell
    ("is a bound, no value: ", None),
    ("is no exact value: ", None),
    ("is ambiguous, ", "no_number"),
    ("is ignored: ", None),
    ("is written with ", "hidden_letter"),
    ("none takes part", None),
    ("no rows", None),
)
_QUOTED = re.compile(r"""(?:the score of )?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
# What is not a note of its own: which of several rows counts, and how many notes there are more.
_GOES_ON = re.compile(r"^(?:best|latest) counts: |^none counts, |^and \d+ more$")


def find(
    readings: pd.DataFrame, entries: Iterable[str], as_of: pd.Timestamp | None
) -> Iterator[Smell]:
    """All smells of files.

    Args:
        readings: READINGS with `at`.
        entries: every key that was ever listed.
        as_of: time of the last successful look; None: nothing is said of a pause that goes on.
    """
    quoted = {repr(entry): entry for entry in entries}
    listed, last = 0, ""
    columns = ["version", "commit", "reading", "reason", "found", "n_listed", "rows_pointer"]
    for version, commit, reading, reason, said, size, pointer in readings[columns].itertuples(
        index=False
    ):
        where = None if pd.isna(pointer) else str(pointer)
        if reading == "unreadable":
            if reason != "ignored":
                why = str(reason) if pd.isna(said) else f"{reason}: {said}"
                yield Smell(int(version), "unreadable", None, None, f"cannot be read: {why}")
            continue
        if reading == "empty" and listed:
            text = f"no entry is listed, after {listed} in {last}"
            yield Smell(int(version), "emptied", None, where, text)
        if reading != "absent" and not pd.isna(said):
            for kind, note in _notes(str(said), reading == "partial"):
                found = _QUOTED.match(note)
                entry = quoted.get(found[1]) if found else None
                yield Smell(int(version), kind, entry, where, note)
        if reading in ("read", "partial"):
            listed, last = int(size), str(commit)[:8]
    yield from _stale(readings, as_of)


def _notes(said: str, partial: bool) -> Iterator[tuple[str, str]]:
    """The notes of a reading, each with the kind of finding that it is."""
    found: list[tuple[str | None, str]] = []
    for note in said.split("; "):
        if found and _GOES_ON.search(note):
            kind, before = found.pop()
            found.append((kind, f"{before}; {note}"))
            continue
        kinds = [kind for phrase, kind in _NOTES if phrase in note]
        found.append((kinds[0] if kinds else "rows_left_out" if partial else "odd_cells", note))
    yield from ((kind, note) for kind, note in found if kind is not None)


def _stale(readings: pd.DataFrame, as_of: pd.Timestamp | None) -> Iterator[Smell]:
    times = readings["at"]
    if as_of is None or len(times) < RHYTHM:
        return
    longest = times.diff().max()
    silence = as_of - times.iloc[-1]
    if silence > max(PAUSES * longest, NOT_LONG):
        text = (
            f"nothing changed for {silence.days} days, up to the last look; the longest pause "
            f"before was {_length(longest)}"
        )
        yield Smell(int(readings["version"].iloc[-1]), "stale", None, None, text)


def _length(time: pd.Timedelta) -> str:
    hours = time / pd.Timedelta(hours=1)
    return f"{hours:.1f} h" if hours < 72 else f"{time.days} days"
