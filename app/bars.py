"""How does somebody see that a long job goes on?

At a terminal by lines and bars, elsewhere not at all, unless `--log` asks for lines. Start at
working(), the one place that makes the Work of a command.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app import log
from app.tables import clean
from crawler.work import Work

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

EVERY = 10.0  # seconds between two lines about one count
_NAME = 48  # letters of what is counted


@contextmanager
def working() -> Iterator[Work]:
    """A Work that tells people, or the log, how far it is, and ends where somebody ends it.

    A request to end (SIGTERM), or a terminal that is closed, is then what Ctrl-C is.
    """
    form = log.form()
    seen = form != "json" and sys.stderr is not None and sys.stderr.isatty()
    if seen and os.environ.get("TERM", "") not in ("", "dumb", "unknown"):
        bars = _Bars()
        work = Work(log.line, bars.count)
    elif seen or form != "auto":
        bars = None
        work = Work(log.line, _Counts().count)
    else:
        bars, work = None, Work()
    with ended_by_signals():
        try:
            yield work
        finally:
            work.stop()  # threads that are still at it
            if bars is not None:
                bars.close()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, where nobody (nohup, say) has other wishes."""
    changed = []
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


class _Counts:
    """Counts as lines: of each at most one in ten seconds, and its end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[str, float] = {}
        self._ended: set[str] = set()

    def count(self, what: str, done: int, total: int | None) -> None:
        """Say how far it is, if it is time to."""
        now = time.monotonic()
        with self._lock:
            if total is not None and done >= total:
                if what in self._ended:
                    return
                self._ended.add(what)
                self._told.pop(what, None)
            else:
                self._ended.discard(what)
                if now - self._told.setdefault(what, now) < EVERY:
                    return
                self._told[what] = now
        of_all = "" if total is None else f" of {total}"
        log.line(f"{what} {done}{of_all}", what=what, done=done, total=total)


class _Bars:
    """Counts as bars below the lines, one for each thing that is being counted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._closed = False

    def count(self, what: str, done: int, total: int | None) -> None:
        """Move a bar; one that is full goes."""
        with self._lock:
            if self._closed:
                return
            progress = self._progress or self._begun()
            task = self._tasks.get(what)
            if total is not None and done >= total:
                if task is not None:
                    progress.remove_task(self._tasks.pop(what))
            elif task is None:
                name = clean(log.without_secrets(what))
                short = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
                self._tasks[what] = progress.add_task(short, completed=done, total=total)
            else:
                progress.update(task, completed=done, total=total)

    def _begun(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.text import Text

        console = Console(stderr=True, markup=False, emoji=False, highlight=False)
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        progress.start()
        log.bars_are_below(lambda said: console.print(Text(said), soft_wrap=True))
        self._progress = progress
        return progress

    def close(self) -> None:
        """Take the bars away, and give the terminal back as it was."""
        with self._lock:
            self._closed = True
            if self._progress is not None:
                log.bars_are_below(None)
                self._progress.stop()
