from __future__ import annotations

import pytest

from crawler.address import Place, place_of
from crawler.board import BoardError
from tests.histories import History


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hf://spaces/moss/board", Place("hub", "moss/board", "space", name="board"), id="a space"),
        pytest.param("hf://datasets/moss/rows", Place("hub", "moss/rows", "dataset", name="rows"), id="a dataset"),
        pytest.param("hf://moss/fern", Place("hub", "moss/fern", "model", name="fern"), id="a model"),
        pytest.param(
            "hf://datasets/moss/rows/data/a.csv",
            Place("hub", "moss/rows", "dataset", "", "data/a.csv", "rows"),
            id="a file of a dataset",
        ),
        pytest.param(
            "https://huggingface.co/spaces/moss/board",
            Place("hub", "moss/board", "space", name="board"),
            id="the page of a space",
        ),
        pytest.param(
            "https://huggingface.co/datasets/moss/rows/blob/main/data/a%20b.json",
            Place("hub", "moss/rows", "dataset", "main", "data/a b.json", "rows"),
            id="the page of a file on the Hub",
        ),
        pytest.param(
            "https://huggingface.co/moss/fern/resolve/" + "a" * 40 + "/README.md",
            Place("hub", "moss/fern", "model", "", "README.md", "fern"),
            id="a permalink names a commit, not a branch",
        ),
        pytest.param(
            "https://github.com/moss/board/blob/gh-pages/data.csv",
            Place("git", "https://github.com/moss/board", "space", "gh-pages", "data.csv", "board"),
            id="the page of a file on a git host",
        ),
        pytest.param(
            "https://github.com/moss/board/tree/dev",
            Place("git", "https://github.com/moss/board", "space", "dev", name="board"),
            id="the page of a branch",
        ),
        pytest.param(
            "https://git.example.org/a/b/board/-/blob/main/x/y.csv",
            Place("git", "https://git.example.org/a/b/board", "space", "main", "x/y.csv", "board"),
            id="a host with groups",
        ),
        pytest.param(
            "https://raw.githubusercontent.com/moss/board/main/data.csv",
            Place("git", "https://github.com/moss/board", "space", "main", "data.csv", "board"),
            id="a raw file",
        ),
        pytest.param(
            "https://raw.githubusercontent.com/moss/board/refs/heads/main/data.csv",
            Place("git", "https://github.com/moss/board", "space", "main", "data.csv", "board"),
            id="a raw file with a long name of its branch",
        ),
        pytest.param(
            "git@example.org:moss/board.git",
            Place("git", "git@example.org:moss/board.git", name="board"),
            id="over ssh",
        ),
        pytest.param(
            "hf://buckets/moss/rows/data/a.csv",
            Place("hub", "moss/rows", "bucket", "", "data/a.csv", "rows"),
            id="a file of a bucket",
        ),
        pytest.param(
            "https://huggingface.co/buckets/moss/rows/resolve/data/a%20b.csv",
            Place("hub", "moss/rows", "bucket", "", "data/a b.csv", "rows"),
            id="the address of a file of a bucket has no branch",
        ),
        pytest.param(
            "https://huggingface.co/buckets/moss/rows/tree/data",
            Place("hub", "moss/rows", "bucket", name="rows"),
            id="the page of a folder of a bucket",
        ),
        pytest.param(
            "https://example.org/data/Board.JSON?key=abc#top",
            Place("url", "https://example.org/data/Board.JSON?key=abc#top", path="Board.JSON", name="Board"),
            id="a data file of no git host is polled",
        ),
        pytest.param(
            "https://gist.githubusercontent.com/moss/1/raw/2/board.csv",
            Place("url", "https://gist.githubusercontent.com/moss/1/raw/2/board.csv", path="board.csv", name="board"),
            id="a raw gist is polled",
        ),
        pytest.param(
            "https://github.com/moss/board.js",
            Place("git", "https://github.com/moss/board.js", name="board.js"),
            id="a repository of a git host may end like a file",
        ),
        pytest.param(
            "https://example.org/board.git",
            Place("git", "https://example.org/board.git", name="board"),
            id="any address for git",
        ),
    ],
)  # fmt: skip
def test_addresses(text, expected):
    assert place_of(text) == expected


def test_what_is_on_this_machine(tmp_path):
    repo = History(tmp_path / "board.git")
    assert place_of(str(repo.folder)) == Place("git", str(repo.folder), name="board")
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / "data").mkdir()
    (clone / "data" / "a.csv").write_text("a")
    assert place_of(str(clone / "data" / "a.csv")) == Place(
        "git", str(clone), path="data/a.csv", name="clone"
    )
    (tmp_path / "alone.csv").write_text("a")
    with pytest.raises(BoardError, match="stands in no git repository"):
        place_of(str(tmp_path / "alone.csv"))


@pytest.mark.parametrize("text", ["", "no-such-folder", "hf://spaces/moss", "ext::sh -c x", "-u"])
def test_what_is_no_address(text):
    with pytest.raises(BoardError):
        place_of(text)
