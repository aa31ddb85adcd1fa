"""Crawl and derive, watch the boards, rebuild and verify, without the command line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app import jobs
from app.verify import verify
from crawler.board import BoardError
from crawler.chain.chain import blob_id
from crawler.store import Store
from crawler.work import Work
from tests.app.small_board import DEFINITION, VERSIONS, board_json, define, digest, plant


def test_a_board_is_derived_while_it_is_crawled(tmp_path):
    garden = plant(tmp_path, crawl=False)
    store, told = Store(garden.store), []
    (outcome,) = jobs.crawl(store, work=Work(told.append))
    assert (outcome.status, outcome.versions, outcome.unreadable) == ("ok", 4, 1)
    assert store.readings_file("garden").exists()
    assert any("garden" in line for line in told)


def test_a_board_named_twice_is_crawled_once(tmp_path):
    garden = plant(tmp_path, crawl=False)
    outcomes = list(jobs.crawl(Store(garden.store), ["garden", "The garden"]))
    assert [outcome.board for outcome in outcomes] == ["garden"]


def test_two_boards_of_one_repository(tmp_path):
    garden = plant(tmp_path)
    define(garden.store, "shade", DEFINITION.replace('"garden"', '"shade"').replace('"s"', '"pub"'))
    outcomes = list(jobs.crawl(Store(garden.store)))
    assert [(o.board, o.status, o.new_versions) for o in outcomes] == [
        ("garden", "ok", 0),
        ("shade", "ok", 4),
    ]
    assert len(list(garden.store.glob("_sources/*/objects.git"))) == 1


def test_a_wrong_definition_does_not_keep_the_others_from_being_saved(tmp_path):
    garden = plant(tmp_path, crawl=False)
    define(garden.store, "wrong", "name = 1")
    outcomes = list(jobs.crawl(Store(garden.store)))
    assert [(o.board, o.status) for o in outcomes] == [("wrong", "failed"), ("garden", "ok")]
    with pytest.raises(BoardError):
        list(jobs.crawl(Store(garden.store), ["wrong"]))


def test_a_status_tells_what_is_broken_and_shows_the_rest(tmp_path):
    garden = plant(tmp_path, VERSIONS[:3])
    define(garden.store, "wrong", "name = 1")
    found = {one["board"]: one for one in jobs.statuses(Store(garden.store), timedelta(days=1))}
    assert (found["garden"]["leader"], found["garden"]["error"]) == ([], None)  # it is unreadable
    assert (found["wrong"]["stale"], found["wrong"]["last_success"]) == (True, None)
    assert "board.toml" in found["wrong"]["error"]


def test_shared_first_place_has_several_leaders(tmp_path):
    rows = [("b", "B", 2.5, 1.0, 1.0), ("a", "A", 2.5, 1.0, 1.0)]
    garden = plant(tmp_path, [("2026-03-01T08:00:00Z", board_json("1", *rows))])
    assert jobs.statuses(Store(garden.store))[0]["leader"] == ["a", "b"]


def test_rebuild_gives_the_same_files(tmp_path):
    garden = plant(tmp_path)
    store = Store(garden.store)
    before = digest(garden.store)
    store.readings_file("garden").unlink()
    assert jobs.rebuild(store) == [{"board": "garden", "versions": 4, "unreadable": 1}]
    assert digest(garden.store) == before


def test_verify_of_a_store_that_grew_step_by_step(tmp_path):
    garden = plant(tmp_path, VERSIONS[:2])
    for at, content in VERSIONS[2:]:
        garden.upstream.commit({"board.json": content}, at)
        list(jobs.crawl(Store(garden.store)))
    (checked,) = verify(Store(garden.store))
    assert (checked.versions, checked.blobs, checked.damage) == (4, 4, [])


def test_verify_sees_bytes_that_are_not_those_of_the_commit(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    garden = plant(tmp_path)
    store = Store(garden.store)
    versions = pq.read_table(store.versions_file("garden"))
    blobs = versions["blob"].to_pylist()
    swapped = pa.array([blobs[1], blobs[0], *blobs[2:]], pa.string())
    place = versions.schema.get_field_index("blob")
    store.write_table(store.versions_file("garden"), versions.set_column(place, "blob", swapped))
    (checked,) = verify(store)
    for commit, saved, has in zip(garden.commits, [blobs[1], blobs[0]], blobs, strict=False):
        said = f"{commit}:board.json is saved as {saved}, the commit has {has}. Run `ranktrail"
        assert any(said in damage for damage in checked.damage), checked.damage


def test_verify_of_a_board_that_was_never_crawled(tmp_path):
    garden = plant(tmp_path, crawl=False)
    (checked,) = verify(Store(garden.store))
    assert (checked.versions, checked.damage) == (0, [])


def test_blob_ids_are_those_of_git(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    expected = garden.upstream.git("rev-parse", "main:board.json")
    assert blob_id(VERSIONS[0][1].encode()) == expected


def test_tables_of_another_definition_are_stale_and_no_damage(tmp_path):
    garden = plant(tmp_path)
    define(
        garden.store, "garden", DEFINITION.replace('direction = "higher"', 'direction = "lower"')
    )
    (checked,) = verify(Store(garden.store))
    assert (checked.stale, checked.damage) == (True, [])


def test_a_first_crawl_that_was_cut_short_has_no_leader_yet(tmp_path):
    garden = plant(tmp_path)
    store = Store(garden.store)
    store.crawls_file("garden").unlink()
    (status,) = jobs.statuses(store)
    assert (status["versions"], status["leader"], status["error"]) == (4, [], None)
