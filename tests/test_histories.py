from __future__ import annotations


def test_history_writes_what_it_is_told(git_repo):
    repo = git_repo()
    first = repo.commit(
        {"data/a b.json": "[]\n", "x": b"\xff"},
        "2026-10-01T12:00:00+02:00",
        authored_at="2026-09-30T00:00:00Z",
    )
    second = repo.commit({"x": None}, "2026-10-02T12:00:00Z", "gone")
    side = repo.commit({"x": "side"}, "2026-10-02T13:00:00Z", parents=[first], branch="side")
    merge = repo.commit({"x": "both"}, "2026-10-03T12:00:00Z", parents=[second, side])

    log = repo.git("log", "--first-parent", "--format=%H %P %aI %cI %s", "main").splitlines()
    assert log == [
        f"{merge} {second} {side} 2026-10-03T12:00:00+00:00 2026-10-03T12:00:00+00:00 update",
        f"{second} {first} 2026-10-02T12:00:00+00:00 2026-10-02T12:00:00+00:00 gone",
        f"{first}  2026-09-30T00:00:00+00:00 2026-10-01T12:00:00+02:00 update",
    ]
    assert repo.git("ls-tree", "--name-only", "-r", second) == "data/a b.json"
    assert repo.git("show", f"{merge}:x") == "both"


def test_the_same_history_has_the_same_ids_everywhere(git_repo):
    made = [git_repo().commit({"a": "1"}, "2026-10-01T12:00:00Z") for _ in range(2)]
    assert made == ["0df8d5830c78c52ddde031da14da0868580a4bc1"] * 2


def test_a_branch_can_be_rewritten(git_repo):
    repo = git_repo()
    first = repo.commit({"a": "1"}, "2026-10-01T12:00:00Z")
    repo.commit({"a": "2"}, "2026-10-02T12:00:00Z")
    forced = repo.commit({"a": "3"}, "2026-10-03T12:00:00Z", parents=[first])
    root = repo.commit({"b": "3"}, "2026-10-04T12:00:00Z", parents=[])
    assert repo.git("rev-list", forced).splitlines() == [forced, first]
    assert repo.git("rev-list", "main").splitlines() == [root] == [repo.tip]
    assert repo.git("ls-tree", "--name-only", root) == "b"


def test_a_bundle_can_be_cloned(git_repo, tmp_path):
    repo = git_repo()
    tip = repo.commit({"a": "1"}, "2026-10-01T12:00:00Z")
    bundle = repo.bundle(tmp_path / "all.bundle")
    assert repo.git("ls-remote", str(bundle), "HEAD").split() == [tip, "HEAD"]
