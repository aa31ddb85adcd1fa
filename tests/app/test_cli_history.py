"""What the commands say of entries that leave, return, are renamed, flagged or measured anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.small_board import Garden, define, run
from tests.histories import History

DEFINITION = """\
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["{path}"]

[table]
entry = "pear"
score = "weight"
direction = "higher"
"""


def planted(folder: Path, more: str, *files: str, path: str = "pears.csv") -> Garden:
    """A board `orchard`, one commit a day at noon from 1 April 2026 on."""
    upstream = History(folder / "upstream.git")
    commits = [
        upstream.commit({path: text}, f"2026-04-{day:02}T12:00:00Z")
        for day, text in enumerate(files, 1)
    ]
    define(folder / "store", "orchard", DEFINITION.format(path=path) + more)
    result = run(folder / "store", "crawl")
    assert result.exit_code == 0, result.stderr
    return Garden(folder / "store", upstream, commits)


def csv(*rows: str, header: str = "pear,weight") -> str:
    return "\n".join([header, *rows, ""])


def ranks(garden: Garden, at: str) -> dict[str, int | None]:
    found = garden.json("standings", "orchard", "--at", at)["entries"]
    return {one["entry"]: one["rank"] for one in found}


def verdict(garden: Garden, **claim: Any) -> dict[str, Any]:
    file = garden.store.parent / "claims.json"
    file.write_text(json.dumps([{"board": "orchard", **claim}]))
    return json.loads(garden.run("check", str(file), "--json").stdout)["claims"][0]


def test_a_leader_that_withdraws_is_not_carried_forward(tmp_path):
    whole = csv("conference,310", "anjou,290", "bosc,270")
    garden = planted(
        tmp_path,
        "",
        whole,
        csv("anjou,290", "bosc,270"),
        whole.replace("310", "330"),
    )
    assert ranks(garden, "2026-04-03T00:00:00Z") == {"anjou": 1, "bosc": 2}
    until = ["", "2026-04-03T18:00:00Z"]
    first = {"predicate": "duration", "subject": "conference", "state": {"predicate": "first"}}
    lengths = [
        verdict(garden, **first, value="1", unit="days", span=span, when={"over": until})
        for span in ("total", "longest")
    ]
    assert [one["answer"]["seconds"] for one in lengths] == [30 * 3600, 24 * 3600]
    up = garden.json("changes", "orchard", "--from", garden.commits[0], "--to", garden.commits[1])
    anjou = next(one for one in up["moves"] if one["entry"] == "anjou")
    causes = {name: share for name, share in anjou["causes"].items() if share != "0"}
    assert (anjou["same_score"], causes) == (True, {"left": "-1"})


def test_a_name_passes_from_one_key_to_another(tmp_path):
    header = "pear,label,weight"
    garden = planted(
        tmp_path,
        'name = "label"\n',
        csv("p1,Early,300", "p2,Late,280", header=header),
        csv("p1,Earliest,300", "p2,Late,280", header=header),
        csv("p1,Earliest,300", "p2,Early,320", header=header),
    )
    rows = garden.json("history", "orchard")["rows"]
    names = {key: [one["name"] for one in rows if one["entry"] == key] for key in ("p1", "p2")}
    assert names == {"p1": ["Early", "Earliest", "Earliest"], "p2": ["Late", "Late", "Early"]}
    asked = garden.run("history", "orchard", "--entry", "Early")
    assert asked.exit_code == 2
    assert '"Early" fits 2 entries: p1, p2' in asked.stderr
    first, second = garden.json("reigns", "orchard")["reigns"]
    assert (first["entries"], first["seconds"], second["entries"]) == (["p1"], 48 * 3600, ["p2"])


def test_a_rename_is_proposed_until_both_names_are_listed(tmp_path):
    header = "pear,sugar,acid,weight"
    before = csv("bosc,71.5,20.5,270.5", "anjou,60.1,18.2,250.5", header=header)
    after = before.replace("bosc", "bosc late")
    parts = '[table.parts]\nsugar = "sugar"\nacid = "acid"\n'
    garden = planted(tmp_path, parts, before, after)
    proposed = garden.run("audit", "orchard").stdout
    assert '[aliases]\n"bosc" = "bosc late"' in proposed
    garden.upstream.commit({"pears.csv": after + "bosc,71.5,20.5,270.5\n"}, "2026-04-03T12:00:00Z")
    assert garden.run("crawl").exit_code == 0
    later = garden.run("audit", "orchard").stdout
    assert "no alias, as both are listed in" in " ".join(later.split())
    assert "Proposed" not in later


EDITION = '[edition]\nlabel = { column = "scale" }\n'
OLD = csv("anjou,70,s1", "bosc,68,s1", "comice,50,s1", header="pear,weight,scale")
NEW = csv(
    "anjou,61,s2", "bosc,63,s2", "comice,41,s2", "durondeau,62,s2", header="pear,weight,scale"
)


def test_measured_anew_under_another_edition_nobody_improved(tmp_path):
    garden = planted(tmp_path, EDITION, OLD, NEW)
    document = garden.json("changes", "orchard")
    assert [document[end]["edition"] for end in ("from", "to")] == ["s1", "s2"]
    assert document["editions_differ"]
    moves = {one["entry"]: one for one in document["moves"]}
    assert moves["bosc"]["rank_after"] == 1
    assert (moves["bosc"]["causes"]["own"], moves["bosc"]["edition"]) == (None, "-3/2")
    assert ranks(garden, "latest") == {"bosc": 1, "durondeau": 2, "anjou": 3, "comice": 4}


@pytest.mark.parametrize(
    ("rows", "edition"),
    [
        pytest.param(["anjou,70,s1", "bosc,68,"], "s1", id="a gap says nothing"),
        pytest.param(["anjou,70,s1", "bosc,68,s2"], None, id="two editions in one file"),
        pytest.param(["anjou,70,", "bosc,68,"], None, id="none"),
    ],
)
def test_the_edition_that_a_column_names(tmp_path, rows, edition):
    garden = planted(tmp_path, EDITION, csv(*rows, header="pear,weight,scale"))
    assert garden.json("standings", "orchard")["edition"] == edition


def test_a_file_without_the_column_of_the_edition_has_none(tmp_path):
    garden = planted(tmp_path, EDITION, csv("anjou,70"), OLD)
    rows = garden.json("history", "orchard", "--entry", "anjou")["rows"]
    assert [one["edition"] for one in rows] == [None, "s1"]


def test_the_date_of_a_row_is_not_when_it_was_published(tmp_path):
    early = "- pear: anjou\n  weight: 80\n  picked: 2026-03-20\n"
    late = early + "- pear: bosc\n  weight: 85\n  picked: 2026-03-05\n"
    more = 'attributes = { picked = "picked" }\n'
    garden = planted(tmp_path, more, early, late, path="pears.yml")
    assert ranks(garden, "2026-04-02T00:00:00Z") == {"anjou": 1}
    stood = garden.json("standings", "orchard")["entries"][0]
    assert (stood["entry"], stood["attributes"]["picked"]["date"]) == ("bosc", "2026-03-05")
    assert garden.json("reigns", "orchard")["reigns"][0]["seconds"] == 24 * 3600


def test_a_flag_in_any_spelling_takes_the_rank_and_not_the_history(tmp_path):
    header = "pear,weight,bruised"
    flags = [("false", "false", "False"), ("TRUE", "False", "0"), ("", "", "")]
    files = [
        csv(
            *map(",".join, zip(("anjou,90", "bosc,80", "comice,70"), row, strict=True)),
            header=header,
        )
        for row in flags
    ]
    sound = "not bruised exists or bruised == false or bruised == 0"
    garden = planted(tmp_path, f'eligible = "{sound}"\n', *files)
    assert [ranks(garden, commit) for commit in garden.commits] == [
        {"anjou": 1, "bosc": 2, "comice": 3},
        {"bosc": 1, "comice": 2, "anjou": None},
        {"anjou": 1, "bosc": 2, "comice": 3},
    ]
    ever = garden.run("check", "anjou was ever first on orchard", "--json")
    intervals = json.loads(ever.stdout)["claims"][0]["intervals"]
    assert [one["from"] for one in intervals] == ["2026-04-01T12:00:00Z", "2026-04-03T12:00:00Z"]


def test_a_tie_that_more_decimals_resolve_is_a_tie_of_those_that_stay_equal(tmp_path):
    garden = planted(
        tmp_path,
        "",
        csv("anjou,0.974", "bosc,0.974", "comice,0.974"),
        csv("anjou,0.97421", "bosc,0.97421", "comice,0.97440"),
    )
    for commit in garden.commits:
        tie = {"predicate": "tie", "subject": "anjou", "with": "bosc", "when": {"at": commit}}
        assert verdict(garden, **tie)["verdict"] == "true"
    moves = garden.json("changes", "orchard")["moves"]
    assert [one["same_score"] for one in moves] == [True, True, True]
