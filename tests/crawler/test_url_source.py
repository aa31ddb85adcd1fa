"""Polled addresses and buckets, against a real server on this machine."""

from __future__ import annotations

import json
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest

from app import jobs
from crawler import polled
from crawler.chain.chain import Chain
from crawler.crawl import How
from crawler.source import Known, redact
from crawler.store import Store
from crawler.url_source import CHAIN, UrlSource
from crawler.web import web
from crawler.web.web import Patience
from crawler.work import Work
from tests.crawler.tracked import everything_in, run, states, texts, track
from tests.hub.faults import ALWAYS, Fault, cut, short, too_many, trouble, web_page
from tests.hub.server import TOKEN, Bucket, HubServer

GOOD = '{"models": [{"model": "fern", "score": 81}, {"model": "moss", "score": 80}]}'
NEXT = '{"models": [{"model": "fern", "score": 81}, {"model": "moss", "score": 82}]}'
TABLE = '[table]\nrows = "$.models"\nentry = "model"\nscore = "score"\ndirection = "higher"\n'


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def clock(monkeypatch):
    """What the looks take for the time; each question costs a second."""

    class Clock(datetime):
        at = datetime(2026, 3, 1, tzinfo=UTC)

        @classmethod
        def now(cls, tz=None):
            cls.at += timedelta(seconds=1)
            return cls.at

    monkeypatch.setattr(polled, "datetime", Clock)
    return Clock


def track_file(store, hub, name="text", path="board.json", table=TABLE, **source):
    """A board that is polled, with a definition that can be read."""
    track(store, name, f"{hub.url}/{path}", path.split("?")[0], kind="url", **source)
    file = store.board_file(name)
    file.write_text(file.read_text(encoding="utf-8") + table, encoding="utf-8")


def look(store, *names, said=None):
    """Crawl on the real path, with the judge of the definitions."""
    work = Work(said.append) if said is not None else Work()
    return list(jobs.crawl(store, names, work))


def gaps(store, name):
    """Commit time and last look before it of every version, as texts of a day's time."""

    def shown(at):
        return None if at is None else at.strftime("%d %H:%M:%S")

    return [
        (shown(row["committed_at"]), shown(row["not_before"]))
        for row in store.versions(name).to_pylist()
    ]


def test_every_look_that_finds_other_bytes_is_a_version(store, hub):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    for content in (b"A", b"A", b"B", b"A"):
        hub.files["/board.json"] = content
        assert run(store)[0].error is None
    assert texts(store, "text") == ["A", "B", "A"]
    outcome = run(store)[0]
    assert (outcome.new_versions, outcome.vanished, outcome.rewritten) == (0, 0, False)
    assert outcome.seen.history == "polled" and not outcome.seen.complete
    assert store.commits(store.board("text"))["seen_by"].to_pylist() == ["poll"] * 3


@pytest.mark.parametrize(
    ("validators", "kept"),
    [
        pytest.param({}, 304, id="a tag and a time"),
        pytest.param({"modified": datetime(2026, 1, 1, tzinfo=UTC), "etag": ""}, 304, id="a time"),
        pytest.param({"validators": False}, 200, id="neither"),
        pytest.param({"modified": "now", "etag": ""}, 200, id="a time of just now"),
    ],
)
def test_the_same_bytes_are_not_sent_again_where_the_server_can_tell(store, hub, validators, kept):
    if validators.get("modified") == "now":
        validators = validators | {"modified": datetime.now(UTC)}
    hub.files.put("/board.json", b"A", **validators)
    track(store, "text", f"{hub.url}/board.json", kind="url")
    run(store)
    run(store)  # what came once may have been cut off on its way
    hub.count()
    assert run(store)[0].new_versions == 0
    assert [request.status for request in hub.requests] == [kept]


def test_a_gap_is_between_the_last_look_that_saw_the_old_and_the_first_that_saw_the_new(
    store, hub, clock
):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    for day, content in ((1, b"A"), (2, b"A"), (3, b"B"), (4, b"B"), (5, b"B"), (6, b"A")):
        clock.at = datetime(2026, 3, day, 6, tzinfo=UTC)
        hub.files["/board.json"] = content
        run(store)
    # Seen from before the question was asked on; published before the answer was here.
    assert gaps(store, "text") == [
        ("01 06:00:02", None),
        ("03 06:00:02", "02 06:00:01"),
        ("06 06:00:02", "05 06:00:01"),
    ]


def test_what_a_cache_answers_was_seen_when_the_cache_had_asked(store, hub, clock):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    hub.files["/board.json"] = b"A"
    run(store)
    clock.at = datetime(2026, 3, 2, 6, tzinfo=UTC)
    hub.faults.append(Fault(200, {"Age": "300"}, b"A", on="file"))
    run(store)
    clock.at, hub.files["/board.json"] = datetime(2026, 3, 3, 6, tzinfo=UTC), b"B"
    run(store)
    assert gaps(store, "text")[1] == ("03 06:00:02", "02 05:55:01")


def test_without_the_cache_less_is_known_and_nothing_is_wrong(store, hub, clock):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    for day, content, left in ((1, b"A", "{torn"), (2, b"A", None), (3, b"B", None)):
        clock.at = datetime(2026, 3, day, 6, tzinfo=UTC)
        hub.files["/board.json"] = content
        assert run(store)[0].status == "ok"
        cache = store.source_folder(store.board("text")) / "looks.json"
        cache.write_text(left) if left else cache.unlink()
    assert gaps(store, "text")[1] == ("03 06:00:02", "01 06:00:02")


def test_a_clock_that_was_set_back_changes_no_order(store, hub, clock):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    for year, content in ((2027, b"A"), (2026, b"B"), (2026, b"C")):
        clock.at = clock.at.replace(year=year)
        hub.files["/board.json"] = content
        run(store)
    assert texts(store, "text") == ["A", "B", "C"]
    times = store.versions("text")["committed_at"].to_pylist()
    assert [at.year for at in times] == [2027, 2026, 2026]


def test_a_kill_between_the_bytes_and_the_tables_loses_nothing(store, hub, clock):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    board = store.board("text")
    hub.files["/board.json"] = b"A"
    run(store)
    for day, content in ((2, b"B"), (3, b"C")):  # fetched, and then the run was killed
        clock.at = datetime(2026, 3, day, 6, tzinfo=UTC)
        hub.files["/board.json"] = content
        UrlSource(How().judge).fetch([board], store.objects(board), Known(), Work())
    clock.at = datetime(2026, 3, 4, 6, tzinfo=UTC)
    assert run(store)[0].new_versions == 2
    assert texts(store, "text") == ["A", "B", "C"]
    assert gaps(store, "text")[1:] == [
        ("02 06:00:02", "01 00:00:02"),
        ("03 06:00:02", "02 06:00:02"),
    ]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        pytest.param(
            Fault(200, {}, b'{"error": "Access is restricted"}', on="file"),
            'but a text that begins "{"error": "Access is restricted"}" (no_table: $.models',
            id="an error as JSON",
        ),
        pytest.param(
            web_page("<h1>Sign in</h1>", on="file"), 'an HTML page that begins "', id="a login page"
        ),
        pytest.param(Fault(200, {}, b"null", on="file"), '"null" (no_table', id="null"),
        pytest.param(Fault(200, {}, b"", on="file"), "an empty answer (0 bytes)", id="0 bytes"),
        pytest.param(
            short(0.5, on="file"), "(invalid_json: line 1", id="cut, with the length of the cut one"
        ),
        pytest.param(
            cut(0.5, on="file", times=ALWAYS), "the connection broke off", id="cut, with all length"
        ),
        pytest.param(Fault(404, {}, b"Not here", on="file"), "no such file (status 404)", id="404"),
        pytest.param(Fault(410, {}, b"", on="file"), "gone for good (status 410)", id="410"),
        pytest.param(Fault(401, {}, b"", on="file"), "asks for a login (status 401)", id="401"),
        pytest.param(Fault(206, {}, b"{}", on="file"), "no file (status 206)", id="a part"),
        pytest.param(Fault(204, {}, b"", on="file"), "no file (status 204)", id="nothing"),
        pytest.param(
            too_many(retry_after=400, on="file", times=ALWAYS), "too many requests", id="429"
        ),
        pytest.param(trouble(503, on="file", times=ALWAYS), "the server has trouble", id="503"),
    ],
)
def test_what_is_no_version(store, hub, fault, words, monkeypatch):
    monkeypatch.setattr(web, "Patience", lambda: Patience(first_wait=0.01, tries=2))
    hub.files.put("/board.json", GOOD.encode(), validators=False)
    track_file(store, hub)
    assert look(store)[0].status == "ok"
    before = everything_in(store.root)
    hub.faults.append(fault)
    outcome = look(store)[0]
    assert outcome.status == "failed" and outcome.versions == 1
    assert words in outcome.error
    assert outcome.error.startswith(f"{hub.url}/board.json: ")
    assert everything_in(store.root) == before
    hub.faults.clear()
    hub.files["/board.json"] = NEXT.encode()
    assert look(store)[0].new_versions == 1


def test_a_304_that_nobody_asked_for_is_no_answer(store, hub):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    hub.faults.append(Fault(304, {}, b"", on="file"))
    assert "no file (status 304)" in run(store)[0].error


def test_what_one_of_several_boards_can_read_is_a_version_of_all(store, hub):
    hub.files["/board.json"] = GOOD.encode()
    track_file(store, hub, "one")
    track_file(store, hub, "two")
    look(store)
    hub.files["/board.json"] = b'{"models": [{"model": "fern", "points": 81}]}'
    track_file(store, hub, "two", table=TABLE.replace('"score"\nd', '["score", "points"]\nd'))
    outcomes = {outcome.board: outcome for outcome in look(store)}
    assert {name: (one.status, one.unreadable) for name, one in outcomes.items()} == {
        "one": ("ok", 1),
        "two": ("ok", 0),
    }
    hub.files["/board.json"] = b"<html>Sign in</html>"
    assert [(one.status, one.versions) for one in look(store)] == [("failed", 2)] * 2
    assert hub.tally()["file"] == 3


def test_no_secret_of_an_address_is_written_down(store, hub):
    hub.files["/board.json"] = GOOD.encode()
    track_file(store, hub, path="board.json?token=geheim123&v=2")
    said: list[str] = []
    assert look(store, said=said)[0].status == "ok"
    hub.faults.append(web_page("geheim123", on="file"))
    hub.files["/board.json"] = b"[]"
    failed = [outcome.error for outcome in look(store, said=said)]
    track_file(store, hub, "other")
    file = store.board_file("other")
    file.write_text(file.read_text("utf-8").replace("//", "//me:geheim123@", 1), "utf-8")
    failed += [outcome.error for outcome in look(store, "other", said=said)]
    assert all(failed) and len(failed) == 2
    status = next(one for one in jobs.statuses(store) if one["board"] == "text")
    assert status["source"] == f"{hub.url}/board.json?token=***&v=***"
    kept = everything_in(store.root) | {
        str(file): file.read_bytes() for file in store.root.rglob("crawls.jsonl")
    }
    written = {name for name, data in kept.items() if b"geheim123" in data}
    assert written == {"text/board.toml", "other/board.toml"}
    assert "geheim123" not in "".join([*said, *kept, *failed[1:]])


def test_boards_of_one_address_may_call_the_file_as_they_like(store, hub):
    hub.files["/api"] = b"A"
    track(store, "one", f"{hub.url}/api", "a.json", kind="url")
    run(store)
    track(store, "two", f"{hub.url}/api", "b.csv", kind="url")
    run(store, "two")
    hub.files["/api"] = b"B"
    run(store, "one")
    assert [outcome.error for outcome in run(store)] == [None, None]
    assert texts(store, "one") == texts(store, "two") == ["A", "B"]


# Buckets


def test_a_bucket_is_listed_and_only_what_changed_is_downloaded(store, hub):
    bucket = hub.buckets["lab/board"] = Bucket()
    bucket.put("a.json", b"A")
    bucket.put("b.json", b"1")
    for name in ("a", "b"):
        track(store, name, "lab/board", f"{name}.json", kind="hub", repo_type="bucket")
    run(store)
    hub.count()
    assert [outcome.new_versions for outcome in run(store)] == [0, 0]
    assert [(one.method, one.path) for one in hub.requests] == [
        ("POST", "/api/buckets/lab/board/paths-info")
    ]
    hub.count()
    bucket.put("b.json", b"2")
    assert [outcome.new_versions for outcome in run(store)] == [0, 1]
    assert [one.path for one in hub.requests][1:] == ["/buckets/lab/board/resolve/b.json"]
    assert (texts(store, "a"), texts(store, "b")) == (["A"], ["1", "2"])


def test_boards_of_a_bucket_that_are_crawled_apart_have_one_line(store, hub, clock):
    bucket = hub.buckets["lab/board"] = Bucket()
    bucket.put("a.json", b"A")
    bucket.put("b.json", b"1")
    for name in ("a", "b"):
        track(store, name, "lab/board", f"{name}.json", kind="hub", repo_type="bucket")
    crawled = [("a", "A", "1"), ("b", "A", "1"), ("b", "A", "1"), ("a", "B", "2"), ("b", "B", "2")]
    for day, (name, a, b) in enumerate(crawled, 1):
        clock.at = datetime(2026, 3, day, 6, tzinfo=UTC)
        bucket.put("a.json", a.encode())
        bucket.put("b.json", b.encode())
        outcome = run(store, name)[0]
        assert (outcome.error, outcome.rewritten) == (None, False)
    run(store)
    assert (texts(store, "a"), texts(store, "b")) == (["A", "B"], ["1", "2"])
    assert gaps(store, "a")[1] == ("04 06:00:02", "01 06:00:02")
    assert gaps(store, "b")[1] == ("05 06:00:02", "03 06:00:01")


def test_a_file_that_is_gone_from_a_bucket_is_absent_while_others_remain(store, hub):
    bucket = hub.buckets["lab/board"] = Bucket()
    bucket.put("board.json", b"A")
    bucket.put("other.json", b"1")
    track(store, "text", "lab/board", kind="hub", repo_type="bucket")
    run(store)
    bucket.remove("board.json")
    assert run(store)[0].new_versions == 1
    assert [state for _, state, _ in states(store, "text")] == ["published", "absent"]
    bucket.put("board.json", b"A")
    assert run(store)[0].new_versions == 1
    bucket.remove("board.json")
    bucket.remove("other.json")
    outcome = run(store)[0]
    assert (outcome.status, outcome.versions) == ("failed", 3)
    assert "the bucket is empty" in outcome.error


@pytest.mark.parametrize("private", [False, True])
def test_a_bucket_that_is_not_there_or_may_not_be_read(store, hub, private, monkeypatch):
    if private:
        hub.buckets["lab/board"] = Bucket(private=True)
        hub.buckets["lab/board"].put("board.json", b"A")
    track(store, "text", "lab/board", kind="hub", repo_type="bucket")
    error = run(store)[0].error
    assert "no such repository, or a private one that you may not read" in error
    assert error.startswith(f"{hub.url}/buckets/lab/board: ")
    if private:
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        assert run(store)[0].new_versions == 1


def test_the_token_goes_to_the_hub_and_not_to_where_its_files_are(store, hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    bucket = hub.buckets["lab/board"] = Bucket(private=True, by_cdn=True)
    bucket.put("board.json", b"A")
    track(store, "text", "lab/board", kind="hub", repo_type="bucket")
    assert run(store)[0].new_versions == 1
    seen = {one.kind: bool(one.authorization) for one in hub.requests}
    assert seen == {"bucket": True, "cdn": False}
    assert not any(TOKEN.encode() in data for data in everything_in(store.root).values())


def test_one_broken_file_of_a_bucket_keeps_only_its_own_board(store, hub):
    bucket = hub.buckets["lab/board"] = Bucket()
    for name in ("a", "b"):
        bucket.put(f"{name}.json", GOOD.encode())
        track(store, name, "lab/board", f"{name}.json", kind="hub", repo_type="bucket")
        file = store.board_file(name)
        file.write_text(file.read_text(encoding="utf-8") + TABLE, encoding="utf-8")
    look(store)
    bucket.put("a.json", b"<html>Sign in</html>")
    bucket.put("b.json", NEXT.encode())
    outcomes = {one.board: (one.status, one.versions) for one in look(store)}
    assert outcomes == {"a": ("failed", 1), "b": ("ok", 2)}
    bucket.put("a.json", NEXT.encode())
    outcomes = {one.board: (one.status, one.versions) for one in look(store)}
    assert outcomes == {"a": ("ok", 2), "b": ("ok", 2)}


def test_a_name_that_a_bucket_does_not_hold(store, hub):
    hub.buckets["lab/board"] = Bucket()
    hub.buckets["lab/board"].put("other.json", b"A")
    track(store, "text", "lab/board", kind="hub", repo_type="bucket")
    assert "there is no board.json" in run(store)[0].error
    assert not (store.source_folder(store.board("text")) / "objects.git").exists()


def test_git_finds_nothing_wrong_with_what_was_written(store, hub):
    track(store, "text", f"{hub.url}/board.json", kind="url")
    for content in (b"A", b"B"):
        hub.files["/board.json"] = content
        run(store)
    objects = store.objects(store.board("text"))
    subprocess.run(["git", f"--git-dir={objects.folder}", "fsck", "--strict"], check=True)
    links = list(Chain(objects, CHAIN).links().values())
    assert [json.loads(link.notes["look"])["board.json"]["blob"][:4] for link in links] == [
        "8c7e",
        "7371",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://h/a?key=b&v=2, or not", "see https://h/a?key=***&v=***, or not"),
        ("'https://h/x?geheim'", "'https://h/x?***'"),
        ("https://h/x#access_token=geheim.", "https://h/x#access_token=***."),
        ("Did you mean https://h/y? See a?b=c, #3", "Did you mean https://h/y? See a?b=c, #3"),
    ],
)
def test_values_in_the_query_of_an_address_are_not_shown(text, shown):
    assert redact(text) == shown


def test_a_long_text_is_searched_for_addresses_in_little_time():
    begun = time.process_time()
    for text in ("http://a" * 20_000, "http://x?" * 20_000, "http://x?" + "&=" * 100_000):
        redact(text)
    assert time.process_time() - begun < 5


def test_a_file_that_came_cut_off_is_not_kept_for_the_whole_one(store, hub):
    """Nothing in the answer tells, and the marks are those of the whole file."""
    hub.files["/board.csv"] = b"id,s\nfern,80\nmoss,79\n"
    hub.faults.append(short(0.6, on="file"))
    track(store, "text", f"{hub.url}/board.csv", "board.csv", kind="url")
    run(store)
    assert run(store)[0].new_versions == 1
    assert texts(store, "text")[-1] == "id,s\nfern,80\nmoss,79\n"
    assert run(store)[0].new_versions == 0
    assert [request.status for request in hub.requests] == [200, 200, 200]
