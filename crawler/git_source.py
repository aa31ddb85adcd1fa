"""How does the history of a git repository get here?

In: an address (https, http, ssh, git, file), a local folder or a bundle. Out: one branch of it in
our own bare repository. Start at GitSource. A whole history costs three requests over http, a
look that finds nothing new two.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from crawler.board import Board, nearest
from crawler.objects import KEPT_VARIABLES, Objects, safe_environment
from crawler.source import CrawlError, Fetched, Progress, redact
from crawler.store import without_login

_LONGEST = 3600.0  # seconds that one fetch may take in all
_STALE_LOCK = 2 * _LONGEST
_PACK_AFTER = 2000  # loose objects

_UNREACHABLE = (
    "unable to access",
    "Could not resolve host",
    "onnection refused",
    "onnection timed out",
    "Connection reset",
    "hung up unexpectedly",
    "Operation too slow",
    "RPC failed",
)
_REFUSED = (
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "Permission denied",
    "error: 401",
    "error: 403",
    "Host key verification failed",
)
_NO_REPOSITORY = (
    "does not appear to be a git repository",
    "not a git repository",
    "is this a git repository?",
    "invalid gitfile format",
    "not a valid bundle",
    "does not look like a v2 or v3 bundle",
    "unrecognized header",
)
_DAMAGED = ("died with error", "bad object", "unable to normalize alternate")
# Servers that mishandle compressed requests answer a long negotiation so; without one they work.
_NEGOTIATION = ("expected 'acknowledgments'", "expected 'packfile'", "expected 'acknowledgements'")


class GitSource:
    """Any git repository."""

    def fetch(
        self, board: Board, objects: Objects, known: str | None, progress: Progress
    ) -> Fetched:
        """Fetch the board's branch from the address in its definition.

        Raises:
            CrawlError: with the cause and what to do about it.
        """
        address, settings = split_login(board.address)
        if board.is_local and not Path(address).exists():
            raise CrawlError(address, "no such folder or bundle", "Check `repo` in board.toml")
        progress(f"fetching {address}")
        return Fetched(fetch_branch(objects, address, board.source.branch, settings), True)


def fetch_branch(
    objects: Objects, address: str, branch: str, settings: dict[str, str] | None = None
) -> str:
    """Bring one branch of a repository into the object store and keep its tip for ever.

    Args:
        objects: our bare repository; made if it is missing.
        address: without a login.
        branch: empty for the one that the repository's HEAD names now.
        settings: more git settings, such as a header with a login.

    Returns:
        The full id of the branch's newest commit.

    Raises:
        CrawlError: the branch cannot be had.
        StoreError: what is stored of it is damaged.
    """
    _make(objects)
    _remove_stale_locks(objects)
    line = "refs/line/" + (hashlib.sha256(branch.encode()).hexdigest()[:12] if branch else "HEAD")
    wanted = f"refs/heads/{branch}" if branch else "HEAD"
    arguments = ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"]
    if (objects.folder / line).exists():
        objects.run("rev-parse", "--verify", "--quiet", f"{line}^{{commit}}")
        # What else we keep would only make the question longer, the more the older the store.
        arguments.append(f"--negotiation-tip={line}")
    arguments += ["--", address]
    settings = settings or {}
    said = ""
    try:
        _, said = _git(objects, [*arguments, f"+{wanted}:{line}"], settings)
    except _GitFailed as error:
        if "couldn't find remote ref" in error.said:
            only = _only_branch(objects, address, branch, settings)
            _git_or_explain(objects, [*arguments, f"+refs/heads/{only}:{line}"], address, settings)
        elif any(sign in error.said for sign in _NEGOTIATION):
            again = settings | {"fetch.negotiationAlgorithm": "noop"}
            _git_or_explain(objects, [*arguments, f"+{wanted}:{line}"], address, again)
        else:
            raise _explained(address, error.said) from None
    if "shallow roots" in said:  # git leaves the branch as it was, and calls that a success
        fix = "Run `git fetch --unshallow` there, or name the original repository"
        raise CrawlError(address, "a shallow clone, its history is cut off", fix)
    tip = objects.run("rev-parse", "--verify", "--end-of-options", f"{line}^{{commit}}").decode()
    objects.run("update-ref", f"refs/seen/{tip.strip()}", tip.strip())
    _pack_if_many(objects)
    return tip.strip()


def split_login(address: str) -> tuple[str, dict[str, str]]:
    """An address without its login, and the git settings that carry the login instead.

    >>> split_login("https://example.org/a.git")
    ('https://example.org/a.git', {})
    >>> split_login("https://me:pw@example.org/a.git")[0]
    'https://example.org/a.git'
    """
    bare = without_login(address)
    scheme, found, rest = address.partition("://")
    if bare == address or not found:
        return address, {}
    if scheme.lower() == "ssh":  # the user of ssh is part of the address and no secret
        user = rest.split("@", 1)[0].split(":", 1)[0]
        return address.replace(rest, f"{user}@{bare.partition('://')[2]}", 1), {}
    user, _, password = rest.split("/", 1)[0].rpartition("@")[0].partition(":")
    return bare, login_settings(bare, unquote(user), unquote(password))


def login_settings(address: str, user: str, password: str) -> dict[str, str]:
    """Git settings that send a login to the host of an address and to no other."""
    parts = urlsplit(address)
    login = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {
        f"http.{parts.scheme}://{parts.netloc}/.extraHeader": f"Authorization: Basic {login}",
        "http.followRedirects": "false",  # the header would go along to another host
    }


class _GitFailed(Exception):
    """A git command failed; always turned into a CrawlError. `said` is what it wrote to stderr, without secrets."""

    def __init__(self, said: str):
        self.said = redact(said)
        super().__init__(self.said)


def _git(objects: Objects, arguments: list[str], settings: dict[str, str]) -> tuple[str, str]:
    """Run one git command that talks to another repository; what it printed, and its remarks."""
    try:
        import git
    except ImportError:
        raise CrawlError("git", "it is not installed", "Install git 2.30 or newer") from None

    for argument in arguments[arguments.index("--") + 1 :]:
        try:
            git.Git.check_unsafe_protocols(argument)
        except git.exc.UnsafeProtocolError:
            found = "an address that runs a program"
            raise CrawlError(argument, found, "Use https, ssh, git, file or a path") from None
    with _without_inherited_settings():
        try:
            running = git.Git(str(objects.folder)).execute(
                ["git", f"--git-dir={objects.folder.resolve()}", *arguments],
                env=safe_environment(settings),
                as_process=True,
                start_new_session=True,
            )
        except git.exc.GitCommandNotFound:
            raise CrawlError("git", "it is not installed", "Install git 2.30 or newer") from None
    try:
        printed, remarks = running.communicate(timeout=_LONGEST)
    except BaseException as stopped:
        # git runs in a session of its own and does not hear of Ctrl-C; nor do its helpers.
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        if isinstance(stopped, subprocess.TimeoutExpired):
            raise _GitFailed(f"fatal: no end after {_LONGEST} s") from None
        raise
    if running.returncode:
        raise _GitFailed(remarks.decode(errors="replace"))
    return printed.decode(errors="replace"), remarks.decode(errors="replace")


@contextmanager
def _without_inherited_settings() -> Iterator[None]:
    """Take away GIT_* variables of whoever started us (a git hook sets GIT_DIR, for one).

    GitPython starts from the environment of the process and can only add to it.
    """
    taken = {
        key: value
        for key, value in os.environ.items()
        if key.startswith("GIT_") and key not in KEPT_VARIABLES
    }
    for key in taken:
        del os.environ[key]
    try:
        yield
    finally:
        os.environ.update(taken)


def _git_or_explain(
    objects: Objects, arguments: list[str], address: str, settings: dict[str, str]
) -> str:
    try:
        return _git(objects, arguments, settings)[0]
    except _GitFailed as error:
        raise _explained(address, error.said) from None


def _explained(address: str, said: str) -> CrawlError:
    """What went wrong, in words that say what to do."""
    lines = [line.strip() for line in said.replace("stderr:", "").strip(" '\n").splitlines()]
    last = next((line for line in lines if re.match(r"fatal:|error:|ssh:", line)), "")
    reason = re.sub(r"^(fatal|error): ", "", last or (lines[0] if lines else "no reason given"))

    def said_one_of(signs: tuple[str, ...]) -> bool:
        return any(sign in said for sign in signs)

    if said_one_of(_REFUSED):
        fix = "Give git a login that may read it (a token in the address, or an ssh key)"
        return CrawlError(address, f"authentication needed ({reason})", fix)
    if "repository" in said and "not found" in said:
        fix = "Check the address; a private repository looks the same without a login"
        return CrawlError(address, "no such repository", fix)
    if "dubious ownership" in said:
        fix = "Clone it as the user that crawls, and name that clone"
        return CrawlError(address, f"it belongs to another user ({reason})", fix)
    if "prerequisite commits" in said:
        fix = "Make a bundle of the whole branch, without a starting point"
        return CrawlError(address, f"a part of a history only ({reason.rstrip(':')})", fix)
    if said_one_of(_DAMAGED):
        return CrawlError(address, f"it is damaged ({reason})", "Run `git fsck` in it")
    if said_one_of(_NO_REPOSITORY):
        return CrawlError(address, f"not a git repository ({reason})", "Check the address")
    if "unable to update url base from redirection" in said or "error: 30" in said:
        return CrawlError(address, f"it has moved ({reason})", "Write the new address")
    if ".lock" in said:
        fix = "If no git is running, delete that file and crawl again"
        return CrawlError(address, f"our own repository is locked ({reason})", fix)
    if "Timeout: the command" in said:
        fix = "Crawl again; if it stays so, look at the network"
        return CrawlError(address, f"not finished after {_LONGEST:.0f} seconds", fix)
    if "early EOF" in said or "index-pack" in said:
        fix = "Crawl again; if it is a bundle, make it anew"
        return CrawlError(address, f"what came is cut off or damaged ({reason})", fix)
    if said_one_of(_UNREACHABLE):
        return CrawlError(address, f"cannot be reached ({reason})", "Crawl again later")
    return CrawlError(address, f"git failed ({reason})", "Mend it and crawl again")


def _only_branch(objects: Objects, address: str, branch: str, settings: dict[str, str]) -> str:
    """The one branch of a repository whose HEAD names none; else the error to raise."""
    asked = _git_or_explain(objects, ["ls-remote", "--heads", "--", address], address, settings)
    heads = [line.split("\t")[1].removeprefix("refs/heads/") for line in asked.splitlines()]
    if not heads:
        raise CrawlError(address, "the repository is empty", "Crawl again when it has a commit")
    listed = ", ".join(heads[:8])
    if branch:
        near = nearest(branch, heads)
        fix = f"Nearest: {', '.join(near)}" if near else f"It has {listed}"
        raise CrawlError(address, f"no branch {branch!r}", fix)
    if len(heads) > 1:
        found = "its default branch does not exist"
        raise CrawlError(address, found, f"Name a branch in board.toml: {listed}")
    return heads[0]


def _make(objects: Objects) -> None:
    """Make the bare repository; a half-made one of a killed run is finished."""
    if (objects.folder / "HEAD").exists() and (objects.folder / "objects").is_dir():
        return
    try:
        import git
    except ImportError:
        raise CrawlError("git", "it is not installed", "Install git 2.30 or newer") from None

    objects.folder.mkdir(parents=True, exist_ok=True)
    with _without_inherited_settings():
        git.Repo.init(
            objects.folder, bare=True, env=safe_environment() | {"GIT_TEMPLATE_DIR": ""}
        ).close()


def _remove_stale_locks(objects: Objects) -> None:
    """Delete lock files that a killed git left behind.

    We hold the lock of the source, so only a git that outlived its crawl could own one; none
    runs longer than _LONGEST.
    """
    places = [objects.folder.glob("*.lock"), (objects.folder / "refs").rglob("*.lock")]
    for lock in (lock for place in places for lock in place):
        if time.time() - lock.stat().st_mtime > _STALE_LOCK:
            lock.unlink(missing_ok=True)


def _pack_if_many(objects: Objects) -> None:
    """Put many small fetches into one pack. Nothing is pruned: every tip has its reference."""
    counts = dict(
        line.split(": ") for line in objects.run("count-objects", "-v").decode().splitlines()
    )
    if int(counts["count"]) > _PACK_AFTER or int(counts["packs"]) > 50:
        objects.run("repack", "-a", "-d", "-k", "-q")
