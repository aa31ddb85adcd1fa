"""How are commits of our own written?

In: their files, one commit after the other. Out: objects in our own repository, safe whenever
save() returns. Start at streaming().
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, NoReturn

from crawler.objects import Objects, StoreError, safe_environment

_SAVE_EVERY = 32 * 1024 * 1024  # bytes that a kill may cost
_PERSON = b"Ranktrail <>"


@contextmanager
def streaming(objects: Objects, keep_open: Sequence[int] = ()) -> Iterator[Stream]:
    """Write commits; all are safe when this ends, also by an error.

    Args:
        objects: our own repository.
        keep_open: file handles that git is to hold as long as it lives.

    Raises:
        StoreError: git cannot write.
    """
    stream = Stream(objects, keep_open)
    try:
        yield stream
    except BaseException:
        with suppress(StoreError):  # the first trouble is the one to tell
            stream.close()
        raise
    stream.close()


class Stream:
    """One `git fast-import`."""

    def __init__(self, objects: Objects, keep_open: Sequence[int]):
        self._objects = objects
        self._number = self._unsaved = 0
        self._marks: dict[str, int] = {}
        self._git = subprocess.Popen(
            ["git", f"--git-dir={objects.folder}", "fast-import", "--quiet", "--force", "--done"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=safe_environment(),
            pass_fds=tuple(keep_open),
            start_new_session=True,  # Ctrl-C must not end it before what it has is safe
        )

    def commit(
        self, ref: str, after: str | None, seconds: int, message: bytes, entries: Sequence[bytes]
    ) -> str:
        """Write a commit and move a reference to it.

        Args:
            ref: full name of the reference.
            after: the parent; None for a root.
            seconds: its time, since 1970, UTC.
            message: its text.
            entries: its files, a line of fast-import each.

        Returns:
            The id of the commit.
        """
        self._number += 1
        self._write(
            b"commit %s\nmark :%d\n" % (ref.encode(), self._number),
            b"committer %s %d +0000\n" % (_PERSON, seconds),
            b"data %d\n%s\n" % (len(message), message),
            b"from %s\ndeleteall\n" % self._name(after).encode(),
            *entries,
            b"\nget-mark :%d\n" % self._number,
        )
        own = self._answer()
        self._marks[own] = self._number
        self._unsaved += sum(map(len, entries))
        if self._unsaved > _SAVE_EVERY:
            self.save()
        return own

    def keep(self, ref: str, commit: str) -> None:
        """Let a reference keep a commit."""
        self._write(f"reset {ref}\nfrom {self._name(commit)}\n\n".encode())

    def save(self) -> None:
        """Make sure that all commits so far outlive a kill."""
        self._write(b"checkpoint\nprogress saved\n")
        self._answer()
        self._unsaved = 0

    def close(self) -> None:
        """Save, and end git.

        Raises:
            StoreError: git could not write all of it.
        """
        with suppress(BrokenPipeError, ValueError):
            self._stdin.write(b"done\n")
            self._stdin.close()
        said = b"" if self._git.stderr is None else self._git.stderr.read()
        code = self._git.wait()
        for pipe in (self._git.stdout, self._git.stderr):
            if pipe:
                pipe.close()
        if code:
            raise self._failed(said)

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._git.stdin is not None
        return self._git.stdin

    def _name(self, commit: str | None) -> str:
        """How to name a commit in the stream: what is written in it is not on disk yet."""
        if commit is None:
            return "0" * 40
        return f":{self._marks[commit]}" if commit in self._marks else commit

    def _write(self, *parts: bytes) -> None:
        try:
            for part in parts:
                self._stdin.write(part)
            self._stdin.flush()
        except BrokenPipeError:
            self._end()

    def _answer(self) -> str:
        assert self._git.stdout is not None
        line = self._git.stdout.readline()
        if not line:
            self._end()
        return line.decode().strip()

    def _end(self) -> NoReturn:
        """Say why git is gone."""
        self._git.kill()
        assert self._git.stderr is not None
        raise self._failed(self._git.stderr.read())

    def _failed(self, said: bytes) -> StoreError:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        for report in self._objects.folder.glob("fast_import_crash_*"):
            report.unlink(missing_ok=True)
        why = next((line for line in lines if line.startswith("fatal:")), "git gave no reason")
        fix = "Look at its rights and the disk, then crawl again"
        return StoreError(str(self._objects.folder), f"cannot be written ({why})", fix)
