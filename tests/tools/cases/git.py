"""What do the commands say to the cases of the area "git"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.histories import History
from tests.tools.cases.crawl import again
from tests.tools.cases.expectation import Said
from tests.tools.cases.processes import sampled_crawl
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble, last_line
from tests.tools.cases.upstream import Upstream, commits_of, git, labels

TWO_DAYS_AGO = 2 * 86400


@answers("git-shallow-boundary-is-not-birth")
def _(trial: Trial) -> Any:
    full = trial.board()
    clone = trial.folder / "shallow"
    git(trial.folder, "clone", "--quiet", "--depth=2", trial.repository().as_uri(), str(clone))
    entered, led = _entered(full, "moss"), _led(full, "moss")
    whole = {"moss_entered": entered, "moss_first": led}
    cut = trial.define(called="cut", repository=clone)
    done = trial.run("crawl", cut)
    told = last_line(done.stderr)
    if done.returncode:
        said = Said(f"exit {done.returncode}: {told}", ("history is cut at", "at or before"))
        return {"full_history": whole, "in_the_shallow_clone": said}
    board = BoardOf(trial, cut, again(trial, cut))
    if (_entered(board, "moss"), _led(board, "moss")) == (entered, led):
        said = Said(
            f"the crawl deepens the clone by itself and gives the full answer: {led}",
            ("the crawl deepens the clone by itself and gives the full answer",),
        )
        return {"full_history": whole, "in_the_shallow_clone": said}
    reign = next(one for one in board.reigns() if "moss" in one["entries"])
    bound = "at or before that time" if reign["censored_start"] else "then"
    least = "at least " if reign["censored_start"] else ""
    shown = trial.run("reigns", cut)
    trial.notes += [told, " ".join(f"{shown.stdout} {shown.stderr}".split())]
    document = trial.ask("reigns", cut)
    if not any("cut" in str(note) for note in document["notes"]) and "cut" not in shown.stdout:
        least = f"nothing says that the history is cut; {least}"
    hours = f"first for {least}{reign['seconds'] / 3600:g} h"
    return {
        "full_history": whole,
        "in_the_shallow_clone": Said(
            f"history is cut at {_entered(board, 'moss')}: moss entered {bound}; {hours}",
            (
                "history is cut at 2026-03-03T08:00:00Z",
                "moss entered at or before that time",
                "first for at least 24 h",
            ),
        ),
    }


def _entered(board: BoardOf, entry: str) -> str:
    """When an entry is first listed, as `history` prints it."""
    rows = [row for row in board.history() if row["entry"] == entry]
    return str(rows[0]["committed_at"])


def _led(board: BoardOf, entry: str) -> str:
    """How long and when an entry was first, from `reigns`."""
    found = [one for one in board.reigns() if entry in one["entries"]]
    hours = sum(one["seconds"] for one in found) / 3600
    spans = ", ".join(f"{_short(one['from'])} - {_short(one['until'])}" for one in found)
    return f"{hours:g} h ({spans})"


def _short(time_: str) -> str:
    moment = datetime.fromisoformat(time_)
    return f"{moment.day} {moment:%b %H:%M}"


@answers("git-author-versus-commit-date")
def _(trial: Trial) -> Any:
    board = trial.board()
    named = labels(trial)
    times = {row["commit"]: row["committed_at"] for row in board.history()}
    (fern,) = [one for one in board.reigns() if one["entries"] == ["fern"]]
    return {
        "times": list(times.values()),
        "order": [named[commit] for commit in times],
        "fern_led": f"{fern['seconds'] / 3600:g} h",
    }


@answers("git-message-not-utf8")
def _(trial: Trial) -> Any:
    board = trial.board()
    rows = board.history()
    failed = [
        word
        for word in ("crawl", "standings", "history", "reigns", "audit", "verify")
        if "Traceback" in trial.run(word, board.name).stderr
    ]
    ended = f"an exception in {', '.join(failed)}" if failed else "never an exception"
    return {
        "versions": board.crawled["versions"],
        "dates": [row["committed_at"] for row in rows],
        "scores": [row["score"] for row in rows],
        "author_c2": Said(f"{ended}; no command shows authors", ("never an exception",)),
    }


@answers("git-day-filter-depends-on-clock")
def _(trial: Trial) -> Any:
    board = trial.board()
    named = labels(trial)
    day = ("--since", "2026-03-10", "--until", "2026-03-10")
    found = []
    for zone in ("Pacific/Auckland", "America/Los_Angeles", "UTC"):
        done = trial.run("history", board.name, *day, "--csv", settings={"TZ": zone})
        if done.returncode:
            raise Trouble(f"history in {zone}: {last_line(done.stderr)}")
        found.append([named[row.split(",")[0]] for row in done.stdout.splitlines()[1:]])
    return {
        "versions": found[0],
        "same_in_all_zones": all(one == found[0] for one in found),
    }


@answers("git-not-our-directory")
def _(trial: Trial) -> Any:
    name = trial.define()
    trial.ask("crawl", name)
    good = trial.ask("boards")["boards"][0]
    # The crawl hands no GIT_* variable on, so the variable is set where git itself starts.
    literal = trial.run("crawl", name, settings={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    trial.notes.append(f"with the variable in the crawl's own environment: {literal.returncode}")
    done, how = _as_of_another(trial, name)
    status = trial.ask("boards")["boards"][0]
    trial.notes.append(how)
    kept = (
        status["last_success"] >= good["last_success"]
        and status["versions"] == good["versions"]
        and status["leader"] == good["leader"]
        and not trial.run("standings", name).returncode
    )
    said = last_line(done.stderr)
    named = "the path" if str(trial.repository()) in said else "no path"
    return {
        "exit_code": "non-zero" if done.returncode else "0",
        "message": Said(f"{named}: {said}", ("dubious ownership", "the path")),
        "status": Said(
            f"{'error' if status['error'] else 'no error'} ({status['error']}), "
            f"last good crawl {'kept' if kept else 'lost'}",
            ("error", "last good crawl", "kept"),
        ),
    }


def _as_of_another(trial: Trial, name: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Crawl while the repository belongs to another user; how that was done."""
    repository = trial.repository()
    if os.geteuid() == 0:
        for path in (repository, *repository.rglob("*")):
            os.chown(path, 65534, 65534, follow_symlinks=False)
        return trial.run("crawl", name), "the repository was given to user 65534"
    folder = trial.folder / "other-git"
    folder.mkdir()
    script = folder / "git"
    script.write_text(
        "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1\n"
        f'export GIT_TEST_ASSUME_DIFFERENT_OWNER\nexec {shutil.which("git")} "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = trial.run("crawl", name, settings={"PATH": path})
    return done, "git was started with the variable"


@answers("git-processes-left-behind")
def _(trial: Trial) -> Any:
    for number in range(60):
        history = History(trial.folder / "many" / f"{number}.git")
        for score in range(3):
            history.commit(
                {"board.csv": f"model,score\nfern,{number + score}\n"},
                f"2026-03-0{score + 1}T08:00:00Z",
            )
        trial.define("board.csv", called=f"board-{number:02}", repository=history.folder)
    seen = sampled_crawl(trial, open_files=128, every=10)
    trial.notes.append(f"(boards, open files, git below): {seen.samples}; exit {seen.code}")
    first, last = seen.samples[0], seen.samples[-1]
    grown = last.files - first.files
    return {
        "boards_done": sum(one["status"] == "ok" for one in seen.boards),
        "git_children_at_the_end": seen.children_at_end,
        "open_files": Said(
            f"{'no growth' if grown <= 0 else f'{grown} more'} from the 10th to the 60th: "
            f"{first.files} then {last.files}",
            ("no growth from the 10th to the 60th",),
        ),
    }


@answers("git-stale-lock")
def _(trial: Trial) -> Any:
    names = [word for word in trial.case.snippets if word.endswith(".lock") and "*" not in word]
    return {"stale": _with_locks(trial, names, old=True), "held": _with_locks(trial, names)}


def _with_locks(trial: Trial, names: list[str], *, old: bool = False) -> Said:
    """Crawl a new version while lock files stand in the mirror."""
    upstream = Upstream.of(trial, name=f"upstream-{'old' if old else 'held'}")
    upstream.show(1)
    board = trial.board(repository=upstream.folder, called="stale" if old else "held")
    upstream.show(2)
    mirror = max(trial.store.glob("_sources/*/objects.git"), key=lambda one: one.stat().st_mtime)
    # Besides the case's own: every reference that this mirror has, whatever its name.
    references = [f"{name}.lock" for name in git(mirror, "for-each-ref").split() if "/" in name]
    locks = [mirror / name for name in dict.fromkeys([*names, *references])]
    for lock in locks:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
        if old:
            os.utime(lock, (time.time() - TWO_DAYS_AGO,) * 2)
    began = time.monotonic()
    if old:
        done = trial.run("crawl", board.name, "--json")
    else:
        code = "import sys,time; f=[open(n) for n in sys.argv[1:]]; print(1,flush=True); time.sleep(600)"
        command = [sys.executable, "-c", code, *map(str, locks)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
            try:
                assert holder.stdout is not None
                holder.stdout.readline()
                done = trial.run("crawl", board.name, "--json")
            finally:
                holder.kill()
    took = time.monotonic() - began
    said = last_line(done.stderr)
    left = [lock for lock in locks if lock.exists()]
    if done.returncode == 0:
        new = trial.ask("standings", board.name)["entries"][0]["score_text"]
        version = "the new version" if new == "81" else "nothing new"
        trial.notes.append(f"{len(locks) - len(left)} of {len(locks)} lock files removed")
        return Said(f"exit 0 after {took:.0f} s, finds {version}", ("finds the new version",))
    lock_named = "naming the lock" if any(_named(lock, said) for lock in locks) else "naming none"
    deleted = "does not delete it" if left == locks else "deletes it"
    return Said(
        f"after {took:.0f} s exits non-zero {lock_named}; {deleted}: {said}",
        ("exits non-zero naming the lock", *(() if old else ("does not delete it",))),
    )


def _named(lock: Path, said: str) -> bool:
    return f"{lock.parent.name}/{lock.name}" in said


@answers("git-submodule-and-symlink-entries")
def _(trial: Trial) -> Any:
    board = trial.board()
    words = {}
    at = dict(zip(commits_of(trial.repository()), ("c1", "c2", "c3"), strict=True))
    for number, one in enumerate(board.readings()):
        label = at[one["commit"]]
        if one["reading"] == "unreadable":
            words[label] = f"not readable: {board.found(number)}"
        else:
            entries = board.entries(at=one["commit"])
            shown = ", ".join(f"{key} {row['score_text']}" for key, row in entries.items())
            words[label] = shown or "a table without rows"
    facts = {"c1": ("not readable", "submodule"), "c2": ("symbolic link",), "c3": ("fern 81",)}
    return {label: Said(words.get(label, "no version"), facts[label]) for label in facts}
