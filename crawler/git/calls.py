"""How is git run where it may take long, or talk to another repository?

In: arguments, and the Remote they are about. Out: what it printed and remarked. Start at
call_git(). It is asked every moment whether to go on; whatever ends it, no process of it stays.

The other repository is named by the settings of one call and never by our configuration. So no
address and no login is left in the store, and no later call can know where to fetch what is absent.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from crawler.objects import MAX_BYTES, REMOTE, safe_environment
from crawler.source import CrawlError, redact
from crawler.work import Work

# Seconds. They can be set for a test.
LONGEST = 3600.0  # for one call in all
LONGEST_SILENCE = 600.0  # without a sign of life
LARGEST_FETCH = 32 * 1024**3  # bytes that one call may receive

_BEAT = 0.1
_TIME_TO_TIDY = 0.4  # for git to remove its temporary files after it was told to end
_REMARKS = 64 * 1024  # bytes that are kept of them: a server may talk for ever,
_REMARK = 1024  # and in lines without an end
_PRINTED = 16 * 1024 * 1024
_PROGRESS = re.compile(
    rb"(Receiving objects|Unpacking objects|Resolving deltas|Checking objects): +\d+% \((\d+)/(\d+)\)"
    rb"(?:, ([\d.]+) (bytes|KiB|MiB|GiB))?"
)
_UNITS = {b"bytes": 1, b"KiB": 1024, b"MiB": 1024**2, b"GiB": 1024**3}
# The protocol of an address, and what it may turn into by a redirect.
_ALLOWED = {"https": "https:http", "http": "https:http", "ssh": "ssh", "git": "git", "file": "file"}


@dataclass(frozen=True)
class Remote:
    """Another repository.

    Attributes:
        address: where it is, without a login.
        settings: more git settings for it, such as a header with a login.

    Raises:
        CrawlError: the address runs a program.
    """

    address: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            import git
        except ImportError:
            raise _no_git() from None
        try:
            git.Git.check_unsafe_protocols(self.address)
        except git.exc.UnsafeProtocolError:
            found = "an address that runs a program"
            raise CrawlError(self.address, found, "Use https, ssh, git, file or a path") from None

    @property
    def scheme(self) -> str:
        """The protocol: https, http, ssh, git, file, or an unknown one.

        >>> [Remote(a).scheme for a in ("HTTPS://h/a", "git@h:a/b", "/a:b", "git+ssh://h/a")]
        ['https', 'ssh', 'file', 'ssh']
        """
        if found := re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", self.address):
            scheme = found[1].lower()
            return "ssh" if scheme in ("git+ssh", "ssh+git") else scheme
        is_path = not re.match(r"[^/]+:", self.address) or Path(self.address).exists()
        return "file" if is_path else "ssh"

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return self.scheme == "file"

    @property
    def bundle(self) -> Path | None:
        """The file that it is, where it is one file on this machine."""
        if not self.is_local:
            return None
        name = re.sub(r"^file://", "", self.address, flags=re.IGNORECASE)
        place = Path(name if name == self.address else unquote(name))
        return place if place.is_file() else None

    @property
    def largest(self) -> int | None:
        """Bytes of a file above which it can stay there; None where all have to come.

        What serves a folder or a bundle on this machine refuses to leave anything out.
        """
        return None if self.is_local or not _never_fetches_later() else MAX_BYTES

    def environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        """The environment of a call that may talk to it."""
        named = {f"remote.{REMOTE}.url": self.address}
        protocols = _ALLOWED.get(self.scheme, "https:http:ssh:git:file")
        return safe_environment({**named, **self.settings, **settings}, protocols)


@dataclass(frozen=True, slots=True)
class Said:
    """What a git command wrote: the answer, and the last of its remarks (no progress)."""

    printed: str
    remarks: str


class GitFailed(Exception):
    """A git command failed.

    Attributes:
        said: what it wrote to stderr, without secrets or control codes.
        printed: what it had answered by then, the same.
    """

    def __init__(self, said: str, printed: str = ""):
        self.said, self.printed = redact(_plain(said)), redact(_plain(printed))
        super().__init__(self.said)


def call_git(
    folder: Path,
    arguments: Sequence[str],
    work: Work,
    remote: Remote | None = None,
    settings: Mapping[str, str] | None = None,
    keep_open: Sequence[int] = (),
) -> Said:
    """Run one git command in our own repository.

    Args:
        folder: our bare repository.
        arguments: the other repository is called `REMOTE` in them.
        work: told how far it is, and asked whether to go on.
        remote: the other repository; without one nothing but this machine can be reached.
        settings: more git settings for this call.
        keep_open: file handles that git and its helpers are to hold as long as they live.

    Raises:
        GitFailed: git said so, or a limit of time or size was passed.
        Stopped: the job was stopped; git has ended by then.
        CrawlError: git is not installed.
    """
    more = settings or {}
    environment = remote.environment(more) if remote else safe_environment(dict(more))
    try:
        process = subprocess.Popen(
            ["git", f"--git-dir={folder.resolve()}", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # so that its helpers can be ended with it
            pass_fds=tuple(keep_open),
        )
    except FileNotFoundError:
        raise _no_git() from None
    listener = _Listener(work)
    try:
        _attend(process, listener, work)
    except BaseException:
        # git runs in a session of its own and does not hear of Ctrl-C; nor do its helpers.
        _end(process)
        raise
    finally:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()
    if process.returncode:
        raise GitFailed(listener.remarks(), listener.printed.decode(errors="replace"))
    return Said(listener.printed.decode(errors="replace"), listener.remarks())


class _Listener:
    """Keeps what git prints and the last of its remarks, and passes on how far it is."""

    def __init__(self, work: Work):
        self.printed = bytearray()
        self._work = work
        self._kept = bytearray()
        self._unfinished = b""

    def hear_answer(self, data: bytes) -> None:
        self.printed += data
        if len(self.printed) > _PRINTED:
            raise GitFailed(f"fatal: the answer is longer than {_PRINTED:,} bytes")

    def hear_remarks(self, data: bytes) -> None:
        *lines, rest = re.split(rb"[\r\n]", self._unfinished + data)
        self._unfinished = rest[:_REMARK]
        progress = None
        for line in lines:
            if found := _PROGRESS.match(line):
                progress = found
            elif line.strip():
                self._kept += line[:_REMARK] + b"\n"
        del self._kept[:-_REMARKS]
        if progress:
            what, done, total, size, unit = progress.groups()
            self._work.count(what.decode().lower(), int(done), int(total))
            if size and float(size) * _UNITS[unit] > LARGEST_FETCH:
                raise GitFailed(f"fatal: more than {LARGEST_FETCH:,} bytes")

    def remarks(self) -> str:
        return _plain((self._kept + self._unfinished).decode(errors="replace"))


def _attend(process: subprocess.Popen[bytes], listener: _Listener, work: Work) -> None:
    """Listen to git until it has ended."""
    assert process.stdout is not None and process.stderr is not None
    begun = heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for pipe, hear in (
            (process.stdout, listener.hear_answer),
            (process.stderr, listener.hear_remarks),
        ):
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ, hear)
        while selector.get_map():
            work.check()
            ended = process.poll() is not None
            ready = selector.select(0 if ended else _BEAT)
            if ended and not ready:
                break  # something that git left behind holds the pipes (a shared ssh connection)
            now = time.monotonic()
            heard = now if ready else heard
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                key.data(data)
                if not data:
                    selector.unregister(key.fileobj)
            if now - begun > LONGEST:
                raise GitFailed(f"fatal: no end after {LONGEST:.0f} s")
            if now - heard > LONGEST_SILENCE:
                raise GitFailed(f"fatal: nothing was heard for {LONGEST_SILENCE:.0f} s")
    while process.poll() is None:
        work.check()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_BEAT)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and its helpers: politely, so that locks and half a pack go with them; then not."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    until = time.monotonic() + _TIME_TO_TIDY
    while _alive(process) and time.monotonic() < until:
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _alive(process: subprocess.Popen[bytes]) -> bool:
    """Whether anything of a session is left."""
    process.poll()
    try:
        os.killpg(process.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _plain(text: str) -> str:
    """A text without what could steer a terminal; it may be a server's."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


@cache
def _never_fetches_later() -> bool:
    """Whether git knows GIT_NO_LAZY_FETCH.

    Where it does not, a fetch that meets something absent starts another fetch, and that one
    the next, without an end.
    """
    said = subprocess.run(["git", "--version"], capture_output=True, check=False).stdout.decode()
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    major, minor, patch = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    since = {39: 4, 40: 2, 41: 1, 42: 2, 43: 4, 44: 1}
    return (major, minor) >= (2, 45) or (major == 2 and patch >= since.get(minor, 1000))


def _no_git() -> CrawlError:
    return CrawlError("git", "it is not installed", "Install git 2.30 or newer")
