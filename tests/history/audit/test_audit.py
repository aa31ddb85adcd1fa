"""Published ranks and formulas, row by row, and the document that tells them."""

from __future__ import annotations

import pytest

from tests.history.audit.audits import audit_of, csv, told

FORMULA = """
[table]
entry = "model"
score = "score"
direction = "higher"
[table.parts]
a = "a"
b = "b"
[formula]
score = "0.6*a + 0.4*b"
"""
RANKED = """
[table]
entry = "model"
score = "score"
direction = "higher"
published_rank = "rank"
"""


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        pytest.param(["hen,61.134,64.29,56.4"], [True], id="exactly what the formula gives"),
        pytest.param(["hen,61.1,64.29,56.4"], [True], id="a score that was rounded"),
        pytest.param(["hen,61.16,64.3,56.4"], [True], id="parts that were rounded"),
        pytest.param(["hen,61.4,64.3,56.4"], [False], id="more than rounding explains"),
        pytest.param(["hen,61.1,64.3,"], [], id="nothing to compare without a part"),
        pytest.param(["hen,,64.3,56.4"], [], id="nothing to compare without a score"),
    ],
)
def test_scores_against_the_formula(rows, fits, tmp_path):
    found = audit_of(tmp_path, csv(*rows, header="model,score,a,b"), table=FORMULA)
    assert found.formula["fits"].tolist() == fits


def test_scores_off_the_formula_are_one_finding(tmp_path):
    text = csv(
        "hen,61.4,64.3,56.4", "owl,9.9,50.0,40.0", "emu,46.0,50.0,40.0", header="model,score,a,b"
    )
    assert told(audit_of(tmp_path, text, table=FORMULA)) == [
        (
            0,
            "off_formula",
            "owl",
            "2 scores are not what the formula gives: 'owl' prints 9.9, its parts give 46",
        )
    ]


@pytest.mark.parametrize(
    ("published", "contradicts"),
    [
        pytest.param([1, 2, 2, 4], [], id="the usual ranks"),
        pytest.param([1, 2, 3, 4], [], id="counted on through a tie"),
        pytest.param([1, 2, 2, 3], [], id="without gaps"),
        pytest.param([1, 3, 3, 4], [], id="ties take the last place"),
        pytest.param([11, 12, 12, 14], [], id="ranks on a longer list"),
        pytest.param([1, 1, 1, 4], [], id="more ties than the scores have"),
        pytest.param([2, 1, 3, 4], ["ash", "bay"], id="first and second exchanged"),
        pytest.param([4, 1, 2, 3], ["ash", "bay", "cob", "elm"], id="the best is last"),
        pytest.param([1, 4, 2, 3], ["bay", "elm"], id="one of two that tie is far off"),
    ],
)
def test_published_ranks_against_scores(published, contradicts, tmp_path):
    names = ("ash,90", "bay,80", "cob,80", "elm,70")
    rows = [f"{rank},{row}" for rank, row in zip(published, names, strict=True)]
    found = audit_of(tmp_path, csv(*rows, header="rank,model,score"), table=RANKED).published
    assert sorted(found.loc[found["contradicts"], "entry"]) == contradicts


TURNED = (
    RANKED.replace('published_rank = "rank"', "")
    + """
[[since]]
date = 2026-04-01
table.direction = "lower"
"""
)


@pytest.mark.parametrize(
    ("stages", "versions"),
    [
        pytest.param(["", ""], [0, 1], id="higher is better throughout"),
        pytest.param(["", "1"], [0], id="from the second version on, lower is"),
        pytest.param(["1", ""], [1], id="in the first version, lower was"),
    ],
)
def test_each_version_has_the_bounds_of_its_own_direction(stages, versions, tmp_path):
    text = csv("ash,99", "bay,98", "cob,97", "elm,96", "fir,95", "oak,180")
    found = audit_of(tmp_path, text, text, table=TURNED, stages=stages)
    assert [version for version, kind, *_ in told(found) if kind == "outside_scale"] == versions
