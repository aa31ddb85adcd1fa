"""What do the commands say to the cases of the area "parse"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import mean
from typing import Any

from tests.tools.cases.expectation import Refused, Said
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble


@answers("parse-entities-called-NA")
def _(trial: Trial) -> Any:
    ranks = trial.board().ranks()
    return {"entities": list(ranks), "ranks": ranks}


@answers("parse-trailing-comma-shifts-columns")
def _(trial: Trial) -> Any:
    board = trial.board(parts={"votes": "votes"})
    if board.unreadable():
        return Refused(board.found(), "prefers to refuse", ("row 2 has 4", "header has 3"))
    return {
        key: {"score": one["score"], "votes": one["parts"]["votes"]["value"], "rank": one["rank"]}
        for key, one in board.entries().items()
    }


@answers("parse-duplicate-column-names")
def _(trial: Trial) -> Any:
    # The refusal, then the three columns by position: the words of the expectation say each.
    refused = trial.board().found()
    second, third, fourth = (trial.board(score=f"#{n}").ranks() for n in (2, 3, 4))
    facts = [
        *(f"{key} {rank}" for key, rank in second.items()),
        *(f"{key} {rank}" for key, rank in fourth.items()),
    ]
    ours = f"{refused}. With column 2: {_listed(second)}. With column 4: {_listed(fourth)}"
    named = trial.board(score="score.1").ranks()
    expected = ("'score'", "2 and 4", _listed(second), _listed(fourth), *facts)
    if named != third:
        raise Trouble(f"score.1 gives {_listed(named)}, column 3 gives {_listed(third)}")
    return Refused(ours, "refused with a message", expected)


def _listed(ranks: dict[str, int | None]) -> str:
    return ", ".join(f"{key} {rank}" for key, rank in ranks.items())


@answers("parse-semicolon-file")
def _(trial: Trial) -> Any:
    return {
        key: {"rank": one["rank"], "score": one["score"], "votes": one["parts"]["votes"]["value"]}
        for key, one in trial.board(parts={"votes": "votes"}).entries().items()
    }


@answers("parse-percent-strings")
def _(trial: Trial) -> Any:
    return trial.board().places()


@answers("parse-mixed-scale-in-one-column")
def _(trial: Trial) -> Any:
    board = trial.board()
    claim = trial.claim(predicate="first", subject="moss", board=board.name)
    word = "undecidable" if claim["verdict"] == "not_decidable" else claim["verdict"]
    spoken = board.check("moss is #1 on BOARD")
    if (spoken["verdict"], spoken["code"]) != (claim["verdict"], claim["code"]):
        raise Trouble(f"a sentence is judged in another way: {spoken['sentence']}")
    return {
        "warning": Said(board.found(), ("score", "3 rows", "1 row", "moss")),
        "claim": Said(f"{word}: {claim['sentence']}", ("undecidable",)),
        "if_scale_rule_applied": trial.board(scale="percent").places(),
    }


@answers("parse-big-integer-ids")
def _(trial: Trial) -> Any:
    (text,) = trial.case.snippets
    as_csv = trial.variant("csv", lambda _: {"ids.csv": text})
    boards = [trial.board(), trial.board("ids.csv", repository=as_csv)]
    answers = []
    for board in boards:
        found = board.found()
        told = "reported" if "has no entry" in found else "silent"
        ranks = board.ranks()
        nameless = [key for key in ranks if not key.isdecimal()]
        answers.append(
            {
                "ranks": ranks,
                "row_without_id": f"{told}, {'an' if nameless else 'not an'} entity",
            }
        )
        trial.notes.append(found)
    return _same(answers)


@answers("parse-json-nan-infinity")
def _(trial: Trial) -> Any:
    higher, lower = trial.board(), trial.board(direction="lower")
    entries = higher.entries()
    words = {"no_score": "missing", "not_finite": "not finite"}
    unranked = [
        f"{key} ({words[one['unranked']]})" for key, one in entries.items() if one["unranked"]
    ]
    # ask() refuses NaN and Infinity in what a command prints.
    gaps = [one["score"] for one in entries.values() if one["unranked"]]
    export = "valid JSON: null, no NaN/Infinity tokens" if set(gaps) == {None} else f"{gaps}"
    in_file_order = [row["entry"] for row in _rows_in_file(higher)]
    unranked.sort(key=lambda text: in_file_order.index(text.split(" (")[0]))
    return {
        "higher": _ranked(higher),
        "lower": _ranked(lower),
        "unranked": unranked,
        "export": Said(export, ("valid JSON", "null")),
    }


def _ranked(board: BoardOf) -> dict[str, int]:
    return {key: rank for key, rank in board.ranks().items() if rank is not None}


def _rows_in_file(board: BoardOf) -> list[dict[str, Any]]:
    """SCORES in file order, from the table in the store."""
    import pandas as pd

    frame = pd.read_parquet(board.trial.store / board.name / "scores.parquet")
    return frame.sort_values("row").to_dict("records")


@answers("parse-jsonl-cut-off")
def _(trial: Trial) -> Any:
    board = trial.board()
    versions = board.readings()
    # An entry left where a whole version lacks it, or where the tool says that it left.
    whole = [one["commit"] for one in versions if one["reading"] in ("read", "empty")]
    listed = [{row["entry"] for row in board.history() if row["commit"] == one} for one in whole]
    exits = sum(len(before - after) for before, after in pairwise(listed))
    smells = [smell["found"] for version in board.audit() for smell in version["smells"]]
    told = [found for found in smells if " left in " in found]
    trial.notes += told
    since = next(one for one in board.reigns() if one["entries"] == ["moss"])
    return {
        "exit_events": exits + len(told),
        "c2": Said(board.found(1), ("line 3", "partial")),
        "moss_leads_from": Said(
            f"{since['from']}, a version that is {versions[1]['reading']}",
            (since["from"][11:16], versions[1]["reading"]),
        ),
    }


@answers("parse-duplicate-keys")
def _(trial: Trial) -> Any:
    told = []
    for path in ("board.json", "board.yaml"):
        board = trial.board(path, entry="@key", score="$")
        told.append(board.found())
        if not board.unreadable():
            raise Trouble(f"{path} is {told[-1]}; ranked are {_listed(board.ranks())}")
    return Refused("; ".join(told), "the file is refused", ("key 'fern'", "twice", "81 and 12"))


@answers("parse-numeric-looking-names-in-csv")
def _(trial: Trial) -> Any:
    return trial.board().ranks()


@answers("parse-bom-in-header")
def _(trial: Trial) -> Any:
    tabs = trial.variant("tabs", lambda files: {"board.tsv": files["board.csv"].replace(",", "\t")})
    as_json = trial.variant("json", lambda _: {"board.json": trial.case.snippets[0]})
    answers = []
    for board in (trial.board(), trial.board("board.tsv", repository=tabs)):
        # The key column was found by its plain name, else the version would be unreadable.
        answers.append({"first_column": trial.case.table["entry"], "ranks": board.ranks()})
    found = trial.board("board.json", repository=as_json)
    trial.notes.append(f"JSON with a BOM: {_listed(found.ranks())}")
    if not found.ranks().items() <= answers[0]["ranks"].items():
        raise Trouble(f"JSON with a BOM gives {found.ranks()}")
    return _same(answers)


@answers("parse-header-and-name-spaces")
def _(trial: Trial) -> Any:
    board = trial.board()
    states = []
    for version in board.readings():
        rows = [row for row in board.history() if row["commit"] == version["commit"]]
        states.append({row["entry"]: (row["rank"], row["score"]) for row in rows})
    events = sum(
        before.get(entry) != after.get(entry)
        for before, after in pairwise(states)
        for entry in before | after
    )
    stripped = "stripped" if set(states[2]) == set(states[1]) else "kept"
    said = board.found(2)
    told = "reported" if any(word in said for word in ("U+200B", "invisible", "zero-width")) else ""
    return {
        "entities": sorted({entry for state in states for entry in state}),
        "events": events,
        "note": Said(
            f"zero-width character {stripped}, {told or 'silently'}: {said}", ("reported",)
        ),
    }


@answers("parse-markdown-table")
def _(trial: Trial) -> Any:
    board = trial.board(rows="1", entry="Model", score="Score")
    trial.notes.append(f"of row 3: {board.found()}")
    return [[key, one["score"]] for key, one in board.entries().items()]


@answers("parse-html-spans-and-repeated-header")
def _(trial: Trial) -> Any:
    ranks = trial.board(rows="1").ranks()
    return {**ranks, "entities": len(ranks)}


@answers("parse-empty-string-in-number-column")
def _(trial: Trial) -> Any:
    entries = trial.board().entries()
    scores = [one["score"] for one in entries.values() if one["score"] is not None]
    return {
        "ranks": {key: one["rank"] for key, one in entries.items()},
        "top": next(iter(entries)),
        "mean": mean(scores),
    }


@answers("parse-integer-column-then-decimals")
def _(trial: Trial) -> Any:
    board = trial.board(parts={"extra": "extra"})
    entries = board.entries()
    return {
        "by_score": {key: one["rank"] for key, one in entries.items()},
        "by_extra": board.ranks(split="extra"),
        "mean": round(mean(one["score"] for one in entries.values()), 6),
    }


@answers("parse-day-first-dates")
def _(trial: Trial) -> Any:
    first_two = trial.variant(
        "two-rows",
        lambda files: {path: "".join(text.splitlines(True)[:3]) for path, text in files.items()},
    )
    dated = {"attributes": {"date": "date"}}
    days = {
        key: one["attributes"]["date"]["date"]
        for key, one in trial.board(**dated).entries().items()
    }
    open_ones = trial.board(repository=first_two, **dated).standings()
    trial.notes += [note["text"] for note in open_ones["notes"]]
    if any(one["attributes"]["date"]["date"] for one in open_ones["entries"]):
        raise Trouble("an ambiguous date was guessed")
    # One key for all rows, so that `keep` picks the latest of them by its date.
    keyed = {"entry": {"column": "date", "pattern": r"(\d{4})$"}, "name": "model"}
    latest = {**keyed, "keep": "latest", "latest_by": "date"}
    three = trial.board(**latest)
    two = trial.board(repository=first_two, **latest)
    names = [one["name"] for one in three.entries().values()]
    trial.notes.append(f"keep = latest by date, of the three rows: {', '.join(names)}")
    if not two.unreadable() and _ranked(two):
        raise Trouble(f"of two ambiguous dates one was taken as the latest: {two.found()}")
    return {
        "dates": days,
        "order": sorted(days, key=lambda key: days[key] or ""),
        "two_rows": Said(
            f"ambiguous, none is ranked: {two.found()}", ("ambiguous", "5 Feb", "2 May")
        ),
    }


@answers("parse-header-only-and-empty-list")
def _(trial: Trial) -> Any:
    board = trial.board()
    versions = board.readings()
    empty = board.standings(at=versions[1]["commit"])
    state = "without entries" if not empty["entries"] and not empty["absent"] else "with entries"
    noon = "2026-03-02T12:00:00Z"
    at_noon = [
        one for one in board.reigns() if one["from"] <= noon and not (one["until"] or "~") <= noon
    ]
    first = ", ".join(at_noon[0]["entries"]) or "nobody"
    held = trial.claim(
        predicate="duration",
        subject="fern",
        board=board.name,
        state={"predicate": "first"},
        value="48",
        unit="hours",
        when={"over": ["", "2026-03-04T08:00:00Z"]},
    )
    hours = held["answer"]["seconds"] / 3600
    longest = held["answer"]["longest"] / 3600
    stretches = {1: "one stretch", 2: "two stretches"}.get(len(held["intervals"]), "many stretches")
    total = f"{hours:g} h in {stretches} of {longest:g} h"
    trial.notes += [f"audit of c3: {smell['found']}" for smell in board.audit()[2]["smells"]]
    messages, exceptions = trial.page("standings", board=board.name, at=versions[1]["commit"])
    page = f"{exceptions or 'no exception'}, {'a message' if messages else 'no word'}: {messages}"
    return {
        "snapshots": board.crawled["versions"],
        "c2": Said(
            f"board published {state} ({board.found(1)})", ("board published without entries",)
        ),
        "first_at_noon": first,
        "fern_first_total_at_2026_03_04T08_00Z": total,
        "app": Said(page, ("a message", "no exception")),
    }


def _same(answers: list[Any]) -> Any:
    """The one answer of several variants.

    Raises:
        Trouble: they differ.
    """
    if any(answer != answers[0] for answer in answers):
        raise Trouble(f"the variants give different answers: {answers}")
    return answers[0]
