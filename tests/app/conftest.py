"""What do the tests of the commands and pages share: a store, a repository, a way to open a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.browsing import ARGUMENTS, Visitor, served
from tests.app.leaderboard_files import BEFORE, TABLE
from tests.app.small_board import VERSIONS, Garden, plant
from tests.histories import History

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKTRAIL_CLAIMS", raising=False)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """A store that no test changes."""
    return plant(tmp_path_factory.mktemp("garden"))


@pytest.fixture
def growing(tmp_path: Path) -> Garden:
    """A store that a test may crawl again; only the first version so far."""
    return plant(tmp_path, VERSIONS[:1])


@pytest.fixture
def repo(tmp_path: Path) -> History:
    repo = History(tmp_path / "garden.git")
    repo.commit({"results.csv": BEFORE, "notes.txt": "x"}, "2026-01-01T00:00:00Z")
    repo.commit({"results.csv": TABLE}, "2026-01-02T00:00:00Z")
    return repo


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Open a page of a store by its address; entry may be a list."""
    from tests.app.pages import opened  # Streamlit is slow to import, and commands need none

    def of_store(store: Path, page: str, **address: str | list[str]) -> AppTest:
        monkeypatch.setenv("RANKTRAIL_STORE", str(store))
        return opened(page, **address)

    return of_store


@pytest.fixture(scope="module")
def site(garden: Garden) -> Path:
    """The store whose dashboard `visit` opens; a module may have its own."""
    return garden.store


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    """Address of a dashboard that shows the site."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    from playwright import sync_api

    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visitor]:
    """Open a page by its address in a fresh browser; at the end nothing may have gone wrong."""
    visitor = Visitor(browser, server)
    yield visitor
    visitor.close()
    assert visitor.trouble == []
