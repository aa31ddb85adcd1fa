"""Which of many true statements say most?

In: Candidates. Out: at most five Near. Start at choose().
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from history.claims import wording
from history.claims.answer import Ref, Truth
from history.claims.finding import Near
from history.claims.language.claim import Claim, last_instant
from history.claims.leaf import Leaf

MOST = 5  # statements of one verdict
# What a statement has other than the claim, and the last order of equals.
KINDS = (
    "board",
    "split",
    "class",
    "rank kind",
    "shared",
    "edition",
    "value",
    "time",
    "place",
    "rival",
)
WEAKER = ("place", "rival")  # they say less than the claim does


@dataclass(frozen=True, slots=True)
class Candidate:
    """A true statement near a false claim.

    Attributes:
        kind: one of KINDS.
        claim: what it says, to be checked like any other, at `time`.
        refs: the cells that it rests on.
        changed: how many conditions of the claim are other ones.
        place: which place it gives the subject; 0 where it is not about one.
        seconds: how long it held; 0 of one moment.
        size: how many entries are ranked.
    """

    kind: str
    claim: Claim
    time: datetime
    statement: str
    refs: tuple[Ref, ...]
    changed: int = 1
    place: int = 0
    seconds: int = 0
    size: int = 0

    @property
    def key(self) -> tuple[bool, bool, int, int, int, int, float, int, str]:
        """The most informative first; no two are alike.

        What is as strong as the claim before a weaker place, the claim's own moment before another
        time, fewer changed conditions, the stronger place, the longer time, the larger class, the
        later time; then by kind and letter.
        """
        return (
            self.kind in WEAKER,
            self.kind == "time",
            self.changed,
            self.place,
            -self.seconds,
            -self.size,
            -self.time.timestamp(),
            KINDS.index(self.kind),
            self.statement,
        )

    @classmethod
    def at(cls, kind: str, leaf: Leaf, time: datetime, changed: int = 1) -> Candidate | None:
        """A claim as a statement, if it is true at a time.

        Args:
            kind: one of KINDS.
            leaf: the other claim.
            time: the moment.
            changed: see above.
        """
        version = leaf.track.version_at(time)
        # Most are not true, and words and evidence take longer than the answer.
        if leaf.holds({leaf.track.name: leaf.meant(version)}).truth is not Truth.YES:
            return None
        answer = leaf.judge({leaf.track.name: version}, last_of_edition=True)
        statement = f"{said_at(leaf, time)} {answer.fact}"
        place, size = (int(answer.answer.get(name) or 0) for name in ("rank", "of"))
        return cls(kind, leaf.claim, time, statement, answer.refs, changed, place, size=size)


def said_at(leaf: Leaf, time: datetime) -> str:
    """A moment, as a sentence begins with it."""
    if time == leaf.track.horizon:
        return wording.LAST_LOOK
    return wording.moment(time, ends_day=time == last_instant(time.date()))


def choose(found: Iterable[Candidate]) -> tuple[Near, ...]:
    """The most informative, each kind once before any has a second; no two say the same."""
    ordered: list[tuple[int, Candidate]] = []
    seen: dict[str, int] = {}
    said: set[tuple[str, frozenset[Ref]]] = set()
    for one in sorted(found, key=lambda one: one.key):
        # Classes of as many, with the same cells, say the same, whatever their condition.
        same = one.statement if one.kind != "class" else f"class of {one.size}"
        if (same, frozenset(one.refs)) in said:
            continue
        said.add((same, frozenset(one.refs)))
        ordered.append((seen.setdefault(one.kind, 0), one))
        seen[one.kind] += 1
    ordered.sort(key=lambda turn: turn[0])
    return tuple(Near(one.statement, one.refs) for _, one in ordered[:MOST])
