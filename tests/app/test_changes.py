"""Who moved, and why, as the command says it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from history.pipeline import open_board
from tests.histories import History

DEFINITION = """
[source]
kind = "git"
repo = "{repo}"
paths = ["board.json"]
[table]
rows = "$.rows"
entry = "id"
score = "s"
direction = "higher"
decimals = 1
eligible = "not open == false"
[table.parts]
a = "a"
b = "b"
[splits]
public = "a"
mean = "0.5*a + 0.5*b"
[ties]
rule = "anchored"
band = "$.band"
[edition]
label = "$.label"
"""
FORMULAS = """
[formula]
score = "0.6*a + 0.4*b"
[[since]]
when = "$.label == '2'"
formula.score = "0.2*a + 0.8*b"
"""


def row(key: str, a: float, b: float, weight: float = 0.6, *, open: bool = True) -> dict:
    score = round(weight * a + (1 - weight) * b, 1)
    return {"id": key, "s": score, "a": a, "b": b, "open": open}


class Plot:
    """A store with one board, whose versions a test publishes."""

    def __init__(self, folder: Path, more: str = ""):
        self.repo = History(folder / "upstream.git")
        self.store = folder / "store"
        (self.store / "plot").mkdir(parents=True)
        text = DEFINITION.format(repo=self.repo.folder) + more
        (self.store / "plot" / "board.toml").write_text(text, encoding="utf-8")
        self.commits: list[str] = []

    def publish(self, *rows: dict, label: str = "1", band: float = 0.5) -> str:
        day = len(self.commits) + 1
        text = json.dumps({"label": label, "band": band, "rows": list(rows)})
        self.commits.append(self.repo.commit({"board.json": text}, f"2026-03-{day:02}T12:00:00Z"))
        return self.commits[-1]

    def break_it(self) -> None:
        day = len(self.commits) + 1
        self.commits.append(self.repo.commit({"board.json": "{"}, f"2026-03-{day:02}T12:00:00Z"))

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(cli, ["--store", str(self.store), *arguments])

    def crawl(self) -> Plot:
        assert self.run("crawl").exit_code == 0
        return self

    def json(self, *arguments: str) -> dict:
        result = self.run("changes", "plot", *arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def moves(self, *arguments: str) -> dict[str, dict]:
        return {one["entry"]: one for one in self.json(*arguments)["moves"]}


@pytest.fixture
def plot(tmp_path) -> Plot:
    return Plot(tmp_path)


def causes(one: dict) -> dict[str, Fraction]:
    return {name: Fraction(share) for name, share in one["causes"].items() if share != "0"}


def adds_up(one: dict) -> bool:
    told = [Fraction(share) for share in one["causes"].values() if share is not None]
    told += [Fraction(one["edition"])] if one["edition"] else []
    return sum(told) == one["rank_after"] - one["rank_before"]


FERN, MOSS, OAK = row("fern", 70, 70), row("moss", 65, 65), row("oak", 60, 60)


def test_the_last_two_versions_that_differ(plot):
    plot.publish(FERN, MOSS)
    plot.publish(FERN, MOSS, row("elm", 67, 67))
    plot.publish(FERN, MOSS, row("elm", 67, 67), band=0.7)
    document = plot.crawl().json()
    assert document["from"]["commit"] == plot.commits[0]
    assert document["to"]["commit"] == plot.commits[2]
    assert document["steps"] == 2
    moves = {one["entry"]: one for one in document["moves"]}
    assert [one["status"] for one in document["moves"]] == ["same", "joined", "moved"]
    assert causes(moves["moss"]) == {"joined": 1}
    assert moves["moss"]["rivals"] == [{"entry": "elm", "causes": {"joined": "1"}}]
    assert list(moves["moss"]["causes"]) == [
        *("own", "others", "joined", "left", "formula", "eligibility", "band")
    ]
    elm = moves["elm"]
    assert (elm["causes"], elm["rank_before"], elm["rank_after"]) == (None, None, 2)
    assert elm["would_have_been"] == 2


def test_who_left_and_who_lost_the_right_to_a_rank(plot):
    plot.publish(FERN, MOSS, OAK, row("elm", 50, 50))
    plot.publish(MOSS | {"open": False}, OAK, row("elm", 50, 50))
    moves = plot.crawl().moves()
    assert moves["fern"]["status"] == "left" and moves["fern"]["would_have_been"] == 1
    assert moves["moss"]["status"] == "unranked" and moves["moss"]["causes"] is None
    assert causes(moves["oak"]) == {"left": -1, "eligibility": -1}
    assert moves["elm"]["rank_after"] == 2


def test_commits_one_by_one_add_up(plot):
    plot.publish(FERN, MOSS, OAK)
    plot.publish(FERN, row("moss", 72, 72), OAK)
    plot.publish(row("fern", 75, 75), row("moss", 72, 72), OAK, row("elm", 73, 73))
    plot.crawl()
    moves = plot.moves("--from", plot.commits[0])
    assert causes(moves["moss"]) == {"own": -1, "others": 1, "joined": 1}
    half = Fraction(1, 2)  # elm joined above the old fern and below the new one
    assert causes(moves["fern"]) == {"others": 1, "own": -1 - half, "joined": half}
    assert all(adds_up(one) for one in moves.values() if one["causes"])


def test_who_was_away_in_between_is_held_from_end_to_end(plot):
    plot.publish(FERN, MOSS, OAK)
    plot.publish(FERN, OAK)
    plot.publish(FERN, row("moss", 71, 71), OAK)
    moves = plot.crawl().moves("--from", plot.commits[0])
    assert moves["moss"]["by_ends"] and causes(moves["moss"]) == {"own": -1}
    assert not moves["fern"]["by_ends"] and causes(moves["fern"]) == {"joined": 1}


def test_an_unreadable_version_is_stepped_over(plot):
    plot.publish(FERN, MOSS)
    plot.break_it()
    plot.publish(FERN, row("moss", 71, 71))
    moves = plot.crawl().moves()
    assert causes(moves["moss"]) == {"own": -1}
    refused = plot.run("changes", "plot", "--from", plot.commits[1])
    assert refused.exit_code == 1 and "cannot be read" in refused.stderr and not refused.stdout
    assert "give one with --from" in refused.stderr.lower()


def test_editions_that_nothing_bridges_are_one_cause(plot):
    plot.publish(FERN, MOSS, OAK)
    plot.publish(
        row("fern", 50, 50), row("moss", 55, 55), row("oak", 45, 45), row("elm", 53, 53), label="2"
    )
    document = plot.crawl().json()
    assert document["editions_differ"]
    moves = {one["entry"]: one for one in document["moves"]}
    fern = moves["fern"]
    assert not fern["separable"] and fern["fitted"] and adds_up(fern)
    assert [fern["causes"][name] for name in ("own", "others", "formula")] == [None] * 3
    # On the old scale elm would have had 68, below fern; it is above only in the new edition.
    assert (fern["edition"], fern["causes"]["joined"]) == ("3/2", "1/2")
    assert document["equated"]["shift"] == "-15"
    assert document["equated"]["causes"]["fern"]["formula"] == "0"
    printed = plot.run("changes", "plot").stdout
    assert "cannot be told apart" in " ".join(printed.split())


def test_formulas_of_both_editions_tell_the_causes_apart(tmp_path):
    plot = Plot(tmp_path, FORMULAS)
    plot.publish(row("fern", 80, 60), row("moss", 65, 75), row("oak", 66, 66))
    new = 0.2
    plot.publish(
        row("fern", 80, 62, new), row("moss", 65, 75, new), row("oak", 66, 66, new), label="2"
    )
    moves = plot.crawl().moves()
    fern = moves["fern"]
    assert fern["separable"] and fern["edition"] is None and adds_up(fern)
    # Under the new formula b counts most: moss passes it, with its new data or its old.
    assert (fern["rank_before"], fern["rank_after"]) == (1, 3)
    assert causes(fern) == {"formula": 2}


def test_a_formula_that_does_not_give_the_scores_bridges_nothing(tmp_path):
    plot = Plot(tmp_path, FORMULAS)
    plot.publish(row("fern", 80, 60), row("moss", 65, 75) | {"s": 99.0})
    plot.publish(row("fern", 80, 60, 0.2), row("moss", 65, 75, 0.2), label="2")
    assert not plot.crawl().moves()["fern"]["separable"]


def test_tie_ranks_have_a_cause_of_their_own(plot):
    rows = [row(key, s, s) for key, s in zip("abcde", (69.1, 68.7, 68.3, 68.0, 67.2), strict=True)]
    plot.publish(*rows, band=0.9)
    rows[3] = row("d", 68.2, 68.2)
    plot.publish(*rows, band=0.5)
    document = plot.crawl().json("--rank", "tie", "--entry", "d")
    assert document["rank"] == "tie"
    assert [one["band"] for one in document["ties"]] == [0.9, 0.5]
    [one] = document["moves"]
    assert (one["rank_before"], one["rank_after"]) == (4, 3)
    assert causes(one) == {"own": Fraction(-3, 2), "band": Fraction(1, 2)}
    assert causes(plot.moves("--entry", "d")["d"]) == {}


def test_a_split_has_moves_of_its_own(plot):
    plot.publish(row("fern", 70, 60), row("moss", 65, 69))
    plot.publish(row("fern", 70, 60), row("moss", 72, 40))
    moves = plot.crawl().moves("--split", "public")
    assert causes(moves["moss"]) == {"own": -1}
    assert plot.json("--split", "mean")["split"] == "mean"
    refused = plot.run("changes", "plot", "--split", "nothing")
    assert refused.exit_code == 2 and not refused.stdout


def test_numbers_times_a_hundred_and_more_decimals(tmp_path):
    plot = Plot(tmp_path)
    text = plot.store / "plot" / "board.toml"
    text.write_text(text.read_text().replace("decimals = 1\n", "scale = 1\n"))
    plot.publish(*(FERN | {"id": key, "s": s} for key, s in (("fern", 0.57), ("moss", 0.563))))
    plot.publish(
        *(FERN | {"id": key, "s": s} for key, s in (("fern", 57.0), ("moss", 56.3), ("elm", 56.8)))
    )
    document = plot.crawl().json()
    moves = {one["entry"]: one for one in document["moves"]}
    assert document["rescaled"] == 2
    assert causes(moves["moss"]) == {"joined": 1} and moves["moss"]["same_score"]
    assert "multiplied by 100" in plot.run("changes", "plot").stdout


def test_four_decimals_become_ten(tmp_path):
    plot = Plot(tmp_path)
    text = plot.store / "plot" / "board.toml"
    text.write_text(text.read_text().replace("decimals = 1\n", ""))
    plot.publish(*(FERN | {"id": key, "s": 0.9742} for key in ("north", "south", "east")))
    plot.publish(
        FERN | {"id": "north", "s": 0.9742381205},
        FERN | {"id": "south", "s": 0.9742381205},
        FERN | {"id": "east", "s": 0.9742400001},
    )
    moves = plot.crawl().moves()
    assert [moves[key]["rank_after"] for key in ("north", "south", "east")] == [2, 2, 1]
    assert all(one["same_score"] for one in moves.values())
    assert plot.json()["only_digits"]
    printed = " ".join(plot.run("changes", "plot").stdout.split())
    assert "No score changed" in printed and "digits of others" in printed
    assert "scores of others" not in printed


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["--from", "latest"], 2, "the same version", id="nothing between"),
        pytest.param(
            ["--from", "2026-03-02", "--to", "2026-03-01"], 2, "other way", id="backwards"
        ),
        pytest.param(["--from", "2026-02-01"], 2, "", id="before the first version"),
        pytest.param(["--entry", "yew"], 2, "no entry", id="an unknown entry"),
        pytest.param(["--tie", "chain"], 2, "has no band", id="a rule without a band"),
        pytest.param(
            ["--to", "2026-03-01"], 1, "no version before", id="the first has none before"
        ),
    ],
)
def test_what_cannot_be_compared(plot, arguments, code, said):
    plot.publish(FERN, MOSS)
    plot.publish(FERN, row("moss", 71, 71))
    result = plot.crawl().run("changes", "plot", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr


def test_only_one_version(plot):
    plot.publish(FERN, MOSS)
    result = plot.crawl().run("changes", "plot")
    assert result.exit_code == 1 and "no two versions" in result.stderr


def test_a_board_that_is_scored_anew_names_its_largest_rivals(plot):
    names = [f"m{n:02}" for n in range(40)]
    plot.publish(*(row(name, n, n) for n, name in enumerate(names)))
    plot.publish(*(row(name, 40 - n, 40 - n) for n, name in enumerate(names)))
    document = plot.crawl().json()
    [last] = [one for one in document["moves"] if one["entry"] == "m39"]
    assert len(last["rivals"]) == 39 and set(last["rival_counts"]) == {"own", "others"}
    assert all(adds_up(one) for one in document["moves"])
    printed = plot.run("changes", "plot").stdout
    assert "36 more" in printed and "lost 39" in printed


def test_what_people_read(plot):
    many = [row(f"m{n}", 40 - n, 40 - n) for n in range(9)]
    plot.publish(FERN, MOSS, *many)
    plot.publish(FERN, MOSS, row("elm", 67, 67), *many)
    printed = plot.crawl().run("changes", "plot").stdout
    assert "Joined: elm (rank 2)." in printed
    assert "10 entries, moss to m8" in printed and "who joined +1 (elm +1)" in printed
    csv = plot.run("changes", "plot", "--csv").stdout.splitlines()
    assert csv[0].startswith("entry,name,status,rank_before,rank_after")
    assert len(csv) == 13


def test_what_happened_in_a_step_is_what_its_moves_say(plot):
    plot.publish(FERN, MOSS, OAK)
    plot.publish(FERN, row("moss", 72, 72), row("elm", 50, 50) | {"open": False})
    plot.publish(FERN, row("moss", 72, 72), row("elm", 50, 50), row("ash", 61, 61))
    plot.publish(row("fern", 7, 7), row("elm", 5, 5), label="2")
    compared = open_board(plot.crawl().store, "plot").moves()
    for ends in [*pairwise(compared.readable), (0, 3)]:
        moves, step, places = compared.between(*ends), compared.step(*ends), compared.places(*ends)
        for name, entries in (("joined", step.joined), ("left", step.left)):
            assert {one.entry for one in moves.moves if one.status == name} <= set(entries)
        assert step.moved == sum(one.status == "moved" for one in moves.moves)
        if step.re_scored is not None:
            other = {one.entry for one in moves.moves if one.same_score is False}
            assert step.re_scored == tuple(sorted(other))
        told = {"causes": None, "edition": None, "separable": True, "fitted": False}
        told |= {"by_ends": False, "rivals": ()}
        bare = [replace(one, **told) for one in moves.moves]
        assert [replace(one, **told) for one in places.moves] == bare
        assert places.steps == moves.steps
    assert compared.step(0, 1).joined == ("elm",)  # listed, though it may not be ranked
    assert compared.step(1, 2).unranked == ("elm",)
    assert compared.step(2, 3).re_scored is None
