"""Which reigns does one expect of a history that is written by hand?"""

from __future__ import annotations

from history import reigns as subject
from history.ranks import rank
from history.reigns import LostTo, Reign
from tests.history.by_hand import instant, readings, scores


def commit(version: int | None) -> str | None:
    return None if version is None else f"{version:02x}" * 20


def reigns_of(times, boards, end, kinds=(), editions=()) -> list[Reign]:
    table = readings(times, kinds, editions)
    listed = rank(scores(*boards)) if any(boards) else rank(scores({"a": "1"}).iloc[:0])
    return subject.reigns(listed, table, None if end is None else instant(end))


def reign(entries: str, text: str | None, start: int, until: int | None, end: int, **more) -> Reign:
    """The reign that one expects: certain from end to end unless `more` says otherwise."""
    versions = {"from_version": more.pop("v"), "until_version": more.pop("w", None)}
    last = end if until is None else until
    plain = {
        "entries": tuple(entries.split()),
        "score": None if text is None else float(text),
        "score_text": text,
        "start": instant(start),
        "from_earliest": instant(start),
        "until": None if until is None else instant(until),
        "until_earliest": None if until is None else instant(until),
        "seconds": last - start,
        "seconds_certain": last - start,
        "open": until is None,
        "censored_start": False,
        "absent": False,
        "lost_to": (),
        "from_commit": commit(versions["from_version"]),
        "until_commit": commit(versions["until_version"]),
    }
    return Reign(**(plain | versions | more))


A, B, AB = {"a": "2", "b": "1"}, {"a": "2", "b": "3"}, {"a": "2", "b": "2"}
LOST_B = (LostTo("b", "re-scored"),)
LOST_A = (LostTo("a", "holder re-scored"),)
