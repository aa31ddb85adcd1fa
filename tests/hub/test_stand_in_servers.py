"""Does the stand-in Hub satisfy git, and serve buckets and plain files, as a server should?"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import HfApi, HfFileSystem, errors

from tests.hub.asking import CLIENT, DAY, get, git
from tests.hub.server import TOKEN, Bucket, HubServer, squash

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
