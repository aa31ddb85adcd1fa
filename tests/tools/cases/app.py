"""What do the pages of the dashboard say to the cases of the area "app"?

Each function defines the board of one case as a user would, opens pages of it, and gives what they
show in the shape of the case's expected answer.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pandas as pd

from tests.app.page_charts import Chart, charts, walk
from tests.app.pages import PAGES
from tests.histories import History
from tests.tools.cases.expectation import Said
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import Trial, Trouble, opened

HOSTILE = set(".[]'\"")
ZONES = ("America/Los_Angeles", "Pacific/Auckland")


def page(trial: Trial, name: str, **address: str | list[str]) -> Any:
    """A page that was run to its end.

    Raises:
        Trouble: it failed.
    """
    shown = opened(trial, name, address)
    if shown.exception:
        raise Trouble(f"the page {name}: {shown.exception[0].value}")
    return shown


def messages(shown: Any) -> str:
    """What a page says in boxes, without the signs that keep it text."""
    said = [str(one.value) for kind in (shown.info, shown.warning, shown.error) for one in kind]
    return " | ".join(said).replace("\\", "").replace("\u2060", "")


def metrics(shown: Any) -> dict[str, str]:
    """The numbers of a trail by entry."""
    return {one.label.replace("\\", ""): str(one.value) for one in shown.metric}


def all_charts(trial: Trial, board: str, **address: str | list[str]) -> list[Chart]:
    """Every chart of every page, for one address."""
    sentence = f"fern is #1 on {board} now"
    return [
        chart
        for name in PAGES
        for chart in charts(
            page(trial, name, board=board, **({"claim": sentence} if name == "claims" else address))
        )
    ]


def rank_chart(shown: Any) -> Chart:
    """The chart of ranks on a trail."""
    found = [one for one in charts(shown) if ": rank over time from" in one.description]
    if len(found) != 1:
        raise Trouble(f"{len(found)} charts of ranks on the page")
    return found[0]


def points(chart: Chart) -> pd.DataFrame:
    """The points of the coloured lines."""
    tables = [one for one in chart.data.values() if {"rank", "segment", "place"} <= set(one)]
    return max(tables, key=len)  # the others are parts of it


@answers("app-field-names-with-dots-and-brackets")
def _(trial: Trial) -> Any:
    first, second = "MMLU.Pro [5-shot]: acc", 'it\'s "x"'
    parts = {first: first, second: second}
    bad, untold, drawn = [], [], 0
    for score in parts:
        name = trial.define(
            score=score,
            direction="higher",
            parts=parts,
            tables={"splits": parts},
        )
        trial.ask("crawl", name)
        for split in (None, *parts):
            for chart in all_charts(trial, name, **({"split": split} if split else {})):
                drawn += 1
                bad += [one for one in chart.fields if HOSTILE & set(one)]
                bad += sorted(chart.fields - chart.made)
            if (
                split
                and split
                not in rank_chart(page(trial, "trail", board=name, split=split)).description
            ):
                untold.append(split)
    shown = page(trial, "standings", board=name).dataframe[0].value
    untold += [one for one in parts if one not in shown]
    trial.notes.append(f"{drawn} charts on {', '.join(PAGES)}; columns of Standings: {list(shown)}")
    said = (
        "no encoding channel, tooltip, sort or selection has a `field` that contains an unescaped "
        "sign: every one is a safe alias that exists as a key in the data; titles show the full "
        "original name"
        if not bad and not untold
        else f"fields {bad}, names not shown {untold}"
    )
    return Said(
        said,
        (
            "no encoding channel, tooltip, sort or selection has a `field`",
            "exists as a key in the data",
            "titles show the full original name",
        ),
    )


@answers("app-times-in-utc")
def _(trial: Trial) -> Any:
    name = trial.board().name
    chart = rank_chart(page(trial, "trail", board=name, entry="fern"))
    scales = {
        node["x"]["scale"]["type"] for node in walk(chart.spec) if "scale" in node.get("x", {})
    }
    pictures = [_svg(chart, zone) for zone in ZONES]
    # The same rank in both versions is one line; the score's own versions stand on Standings.
    begins = [one for one in points(chart)["tip"].unique() if one]
    seen = [
        re.findall(
            r"Version of (\d{4}-\d\d-\d\d \d\d:\d\d UTC)",
            _texts(page(trial, "standings", board=name, at=at)),
        )[0]
        for at in ("2026-03-01", "2026-03-02")
    ]
    trial.notes.append(
        f"tooltips of the line: {begins}; labels of the axis: {_labels(pictures[0])}"
    )
    return {
        "spec": Said(f"x scale type {', '.join(scales)}; preformatted text", ("x scale type utc",)),
        "tooltip": seen,
        "same_in_both_zones": pictures[0] == pictures[1],
    }


def _texts(shown: Any) -> str:
    return "\n".join(str(one.value) for one in shown.text)


def _svg(chart: Chart, zone: str) -> str:
    """The picture in a zone; numbers of its clips and gradients are left out."""
    import vl_convert

    with in_zone(zone):
        drawn = vl_convert.vegalite_to_svg(chart.whole | {"width": 600})
    return re.sub(r"clip\d+|gradient_\d+", "", drawn)


def _labels(picture: str) -> list[str]:
    return re.findall(r">(\d\d \w{3}|\d\d:\d\d)<", picture)


@contextmanager
def in_zone(zone: str) -> Iterator[None]:
    """The clock of this process in a zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()


@answers("app-gaps-stay-gaps")
def _(trial: Trial) -> Any:
    name = trial.board().name
    looked_at(trial, name, "2026-03-04T00:00:00Z")
    app = page(trial, "trail", board=name, entry=["fern", "moss"])
    chart = rank_chart(app)
    lines = [node["mark"] for node in walk(chart.spec) if _mark(node) == "line"]
    # The picture has other axes, too: first place above has none drawn, scores stand beneath.
    upwards = (node["y"] for node in walk(chart.spec) if isinstance(node.get("y"), dict))
    y = next(one for one in upwards if one.get("field") == "rank" and one.get("axis"))
    wanted = {"Entry", "From", "Until", "Rank"}
    table = next(one.value for one in app.dataframe if wanted <= set(one.value))
    whole = all(tick == int(tick) for tick in y["axis"]["values"]) and y["axis"]["format"] == "d"
    return {
        "segments_of_fern": _segments(table, "fern"),
        "segments_of_moss": _segments(table, "moss"),
        "interpolation": ", ".join({line["interpolate"] for line in lines}),
        "rank_axis": Said(
            f"{1 if y['scale']['reverse'] else 'n'} at the top, {'whole numbers' if whole else 'any'}",
            ("1 at the top", "whole numbers"),
        ),
    }


def _mark(node: dict[str, Any]) -> str:
    mark = node.get("mark")
    return str(mark.get("type")) if isinstance(mark, dict) else str(mark)


def _segments(table: pd.DataFrame, entry: str) -> list[list[Any]]:
    """From, until and rank of each step of an entry's lines.

    As the numbers beneath say it: the axis may be cut short of the last look, and the page says so.
    """
    rows = table[(table["Entry"] == entry) & table["Rank"].notna()].sort_values("From")
    return [
        [*(time.replace(" UTC", "Z").replace(" ", "T") for time in times), int(rank)]
        for *times, rank in rows[["From", "Until", "Rank"]].itertuples(index=False, name=None)
    ]


def looked_at(trial: Trial, name: str, ok: str, *failed: str) -> None:
    """Let a board's crawls have been at other times."""
    file = trial.store / name / "crawls.jsonl"
    one = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
    runs = [one | {"started": ok, "finished": ok, "outcome": "ok", "error": None}]
    runs += [
        one | {"started": at, "finished": at, "outcome": "failed", "error": "no connection"}
        for at in failed
    ]
    file.write_text("".join(f"{json.dumps(run)}\n" for run in runs), encoding="utf-8")


@answers("app-more-than-5000-points")
def _(trial: Trial) -> Any:
    entries, versions = 60, 120
    names = [f"engine-{number:02}" for number in range(entries)]
    history = History(trial.folder / "many.git")
    start = pd.Timestamp("2026-03-01T08:00:00Z")
    for version in range(versions):
        rows = [
            f"{name},{(number - version) % entries}.{version:03}"
            for number, name in enumerate(names)
        ]
        at = (start + pd.Timedelta(days=version)).strftime("%Y-%m-%dT%H:%M:%SZ")
        history.commit({"board.csv": "model,score\n" + "\n".join(rows) + "\n"}, at)
    board = trial.board(repository=history.folder)
    looked_at(trial, board.name, "2026-07-01T00:00:00Z")
    shown = page(trial, "trail", board=board.name, entry=names)
    chart = rank_chart(shown)
    told = [str(one.value) for one in [*shown.warning, *shown.caption]]
    grey = [
        one for one in chart.data.values() if {"rank", "segment"} <= set(one) and "place" not in one
    ]
    lines = pd.concat([points(chart), *grey])
    count = len(lines)
    first = {one["from"] for one in board.reigns()}
    drawn = {
        pd.Timestamp(t, unit="ms", tz="UTC").strftime("%Y-%m-%dT%H:%M:%SZ")
        for t in lines.loc[lines["rank"] == 1, "t"]
    }
    there = "all there" if first <= drawn else f"missing: {sorted(first - drawn)[:3]}"
    chosen = next(one for one in told if "in colour" in one)
    one = points(rank_chart(page(trial, "trail", board=board.name, entry=names[0])))
    return {
        "error": bool(shown.exception),
        "shown": Said(
            f"all 7200 points are change points here; {count} drawn (each line has its end, too); "
            f"note: {chosen}; the leader's changes are {there}",
            ("all 7200 points", "the leader's changes are all there"),
        ),
        "one_entry": int((~one["ends"]).sum()),
    }


@answers("app-missing-values-in-tables")
def _(trial: Trial) -> Any:
    board = trial.board()
    table = page(trial, "standings", board=board.name).dataframe[0].value
    numbers = pd.api.types.is_numeric_dtype(table["Score"])
    rows = csv.DictReader(io.StringIO(trial.run("standings", board.name, "--csv").stdout))
    exported = {row["entry"]: row["score_text"] for row in rows}
    trial.notes.append(f"exported: {exported}")
    value = table.loc[table["Entry"] == "lichen", "Score"].iloc[0]
    return {
        "order": table["Entry"].tolist(),
        "column_type": "number" if numbers else str(table["Score"].dtype),
        "lichen": Said(
            "empty" if pd.isna(value) and exported["lichen"] == "" else repr(value),
            ("empty",),
        ),
    }


@answers("app-cached-data-is-not-shared-mutable")
def _(trial: Trial) -> Any:
    from app.views import answers as cached

    history = History(trial.folder / "growing.git")
    for commit in trial.case.commits:
        history.commit(dict(commit["files"]), commit["at"])
    name = trial.board(repository=history.folder).name
    with store_of(trial):
        first = cached.standings(name, "latest", None).frame
        first.drop(index=first.index[0], inplace=True)
        first.rename(columns={"score.value": "points"}, inplace=True)
        first.sort_values("entry", inplace=True)
        second = _scores(cached.standings(name, "latest", None).frame)
        third = _scores(cached.standings(name, "latest", None).frame)
        history.commit({"board.csv": "model,score\nfern,81\nmoss,90\n"}, "2026-03-02T08:00:00Z")
        trial.ask("crawl", name)
        grown = _scores(cached.standings(name, "latest", None).frame)
    seen = metrics(page(trial, "trail", board=name, entry="moss"))
    return {
        "second": Said(f"{second}, column 'score'", ("fern 81, moss 80, column 'score'",)),
        "third": "the same" if third == second else third,
        "after_crawl": Said(
            "new version visible on the next rerun"
            if (grown, seen) == ("moss 90, fern 81", {"moss": "1 of 2"})
            else f"{grown}; {seen}",
            ("new version visible on the next rerun",),
        ),
    }


def _scores(frame: pd.DataFrame) -> str:
    from history.frames import SCORE, text_of

    rows = frame[["entry", text_of(SCORE)]].itertuples(index=False, name=None)
    return ", ".join(f"{entry} {text}" for entry, text in rows)


@contextmanager
def store_of(trial: Trial) -> Iterator[None]:
    """The store of a trial as that of the pages."""
    with patch.dict(os.environ, {"RANKTRAIL_STORE": str(trial.store)}):
        yield


@answers("app-selection-survives-new-data")
def _(trial: Trial) -> Any:
    first, second = (dict(commit["files"]) for commit in trial.case.commits)
    history = History(trial.folder / "growing.git")
    history.commit(first, trial.case.commits[0]["at"])
    name = trial.board(repository=history.folder).name
    with store_of(trial):
        shown = page(trial, "trail", board=name)
        shown.multiselect(key="choose entry").select("moss").run()
        history.commit(second, trial.case.commits[1]["at"])
        trial.ask("crawl", name)
        shown.run()
        after = (shown.multiselect(key="choose entry").value, metrics(shown))
        history.commit(
            {"board.csv": "model,score\nash,85\nfern,81\noak,79\n"}, "2026-03-03T08:00:00Z"
        )
        trial.ask("crawl", name)
        shown.run()
        gone = (shown.multiselect(key="choose entry").value, metrics(shown))
    kept = after == (["moss"], {"moss": "3 of 4"})
    left = gone == (["moss"], {"moss": "not listed"})
    return {
        "after_c2": "moss is still selected" if kept else str(after),
        "after_removal": Said(
            "moss can still be selected (history): moss, not listed" if left else str(gone),
            ("moss can still be selected (history)",),
        ),
    }


@answers("app-link-reproduces-the-view")
def _(trial: Trial) -> Any:
    history = History(trial.folder / "growing.git")
    first, second = trial.case.commits
    commit = history.commit(dict(first["files"]), first["at"])
    name = trial.board(repository=history.folder).name
    link = {"board": name, "entry": "fern", "at": commit}
    views = [_view(trial, link)]
    history.commit(dict(second["files"]), second["at"])
    trial.ask("crawl", name)
    views.append(_view(trial, link))
    wrong = {"entry": "no such", "at": "zzz", "board": "../x"}
    unnamed = []
    for key, value in wrong.items():
        shown = page(trial, "trail", **({"board": name} | {key: value}))
        if value not in messages(shown) or value in metrics(shown):
            unnamed.append(value)
    special = "a&b=c#d/é"
    rows = f"model,score\nfern,81\n{special},99\n"
    history.commit({"board.csv": rows}, "2026-03-03T08:00:00Z")
    trial.ask("crawl", name)
    with store_of(trial):
        shown = page(trial, "trail", board=name)
        shown.multiselect(key="choose entry").select(special).run()
    again = metrics(page(trial, "trail", board=name, entry=shown.query_params["entry"]))
    trial.notes.append("the round trip through a browser's address: tests/app/test_browser.py")
    return {
        "link": Said(
            f"{views[0]}, before and after commit 2" if views[0] == views[1] else str(views),
            ("fern, rank 1, as of 2026-03-01", "before and after commit 2"),
        ),
        "unknown": Said(
            "a message naming the unknown value; never the first entry in its place"
            if not unnamed
            else f"not named: {unnamed}",
            ("a message naming the unknown value", "never the first entry in its place"),
        ),
        "special_name": Said(
            "round trip through the URL gives the same name"
            if again == {special: "1 of 2"}
            else str(again),
            ("round trip through the URL gives the same name",),
        ),
    }


def _view(trial: Trial, link: dict[str, str]) -> str:
    shown = page(trial, "trail", **link)
    ((entry, rank),) = metrics(shown).items()
    at = re.findall(r"Version of (\S+) (\d\d:\d\d) UTC", _texts(shown))[0]
    return f"{entry}, rank {rank.split(' of ')[0]}, as of {at[0]}T{at[1]}:00Z"


@answers("app-as-of-is-the-data-time")
def _(trial: Trial) -> Any:
    name = trial.board().name
    looked_at(trial, name, "2026-03-04T08:00:00Z", "2026-03-05T08:00:00Z", "2026-03-06T02:00:00Z")
    now = pd.Timestamp("2026-03-06T08:00:00Z")
    said = {}
    with patch("app.views.answers.now", lambda: now), patch.dict(os.environ, RANKTRAIL_EVERY="6h"):
        for one in PAGES:
            claim = {"claim": f"fern is #1 on {name} now"} if one == "claims" else {}
            shown = page(trial, one, board=name, **claim)
            said[one] = messages(shown) + " | ".join(str(line.value) for line in shown.caption)
    facts = {
        "board_changed": "Last changed 2026-03-01 08:00 UTC",
        "last_confirmed": "As of 2026-03-04 08:00 UTC (2 days ago)",
        "warning": "overdue: 8 runs missed or failed",
    }
    trial.notes.append(f"on the page {PAGES[0]}: {said[PAGES[0]]}")
    return {
        key: Said(
            text if all(text in one for one in said.values()) else str(said),
            (text.removeprefix("Last changed ").removeprefix("As of "),),
        )
        for key, text in facts.items()
    }
