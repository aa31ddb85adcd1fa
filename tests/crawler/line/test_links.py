"""Folders above a board's paths that are links, through time, on real repositories."""

from __future__ import annotations

import random
import subprocess

import pytest

from crawler.chain.chain import blob_id
from crawler.store import Store
from tests.crawler.line.test_held import per_entry, read
from tests.crawler.tracked import run, states, track

BOARD = "a/b/board.json"
MODULES = ("11" * 20, "22" * 20)  # commits of other repositories


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    return git_repo()


def leave(repo, *steps):
    """Commits of which each leaves other things below the folder `a`, and a changed file beside it.

    "-" leaves nothing, "a=link1" a symbolic link, "a/b=module1" a submodule; any other text is
    what stands in a file, "a/b/board.json=1". A comma is between two things.
    """
    begun = repo.git("rev-list", "--all", "--count") != "0"
    lines = []
    for number, step in enumerate(steps):
        lines += ["commit refs/heads/main", f"committer A <a> {1790000000 + number} +0000"]
        lines += ["data 1", "m", *(["from refs/heads/main^0"] if begun and not number else [])]
        lines += ["D a", "M 100644 inline README", f"data {len(step)}", step]
        for thing in step.split(",") if step != "-" else []:
            path, text = thing.split("=")
            if text.startswith("module"):
                lines.append(f"M 160000 {MODULES[int(text[-1]) - 1]} {path}")
            else:
                mode = "120000" if text.startswith("link") else "100644"
                lines += [f"M {mode} inline {path}", f"data {len(text)}", text]
    subprocess.run(
        ["git", "-C", str(repo.folder), "fast-import", "--quiet", "--force"],
        input="\n".join([*lines, ""]).encode(),
        check=True,
    )


def told(step):
    """What a board reads after a commit with one thing: text or reason, and state."""
    path, _, text = step.partition("=")
    if text.startswith("link") and path in ("a", "a/b"):
        return f"{path} is a symbolic link ({blob_id(text.encode())[:8]})", "unavailable"
    if text.startswith("module") and path in ("a", "a/b"):
        return f"{path} is a submodule ({MODULES[int(text[-1]) - 1][:8]})", "unavailable"
    return (text, "published") if path == BOARD else ("", "absent")


def versions_of(store, name="text"):
    return [(text, state) for text, state, _ in states(store, name)]


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(["a=module1", f"{BOARD}=1"], id="a submodule from the first commit on"),
        pytest.param(["a/b=link1", f"{BOARD}=1"], id="a link from the first commit on"),
        pytest.param(["-", "-", "a=link1", f"{BOARD}=1"], id="a link before the first file"),
        pytest.param(["-", "a/b=module1"], id="a submodule and never a file"),
        pytest.param(
            [f"{BOARD}=1", "a=link1", "a=module1", "a=module2", "a=link2", f"{BOARD}=1"],
            id="one link after the other",
        ),
        pytest.param([f"{BOARD}=1", "-", "a/b=link1", f"{BOARD}=1"], id="a link after an absence"),
        pytest.param([f"{BOARD}=1", "a/b=link1", "-", f"{BOARD}=1"], id="an absence after a link"),
        pytest.param(
            [f"{BOARD}=1", "a=link1", "a/b=link1", "a/x=1"], id="one folder, then another"
        ),
        pytest.param([f"{BOARD}=1", "-", "a=1", "a/b=1", f"{BOARD}=1"], id="a file is no link"),
    ],
)
def test_a_link_above_the_path(store, repo, steps):
    leave(repo, *steps)
    track(store, "text", repo.folder, BOARD)
    assert run(store)[0].error is None
    expected = [told(step) for step in steps]
    while expected[0][1] == "absent":
        expected = expected[1:]
    changes = [now for now, last in zip(expected, [None, *expected], strict=False) if now != last]
    assert versions_of(store) == changes


def test_a_link_above_the_folder_of_a_pattern(store, repo):
    leave(repo, "a=module1", "a/b/x.json=1", "-", "a/b=link1", "a=link2")
    track(store, "text", repo.folder, "a/b/*.json", "other/board.json")
    run(store)
    assert versions_of(store) == [
        told("a=module1"),
        ("1", "published"),
        ("", "absent"),
        told("a/b=link1"),
        told("a=link2"),
    ]


def test_a_link_in_place_of_some_of_the_files(store, repo):
    """Each file holds an entry; those behind a link are not absent, and the others count."""
    leave(repo, "a/b/x=1", "a/b/x=1,a/more=link1", "a/b/x=1,a/more=module1", "a/b/x=1,a/more/y=2")
    per_entry(store, "all", repo, "a/b/*", "a/more/*")
    run(store)
    link = f"a/more is a symbolic link ({blob_id(b'link1')[:8]})"
    assert read(store, "all") == [
        [("a/b/x", "1")],
        [("a/b/x", "1"), ("a/more/*", link)],
        [("a/b/x", "1"), ("a/more/*", f"a/more is a submodule ({MODULES[0][:8]})")],
        [("a/b/x", "1"), ("a/more/y", "2")],
    ]


def test_only_a_path_that_is_not_there_is_looked_for_behind_links(store, repo):
    leave(repo, "a/board=1", "a/board=1,a/b=link1", f"a/board=1,{BOARD}=2", "a/b=link2")
    track(store, "text", repo.folder, BOARD, "a/board")
    run(store)
    assert versions_of(store) == [("1", "published"), ("2", "published"), told("a/b=link2")]


STEPS = ("-", f"{BOARD}=1", f"{BOARD}=2", "a=link1", "a=module1", "a=module2", "a/b=link1", "a/b=x")


@pytest.mark.parametrize("seed", range(4))
def test_when_crawls_were_makes_no_difference(tmp_path, repo, seed):
    """A random history crawled now and then, once at the end, and worked out from its steps."""
    luck = random.Random(seed)
    often, once = Store(tmp_path / "often"), Store(tmp_path / "once")
    for store in (often, once):
        track(store, "text", repo.folder, BOARD)
    expected = []
    leave(repo, f"{BOARD}=0")
    steps = [f"{BOARD}=0"]
    for _ in range(8):
        more = luck.choices(STEPS, k=luck.randint(1, 4))
        leave(repo, *more)
        steps += more
        assert run(often)[0].error is None
    for step in steps:
        if not expected or expected[-1] != told(step):
            expected.append(told(step))
    assert run(once)[0].error is None
    assert versions_of(once) == expected
    assert store_rows(often) == store_rows(once)


def store_rows(store):
    return store.versions("text").drop_columns("observed_at").to_pylist()
