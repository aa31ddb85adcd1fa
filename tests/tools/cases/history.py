"""What do the commands say to the cases of the area "history"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from tests.tools.cases.changes import by_version
from tests.tools.cases.crawl import again
from tests.tools.cases.expectation import Said
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble, opened
from tests.tools.cases.upstream import Upstream, labels

# Flags are written in many ways, and no flag is none.
NOT_FLAGGED = "not flagged exists or flagged == false or flagged == 0"


def _ranks(board: BoardOf) -> dict[str, list[int | None]]:
    """Rank of each entry in every version with entries; None where it is not listed."""
    versions = by_version(board.history())
    keys = dict.fromkeys(key for _, rows in versions for key in rows)
    return {
        key: [rows[key]["rank"] if key in rows else None for _, rows in versions] for key in keys
    }


def _moves(trial: Trial, board: BoardOf, *ends: str) -> tuple[Any, dict[str, Any]]:
    """The document of `changes` between two commits (the last two), and its moves by entry."""
    asked = ("--from", ends[0], "--to", ends[1]) if ends else ()
    document = trial.ask("changes", board.name, *asked)
    shown = trial.run("changes", board.name, *asked)
    trial.notes.append(" ".join(shown.stdout.split()))
    return document, {one["entry"]: one for one in document["moves"]}


def _lasted(board: BoardOf, entry: str, until: str, span: str = "total") -> str:
    """How long an entry was first up to some time, as a verdict measures it."""
    verdict = board.trial.claim(
        predicate="duration",
        subject=entry,
        board=board.name,
        state={"predicate": "first"},
        value="0",
        unit="hours",
        span=span,
        when={"over": ["", until]},
    )
    return f"{verdict['answer']['seconds'] / 3600:g} h"


def _leader(board: BoardOf, at: str) -> str:
    return next(iter(board.entries(at)))


def _day(time: str) -> str:
    moment = datetime.fromisoformat(time)
    return f"{moment.day} {moment:%B}"


def _smells(version: Mapping[str, Any], *kinds: str) -> list[str]:
    return [smell["found"] for smell in version["smells"] if smell["kind"] in kinds]


@answers("history-entry-withdrawn-and-back")
def _(trial: Trial) -> Any:
    board = trial.board()
    until = "2026-03-04T00:00:00Z"
    _, moves = _moves(trial, board, *list(labels(trial))[:2])
    moss = moves["moss"]
    causes = [cause for cause, places in moss["causes"].items() if places != "0"]
    left = [one["entry"] for one in moves.values() if one["status"] == "left"]
    same = "did not change" if moss["same_score"] else "changed"
    above = "the entry above left" if causes == ["left"] and left == ["fern"] else f"{causes}"
    return {
        **_ranks(board),
        "fern_first": {
            "total": _lasted(board, "fern", until),
            "longest": _lasted(board, "fern", until, "longest"),
            "reigns": sum("fern" in one["entries"] for one in board.reigns()),
        },
        "leader_2_march": _leader(board, "2026-03-02T12:00:00Z"),
        "claim": Said(
            f"{'true' if 'own' in causes else 'false'}: moss's score {same}, {above}",
            ("false: moss's score did not change, the entry above left",),
        ),
    }


@answers("history-rename-with-id")
def _(trial: Trial) -> Any:
    board = trial.board(name="TeamName")
    until = "2026-03-04T00:00:00Z"
    named = labels(trial)
    versions = by_version(board.history())
    events, since = [], {}
    for (_, before), (commit, after) in pairwise(versions):
        for key, row in after.items():
            old = before[key]
            told = []
            if old["name"] != row["name"]:
                told.append(f"renamed {old['name']} -> {row['name']}")
                since[key] = old["name"], row["name"], _day(row["committed_at"])
            if old["score_text"] != row["score_text"]:
                told.append(f"{old['score_text']} -> {row['score_text']}")
            if row["rank"] == 1 and old["rank"] != 1:
                told.append("takes the lead")
            if told and told != ["takes the lead"]:
                events.append(f"{named[commit]}: {key} {', '.join(told)}")
    asked = trial.refusal("history", board.name, "--entry", "Blue Foxes")
    trial.notes.append(asked)
    found = [
        f"{key} (name {'until' if names[0] == 'Blue Foxes' else 'since'} {names[2]})"
        for key, names in since.items()
        if key in asked and "Blue Foxes" in names[:2]
    ]
    both = "finds both" if len(found) == 2 else f"finds {len(found)}"
    trial.notes.append("events: from the names, scores and ranks in the rows of `history`")
    return {
        "events": events,
        "lead": {key: _lasted(board, key, until) for key in ("77", "78")},
        "search": Said(
            f"{both}: {' and '.join(found)}",
            ("finds both: 77 (name until 2 March) and 78 (name since 3 March)",),
        ),
    }


@answers("history-rename-without-id")
def _(trial: Trial) -> Any:
    upstream = Upstream.of(trial)
    upstream.show(2)
    board = trial.board(repository=upstream.folder, parts={"t1": "t1", "t2": "t2"})
    first = " ".join(_smells(board.audit()[-1], "rename"))
    kept = [key for _, rows in by_version(board.history()) for key in rows]
    merged = "not merged by itself" if {"fern", "fern-v2"} <= set(kept) else "merged"
    proposed = "possible rename fern -> fern-v2" if '"fern" = "fern-v2"' in first else "no rename"
    equal = "all numbers equal" if "the same score" in first and "2 of 2" in first else "?"
    upstream.show(3)
    again(trial, board.name)
    audit = trial.run("audit", board.name)
    later = " ".join(text for version in board.audit() for text in _smells(version, "rename"))
    trial.notes += [first, later]
    rows = dict(zip(("c1", "c2", "c3"), by_version(board.history()), strict=True))
    both = {"fern", "fern-v2"} <= rows["c3"][1].keys()
    absent = "fern absent at c2" if "fern" not in rows["c2"][1] else "fern at c2"
    still = "still proposed" if '"fern" = "fern-v2"' in audit.stdout else "not a rename"
    return {
        "after_c2": Said(
            f"{proposed} ({equal}), {merged}",
            ("possible rename fern -> fern-v2 (all numbers equal), not merged by itself",),
        ),
        "after_c3": Said(
            f"{still}: {'both are present' if both else 'one is present'}; "
            f"{'two entities' if both else 'one entity'}, {absent}: {later}",
            ("not a rename: both are present; two entities, fern absent at c2",),
        ),
        "ranks_c3": board.ranks(),
    }


@answers("history-spellings-of-one-name")
def _(trial: Trial) -> Any:
    board = trial.board()
    audit = board.audit()
    renamed = " ".join(_smells(audit[1], "rename"))
    warned = _smells(audit[2], "look_alike")
    trial.notes.append(renamed)
    entries = board.entries()
    spelled = [key for key in entries if any(repr(key) in text for text in warned)]
    scores = {entries[key]["score_text"] for key in spelled}
    apart = "with different scores" if len(scores) == len(spelled) else "with equal scores"
    case = " (case only)" if "differ only in case" in renamed else ""
    return {
        "c2": Said(f"possible rename{case}: {renamed}", ("possible rename (case only)",)),
        "c3_ranks": board.ranks(),
        "c3_warning": Said(
            f"{len(spelled)} spellings, {apart}; {'not merged' if len(spelled) > 1 else ''}: "
            f"{'; '.join(warned)}",
            ("4 spellings", "differ only in case", "prefix", "with different scores; not merged"),
        ),
    }


@answers("history-benchmark-rescored")
def _(trial: Trial) -> Any:
    board = trial.board(tables={"edition": {"label": {"column": "bench"}}})
    document, moves = _moves(trial, board)
    old = [one for one in moves.values() if one["status"] not in ("joined", "left")]
    changed = sum(one["score_before_text"] != one["score_after_text"] for one in old)
    ends = document["from"]["edition"], document["to"]["edition"]
    moss = moves["moss"]
    went = f"moss went from {moss['score_before_text']} to {moss['score_after_text']}"
    own = (moss["causes"] or {}).get("own")
    comes = f"the change comes with {ends[1]}" if own is None and moss["edition"] else f"own {own}"
    verdict = "true" if own not in (None, "0") else "false"
    return {
        "rescored": Said(
            f"{changed} of {len(old)} old entries, bench {ends[0]} -> {ends[1]}",
            ("3 of 3 old entries, bench v3 -> v4",),
        ),
        "ranks_c2": board.ranks(),
        "claim": Said(
            f"{verdict}: {went}; {comes}",
            ("false: moss went from 68 to 63; the change comes with v4",),
        ),
        "chart": Said(_marks(trial, board), ("mark at 2026-03-02",)),
    }


def _marks(trial: Trial, board: BoardOf) -> str:
    """What the Trail page lists of its dashed rules."""
    page = opened(trial, "trail", {"board": board.name, "entry": "fern"})
    for frame in page.dataframe:
        if "Edition" in frame.value.columns:
            rows = frame.value.astype(str).to_dict("records")
            return "; ".join(f"{one['Edition']}: a mark at {one['From']}" for one in rows)
    raise Trouble(f"no editions on the Trail page; {[one.value for one in page.exception]}")


@answers("history-scale-times-hundred")
def _(trial: Trial) -> Any:
    board = trial.board()
    document, moves = _moves(trial, board)
    common = [one for one in moves.values() if one["status"] not in ("joined", "left")]
    words = {"joined": "entered", "left": "left"}
    return {
        "scale": Said(
            f"score x{10 ** document['rescaled']} for all {len(common)} common entries",
            ("score x100 for all 3 common entries",),
        ),
        "score_changes_after_scaling": sum(one["same_score"] is not True for one in common),
        "ranks_c2": board.ranks(),
        "events": [
            f"{one['entry']} {words[one['status']]}"
            for one in moves.values()
            if one["status"] in words
        ],
    }


@answers("history-column-renamed")
def _(trial: Trial) -> Any:
    both = trial.board(score=trial.case.raw["case"]["board"]["score"])
    scores: dict[str, list[float]] = {}
    for row in both.history():
        scores.setdefault(row["entry"], []).append(row["score"])
    told = "; ".join(f"{key} {', '.join(map(str, found))}" for key, found in scores.items())
    ranks = " and ".join(",".join(map(str, found)) for found in _ranks(both).values())
    one = trial.board(score="Overall Acc")
    refused = trial.refusal("standings", one.name)
    stayed = one.reigns()[-1]
    gone = "nobody left" if stayed["until"] is None and not stayed["lost_to"] else "somebody left"
    ranked = "no ranks for c2" if len(by_version(one.history())) == 1 else "ranks for c2"
    return {
        "both": Said(
            f"{told}; ranks {ranks}", ("fern 71.2, 71.2; moss 69.1, 70.0; ranks 1,1 and 2,2",)
        ),
        "one": Said(
            f"c2: {refused}; {ranked}, {gone}",
            ("column 'Overall Acc'", "Overall Accuracy", "no ranks for c2, nobody left"),
        ),
    }


@answers("history-evaluated-earlier-published-later")
def _(trial: Trial) -> Any:
    board = trial.board(attributes={"date": "date"})
    (fern,) = (one for one in board.reigns() if one["entries"] == ["fern"])
    hours = fern["seconds"] / 3600
    listed = [row for row in board.history() if row["entry"] == "moss"]
    return {
        "leader_2026_02_10": _leader(board, "2026-02-10"),
        "moss_on_board_since": listed[0]["committed_at"],
        "moss_evaluated": board.entries()["moss"]["attributes"]["date"]["date"],
        "fern_first": Said(f"{hours / 24:g} days ({hours:g} h)", ("28 days (672 h)",)),
    }


@answers("history-repeated-rows")
def _(trial: Trial) -> Any:
    board, best = trial.board(), trial.board(keep="best")
    first, second, _ = labels(trial)
    refused = trial.board(keep="refuse")
    warned = _smells(board.audit()[1], "duplicate_entry")
    conflict, settled = refused.found(), best.ranks()
    trial.notes += [*warned, best.found()]
    ranked = ", ".join(f"{key} {rank}" for key, rank in settled.items())
    needed = "rule needed" if refused.ranks()["fern"] is None else "no rule needed"
    return {
        "c1": board.ranks(at=first),
        "c2": {
            **board.ranks(at=second),
            "field": board.standings(at=second)["n_ranked"],
            "warning": Said(
                f"{len(warned)} repeated row: {'; '.join(warned)}", ("1 repeated row",)
            ),
        },
        "c3": Said(
            f"{conflict}: {needed} (best/latest/refuse); with best: {ranked}",
            ("different scores", "rule needed (best/latest/refuse); with best: fern 1, moss 2"),
        ),
    }


@answers("history-flagged-entry")
def _(trial: Trial) -> Any:
    board = trial.board(eligible=NOT_FLAGGED)
    ranks: dict[str, list[Any]] = {}
    for commit in labels(trial):
        for key, one in board.entries(at=commit).items():
            shown = "flagged" if one["unranked"] == "ineligible" else one["rank"]
            ranks.setdefault(key, []).append(shown)
    ever = board.check("fern was ever first on BOARD")
    trial.notes.append(ever["sentence"])
    days = [_day(one["from"]) for one in ever["intervals"]]
    return {
        "ranks": ranks,
        "fern_ever_first": Said(
            f"{'yes' if ever['verdict'] == 'true' else ever['verdict']}, in published ranks of "
            f"{' and '.join(days).replace(' March and', ' and')}",
            ("yes, in published ranks of 1 and 3 March",),
        ),
        "first_2_march": _leader(board, "2026-03-02T12:00:00Z"),
    }
