"""The sample that ships with the project: is it what its sources say, and always the same?

Entries, scores and commits are read from the sample itself; no test names one.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.sample import SAMPLE, SampleError, build_sample, read_plan
from crawler.board import load_board
from history.claims.claims_file import read_claims

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(path.name for path in SAMPLE.glob("[0-9]*"))
TEXT, VISION = "data/v03.json", "data/vision.json"
BOARDS = {"replay-text": (TEXT, "models", "v"), "replay-vision": (VISION, "entries", "full")}
FILES = [
    pytest.param(folder, board, id=f"{folder} {board}")
    for folder in FOLDERS
    for board, (path, _, _) in BOARDS.items()
    if (SAMPLE / folder / path).exists()
]
BAND = Decimal("0.9")

Row = dict[str, Any]


def load(folder: str, board: str) -> dict[str, Any]:
    path = SAMPLE / folder / BOARDS[board][0]
    content: dict[str, Any] = json.loads(path.read_text("utf-8"), parse_float=Decimal)
    return content


def rows_of(folder: str, board: str) -> list[Row]:
    rows: list[Row] = load(folder, board)[BOARDS[board][1]]
    return rows


def scores_of(folder: str, board: str) -> dict[str, Decimal]:
    """Score of every ranked entry."""
    score = BOARDS[board][2]
    rows = rows_of(folder, board)
    return {
        row["engine"]: Decimal(row[score])
        for row in rows
        if row[score] is not None and not row.get("ref")
    }


def rank(scores: dict[str, Decimal], entry: str) -> int:
    return 1 + sum(score > scores[entry] for score in scores.values())


# Tie rules in their plainest form, written apart from history.ties.


def anchored(best: Decimal, _before: Decimal, score: Decimal) -> bool:
    return best - score <= BAND


def chained(_best: Decimal, before: Decimal, score: Decimal) -> bool:
    return before - score <= BAND


def groups(
    scores: dict[str, Decimal], joins: Callable[[Decimal, Decimal, Decimal], bool]
) -> list[list[str]]:
    """Entries of each tie group, best first."""
    made: list[list[str]] = []
    for entry in sorted(scores, key=lambda entry: -scores[entry]):
        if made and joins(scores[made[-1][0]], scores[made[-1][-1]], scores[entry]):
            made[-1].append(entry)
        else:
            made.append([entry])
    return made


def tie_ranks(made: list[list[str]]) -> dict[str, int]:
    """Place of the first of each group, for all in it."""
    ranks: dict[str, int] = {}
    for group in made:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks


def claimed(number: str) -> dict[str, Any]:
    """One of the sample's claims, by its id."""
    claims = tomllib.loads((SAMPLE / "claims.toml").read_text("utf-8"))["claim"]
    return next(claim for claim in claims if claim["id"] == number)


# --- the repository --------------------------------------------------------------------------


def git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", f"--git-dir={repo}", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


PINNED = tomllib.loads((SAMPLE / "commits.toml").read_text("utf-8"))["tip"]


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


# --- the files -------------------------------------------------------------------------------

HEADS = {
    "replay-text": "generated_utc edition label weights public_index_note vision models formula",
    "replay-vision": "generated_utc edition bench_weights bench_rows private_sets weights entries",
}
CELLS = {
    "replay-text": (
        "engine pub same_skills new_domains v lab jev rank_v rank_pub name eq rank_tie tied parts"
    ),
    "replay-vision": "engine name pub priv full rank_full rank_pub ref single_image bench",
}


@pytest.mark.parametrize(("folder", "board"), FILES)
def test_a_file_has_the_keys_of_the_board_in_their_order(folder, board):
    content, cells = load(folder, board), CELLS[board].split()
    assert list(content) == [*HEADS[board].split(), "filled", "reconstruction"]
    assert all(content[key] is not None for key in content["filled"])
    rows = rows_of(folder, board)
    assert len({row["engine"] for row in rows}) == len(rows)
    for row in rows:
        # `rank_v` is absent where no source gives it; every other unknown cell is null.
        expected = [cell for cell in cells if cell != "rank_v" or "rank_v" in row]
        assert list(row) == [*expected, "filled"][: len(row)]
        assert len(row) >= len(expected)
        assert row.get("rank_v", 1) is not None
        assert all(row[cell] is not None for cell in row.get("filled", []))


@pytest.mark.parametrize(("folder", "board"), FILES)
def test_a_stand_in_has_a_score_and_nothing_else(folder, board):
    score = BOARDS[board][2]
    for row in rows_of(folder, board):
        if re.match(r"(unnamed|unseen)-", row["engine"]):
            told = {key for key, value in row.items() if value is not None}
            assert told == {"engine", score, "filled"}
            assert row["filled"] == [score]
            assert re.fullmatch(r"unnamed-\d{3}|unseen-\d", row["engine"])


@pytest.mark.parametrize(("folder", "board"), FILES)
def test_no_made_up_score_equals_another(folder, board):
    score = BOARDS[board][2]
    made_up = [row[score] for row in rows_of(folder, board) if row.get("filled") == [score]]
    scores = list(scores_of(folder, board).values())
    assert all(scores.count(Decimal(value)) == 1 for value in made_up)


def test_one_row_is_one_line():
    for path in SAMPLE.glob("*/data/*.json"):
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("}\n")
        assert "\r" not in text
        lines = [line for line in text.splitlines() if line.startswith('  {"engine"')]
        assert len(lines) == text.count('"engine": ')


def test_the_sources_name_every_commit_and_every_kind_of_stand_in():
    sources = (SAMPLE / "SOURCES.md").read_text("utf-8")
    assert "**reconstruction**" in sources
    missing = [word for word in (*FOLDERS, "`unnamed-NNN`", "`unseen-1..3`") if word not in sources]
    assert not missing


# --- what is known ---------------------------------------------------------------------------

FACTS = list(csv.DictReader((SAMPLE / "facts.csv").read_text("utf-8").splitlines()))


@pytest.mark.parametrize(
    "fact", [pytest.param(fact, id=f"{fact['folder']} {fact['entry']}") for fact in FACTS]
)
def test_a_known_score_and_rank_hold(fact):
    scores = scores_of(fact["folder"], fact["board"])
    found = (scores[fact["entry"]], rank(scores, fact["entry"]), len(scores))
    expected = (Decimal(fact["score"]), int(fact["rank"]), int(fact["of"] or len(scores)))
    assert found == expected
    assert list(scores.values()).count(scores[fact["entry"]]) == 1


def versions_with(board: str, *entries: str) -> list[str]:
    folders = [folder for folder in FOLDERS if (SAMPLE / folder / BOARDS[board][0]).exists()]
    return [folder for folder in folders if set(entries) <= set(scores_of(folder, board))]


def test_the_two_of_the_tie_claim_are_always_in_one_group():
    claim = claimed("C08")
    (board,), pair = claim["boards"], {claim["subject"], claim["with"]}
    folders = versions_with(board, *pair)
    assert len(folders) == 4
    for folder in folders:
        assert any(pair <= set(group) for group in groups(scores_of(folder, board), anchored))


def test_who_was_never_first_is_never_first():
    (inner,) = claimed("C06")["claims"]
    (board,) = inner["boards"]
    ranks = [
        rank(scores_of(f, board), inner["subject"]) for f in versions_with(board, inner["subject"])
    ]
    assert ranks == [6, 9, 9, 10]


def test_the_differences_of_the_parts_are_the_printed_ones():
    claim = claimed("C05")
    rows = {row["engine"]: row for row in rows_of(FOLDERS[-1], "replay-text")}
    ours, theirs = rows[claim["subject"]], rows[claim["other"]]
    parts = ("pub", "same_skills", "new_domains")
    gaps = [str(ours[part] - theirs[part]) for part in parts]
    assert gaps == ["6.17", "1.46", "-1.45"]


def test_ranks_and_dense_tie_groups_of_the_excerpt_hold():
    (folder,) = [f for f in FOLDERS if (SAMPLE / f / TEXT).exists() and excerpt(f)]
    scores = scores_of(folder, "replay-text")
    numbers = {
        entry: (number, len(group) > 1)
        for number, group in enumerate(groups(scores, anchored), start=1)
        for entry in group
    }
    found, expected = {}, {}
    for row in excerpt(folder):
        found[row["engine"]] = (rank(scores, row["engine"]), *numbers[row["engine"]])
        expected[row["engine"]] = (row["rank_v"], row["rank_tie"], row["tied"])
    assert found == expected
    assert len(expected) == 4


def excerpt(folder: str) -> list[Row]:
    """Rows with a published rank."""
    return [row for row in rows_of(folder, "replay-text") if "rank_v" in row]


# --- the whole text board --------------------------------------------------------------------

WHOLE = "03-2026-10-07T182558Z"


def test_scores_recompute_from_the_constants_of_the_file():
    content = load(WHOLE, "replay-text")
    mean, sd, weights = content["formula"]["mean"], content["formula"]["sd"], content["weights"]

    def equated(row: Row, part: str) -> Decimal:
        away = (Decimal(row[part]) - mean[part]) / sd[part]
        return mean["public"] + sd["public"] * away

    rows = [row for row in content["models"] if row["pub"] is not None]
    residuals = [
        abs(
            row["v"]
            - max(
                Decimal(0),
                weights["public"] * row["pub"]
                + weights["same_skills"] * equated(row, "same_skills")
                + weights["new_domains"] * equated(row, "new_domains"),
            )
        )
        for row in rows
    ]
    assert len(rows) == 115
    assert max(residuals) <= Decimal("0.0105")


def published(folder: str) -> dict[str, int]:
    rows = rows_of(folder, "replay-text")
    return {row["engine"]: row["rank_tie"] for row in rows if row["rank_tie"] is not None}


def test_anchored_groups_give_every_published_tie_rank():
    scores, expected = scores_of(WHOLE, "replay-text"), published(WHOLE)
    ranks = tie_ranks(groups(scores, anchored))
    assert {entry: ranks[entry] for entry in expected} == expected
    assert (len(expected), len(scores), len(set(expected.values()))) == (115, 118, 43)


def boundaries(made: list[list[str]]) -> set[str]:
    return {group[0] for group in made}


def test_anchored_gives_every_published_boundary_without_the_unseen_rows_and_chain_does_not():
    expected = published(WHOLE)
    scores = {e: s for e, s in scores_of(WHOLE, "replay-text").items() if e in expected}
    order = list(scores)
    starts = {order[0]} | {b for a, b in pairwise(order) if expected[a] != expected[b]}
    assert order == sorted(order, key=lambda entry: -scores[entry])
    assert boundaries(groups(scores, anchored)) == starts
    assert len(starts) == 43
    assert len(boundaries(groups(scores, chained))) == 28


def test_an_unseen_row_lies_where_the_published_tie_ranks_leave_a_gap():
    scores, expected = scores_of(WHOLE, "replay-text"), published(WHOLE)
    made = groups(scores, anchored)
    for group in made:
        seen = [entry for entry in group if entry in expected]
        assert seen, "a group of unseen rows only would have no published leader"
        assert group[0] in expected
    unseen = [e for group in made for e in group if e not in expected]
    assert len(unseen) == 3


# --- vision ----------------------------------------------------------------------------------

WHOLE_VISION = [folder for folder in versions_with("replay-vision") if folder < "06"]


@pytest.mark.parametrize("folder", WHOLE_VISION)
def test_a_full_score_is_the_mean_of_its_parts(folder):
    for row in rows_of(folder, "replay-vision"):
        assert abs((row["pub"] + row["priv"]) / 2 - row["full"]) <= Decimal("0.01")


@pytest.mark.parametrize("folder", WHOLE_VISION)
def test_published_vision_ranks_hold_and_equal_scores_get_successive_ones(folder):
    scores = scores_of(folder, "replay-vision")
    expected = {
        row["engine"]: row["rank_full"]
        for row in rows_of(folder, "replay-vision")
        if row["rank_full"] is not None
    }
    for entry, place in expected.items():
        equal = list(scores.values()).count(scores[entry])
        assert rank(scores, entry) <= place < rank(scores, entry) + equal
    given = sorted(expected.values())
    filled = [
        r["engine"] for r in rows_of(folder, "replay-vision") if "full" in r.get("filled", [])
    ]
    assert sorted([*given, *(rank(scores, e) for e in filled)]) == list(range(1, len(scores) + 1))


def test_negative_cells_stay_as_published_and_count_as_nothing():
    below = 0
    for folder in WHOLE_VISION:
        content = load(folder, "replay-vision")
        for row in content["entries"]:
            if not row["bench"]:
                continue
            weights = content["bench_weights"]
            cells = [cell for pair in row["bench"].values() for cell in pair.values()]
            below += sum(cell is not None and cell < 0 for cell in cells)
            public = sum(
                weights[name] * max(Decimal(0), Decimal(pair["pub"]))
                for name, pair in row["bench"].items()
            ) / sum(weights.values())
            private = [
                max(Decimal(0), Decimal(pair["private"]))
                for pair in row["bench"].values()
                if pair["private"] is not None
            ]
            assert len(private) == content["private_sets"]
            assert abs(public - row["pub"]) <= Decimal("0.0055")
            assert abs(sum(private) / len(private) - row["priv"]) <= Decimal("0.0055")
    assert below == 3


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
    expected = "C01 C05 C06 C07 C08 C09 C10 C11 C12 C13 C20"
    assert " ".join(claim.id for claim in claims) == expected
    tables = [SAMPLE / claim.table for claim in claims if claim.table]
    assert [path.is_file() for path in tables] == [True]


def test_the_printed_averages_of_the_claims_table_are_those_of_its_rows():
    claim = claimed("C20")
    rows = list(csv.DictReader((SAMPLE / claim["table"]).read_text("utf-8").splitlines()))
    for row in rows:
        mean = sum(Decimal(row[column]) for column in claim["columns"]) / len(claim["columns"])
        assert abs(mean - Decimal(row["Average"])) <= Decimal("0.05")
    assert len(rows) == 7


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
