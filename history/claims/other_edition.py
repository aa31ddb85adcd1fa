"""Is a difference that is false as said true in another edition of the board?

Scores of two editions are no scores of one kind, so that a difference needs its edition. In: the
answer to a claim that names neither edition nor time. Out: the answer true_under_other, or the same.
Start at other_edition().
"""

from __future__ import annotations

from dataclasses import replace

from history.claims import wording
from history.claims.answer import Answer
from history.claims.leaf import Leaf
from history.claims.states import State
from history.claims.timeline import Moment


def other_edition(state: State, moment: Moment, answer: Answer) -> Answer:
    """The answer, with the newest other edition in which the claim is true.

    Args:
        state: what was asked.
        moment: of when the answer is.
    """
    if not isinstance(state, Leaf) or state.claim.predicate != "delta" or answer.word != "false":
        return answer
    claim, track = state.claim, state.track
    said = claim.when is not None and claim.when.kind != "latest"
    version = moment[track.name]
    if said or claim.edition or version < 0:
        return answer
    last = {edition: n for n, edition in enumerate(track.editions[:version]) if edition}
    last.pop(track.editions[version], None)
    for edition, number in sorted(last.items(), key=lambda one: -one[1]):
        then = state.judge({track.name: number})
        if then.word == "true":
            at = wording.timestamp(track.at[number])
            fact = f"{answer.fact}; in edition {edition}, last on {at}, {then.fact}"
            now = track.editions[version] or "without a label"
            note = f"the claim names no edition: false in {now}, true in {edition}"
            return replace(
                answer,
                word="true_under_other",
                fact=fact,
                strength=None,
                answer={**answer.answer, "edition": now, "other": {edition: then.answer}},
                refs=answer.refs + then.refs,
                notes=(*answer.notes, note),
            )
    return answer
