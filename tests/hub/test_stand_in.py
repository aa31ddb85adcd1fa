"""Does the stand-in Hub satisfy the real huggingface_hub client and the real git?"""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import HfApi, HfFileSystem, errors, hf_hub_download

from tests.hub.lfs import pointer_of, xet_hash
from tests.hub.server import STRANGER, TOKEN, Bucket, HubServer, squash

CLIENT = httpx2.Client()
DAY = "2026-10-{:02}T12:00:00+02:00"


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


def git(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run(["git", *arguments], input=data, capture_output=True, timeout=30)


def get(address: str, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return CLIENT.get(address, headers=named)


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


# --- git ----------------------------------------------------------------------------------------


def test_requests_of_git(hub, api, repo, tmp_path):
    address, clone = f"{hub.url}/spaces/lab/board", str(tmp_path / "clone.git")
    assert git("clone", "--bare", "--single-branch", "--no-tags", address, clone).returncode == 0
    assert (hub.tally(), hub.count()) == ({"git": 3}, 3)
    assert git("-C", clone, "fetch", "origin", "main").returncode == 0
    assert hub.count() == 2
    new = repo.commit({"board.csv": "3"}, DAY.format(3))
    assert git("-C", clone, "fetch", "origin", "main").returncode == 0
    assert hub.count() == 3
    assert git("-C", clone, "rev-parse", "FETCH_HEAD").stdout.decode().strip() == new
    assert git("ls-remote", address).returncode == 0
    assert hub.count() == 2


def test_partial_clones(hub, api, repo, tmp_path):
    repo.commit({"huge.bin": "x" * 5000}, DAY.format(3))
    address, clone = f"{hub.url}/spaces/lab/board", str(tmp_path / "clone.git")
    bare = ("clone", "--quiet", "--bare", "--single-branch", "--no-tags")
    assert git(*bare, "--filter=blob:limit=1k", address, clone).returncode == 0
    assert hub.count() == 3
    listed = git("-C", clone, "rev-list", "--objects", "--missing=print", "main").stdout.decode()
    missing = [line[1:] for line in listed.splitlines() if line.startswith("?")]
    assert missing == [repo.git("rev-parse", "main:huge.bin")]
    wanted = f"{missing[0]}\n".encode()
    assert git("-C", clone, "fetch", "origin", "--stdin", data=wanted).returncode == 0
    assert hub.count() == 2
    hub.allows_filters = False
    cloned = git(*bare, "--filter=blob:none", address, str(tmp_path / "other.git"))
    assert b"filtering not recognized" in cloned.stderr


def test_what_was_squashed_is_gone_for_everyone(hub, api, repo, tmp_path):
    old, content = repo.tip, api.list_repo_files("lab/board", repo_type="space")
    assert api.space_info("lab/board", revision=old).sha == old
    new = squash(repo, DAY.format(9))
    assert [c.commit_id for c in api.list_repo_commits("lab/board", repo_type="space")] == [new]
    assert api.list_repo_files("lab/board", repo_type="space") == content
    with pytest.raises(errors.RevisionNotFoundError):
        api.space_info("lab/board", revision=old)
    git("init", "--quiet", "--bare", str(tmp_path / "new.git"))
    address = f"{hub.url}/spaces/lab/board"
    fetched = git("-C", str(tmp_path / "new.git"), "fetch", address, old)
    assert b"not our ref" in fetched.stderr


# --- buckets and plain files --------------------------------------------------------------------


@pytest.mark.parametrize("by_cdn", [False, True])
def test_a_bucket(hub, by_cdn):
    hub.buckets["lab/bucket"] = bucket = Bucket(by_cdn=by_cdn)
    bucket.put("board.csv", b"1,2", at=1_790_000_000.5)
    bucket.put("logs/a.txt", b"a")
    bucket.put("logs_old/b.txt", b"b")
    api = HfApi(endpoint=hub.url, token=False)
    info = api.bucket_info("lab/bucket")
    assert (info.id, info.size, info.total_files) == ("lab/bucket", 5, 3)
    tree = list(api.list_bucket_tree("lab/bucket"))
    assert [(item.type, item.path) for item in tree] == [
        ("file", "board.csv"),
        ("directory", "logs"),
        ("directory", "logs_old"),
    ]
    every = api.list_bucket_tree("lab/bucket", "logs", recursive=True)
    assert [item.path for item in every] == ["logs/a.txt", "logs_old/b.txt"]
    assert [i.path for i in api.list_bucket_tree("lab/bucket", "logs/")] == ["logs/a.txt"]
    (one,) = api.get_bucket_paths_info("lab/bucket", ["board.csv", "no.csv"])
    assert (one.size, one.mtime.isoformat()) == (3, "2026-09-21T14:13:20.500000+00:00")
    hub.count()
    files = HfFileSystem(endpoint=hub.url, token=False, skip_instance_cache=True)
    assert files.open("buckets/lab/bucket/board.csv").read() == b"1,2"
    assert hub.count() == 4 if by_cdn else 3
    bucket.put("board.csv", b"1,3")
    (other,) = api.get_bucket_paths_info("lab/bucket", ["board.csv"])
    assert other.xet_hash != one.xet_hash
    assert hub.log("bucket")


def test_a_file_of_a_bucket_is_not_sent_again(hub):
    hub.buckets["lab/bucket"] = Bucket()
    hub.buckets["lab/bucket"].put("board.csv", b"1,2")
    address = f"{hub.url}/buckets/lab/bucket/resolve/board.csv"
    head = CLIENT.head(address)
    assert (head.headers["X-Linked-Size"], "X-Xet-Hash" in head.headers) == ("3", True)
    tag = head.headers["ETag"]
    assert get(address, If_None_Match=tag).status_code == 304
    hub.buckets["lab/bucket"].put("board.csv", b"1,3")
    assert get(address, If_None_Match=tag).content == b"1,3"
    hub.buckets["lab/bucket"].private = True
    assert get(address).status_code == 401
    assert get(address, Authorization=f"Bearer {TOKEN}").status_code == 200


def test_plain_files(hub):
    hub.files["/board.csv"] = b"1,2"
    hub.files["/board?as=csv"] = b"3"
    hub.files.put("/bare.csv", b"4", validators=False)
    answer = get(f"{hub.url}/board.csv")
    tag, time_of = answer.headers["ETag"], answer.headers["Last-Modified"]
    statuses = [
        get(f"{hub.url}/board.csv", If_None_Match=tag).status_code,
        get(f"{hub.url}/board.csv", If_None_Match=f'W/{tag}, "x"').status_code,
        get(f"{hub.url}/board.csv", If_Modified_Since=time_of).status_code,
        get(f"{hub.url}/board.csv", If_None_Match='"x"', If_Modified_Since=time_of).status_code,
        get(f"{hub.url}/none.csv").status_code,
    ]
    assert statuses == [304, 304, 304, 200, 404]
    assert get(f"{hub.url}/board?as=csv").content == b"3"
    assert not {"ETag", "Last-Modified"} & set(get(f"{hub.url}/bare.csv").headers)
    assert hub.tally() == {"file": 8}


# --- the server itself --------------------------------------------------------------------------


def test_every_answer_tells_the_quota(hub, api):
    told = [
        get(f"{hub.url}{place}").headers["RateLimit"]
        for place in ("/api/spaces/lab/board", "/spaces/lab/board/resolve/main/board.csv", "/x")
    ]
    assert told == ['"api";r=499;t=300', '"resolvers";r=2999;t=300', '"pages";r=99;t=300']


def test_connections_are_kept_and_ended_in_time(repo, capfd):
    before = time.monotonic()
    with HubServer() as hub:
        hub.add("lab/board", repo)
        client = httpx2.Client()
        streams = {
            client.get(f"{hub.url}/api/models/lab/board").extensions["network_stream"]
            for _ in range(20)
        }
    assert time.monotonic() - before < 5
    assert len(streams) == 1
    assert capfd.readouterr() == ("", "")
    client.close()


def test_a_client_that_dies_in_its_question_is_no_mistake_of_the_server(repo, capfd):
    with HubServer() as hub:
        hub.add("lab/board", repo)
        place = ("127.0.0.1", int(hub.url.rpartition(":")[2]))
        for rest in (b"Content-Length: 99\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"):
            with socket.create_connection(place) as client:
                client.sendall(b"POST /api/models/lab/board/paths-info/main HTTP/1.1\r\n" + rest)
        assert get(f"{hub.url}/api/models/lab/board").status_code == 200
        assert hub.count() == 1
    assert capfd.readouterr() == ("", "")


def test_the_stand_in_by_hand(repo):
    command = [sys.executable, "-m", "tests.hub", f"spaces/lab/board={repo.folder}"]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)
    try:
        address = process.stdout.readline().strip().partition("=")[2]
        assert HfApi(endpoint=address, token=False).space_info("lab/board").sha == repo.tip
    finally:
        process.send_signal(2)
        process.communicate(timeout=10)
    assert process.returncode == 0
