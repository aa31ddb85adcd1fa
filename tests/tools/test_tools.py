"""The tools of the house do what they say."""

from __future__ import annotations

import json

import pytest

from history.readers import FORMATS
from tests.tools import bench, bench_board, bench_reading, compare_leaders, docs, fuzz
from tests.tools.bench import Figure
from tests.tools.compare_leaders import Period


def test_the_benchmark_history_is_the_same_each_time(tmp_path):
    first = bench_board.make_history(tmp_path / "a", versions=12, rows=6)
    second = bench_board.make_history(tmp_path / "b", versions=12, rows=6)
    assert _git(first, "rev-parse", "main") == _git(second, "rev-parse", "main")
    assert _git(first, "rev-list", "--count", "main") == "12"


def test_a_step_of_the_benchmark_board_changes_one_to_five_rows():
    board = bench_board.SyntheticBoard(rows=40)
    for version in range(20):
        before = json.loads(board.file(version))["models"]
        board.step()
        after = json.loads(board.file(version))["models"]
        changed = [a["engine"] for a, b in zip(before, after, strict=True) if a["v"] != b["v"]]
        assert 0 < len(changed) <= 5
        order = sorted(after, key=lambda row: row["rank_v"])
        assert [row["v"] for row in order] == sorted((row["v"] for row in after), reverse=True)


def test_the_benchmark_measures_the_whole_path(tmp_path):
    figures = bench.measure(tmp_path / "bench", versions=8, rows=5, times=1)
    assert [figure.what for figure in figures][-3:] == [
        "ranktrail --help",
        "ranktrail standings",
        "ranktrail check",
    ]
    assert all(figure.value > 0 for figure in figures)


def test_the_benchmark_reads_every_format():
    ratios = bench_reading.ratios(bench_board.SyntheticBoard(rows=12).rows)
    assert sorted(ratios) == sorted(FORMATS)
    assert all(ratio > 0 for ratio in ratios.values())


def test_a_few_damaged_files(capsys):
    few = ["--count", "60", "--cover", "0", "--no-bombs", "--formats", "json", "csv"]
    assert fuzz.main(few) == 0
    assert "60 executions" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_limits_hold_on_a_long_history(tmp_path):
    figures = bench.measure(tmp_path / "bench", versions=2000, rows=229, times=3)
    # Twice the limit: other programs may run beside this; and seconds by what this machine takes
    # for the start of other people's code in the same run. `make bench` allows neither.
    slow = bench.slowness(figures)
    over = [
        f"{one} (x{slow:.2f})"
        for one in figures
        if one.limit and one.value > one.limit * 2 * (slow if one.unit == "s" else 1)
    ]
    assert over == []


@pytest.mark.parametrize(
    ("start", "times"),
    [
        pytest.param(0.5 * bench.QUIET_START, 1, id="a quick machine has the limits as they are"),
        pytest.param(bench.QUIET_START, 1, id="a quiet one, too"),
        pytest.param(3 * bench.QUIET_START, 3, id="one that is slow or busy has more time"),
    ],
)
def test_seconds_are_allowed_by_what_a_start_takes(start, times):
    figures = [Figure(bench.STARTED, start, None, "s"), Figure("ranktrail check", 9, 1.5, "s")]
    assert bench.slowness(figures) == pytest.approx(times)


@pytest.mark.parametrize(
    ("value", "limit", "ok"),
    [
        pytest.param(3.99, 4, True, id="below the limit"),
        pytest.param(4.0, 4, True, id="exactly the limit"),
        pytest.param(4.01, 4, False, id="above the limit"),
        pytest.param(9e9, None, True, id="nothing is asked of it"),
    ],
)
def test_a_figure_knows_its_limit(value, limit, ok):
    assert Figure("x", value, limit, "s").ok == ok


def test_periods_are_compared_by_time_and_holders(capsys):
    same = Period("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", ("a",), "ours")
    ours = Period("2026-01-02T00:00:00Z", "", ("b",), "c0ffee")
    theirs = Period("2026-01-02T00:00:00Z", "", ("b", "c"), "decade")
    found = compare_leaders.compare("x", [same, ours], [Period(*_key(same), "theirs"), theirs])
    assert [(one.side, one.period.who) for one in found] == [
        ("ours", ("b",)),
        ("theirs", ("b", "c")),
    ]
    assert capsys.readouterr().out.count("same") == 1


def test_a_document_shows_the_columns_of_a_table(capsys):
    docs.print_table("history.frames", "RANKS")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| column | dtype | meaning |"
    assert lines[2].startswith("| rank | Int64 |")
    assert all(line.startswith("|") for line in lines)


def test_a_stale_document_is_told(tmp_path, monkeypatch):
    document = tmp_path / "README.md"
    block = "<!-- [[[cog\nprint('new')\n]]] -->\n{}\n<!-- [[[end]]] -->\n"
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    document.write_text(block.format("new"), encoding="utf-8")
    assert docs.stale() == []
    document.write_text(block.format("old"), encoding="utf-8")
    assert [line.split(":")[0] for line in docs.stale()] == ["README.md is stale, run `make docs`"]


def _key(period: Period) -> tuple[str, str, tuple[str, ...]]:
    return period.since, period.until, period.who


def _git(repo, *arguments: str) -> str:
    return bench.run("git", "-C", str(repo), *arguments).stdout.strip()
