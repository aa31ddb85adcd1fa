"""Which stand-in do its tests share?"""

from __future__ import annotations

import pytest
from huggingface_hub import HfApi

from tests.hub.asking import DAY
from tests.hub.server import HubServer


@pytest.fixture
def hub():
    with HubServer() as hub:
        yield hub


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.csv": "a,1\n", "data/Größe 1%.csv": "x\n"}, DAY.format(1), "first")
    repo.commit({"board.csv": "a,2\n"}, DAY.format(2), "second\n\nwhy <b>\n")
    return repo


@pytest.fixture
def api(hub, repo):
    hub.add("spaces/lab/board", repo)
    return HfApi(endpoint=hub.url, token=False)
