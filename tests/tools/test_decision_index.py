"""The check of the Decision Index on rows that are made up and show the same effects.

Scores from a formula that is cut off at 0, anchored ties with a band of 0.9, and entries that the
board counts and does not show.
"""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from tests.reference import ranking
from tests.tools import decision_index

# A group that is 0.88 wide, with 0.91 to the next leader: only bands around 0.9 do that.
PINNED = [61.0, 60.5, 60.12, 60.09, 59.7]


def moved(x: float, mean: float, sd: float) -> float:
    return 23.4973 + 16.539081 * (x - mean) / sd


def made_up(hidden=3):
    """Rows as they are handed, without those that the board does not show."""
    rng = np.random.default_rng(7)
    scores = [*PINNED, *np.round(rng.uniform(3, 58, 100), 2).tolist(), -4.0, -9.0]
    rows = []
    for number, score in enumerate(scores):
        skills, domains = (round(float(x), 2) for x in rng.uniform(15, 60, 2))
        rest = 0.5 * moved(skills, 24.268626, 16.350451) + 0.3 * moved(
            domains, 23.682619, 12.286109
        )
        public = round((score - rest) / 0.2, 2)
        rows.append({"engine": f"made-up-{number}", "name": f"Made up {number}", "public": public,
                     "S": skills, "O": domains, "full": max(0.0, round(score, 2))})  # fmt: skip
    board = {row["engine"]: Fraction(str(row["full"])) for row in rows}
    ties = ranking.within(Fraction("0.9"), exclusive=False)
    groups = ranking.groups(board, "anchored", ties)
    places = ranking.tie_table(board, "anchored", ties)
    for row in rows:
        row["rank_tie"] = places[row["engine"]][1]
    inside = [group[1] for group in groups[3:] if len(group) > 2][:hidden]
    return [row for row in rows if row["engine"] not in inside]


def hand(folder, rows):
    handed = [{"board": "text", "generated_utc": "2026-10-07T18:25Z", "row": row} for row in rows]
    others = [handed[0] | {"board": "vision"}, handed[0] | {"generated_utc": "2026-10-06"}]
    (folder / "rows.json").write_text(json.dumps([*handed, *others]), encoding="utf-8")
    return folder


def test_formula_and_tie_rule_are_found(tmp_path, capsys):
    assert decision_index.main([str(hand(tmp_path, made_up()))]) == 0
    said = capsys.readouterr().out
    assert "scores: 104, recomputed: 104" in said
    assert "tie rule: anchored inclusive, band in [0.89, 0.91)" in said
    assert "3 counted but not shown" in said
    assert "all as it should be" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"full": 30.0}, "a score is more than 0.0105 off", id="a score"),
        pytest.param({"rank_tie": 4}, "the tie rule is not anchored alone", id="a tie rank"),
    ],
)
def test_what_is_changed_is_told(tmp_path, change, said):
    rows = made_up(hidden=0)
    rows[1] |= change
    found = decision_index.ask(decision_index.rows_of(hand(tmp_path, rows)), tmp_path / "work")
    assert any(said in wrong for wrong in found.wrong)
