"""What does `verify` say of a damaged store, and what does `crawl --repair` make of it?"""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from crawler.objects import Objects
from crawler.store import Store
from crawler.tables import files_schema
from tests.app.small_board import run
from tests.four_sources import BOARDS, Upstream
from tests.hub.faults import refuse
from tests.hub.server import HubServer

SAME = ["version", "commit", "committed_at", "path", "blob", "size", "state", "vanished", "pointer"]
SOURCES = ("api", "git", "large")  # one board of each source that can be asked again for all it had
Damage = Callable[[Store], None]


class OneSecond(datetime):
    """A clock by which every look falls into one second, so that seconds tell no order."""

    begun = datetime.now(UTC).replace(microsecond=0)
    looks = itertools.count()

    @classmethod
    def now(cls, tz=None) -> datetime:
        return cls.begun + timedelta(microseconds=1 + next(cls.looks))


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> Iterator[tuple[Path, Upstream]]:
    """Two stores: `plain`, and `rewritten`, of which parts have vanished upstream."""
    folder = tmp_path_factory.mktemp("places")
    with HubServer() as hub, pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_ENDPOINT", hub.url)
        upstream = Upstream(folder, hub, rows=4)
        environment.setattr("crawler.crawl.datetime", OneSecond)
        upstream.define(folder / "rewritten")
        upstream.grow()
        crawl(folder / "rewritten")
        pack(folder / "rewritten")
        upstream.grow(rewritten=True)
        crawl(folder / "rewritten")
        upstream.define(folder / "plain")
        crawl(folder / "plain")
        for store in (folder / "plain", folder / "rewritten"):
            pack(store)
        upstream.grow(1)
        crawl(folder / "plain")
        crawl(folder / "rewritten")
        yield folder, upstream


@pytest.fixture
def plain(places, tmp_path) -> Store:
    shutil.copytree(places[0] / "plain", tmp_path / "store")
    return Store(tmp_path / "store")


@pytest.fixture
def rewritten(places, tmp_path) -> Store:
    shutil.copytree(places[0] / "rewritten", tmp_path / "store")
    return Store(tmp_path / "store")


def crawl(store: Path, *arguments: str, code: int = 0) -> str:
    result = run(store, "crawl", "--via", "api", *arguments)
    assert result.exit_code == code, result.stderr
    return result.stderr


def verify(store: Store) -> str:
    """What it says of damage; empty if there is none."""
    result = run(store.root, "verify")
    assert (result.exit_code == 1) == result.stderr.startswith(tuple("123456789")), result.stderr
    return result.stderr


def objects_of(store: Store) -> list[Objects]:
    folders = (store.root / "_sources").glob("*/objects.git")
    return [Objects(folder) for folder in sorted(folders)]


def pack(store: Path) -> None:
    for objects in objects_of(Store(store)):
        objects.run("repack", "-a", "-d", "-k", "-q")


def told(store: Store) -> dict[str, list[dict[str, object]]]:
    """All versions of all boards."""
    return {name: store.files(name).select(SAME).to_pylist() for name in BOARDS}


def line_of(store: Store) -> list[dict[str, object]]:
    """The published line of one board, with the time of every look."""
    return store.commits(store.board("git")).to_pylist()


def all_bytes(store: Store) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name in BOARDS:
        rows = store.files(name).to_pylist()
        found |= store.blobs(store.board(name), {row["blob"] for row in rows if row["blob"]})
    return found


def sources(store: Store) -> list[Path]:
    """Folders of the sources that have all that is here."""
    return [store.source_folder(store.board(name)) for name in SOURCES]


def change(file: Path, write: Callable[[bytes], bytes]) -> None:
    data = file.read_bytes()
    os.chmod(file, 0o644)
    file.write_bytes(write(data))


def flipped(data: bytes) -> bytes:
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def in_packs(suffix: str, write: Callable[[bytes], bytes] | None) -> Damage:
    def damage(store: Store) -> None:
        for source in sources(store):
            files = list(source.glob(f"objects.git/objects/pack/*{suffix}"))
            assert files
            for file in files:
                change(file, write) if write else file.unlink()

    return damage


def in_loose(write: Callable[[bytes], bytes] | None) -> Damage:
    def damage(store: Store) -> None:
        loose = (source.glob("objects.git/objects/??/*") for source in sources(store))
        files = [file for one in loose for file in sorted(one)]
        assert files
        for file in files[::2]:
            change(file, write) if write else file.unlink()

    return damage


def in_tables(name: str, write: Callable[[bytes], bytes] | None) -> Damage:
    def damage(store: Store) -> None:
        files = list(store.root.glob(name))
        assert len(files) >= 4
        for file in files:
            change(file, write) if write else file.unlink()

    return damage


def exchanged(name: str) -> Damage:
    """Give every table the place of another one."""

    def damage(store: Store) -> None:
        files = sorted(store.root.glob(name))
        contents = [file.read_bytes() for file in files]
        for file, content in zip(files, [*contents[1:], contents[0]], strict=True):
            file.write_bytes(content)

    return damage


def lose_references(pattern: str) -> Damage:
    def damage(store: Store) -> None:
        for objects in objects_of(store):
            listed = objects.run("for-each-ref", "--format=%(refname)", pattern).decode().split()
            for name in listed:
                objects.run("update-ref", "-d", name)

    return damage


def empty_references(store: Store) -> None:
    for file in (store.root / "_sources").glob("*/objects.git/refs/**/*"):
        if file.is_file():
            file.write_bytes(b"")


def lose_repositories(store: Store) -> None:
    for source in sources(store):
        shutil.rmtree(source / "objects.git")


def lose_settings(store: Store) -> None:
    for objects in objects_of(store):
        (objects.folder / "HEAD").unlink()
        (objects.folder / "config").write_bytes(b"[core\n")


def of(damage: Damage, word: str, name: str, *, long: bool = True) -> object:
    """A case; `word` stands in what verify says."""
    return pytest.param(damage, word, id=name, marks=pytest.mark.long if long else ())


def lose_tables(store: Store) -> None:
    """The line, the versions and what is derived, all at once."""
    for name, write in ((LINE, None), (VERSIONS, None), ("*/readings.parquet", half)):
        in_tables(name, write)(store)


LINE, VERSIONS = "_sources/*/commits.parquet", "*/versions.parquet"
OF_BYTES = [
    of(in_packs(".pack", flipped), "pack", "a flipped bit in a pack", long=False),
    of(in_packs(".pack", half), "pack", "half a pack"),
    of(in_packs(".pack", None), "objects.git", "a deleted pack"),
    of(in_packs(".idx", flipped), "pack", "a flipped bit in an index"),
    of(in_packs(".idx", None), "objects.git", "a deleted index"),
    of(in_loose(flipped), "objects.git", "flipped bits in loose files"),
    of(in_loose(lambda _: b""), "objects.git", "empty loose files"),
    of(in_loose(None), "objects.git", "deleted loose files"),
    of(lose_repositories, "objects.git", "deleted repositories"),
]
OF_REFERENCES = [
    of(lose_references("refs/seen"), "refs/seen", "deleted names of tips"),
    of(lose_references("refs/chain"), "refs/chain/poll/tip", "deleted chains"),
    of(lose_references("refs"), "no reference leads to", "all references deleted", long=False),
    of(empty_references, "refs/", "empty references"),
    of(lose_settings, "objects.git", "no settings"),
]
OF_TABLES = [
    of(in_tables(LINE, half), "commits", "half a line"),
    of(in_tables(LINE, None), "commits", "a deleted line"),
    of(exchanged(LINE), "commits", "the line of another"),
    of(in_tables(VERSIONS, half), "versions", "half of the versions"),
    of(in_tables(VERSIONS, None), "versions", "deleted versions"),
    of(lose_tables, "versions", "all tables", long=False),
    of(in_tables(VERSIONS, lambda _: b"PK"), "versions", "no table"),
]
OF_DERIVED = [
    of(in_tables("*/readings.parquet", half), "readings", "half of the readings"),
    of(in_tables("*/readings.parquet", None), "readings", "deleted readings"),
    of(in_tables("*/scores.parquet/*", half), "scores", "half of the scores"),
    of(in_tables("*/scores.parquet/*", None), "scores", "deleted scores"),
    of(exchanged("*/scores.parquet/*"), "scores", "scores of another board"),
]


@pytest.mark.parametrize(("damage", "word"), [*OF_BYTES, *OF_TABLES, *OF_DERIVED, *OF_REFERENCES])
def test_it_is_named_and_mended(plain, damage, word):
    before, contents = told(plain), all_bytes(plain)
    damage(plain)
    said = verify(plain)
    assert word in said and ("crawl --repair" in said or "rebuild" in said), said
    crawl(plain.root, "--repair")
    assert verify(plain) == ""
    pack(plain.root)
    assert told(plain) == before
    assert all_bytes(plain) == contents


@pytest.mark.parametrize(("damage", "word"), [*OF_TABLES, *OF_REFERENCES])
def test_what_vanished_upstream_is_still_there(rewritten, damage, word):
    before, contents = told(rewritten), all_bytes(rewritten)
    line = line_of(rewritten)
    damage(rewritten)
    assert word in verify(rewritten)
    crawl(rewritten.root, "--repair")
    assert verify(rewritten) == ""
    assert told(rewritten) == before
    assert all_bytes(rewritten) == contents
    assert line_of(rewritten) == line


def test_without_repair_a_damage_is_one_line_and_nothing_changes(plain):
    in_tables(LINE, half)(plain)
    tables = [plain.versions_file(name) for name in BOARDS]
    before = [file.read_bytes() for file in tables]
    said = crawl(plain.root, code=1)
    assert "commits.parquet: damaged table" in said and "crawl --repair" in said
    assert [file.read_bytes() for file in tables] == before


def test_what_nobody_has_any_more_is_told_and_kept(rewritten):
    """A content that only a squashed branch had is damaged here: the rest of its pack is not."""
    before, contents = told(rewritten), all_bytes(rewritten)
    gone = [row for row in before["git"] if row["vanished"]][1]
    source = rewritten.source_folder(rewritten.board("git"))
    spoil(Objects(source / "objects.git"), str(gone["blob"]))
    assert "objects.git" in verify(rewritten)
    said = crawl(rewritten.root, "--repair", "git", code=1)
    assert (
        f"the bytes of 1 files are lost, and nobody has them any more: {str(gone['commit'])[:8]} board.json"
        in said
    )
    assert told(rewritten) == before
    board = rewritten.board("git")
    wanted = {str(row["blob"]) for row in before["git"]} - {str(gone["blob"])}
    assert dict(rewritten.blobs(board, wanted)) == {blob: contents[blob] for blob in wanted}
    assert list(source.glob("damaged-*/objects/pack/*.pack"))
    crawl(rewritten.root)  # the others, and what is new, are not kept from being crawled
    result = run(rewritten.root, "standings", "git", "--json")
    assert result.exit_code == 0
    assert str(gone["blob"]) in verify(rewritten)


def spoil(objects: Objects, blob: str) -> None:
    """Damage one object of a pack."""
    for index in objects.folder.glob("objects/pack/*.idx"):
        listed = objects.run("verify-pack", "-v", str(index)).decode().splitlines()
        for line in listed:
            if line.startswith(blob):
                start, size = int(line.split()[4]), int(line.split()[3])
                place = start + size - 6  # the end of it: its check sum
                file = index.with_suffix(".pack")
                data = bytearray(file.read_bytes())
                data[place] ^= 1
                change(file, lambda _, data=data: bytes(data))
                return
    raise AssertionError(f"{blob} is in no pack")


def test_a_torn_line_of_attempts_is_named(plain):
    with plain.crawls_file("git").open("a") as file:
        file.write('{"started": "2026-')
    result = run(plain.root, "verify")
    assert result.exit_code == 0
    assert "crawls.jsonl: 1 line is torn" in result.stderr


def test_a_content_of_another_pointer_is_no_good(plain):
    """Bytes that are whole by their git id, but not those that the pointer means."""
    place = plain.versions_file("large")
    rows = plain.read_table(place, files_schema())
    blobs = rows["blob"].to_pylist()
    swapped = pa.array([blobs[1], blobs[0], *blobs[2:]], pa.string())
    notes = {k.decode(): v.decode() for k, v in rows.schema.metadata.items()}
    column = rows.schema.get_field_index("blob")
    plain.write_table(place, rows.set_column(column, "blob", swapped), notes)
    assert "not the content that the pointer" in verify(plain)
    crawl(plain.root, "--repair", "large")
    assert verify(plain) == ""
    assert plain.files("large")["blob"].to_pylist() == blobs


def test_what_the_api_could_not_give_is_asked_for_again(tmp_path, monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        upstream, store = Upstream(tmp_path, hub, rows=4), Store(tmp_path / "store")
        upstream.define(store.root)
        for name in set(BOARDS) - {"api"}:
            shutil.rmtree(store.folder(name))
        upstream.grow(6)
        hub.faults.append(refuse(404, "EntryNotFound", on="resolve", after=1))
        hub.faults.append(refuse(404, "RevisionNotFound", on="POST */paths-info/*", after=3))
        crawl(store.root)
        states = store.files("api")["state"].to_pylist()
        assert states.count("unavailable") == 2
        assert verify(store) == ""
        hub.requests.clear()
        crawl(store.root)
        assert hub.tally() == {"api": 1}
        crawl(store.root, "--repair")
        assert store.files("api")["state"].to_pylist() == ["published"] * 6
        contents = [request for request in hub.log("resolve") if "/resolve/" in request.path]
        assert len(contents) == 2  # the one that was refused, and that of the commit that was
        assert verify(store) == ""
        upstream.grow(1)
        crawl(store.root)
        assert verify(store) == ""
        upstream.grow(1, rewritten=True)
        crawl(store.root)
        assert verify(store) == ""
        assert store.files("api")["state"].to_pylist() == ["published"] * 8


def test_what_an_address_still_has_is_taken_again(plain):
    """Its older contents cannot be asked for; the newest can."""
    before = told(plain)
    source = plain.source_folder(plain.board("poll"))
    blob = str(before["poll"][-1]["blob"])
    (source / "objects.git/objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)
    assert blob in verify(plain)
    crawl(plain.root, "--repair", "poll")
    assert verify(plain) == ""
    assert told(plain) == before


def test_all_large_files_that_were_refused_are_asked_for_again(tmp_path, monkeypatch):
    """A plain crawl asks for the newest of them only: most will never be there."""
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        upstream, store = Upstream(tmp_path, hub, rows=4), Store(tmp_path / "store")
        upstream.define(store.root)
        for name in set(BOARDS) - {"large"}:
            shutil.rmtree(store.folder(name))
        upstream.grow(12)
        kept = upstream.large.folder / "lfs"
        kept.rename(tmp_path / "elsewhere")
        kept.mkdir()
        crawl(store.root)
        assert store.files("large")["state"].to_pylist() == ["pointer"] * 12
        assert verify(store) == ""
        kept.rmdir()
        (tmp_path / "elsewhere").rename(kept)
        crawl(store.root)
        assert store.files("large")["state"].to_pylist() == ["pointer"] * 2 + ["published"] * 10
        crawl(store.root, "--repair")
        assert store.files("large")["state"].to_pylist() == ["published"] * 12
        assert verify(store) == ""


def some_lost(store: Path, chance: random.Random, size: int | None) -> None:
    """Delete some loose files of the repository with large contents; None: about half of them."""
    source = Store(store).source_folder(Store(store).board("large"))
    loose = sorted(source.glob("objects.git/objects/??/*"))
    assert len(loose) >= 4
    for file in chance.sample(loose, len(loose) // 2 if size is None else size):
        file.unlink()


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3))])
def test_large_contents_come_again_whatever_of_their_chain_is_lost(places, tmp_path, seed):
    """Which files a damage meets hangs on object ids, and these on the time: so all are tried."""
    chance = random.Random(seed)
    for number, size in enumerate((1, 1, 2, 3, 4, None, None, None)):
        store = tmp_path / f"{number}"
        shutil.copytree(places[0] / "plain", store)
        some_lost(store, chance, size)
        crawl(store, "--repair", "large")
        assert run(store, "verify", "large").exit_code == 0
