"""What has become of the verdict that a claim had?

In: the document of a check, and the verdicts that were kept beside the boards. Out: which claims
have another verdict now, since which version, and the exit code that says so. Start at changes().
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.check import boards_of
from app.faults import DONE, NOT_PLAINLY_TRUE, OBJECTION, UsageProblem
from crawler.board import BoardError
from crawler.objects import StoreError

if TYPE_CHECKING:
    from crawler.store import Store
    from history.claims.language.claim import Claim

LAST = "last"
DECIDED = ("true", "false", "tied_not_first")
Record = dict[str, Any]
Key = tuple[str, str]  # id and text of a claim


def until(since: str) -> str | None:
    """The time up to which verdicts count as those before, as they are written; None for all.

    Raises:
        MomentError: neither `last`, nor a date, nor a timestamp.

    >>> until("last"), until("2026-03-02"), until("2026-03-02T10:00:00+02:00")
    (None, '2026-03-02T00:00:00Z', '2026-03-02T08:00:00Z')
    """
    if since == LAST:
        return None
    from history import moments
    from history.times import iso

    at = moments.instant(since)
    try:
        return iso(at.floor("D") if moments.is_day(since) else at)
    except (NotImplementedError, ValueError, OverflowError):
        raise UsageProblem(f"--since {since[:40]}: no year from 1 to 9999 in UTC.") from None


def before(store: Store, claims: Sequence[Claim], end: str | None) -> dict[Key, Record]:
    """The newest kept verdict on each claim, by id and text.

    Args:
        store: with the boards.
        claims: which are meant.
        end: as until() gives it.

    Returns:
        Lines as check.keep() writes them, and `last_decided`: the newest verdict that was true, false
        or tied_not_first; a claim can stop being true while nobody could say so.
    """
    wanted = {(claim.id, claim.text) for claim in claims}
    lines = [one for name in boards_of(store, claims) for one in _kept(store, name)]
    found: dict[Key, Record] = {}
    for one in sorted(lines, key=lambda one: str(one["checked_at"])):
        key = one["id"], one["text"]
        if key in wanted and (end is None or one["checked_at"] <= end):
            decided = one["verdict"] if one["verdict"] in DECIDED else None
            last = found[key]["last_decided"] if key in found else None
            found[key] = one | {"last_decided": decided or last}
    return found


def changes(store: Store, document: Record, known: Mapping[Key, Record]) -> list[Record]:
    """Claims whose verdict is another one than before.

    Args:
        store: says which board has a commit.
        document: of `check`.
        known: the verdicts before.

    Returns:
        id, before, after, at_commit and at (the version with which it changed; null where none
        is known), board (of that commit), last_decided (as in before()).
    """
    found = []
    for now in document["claims"]:
        old = known.get((now["id"], now["text"]))
        if old is None or old["verdict"] == now["verdict"]:
            continue
        commit, at = _turn(old, now)
        told = {"id": now["id"], "before": old["verdict"], "after": now["verdict"]}
        board = None if commit is None else _board_of(store, now, commit)
        told |= {"at_commit": commit, "at": at, "board": board}
        found.append(told | {"last_decided": old["last_decided"]})
    return found


def never_checked(claims: Sequence[Claim], known: Mapping[Key, Record], since: str) -> list[str]:
    """A line for people about claims that nothing can be compared with."""
    missing = [claim.id for claim in claims if (claim.id, claim.text) not in known]
    if not missing:
        return []
    when = "of the last check" if since == LAST else f"from before {since}"
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return [
        f"no verdict {when} is kept for {', '.join(missing[:3])}{more}: nothing to compare with"
    ]


def code_of_changes(changed: Sequence[Record]) -> int:
    """Exit code of a check that asks what has changed.

    Returns:
        5 if a claim stopped being true, 3 if one became undecided, 0 if nothing got worse.

    >>> code_of_changes([{"last_decided": "true", "before": "true", "after": "tied_not_first"}])
    5
    >>> code_of_changes([{"last_decided": "true", "before": "not_decidable", "after": "false"}])
    5
    >>> code_of_changes([{"last_decided": "false", "before": "false", "after": "not_decidable"}])
    3
    """
    if any(one["last_decided"] == "true" and one["after"] in DECIDED[1:] for one in changed):
        return OBJECTION
    worse = any(one["before"] in DECIDED and one["after"] not in DECIDED for one in changed)
    return NOT_PLAINLY_TRUE if worse else DONE


def _kept(store: Store, board: str) -> Iterator[Record]:
    """The verdicts that were kept beside a board, oldest first; what is none is left out."""
    names = ("checked_at", "id", "text", "verdict")
    for one in store.lines(store.verdicts_file(board)):
        if all(isinstance(one.get(name), str) for name in names):
            yield one


def _turn(old: Record, now: Record) -> tuple[str | None, str | None]:
    """The version with which a verdict changed: commit and time.

    It is a boundary of when the claim held that was not known before; a claim without one has
    changed with the newest version that it rests on.
    """
    known = {
        one[end] for one in old.get("intervals", []) for end in ("from_commit", "until_commit")
    }
    turns = [
        (one[time], one[commit], time == "from")
        for one in now["intervals"]
        for time, commit in (("from", "from_commit"), ("until", "until_commit"))
        if one[commit] and one[commit] not in known
    ]
    begins = now["verdict"] == "true"
    fitting = [turn for turn in turns if turn[2] == begins] or turns
    if fitting:
        at, commit, _ = max(fitting)
        return commit, at
    cells = [one for one in now["evidence"] if one["commit"] and one["committed_at"]]
    if not cells:
        return None, None
    newest = max(cells, key=lambda one: str(one["committed_at"]))
    return newest["commit"], newest["committed_at"]


def _board_of(store: Store, claim: Record, commit: str) -> str | None:
    """Which of the boards of a verdict has a version of this commit."""
    for name in dict.fromkeys(one["board"] for one in claim["evidence"] if one["board"]):
        try:
            if commit in store.versions(name)["commit"].to_pylist():
                return str(name)
        except (StoreError, BoardError, OSError):
            continue
    return None
