"""What do the commands say to the cases of the area "ties"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer. What is asked of numbers that stand in no file
is asked of the functions that answer it.
"""

from __future__ import annotations

import re
from typing import Any

from tests.histories import History
from tests.tools.cases.expectation import Rounded, Said
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble
from tests.tools.cases.upstream import labels

SIGNIFICANT = 0.05


def _shares(claim: Any) -> list[str]:
    """Who stands at the same place, as a verdict notes it."""
    noted = [note for note in claim["notes"] if note.startswith("shares its place with ")]
    return noted[0].removeprefix("shares its place with ").split(", ") if noted else []


@answers("ties-saturated-board")
def _(trial: Trial) -> Any:
    board = trial.board()
    told = {
        sentence: board.check(f"{sentence} on BOARD")
        for sentence in ("ana is #1", "ana is sole #1", "dee is 4th", "em is 5th", "em is 2nd")
    }
    trial.notes += [one["sentence"] for one in told.values()]
    trial.notes.append(
        "the page's own order within a tie is no column of the file: `standings` orders by key"
    )
    first, fourth, second = told["ana is #1"], told["dee is 4th"], told["em is 2nd"]
    place = fourth["answer"]["rank"]
    tied = f"tied {place}{'st' if place == 1 else 'th'}" if _shares(fourth) else f"alone {place}th"
    return {
        "ranks": board.ranks(),
        "claims": {
            "ana is #1": Said(
                f"{first['verdict']}, tied with {len(_shares(first))} others",
                ("true, tied with 3 others",),
            ),
            "ana is sole #1": told["ana is sole #1"]["verdict"],
            "dee is 4th": Said(
                f"{fourth['verdict']} by score ({tied}): {fourth['sentence']}",
                ("false by score (tied 1st)",),
            ),
            "em is 5th": told["em is 5th"]["verdict"],
            "em is 2nd": Said(
                f"{second['verdict']}: {'; '.join(second['notes'])}", ("dense counting",)
            ),
        },
    }


@answers("ties-competition-and-dense")
def _(trial: Trial) -> Any:
    from history import open_board
    from history.frames import SCORE, ticks_of
    from history.ranks import Convention, convention_ranks

    board = trial.board()
    frame = open_board(str(trial.store), board.name).standings().frame.set_index("entry")

    def ranks(convention: Convention) -> list[float]:
        found = convention_ranks(frame[ticks_of(SCORE)], convention)
        return [float(found[entry]) for entry in board.ranks()]

    third = board.check("lichen is 3rd on BOARD")
    second = board.check("lichen is 2nd on BOARD")
    trial.notes.append(
        "dense, average, maximum: history.ranks.convention_ranks, no command has them"
    )
    trial.notes.append(trial.refusal("check", f"lichen has the second-best score on {board.name}"))
    dense = [note for note in second["notes"] if "dense" in note]
    distinct = (
        f"true (second-best distinct score): lichen is 2nd: {second['verdict']}, {dense[0]}"
        if dense
        else f"{second['verdict']}: {second['sentence']}"
    )
    return {
        "competition": list(board.ranks().values()),
        "dense": ranks("dense"),
        "average": ranks("fractional"),
        "maximum": ranks("max"),
        "claims": Said(
            f"{third['verdict']} (competition counting); {distinct}",
            ("true (competition counting)", "true (second-best distinct score)"),
        ),
    }


@answers("ties-from-intervals")
def _(trial: Trial) -> Any:
    board = trial.board(low="lo", high="hi", tables={"ties": {"rule": "interval"}})

    def claim(subject: str, predicate: str, **more: Any) -> Any:
        fields = {"subject": subject, "predicate": predicate, "rank_kind": "tie", **more}
        return trial.claim(board=board.name, **fields)

    first, alone = claim("oak", "first"), claim("oak", "first", sole=True)
    fourth = claim("yew", "rank", n=4)["answer"]
    entries = board.entries()
    overlapping = [
        other
        for other in list(entries)[1:]
        if board.check(f"oak is tied with {other} on BOARD")["verdict"] == "true"
    ]
    shared = "shared" if len(overlapping) else "alone"
    trial.notes.append(
        f"oak is sole #1, by score: {board.check('oak is sole #1 on BOARD')['sentence']}"
    )
    told = [
        f"{first['verdict']} ({shared})",
        f"{alone['verdict']}: {' and '.join(overlapping)} overlap with it",
        f"{fourth['rank']}th by score, {fourth['tie_rank']} by intervals",
    ]
    facts = (
        "true (shared)",
        "false: elm and ash overlap with it",
        "4th by score, 2 by intervals",
    )
    return {
        "ranks": {key: one["tie_rank"] for key, one in entries.items()},
        "claims": Said("; ".join(told), facts),
    }


@answers("ties-paired-test-on-questions")
def _(trial: Trial) -> Any:
    from history.uncertainty import mcnemar

    setup = str(trial.case.raw["case"]["setup"])
    items = int(re.findall(r"of (?:the same )?(\d+)", setup)[0])
    right = {key: int(n) for key, n in re.findall(r"(fern|moss|lichen) solved (\d+)", setup)}
    right |= {"moss": int(re.findall(r"moss (\d+)", setup)[0])}
    pairs = [(int(one), int(other)) for one, other in re.findall(r"(\d+) only fern, (\d+)", setup)]
    history = History(trial.folder / "counted.git")
    rows = "".join(f"{key},{count},{items}\n" for key, count in right.items())
    history.commit({"board.csv": f"model,solved,asked\n{rows}"}, "2026-03-01T08:00:00Z")
    board = trial.board(
        "board.csv",
        repository=history.folder,
        score="solved",
        parts={"solved": "solved", "asked": "asked"},
        tables={"splits": {"share": "100*solved/asked"}},
    )
    tests = [mcnemar(*pair) for pair in pairs]
    trial.notes.append(
        "of both tests: history.uncertainty.mcnemar; no command takes answers to items"
    )
    words = [
        f"fern > {other}: separated" if test.p < SIGNIFICANT else f"fern ~ {other}: tie"
        for other, test in zip(("moss", "lichen"), tests, strict=True)
    ]
    return {
        "fern_moss_p": Rounded(tests[0].p),
        "fern_lichen_p": Rounded(tests[1].p),
        "tie": words,
        "scores": {key: one["score"] for key, one in board.entries(split="share").items()},
    }


@answers("ties-impossible-percentages")
def _(trial: Trial) -> Any:
    from history.uncertainty import gap_in_items, possible_counts

    board = trial.board()
    items = int(trial.case.raw["case"]["board"]["total"])
    entries = board.entries()
    counts = {key: possible_counts(one["score_text"], items) for key, one in entries.items()}
    trial.notes.append("numbers of right answers: history.uncertainty.possible_counts, no command")

    def counted(key: str) -> Any:
        found = counts[key]
        if len(found) == 1:
            return found[0]
        around = (found.start - 1, found.start)  # an empty range lies between two counts
        said = ", ".join(f"{one} gives {100 * one / items:.2f}" for one in around)
        return Said(f"{'several' if found else 'impossible'}: {said}", ("impossible", said))

    first, second = "fern", "moss"
    gap = trial.claim(predicate="delta", subject=first, other=second, value="0", board=board.name)
    apart = gap_in_items(counts[first], counts[second])
    if apart is None or apart[0] != apart[1]:
        raise Trouble(f"the gap in items is {apart}")
    return {
        **{key: counted(key) for key in ("fern", "moss", "lichen")},
        "gap_questions": apart[0],
        "gap_points": gap["answer"]["measured"],
    }


@answers("ties-more-decimals-later")
def _(trial: Trial) -> Any:
    board = trial.board()
    first, second = labels(trial)
    moves = {one["entry"]: one for one in trial.ask("changes", board.name)["moves"]}
    shown = trial.run("changes", board.name)
    trial.notes.append(" ".join(shown.stdout.split()))
    changed = [key for key, one in moves.items() if one["same_score"] is not True]
    overtook = trial.claim(
        predicate="ahead", subject="east", other="north", board=board.name, when={"at": second}
    )
    trial.notes.append(f"east is ahead of north: {overtook['sentence']}")
    same = [moves[key]["same_score"] for key in ("east", "north")]
    more = [
        len(moves[key]["score_after_text"]) - len(moves[key]["score_before_text"]) for key in moves
    ]
    digits = "with more digits" if all(one > 0 for one in more) else "with other digits"
    tied = [_tied(trial, board, at) for at in (first, second)]
    return {
        "c1": board.ranks(at=first),
        "c2": board.ranks(at=second),
        "score_changes": Said(
            f"{', '.join(changed) or 'none'}: same_score is true of {len(moves) - len(changed)} of "
            f"{len(moves)}",
            ("none",),
        ),
        "overtook": Said(
            f"{'false: same value shown' if same == [True, True] else 'true: other value shown'} "
            f"{digits}",
            ("false: same value shown with more digits",),
        ),
        "tied": Said(
            f"{tied[0]} at both" if tied[0] == tied[1] else f"{tied[0]}, then {tied[1]}",
            ("true at both",),
        ),
    }


def _tied(trial: Trial, board: BoardOf, commit: str) -> str:
    fields = {"predicate": "tie", "subject": "north", "with": "south"}
    return str(trial.claim(board=board.name, when={"at": commit}, **fields)["verdict"])
