"""Where is a history cut off?

In: our own repository. Out: its `shallow` file says exactly which commits have parents that are
not here. Start at mend_cuts(). git writes the file for a shallow source, but not for a bundle of
one; and where a source was cut off later than we have it, git would cut off ours as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from crawler.objects import Objects, StoreError


def mend_cuts(objects: Objects) -> None:
    """Join a history again where it is marked as cut off and its parents are here."""
    cuts = objects.cuts()
    if not cuts:
        return
    parents = objects.parents(cuts)
    here = objects.parents({parent for known in parents.values() for parent in known})
    still = {cut for cut in cuts if any(parent not in here for parent in parents.get(cut, ("",)))}
    if still != cuts and _is_whole(objects, still, cuts - still):
        _write(objects, still)


def mark_cuts(objects: Objects, tip: str) -> bool:
    """Mark where the history of a commit is cut off without being marked; whether it was so."""
    listed = objects.run(
        *("cat-file", "--batch-all-objects", "--unordered"),
        "--batch-check=%(objecttype) %(objectname)",
    )
    lines = (line.split(" ") for line in listed.decode().splitlines())
    parents = objects.parents([name for kind, name in lines if kind == "commit"])
    old = objects.cuts()
    new, seen, ahead = set(), {tip}, [tip]
    while ahead:
        commit = ahead.pop()
        if commit not in parents or commit in old:
            continue
        if any(parent not in parents for parent in parents[commit]):
            new.add(commit)
            continue
        fresh = [parent for parent in parents[commit] if parent not in seen]
        seen.update(fresh)
        ahead += fresh
    if new:
        _write(objects, old | new)
    return bool(new)


def add_cuts(objects: Objects, more: Iterable[str]) -> None:
    """Mark more commits, as another repository has them."""
    had = objects.cuts()
    if wanted := set(more) - had:
        _write(objects, had | wanted)


def _is_whole(objects: Objects, cuts: set[str], joined: set[str]) -> bool:
    """Whether some commits can be followed down to a root or to what is marked as cut off."""
    place = _write_to(objects.folder / "shallow.ranktrail", cuts)
    try:
        asked = "".join(f"{commit}\n" for commit in sorted(joined)).encode()
        objects.run(
            "--shallow-file", str(place.resolve()), "rev-list", "--count", "--stdin", given=asked
        )
    except StoreError:
        return False  # parts of a fetch that failed: commits without what is below them
    finally:
        place.unlink()
    return True


def _write(objects: Objects, cuts: set[str]) -> None:
    """Replace the file, in git's own way."""
    place = objects.folder / "shallow"
    lock = _write_to(objects.folder / "shallow.lock", cuts)
    if cuts:
        os.replace(lock, place)
    else:
        place.unlink(missing_ok=True)
        lock.unlink()


def _write_to(place: Path, cuts: set[str]) -> Path:
    with open(place, "w", encoding="ascii") as file:
        file.writelines(f"{cut}\n" for cut in sorted(cuts))
        file.flush()
        os.fsync(file.fileno())
    return place
