"""The tool that runs handed cases judges them truly: an own case, right and wrongly expected."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from tests.tools import run_cases
from tests.tools.cases import registry
from tests.tools.cases.expectation import NotSaid, Refused, Rounded, Said, Shown, compare
from tests.tools.cases.trial import Case, Trial, Trouble, strict_json, toml


@pytest.mark.parametrize(
    ("ours", "expected", "verdicts"),
    [
        pytest.param({"a": 1}, {"a": 1}, ["AS_EXPECTED"], id="equal values"),
        pytest.param({"a": 71.0}, {"a": 71}, ["AS_EXPECTED"], id="71.0 is 71"),
        pytest.param({"a": 0.1}, {"a": Decimal("0.1")}, ["AS_EXPECTED"], id="as printed"),
        pytest.param({"a": 71.25}, {"a": Decimal("71.3")}, ["DIFFERS"], id="nothing is rounded"),
        pytest.param({"a": True}, {"a": 1}, ["DIFFERS"], id="true is not 1"),
        pytest.param({"a": "1"}, {"a": 1}, ["DIFFERS"], id="a text is no number"),
        pytest.param(["b", "a"], ["a", "b"], ["DIFFERS"], id="the order counts"),
        pytest.param([1], [1, 2], ["DIFFERS"], id="a list that goes on"),
        pytest.param({}, {"a": 1}, ["DIFFERS"], id="an expectation without an answer"),
        pytest.param({"a": 1}, {}, ["DIFFERS"], id="an answer without an expectation"),
        pytest.param(
            {"a": {"b": 1, "c": 2}},
            {"a": {"b": 1, "c": 3}},
            ["AS_EXPECTED", "DIFFERS"],
            id="nested",
        ),
        pytest.param(
            Rounded(82.36364), Decimal("82.3636"), ["AS_EXPECTED"], id="rounded as it is printed"
        ),
        pytest.param(Rounded(82.3), "82.3", ["DIFFERS"], id="rounded to a text"),
        pytest.param(
            Said("Line 3 is cut", ("line 3",)),
            "line  3 damaged",
            ["AS_EXPECTED"],
            id="a fact in both",
        ),
        pytest.param(Said("cut", ("line 3",)), "line 3", ["DIFFERS"], id="a fact that we lack"),
        pytest.param(
            Said("line 3", ("line 3",)), "line 4", ["DIFFERS"], id="a fact that is expected no more"
        ),
        pytest.param(
            Refused("row 2", "may refuse", ("row 2",)),
            "may refuse: row 2",
            ["REFUSED"],
            id="refused",
        ),
        pytest.param(
            Refused("row 2", "may refuse"), "ranks row 2", ["DIFFERS"], id="refused without leave"
        ),
        pytest.param(Shown("so"), {"a": 1}, ["FOR_A_PERSON"], id="shown beside"),
        pytest.param(NotSaid("no command"), 1, ["NOT_SAID"], id="nothing answers"),
    ],
)
def test_an_answer_is_laid_beside_the_expectation(ours, expected, verdicts):
    assert [row.verdict.name for row in compare(ours, expected)] == verdicts


def test_a_definition_is_written_as_toml():
    import tomllib

    tables = {
        "title": 'a "b"',
        "source": {"paths": ["x.csv"]},
        "table": {"entry": {"join": ["A", "B"], "with": "/"}, "missing": ["–"], "decimals": 2},
    }
    assert tomllib.loads(toml(tables)) == tables


def test_json_with_nan_is_refused():
    with pytest.raises(Trouble, match="NaN"):
        strict_json('{"score": NaN}')


BUILDER = """
import json, subprocess, sys
from pathlib import Path
case, out = sys.argv[1], Path(sys.argv[2])
cases = json.loads((Path(__file__).parent / "cases.json").read_text())
files = next(one for one in cases if one["id"] == case)["case"]["commits"][0]["files"]
out.mkdir(parents=True)
for name, text in files.items():
    (out / name).write_text(text)
git = ["git", "-C", str(out), "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "c1"]):
    subprocess.run([*git, *command], check=True)
"""


def hand(folder, expected):
    case = {
        "id": "plants-by-height",
        "area": "plants",
        "case": {
            "board": {
                "path": "p.csv",
                "entity": "plant",
                "score": "cm",
                "direction": "higher is better",
            },
            "commits": [
                {"at": "2026-01-01T00:00:00Z", "files": {"p.csv": "plant,cm\nelm,9.5\nivy,4\n"}}
            ],
            "do": "The same as `plant,cm\\nivy,4\\n`.",
        },
        "expected": {"answer": expected, "why": "9.5 > 4"},
    }
    folder.mkdir()
    (folder / "cases.json").write_text(json.dumps([case]))
    (folder / "build_case.py").write_text(BUILDER)
    return folder


def plants(trial: Trial):
    board = trial.board()
    (text,) = trial.case.snippets
    alone = trial.board("ivy.csv", repository=trial.variant("alone", lambda _: {"ivy.csv": text}))
    return {"places": board.places(), "alone": alone.ranks(), "read": board.found()}


@pytest.mark.parametrize(
    ("expected", "verdict", "code"),
    [
        pytest.param(
            {"places": {"elm": [1, 9.5], "ivy": [2, 4]}, "alone": {"ivy": 1}, "read": "read"},
            "as expected",
            0,
            id="the right answer",
        ),
        pytest.param(
            {"places": {"elm": [1, 9.5], "ivy": [2, 5]}, "alone": {"ivy": 1}, "read": "read"},
            "differs",
            1,
            id="one value is expected otherwise",
        ),
        pytest.param("elm before ivy", "differs", 1, id="another shape"),
    ],
)
def test_a_case_is_built_asked_and_judged(tmp_path, capsys, monkeypatch, expected, verdict, code):
    monkeypatch.setattr(registry, "has_module", lambda area: area == "plants")
    monkeypatch.setattr(registry, "adapters", lambda areas: {"plants-by-height": plants})
    cases = hand(tmp_path / "cases", expected)
    assert run_cases.main([str(cases), "--json", "--keep", str(tmp_path / "kept")]) == code
    document = json.loads(capsys.readouterr().out)
    assert [(one["case"], one["verdict"]) for one in document["cases"]] == [
        ("plants-by-height", verdict)
    ]
    assert (tmp_path / "kept/plants-by-height/store/board-1/board.toml").is_file()


def test_what_cannot_be_built_or_asked_differs_and_says_why(tmp_path):
    case = run_cases.load_cases(hand(tmp_path / "cases", 1))[0]
    nowhere = Case(case.raw, tmp_path / "none.py")
    found = [
        run_cases.run(nowhere, plants, tmp_path / "a"),
        run_cases.run(case, lambda trial: trial.board(score="kg").ranks(), tmp_path / "b"),
        run_cases.run(case, lambda trial: {}["gone"], tmp_path / "c"),
        run_cases.run(case, None, tmp_path / "d"),
    ]
    assert [str(one.verdict) for one in found] == ["differs"] * 4
    for one, word in zip(found, ("none.py", "kg", "KeyError", "no adapter"), strict=True):
        assert word in one.rows[0].why


def test_areas_without_adapters_are_counted_and_not_run(tmp_path, capsys):
    assert run_cases.main([str(hand(tmp_path / "cases", 1))]) == 0
    assert "plants 1" in capsys.readouterr().out


def test_every_adapter_stands_in_the_module_of_its_area():
    areas = [
        path.stem
        for path in registry.HERE.glob("*.py")
        if path.stem not in ("expectation", "registry", "trial")
    ]
    found = registry.adapters(areas)
    assert {case.split("-")[0] for case in found} <= set(areas)
    assert {adapter.__module__.rpartition(".")[2] for adapter in found.values()} <= set(areas)
