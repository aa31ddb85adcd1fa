"""At which other times was a claim true?

In: a Leaf, and the time at which it is not true. Out: Candidates, one for each stretch. Start at
at_other_times().
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from history.claims import wording
from history.claims.elsewhen import course_of, phrase, stretches
from history.claims.leaf import Leaf
from history.claims.near.candidate import Candidate

_MOST = 3  # stretches that are put into words


def at_other_times(leaf: Leaf, time: datetime) -> Iterator[Candidate]:
    """The longest stretches in which a claim held, other than one with `time` in it."""
    claim = leaf.claim
    found = [one for one in course_of(leaf).held if not one.covers(time)]
    found.sort(key=lambda one: (-one.seconds, -one.start.timestamp()))
    who = wording.subject(claim)
    for one in found[:_MOST]:
        said = f"{who} was {phrase(claim)} {stretches([one], [leaf])}"
        answer = leaf.judge(one.first)
        yield Candidate(
            "time",
            replace(claim, when=None),
            one.start,
            said,
            answer.refs,
            seconds=one.seconds,
        )
