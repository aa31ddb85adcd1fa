"""Is the sample always built the same, with boards and claims that fit it?

Entries, scores and commits are read from the sample itself; no test names one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from app.sample import SAMPLE, SampleError, build_sample, read_plan
from crawler.board import load_board
from history.claims.language.claims_file import read_claims
from tests.sample_rows import BOARDS, FILES, FOLDERS, TEXT, rows_of

ROOT = Path(__file__).parent.parent
PINNED = tomllib.loads((SAMPLE / "commits.toml").read_text("utf-8"))["tip"]


def git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", f"--git-dir={repo}", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_commit_ids_are_the_same_everywhere(tmp_path, monkeypatch):
    hostile = tmp_path / "gitconfig"
    hostile.write_text(
        "[user]\nname = somebody\nemail = else@example.invalid\n"
        "[core]\nautocrlf = true\n[i18n]\ncommitEncoding = latin1\n"
        "[init]\ndefaultBranch = trunk\n[fastimport]\nunpackLimit = 1\n[commit]\ngpgSign = true\n",
        "utf-8",
    )
    repo, other = tmp_path / "_upstream" / "replay.git", tmp_path / "other.git"
    first = build_sample(SAMPLE, repo)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(hostile))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00Z")
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    monkeypatch.chdir(tmp_path)
    assert {first, build_sample(SAMPLE, repo), build_sample(SAMPLE, Path("other.git"))} == {PINNED}
    monkeypatch.undo()
    assert git(other, "for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert git(other, "symbolic-ref", "HEAD") == "refs/heads/main"


def test_each_commit_holds_the_files_of_its_folder(tmp_path):
    build_sample(SAMPLE, tmp_path / "replay.git")
    plan = read_plan(SAMPLE)
    log = git(tmp_path / "replay.git", "log", "--reverse", "--format=%H %ct %at %an <%ae> %s")
    person = f"{plan.author} <{plan.email}>"
    expected, files = [], {}
    for commit, line in zip(plan.commits, log.splitlines(), strict=True):
        seconds = int(commit.at.timestamp())
        expected.append(f"{seconds} {seconds} {person} {commit.message}")
        stamp = commit.at.strftime("%Y-%m-%dT%H%M%SZ")
        assert commit.folder.name == f"{len(expected):02}-{stamp}"
        for path in (commit.folder / "data").iterdir():
            changed = path.read_text("utf-8")
            assert files.get(path.name) != changed, "a file stands in a folder where it changes"
            files[path.name] = changed
        for name, text in files.items():
            assert git(tmp_path / "replay.git", "show", f"{line[:40]}:data/{name}") == text.strip()
    assert [line[41:] for line in log.splitlines()] == expected


def test_a_changed_sample_moves_the_branch(tmp_path):
    changed, repo = tmp_path / "sample", tmp_path / "replay.git"
    shutil.copytree(SAMPLE, changed)
    build_sample(changed, repo)
    path = changed / FOLDERS[-1] / TEXT
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    (changed / FOLDERS[0] / "data" / ".DS_Store").write_bytes(b"\0")
    tip = build_sample(changed, repo)
    assert tip != PINNED
    assert git(repo, "rev-list", "--count", "main") == str(len(FOLDERS))
    assert git(repo, "rev-parse", "main~1") == git(repo, "rev-parse", f"{PINNED}~1")


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        pytest.param(
            lambda sample: shutil.rmtree(sample / FOLDERS[3]),
            f"{{sample}}/commits.toml: it and the folders beside it differ in {FOLDERS[3]}. "
            "Name each folder once, oldest first.",
            id="a folder is missing",
        ),
        pytest.param(
            lambda sample: shutil.rmtree(sample / FOLDERS[0] / "data"),
            f"{{sample}}/{FOLDERS[0]}: it holds no files. Restore them.",
            id="a folder is empty",
        ),
        pytest.param(
            lambda sample: (sample / "commits.toml").write_text("commit = []\nauthor = 1\n"),
            "{sample}/commits.toml: it and the folders beside it differ in "
            f"{', '.join(FOLDERS)}. Name each folder once, oldest first.",
            id="no commits",
        ),
        pytest.param(
            lambda sample: (sample / "commits.toml").write_text("[[commit]]\nat = 2026-10-06\n"),
            "{sample}/commits.toml, commit 1: at is datetime.date(2026, 10, 6). Give a datetime.",
            id="a date is no time",
        ),
        pytest.param(
            lambda sample: (sample.parent / "replay.git").write_text("in the way"),
            "{sample.parent}/replay.git: git refused: fatal: cannot mkdir "
            "{sample.parent}/replay.git: File exists. Remove it and build again.",
            id="a file is in the way",
        ),
    ],
)
def test_what_cannot_be_built_is_said_in_one_line(tmp_path, spoil, expected):
    sample = tmp_path / "sample"
    shutil.copytree(SAMPLE, sample)
    spoil(sample)
    with pytest.raises(SampleError) as caught:
        build_sample(sample, tmp_path / "replay.git")
    assert str(caught.value) == expected.format(sample=sample)


def test_git_that_is_not_installed_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SampleError, match=r"^git: it is not installed\. Install git"):
        build_sample(SAMPLE, tmp_path / "replay.git")


# --- what stands beside it -------------------------------------------------------------------


def test_the_boards_are_reconstructions_of_one_repository(tmp_path):
    shutil.copytree(SAMPLE / "boards", tmp_path, dirs_exist_ok=True)
    boards = [load_board(path) for path in sorted(tmp_path.glob("*/board.toml"))]
    assert [board.name for board in boards] == sorted(BOARDS)
    assert [board.source.paths for board in boards] == [[BOARDS[b.name][0]] for b in boards]
    assert {board.address for board in boards} == {str(tmp_path / "_upstream" / "replay.git")}
    assert all("not the board's own history" in board.reconstruction for board in boards)


def test_the_claims_can_be_read():
    claims = read_claims(SAMPLE / "claims.toml")
    expected = "C01 C02 C03 C05 C06 C07 C08 C09 C10 C11 C12 C13 C20"
    assert " ".join(claim.id for claim in claims) == expected
    tables = [SAMPLE / claim.table for claim in claims if claim.table]
    assert [path.is_file() for path in tables] == [True]


def test_no_code_names_an_entry_a_score_or_a_commit_of_the_sample(tmp_path):
    build_sample(SAMPLE, tmp_path / "replay.git")
    entries, scores = set(), set()
    for folder, board in (param.values for param in FILES):
        for row in rows_of(folder, board):
            if re.match(r"(unnamed|unseen)-", row["engine"]):
                continue
            entries.add(row["engine"])
            # A name of one plain word can be a word of ours.
            entries |= {row["name"]} if row["name"] and not row["name"].isalpha() else set()
            score = row[BOARDS[board][2]]
            scores |= {str(score)} if score and re.fullmatch(r"\d\d\.\d\d", str(score)) else set()
    commits = {c[:7] for c in git(tmp_path / "replay.git", "rev-list", "main").split()}
    words = "|".join(re.escape(word) for word in sorted(entries | scores, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w.-])(?:{words})(?![\w-])|\b(?:{'|'.join(commits)})[0-9a-f]*\b")
    hits = [
        f"{path.relative_to(ROOT)}: {found}"
        for package in ("crawler", "history", "app")
        for path in sorted((ROOT / package).rglob("*"))
        # What a ready-made board says of its own columns is data, not code.
        if path.suffix in (".py", ".lark")
        for found in pattern.findall(path.read_text("utf-8"))
    ]
    assert hits == []
