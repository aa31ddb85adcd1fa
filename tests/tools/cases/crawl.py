"""What do the commands say to the cases of the area "crawl"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.histories import History
from tests.hub.server import HubServer
from tests.tools.cases.changes import changes, leaders
from tests.tools.cases.expectation import Said
from tests.tools.cases.hub_trial import WAYS, Served, served, the_same_by_both
from tests.tools.cases.processes import Killed, crawl_and_kill, reading_meanwhile, together
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble, last_line, strict_json
from tests.tools.cases.upstream import Upstream, build_up_to, git, labels


def again(trial: Trial, name: str) -> Any:
    """What the next crawl of a board says of it."""
    return trial.ask("crawl", name)["boards"][0]


def whole(trial: Trial) -> None:
    """See that the store is whole.

    Raises:
        Trouble: `verify` names damage.
    """
    checked = trial.run("verify")
    if checked.returncode:
        raise Trouble(f"verify: {last_line(checked.stderr)}")


def _ranks(board: BoardOf) -> dict[str, list[str]]:
    """Entry -> c1:RANK of each version, as `history` prints it."""
    named = labels(board.trial)
    found: dict[str, list[str]] = {}
    for row in board.history():
        found.setdefault(row["entry"], []).append(f"{named[row['commit']]}:{row['rank']}")
    return dict(sorted(found.items()))


@answers("crawl-bad-commit-in-the-middle")
def _(trial: Trial) -> Any:
    board = trial.board()
    readings = board.readings()
    second = again(trial, board.name)
    whole(trial)  # the bytes of the unreadable ones are there, too
    trial.notes += [smell["found"] for version in board.audit() for smell in version["smells"]]
    return {
        "readable_snapshots": sum(one["reading"] == "read" for one in readings),
        "unreadable": [n for n, one in enumerate(readings, 1) if one["reading"] == "unreadable"],
        "rank_history": _ranks(board),
        "lead_change_at": board.reigns()[1]["from"],
        "exit_events": sum(len(step.removed) for step in changes(board)),
        "second_crawl_new": second["new_versions"],
    }


@answers("crawl-second-run-adds-nothing")
def _(trial: Trial) -> Any:
    other = History(trial.folder / "other.git")
    other.commit({"other.csv": "id,type\nfern,3\n"}, "2026-03-01T08:00:00Z")
    upstream = Upstream.of(trial)
    found = {}
    for how in ("git", "git from the Hub", "api from the Hub"):
        upstream.show(3)
        with served(trial, upstream.folder) as here:
            second = trial.define(
                "other.csv",
                called=f"other-{how[:3]}-{len(found)}",
                repository=other.folder,
                entry="id",
                score="type",
            )
            called = f"board-{how[:3]}-{len(found)}"
            if how == "git":
                first = trial.define(called=called, repository=here.history.folder)
            else:
                first = here.define(called)
            new = []
            for run in range(4):
                if run == 2:
                    upstream.show(4)
                    here.history.git("fetch", "--quiet", str(upstream.folder), "+refs/*:refs/*")
                command = ["crawl", first, second, "--via", how[:3], "--json"]
                done = trial.run(*command, settings=here.settings())
                if done.returncode:
                    raise Trouble(f"{how}: {last_line(done.stderr)}")
                said = {one["board"]: one for one in strict_json(done.stdout)["boards"]}
                new.append(said[first]["new_versions"])
            found[how] = {
                "new_snapshots_board_1": new,
                "total_board_1": said[first]["versions"],
                "total_board_2": said[second]["versions"],
            }
    whole(trial)
    return the_same_by_both(trial, found)


@answers("crawl-null-versus-absent-key")
def _(trial: Trial) -> Any:
    board = trial.board(attributes={"note": "note"})
    named = labels(trial)
    shown = [
        {key: one["attributes"]["note"]["text"] for key, one in board.entries(at=commit).items()}
        for commit in named
    ]
    if shown[1]["fern"] != shown[2]["fern"]:
        raise Trouble(f"fern's note changed: {shown}")
    return {
        f"{named[step.before]}->{named[step.after]}": {
            "added": step.added,
            "removed": step.removed,
            "changed": step.changed,
        }
        for step in changes(board)
    }


@answers("crawl-int-becomes-float")
def _(trial: Trial) -> Any:
    board = trial.board(parts={"n_total": "n_total"})
    (step,) = changes(board)
    before, after = board.entries(at=step.before), board.entries(at=step.after)
    cells = sum(
        before[key]["parts"]["n_total"]["value"] != one["parts"]["n_total"]["value"]
        for key, one in after.items()
        if key in before
    )
    told = {
        key: f"{old} -> {new} ({_number(_new_above(after, key, step.added))} above)"
        for key, (old, new) in step.moved.items()
    }
    trial.notes += [f"audit: {smell['found']}" for one in board.audit() for smell in one["smells"]]
    return {
        "added": step.added,
        "changed_scores": step.changed,
        "changed_cells": cells,
        "ranks_c2": board.ranks(),
        "rank_change": told,
    }


def _new_above(entries: Mapping[str, Any], key: str, added: list[str]) -> int:
    order = list(entries)
    return sum(entry in added for entry in order[: order.index(key)])


def _number(count: int) -> str:
    return "one new entry" if count == 1 else f"{count} new entries"


@answers("crawl-reformatted-file")
def _(trial: Trial) -> Any:
    board = trial.board(attributes={"org": "org"})
    (step,) = changes(board)
    both = [board.ranks(at=commit) for commit in labels(trial)]
    trial.notes += [f"audit: {smell['found']}" for one in board.audit() for smell in one["smells"]]
    return {
        "added": step.added,
        "removed": step.removed,
        "changed": step.changed,
        "ranks": {key: [ranks[key] for ranks in both] for key in sorted(both[0])},
    }


@answers("crawl-history-squashed")
def _(trial: Trial) -> Any:
    upstream = Upstream.of(trial)
    upstream.show(3)
    board = trial.board(repository=upstream.folder)
    upstream.squash("2026-03-08T08:00:00Z")
    said = trial.run("crawl", board.name)
    later = again(trial, board.name)
    attempt = _attempts(trial, board.name)[1]
    rows = [row for row in board.history() if row["entry"] == "fern"]
    trial.notes.append(f"marked as no longer upstream: {later['vanished']} of {later['versions']}")
    whole(trial)
    return {
        "snapshots_kept": later["versions"],
        "board_changes_in_run_2": attempt["new"],
        "fern_first_seen": rows[0]["committed_at"],
        "reported": Said(" ".join(f"{said.stderr} {said.stdout}".split()), ("rewritten",)),
    }


def _attempts(trial: Trial, name: str) -> list[Any]:
    import json

    lines = (trial.store / name / "crawls.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@answers("crawl-default-branch-renamed")
def _(trial: Trial) -> Any:
    upstream = Upstream.of(trial, branch="master")
    upstream.show(1, branch="master")
    first = build_up_to(trial, 1)
    if git(first, "rev-parse", "HEAD") != git(upstream.folder, "rev-parse", "master"):
        raise Trouble("build_case.py does not give the same commits twice")
    board = trial.board(repository=upstream.folder)
    named = trial.board(repository=upstream.folder, source={"branch": "master"})
    upstream.rename("master", "main")
    upstream.show(2)
    second = again(trial, board.name)
    third = trial.run("crawl", named.name)
    ended = "non-zero exit" if third.returncode else "exit 0"
    return {
        "run_2_new": second["new_versions"],
        "run_2_leader": leaders(board.history())[-1],
        "run_3": Said(
            f"{ended} ({third.returncode}): {last_line(third.stderr)}",
            ("non-zero exit", "branch 'master'"),
        ),
    }


@answers("crawl-board-file-moved")
def _(trial: Trial) -> Any:
    paths = trial.case.raw["case"]["board"]["path"]
    board = trial.board("board.csv", source={"paths": list(reversed(paths))})
    if leaders(board.history()) != leaders(trial.board("-", source={"paths": paths}).history()):
        raise Trouble("the order of the paths makes a difference")
    named = labels(trial)
    moss = next(one for one in board.reigns() if one["entries"] == ["moss"])
    return {
        "snapshots": board.crawled["versions"],
        "leader": leaders(board.history()),
        "events": {
            named[step.after]: {"added": step.added, "removed": step.removed}
            for step in changes(board)
            if step.added or step.removed
        },
        "moss_first_from": moss["from"],
        "moss_first_until": moss["until"],
    }


@answers("crawl-freed-name-used-again")
def _(trial: Trial) -> Any:
    archive = trial.board(source={"paths": ["archive_2025.csv", "board.csv"]})
    board = trial.board("board.csv")
    named = labels(trial)
    trial.notes.append("rename following: both names are given, the archive's first")

    def held(of: BoardOf, plain: str) -> list[str]:
        return [
            named[one["commit"]] + (f" (as {one['path']})" if one["path"] != plain else "")
            for one in of.readings()
            if one["reading"] == "read"
        ]

    third = board.audit()[-2]
    gone = [named[one["commit"]] for one in board.readings() if one["reading"] == "absent"]
    smells = [f"{smell['kind']}: {smell['found']}" for smell in third["smells"]]
    broken = any(smell["kind"] == "meaning_changed" for smell in third["smells"])
    note = (
        f"{'reported as a break' if broken else 'not reported'}: the file was absent from "
        f"{', '.join(gone)} on; at {named[third['commit']]} {'; '.join(smells)}"
    )
    entered = [f"{named[s.after]}: +{s.added} -{s.removed}" for s in changes(board)]
    trial.notes.append(f"by `history` alone: {'; '.join(entered)}")
    return {
        "archive_2025": held(archive, "archive_2025.csv"),
        "archive_entities": sorted({row["entry"] for row in archive.history()}),
        "board_without_following": held(board, "board.csv"),
        "board_note": Said(note, ("reported as a break", "the file was absent", "c2", "c3")),
    }


@answers("crawl-unrelated-commits")
def _(trial: Trial) -> Any:
    found = {"plain git": _unrelated(trial, trial.board().name, "git", None)}
    for via in WAYS:
        with served(trial, trial.repository()) as here:
            name = here.crawled(here.define(f"hub-{via}"), via).name
            here.hub.count()
            here.crawled(name, via)
            found[f"{via} from the Hub"] = _unrelated(trial, name, via, here)
    trial.notes.append(
        f"`boards`: confirmed until {trial.ask('boards')['boards'][0]['confirmed_until']}, the time "
        "of the last crawl; the newest commit that left it alone stands in commits.parquet"
    )
    return the_same_by_both(trial, found)


def _unrelated(trial: Trial, name: str, via: str, here: Served | None) -> dict[str, Any]:
    """What is known of a board that was crawled, and what a second crawl downloads."""
    import pandas as pd

    source = next(
        one
        for one in trial.store.glob("_sources/*")
        if ("board-" in one.name) == (here is not None) and (not here or _is_of(one, here.repo))
    )
    if here is None:
        counted = git(source / "objects.git", "count-objects", "-v")
        again(trial, name)
        loads = int(git(source / "objects.git", "count-objects", "-v") != counted)
    else:
        packs = [one for one in here.hub.requests if b"command=fetch" in one.body]
        loads = len(packs) if via == "git" else len(here.downloads())
    status = next(one for one in trial.ask("boards")["boards"] if one["board"] == name)
    line = pd.read_parquet(source / "commits.parquet")
    return {
        "distinct_versions": status["versions"],
        "last_changed": status["last_change"],
        "last_confirmed_unchanged_at": line["committed_at"].max().isoformat()[:19] + "Z",
        "second_run_downloads": loads,
    }


def _is_of(source: Path, repo: str) -> bool:
    return repo.rpartition("/")[2] in source.name


@answers("crawl-error-page-saved-as-data")
def _(trial: Trial) -> Any:
    bodies = {
        "an error": b'{"error": "Access to this resource is restricted"}',
        "a page": b"<!DOCTYPE html><html><body><h1>503</h1></body></html>",
        "null": b"null",
        "nothing": b"",
    }
    good = b'[{"model": "fern", "score": 81}, {"model": "moss", "score": 80}]'
    with HubServer() as hub:
        hub.files["/board.json"] = good
        address = f"{hub.url}/board.json"
        board = trial.board("board.json", source={"kind": "url", "repo": address})
        codes, told, first = [], [], set()
        for what, body in bodies.items():
            hub.files["/board.json"] = body
            done = trial.run("crawl", board.name)
            codes.append(done.returncode)
            said = last_line(done.stderr)
            told.append(said)
            if board.name not in said:
                raise Trouble(f"{what}: the board is not named: {said}")
            first |= {leaders(board.history())[-1]}
        new = len(board.readings()) - board.crawled["versions"]
        status = trial.ask("boards")["boards"][0]
        trial.notes += told
        trial.notes.append(f"`boards`: {status['leader']}, success {status['last_success']}")
    ended = "non-zero each time" if all(codes) else f"exits {codes}"
    came = all(said.count("(") for said in told)
    return {
        "new_snapshots": new,
        "current_leader": ", ".join(sorted(first)),
        "exit_code": ended,
        "message": Said(
            f"names the board {'and what came back' if came else 'only'}: {told[0]}",
            ("names the board and what came back",),
        ),
    }


@answers("crawl-lfs-pointer")
def _(trial: Trial) -> Any:
    board = trial.board()
    readings = board.readings()
    removed = [entry for step in changes(board) for entry in step.removed]
    last = board.reigns()[-1]
    left = f"{', '.join(removed)} left" if removed else "nobody left"
    empty = "board is empty" if last["entries"] == [] else "board not empty"
    trial.notes.append(f"first: {last}")
    return {
        "snapshots_with_rows": sum(one["reading"] in ("read", "partial") for one in readings),
        "c2": Said(
            f"{board.found(1)}; {empty}, {left}",
            ("LFS pointer", "182733", "board not empty, nobody left"),
        ),
    }


@answers("crawl-killed-half-way")
def _(trial: Trial) -> Any:
    totals, doubles, seen = set(), 0, set()
    for moment in Killed:
        upstream = Upstream.of(trial, name=f"upstream-{moment.name}")
        upstream.show(2)
        board = trial.board(called=f"killed-{moment.name.lower()}", repository=upstream.folder)
        upstream.show(5)
        with reading_meanwhile(trial, board.name) as read:
            crawl_and_kill(trial, board.name, moment)
            left = [one["commit"] for one in board.readings()]
            ended = trial.ask("crawl", board.name)["boards"][0]
        seen |= read
        commits = [one["commit"] for one in board.readings()]
        doubles += len(commits) - len(set(commits))
        totals.add(ended["versions"])
        trial.notes.append(f"killed {moment.value}: {len(left)} versions, then {len(commits)}")
    whole(trial)
    partial = seen - {2, 5}
    told = "sees a whole number of complete snapshots" if not partial else f"sees {partial}"
    if len(totals) != 1:
        raise Trouble(f"the moments differ: {totals}")
    return {
        "final_snapshots": totals.pop(),
        "duplicates": doubles,
        "reader": Said(
            f"{told} at any time: {', '.join(map(str, sorted(seen)))}",
            ("sees a whole number of complete snapshots",),
        ),
    }


@answers("crawl-two-at-once")
def _(trial: Trial) -> Any:
    name = trial.define()
    first, second = together(trial, ["crawl", name], ["crawl", name], apart=0.03)
    third = again(trial, name)
    commits = [one["commit"] for one in BoardOf(trial, name, third).readings()]
    whole(trial)
    codes = sorted((first.returncode, second.returncode))
    said = [last_line(one.stderr) for one in (first, second) if one.returncode]
    if codes == [0, 0]:
        told = "both succeed"
    elif codes[0] == 0 and "another run is at work" in said[0]:
        told = f"one says that another crawl is running and exits with its own code ({codes[1]})"
    else:
        raise Trouble(f"exits {codes}: {'; '.join(said)}")
    trial.notes += said
    return {
        "snapshots": third["versions"],
        "duplicates": len(commits) - len(set(commits)),
        "outcome": Said(
            f"{told}; the third run adds {third['new_versions']} and succeeds",
            (told.split(" (")[0], "the third run adds 0 and succeeds"),
        ),
    }


@answers("crawl-dated-file-family")
def _(trial: Trial) -> Any:
    board = trial.board(source={"newest": "date in the file name"})
    at = [board.standings(at=commit) for commit in labels(trial)]
    return {
        "current_file": [one["path"] for one in at],
        "leader": [
            ", ".join(entry["entry"] for entry in one["entries"] if entry["rank"] == 1)
            for one in at
        ],
    }
