"""Does the stand-in Hub satisfy the real huggingface_hub client?"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from huggingface_hub import HfApi, hf_hub_download

from tests.hub.asking import CLIENT, DAY, get, git
from tests.hub.lfs import pointer_of, xet_hash
from tests.hub.server import TOKEN

# --- the client: information, commits, trees ----------------------------------------------------


@pytest.mark.parametrize(
    ("prefix", "kind"), [("spaces/", "space"), ("datasets/", "dataset"), ("", "model")]
)
def test_every_kind_of_repository(hub, repo, tmp_path, prefix, kind):
    hub.add(f"{prefix}lab/board", repo)
    api = HfApi(endpoint=hub.url, token=False)
    asked = {"repo_type": kind}
    assert api.repo_info("lab/board", **asked).sha == repo.tip
    first, last = reversed(api.list_repo_commits("lab/board", **asked))
    assert (last.commit_id, last.title, last.message) == (repo.tip, "second", "why <b>")
    assert (last.authors, last.created_at.isoformat()) == (
        ["A Tester"],
        "2026-10-02T10:00:00+00:00",
    )
    refs = api.list_repo_refs("lab/board", **asked)
    assert [(branch.name, branch.target_commit) for branch in refs.branches] == [("main", repo.tip)]
    place = hf_hub_download(
        "lab/board", "board.csv", endpoint=hub.url, cache_dir=tmp_path, token=False,
        revision=first.commit_id, **asked,
    )  # fmt: skip
    assert Path(place).read_text() == "a,1\n"
    assert api.list_repo_files("lab/board", **asked) == ["board.csv", "data/Größe 1%.csv"]
    address = f"{hub.url}/{prefix}lab/board"
    assert repo.tip in git("ls-remote", address, "main").stdout.decode()


def test_information_by_revision_and_only_what_is_asked_for(api, hub, repo):
    old = repo.git("rev-parse", "main~")
    assert api.space_info("lab/board", revision=old).sha == old
    info = api.space_info("lab/board", expand=["sha"])
    assert (info.id, info.sha, info.private) == ("lab/board", repo.tip, None)
    assert json.loads(get(f"{hub.url}/api/spaces/lab/board?expand=sha").content) == {
        "id": "lab/board",
        "sha": repo.tip,
    }


def test_refs_of_every_sort(api, repo):
    repo.git("tag", "v1", "main~")
    repo.git("update-ref", "refs/pr/1", "main")
    repo.git("update-ref", "refs/convert/parquet", "main~")
    old = repo.git("rev-parse", "main~")
    refs = api.list_repo_refs("lab/board", repo_type="space", include_pull_requests=True)
    groups = (refs.branches, refs.tags, refs.converts, refs.pull_requests)
    assert [[(ref.ref, ref.target_commit) for ref in group] for group in groups] == [
        [("refs/heads/main", repo.tip)],
        [("refs/tags/v1", old)],
        [("refs/convert/parquet", old)],
        [("refs/pr/1", repo.tip)],
    ]
    assert api.space_info("lab/board", revision="refs/pr/1").sha == repo.tip
    assert api.space_info("lab/board", revision="v1").sha == old


def test_commits_come_in_pages_flat_and_pinned(api, hub, repo):
    side = repo.commit({"side.csv": "s"}, DAY.format(3), branch="side", parents=[repo.tip])
    for number in range(60):
        repo.commit({"board.csv": str(number)}, DAY.format(4 + number // 10))
    pinned = repo.tip
    hub.count()
    assert len(api.list_repo_commits("lab/board", repo_type="space")) == 62
    assert [request.path.partition("?")[2] for request in hub.requests] == [
        "",
        "p=1&limit=50",
    ]
    repo.commit({"board.csv": "merged"}, DAY.format(20), parents=[pinned, side])
    listed = api.list_repo_commits("lab/board", repo_type="space", formatted=True)
    expected = repo.git("log", "--format=%H", "main").split()
    assert [commit.commit_id for commit in listed] == expected
    assert side in expected
    assert listed[-2].formatted_message == "why &lt;b&gt;"
    page = get(f"{hub.url}/api/spaces/lab/board/commits/{pinned}?limit=50&p=1")
    assert page.headers["X-Total-Count"] == "62"
    assert [commit["title"] for commit in page.json()[-2:]] == ["second", "first"]
    assert (len(page.json()), "Link" in page.headers) == (12, False)
    most = get(f"{hub.url}/api/spaces/lab/board/commits/main?limit=1000")
    assert (len(most.json()), "Link" in most.headers) == (64, False)


def test_commits_name_the_helpers_too(api, repo):
    repo.commit({"board.csv": "3"}, DAY.format(3), "third\n\nCo-authored-by: B Helper <b@x.org>")
    newest = api.list_repo_commits("lab/board", repo_type="space")[0]
    assert newest.authors == ["A Tester", "B Helper"]


def test_trees_come_in_pages(api, hub, repo):
    many = {f"many/{number:04}.txt": str(number) for number in range(1100)}
    repo.commit(many, DAY.format(3))
    hub.count()
    listed = list(api.list_repo_tree("lab/board", repo_type="space", recursive=True))
    assert hub.count() == 2
    files = sorted([*many, "board.csv", "data/Größe 1%.csv"])
    assert sorted(entry.path for entry in listed if hasattr(entry, "blob_id")) == files
    top = list(api.list_repo_tree("lab/board", repo_type="space", expand=True))
    assert [(entry.path, entry.last_commit.title) for entry in top] == [
        ("board.csv", "second"),
        ("data", "first"),
        ("many", "update"),
    ]
    inner = api.list_repo_tree("lab/board", "data", repo_type="space")
    assert [entry.path for entry in inner] == ["data/Größe 1%.csv"]


def test_paths_that_are_not_there_are_left_out(api, hub, repo):
    asked = ["board.csv", "no.csv", "data", "data/Größe 1%.csv", "../board.csv"]
    found = api.get_paths_info("lab/board", asked, repo_type="space", revision=repo.tip)
    assert [(entry.path, getattr(entry, "size", None)) for entry in found] == [
        ("board.csv", 4),
        ("data", None),
        ("data/Größe 1%.csv", 2),
    ]
    assert found[0].blob_id == repo.git("rev-parse", "main:board.csv")
    expanded = api.get_paths_info("lab/board", asked[:1], repo_type="space", expand=True)
    assert expanded[0].last_commit.oid == repo.tip
    address = f"{hub.url}/api/spaces/lab/board/paths-info/main"
    told = CLIENT.post(address, json={"paths": asked, "expand": False}).json()
    assert [entry["path"] for entry in told] == ["board.csv", "data", "data/Größe 1%.csv"]


# --- the client: downloads ----------------------------------------------------------------------


def test_requests_of_a_plain_file(hub, api, repo, tmp_path):
    def download(**asked):
        return hf_hub_download(
            "lab/board", "data/Größe 1%.csv", repo_type="space", endpoint=hub.url,
            cache_dir=tmp_path, token=False, **asked,
        )  # fmt: skip

    place = download(revision=repo.tip)
    assert (Path(place).read_text(), hub.count()) == ("x\n", 3)
    download(revision=repo.tip)
    assert hub.count() == 0
    download(revision=repo.git("rev-parse", "main~"))
    assert hub.count() == 2
    api.hf_hub_download("lab/board", "board.csv", repo_type="space", cache_dir=tmp_path)
    assert [(r.method, r.status, r.kind) for r in hub.requests] == [
        ("HEAD", 307, "resolve"),
        ("HEAD", 200, "resolve"),
        ("GET", 200, "resolve"),
    ]
    assert [request.sent for request in hub.requests] == [0, 0, 4]


def test_a_large_file_is_on_another_server(hub, api, repo, tmp_path):
    content = b"large\0" * 1000
    pointer = hub.keep_large(content)
    repo.commit({"big.bin": pointer}, DAY.format(3))
    about = pointer_of(pointer)
    (entry,) = api.get_paths_info("lab/board", "big.bin", repo_type="space")
    assert (entry.size, entry.lfs.sha256, entry.lfs.pointer_size) == (
        6000,
        about.sha256,
        len(pointer),
    )
    siblings = api.space_info("lab/board", files_metadata=True).siblings
    assert [(s.rfilename, s.size) for s in siblings if s.lfs] == [("big.bin", 6000)]
    hub.count()
    place = hf_hub_download(
        "lab/board", "big.bin", repo_type="space", endpoint=hub.url, cache_dir=tmp_path, token=TOKEN
    )
    assert Path(place).read_bytes() == content
    (head, body) = hub.requests
    assert (head.status, head.kind, head.authorization) == (302, "resolve", f"Bearer {TOKEN}")
    assert (body.status, body.kind, body.authorization) == (200, "cdn", "")
    raw = get(f"{hub.url}/spaces/lab/board/raw/main/big.bin").content
    assert raw == pointer


def test_the_other_server_refuses_authorization_and_unsigned_addresses(hub, api, repo):
    repo.commit({"big.bin": hub.keep_large(b"large")}, DAY.format(3))
    address = f"{hub.url}/spaces/lab/board/resolve/main/big.bin"
    there = get(address).headers["Location"]
    assert there.startswith(hub.cdn.url)
    statuses = [
        get(there).status_code,
        get(there, Authorization=f"Bearer {TOKEN}").status_code,
        get(there.partition("?")[0]).status_code,
        get(there, Range="bytes=1-2").content,
    ]
    assert statuses == [200, 400, 403, b"ar"]
    hub.lfs.clear()
    assert get(there).status_code == 404
    # urllib is a client that carries the header along.
    asked = urllib.request.Request(address, headers={"Authorization": f"Bearer {TOKEN}"})
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(asked)


def test_xet_is_told_of_and_not_needed(hub, repo, tmp_path):
    repo.commit({"big.bin": hub.keep_large(b"large")}, DAY.format(3))
    hub.add("lab/board", repo, xet=True)
    (entry,) = HfApi(endpoint=hub.url).get_paths_info("lab/board", "big.bin")
    sha256 = pointer_of(hub.keep_large(b"large")).sha256
    head = CLIENT.head(f"{hub.url}/lab/board/resolve/main/big.bin")
    assert entry.xet_hash == head.headers["X-Xet-Hash"] == xet_hash(sha256)
    assert head.headers["X-Linked-Etag"] == f'"{sha256}"'
    assert get(head.headers["Location"]).headers["ETag"] == f'"{xet_hash(sha256)}"'
    place = hf_hub_download("lab/board", "big.bin", endpoint=hub.url, cache_dir=tmp_path)
    assert Path(place).read_bytes() == b"large"


@pytest.mark.parametrize(
    ("asked", "status", "said", "content"),
    [
        pytest.param("bytes=0-1", 206, "bytes 0-1/4", b"a,", id="the start"),
        pytest.param("bytes=2-", 206, "bytes 2-3/4", b"2\n", id="the rest"),
        pytest.param("bytes=-3", 206, "bytes 1-3/4", b",2\n", id="the end"),
        pytest.param("bytes=2-99", 206, "bytes 2-3/4", b"2\n", id="more than there is"),
        pytest.param("bytes=4-", 416, "bytes */4", b"", id="behind the end"),
        pytest.param("lines=1", 200, None, b"a,2\n", id="no range at all"),
    ],
)
def test_ranges(hub, api, asked, status, said, content):
    address = f"{hub.url}/spaces/lab/board/resolve/main/board.csv"
    answer = CLIENT.get(address, headers={"Range": asked}, follow_redirects=True)
    assert (answer.status_code, answer.headers.get("Content-Range")) == (status, said)
    assert answer.content == content


def test_text_may_come_compressed_and_without_a_length(hub, api):
    hub.compresses = True
    address = f"{hub.url}/spaces/lab/board/resolve/main/board.csv"
    answer = CLIENT.get(address, follow_redirects=True)
    assert (answer.content, answer.headers["Content-Encoding"]) == (b"a,2\n", "gzip")
    assert "Content-Length" not in answer.headers
