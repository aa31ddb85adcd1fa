from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.address import Place
from crawler.board import BoardError
from crawler.look import look
from crawler.source import CrawlError
from crawler.store import Store
from crawler.work import Work
from tests.histories import History


def test_files_with_their_changes_and_earlier_names(tmp_path):
    repo = History(tmp_path / "upstream.git")
    repo.commit({"old.csv": "a", "other.csv": "x"}, "2026-01-01T00:00:00Z")
    repo.commit({"old.csv": "b"}, "2026-01-02T00:00:00Z")
    repo.commit({"old.csv": None, "data/new.csv": "b"}, "2026-01-03T00:00:00Z")
    repo.commit({"data/new.csv": "c"}, "2026-01-04T00:00:00Z")
    seen = look(Store(tmp_path / "store"), Place("git", str(repo.folder), name="board"), Work())
    found = {
        file.path: (file.size, file.changed_at, file.moved_from, list(seen.read(file.blobs)))
        for file in seen.files
    }
    assert seen.commit == repo.tip
    assert found == {
        "data/new.csv": (
            1,
            datetime(2026, 1, 4, tzinfo=UTC),
            ("old.csv",),
            [b"c", b"b", b"b", b"a"],
        ),
        "other.csv": (1, datetime(2026, 1, 1, tzinfo=UTC), (), [b"x"]),
    }


def test_a_copy_is_no_move(tmp_path):
    repo = History(tmp_path / "upstream.git")
    repo.commit({"a.csv": "a"}, "2026-01-01T00:00:00Z")
    repo.commit({"b.csv": "a"}, "2026-01-02T00:00:00Z")
    seen = look(Store(tmp_path / "store"), Place("git", str(repo.folder), name="board"), Work())
    assert [(file.path, file.moved_from) for file in seen.files] == [("a.csv", ()), ("b.csv", ())]


def test_an_address_that_git_must_not_see(tmp_path):
    with pytest.raises(BoardError, match="not a transport"):
        look(Store(tmp_path), Place("git", "ext::sh -c touch% x", name="x"), Work())


def test_what_cannot_be_fetched_was_not_written(tmp_path):
    (tmp_path / "x.bundle").write_text("no bundle")
    with pytest.raises(CrawlError) as error:
        look(Store(tmp_path / "s"), Place("git", str(tmp_path / "x.bundle"), name="x"), Work())
    assert error.value.found.endswith("; nothing was written")
    assert "rawl again" not in error.value.fix
