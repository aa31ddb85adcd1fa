from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.board import BoardError
from crawler.store import Locked, Store, StoreError, UnknownBoard
from tests.crawler.tracked import run, texts, track


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def test_nothing_is_created_by_looking(store):
    assert (store.names(), store.root.exists()) == ([], False)
    with pytest.raises(UnknownBoard, match="there are no boards"):
        store.find("text")


def test_names_are_folders_with_a_definition(store):
    for name in ("b", "a", "_c", ".d"):
        track(store, name, "https://example.org/x.git")
    (store.root / "empty").mkdir()
    assert store.names() == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("text", "text", id="a name before longer ones"),
        pytest.param("text-h", "text-hard", id="a unique beginning"),
        pytest.param("the vision board", "vision", id="a title in small letters"),
        pytest.param("The V", "vision", id="the beginning of a title"),
    ],
)
def test_a_board_is_found_by_name_or_title(store, text, found):
    for name in ("text", "text-hard", "vision"):
        track(store, name, "https://example.org/x.git")
    place = store.board_file("vision")
    place.write_text('title = "The vision board"\n' + place.read_text())
    assert store.find(text).name == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("t", "it could be text, texture", id="two begin so"),
        pytest.param("tixt", "Did you mean text", id="a typing error"),
        pytest.param("zzz", "Known are text, texture", id="nothing near"),
        pytest.param("", "no such board", id="nothing"),
        pytest.param("../store/text", "no such board", id="a path"),
    ],
)
def test_an_unknown_board_is_named_with_its_neighbours(store, text, said):
    for name in ("text", "texture"):
        track(store, name, "https://example.org/x.git")
    with pytest.raises(UnknownBoard, match=said):
        store.find(text)
    assert issubclass(UnknownBoard, BoardError)


def test_a_broken_definition_does_not_hide_other_boards(store):
    track(store, "good", "https://example.org/x.git")
    track(store, "bad", "https://example.org/x.git")
    store.board_file("bad").write_text("[")
    assert store.find("goo").name == "good"
    with pytest.raises(BoardError, match="not TOML"):
        store.find("bad")


def test_attempts_survive_a_torn_line(store):
    place = store.crawls_file("text")
    store.append_line(place, {"started": "2026-10-01T12:00:00+00:00", "outcome": "ok"})
    with place.open("ab") as file:
        file.write(b'{"started": "2026-10-02T1')
    store.append_line(place, {"started": "2026-10-03T12:00:00+00:00", "outcome": "failed"})
    assert [attempt["outcome"] for attempt in store.attempts("text")] == ["ok", "failed"]
    assert store.confirmed_until("text") == datetime(2026, 10, 1, 12, tzinfo=UTC)
    assert store.confirmed_until("other") is None


def test_a_failed_replacement_leaves_the_old_file(store):
    place = store.root / "file"
    store.replace(place, lambda fresh: fresh.write_text("old") and None)

    def fail(fresh: Path) -> None:
        fresh.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.replace(place, fail)
    assert {path.name: path.read_text() for path in store.root.iterdir()} == {"file": "old"}


def test_what_killed_runs_left_is_removed_under_the_lock(store):
    folder = store.folder("garden")
    names = {  # name -> whether it stays
        ".versions.parquet.a1b2c3d4.new": False,
        "scores.parquet/.part-00000.parquet.a1b2c3d4.new": False,
        ".versions.parquet.e5f6.new": True,  # another run may be writing it
        "versions.parquet": True,
        "mine.new": True,
        ".mine.new": True,
    }
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
        if "e5f6" not in name:
            os.utime(folder / name, (0, 0))
    with store.lock_board("garden"):
        assert {name: (folder / name).exists() for name in names} == names


def test_locks_do_not_wait(store):
    track(store, "text", "https://example.org/x.git")
    again = Store(store.root).lock_board("text")
    with store.lock_board("text"), pytest.raises(Locked, match="another run"), again:
        pass
    with store.lock_board("text"), store.lock_source(store.board("text")):
        pass


def test_one_repository_is_one_source(store, git_repo):
    repo = git_repo()
    track(store, "a", "https://me:secret@example.org/x.git")
    track(store, "b", "https://example.org/x.git", "other.json")
    track(store, "c", "https://example.org/y.git")
    track(store, "d", repo.folder)
    folders = [store.source_folder(store.board(name)) for name in "abcd"]
    assert folders[0] == folders[1]
    assert len(set(folders)) == 3
    assert all(folder.parent == store.root / "_sources" for folder in folders)
    assert "secret" not in str(folders[0])


def test_a_store_can_be_moved_with_its_source(tmp_path, git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    (tmp_path / "here").mkdir()
    repo.folder.rename(tmp_path / "here/up.git")
    store = Store(tmp_path / "here/store")
    track(store, "text", "../../up.git")
    assert run(store)[0].new_versions == 1
    (tmp_path / "here").rename(tmp_path / "there")
    store = Store(tmp_path / "there/store")
    assert (run(store)[0].new_versions, texts(store, "text")) == (0, ["1"])
    assert len(list((store.root / "_sources").iterdir())) == 1


def damage(place: Path, how: str) -> None:
    if how == "cut":
        place.write_bytes(place.read_bytes()[:200])
    elif how == "another format":
        import pyarrow.parquet as pq

        table = pq.read_table(place)
        pq.write_table(table.replace_schema_metadata({"ranktrail.format": "99"}), place)
    elif how == "another table":
        import pyarrow as pa
        import pyarrow.parquet as pq

        marked = pa.table({"x": [1]}).replace_schema_metadata({"ranktrail.format": "1"})
        pq.write_table(marked, place)


@pytest.mark.parametrize(
    ("how", "said"),
    [("cut", "damaged table"), ("another format", "format 99"), ("another table", "other columns")],
)
def test_a_damaged_table_is_one_line(store, git_repo, how, said):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    track(store, "text", repo.folder)
    run(store)
    damage(store.versions_file("text"), how)
    with pytest.raises(StoreError, match=said) as caught:
        store.versions("text")
    assert "\n" not in str(caught.value)
    outcome = run(store)[0]
    assert (outcome.status, said in outcome.error) == ("failed", True)


def test_a_table_of_the_first_format_is_read(store, git_repo):
    """Format 1 had no column `set`; the next crawl goes on from it."""
    import pyarrow.parquet as pq

    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    track(store, "text", repo.folder)
    run(store)
    place, now = store.versions_file("text"), store.versions("text")
    table = pq.read_table(place)
    notes = table.schema.metadata | {b"ranktrail.format": b"1"}
    pq.write_table(table.drop_columns("set").replace_schema_metadata(notes), place)
    assert store.versions("text").equals(now)
    assert store.files("text").to_pylist() == [row | {"set": None} for row in now.to_pylist()]
    repo.commit({"board.json": "2"}, "2026-10-02T12:00:00Z")
    assert run(store)[0].new_versions == 1
    assert texts(store, "text") == ["1", "2"]


def test_lost_bytes_are_one_line_and_come_back_with_a_crawl(store, git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    track(store, "text", repo.folder)
    run(store)
    board = store.board("text")
    with pytest.raises(StoreError, match="the bytes are missing"):
        list(store.blobs(board, ["0" * 40]))
    with pytest.raises(StoreError, match="a tree, not a file"):
        list(store.blobs(board, [repo.git("rev-parse", "HEAD^{tree}")]))
    objects = store.objects(board).folder
    objects.rename(objects.with_name("away"))
    with pytest.raises(StoreError, match="no such folder"):
        texts(store, "text")
    assert (run(store)[0].new_versions, texts(store, "text")) == (0, ["1"])


def test_bytes_come_in_the_order_asked_for(store, git_repo):
    repo = git_repo()
    for number in range(3):
        repo.commit({"board.json": "x" * 100_000 * number}, f"2026-10-0{number + 1}T12:00:00Z")
    track(store, "text", repo.folder)
    run(store)
    ids = store.versions("text")["blob"].to_pylist()
    wanted = [ids[2], ids[0], ids[2], *ids * 200]
    read = store.blobs(store.board("text"), wanted)
    assert [(blob, len(data)) for blob, data in read] == [
        (blob, 100_000 * ids.index(blob)) for blob in wanted
    ]
    capped = store.objects(store.board("text")).read([ids[0], ids[2]], cap=100)
    assert next(capped) == (ids[0], b"")
    with pytest.raises(StoreError, match="200,000 bytes, more than the 100"):
        next(capped)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b'{"started": 5, "outcome": "ok"}', id="a number for a time"),
        pytest.param(b'{"started": "soon", "outcome": "ok"}', id="no time"),
        pytest.param(b'{"started": null, "outcome": "ok"}', id="no start"),
        pytest.param(b'["started"]', id="no object"),
        pytest.param(b"\xff\xfe", id="no text"),
    ],
)
def test_a_damaged_attempt_is_none(store, line):
    file = store.crawls_file("text")
    file.parent.mkdir(parents=True)
    file.write_bytes(b'{"started": "2026-03-01T08:00:00+00:00", "outcome": "ok"}\n' + line + b"\n")
    assert len(store.attempts("text")) == 1
    assert store.confirmed_until("text") == datetime(2026, 3, 1, 8, tzinfo=UTC)


def test_attempts_are_one_json_line_each(store):
    store.append_line(store.verdicts_file("text"), {"text": "é\n1"})
    store.append_line(store.verdicts_file("text"), {"text": "2"})
    lines = store.verdicts_file("text").read_text("utf-8").splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["é\n1", "2"]
