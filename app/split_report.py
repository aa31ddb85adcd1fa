"""How does public against private read for people, and as CSV?

In: the document of `splits`. Out: an Answer. Start at splits().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.output import Answer, clean, table
from app.report import foot
from app.wording import Document, note_lines, rounded, short, wrapped

MOST = 10  # lines of one kind; --json has all


def splits(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Public against private."""
    names = document["splits"]
    header = ["entry", *names, *[f"rank_{name}" for name in names]]
    header += ["gap", "excess", "predicted", "predicted_low", "predicted_high", "level"]
    rows = [
        [
            one["entry"],
            *[one["scores"].get(name) for name in names],
            *[one["ranks"].get(name) for name in names],
            *[one[name] for name in header[1 + 2 * len(names) :]],
        ]
        for one in document["entries"]
    ]
    compared = any(one["gap"] is not None for one in document["entries"])

    def people() -> Iterator[Any]:
        if names:
            yield from _table(document, names, compared)
            yield from map(_said, shake_up_texts(document))
            yield from _overfitting_lines(document)
        else:
            yield f"{document['board']}: no splits; name them in [splits]"
        yield from _pair_lines(document["pair"])
        yield from _ladder_lines(document["ladder"])
        yield from _listing_lines(document["listing"])
        yield foot(
            document, "; all but scores and ranks are computed from them" if compared else ""
        )

    below = note_lines(document, timed=False)
    return Answer(document, people, header, rows, document["reconstruction"], notes, below)


def _table(document: Document, names: Sequence[str], compared: bool) -> Iterator[Any]:
    beside = ["gap", "excess"] if compared else []
    numbered = [
        one
        for one in document["entries"]
        if any(one["scores"].get(name) is not None for name in names)
    ]
    ranked = [sum(one["ranks"].get(name) is not None for one in numbered) for name in names]
    told = ", ".join(f"{name} ({n} ranked)" for name, n in zip(names, ranked, strict=True))
    yield clean(f"{document['board']}, commit {short(document['commit'])}: {told}")
    pairs = [name for split in names for name in (split, f"rank {split}")]
    yield table(
        ["entry", *pairs, *beside],
        [
            [
                one["entry"],
                *[
                    cell
                    for name in names
                    for cell in (one["texts"].get(name), one["ranks"].get(name))
                ],
                *([one["gap"], rounded(one["excess"])] if compared else []),
            ]
            for one in numbered
        ],
        right=[*pairs, *beside],
        folds=("entry",),
        spare=["excess", *reversed(pairs)],
    )
    if bare := len(document["entries"]) - len(numbered):
        yield f"{bare} more entries have none of these numbers."


def shake_up_texts(document: Document) -> Iterator[str]:
    """How much the order changes, and how much of that is chance, in sentences."""
    shake, orders = document["shake_up"], document["orders"]
    if shake["value"] is None:
        return
    yield (
        f"Shake-up {shake['value']:.3f}: mean change of rank from {document['public']} to "
        f"{document['private']}, as a share of the board; {shake['top']['value']:.3f} for the top "
        f"{shake['top']['n']} by {document['private']}; unrelated orders give "
        f"{shake['at_random']:.3f}."
    )
    if shake["noise_low"] is not None:
        yield (
            f"Chance alone gives {shake['noise_mean']:.3f} (95 % {shake['noise_low']:.3f} to "
            f"{shake['noise_high']:.3f}), tau {orders['noise_tau']:.2f}."
        )
        if shake["value"] < shake["noise_low"]:
            yield (
                "The order changes less than that: the errors of the two parts are probably not "
                "independent, or smaller."
            )
    yield f"Rests on {shake['assumes']}."
    if orders["tau_b"] is not None:
        shares = ", ".join(f"top {one['k']} {one['value']:.0%}" for one in orders["overlap"])
        yield (
            f"Kendall tau-b {orders['tau_b']:.3f}, Spearman {orders['spearman']:.3f}, "
            f"rank-biased overlap (0.9) {orders['rbo']['value']:.3f}"
            f"{f'; in common: {shares}' if shares else ''}."
        )


def usual_texts(document: Document) -> Iterator[str]:
    """What private score is usual for a public one, in sentences."""
    line, back = document["line"], document["regression"]
    if line is not None:
        yield (
            f"Usual: {document['private']} = {line['intercept']:.2f} + {line['slope']:.3f} x "
            f"{document['public']}, give or take {line['sd']:.2f} ({line['n']} entries)."
        )
    if back is not None:
        yield (
            f"Reliability of {document['public']} {back['reliability']:.2f}: that share of a lead "
            "over the mean is to be expected on other items."
        )


def gainers(document: Document) -> list[Document]:
    """Entries of which something may be said, as they do better on public; the strongest first."""
    more = [one for one in document["entries"] if one["level"] is not None]
    return sorted(more, key=lambda one: (one["level"] != "b", -abs(one["excess"])))


def _overfitting_lines(document: Document) -> Iterator[str]:
    """What may be said of entries that do better on public, the strongest first."""
    said = document["overfitting"]
    yield from map(_said, usual_texts(document))
    more = gainers(document)
    for one in more[:MOST]:
        yield _said(f"{one['words']}.", "- ")
    if len(more) > MOST:
        yield f"{len(more) - MOST} more entries gain more on public than on private; see --json."
    if said["code"] is not None:
        yield _undecided("Whether noise explains it", said)
    if more:
        yield _said(causes_text(said))


def causes_text(said: Document) -> str:
    """What else can make an entry do better on public; of "overfitting" in the document."""
    return f"Innocent causes: {'; '.join(said['causes'])}. And {said['never']}."


def _pair_lines(pair: Document | None) -> Iterator[str]:
    """What one entry leads another by, and how much more of it on public."""
    if pair is None:
        return
    leads = [
        f"{name} {_signed(one['text'])}"
        for name, one in pair["differences"].items()
        if one["text"] is not None
    ]
    yield _said(f"{pair['entry']} against {pair['against']}: {', '.join(leads) or 'no scores'}.")
    for one in pair["beyond"]:
        text = f"{pair['public']} less {one['split']}: {_signed(one['text'])}"
        if one["share_public"] is not None:
            text += f"; {one['share_public']:.1%} of the two leads is {pair['public']}"
        if one["z"] is not None:
            text += f"; {abs(one['z']):.2f} standard errors ({one['se']:.2f})"
        if one["items_needed"] is not None:
            text += (
                f"; 1.96 standard errors at {one['items_needed']:,} items in each part, if scores "
                f"are shares of right answers (p {one['p']:.2f})"
            )
        yield _said(f"{text}.", "- ")
    if pair["beyond"] and all(one["z"] is None for one in pair["beyond"]):
        yield _undecided("Whether that is more than noise", pair["beyond"][0])


def _ladder_lines(ladder: Document | None) -> Iterator[Any]:
    """Which new first places would have been told by a Ladder."""
    if ladder is None:
        return
    events = ladder["events"]
    if ladder["step"] is None:
        head = "no step is given (--step), so only what each gained is said"
    else:
        head = (
            f"step {ladder['step']} ({ladder['step_source']}): {ladder['survive']} of the "
            f"{ladder['survive'] + ladder['fall']} new first places that can be compared with the "
            "best told before beat it by more"
        )
    yield _said(f"Ladder, {head}.")
    if events:
        yield table(
            ("from", "first", "score", "gain", "survives"),
            [
                [
                    one["committed_at"],
                    ", ".join(one["names"].values()),
                    one["score_text"],
                    None if one["gain"] is None else _signed(one["gain"]),
                    {True: "yes", False: f"no ({one['why']})", None: f"({one['why']})"}[
                        one["survives"]
                    ],
                ]
                for one in events
            ],
            right=("score", "gain"),
            folds=("first",),
            spare=("score",),
        )
    yield _undecided("What is beaten without a step to choose", ladder["parameter_free"])


def _listing_lines(listing: Document | None) -> Iterator[str]:
    """What was listed once and is not any more."""
    if listing is None:
        return
    gone = listing["vanished"]
    back = f", {len(listing['came_back'])} were away for a time" if listing["came_back"] else ""
    yield _said(
        f"Listed: {listing['ever']} entries ever, {listing['now']} now, {len(gone)} vanished{back}."
    )
    for one in gone[-MOST:]:
        yield _said(
            f"{one['name']}: listed from {one['first']}, gone at {one['gone']} (commit "
            f"{short(one['gone_commit'])}).",
            "- ",
        )
    if len(gone) > MOST:
        yield f"{len(gone) - MOST} more vanished before; see --json."
    for one in listing["groups"][:MOST]:
        yield _said(
            f"{one['attribute']} {one['value']}: {one['ever']} entries ever, {one['now']} now "
            f"({one['removed']:.0%} removed).",
            "- ",
        )
    yield _said(f"What it cannot show: {listing['cannot_show']}.")


def _signed(text: str) -> str:
    return text if text.startswith("-") or not float(text) else f"+{text}"


def _said(text: str, first: str = "") -> str:
    return wrapped(text, first, " " * len(first))


def _undecided(what: str, told: Document) -> str:
    return _said(undecided_text(what, told))


def undecided_text(what: str, told: Document) -> str:
    """What the file cannot tell, and what would."""
    return (
        f"{what} is not decidable from this file ({told['code']}); it would take "
        f"{told['would_decide']}."
    )
