"""What do the commands say to the cases of the area "rank"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer.
"""

from __future__ import annotations

import re
from typing import Any

from tests.tools.cases.expectation import Refused, Rounded, Said, Shown
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import Trial, Trouble


@answers("rank-text-scores")
def _(trial: Trial) -> Any:
    return trial.board().ranks()


@answers("rank-no-score-never-first")
def _(trial: Trial) -> Any:
    higher, lower = trial.board(), trial.board(direction="lower")
    claim = higher.check("fern is #1 on BOARD")
    return {
        "higher": higher.ranks(),
        "lower": lower.ranks(),
        "ranked_entries": higher.standings()["n_ranked"],
        "claim": Said(f"{claim['verdict']}: {claim['sentence']}", ("false", "fern", "score")),
    }


@answers("rank-lower-is-better")
def _(trial: Trial) -> Any:
    undirected = trial.define(called="undirected", published_rank="rank")
    asks = f"asks: {trial.refusal('crawl', undirected)}"
    lower = trial.board(direction="lower", published_rank="rank")
    higher = trial.board(direction="higher", published_rank="rank")
    computed = list(higher.entries().values())
    n = len(computed)
    reverse = all(one["rank"] == n + 1 - one["rank_published"] for one in computed)
    version = higher.audit()[-1]
    smells = [f"{one['kind']}: {one['found']}" for one in version["smells"]]
    warning = "warning" if version["published_rank"]["ok"] is False else "no warning"
    ranks = (
        f"computed ranks are {'the exact reverse of' if reverse else 'other than'} the published"
    )
    return {
        "not_configured": Said(asks, ("asks", "lower", "higher")),
        "lower": lower.ranks(),
        "higher": Said(
            f"{warning}: {ranks} ({'; '.join(smells)})",
            ("computed ranks are the exact reverse of the published", "warning"),
        ),
    }


@answers("rank-mean-over-available-tasks")
def _(trial: Trial) -> Any:
    board = trial.board(
        score="t1",
        parts={name: name for name in ("t1", "t2", "t3", "t4")},
        tables={"splits": {"mean": "(t1 + t2 + t3 + t4)/4", "zero": "(t1 + t3)/4"}},
    )
    entries = board.entries(split="mean")
    full = {key: one["score"] for key, one in entries.items() if one["score"] is not None}
    moss = entries["moss"]
    had = [part["value"] for part in moss["parts"].values() if part["value"] is not None]
    available = trial.claim(
        predicate="average_of",
        subject="moss",
        board=board.name,
        columns=[name for name, part in moss["parts"].items() if part["value"] is not None],
        value="71.0",
    )
    claim = trial.claim(predicate="first", subject="moss", board=board.name, split="mean")
    trial.notes.append("with_missing_as_zero: a split of its own, (t1 + t3)/4")
    lacking = len(moss["parts"]) - len(had)
    return {
        "full_means": full,
        "moss": Said(
            f"{available['answer']['measured']} over {len(had)} of {len(moss['parts'])} tasks - "
            f"{moss['unranked']}, rank {moss['rank']}",
            ("71.0 over 2 of 4 tasks - incomplete",),
        ),
        "ranks": {key: one["rank"] for key, one in entries.items()},
        "claim": Said(
            f"{'not supported' if claim['verdict'] != 'true' else 'supported'} ({claim['verdict']}):"
            f" {claim['sentence']} {lacking} of {len(moss['parts'])} tasks missing",
            ("not supported", "2 of 4 tasks missing"),
        ),
        "with_missing_as_zero": board.entries(split="zero")["moss"]["score"],
    }


@answers("rank-borda-versus-mean")
def _(trial: Trial) -> Any:
    def board(path: str, tasks: int) -> Any:
        names = [f"t{n}" for n in range(1, tasks + 1)]
        splits = {"mean": f"({' + '.join(names)})/{tasks}", "borda": {"borda": names}}
        parts = {name: name for name in names}
        return trial.board(path, score="t1", parts=parts, tables={"splits": splits})

    def points(of: Any) -> dict[str, Any]:
        return {key: one["score"] for key, one in of.entries(split="borda").items()}

    four, two = board("a.csv", 4), board("b.csv", 2)
    means = {key: one["score"] for key, one in four.entries(split="mean").items()}
    moss = two.entries(split="mean")["moss"]
    have = sum(part["value"] is not None for part in moss["parts"].values())
    word = "has no mean" if moss["score"] is None else "has a mean"
    return {
        "a_mean": means,
        "a_borda": points(four),
        "a_first": {
            split: next(key for key, rank in four.ranks(split=split).items() if rank == 1)
            for split in ("mean", "borda")
        },
        "b_borda": points(two),
        "b_note": f"moss {word} ({have} of {len(moss['parts'])} tasks)",
    }


@answers("rank-double-rounding")
def _(trial: Trial) -> Any:
    plain = trial.board()
    shown = {}
    tied: list[list[str]] = []
    for decimals in (3, 2, 1):
        board = trial.board(decimals=decimals)
        entries = board.entries()
        shown[decimals] = {key: f"{one['score']:.{decimals}f}" for key, one in entries.items()}
        if decimals == 2:
            same: dict[int, list[str]] = {}
            for key, one in entries.items():
                same.setdefault(one["rank"], []).append(key)
            tied = [keys for keys in same.values() if len(keys) > 1]
    trial.notes.append(f"with 3 decimals: {shown[3]}")
    half = shown[1].pop("lichen")
    return {
        "shown_2": shown[2],
        "shown_1": {**shown[1], "lichen": Said(half, (half,))},
        "ranks": plain.ranks(),
        "tied_at_2_decimals": tied,
    }


@answers("rank-best-or-last-entry")
def _(trial: Trial) -> Any:
    best = trial.board(keep="best")
    latest = trial.board(keep="latest", latest_by="submitted")
    return {
        "best": best.places(),
        "latest": latest.places(),
        "note": Shown(latest.found()),
    }


@answers("rank-host-baselines")
def _(trial: Trial) -> Any:
    board = trial.board(eligible="Rank >= 1", name="TeamName")
    entries = list(board.entries().values())
    ranked = [one for one in entries if one["rank"] is not None]
    baselines = [one for one in entries if one["unranked"] == "ineligible"]
    random = min(baselines, key=lambda one: one["score"])
    above = sum(one["score"] > random["score"] for one in ranked)
    # Who leads, by how much: as the verdict on the claim that the leader is first says it.
    first = board.check(f"{ranked[0]['name']} is #1 on BOARD")
    trial.notes.append(first["sentence"])
    gap = trial.claim(
        predicate="delta",
        subject=ranked[0]["entry"],
        other=ranked[1]["entry"],
        value="0",
        board=board.name,
    )
    return {
        "leader": f"{ranked[0]['name']} ({first['answer']['leader']})",
        "field": first["answer"]["of"],
        "gap": gap["answer"]["measured"],
        "above_random": f"{above} of {len(ranked)}",
        "baselines": len(baselines),
    }


@answers("rank-question-counted-twice")
def _(trial: Trial) -> Any:
    questions = ("q1", "q2", "q3")

    def means(**table: Any) -> tuple[Any, dict[str, Any]]:
        board = trial.board(
            layout="long",
            part="question",
            score="score/q1",
            parts={name: f"score/{name}" for name in questions},
            tables={"splits": {"mean": f"({' + '.join(questions)})/3"}},
            **table,
        )
        return board, board.entries(split="mean")

    board, refused = means()
    latest = means(keep="latest", latest_by="judged")[1]
    first = means(where="judged < '2026-02-01'")[1]
    if refused["fern"]["score"] is not None:
        raise Trouble("fern has a mean over two marks of one question")
    marks = re.search(r"'(fern/q1)' has different values of 'score': (\d), (\d)", board.found())
    judged = "{} judged {} and {}".format(*marks.groups()) if marks else board.found()
    tie = " (tie with moss)" if latest["fern"]["rank"] == latest["moss"]["rank"] else ""
    trial.notes.append(f"{board.found()}; fern without a mean: {refused['fern']['unranked']}")
    trial.notes.append("first marks: where = \"judged < '2026-02-01'\"")

    def shown(entry: Any, thirds: int, more: str = "") -> Said:
        text = f"{thirds}/3 = {entry['score']:.4f}{more}"
        return Said(text, (text,))

    return {
        "conflict": Said(judged, ("fern/q1 judged 1 and 0",)),
        "moss": shown(refused["moss"], 1),
        "fern_latest": shown(latest["fern"], 1, tie),
        "fern_first": shown(first["fern"], 2),
        "fern_mean_of_rows": Refused(
            f"no command forms a mean over rows; {board.found()}",
            "not acceptable without a warning",
        ),
    }


@answers("rank-macro-versus-micro")
def _(trial: Trial) -> Any:
    names = ("python", "java", "js")
    parts = {f"{one}_{what}": f"{what}/{one}" for one in names for what in ("right", "total")}
    shares = " + ".join(f"{one}_right/{one}_total" for one in names)
    right, total = (" + ".join(f"{one}_{what}" for one in names) for what in ("right", "total"))
    formulas = {"macro": f"100*({shares})/3", "micro": f"100*({right})/({total})"}
    fits, scores = [], {}
    for name, formula in formulas.items():
        board = trial.board(
            "parts.csv",
            layout="long",
            part="category",
            score="published",
            parts=parts,
            tables={"splits": formulas, "formula": {"score": formula}},
        )
        scores[name] = board.entries(split=name)["fern"]["score"]
        if board.audit()[-1]["formula"]["ok"]:
            fits.append(name)
    means = {"macro": "unweighted mean of the three categories", "micro": "mean over all questions"}
    return {
        "macro": Rounded(scores["macro"]),
        "micro": Rounded(scores["micro"]),
        "published_matches": " or ".join(f"{name} ({means[name]})" for name in fits),
    }


@answers("rank-public-private")
def _(trial: Trial) -> Any:
    columns = {"public": "public", "private": "private"}
    by_public = trial.board("subs.csv", score="public", keep="best", parts=columns)
    by_private = trial.board("subs.csv", score="private", keep="best", parts=columns)
    document = trial.ask("splits", by_public.name)
    moved = {
        one["entry"]: one["ranks"]["public"] - one["ranks"]["private"]
        for one in document["entries"]
    }
    return {
        "public": by_public.places(),
        "private_of_best_public": by_public.places(split="private"),
        "best_private": by_private.places(),
        "movement_of_best_public": moved,
    }


@answers("rank-join-two-boards")
def _(trial: Trial) -> Any:
    public, private = trial.board("public.csv"), trial.board("private.csv")
    ours, theirs = set(public.entries()), set(private.entries())
    nameless = {
        name: board.found().count("has no entry")
        for name, board in (("public", public), ("private", private))
    }
    return {
        "both": sorted(ours & theirs),
        "public_only": sorted(ours - theirs),
        "private_only": sorted(theirs - ours),
        "rows_without_id": nameless,
        "repeated": Shown(private.found()),
    }


@answers("rank-order-is-deterministic")
def _(trial: Trial) -> Any:
    board = trial.board()
    first, second = (board.entries(at=one["commit"]) for one in board.readings())
    ranks = {one["rank"] for entries in (first, second) for one in entries.values()}
    changes = sum(first[key]["rank"] != second[key]["rank"] for key in first)
    same = "identical" if list(first) == list(second) else "different"
    return {
        "rank_of_all": ranks.pop() if len(ranks) == 1 else sorted(ranks),
        "rank_changes": changes,
        "display": Said(f"{same} at c1 and c2", ("identical at c1 and c2",)),
    }
