"""Commits lead to where they can be seen, and are text where nobody knows such a page."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from app.views import commits
from crawler.board import Source

COMMIT = "3f9c1ab7" * 5


def board(repo: str):
    return SimpleNamespace(board=SimpleNamespace(source=Source(kind="git", repo=repo, paths=["a"])))


@pytest.mark.parametrize(
    ("repo", "cell", "words"),
    [
        pytest.param(
            "https://github.com/moss/board.git",
            f"https://github.com/moss/board/commit/{COMMIT}",
            f"[`3f9c1ab7`](https://github.com/moss/board/commit/{COMMIT})",
            id="a link",
        ),
        pytest.param("../upstream.git", "3f9c1ab7", "`3f9c1ab7`", id="text"),
    ],
)
def test_a_commit_in_a_table_and_in_words(repo, cell, words):
    assert commits.cells(board(repo), [COMMIT, None, pd.NA]) == [cell, None, None]
    assert commits.linked(board(repo), COMMIT) == words


def test_a_file_is_escaped_and_no_sign_of_it_ends_the_link():
    shown = commits.linked(board("https://github.com/moss/board.git"), COMMIT, "a (1)/b*.csv")
    page = f"https://github.com/moss/board/blob/{COMMIT}/a%20%281%29/b%2A.csv"
    assert shown == rf"[a \(1\)\/b\*\.csv]({page})"
