"""How does the history of a git repository get here?

In: an address (https, http, ssh, git, file), a local folder or a bundle. Out: one branch of it in
our own bare repository. Start at GitSource. A whole history costs three requests over http, a
look that finds nothing new two.

What a server cannot answer is asked again in a simpler way, and at last for all of it anew. What
is here stays in any case: each tip ever seen has a reference.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from crawler.board import Board, nearest
from crawler.git import own_repository
from crawler.git.calls import GitFailed, Remote, Said, call_git
from crawler.git.cuts import add_cuts, mark_cuts, mend_cuts
from crawler.git.local_lfs import finder
from crawler.git.trouble import explained, is_momentary, is_negotiation, lacks_left_out, may_be_ours
from crawler.objects import ABSENT_ON_PURPOSE, REMOTE, Objects
from crawler.source import CrawlError, Fetched, Find, Known
from crawler.store import without_login
from crawler.work import Work

WAITS = (1.0, 4.0)  # seconds, before the second and the third try; can be set for a test
_SHORT = 60.0  # seconds; what took longer is not tried again at once

_FETCH = ("fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")


class GitSource:
    """Any git repository.

    Args:
        anew: bring all of it, whatever is here.
    """

    def __init__(self, *, anew: bool = False):
        self._anew = anew

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """Fetch the boards' branch from the address in their definitions.

        Raises:
            CrawlError: with the cause and what to do about it.
            Stopped: the job was stopped.
        """
        board = boards[0]
        address, settings = split_login(board.address)
        if board.is_local and not Path(address).exists():
            raise CrawlError(address, "no such folder or bundle", "Check `repo` in board.toml")
        work(f"fetching {address}")
        branch = board.source.branch
        return Fetched(fetch_branch(objects, address, branch, work, settings, anew=self._anew))

    def large_files(self, board: Board, work: Work) -> Find | None:
        """What Git LFS has fetched, of a repository on this machine."""
        return finder(board.address) if Remote(split_login(board.address)[0]).is_local else None


def fetch_branch(
    objects: Objects,
    address: str,
    branch: str,
    work: Work,
    settings: Mapping[str, str] | None = None,
    *,
    anew: bool = False,
) -> str:
    """Bring one branch of a repository into the object store and keep its tip for ever.

    Args:
        objects: our bare repository; made if it is missing.
        address: without a login.
        branch: empty for the one that the repository's HEAD names now.
        work: told how far it is, and asked whether to go on.
        settings: more git settings, such as a header with a login.
        anew: bring all of it, whatever is here: what was lost or damaged comes back.

    Returns:
        The full id of the branch's newest commit.

    Raises:
        CrawlError: the branch cannot be had.
        StoreError: what is stored of it is damaged.
        Stopped: the job was stopped.
    """
    remote = Remote(address, settings or {})
    line = "refs/line/" + (hashlib.sha256(branch.encode()).hexdigest()[:12] if branch else "HEAD")
    wanted = f"refs/heads/{branch}" if branch else "HEAD"
    with own_repository.writing(objects, address, work) as handle:
        ask = _Ask(objects, remote, line, work, handle)
        bring = _bring_anew if anew else _bring
        try:
            try:
                _patiently(bring, ask, wanted)
            except GitFailed as error:
                if "couldn't find remote ref" not in error.said:
                    raise
                _patiently(bring, ask, f"refs/heads/{_only_branch(ask, branch)}")
            mend_cuts(objects)
            name = f"{line}^{{commit}}"
            tip = objects.run("rev-parse", "--verify", "--end-of-options", name).decode().strip()
            if not (objects.folder / "refs/seen" / tip).exists():
                objects.run("update-ref", f"refs/seen/{tip}", tip)
                own_repository.pack_if_many(objects, work, handle)
        except GitFailed as error:
            raise explained(address, error.said) from None
    return tip


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


@dataclass(frozen=True)
class _Ask:
    """One branch that is wanted.

    Attributes:
        objects: where to put it.
        remote: where it is.
        line: the reference that is to name its tip here.
        work, handle: for call_git().
    """

    objects: Objects
    remote: Remote
    line: str
    work: Work
    handle: int

    @property
    def is_known(self) -> bool:
        """Whether some of it came before."""
        return (self.objects.folder / self.line).exists()

    def call(self, *arguments: str, settings: Mapping[str, str] | None = None) -> Said:
        folder, remote = self.objects.folder, self.remote
        return call_git(folder, arguments, self.work, remote, settings, [self.handle])

    def fetch(self, wanted: str, settings: Mapping[str, str] | None = None) -> None:
        """Ask for what is new of it."""
        if self.remote.largest is not None and not self.objects.is_cut:
            limit = f"blob:limit={self.remote.largest}"
            absent = ABSENT_ON_PURPOSE | {f"remote.{REMOTE}.partialCloneFilter": limit}
            try:
                return self._fetch(wanted, {**(settings or {}), **absent}, f"--filter={limit}")
            except GitFailed as error:
                # So it is with a shallow clone; or with what we have, which is for others to mend.
                if self.is_known or not lacks_left_out(error.said):
                    raise
        return self._fetch(wanted, settings)

    def _fetch(self, wanted: str, settings: Mapping[str, str] | None, *options: str) -> None:
        arguments = [*_FETCH, *options]
        if not self.remote.bundle:
            # Of a shallow clone have what is there, and more as soon as more is there.
            arguments += ["--update-shallow", *(["--unshallow"] if self.objects.is_cut else [])]
        if self.is_known:
            self.objects.run("rev-parse", "--verify", "--quiet", f"{self.line}^{{commit}}")
            # What else we keep would only make the question longer, the more the older the store.
            arguments.append(f"--negotiation-tip={self.line}")
        self.call(*arguments, REMOTE, f"+{wanted}:{self.line}", settings=settings)

    def fetch_or_cut(self, wanted: str, settings: Mapping[str, str] | None = None) -> None:
        """The same; of a bundle that was made of a shallow clone, which does not say so, as well."""
        try:
            self.fetch(wanted, settings)
        except GitFailed:
            if not (self.remote.bundle and mark_cuts(self.objects, _tip_there(self, wanted))):
                raise
            self.fetch(wanted, settings)


def _patiently(bring: Callable[[_Ask, str], None], ask: _Ask, wanted: str) -> None:
    """Bring a branch; and once more, if what went wrong may be over in a moment."""
    for wait in (*WAITS, None):
        begun = time.monotonic()
        try:
            bring(ask, wanted)
        except GitFailed as error:
            passing = is_momentary(error.said) and not ask.remote.is_local
            if wait is None or not passing or time.monotonic() - begun > _SHORT:
                raise
            ask.work.wait(wait)
        else:
            return


def _bring(ask: _Ask, wanted: str) -> None:
    """Fetch a branch; by harder ways where the easy one fails for a reason that they lack."""
    try:
        if ask.remote.bundle and ask.objects.is_cut:
            ask.call("bundle", "unbundle", "--progress", str(ask.remote.bundle))
        try:
            ask.fetch_or_cut(wanted)
        except GitFailed as error:
            if not is_negotiation(error.said):
                raise
            ask.fetch(wanted, {"fetch.negotiationAlgorithm": "noop"})
    except GitFailed as error:
        if not (ask.is_known and may_be_ours(error.said)):
            raise
        ask.work(f"{ask.remote.address}: fetching all of it anew")
        _bring_anew(ask, wanted)


def _bring_anew(ask: _Ask, wanted: str) -> None:
    """Fetch a branch into a fresh repository, and take all that came over into ours."""
    with own_repository.beside(ask.objects, ask.work) as fresh:
        replace(ask, objects=fresh).fetch_or_cut(wanted, {"fetch.unpackLimit": "1"})
        tip = fresh.run("rev-parse", "--verify", f"{ask.line}^{{commit}}").decode().strip()
        own_repository.take_over(ask.objects, fresh)
        add_cuts(ask.objects, fresh.cuts())
    ask.objects.run("update-ref", ask.line, tip)


def _tip_there(ask: _Ask, wanted: str) -> str:
    """The commit that a reference names in the other repository; empty if it has no such."""
    listed = ask.call("ls-remote", REMOTE, wanted).printed.splitlines()
    return next((line.split("\t")[0] for line in listed if line.endswith(f"\t{wanted}")), "")


def _only_branch(ask: _Ask, branch: str) -> str:
    """The one branch of a repository whose HEAD names none; else the error to raise."""
    address = ask.remote.address
    asked = ask.call("ls-remote", "--heads", REMOTE).printed
    heads = [line.split("\t")[1].removeprefix("refs/heads/") for line in asked.splitlines()]
    if not heads:
        found, fix = "the repository is empty", "Crawl again when it has a commit"
        if not ask.remote.is_local:  # git takes a line of any text for a list without an entry
            found += ", or no repository but a web page"
            fix = "Open it in a browser; crawl again when it has a commit"
        raise CrawlError(address, found, fix)
    listed = ", ".join(heads[:8])
    if branch:
        near = nearest(branch, heads)
        fix = f"Nearest: {', '.join(near)}" if near else f"It has {listed}"
        raise CrawlError(address, f"no branch {branch!r}", fix)
    if len(heads) > 1:
        found = "its default branch does not exist"
        raise CrawlError(address, found, f"Name a branch in board.toml: {listed}")
    return heads[0]
