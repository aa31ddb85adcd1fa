"""Which kinds of findings are there?

Start at KINDS.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """What a kind of finding means.

    Attributes:
        says: what was found.
        lasts: found in every version that has it, not only at the commit that brought it.
    """

    says: str
    lasts: bool = True


KINDS = {
    "unreadable": Kind("the version cannot be read"),
    "rows_left_out": Kind("rows that do not fit the header, or have no entry"),
    "emptied": Kind("no entry is listed, or eligible, after a version with some", lasts=False),
    "came_back": Kind(
        "an entry, or all, left and came back with the same score within four versions", lasts=False
    ),
    "stale": Kind(
        "no change for three times the longest pause before, as of the last look", lasts=False
    ),
    "duplicate_entry": Kind("one key in several rows"),
    "same_row": Kind("two keys whose rows print the same three or more numbers"),
    "look_alike": Kind(
        "two keys that differ only in case, spaces, dashes, hidden or look-alike letters, or a "
        "prefix such as vendor/"
    ),
    "hidden_letter": Kind(
        "a key with letters of no width, or a key or name with control characters"
    ),
    "rename": Kind(
        "a key left and another joined in one commit with the same numbers, or names moved on from "
        "row to row",
        lasts=False,
    ),
    "incomplete": Kind("a score without a part that (nearly) all others have"),
    "no_number": Kind("a score that is neither a number nor a usual text for none"),
    "outside_scale": Kind(
        "a number far above all others, above 100 %, the only one below 0, or one that may be a "
        "share of 1 among percentages"
    ),
    "interval_wrong": Kind(
        "low above its score, high below it, or a standard error or a number of items below 0"
    ),
    "zero_for_missing": Kind("0 or -1 far below all others, or where a number stood before"),
    "jumped_back": Kind(
        "A, B, A in three versions in a row in which the entry is listed", lasts=False
    ),
    "swapped": Kind("two entries exchanged their scores in one commit", lasts=False),
    "corrected": Kind(
        "a new score, by more than 1 %, with few others in its commit, on a board that rarely "
        "re-scores",
        lasts=False,
    ),
    "changed_alone": Kind(
        "in a file that is not published yet: a new score, though no part and no edition changed",
        lasts=False,
    ),
    "all_rescored": Kind(
        "(nearly) every score, or more than a third, changed in one commit, on a board that rarely "
        "does so",
        lasts=False,
    ),
    "meaning_changed": Kind(
        "most scores moved the same way by a lot, or no entry stayed", lasts=False
    ),
    "rank_contradicts_score": Kind("a published rank that no way of counting ties gives"),
    "direction_looks_wrong": Kind("the published ranks are the exact reverse of the computed ones"),
    "off_formula": Kind("a score that the definition's formula does not give"),
}
