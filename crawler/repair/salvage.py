"""What in our own repository is damaged, and how is the rest of it kept?

In: the repository. Out: what git says of it; or what is damaged moved aside, after all that was
whole in it was written anew. Start at complaints() and set_aside(). Nothing is deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from crawler.git.calls import GitFailed, call_git
from crawler.objects import ABSENT_ON_PURPOSE, Objects, StoreError, safe_environment
from crawler.work import Work

_HEX = re.compile(r"[0-9a-f]{38}|[0-9a-f]{62}")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# What git says of files that are as somebody made them: an odd time zone, an empty name.
_NO_DAMAGE = re.compile(r"error in |warning in |notice: |dangling |Checking |Verifying ")
# What does not matter of objects that no reference leads to; see _unconnected().
_LINKS = re.compile(r"broken link from|to +(commit|tree|blob) |missing (commit|tree|blob) ")
_PIECE = 1 << 20


def complaints(objects: Objects, work: Work) -> list[str]:
    """What git finds wrong with a repository, all objects read and hashed again; a line each.

    Raises:
        Stopped: the job was stopped.
    """
    arguments = ["fsck", "--full", "--no-dangling", "--no-reflogs", "--progress"]
    try:
        said = call_git(objects.folder, arguments, work, None, ABSENT_ON_PURPOSE)
        lines = [*said.printed.splitlines(), *said.remarks.splitlines()]
    except GitFailed as error:
        lines = [*error.printed.splitlines(), *error.said.splitlines()]
        lines = lines or ["git gave no reason"]
    found = [line.strip() for line in lines]
    found = [one for one in found if not (_NO_DAMAGE.match(one) or _LINKS.match(one))]
    return [*dict.fromkeys(one for one in found if one), *_unconnected(objects)]


def _unconnected(objects: Objects) -> list[str]:
    """What is missing of all that references lead to."""
    try:
        printed = objects.run("rev-list", "--objects", "--all", "--missing=print").decode()
    except StoreError as error:
        return [error.found]
    # Files that are too large are not fetched; whether a version lacks one, its table knows.
    missing = [] if objects.is_partial else re.findall(r"^\?([0-9a-f]+)$", printed, re.MULTILINE)
    return [f"object {name} is missing" for name in missing]


def set_aside(objects: Objects, place: Path, work: Work) -> list[Path]:
    """Move what is damaged out of a repository, once what is whole in it is kept.

    Whoever calls holds the repository (`own_repository.writing`).

    Args:
        place: a folder for it; made when there is something.

    Returns:
        What was moved, as it was named.

    Raises:
        StoreError: what is whole cannot be written.
    """
    objects = Objects(objects.folder.resolve())  # git runs in that folder
    store = objects.folder / "objects"
    bad = [file for file in store.glob("??/*") if _is_loose(file) and not _is_whole(file)]
    packs = sorted(
        {
            file.with_suffix("")
            for file in (store / "pack").glob("pack-*")
            if file.suffix in (".pack", ".idx")
        }
    )
    moved: list[Path] = []
    for number, pack in enumerate(packs):
        work.count("packs", number, len(packs))
        if not _is_whole_pack(objects, pack, work):
            moved += _set_pack_aside(objects, pack, place, work)
    return [*moved, *(_move(objects, file, place) for file in bad)]


def move_aside(file: Path, place: Path) -> Path:
    """Move a file, or a folder, into another folder, under a name that is free."""
    place.mkdir(parents=True, exist_ok=True)
    number, target = 1, place / file.name
    while target.exists():
        number += 1
        target = place / f"{file.name}.{number}"
    os.replace(file, target)
    return file


def _set_pack_aside(objects: Objects, pack: Path, place: Path, work: Work) -> list[Path]:
    """Move a pack, and keep what is whole in it; only its index where the pack is whole."""
    content, index = _suffixed(pack, ".pack"), _suffixed(pack, ".idx")
    mended = objects.folder / "objects" / "tmp_mended.idx"
    try:
        call_git(objects.folder, ["index-pack", "-o", str(mended), str(content)], work)
    except GitFailed:
        mended.unlink(missing_ok=True)
    mended.with_suffix(".rev").unlink(missing_ok=True)
    if mended.exists():
        moved = [_move(objects, index, place)] if index.exists() else []
        os.replace(mended, index)
        return moved
    names = _listed(index) if content.exists() else []
    if names:
        _pack(objects, _readable(objects, names, work), marked=_suffixed(pack, ".promisor"))
    moved = [_move(objects, file, place) for file in sorted(pack.parent.glob(f"{pack.name}.*"))]
    if not names and content in moved:  # nobody knows what is where in it: as far as it goes
        aside = place / content.relative_to(objects.folder)
        with suppress(StoreError):
            objects.run("unpack-objects", "-q", "-r", given=aside.read_bytes())
    return moved


def _pack(objects: Objects, names: Sequence[str], marked: Path) -> None:
    """Write some objects into a pack of their own, marked as the old one was."""
    if not names:
        return
    prefix = objects.folder / "objects" / "pack" / "pack"
    given = "".join(f"{name}\n" for name in names).encode()
    made = objects.run("pack-objects", "-q", str(prefix), given=given).decode().strip()
    if marked.exists():
        _suffixed(prefix.with_name(f"pack-{made}"), ".promisor").touch()


def _readable(objects: Objects, names: Sequence[str], work: Work) -> list[str]:
    """Those of some objects that are what their ids say."""
    good: list[str] = []
    rest = list(names)
    while rest:
        count = _read_on(objects, rest, work)
        good += rest[:count]
        rest = rest[count + 1 :]
    return good


def _read_on(objects: Objects, names: Sequence[str], work: Work) -> int:
    """How many objects can be read up to the first that cannot."""
    git = subprocess.Popen(
        ["git", f"--git-dir={objects.folder}", "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=safe_environment(),
    )
    assert git.stdin is not None and git.stdout is not None
    asking = Thread(target=_ask, args=(git, names), daemon=True)
    asking.start()
    try:
        for count, name in enumerate(names):
            work.check()
            work.count("objects of a damaged pack", count, len(names))
            head = git.stdout.readline().split()
            if len(head) != 3:
                return count
            size = int(head[2])
            hasher = (hashlib.sha256 if len(name) == 64 else hashlib.sha1)()
            hasher.update(b"%s %d\0" % (head[1], size))
            while size and (piece := git.stdout.read(min(size, _PIECE))):
                hasher.update(piece)
                size -= len(piece)
            git.stdout.read(1)
            if size or hasher.hexdigest() != name:
                return count
        return len(names)
    finally:
        git.kill()
        asking.join()
        git.stdout.close()
        git.wait()


def _ask(git: subprocess.Popen[bytes], names: Iterable[str]) -> None:
    assert git.stdin is not None
    with suppress(BrokenPipeError), git.stdin as asked:
        asked.write("".join(f"{name}\n" for name in names).encode())


def _listed(index: Path) -> list[str]:
    """The objects that the index of a pack names; none if it is damaged or missing."""
    if not index.exists():
        return []
    with open(index, "rb") as file:
        done = subprocess.run(
            ["git", "show-index"],
            stdin=file,
            capture_output=True,
            env=safe_environment(),
            check=False,
        )
    words = [line.split(" ") for line in done.stdout.decode("ascii", "replace").splitlines()]
    return [] if done.returncode else [word[1] for word in words if _ID.fullmatch(word[1])]


def _is_whole_pack(objects: Objects, pack: Path, work: Work) -> bool:
    try:
        call_git(objects.folder, ["verify-pack", str(_suffixed(pack, ".idx").resolve())], work)
    except GitFailed:
        return False
    return True


def _is_loose(file: Path) -> bool:
    return bool(re.fullmatch(r"[0-9a-f]{2}", file.parent.name) and _HEX.fullmatch(file.name))


def _is_whole(file: Path) -> bool:
    """Whether a loose object is what its name says."""
    name = file.parent.name + file.name
    reading = zlib.decompressobj()
    try:
        data = reading.decompress(file.read_bytes()) + reading.flush()
    except zlib.error:
        return False
    hasher = hashlib.sha256 if len(name) == 64 else hashlib.sha1
    return reading.eof and not reading.unused_data and hasher(data).hexdigest() == name


def _move(objects: Objects, file: Path, place: Path) -> Path:
    return move_aside(file, place / file.parent.relative_to(objects.folder))


def _suffixed(pack: Path, suffix: str) -> Path:
    return pack.with_name(pack.name + suffix)
