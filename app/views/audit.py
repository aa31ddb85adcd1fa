"""Does each version of the board agree with itself?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from app import audit_report
from app.charts import stretches
from app.charts.band_bounds import band_bounds
from app.charts.residual_course import changes, residual_course
from app.charts.residuals import half_unit, kind_of, residuals
from app.charts.style import utc
from app.edition_report import formula_lines
from app.output import csv_text, json_text
from app.tie_report import tie_lines
from app.views import address, answers, audit_of, commits, figure, grid, header, raw_files
from app.views.fold import fold
from app.views.texts import escaped, say
from history.audit.smells.kinds import KINDS
from history.counts import counted
from history.moments import Moment
from history.pipeline import BoardHistory

Record = dict[str, Any]
MOST = 300  # rows of a table; the files have them all
MOST_FINDINGS = 60  # each of them is text with links, not a line of a grid
NOTHING = "-"
FULL = 12  # rows of a table that is shown whole
OPEN = 3  # unreadable versions whose bytes are shown where no version is chosen
READ_ROWS = (
    "**How to read it.** A mark per entry, the best on the left; above the line: the formula gives "
    "more than is printed. In the shaded band the difference is less than half a printed digit. A "
    "triangle: the unprinted digits of the parts can explain it. A cross: they cannot. Computed "
    "numbers are *reasoned*."
)
READ_COURSE = (
    "**How to read it.** The largest difference between a printed and a computed score, from each "
    "version to the next; a gap: nothing could be computed. A cross: at least one score that "
    "rounding cannot explain; a dot: none. Nothing has changed from the right end to the last look. "
    "Choose a version above to see its rows. Computed "
    "numbers are *reasoned*."
)
READ_BANDS = (
    "**How to read it.** A bar: every band from its left to its right end gives exactly the "
    "printed tie ranks under that rule. The dashed line is the band that the board is said to have."
)
READ_RANKS = (
    "*Published* is what the file prints, *computed* what its scores give; a board may number ties "
    "otherwise, which is no fault. *Contradicts*: of two entries the one with the better score has "
    "the worse published rank. Published ranks are *{label}*, computed ones *reasoned*."
)


def page() -> None:
    """Formula, published ranks, tie rule, odd values and unreadable versions."""
    board = header.opened("audit")
    moment = _moment(board)
    document = answers.attempt(lambda: audit_of.document(board.name, moment))
    found = audit_report.findings(document["versions"])
    _headline(document, found, moment)
    _smells(board, document, found)
    _formula(board, document, moment)
    _ranks(board, document)
    _ties(board, document)
    _unreadable(board, moment)
    _files(document)


def _moment(board: BoardHistory) -> Moment | None:
    """The version that is audited; None: all of them."""
    readings = board.readings
    wanted = address.said("at")
    found = None if wanted is None else answers.attempt_quietly(lambda: board.find(wanted))
    left, right = st.columns(2)
    with left:
        every = f"All {len(readings):,} versions" if len(readings) > 1 else "The only version"
        header.version(board, None if found is None else found.commit, every)
    with right:
        header.typed_moment("all")
    if wanted is None:
        return None
    chosen: Moment = answers.attempt(lambda: board.find(wanted))
    if chosen.version is not None:
        say(header.state_text(chosen, readings))
        if chosen.state != "unknown":
            header.source(board, chosen.version)
    return chosen


def _headline(document: Record, found: Sequence[Any], moment: Moment | None) -> None:
    versions = document["versions"]
    clean = sum(not one["smells"] for one in versions)
    if not versions:
        st.info("No version held at this moment.")
        st.stop()
    if not found:
        what = "in this version" if moment else f"in {counted(len(versions), 'version')}"
        st.success(f"Nothing was found {what}.", icon=":material/check_circle:")
        return
    kinds = len({one.smell["kind"] for one in found})
    said = f"{counted(len(found), 'finding')} of {counted(kinds, 'kind')}"
    if moment is None:
        said += f"; {clean:,} of {counted(len(versions), 'version')} without a finding"
    st.markdown(f"**:material/search: {said}.** A finding is something to look at, not a verdict.")


def _smells(board: BoardHistory, document: Record, found: Sequence[Any]) -> None:
    """Which kinds of findings there are, and each of them."""
    wanted = address.said("show")
    if wanted is not None and wanted not in KINDS:
        st.error(escaped(f'show: no kind of finding "{wanted}". Kinds are {", ".join(KINDS)}.'))
        st.stop()
    if not found:
        return
    st.subheader("What was found", anchor=False)
    totals = audit_report.totals(list(found))
    summed = pd.DataFrame(
        {
            "Kind": [kind for kind, _, _ in totals],
            "That is": [KINDS[kind].says for kind, _, _ in totals],
            "Findings": [f"{count:,}" for _, count, _ in totals],
            "Versions": [f"{count:,}" for _, _, count in totals],
        }
    )
    st.table(summed.map(escaped), border="horizontal", hide_index=True)
    kinds = [kind for kind, _, _ in totals]
    if len(kinds) > 1 or wanted is not None:
        left, _ = st.columns(2)
        with left:
            address.choose(
                "Kind",
                "show",
                kinds if wanted is None or wanted in kinds else [*kinds, wanted],
                empty=f"All {counted(len(kinds), 'kind')}",
            )
    chosen = [one for one in found if wanted in (None, one.smell["kind"])]
    if not chosen:
        st.info(f"Nothing of the kind {escaped(str(wanted))} was found.")
        return
    _findings(board, document["versions"], chosen)


def _findings(board: BoardHistory, versions: Sequence[Record], chosen: Sequence[Any]) -> None:
    newest = sorted(chosen, key=lambda one: one.first, reverse=True)
    shown = newest[:MOST_FINDINGS]
    table = pd.DataFrame(
        {
            "Kind": [escaped(one.smell["kind"]) for one in shown],
            "Entry": [escaped(one.smell["entry"] or NOTHING) for one in shown],
            "Found": [escaped(one.smell["found"]) for one in shown],
            "Since (UTC)": [_time(versions[one.first]) for one in shown],
            "Commit": [commits.linked(board, versions[one.first]["commit"]) for one in shown],
            "Versions": [f"{one.versions:,}" for one in shown],
            "Place in the file": [escaped(one.smell["pointer"] or NOTHING) for one in shown],
        }
    )
    st.table(table, border="horizontal", hide_index=True)
    more = ""
    if len(newest) > len(shown):
        more = f"The newest {len(shown)} of {len(newest):,}; the files below have all. "
    st.caption(
        f"{more}*Versions*: in how many versions in a row it is so. What stands in *Found* is "
        f"*{board.label}* where it is printed in the file, else *reasoned*."
    )
    lines = audit_report.alias_lines([one.smell for one in chosen])
    if lines:
        propose = partial(st.code, "\n".join(lines), language=None, wrap_lines=True)
        fold("Aliases that these findings propose", "aliases", propose)


def _time(version: Record) -> str:
    return audit_of.when_text(version["committed_at"]).removesuffix(" UTC")


def _formula(board: BoardHistory, document: Record, moment: Moment | None) -> None:
    """Printed scores against those that the formula gives."""
    lines = [line for line in formula_lines(document) if line and not line.startswith("  ")]
    if not lines:
        return
    st.subheader("The formula", anchor=False)
    for line in lines:
        say(" ".join(line.split()))
    if moment is not None and moment.version is not None:
        rows = audit_of.formula_rows(board.name, moment.version)
        if not rows.empty:
            _residuals(rows)
        return
    course = audit_of.formula_course(board.name)
    if course.empty:
        return
    end = course["until"].iloc[-1]
    shown = stretches.shown_until(course["at"].iloc[0], course["at"].iloc[-1], end)
    if len(course) == 1:
        version = board.find(course["commit"].iloc[0]).version
        assert version is not None  # it is the commit of a version
        _residuals(audit_of.formula_rows(board.name, version))
        return

    draw = partial(residual_course, course, end=shown, title="Formula, farthest off")
    drawn = changes(course)
    table = pd.DataFrame(
        {
            "Since (UTC)": drawn["at"].map(utc),
            "Farthest off": drawn["worst"],
            "Not what it gives": drawn["wrong"],
            "Compared": drawn["compared"],
            "Commit": commits.cells(board, drawn["commit"]),
        }
    )
    words = f"{len(table):,} of {len(course):,} versions changed something." * (
        len(table) < len(course)
    )
    columns = {"Commit": commits.column(board)}
    figure.show(draw, READ_COURSE, table, name="formula-course", columns=columns, words=words)


def _residuals(rows: pd.DataFrame) -> None:
    half = half_unit(rows["text"])

    draw = partial(residuals, rows, half, title="Computed minus printed")
    table = pd.DataFrame(
        {
            "Entry": rows["entry"],
            "Printed": rows["text"],
            "Computed": [f"{value:.6g}" for value in rows["computed"]],
            "Computed minus printed": [f"{value:+.4g}" for value in rows["difference"]],
            "Is": [kind_of(*both) for both in zip(rows["fits"], rows["exact"], strict=True)],
            "Place in the file": rows["pointer"],
        }
    )
    figure.show(draw, READ_ROWS, table, name="formula-residuals")


def _ranks(board: BoardHistory, document: Record) -> None:
    """Published ranks that are not the computed ones."""
    printed = [one for one in document["versions"] if one["published_rank"]["ok"] is not None]
    if not printed:
        return
    st.subheader("Published ranks", anchor=False)
    rows = [(one, row) for one in reversed(printed) for row in one["published_rank"]["rows"]]
    against = sum(not one["published_rank"]["ok"] for one in printed)
    if len(document["versions"]) > 1:
        said = f"{len(printed):,} of {len(document['versions']):,} versions print ranks; "
        said += f"in {against:,} some contradict the scores."
    else:
        said = "Some contradict the scores." if against else "None contradicts the scores."
    say(said)
    if not rows:
        st.caption("Every published rank is the computed one.")
        return
    shown = rows[:MOST]
    table = pd.DataFrame(
        {
            "Of (UTC)": [_time(one) for one, _ in shown],
            "Commit": commits.cells(board, [one["commit"] for one, _ in shown]),
            "Entry": [row["entry"] for _, row in shown],
            "Published": [row["published"] for _, row in shown],
            "Computed": [row["computed"] for _, row in shown],
            "Contradicts": ["yes" if row["contradicts"] else "no" for _, row in shown],
            "Standings": [_standings(board.name, one["commit"]) for one, _ in shown],
        }
    )
    link = st.column_config.LinkColumn(width=90, display_text="open")
    grid.show(
        table,
        height="content" if len(table) <= FULL else 360,
        column_config={"Commit": commits.column(board), "Standings": link},
    )
    more = f"The newest {MOST} of {len(rows):,} rows; JSON has all. " * (len(rows) > MOST)
    st.caption(more + READ_RANKS.format(label=board.label))


def _standings(board: str, commit: str) -> str:
    """The address of the standings of a commit."""
    base = (st.context.url or "").rstrip("/").rpartition("/")[0]
    path = f"standings?{urlencode({'board': board, 'at': commit})}"
    return f"{base}/{path}" if base else path


def _ties(board: BoardHistory, document: Record) -> None:
    """Which rule and band explain the published tie ranks."""
    lines = [" ".join(line.split()) for line in tie_lines(document["versions"])]
    if not lines:
        return
    st.subheader("The tie rule that is printed", anchor=False)
    for line in lines:
        say(line)
    newest = [one for one in document["versions"] if one["tie_rule"]["fits"] is not None][-1]
    fits = newest["tie_rule"]["fits"]
    if not fits:
        return
    declared = _declared(board, newest["commit"])
    table = pd.DataFrame(
        {
            "Rule": [one["rule"] for one in fits],
            "Edge": [one["edge"] for one in fits],
            "Band from": [one["band_low_text"] for one in fits],
            "to below": [one["band_high_text"] for one in fits],
            "Ranks count": [one["counts"] for one in fits],
            "Comparisons": [one["witnesses"] for one in fits],
            "Counted, not shown": [one["hidden"] for one in fits],
            "Exactly": ["yes" if one["exact"] else "within rounding" for one in fits],
        }
    )
    banded = _banded(fits)
    if banded.empty:
        grid.show(table)
        return

    title = "Bands that explain the published tie ranks"
    draw = partial(band_bounds, banded, declared, title=title)
    figure.show(draw, READ_BANDS, table, name="tie-bands")


def _banded(fits: Sequence[Record]) -> pd.DataFrame:
    """The bands of each rule, for the chart; edges that allow the same bands are one row."""
    edges: dict[tuple[Any, ...], list[str]] = {}
    for one in fits:
        if one["band_low"] is not None:
            low, high = one["band_low_text"], one["band_high_text"]
            words = f"from {low}" + (" on" if high is None else f" to {high}")
            key = one["rule"], one["band_low"], one["band_high"], words
            edges.setdefault(key, []).append(str(one["edge"]))
    rows = [
        (f"{rule}, {' or '.join(said)}", low, high, words)
        for (rule, low, high, words), said in edges.items()
    ]
    return pd.DataFrame(rows, columns=["rule", "low", "high", "words"])


def _declared(board: BoardHistory, commit: str) -> float | None:
    """The band that a version is said to have, by the definition or its file."""
    version = board.find(commit).version
    rule = board.view(version).rule
    text = board.bands(rule).get(version) if version is not None else None
    return None if text is None else float(text)


def _unreadable(board: BoardHistory, moment: Moment | None) -> None:
    """Versions that cannot be read, with the bytes as they were published."""
    bad = raw_files.listed(board)
    if moment is not None:
        if moment.version in bad["version"].tolist():
            st.subheader("The file that cannot be read", anchor=False)
            raw_files.show(board, int(moment.version or 0))
        return
    if bad.empty:
        return
    st.subheader("Versions that cannot be read", anchor=False)
    say(
        f"{len(bad):,} of {len(board.readings):,}. Nothing is known of the board while one of "
        "them held."
    )
    shown = bad.head(MOST)
    table = pd.DataFrame(
        {
            "Of (UTC)": shown["at"].map(utc).str.removesuffix(" UTC"),
            "Commit": commits.cells(board, shown["commit"]),
            "Reason": shown["reason"],
            "What stands there": shown["found"],
            "Bytes": shown["size"],
        }
    )
    if len(table) > OPEN:
        grid.show(
            table,
            height="content" if len(table) <= FULL else 360,
            column_config={"Commit": commits.column(board)},
        )
        st.caption(
            f"The newest {min(len(bad), MOST):,} of {len(bad):,}. Choose one of them above, under "
            f"Version, for its bytes; those of the newest {OPEN} are here."
        )
    for row in bad.head(OPEN).to_dict("records"):
        label = f"The bytes of {utc(row['at'])}, {row['commit'][:8]}"
        fold(label, f"bytes-{row['version']}", partial(raw_files.show, board, int(row["version"])))


def _files(document: Record) -> None:
    """The whole audit as files, as the command writes them."""
    st.subheader("To keep", anchor=False)
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download findings as CSV",
            lambda: _csv(document).encode(),
            "audit.csv",
            "text/csv",
            on_click="ignore",
        )
        st.download_button(
            "Download the audit as JSON",
            lambda: json_text(document).encode(),
            "audit.json",
            "application/json",
            on_click="ignore",
        )
    st.caption("The same as `ranktrail audit` with `--csv` and `--json`.")


def _csv(document: Record) -> str:
    answer = audit_report.audit(document)
    return csv_text(answer.header, answer.rows)
