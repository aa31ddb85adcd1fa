"""How firmly does first place stand: without a part, under other weights, within the errors?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from app import robust_report
from app.charts import drop_one, forest, heatmap
from app.charts.stretches import MAX_FOCUS
from app.robust_report import SHOWN, moved_text, undecided_text
from app.views import address, answers, figure, followed, grid, header, robustness_of, weights
from app.views.fold import fold
from app.views.robustness_of import Firmness
from app.views.texts import escaped
from history.pipeline import BoardHistory
from history.robustness import Composite
from history.robustness.drop_one import under
from history.sampling import LEVEL, normal_quantile

CONTEXT = 10  # rank in a case that is drawn in grey
BEST = 3  # entries in colour at least, if nobody is chosen
ROWS = 30  # of a chart with a row for each entry
Z = normal_quantile((1 + LEVEL) / 2)
BOARD, ALL, YOURS = "the board's score", "all parts", "your weights"
ORDERS = {"score": "score", "name": "name"}

READ_DOTS = (
    "**How to read it.** A row for each part left out, the weights of the others keep their "
    "proportions. A dot is the average of an entry; in a ring: who is first there. Grey: others "
    "that come among the first ten. Only places within a row can be compared."
)
READ_WEIGHTS = (
    "A weight counts by its share of all: with 0.3 of 1.2 in all a part makes a quarter of the "
    "average. Ranks are worked out exactly from the printed numbers. Ranks and *Places gained* "
    "are among the entries that have every part."
)
READ_FOREST = (
    "**How to read it.** A point is a score, its rule reaches 1.96 standard errors to either "
    "side. Shaded: the interval of the first. At the right: the ranks between which the entry "
    "may truly stand with 95 % confidence; *its rank alone* holds for one entry named "
    "beforehand, the others for all at once."
)
READ_HEAT = (
    "**How to read it.** A row for each entry, a column for each case; the number is the rank "
    "among the entries that have every part, the colour its class. A row of one colour: a place "
    "that rests on no single part."
)


def page() -> None:
    """Drop-one dots, weights to move, rank intervals, ranks in every case."""
    board, beside = header.opened_beside("how firm is first place")
    with beside:
        chosen = followed.several(board)
    moment = header.moment(board)
    if not header.held(board, moment) or moment.version is None:
        return
    found: Firmness = answers.attempt(
        lambda: robustness_of.firmness(board.name, address.said("at") or "latest")
    )
    if not found.names:
        st.info("Nobody was listed at this moment.")
        return
    document, composite = found.document, found.composite
    _headline(found)
    header.source(board, moment.version, more="; what is said of weights and errors is *reasoned*")
    if composite is None:
        told = [document[name] for name in ("code", "would_decide", "why")]
        st.info(escaped(undecided_text("Other weights", *told)))
    else:
        yours = _weighted(board, found, composite)
        cases = [(_title(case["dropped"]), case) for case in document["drop_one"]]
        cases += [] if yours is None else [(YOURS, yours)]
        _without_a_part(board, found, cases, chosen)
        _every_case(board, found, cases, chosen)
        _rivals(found)
    _intervals(board, found, chosen)
    header.notes(document["notes"], timed=False)


def _named(found: Firmness, entries: Sequence[str], most: int = 3) -> str:
    shown = ", ".join(found.names.get(entry, entry) for entry in entries[:most])
    more = f" and {len(entries) - most} more" if len(entries) > most else ""
    return f"{shown}{more}" or "nobody"


def _headline(found: Firmness) -> None:
    """What can be read in ten seconds."""
    document = found.document
    numbers = [("First by the board's score", _named(found, document["first"]))]
    if moved := document["reweighting"]:
        least = moved["least_movement"]
        until = "no weight needs to move" if len(moved["leader"]) > 1 else moved_text(least)
        numbers.append(("Weight that must move", until))
        cases = document["drop_one"][1:]
        kept = sum(case["first"] == moved["leader"] for case in cases)
        numbers.append(("Stays first without one part", f"{kept} of {len(cases)}"))
    if sure := document["rank_intervals"]:
        at_once = [one for one in SHOWN if one in sure["methods"]][-1]
        may = sum(one["ranks"].get(at_once, [0])[0] == 1 for one in sure["entries"])
        numbers.append(("May truly be first", f"{may} of {len(sure['entries'])}"))
    with st.container(horizontal=True):
        for label, value in numbers:
            st.metric(label, escaped(value), width="content")
    if moved:
        st.markdown(escaped(f"{moved['sentence']} {robust_report.epsilon_text(moved)}".strip()))
        st.caption(escaped(robust_report.weights_text(document)))


def _weighted(board: BoardHistory, found: Firmness, composite: Composite) -> dict[str, Any] | None:
    """Sliders of the weights and the ranks under them; None where they are the board's own."""
    st.subheader("Other weights", anchor=False)
    own = dict(zip(composite.parts, composite.weights, strict=True))
    said = weights.asked(composite.parts)
    weights.sliders(own, said)
    now = {part: said.get(part, weight) for part, weight in own.items()}
    if not any(now.values()):
        st.error("All weights are 0: there is nothing to average. Give one part a weight.")
        return None
    case = robustness_of.told(composite, under(composite, list(now.values())))
    total = sum(now.values())
    shares = ", ".join(f"{part} {float(weight / total):.1%}" for part, weight in now.items())
    with st.container(horizontal=True):
        whose = "First under these weights" if said else "First under the board's own weights"
        st.metric(whose, escaped(_named(found, case["first"])), width="content")
        st.metric("Ahead by", f"{case['gap']:.4g}", width="content")
    sure = "" if case["decidable"] else " The unprinted digits leave open who is first."
    st.caption(escaped(f"Shares: {shares}.{sure}"))
    table = pd.DataFrame(
        {
            "Rank": [one["rank"] for one in case["entries"]],
            "Entry": [found.names[one["entry"]] for one in case["entries"]],
            "Rank by score": [found.own.get(one["entry"]) for one in case["entries"]],
            "Average": [one["mean"] for one in case["entries"]],
        }
    ).astype({"Rank by score": "Int64"})
    table.insert(3, "Places gained", table["Rank by score"] - table["Rank"])
    grid.show(
        table,
        height="content" if len(table) <= 8 else 320,
        key="ranks under weights",
    )
    st.caption(READ_WEIGHTS)
    return case if said else None


def _title(dropped: str | None) -> str:
    return ALL if dropped is None else f"without {dropped}"


def _without_a_part(
    board: BoardHistory,
    found: Firmness,
    cases: Sequence[tuple[str, dict[str, Any]]],
    chosen: Sequence[str],
) -> None:
    """The averages with all parts and without each."""
    st.subheader("Without one part", anchor=False)
    firsts = [entry for _, case in cases for entry in case["first"]]
    best = [] if chosen else [one["entry"] for one in cases[0][1]["entries"][:BEST]]
    coloured = list(dict.fromkeys([*chosen, *firsts, *best]))[:MAX_FOCUS]
    line = {entry: number for number, entry in enumerate(coloured)}
    rows = pd.DataFrame(
        [
            {
                "entry": one["entry"],
                "name": found.names[one["entry"]],
                "line": line.get(one["entry"], -1),
                "case": title,
                "column": number,
                "mean": one["mean"],
                "rank": one["rank"],
            }
            for number, (title, case) in enumerate(cases)
            for one in case["entries"]
        ]
    )
    drawn = rows[(rows["line"] >= 0) | (rows["rank"] <= CONTEXT)]
    n_left = rows["entry"].nunique() - drawn["entry"].nunique()
    words = f"{n_left} entries are never among the first {CONTEXT} and not drawn." if n_left else ""
    unsure = [title for title, case in cases if not case["decidable"]]
    if unsure:
        words += f" Who is first is not decidable from the printed digits: {', '.join(unsure)}."
    lacking = [entry for entry in chosen if entry not in set(rows["entry"])]
    if lacking:
        words += f" Without every part, so not here: {_named(found, lacking, MAX_FOCUS)}."
    figure.show(
        partial(drop_one.drop_one, drawn, title=board.title),
        READ_DOTS,
        pd.DataFrame(
            {
                "Case": rows["case"],
                "Rank": rows["rank"],
                "Entry": rows["name"],
                "Average": rows["mean"],
            }
        ),
        name="drop-one",
        of=board.name,
        words=escaped(words),
    )


def _every_case(
    board: BoardHistory,
    found: Firmness,
    cases: Sequence[tuple[str, dict[str, Any]]],
    chosen: Sequence[str],
) -> None:
    """Ranks of the leading entries in every case."""
    st.subheader("Ranks in every case", anchor=False)
    ranks = [(title, _ranks(case)) for title, case in cases]
    if found.own != ranks[0][1]:
        ranks.insert(0, (BOARD, found.own))
    everybody = list(_ranks(cases[0][1]))
    order = sorted(everybody, key=lambda e: (ranks[0][1].get(e, len(everybody) + 1), e))
    wanted = [e for e in order if e in chosen or any(of.get(e) == 1 for _, of in ranks)]
    rest = [e for e in order if e not in wanted][: max(0, ROWS - len(wanted))]
    shown = [e for e in order if e in {*wanted, *rest}]
    cells = pd.DataFrame(
        [
            {
                "entry": found.names[entry],
                "line": line,
                "case": title,
                "column": column,
                "rank": of[entry],
            }
            for line, entry in enumerate(shown)
            for column, (title, of) in enumerate(ranks)
            if entry in of
        ]
    )
    more = len(everybody) - len(shown)
    table = {"Entry": [found.names[entry] for entry in order]}
    columns = {
        title: pd.array([of.get(entry) for entry in order], dtype="Int64") for title, of in ranks
    }
    figure.show(
        partial(heatmap.case_heatmap, cells, title=board.title),
        READ_HEAT,
        pd.DataFrame({**table, **columns}),
        name="cases",
        of=board.name,
        words=f"{more} more entries follow; the table has all." if more else "",
    )


def _ranks(case: dict[str, Any]) -> dict[str, int]:
    return {one["entry"]: one["rank"] for one in case["entries"]}


def _rivals(found: Firmness) -> None:
    """How much weight must move for whom, and what else the parts say."""
    document = found.document
    moved = document["reweighting"]
    rivals = [one for one in moved["rivals"] if one["least_movement"] is not None]
    rivals.sort(key=lambda one: one["least_movement"])

    def show() -> None:
        if rivals:
            shares = {one["entry"]: one["share"] for one in document["share_of_weightings"]}
            grid.show(
                pd.DataFrame(
                    {
                        "Rival": [found.names[one["entry"]] for one in rivals],
                        "Behind by": [one["margin"] for one in rivals],
                        "Level after": [moved_text(one["least_movement"]) for one in rivals],
                        "First after": [
                            "not asked"
                            if one["can_be_first"] is None
                            else moved_text(one["first_movement"])
                            for one in rivals
                        ],
                        "Ahead in": [f"{1 - one['share']:.1%}" for one in rivals],
                        "First in": [f"{shares.get(one['entry'], 0):.1%}" for one in rivals],
                    }
                ),
                key="rivals",
            )
        for text in (
            robust_report.behind_text(document, rivals),
            robust_report.sample_text(document),
            robust_report.voters_text(document),
            robust_report.scales_text(document),
            robust_report.recovery_text(document["weights"]),
        ):
            if text:
                st.caption(escaped(text))

    fold("How far the weights must move, and other ways to count", "rivals", show)


def _intervals(board: BoardHistory, found: Firmness, chosen: Sequence[str]) -> None:
    """Scores with their errors, and the ranks that these leave possible."""
    st.subheader("Rank intervals", anchor=False)
    document = found.document
    if missing := document["rank_intervals_undecided"]:
        told = [missing[name] for name in ("code", "would_decide", "found")]
        st.info(escaped(undecided_text("Rank intervals", *told)))
        return
    sure = document["rank_intervals"]
    left, right = st.columns(2)
    with left:
        methods = [one for one in reversed(SHOWN) if one in sure["methods"]]
        method = address.pick("Ranks that hold for", "by", methods, SHOWN.__getitem__)
    with right:
        order = address.pick("Order by", "sort", list(ORDERS), ORDERS.__getitem__)
    entries = sure["entries"]
    shown = [one for n, one in enumerate(entries) if n < ROWS or one["entry"] in chosen]
    if order == "name":
        shown = sorted(shown, key=lambda one: (one["name"].casefold(), one["entry"]))
    line = {entry: number for number, entry in enumerate(chosen)}
    first = next((one for one in entries if one["se"] is not None), None)
    band = None if first is None or first["rank"] != 1 else _ends(first)
    rows = pd.DataFrame(
        {
            "name": [one["name"] for one in shown],
            "score": [one["score"] for one in shown],
            "low": [_ends(one)[0] for one in shown],
            "high": [_ends(one)[1] for one in shown],
            "ranks": [_between(one["ranks"].get(method)) for one in shown],
            "line": [line.get(one["entry"], -1) for one in shown],
        }
    )
    more = len(entries) - len(shown)
    says = [f"Errors: {', '.join(sure['assumes']['sources'].values())}."]
    says += [f"{sure['assumes']['sigma']}."] if sure["assumes"]["sigma"] else []
    says += [f"{more} more entries follow; the table has all."] if more else []
    figure.show(
        partial(forest.forest, rows, leader=band, title=board.title),
        READ_FOREST,
        pd.DataFrame(
            {
                "Rank": [one["rank"] for one in entries],
                "Entry": [one["name"] for one in entries],
                "Score": [one["score"] for one in entries],
                "Error": [one["se"] for one in entries],
                **{
                    f"Ranks, {SHOWN[name]}": [_between(one["ranks"].get(name)) for one in entries]
                    for name in methods
                },
            }
        ),
        name="rank-intervals",
        of=board.name,
        words=escaped(" ".join(says)),
    )
    if curse := sure["winners_curse"]:
        st.caption(
            f"Were those that may truly be first equal, the leader would stand "
            f"{curse['points']:.3g} too high by luck."
        )


def _ends(one: dict[str, Any]) -> tuple[float, float]:
    reach = float("nan") if one["se"] is None else Z * one["se"]
    return one["score"] - reach, one["score"] + reach


def _between(ends: Sequence[int] | None) -> str:
    if ends is None:
        return "not known"
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
