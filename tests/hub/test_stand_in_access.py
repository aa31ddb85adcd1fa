"""Whom does the stand-in Hub let see what?"""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from huggingface_hub import HfApi, errors, hf_hub_download

from tests.hub.asking import get, git
from tests.hub.server import STRANGER, TOKEN

# --- who may see what ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guards", "token", "info", "files"),
    [
        pytest.param({}, False, None, None, id="public"),
        pytest.param({}, STRANGER, None, None, id="public to anyone with a token"),
        pytest.param({}, "hf_stale", "401", "401", id="public and a stale token"),
        pytest.param({"private": True}, TOKEN, None, None, id="private to its owner"),
        pytest.param({"private": True}, False, "Repository", "Repository", id="private"),
        pytest.param({"private": True}, STRANGER, "Repository", "Repository", id="not yours"),
        pytest.param({"gated": "files"}, False, None, "Gated", id="gated files"),
        pytest.param({"gated": "files"}, STRANGER, None, "Gated", id="gated files, not let in"),
        pytest.param({"gated": "files"}, TOKEN, None, None, id="gated files, let in"),
        pytest.param({"gated": "all"}, False, "Gated", "Gated", id="gated"),
        pytest.param({"disabled": True}, TOKEN, "Disabled", "Disabled", id="disabled"),
    ],
)
def test_guards(hub, repo, guards, token, info, files):
    hub.add("spaces/lab/board", repo, **guards)
    api = HfApi(endpoint=hub.url, token=token)

    def told(call):
        try:
            call()
        except errors.HfHubHTTPError as error:
            known = {
                errors.GatedRepoError: "Gated",
                errors.DisabledRepoError: "Disabled",
                errors.RepositoryNotFoundError: "Repository",
            }
            return known.get(type(error), str(error.response.status_code))
        return None

    assert told(lambda: api.space_info("lab/board")) == info
    assert told(lambda: api.get_paths_info("lab/board", "board.csv", repo_type="space")) == files
    login = base64.b64encode(f"user:{token}".encode()).decode()
    sent = ["-c", f"http.extraHeader=Authorization: Basic {login}"] if token else []
    listed = git(*sent, "ls-remote", f"{hub.url}/spaces/lab/board")
    assert (listed.returncode == 0) == (files is None)
    address = f"{hub.url}/spaces/lab/board/resolve/main/board.csv"
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    assert get(address, **sent).is_redirect == (files is None)


def test_what_is_not_there(hub, api, tmp_path):
    there = {"repo_type": "space", "endpoint": hub.url, "cache_dir": tmp_path, "token": False}
    with pytest.raises(errors.RepositoryNotFoundError):
        api.space_info("lab/bored")
    with pytest.raises(errors.RevisionNotFoundError, match="Invalid rev id: mian"):
        api.list_repo_commits("lab/board", repo_type="space", revision="mian")
    with pytest.raises(errors.RevisionNotFoundError):
        api.space_info("lab/board", revision="0" * 40)
    with pytest.raises(errors.RemoteEntryNotFoundError):
        hf_hub_download("lab/board", "no.csv", **there)
    with pytest.raises(errors.RemoteEntryNotFoundError):
        list(api.list_repo_tree("lab/board", "no", repo_type="space"))
    with pytest.raises(errors.BucketNotFoundError):
        api.bucket_info("lab/bucket")


def test_no_revision_is_an_expression(hub, api):
    for rev in ("main~1", "main^{/first}", "main@{1}", ":/first", "HEAD..main", "--all"):
        with pytest.raises(errors.RevisionNotFoundError):
            api.space_info("lab/board", revision=rev)


def test_a_renamed_repository_is_found_by_every_way(hub, repo, tmp_path):
    hub.add("spaces/grove/board", repo)
    hub.add("spaces/lab/board", repo).moved_to = "spaces/grove/board"
    api = HfApi(endpoint=hub.url, token=False)
    assert api.space_info("lab/board").id == "grove/board"
    assert len(api.list_repo_commits("lab/board", repo_type="space")) == 2
    assert len(api.get_paths_info("lab/board", "board.csv", repo_type="space")) == 1
    there = {"repo_type": "space", "endpoint": hub.url, "cache_dir": tmp_path, "token": False}
    place = hf_hub_download("lab/board", "board.csv", **there)
    assert Path(place).read_text() == "a,2\n"
    cloned = git("clone", "--bare", f"{hub.url}/spaces/lab/board", str(tmp_path / "clone.git"))
    assert (cloned.returncode, b"redirect" in cloned.stderr) == (0, True)
    hub.add("lab/model", repo).moved_to = "grove/model"
    hub.add("grove/model", repo)
    assert api.model_info("lab/model").id == "grove/model"
