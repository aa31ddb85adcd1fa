"""How does `changes` read for people, and as CSV?

In: the document of history/records/change_record.py. Out: an Answer. Start at changes().
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from app.output import Answer, clean, table
from app.report import foot, subject_of
from app.wording import Document, short, wrapped
from history.moves.causes import CAUSES

_RANKS = ("rank_before", "rank_after")
_SHOWN = 25  # rows of the table
_ALIKE = 3  # entries that moved alike and still have a row each
_RIVALS = 3  # named beside each cause
_LISTED = 8  # that joined, that left
# Where no score changed, and more of its digits are printed.
DIGITS = {"own": "its own digits", "others": "digits of others"}
WORDS = {
    "own": "its own score",
    "others": "scores of others",
    "joined": "who joined",
    "left": "who left",
    "formula": "the formula",
    "eligibility": "who may be ranked",
    "band": "the tie band",
    "edition": "another edition",
}


def changes(document: Document, notes: Sequence[str] = (), *, whole: bool = False) -> Answer:
    """Who moved, and why.

    Args:
        document: of `changes`.
        notes: lines for stderr.
        whole: show all moves and rivals, as where single entries were asked for.
    """
    plain = ("entry", "name", "status", "rank_before", "rank_after")
    header = [*plain, "score_before_text", "score_after_text", *CAUSES, "edition"]
    rows = [
        [
            *(one[name] for name in plain),
            one["score_before_text"],
            one["score_after_text"],
            *((one["causes"] or {}).get(cause) for cause in CAUSES),
            one["edition"],
        ]
        for one in document["moves"]
    ]

    def people() -> Iterator[Any]:
        yield _line(document)
        yield from remarks(document)
        for status, said in (("joined", "Joined"), ("left", "Left")):
            if listed := [one for one in document["moves"] if one["status"] == status]:
                yield wrapped(f"{said}: {_named(listed, whole)}.", "", "  ")
        words = words_of(document)
        yield from _moved(document["moves"], whole, words)
        yield foot(document, "; causes are reasoned from them")

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def _line(document: Document) -> str:
    """Which versions, and how many did what."""
    ends = [document["from"], document["to"]]
    told = [
        f"{end['committed_at']}, commit {short(end['commit'])}"
        + (f", {end['edition']}" if end["edition"] else "")
        + f", {end['n_ranked']} ranked"
        for end in ends
    ]
    steps = document["steps"]
    if ties := document["ties"]:
        told = [f"{end}, ties {_rule(one)}" for end, one in zip(told, ties, strict=True)]
    through = f", {steps} commits one by one" if steps > 1 else ""
    return clean(f"{subject_of(document)}: from {told[0]}") + "\n" + clean(f"to {told[1]}{through}")


def _rule(one: Document) -> str:
    if one["band_text"] is None:
        return str(one["rule"])
    return f"{one['rule']} {one['band_text']} {one['edge']}"


def words_of(document: Document) -> Mapping[str, str]:
    """Every cause in words."""
    return WORDS | (DIGITS if document["only_digits"] else {})


def remarks(document: Document) -> Iterator[str]:
    """What has to be known of both versions to read their causes."""
    if document["rescaled"]:
        factor = 10 ** abs(document["rescaled"])
        how = "multiplied" if document["rescaled"] > 0 else "divided"
        yield f"All scores in both versions were {how} by {factor:,}, and compared without that."
    if document["only_digits"] and not document["rescaled"]:
        yield wrapped(
            "No score changed by more than rounding hides: other decimals are printed, and they "
            "alone tell apart, or join, who stood level.",
            "",
            "",
        )
    if document["editions_differ"]:
        moved = [one for one in document["moves"] if one["causes"] is not None]
        if any(not one["separable"] for one in moved):
            yield wrapped(
                "The editions differ and no formula bridges them: own scores, scores of others "
                'and the formula cannot be told apart from these files, and are one cause, "another '
                'edition". Scores of the two are not comparable.',
                "",
                "",
            )
        else:
            yield "The editions differ; scores of the two are not comparable as they stand."
    if any(one["fitted"] for one in document["moves"]):
        equated = document["equated"]
        by = f" ({float(Fraction(equated['shift'])):+.4g})" if equated else ""
        yield wrapped(
            f"Who joined or left was compared by the median shift of the others{by}: fitted.",
            "",
            "",
        )


def _named(listed: Sequence[Document], whole: bool) -> str:
    shown = listed if whole else listed[:_LISTED]
    said = ", ".join(_newcomer(one) for one in shown)
    more = len(listed) - len(shown)
    return said + (f" and {more} more" if more else "")


def _newcomer(one: Document) -> str:
    rank = one["rank_after"] if one["status"] == "joined" else one["rank_before"]
    would = one["would_have_been"]
    other = "before" if one["status"] == "joined" else "now"
    held = f", would be {would} {other}" if would is not None and would != rank else ""
    return f"{one['entry']} ({'unranked' if rank is None else f'rank {rank}'}{held})"


def _moved(moves: Sequence[Document], whole: bool, words: Mapping[str, str]) -> Iterator[Any]:
    changed = [
        one
        for one in moves
        if one["status"] == "moved"
        or (one["status"] == "unranked")
        or (whole and one["causes"] is not None)
        or (one["status"] == "same" and one["same_score"] is False)
    ]
    if not changed:
        yield "Nobody else moved."
        return
    rows = list(_grouped(changed, whole, words))
    shown = rows if whole else rows[:_SHOWN]
    yield table(
        ("entry", "from", "to", "places", "because of"),
        [row for _, row in shown],
        right=("from", "to"),
        folds=("because of", "entry"),
        spare=("from",),
        whole="`changes --csv` has all",
    )
    if more := sum(size for size, _ in rows[len(shown) :]):
        yield f"{more} more moved; --entry shows one, --csv and --json all."


def _grouped(
    changed: Sequence[Document], whole: bool, words: Mapping[str, str]
) -> Iterator[tuple[int, list[Any]]]:
    """Rows of the table and how many entries each stands for, those that moved most first.

    Who moved alike for the same causes, as all below somebody who joined, share a row.
    """
    alike: dict[tuple[str, str], list[Document]] = {}
    for one in changed:
        alike.setdefault((_change(one), _why(one, whole, words)), []).append(one)

    def order(group: tuple[tuple[str, str], list[Document]]) -> tuple[int, int]:
        first = group[1][0]
        return -abs(_places(first)), first["rank_after"] or 0

    for (change, why), members in sorted(alike.items(), key=order):
        if whole or len(members) <= _ALIKE:
            for one in members:
                yield 1, [one["entry"], one["rank_before"], one["rank_after"], change, why]
            continue
        first, last = members[0], members[-1]
        named = f"{len(members)} entries, {first['entry']} to {last['entry']}"
        yield (
            len(members),
            [named, *(_span(first[side], last[side]) for side in _RANKS), change, why],
        )


def _span(first: int | None, last: int | None) -> str | None:
    return None if first is None else f"{first}-{last}"


def _places(one: Document) -> int:
    if one["rank_before"] is None or one["rank_after"] is None:
        return 0
    return int(one["rank_after"] - one["rank_before"])


def _change(one: Document) -> str:
    """Places in words; a larger rank number is worse.

    >>> _change({"rank_before": 6, "rank_after": 9}), _change({"rank_before": 2, "rank_after": 1})
    ('lost 3', 'gained 1')
    """
    if one["rank_after"] is None:
        return "no rank now"
    if one["rank_before"] is None:
        return "no rank before"
    places = _places(one)
    if not places:
        return "same"
    return f"lost {places}" if places > 0 else f"gained {-places}"


def _why(one: Document, whole: bool, words: Mapping[str, str]) -> str:
    """Causes with their worth and the rivals behind them, largest first."""
    if one["causes"] is None:
        return ""
    worth = {cause: Fraction(share) for cause, share in one["causes"].items() if share}
    if one["edition"]:
        worth["edition"] = Fraction(one["edition"])
    rivals, counts = _behind(one["rivals"]), one["rival_counts"]
    told = [
        f"{words[cause]} {signed(share)}{_rivals_text(rivals.get(cause, []), counts.get(cause, 0), whole)}"
        for cause, share in sorted(worth.items(), key=lambda item: -abs(item[1]))
        if share or rivals.get(cause)
    ]
    said = "; ".join(told)
    if one["same_score"] and one["score_before_text"] != one["score_after_text"]:
        said += "; its score is the same, printed with other decimals"
    return said or "nothing"


def _behind(rivals: Sequence[Document]) -> Mapping[str, list[tuple[str, Fraction]]]:
    found: dict[str, list[tuple[str, Fraction]]] = {}
    for rival in rivals:
        for cause, share in rival["causes"].items():
            found.setdefault(cause, []).append((rival["entry"], Fraction(share)))
    return found


def _rivals_text(rivals: Sequence[tuple[str, Fraction]], count: int, whole: bool) -> str:
    if not rivals:
        return ""
    ordered = sorted(rivals, key=lambda one: (-abs(one[1]), one[0]))
    shown = ordered if whole else ordered[:_RIVALS]
    said = ", ".join(f"{entry} {signed(share)}" for entry, share in shown)
    more = count - len(shown)
    return f" ({said}{f', {more} more' if more else ''})"


def signed(share: Fraction) -> str:
    """A share with its sign.

    >>> signed(Fraction(-5, 3)), signed(Fraction(2)), signed(Fraction(0))
    ('-5/3', '+2', '0')
    """
    return f"+{share}" if share > 0 else str(share)
