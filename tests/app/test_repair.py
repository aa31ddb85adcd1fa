"""What does `verify` say of a damaged store, and what does `crawl --repair` make of it?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crawler.objects import Objects
from crawler.store import Store
from tests.app.small_board import run
from tests.four_sources import BOARDS, Upstream
from tests.hub.server import HubServer

SAME = ["version", "commit", "committed_at", "path", "blob", "size", "state", "vanished", "pointer"]
SOURCES = ("api", "git", "large")  # one board of each source that can be asked again for all it had
Damage = Callable[[Store], None]


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> Iterator[tuple[Path, Upstream]]:
    """Two stores: `plain`, and `rewritten`, of which parts have vanished upstream."""
    folder = tmp_path_factory.mktemp("places")
    with HubServer() as hub, pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_ENDPOINT", hub.url)
        upstream = Upstream(folder, hub, rows=4)
        upstream.define(folder / "plain")
        upstream.define(folder / "rewritten")
        upstream.grow()
        crawl(folder / "plain")
        crawl(folder / "rewritten")
        pack(folder / "rewritten")
        upstream.grow(rewritten=True)
        crawl(folder / "rewritten")
        shutil.rmtree(folder / "plain")
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


OF_BYTES = [
    pytest.param(in_packs(".pack", flipped), "pack", id="a flipped bit in a pack"),
    pytest.param(in_packs(".pack", half), "pack", id="half a pack"),
    pytest.param(in_packs(".pack", None), "objects.git", id="a deleted pack"),
    pytest.param(in_packs(".idx", flipped), "pack", id="a flipped bit in an index"),
    pytest.param(in_packs(".idx", None), "objects.git", id="a deleted index"),
    pytest.param(in_loose(flipped), "objects.git", id="flipped bits in loose files"),
    pytest.param(in_loose(lambda _: b""), "objects.git", id="empty loose files"),
    pytest.param(in_loose(None), "objects.git", id="deleted loose files"),
    pytest.param(lose_repositories, "objects.git", id="deleted repositories"),
]
OF_REFERENCES = [
    pytest.param(lose_references("refs/seen"), "refs/seen", id="deleted names of tips"),
    pytest.param(lose_references("refs/chain"), "refs/chain/poll/tip", id="deleted chains"),
    pytest.param(lose_references("refs"), "no reference leads to", id="all references deleted"),
    pytest.param(empty_references, "refs/", id="empty references"),
    pytest.param(lose_settings, "objects.git", id="no settings"),
]
OF_TABLES = [
    pytest.param(in_tables("_sources/*/commits.parquet", half), "commits", id="half a line"),
    pytest.param(in_tables("_sources/*/commits.parquet", None), "commits", id="a deleted line"),
    pytest.param(exchanged("_sources/*/commits.parquet"), "commits", id="the line of another"),
    pytest.param(in_tables("*/versions.parquet", half), "versions", id="half of the versions"),
    pytest.param(in_tables("*/versions.parquet", None), "versions", id="deleted versions"),
    pytest.param(in_tables("*/versions.parquet", lambda _: b"PK"), "versions", id="no table"),
]
OF_DERIVED = [
    pytest.param(in_tables("*/readings.parquet", half), "readings", id="half of the readings"),
    pytest.param(in_tables("*/readings.parquet", None), "readings", id="deleted readings"),
    pytest.param(in_tables("*/scores.parquet/*", half), "scores", id="half of the scores"),
    pytest.param(in_tables("*/scores.parquet/*", None), "scores", id="deleted scores"),
    pytest.param(exchanged("*/scores.parquet/*"), "scores", id="scores of another board"),
]


@pytest.mark.parametrize(("damage", "word"), [*OF_BYTES, *OF_TABLES, *OF_DERIVED, *OF_REFERENCES])
def test_it_is_named_and_mended(plain, damage, word):
    before, contents = told(plain), all_bytes(plain)
    damage(plain)
    said = verify(plain)
    assert word in said and ("crawl --repair" in said or "rebuild" in said), said
    crawl(plain.root, "--repair")
    assert verify(plain) == ""
    assert told(plain) == before
    assert all_bytes(plain) == contents


@pytest.mark.parametrize(("damage", "word"), [*OF_TABLES, *OF_REFERENCES])
def test_what_vanished_upstream_is_still_there(rewritten, damage, word):
    before, contents = told(rewritten), all_bytes(rewritten)
    line = rewritten.commits(rewritten.board("git")).to_pylist()
    damage(rewritten)
    assert word in verify(rewritten)
    crawl(rewritten.root, "--repair")
    assert verify(rewritten) == ""
    assert told(rewritten) == before
    assert all_bytes(rewritten) == contents
    assert rewritten.commits(rewritten.board("git")).to_pylist() == line

