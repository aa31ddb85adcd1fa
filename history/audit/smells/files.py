"""Which versions, as files, are not what a board should publish?

In: READINGS, RANKS. Out: smells about versions that cannot be read, rows left out, empty versions, and a
board that fell silent or lost all its ranks. Start at find().
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from history.audit.smells.smell import Smell

# A board is stale after this many times its longest pause before; six versions show a
# rhythm, and a week is not long for anybody.
PAUSES = 3
RHYTHM = 6
NOT_LONG = pd.Timedelta(days=7)

# The kinds of remarks that are findings. What is not here is known and wanted, or found in SCORES.
_KINDS = {
    "rows_left_out": "rows_left_out",
    "duplicate_entry": "duplicate_entry",
    "hidden_letter": "hidden_letter",
    "ambiguous": "no_number",
    "scale_mixed": "outside_scale",
}


def find(readings: pd.DataFrame, as_of: pd.Timestamp | None) -> Iterator[Smell]:
    """All smells of files.

    Args:
        readings: READINGS with `at`.
        as_of: time of the last successful look; None: nothing is said of a pause that goes on.
    """
    listed, last = 0, ""
    names = ["version", "commit", "reading", "reason", "found", "n_listed", "rows_pointer"]
    cells = readings[[*names, "remarks"]].itertuples(index=False)
    for version, commit, reading, reason, said, size, pointer, remarks in cells:
        where = None if pd.isna(pointer) else str(pointer)
        if reading == "unreadable":
            if reason != "ignored":
                why = str(reason) if pd.isna(said) else f"{reason}: {said}"
                yield Smell(int(version), "unreadable", None, None, f"cannot be read: {why}")
            continue
        if reading == "empty" and listed:
            text = f"no entry is listed, after {listed} in {last}"
            yield Smell(int(version), "emptied", None, where, text)
        for remark in remarks:
            if kind := _KINDS.get(remark["kind"]):
                at = remark["pointer"] or where
                yield Smell(int(version), kind, remark["entry"], at, remark["text"])
        if reading in ("read", "partial"):
            listed, last = int(size), str(commit)[:8]
    yield from _stale(readings, as_of)


def nobody_eligible(ranks: pd.DataFrame, readings: pd.DataFrame) -> Iterator[Smell]:
    """Versions in which the condition `eligible` leaves nobody, after one in which it left some.

    Args:
        ranks: RANKS of a whole history.
        readings: READINGS.
    """
    counts = pd.DataFrame(
        {
            "version": ranks["version"].to_numpy(),
            "ranked": ranks["rank"].notna().to_numpy(),
            "ineligible": (ranks["unranked"] == "ineligible").fillna(False).to_numpy(dtype=bool),
        }
    ).groupby("version", sort=True)
    commits = dict(zip(readings["version"], readings["commit"], strict=True))
    ranked, last = 0, ""
    for version, row in counts.sum().iterrows():
        if row["ranked"]:
            ranked, last = int(row["ranked"]), str(commits[version])[:8]
        elif row["ineligible"] and ranked:
            text = (
                f"nobody is eligible: {row['ineligible']} entries are listed, and {ranked} were "
                f"ranked in {last}"
            )
            yield Smell(int(str(version)), "emptied", None, None, text)
            ranked = 0


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
