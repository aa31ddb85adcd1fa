from __future__ import annotations

import tomllib

import pytest

from crawler.board import BoardError, is_board_name, line_of, load_board, nearest

GOOD = """\
title = "Text"

[source]
kind = "git"
repo = "https://example.org/board.git"
branch = "gh-pages"
paths = ["data/board (1).json"]
starts = 2026-01-02

[table]
score = "v"
"""


def write(tmp_path, text, name="text"):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    (folder / "board.toml").write_text(text, encoding="utf-8")
    return folder / "board.toml"


def test_a_definition_is_read(tmp_path):
    board = load_board(write(tmp_path, GOOD))
    assert (board.name, board.title, board.reconstruction) == ("text", "Text", "")
    assert board.source.paths == ["data/board (1).json"]
    assert board.rest == {"table": {"score": "v"}}
    assert board.folder == tmp_path / "text"


def test_the_digest_follows_the_content_and_not_its_layout(tmp_path):
    first = load_board(write(tmp_path, GOOD)).digest
    assert load_board(write(tmp_path, "# a comment\n\n" + GOOD)).digest == first
    assert load_board(write(tmp_path, GOOD.replace('"v"', '"w"'))).digest != first


@pytest.mark.parametrize(
    ("before", "after", "line", "found"),
    [
        pytest.param("branch =", "brnach =", 6, "Did you mean branch?", id="a key that is none"),
        pytest.param(
            'kind = "git"', 'kind = "svn"', 4, "'hub', 'git' or 'url'", id="an unknown kind"
        ),
        pytest.param('kind = "git"\n', "", 3, "has no 'kind'", id="a key is missing"),
        pytest.param("[table]", "[tabel]", 10, "Did you mean table", id="a table that is none"),
        pytest.param(
            "[table]",
            "[since]",
            10,
            "since is no list of tables. Write tables [[since]]",
            id="one since",
        ),
        pytest.param('["data/board (1).json"]', "[]", 7, "empty", id="no path"),
        pytest.param('["data/board (1).json"]', '"a"', 7, "valid list", id="a path and no list"),
        pytest.param("data/board (1)", "/etc/x", 7, "not a relative path", id="an absolute path"),
        pytest.param("data/board (1)", "a/../b", 7, "'..'", id="a path that goes up"),
        pytest.param("data/board (1)", "data/b[0-9", 7, "without a ']'", id="half a pattern"),
        pytest.param("data/board (1)", "data**/b", 7, "stands alone", id="** beside letters"),
        pytest.param("data/board (1)", ":(glob)*", 7, "not a relative", id="magic and a pattern"),
        pytest.param("data/board (1)", ":!*", 7, "not a relative", id="all but a pattern"),
        pytest.param("data/board (1)", "../*", 7, "'..'", id="a pattern that goes up"),
        pytest.param("data/board (1)", "a\\\\*", 7, "forward slashes", id="a backslash"),
        pytest.param(
            "starts = 2026", 'newest = "date"\nstarts = 2026', 8, "in the file name", id="newest"
        ),
        pytest.param("data/board (1)", "--output=x", 7, "an option", id="an option as a path"),
        pytest.param("data/board (1)", ":(glob)x", 7, "not a relative", id="pathspec magic"),
        pytest.param("gh-pages", "--upload-pack=x", 6, "an option", id="an option as a branch"),
        pytest.param("gh-pages", "a:refs/b", 6, "not the name of a branch", id="a refspec"),
        pytest.param("gh-pages", "main^{/x}", 6, "not the name of a branch", id="a revision"),
        pytest.param("gh-pages", "a.lock/b", 6, "not the name of a branch", id="a lock"),
        pytest.param("https://example.org/board.git", "-utouch x", 5, "option", id="an option"),
        pytest.param("https://example.org/board.git", "ext::sh -c x", 5, "'ext::'", id="ext::"),
        pytest.param("https://example.org/board.git", "fd::17/x", 5, "'fd::'", id="fd::"),
        pytest.param("https://example.org/board.git", "ext://x", 5, "'ext://'", id="ext://"),
        pytest.param("https", "ftp", 5, "not a transport", id="another transport"),
        pytest.param("//example.org", "//-oProxyCommand=x", 5, "option", id="an option as a host"),
        pytest.param("2026-01-02", '"soon"', 8, "neither a commit", id="no commit and no date"),
        pytest.param('"git"', '"hub"', 5, "OWNER/NAME", id="an address as a Hub repository"),
        pytest.param("[source]", "[source", 3, "not TOML", id="not TOML"),
        pytest.param('title = "Text"', "title = 3", 1, "text in quotes", id="a number as title"),
        pytest.param('title = "Text"', 'name = "other"', 1, "stands in 'text'", id="two names"),
        pytest.param(
            'title = "Text"', 'name = "../x"', 1, "no name of a board", id="a name as path"
        ),
        pytest.param("[table]", "[[table]]", 10, "a table [table]", id="a list for a table"),
        pytest.param("[table]", "[note]", 10, "[[note]]", id="a table for a list"),
    ],
)
def test_a_wrong_definition_is_refused_with_its_line(tmp_path, before, after, line, found):
    place = write(tmp_path, GOOD.replace(before, after, 1))
    with pytest.raises(BoardError) as caught:
        load_board(place)
    assert str(caught.value).startswith(f"{place}:{line}: ")
    assert found in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(None, "no such file", id="missing"),
        pytest.param(b"title = '\xff'", "not UTF-8", id="another encoding"),
        pytest.param(b"title = 'x'", "there is no [source]", id="no source"),
    ],
)
def test_what_is_no_definition_at_all(tmp_path, content, found):
    place = tmp_path / "board.toml"
    if content is not None:
        place.write_bytes(content)
    with pytest.raises(BoardError, match=r".+: .+\. .+") as caught:
        load_board(place)
    assert found in str(caught.value)


@pytest.mark.parametrize(
    ("repo", "address"),
    [
        pytest.param("https://example.org/a.git", "https://example.org/a.git", id="https"),
        pytest.param("git@example.org:a/b.git", "git@example.org:a/b.git", id="short for ssh"),
        pytest.param("../up stream.git", "{tmp}/up stream.git", id="relative to the definition"),
        pytest.param("/srv/a.bundle", "/srv/a.bundle", id="an absolute path"),
    ],
)
def test_where_git_looks(tmp_path, repo, address):
    place = write(tmp_path, GOOD.replace("https://example.org/board.git", repo))
    assert load_board(place).address == address.format(tmp=tmp_path)


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("text-v0.4", True),
        ("a", True),
        ("", False),
        ("..", False),
        ("a/b", False),
        ("a\\b", False),
        ("_sources", False),
        (".git", False),
        ("-x", False),
        ("é", False),
        ("x" * 300, False),
    ],
)
def test_names_of_boards_are_safe_folders(name, good):
    assert is_board_name(name) is good


def test_lines_of_keys():
    text = '[a]\nb = """\nx = 1\n"""\nc.d = 1\n[[l]]\n[l.s]\ne = 1\n["a b"]\nf = 1\n'
    assert tomllib.loads(text)
    keys = [("a", "b"), ("a", "c", "d"), ("l", 0, "s", "e"), ("a b", "f"), ("a", "zz"), ("x",)]
    assert [line_of(text, *key) for key in keys] == [2, 5, 8, 10, 1, None]


def test_nearest():
    assert nearest("Tex", ["vision", "text", "test"]) == ["text", "test"]
    assert nearest("qqq", ["text"]) == []
