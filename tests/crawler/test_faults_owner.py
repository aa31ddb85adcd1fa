"""A repository that belongs to somebody else: git's own words and the path reach the user."""

from __future__ import annotations

import os
import shutil

import pytest

from crawler.store import Store
from tests.crawler.tracked import run, texts, track


@pytest.fixture
def as_another_user(tmp_path, monkeypatch):
    """From the call on, every git believes that the repositories it meets are of another user."""

    def change():
        folder = tmp_path / "git-of-another"
        folder.mkdir()
        (folder / "git").write_text(
            f"#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '{shutil.which('git')}' \"$@\"\n"
        )
        (folder / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return change


def test_a_repository_of_another_user(tmp_path, git_repo, as_another_user):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    store = Store(tmp_path / "store")
    track(store, "text", repo.folder)
    assert run(store)[0].status == "ok"
    good = store.confirmed_until("text")
    repo.commit({"board.json": "2"}, "2026-10-02T12:00:00Z")
    as_another_user()
    outcome = run(store)[0]
    assert (outcome.status, outcome.versions) == ("failed", 1)
    assert "it belongs to another user (detected dubious ownership" in outcome.error
    assert str(repo.folder) in outcome.error
    assert (store.confirmed_until("text"), texts(store, "text")) == (good, ["1"])
