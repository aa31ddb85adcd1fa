"""What do the rows and the published ranks of the sample satisfy?

Entries and scores are read from the sample itself; no test names one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

import pytest

from app.sample import SAMPLE
from tests.sample_rows import (
    BOARDS,
    FILES,
    FOLDERS,
    TEXT,
    Row,
    claimed,
    load,
    rank,
    rows_of,
    scores_of,
    versions_with,
)

BAND = Decimal("0.9")


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


# --- the table of the claims -----------------------------------------------------------------


def test_the_printed_averages_of_the_claims_table_are_those_of_its_rows():
    claim = claimed("C20")
    rows = list(csv.DictReader((SAMPLE / claim["table"]).read_text("utf-8").splitlines()))
    for row in rows:
        mean = sum(Decimal(row[column]) for column in claim["columns"]) / len(claim["columns"])
        assert abs(mean - Decimal(row["Average"])) <= Decimal("0.05")
    assert len(rows) == 7
