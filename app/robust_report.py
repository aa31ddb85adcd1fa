"""How does the firmness of first place read for people, and as CSV?

In: the document of history/records/robust_record.py. Out: an Answer. Start at robust(). The CSV
has a row per entry and part left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from app.output import Answer, table
from app.report import foot, standings_line
from app.wording import Document, note_lines, wrapped

MOST_RIVALS = 8
MOST_NAMED = 3
# Methods of rank intervals, and what each holds for; the last one there is decides.
SHOWN = {
    "marginal": "its rank alone",
    "bonferroni": "all (Bonferroni)",
    "simultaneous": "all at once",
}
MOST_DECIMALS = 4
_LONG = 1e15  # a float has no decimals from here on
LEAST = 3  # of two entries one is above on any scale, and two parts are no sample


def robust(document: Document, notes: Sequence[str] = ()) -> Answer:
    """How firmly first place stands.

    Args:
        document: of `robust`.
        notes: lines for stderr.
    """
    header = ("board", "commit", "committed_at", "dropped", "entry", "rank", "mean")
    rows = [
        [*[document[name] for name in header[:3]], case["dropped"], *[one[n] for n in header[4:]]]
        for case in document["drop_one"] or ()
        for one in case["entries"]
    ]

    def people() -> Iterator[Any]:
        yield standings_line(document)
        if document["absent"]:
            yield "The board's file was absent at this moment."
        elif document["code"]:
            yield from _undecided(
                "Other weights", document["code"], document["would_decide"], document["why"]
            )
        else:
            yield from blocks(document)
        yield from _intervals(document)
        yield foot(document, "; what is said of weights and errors is computed from them")

    below = note_lines(document, timed=False)
    return Answer(document, people, header, rows, document["reconstruction"], notes, below)


def blocks(document: Document) -> Iterator[Any]:
    """What the parts say of first place: texts and tables."""
    moved, weights = document["reweighting"], document["weights"]
    yield from _lines(weights_text(document))
    yield drop_one_table(document["drop_one"], _decimals(weights))
    if found := document["subsets"]:
        led = [f"{one['entry']} in {one['alone'] + one['shared']}" for one in found["leads"]]
        yield from _lines(
            f"Gap: ± what the printed digits leave open. Of all {found['n']} sets of parts, first is {_few(led)}."
        )
    yield from _lines(f"{moved['sentence']} {epsilon_text(moved)}")
    rivals = [one for one in moved["rivals"] if one["least_movement"] is not None]
    rivals.sort(key=lambda one: one["least_movement"])
    if rivals:
        yield rivals_table(document, rivals[:MOST_RIVALS])
    yield from _lines(behind_text(document, rivals))
    yield from _lines(sample_text(document))
    yield from _lines(voters_text(document))
    yield from _lines(scales_text(document))
    yield from _lines(recovery_text(weights))


def _decimals(weights: Document) -> int:
    """Of a mean: one more than its parts have."""
    return min(weights["decimals"] + 1, MOST_DECIMALS)


def _lines(text: str) -> Iterator[str]:
    if text:
        yield wrapped(text, "", "  ")


def weights_text(document: Document) -> str:
    """What the score is made of, whether that is known, and who takes part here."""
    weights = document["weights"]
    shares = [one["weight"] for one in weights["parts"]]
    lower = {"lower": " (lower is better)", "higher": ""}
    names = [one["part"] + lower[one["direction"]] for one in weights["parts"]]
    listed = f"{', '.join(names)}, each {shares[0]:.3g}"
    if len(set(shares)) > 1:
        listed = ", ".join(f"{w:.3f} {name}" for w, name in zip(shares, names, strict=True))
    known = " (assumed)" if weights["label"] == "assumed" else ""
    told = weights["reproduces"]
    if told["ok"] is None:
        check = "no printed score to hold against them"
    elif told["ok"]:
        check = f"they give all {told['of']} printed scores"
    else:
        check = f"they give only {told['fits']} of {told['of']} printed scores, the worst is {told['worst']:.3g} off"
    own = "" if weights["scale"] == 1 else ", on the parts' own scales"
    text = f"Weights{own}: {listed}. Source: {weights['source']}{known}; {check}."
    if (weights["rest"], weights["scale"]) != (0, 1):
        text += f" The score is {weights['rest']:.4g} + {weights['scale']:.4g} times their mean."
    if told["ok"] is False and weights["label"] != "formula":
        text += " So what follows is about these weights, not about the board's score."
    if told["bent"]:
        text += f" At the formula's floor: {_few(told['bent'])}."
    if weights["left_out"]:
        text += f" Not part of it: {', '.join(weights['left_out'])}."
    if document["incomplete"]:
        lack = len(document["incomplete"])
        lacks = f"{lack} lack{'s' if lack == 1 else ''} one"
        text += f" Compared are the {document['n_compared']} entries that have every part; {lacks}."
    leaders = document["reweighting"]["leader"]
    if leaders != document["first"]:
        text += f" By the board's score first is {_few(document['first'])}; by the parts, among those compared, {_few(leaders)}."
    return text


def drop_one_table(cases: Sequence[Document], places: int) -> Any:
    """Who is first without each part; means with so many decimals."""
    rows = []
    for case in cases:
        cells: list[Any] = ["(none)" if case["dropped"] is None else case["dropped"]]
        for place in (*case["top"], None, None, None)[:3]:
            told = (
                "" if place is None else f"{_few(place['entries'])} {shown(place['mean'], places)}"
            )
            cells.append(told)
        reach = shown((case["gap_high"] - case["gap_low"]) / 2, places)
        sure = "yes" if case["decidable"] else "not decidable"
        rows.append([*cells, f"{shown(case['gap'], places)} ± {reach}", sure])
    return table(
        ("without", "first", "second", "third", "gap", "first is sure"),
        rows,
        right=("gap",),
        folds=("third", "second", "first"),
        spare=("third",),
    )


def shown(value: float, places: int) -> str:
    """A number with so many decimals, halves away from 0 as people round.

    >>> shown(66.675, 2), shown(-0.05, 1), shown(2e20, 2)
    ('66.68', '-0.1', '2e+20')
    """
    if abs(value) >= _LONG:
        return f"{value:.6g}"
    exact = Decimal(f"{value:.12g}")
    return str(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def epsilon_text(moved: Document) -> str:
    """How far the lead reaches wherever the weight goes."""
    if len(moved["leader"]) > 1 or moved["least_movement"] is None:
        return ""
    return f"Wherever it goes at once, up to {moved['epsilon']:.1%} of all weight is safe."


def rivals_table(document: Document, rivals: Sequence[Document]) -> Any:
    """Rivals that some weights bring level with the leader, those of the least first."""
    shares, places = document["share_of_weightings"], _decimals(document["weights"])
    rows = [
        [
            one["entry"],
            shown(one["margin"], places),
            moved_text(one["least_movement"]),
            "not asked" if one["can_be_first"] is None else moved_text(one["first_movement"]),
            _percent(1 - one["share"]),
            _percent(_share_of(shares, one["entry"])),
        ]
        for one in rivals
    ]
    return table(
        ("rival", "behind by", "level after", "first after", "ahead in", "first in"),
        rows,
        right=("behind by", "level after", "first after", "ahead in", "first in"),
        folds=("rival",),
        spare=("behind by", "first in"),
    )


def moved_text(share: float | None) -> str:
    """How much of the weight must move."""
    return "never" if share is None else f"{share:.1%}"


def behind_text(document: Document, rivals: Sequence[Document]) -> str:
    """What the columns of the table of rivals mean, and who is not in it."""
    moved, shares = document["reweighting"], document["share_of_weightings"]
    text = ""
    if rivals:
        worst = max(one["standard_error"] for one in shares)
        own = [f"{entry} in {_share_of(shares, entry):.1%}" for entry in moved["leader"]]
        text = (
            f"After: how much of the weight must move. In: in how many of all weightings; first is "
            f"{_few(own)} ({document['draws']:,} drawn, seed {document['seed']}, standard error "
            f"at most {worst:.2%})."
        )
    if more := rivals[MOST_RIVALS:]:
        hopeful = [one["entry"] for one in more if one["can_be_first"]]
        can = f"can be first: {_few(hopeful)}" if hopeful else "can be first: none"
        text += f" {len(more)} more can be level, of these {can}."
    if never := len(moved["rivals"]) - len(rivals):
        text += f" No weights bring the other {never} level." if rivals else ""
    return text.strip()


def _percent(share: float) -> str:
    """A share; a small one is not called none."""
    return "<0.1%" if 0 < share < 0.0005 else f"{share:.1%}"


def _share_of(shares: Sequence[Document], entry: str) -> float:
    return next((one["share"] for one in shares if one["entry"] == entry), 0.0)


def voters_text(document: Document) -> str:
    """The order with the parts as voters, as a sensitivity."""
    found = document["social_choice"]
    (first, second), (ahead, behind) = found["first_second"].values()
    by_entry = {one["entry"]: one for one in found["entries"]}
    mine, theirs = by_entry[first], by_entry[second]
    text = f"With each part as one vote (a sensitivity, not the fair rank): {first} against {second} {ahead} to {behind}"
    text += f", Borda {mine['borda']:g} to {theirs['borda']:g}, mean win rate {mine['win_rate']:.3f} to {theirs['win_rate']:.3f}."
    winner = found["condorcet"]
    text += (
        f" {winner} beats every other entry in more parts than it loses."
        if winner
        else " Nobody beats every other entry in more parts than it loses."
    )
    best = found["kemeny"]
    if len(by_entry) < LEAST:
        return text
    if best is None:
        return f"{text} Kemeny's order: {found['kemeny_why']}."
    only = "the only best" if best["orders"] == 1 else f"one of {best['orders']} equally good"
    return f"{text} Kemeny's order ({only}, {best['agrees']} of {best['of']} votes on pairs): {' > '.join(best['order'])}."


def sample_text(document: Document) -> str:
    """The lead with the parts as a sample of parts."""
    found = document["over_parts"]
    if found is None or found["test"] is None or found["test"]["n"] < LEAST:
        return ""
    test, drawn = found["test"], found["resampled"]
    text = f"With the parts as a sample of parts: the lead is {test['mean']:.3g}, t {test['t']:.2f}, p {test['p']:.2f}"
    if drawn:
        shares = sorted(drawn["first"], key=lambda one: -one["share"])
        told = _few([f"{one['entry']} {_percent(one['share'])}" for one in shares])
        text += f"; drawn anew, first is {told}"
    return f"{text}{' (' + test['caution'] + ')' if test['caution'] else ''}."


def scales_text(document: Document) -> str:
    """Whether z-scores or min-max would give another leader."""
    if document["n_compared"] < LEAST:
        return ""
    raw, *others = document["equating"]
    other = [
        f"by {one['scale']} {_few(one['first'])}" for one in others if one["first"] != raw["first"]
    ]
    text = "Parts brought to one scale by z-score or min-max give the same leader."
    if other:
        text = f"With parts brought to one scale, first is {', '.join(other)}."
    if swapped := [one["scale"] for one in others if one["swapped_by_entrant"]]:
        by = " or ".join(swapped)
        text += f" By {by}, one more entry in last place would turn the first two round."
    return text


def recovery_text(weights: Document) -> str:
    """What the printed scores say about the weights themselves."""
    found = weights["recovery"]
    if found is None or (weights["label"] == "formula" and weights["reproduces"]["ok"]):
        return ""  # they are known
    if found["possible"]:
        told = [f"{one['part']} {_span(one['low'], one['high'])}" for one in found["weights"]]
        return (
            f"Weights that give all {found['n']} printed scores within rounding: {', '.join(told)}."
        )
    whys = [f"{one['entry']}, {one['why']}" for one in found["forbidden"]]
    text = f"No weights give all {found['n']} printed scores within rounding: {_few(whys, '; ')}."
    if line := weights["line"]:
        least, most = line["low"], line["high"]
        ends = f"{least:.3g} or more" if most is None else f"{least:.3g} to {most:.3g}"
        text += f" One common line from the mean above to the scores would need a slope of {ends}."
    return text


def _span(low: float, high: float) -> str:
    ends = list(dict.fromkeys(f"{end:.4f}" for end in (low, high)))
    return " to ".join(ends)


def _intervals(document: Document) -> Iterator[Any]:
    """Ranks that the errors of the scores leave possible."""
    if document["absent"]:
        return
    if missing := document["rank_intervals_undecided"]:
        yield from _undecided(
            "Rank intervals", missing["code"], missing["would_decide"], missing["found"]
        )
        return
    found = document["rank_intervals"]
    methods = [one for one in SHOWN if one in found["methods"]]
    at_once = methods[-1]
    may = sum(one["ranks"].get(at_once, [0])[0] == 1 for one in found["entries"])
    shown = found["entries"][: max(min(may, MOST_RIVALS), MOST_NAMED)]
    yield from _lines(
        f"Rank intervals, {found['level']:.0%}, from {', '.join(found['assumes']['sources'].values())}. "
        f"{found['assumes']['sigma'] or ''}."
    )
    yield table(
        ("entry", "rank", "score", "error", *[SHOWN[one] for one in methods]),
        [
            [
                one["entry"],
                one["rank"],
                one["score"],
                None if one["se"] is None else f"{one['se']:.3g}",
                *[_ranks(one["ranks"].get(method)) for method in methods],
            ]
            for one in shown
        ],
        right=("rank", "score", "error", *SHOWN.values()),
        folds=("entry",),
        spare=("error", "score"),
    )
    who = "1 entry" if may == 1 else f"{may} entries"
    text = f"{who} of {len(found['entries'])} may truly be first, all ranks taken at once."
    if curse := found["winners_curse"]:
        text += f" Were these equal, the leader would stand {curse['points']:.3g} too high by luck."
    yield from _lines(text)


def _ranks(ends: Sequence[int] | None) -> str:
    if ends is None:
        return "not known"
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _undecided(what: str, code: str, would_decide: str, why: str | None = None) -> Iterator[str]:
    yield from _lines(undecided_text(what, code, would_decide, why))


def undecided_text(what: str, code: str, would_decide: str, why: str | None = None) -> str:
    """What the file cannot tell, why, and what would."""
    because = f": {why}" if why else ""
    return f"{what}: not decidable from this file ({code}){because}. It would take {would_decide}."


def _few(names: Sequence[str], by: str = ", ") -> str:
    """The first three, and how many more."""
    last = " and" if by == ", " else f"{by}and"
    more = f"{last} {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return by.join(names[:MOST_NAMED]) + more if names else "nobody"
