"""Files of Git LFS in repositories on this machine."""

from __future__ import annotations

import subprocess

import pytest

from crawler.git.local_lfs import finder, local_lfs
from crawler.source import CrawlError, Pointer

DIGEST = "ab12" + "0" * 60


def git(*arguments: object) -> None:
    words = [str(one) for one in arguments]
    person = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *person, *words], check=True, capture_output=True)


def keep(folder):
    """Put a file into the store of Git LFS in a folder of git."""
    place = folder / "lfs/objects/ab/12" / DIGEST
    place.parent.mkdir(parents=True)
    place.write_bytes(b"content")
    return place


@pytest.fixture
def work_tree(tmp_path):
    git("init", "--quiet", tmp_path / "tree")
    git("-C", tmp_path / "tree", "commit", "--quiet", "--allow-empty", "-m", "m")
    return tmp_path / "tree"


def test_where_it_is_found(tmp_path, work_tree):
    git("init", "--quiet", "--bare", tmp_path / "bare.git")
    git("-C", work_tree, "worktree", "add", "--quiet", tmp_path / "linked")
    in_bare, in_tree = keep(tmp_path / "bare.git"), keep(work_tree / ".git")
    assert local_lfs(str(tmp_path / "bare.git"), DIGEST) == in_bare
    assert local_lfs((tmp_path / "bare.git").as_uri(), DIGEST) == in_bare
    assert local_lfs(str(work_tree), DIGEST) == in_tree
    assert local_lfs(str(work_tree / ".git"), DIGEST) == in_tree
    linked = local_lfs(str(tmp_path / "linked"), DIGEST)
    assert linked is not None and linked.samefile(in_tree)


@pytest.mark.parametrize(
    "link", ["lfs", "lfs/objects", "lfs/objects/ab/12", f"lfs/objects/ab/12/{DIGEST}"]
)
def test_a_link_is_not_followed(work_tree, link):
    keep(work_tree / ".git")
    place = work_tree / ".git" / link
    place.rename(work_tree / "elsewhere")
    place.symlink_to(work_tree / "elsewhere")
    assert local_lfs(str(work_tree), DIGEST) is None


@pytest.mark.parametrize(
    "digest", ["ab" * 31, "../" + "a" * 61, "AB" * 32, "ab/" + "0" * 61, "ab" * 32 + "\n", ""]
)
def test_what_is_no_digest_is_no_file(work_tree, digest):
    keep(work_tree / ".git")
    assert local_lfs(str(work_tree), digest) is None


def test_where_there_is_none(tmp_path, work_tree):
    keep(tmp_path)  # a folder that is no repository
    (tmp_path / "a.bundle").write_bytes(b"")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange/.git").write_bytes(b"gitdir: \0\xff")
    places = (tmp_path, tmp_path / "a.bundle", tmp_path / "strange", tmp_path / "none", work_tree)
    assert [local_lfs(str(place), DIGEST) for place in places] == [None] * 5
    assert [finder(str(place)) for place in places] == [None] * 5


def test_its_content(work_tree):
    place = keep(work_tree / ".git")
    find = finder(str(work_tree))
    assert find is not None
    assert find("c1", "board.csv", Pointer(DIGEST, 7)) == b"content"
    with pytest.raises(CrawlError, match="has not fetched the content"):
        find("c1", "board.csv", Pointer("cd" * 32, 7))
    with open(place, "wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(CrawlError, match="more than the 67,108,864 bytes"):
        find("c1", "board.csv", Pointer(DIGEST, 7))
