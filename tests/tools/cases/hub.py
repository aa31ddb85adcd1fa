"""What do the commands say to the cases of the area "hub"?

Each function serves one case's repository on a stand-in Hub, crawls it with the real client and the
real git, and gives what the commands say in the shape of the case's expected answer.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any
from urllib.parse import quote, unquote

from tests.histories import History
from tests.hub.faults import ALWAYS, refuse, too_many, trouble
from tests.hub.server import STRANGER, TOKEN
from tests.tools.cases.changes import changes, leaders
from tests.tools.cases.expectation import Said
from tests.tools.cases.hub_trial import WAYS, Served, served, the_same_by_both
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import Trial, last_line, opened

DAY = "2026-03-0{}T08:00:00Z"


def rows(**scores: object) -> str:
    """A board.csv."""
    return "model,score\n" + "".join(f"{name},{score}\n" for name, score in scores.items())


@answers("hub-no-access-is-not-deletion")
def _(trial: Trial) -> Any:
    found = {}
    for via in WAYS:
        with served(trial) as here:
            found[via] = _troubles(here, via)
    for via, answer in found.items():
        trial.notes.append(f"by {via}: {answer['statuses'].ours}")
    return found["git"] if found["git"] == found["api"] else {"git and api differ": str(found)}


def _troubles(here: Served, via: str) -> dict[str, Any]:
    here.history.commit({"board.csv": rows(fern=81, moss=82)}, DAY.format(1))
    here.history.commit({"board.csv": rows(fern=83, moss=82)}, DAY.format(2))
    board = here.crawled(here.define(f"board-{via}"), via)
    repo = here.hub.repos[f"spaces/{here.repo}"]
    snapshots, said, codes, first = [], [], [], set()
    for kind in ("missing", "gated", "disabled", "500", "ok"):
        repo.private, repo.disabled = kind == "missing", kind == "disabled"
        repo.gated = "all" if kind == "gated" else ""
        here.token = {"missing": "", "gated": STRANGER}.get(kind, TOKEN)
        here.hub.faults[:] = [trouble(500, times=ALWAYS)] if kind == "500" else []
        done = here.crawl(board.name, via)
        snapshots.append(here.status(board.name)["versions"])
        words = last_line(done.stderr) if done.returncode else "ok"
        said.append(re.sub(r"board-\w+: |http://[\d.:]+/\S*", "", words))
        codes.append("!=0" if done.returncode else "0")
        first |= {leaders(board.history())[-1]}
    return {
        "snapshots": snapshots,
        "statuses": Said("; ".join(said), ("gated: access", "disabled", "server", "ok")),
        "exit_codes": codes,
        "leader": f"{' and '.join(sorted(first))} throughout",
        "exit_events": sum(len(step.removed) for step in changes(board)),
    }


@answers("hub-renamed-repository")
def _(trial: Trial) -> Any:
    found = {}
    for via in WAYS:
        with served(trial) as here:
            found[via] = _renamed(here, via)
    for via, answer in found.items():
        trial.notes.append(f"by {via}: {answer['both_names'].ours}")
    plain = [{k: v for k, v in one.items() if k != "both_names"} for one in found.values()]
    return found["git"] if plain[0] == plain[1] else {"git and api differ": str(plain)}


def _renamed(here: Served, via: str) -> dict[str, Any]:
    for number in (1, 2):
        here.history.commit({"board.csv": rows(fern=80 + number, moss=79)}, DAY.format(number))
    board = here.crawled(here.define(f"board-{via}"), via)
    new_name = here.repo.replace("lab/", "grove/")
    here.hub.add(f"spaces/{new_name}", here.history)
    here.hub.repos[f"spaces/{here.repo}"].moved_to = f"spaces/{new_name}"
    here.history.commit({"board.csv": rows(fern=83, moss=79)}, DAY.format(3))
    new = []
    definition = here.trial.store / board.name / "board.toml"
    for repo in (here.repo, new_name):
        text = definition.read_text(encoding="utf-8").replace(here.repo, repo)
        definition.write_text(text, encoding="utf-8")
        new.append(here.crawled(board.name, via).crawled["new_versions"])
    total = here.status(board.name)["versions"]
    old = here.define(f"old-name-{via}")
    done = here.crawl(old, via)
    listed = here.trial.run("boards")
    claim = here.trial.ask("check", f"fern is #1 on {board.name} and {old}")["claims"][0]
    one_board = "two names of one board" in claim["sentence"] and claim["verdict"] != "true"
    told = " ".join(f"{done.stderr} {listed.stderr} {claim['sentence']}".split())
    return {
        "run_2_new": new[0],
        "run_3_new": new[1],
        "total_versions": total,
        "both_names": Said(
            f"{'reported as the same repository' if one_board else 'not reported'}; the claim "
            f"about both: {claim['verdict']}: {told}",
            ("reported as the same repository",),
        ),
    }


@answers("hub-listed-commit-cannot-be-fetched")
def _(trial: Trial) -> Any:
    with served(trial) as here:
        here.history.commit(
            {"board.csv": rows(fern=80), "README.md": "a", ".gitattributes": ""}, DAY.format(1)
        )
        gone = here.history.commit({"board.csv": rows(fern=81)}, DAY.format(2))
        for place in (f"*/paths-info/{gone}*", f"*/tree/{gone}*"):
            here.hub.faults.append(refuse(404, "RevisionNotFound", on=place, times=ALWAYS))
        here.hub.faults.append(refuse(404, "EntryNotFound", on=f"*/resolve/{gone}/*", times=ALWAYS))
        name = here.define("board")
        done = here.crawl(name, "api")
        board = here.status(name)
        trial.notes.append(f"exit {done.returncode}: {last_line(done.stderr)}")
        readings = _board(here, name).readings()
        labels = {here.history.git("rev-parse", f"{gone}^"): "c1", gone: "c2"}
        known = [labels[one["commit"]] for one in readings if one["reading"] == "read"]
        told = [f"{one['reading']}: {one['found']}" for one in readings if one["commit"] == gone]
        latest = trial.run("standings", name)
        trial.notes.append(f"`standings`: {' '.join((latest.stdout + latest.stderr).split())}")
        stood = trial.ask("standings", name, "--at", "2026-03-01")
        trial.notes.append(f"`boards`: leader {board['leader']}, changed {board['last_change']}")
        deleted = [one for one in readings if one["reading"] == "absent"]
        word = "board deleted" if deleted else "not 'board deleted'"
        lost = told[0] if told else last_line(done.stderr)
        return {
            "stored": known,
            "c2": Said(f"{lost}; {word}", ("listed", "not 'board deleted'")),
            "board_state": Said(
                f"as of {labels[stood['commit']]}: "
                f"{[(one['entry'], one['score_text']) for one in stood['entries']]}",
                ("as of c1",),
            ),
        }


def _board(here: Served, name: str) -> Any:
    from tests.tools.cases.trial import BoardOf

    return BoardOf(here.trial, name, {})


@answers("hub-rate-limit")
def _(trial: Trial) -> Any:
    with served(trial) as here:
        _ten(here)
        name = here.define("board")
        fourth = f"*/resolve/{_line(here)[3]}/*"
        here.hub.faults.append(too_many(retry_after=2, on=fourth, times=2))
        here.crawled(name, "api")
        loads = here.downloads()
        pauses = [
            after.at - before.at
            for path in {one.path for one in loads}
            for before, after in pairwise([one for one in loads if one.path == path])
            if before.status == 429
        ]
        good = sum(one.status != 429 for one in loads)
        limited = min((one.at for one in loads if one.status == 429), default=0.0)
        meanwhile = sum(limited < one.at < limited + 2 for one in loads)
        trial.notes.append(f"{meanwhile} other downloads in the 2 s after the first 429")
        versions = here.status(name)["versions"]
        trial.notes.append(f"pauses {[f'{pause:.1f} s' for pause in pauses]}")
        least = min(pauses, default=0)
    with served(trial) as here:
        _ten(here)
        name = here.define("limited")
        for commit in _line(here)[3:]:
            limit = too_many(retry_after=1, on=f"*/resolve/{commit}/*", times=ALWAYS)
            here.hub.faults.append(limit)
        runs, asked = [], []
        for _run in range(2):
            here.hub.count()
            done = here.crawl(name, "api")
            asked.append(here.downloads())
            stored = here.status(name)["versions"] or 0
            refused = [one.path for one in asked[-1] if one.status == 429]
            runs.append((stored, done.returncode, len(refused)))
            trial.notes.append(f"{len(refused)} times 429, of {len(set(refused))} files")
            trial.notes.append(f"exit {done.returncode}: {last_line(done.stderr)}")
        number = {commit: n for n, commit in enumerate(_line(here), 1)}
        second = [number[one.path.split("/resolve/")[1][:40]] for one in asked[1]]
        repeats = "at most a handful of repeats" if runs[0][2] <= 6 else f"{runs[0][2]} repeats"
        ended = "exit non-zero" if runs[0][1] else "exit 0"
        again = [n for n in second if n <= 3]
        return {
            "versions": versions,
            "pause": Said(
                f"{'at least 2 s' if least >= 2 else f'{least:.1f} s'} before each repeat",
                ("at least 2 s before each repeat",),
            ),
            "downloads_per_version": good / versions,
            "variant": {
                "run_1": f"{runs[0][0]} stored, {ended}, {repeats}",
                "run_2": Said(
                    f"starts at version {min(second, default=0)}; versions 1-3 are "
                    f"{f'requested again: {again}' if again else 'not requested again'}",
                    ("starts at version 4; versions 1-3 are not requested again",),
                ),
            },
        }


def _ten(here: Served) -> None:
    for number in range(10):
        at = f"2026-03-{number + 1:02}T08:00:00Z"
        here.history.commit({"board.csv": rows(fern=80 + number)}, at)


def _line(here: Served) -> list[str]:
    return here.history.git("rev-list", "--reverse", here.history.branch).split()


@answers("hub-file-appears-later")
def _(trial: Trial) -> Any:
    found = {}
    for via in WAYS:
        with served(trial) as here:
            for number in (1, 2):
                here.history.commit({"README.md": str(number)}, DAY.format(number))
            first = here.history.commit({"board.csv": rows(fern=80)}, DAY.format(3))
            name = here.define(f"board-{via}")
            asked, loads = [], []
            for run in range(3):
                if run == 2:
                    here.history.commit({"board.csv": rows(fern=82)}, DAY.format(4))
                here.hub.count()
                board = here.crawled(name, via)
                asked.append(len(here.asked("/paths-info/")))
                loads.append(len(here.downloads()))
            seen = board.history()[0]["commit"]
            found[via] = {
                "downloads": asked,
                "first_seen": "c3" if seen == first else seen,
                "versions": here.status(name)["versions"],
            }
            trial.notes.append(f"by {via}: commits asked about {asked}, files downloaded {loads}")
    if {**found["git"], "downloads": 0} != {**found["api"], "downloads": 0}:
        return {"git and api differ": str(found)}
    return found["api"]


@answers("hub-pull-request-refs")
def _(trial: Trial) -> Any:
    built = trial.repository()
    subprocess.run(
        ["git", "clone", "--quiet", "--mirror", str(built), str(trial.folder / "mirror.git")],
        check=True,
    )
    found = {"plain git": _moss(trial.board(repository=trial.folder / "mirror.git"))}
    for via in WAYS:
        with served(trial, trial.folder / "mirror.git") as here:
            found[via] = _moss(here.crawled(here.define(f"board-{via}"), via))
    return the_same_by_both(trial, found)


def _moss(board: Any) -> dict[str, Any]:
    history = board.history()
    return {
        "versions": len(board.readings()),
        "moss_highest": max(row["score"] for row in history if row["entry"] == "moss"),
        "moss_ever_first": any("moss" in names for names in leaders(history)),
    }


@answers("hub-short-sha")
def _(trial: Trial) -> Any:
    with served(trial) as here:
        both = _two_alike(here.history)
        prefix = both[0][:7]
        name = here.define("board")
        here.crawled(name, "git")
        line = _line(here)
        known = {commit[:7] for commit in line}
        changed = line[len(line) // 2]  # where the second version begins
        one = trial.ask("standings", name, "--at", changed[:7])
        two = trial.refusal("standings", name, "--at", prefix)
        none = next(text for n in count() if (text := f"{n:07x}") not in known)
        no = trial.refusal("standings", name, "--at", none)
        listed = "both listed" if all(commit in two for commit in both) else "not listed"
        trial.notes += [two, no]
        return {
            "one": Said(
                f"{'that' if one['commit'] == changed else 'another'} commit's board",
                ("that commit's board",),
            ),
            "two": Said(f"{two}; {listed}", ("both listed",)),
            "none": Said(no, ("commit",)),
        }


def _two_alike(history: History) -> list[str]:
    """A line of commits of which two begin with the same seven digits; these two."""
    length = 6000
    person = "A Tester <tester@example.org>"

    def line(seed: int) -> list[str]:
        tree_of = {}
        for number in (1, 2):
            blob = hash_of("blob", rows(fern=80 + number).encode())
            entry = b"100644 board.csv\0" + bytes.fromhex(blob)
            tree_of[number] = hash_of("tree", entry)
        found: list[str] = []
        for number in range(length):
            tree = tree_of[1 if number < length // 2 else 2]
            parent = f"parent {found[-1]}\n" if found else ""
            when = f"{1772000000 + number * 60} +0000"
            text = f"tree {tree}\n{parent}author {person} {when}\ncommitter {person} {when}\n\n"
            found.append(hash_of("commit", f"{text}{seed}".encode()))
        return found

    for seed in count():
        commits = line(seed)
        seen: dict[str, str] = {}
        for commit in commits:
            if commit[:7] in seen:
                _import(history, length, person, str(seed))
                if history.tip != commits[-1]:
                    raise AssertionError("git makes other commits")
                return [seen[commit[:7]], commit]
            seen[commit[:7]] = commit
    raise AssertionError  # count() has no end


def hash_of(kind: str, data: bytes) -> str:
    """The id that git gives an object."""
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()


def _import(history: History, length: int, person: str, message: str) -> None:
    lines = []
    for number in range(length):
        when = f"{1772000000 + number * 60} +0000"
        head = f"commit refs/heads/main\nauthor {person} {when}\ncommitter {person} {when}\n"
        lines.append(f"{head}data {len(message)}\n{message}\n")
        if number in (0, length // 2):
            text = rows(fern=80 + (1 if number == 0 else 2))
            lines.append(f"M 100644 inline board.csv\ndata {len(text)}\n{text}\n")
    command = ["git", "-C", str(history.folder), "fast-import", "--quiet"]
    subprocess.run(command, input="".join(lines).encode(), check=True)


@answers("hub-order-and-length-of-listing")
def _(trial: Trial) -> Any:
    found = {}
    for via in WAYS:
        with served(trial) as here:
            _minutes(here.history, 3000)
            board = here.crawled(here.define(f"board-{via}"), via)
            history = board.history()
            fern = [row["score"] for row in history if row["entry"] == "fern"]
            way = "rising" if fern == sorted(fern) else "not rising"
            moss = next(row for row in history if row["entry"] == "moss")
            here.history.commit({"board.csv": rows(fern="30.01", moss=5)}, "2026-01-03T02:00:00Z")
            here.hub.count()
            versions = here.status(board.name)["versions"]
            here.crawled(board.name, via)
            loads = len(here.downloads())
            packs = sum(
                one.kind == "git" and b"command=fetch" in one.body for one in here.hub.requests
            )
            found[via] = {
                "versions": versions,
                "moss_entered": moss["committed_at"],
                "fern": f"{way} from {fern[0]:.2f} to {fern[-1]:.2f}",
                "second_run_downloads": loads if via == "api" else packs,
            }
    return the_same_by_both(trial, found)


def _minutes(history: History, length: int) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    lines = []
    for number in range(1, length + 1):
        at = start + timedelta(minutes=number - 1)
        text = rows(fern=f"{number / 100:.2f}", **({"moss": 5} if number > 1000 else {}))
        lines.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {int(at.timestamp())} +0000\n"
            f"data 1\nm\nM 100644 inline board.csv\ndata {len(text)}\n{text}\n"
        )
    command = ["git", "-C", str(history.folder), "fast-import", "--quiet"]
    subprocess.run(command, input="".join(lines).encode(), check=True)


@answers("hub-odd-file-names")
def _(trial: Trial) -> Any:
    path = trial.case.raw["case"]["board"]["path"]
    before = {p for p in trial.folder.parent.rglob("*") if trial.folder not in (p, *p.parents)}
    for via in WAYS:
        with served(trial) as here:
            here.history.commit({path: rows(fern=80)}, DAY.format(1))
            board = here.crawled(here.define(f"board-{via}"), via)
            if board.ranks() != {"fern": 1}:
                return {"ranks": board.ranks()}
            sent = [one.path for one in here.downloads()]
    after = {p for p in trial.folder.parent.rglob("*") if trial.folder not in (p, *p.parents)}
    decoded = {unquote(p.split("/resolve/")[1].partition("/")[2]) for p in sent}
    encoded = {p.split("/resolve/")[1].partition("/")[2] for p in sent}
    trial.notes.append(f"as sent: {encoded}; {quote(path)} is right")
    shown = opened(trial, "standings", {"board": board.name})
    lines = "\n".join(str(one.value) for one in shown.caption)
    links = set(re.findall(r"/blob/[0-9a-f]{40}/([^)\s]+)\)", lines))
    return {
        "requested": ", ".join(sorted(decoded)),
        "link_path": ", ".join(sorted(links)),
        "stored_inside_store": before == after,
    }
