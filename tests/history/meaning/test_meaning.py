from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.board import BoardError
from tests.history.definitions import TABLE, meaning_of

FULL = """
[table]
format = "json"
rows = "$.models"
entry = "engine"
name = ["name", "title"]
score = "v"
direction = "higher"
decimals = 2
scale = 100
low = "q025"
published_rank = "rank_v"
published_tie_rank = "rank_tie"
tie_rank_counts = "groups"
missing = ["--"]
where = "not kind ~ '^Human' and size < 70"
eligible = "open == true"
keep = "latest"
latest_by = "submitted"
attributes = { size = "params_b" }

[table.parts]
public = "pub"
"new domains" = { column = "nd", direction = "lower" }
error = { first = ["err", "mistakes"] }

[splits]
public = "public"
private = "0.6*public + 0.4*eq(\\"new domains\\", 2)"
both = ["public", "error"]

[ties]
rule = "anchored"
band = 0.9
edge = "exclusive"

[edition]
label = "$.label"

[formula]
score = "max(0, 0.2*public + \\"$.weights.rest\\"*error)"
eq = "eq(x, m) = x - m"

[aliases]
"fern-v1.1" = "fern"

[[alias]]
key = "moss"
entry = "moss (old)"
until = 2026-03-01

[[ignore]]
commit = "0123ABC"
entry = "fern"
why = "a count"

[[ignore]]
from = "2026-03-01T12:00:00+02:00"
until = "0123456789"
why = "another file"

[[note]]
entry = "fern"
from = 2026-02-01
text = "v1.1 weights"
source = "https://example.org"
"""


def test_a_full_definition(tmp_path):
    meaning = meaning_of(tmp_path, FULL)
    table = meaning.table
    assert (table.format, table.rows, table.direction) == ("json", "$.models", "higher")
    assert [str(column) for column in (table.entry, table.name, table.score)] == [
        "engine",
        "name or title",
        "v",
    ]
    assert (table.decimals, table.shift, table.missing) == (2, 2, {"--"})
    assert (table.keep, str(table.latest_by), table.tie_rank_counts) == (
        "latest",
        "submitted",
        "groups",
    )
    assert {name: (str(part.column), part.direction) for name, part in table.parts.items()} == {
        "public": ("pub", "higher"),
        "new domains": ("nd", "lower"),
        "error": ("err or mistakes", "higher"),
    }
    assert meaning.fields == ["score", "public", "new domains", "error", "low"]
    assert [meaning.direction(field) for field in meaning.fields[:-1]] == [
        "higher",
        "higher",
        "lower",
        "higher",
    ]
    assert table.where.names == ("kind", "size")
    assert meaning.splits["both"] == ["public", "error"]
    assert (meaning.ties.rule, meaning.ties.band, meaning.ties.edge) == (
        "anchored",
        "0.9",
        "exclusive",
    )
    assert meaning.formula.names == ("$.weights.rest", "error", "public")
    assert set(meaning.functions) == {"eq"}
    assert meaning.aliases == {"fern-v1.1": "fern"}
    assert meaning.timed_aliases[0].end == datetime(2026, 3, 1, tzinfo=UTC)
    assert [(ignore.commit, ignore.start, ignore.end) for ignore in meaning.ignores] == [
        ("0123abc", None, None),
        (None, datetime(2026, 3, 1, 10, tzinfo=UTC), "0123456789"),
    ]
    assert (meaning.notes[0].text, meaning.notes[0].entry) == ("v1.1 weights", "fern")


def test_the_shortest_definition(tmp_path):
    meaning = meaning_of(tmp_path)
    assert (meaning.table.format, meaning.table.name, meaning.ties.rule) == ("json", None, "none")
    assert (meaning.fields, meaning.splits, meaning.formula) == (["score"], {}, None)


def test_a_band_that_the_file_says(tmp_path):
    ties = meaning_of(tmp_path, TABLE + '[ties]\nrule = "chain"\nband = "$.formula.band"\n').ties
    assert (ties.band, ties.band_path) == (None, "$.formula.band")


BASE = TABLE.strip()


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param("", None, "there is no [table]", id="no table"),
        pytest.param('[table]\nentry = "a"\nscore = "b"', 7, "[table] has no 'direction'. Add it: direction = \"higher\" or", id="no direction"),
        pytest.param('[table]\nscore = "b"\ndirection = "higher"', 7, "has no 'entry'", id="no key"),
        pytest.param(BASE + '\nscroe = "x"', 11, "unknown key 'scroe' in [table]. Did you mean score", id="a misspelt key"),
        pytest.param(BASE.replace("higher", "up"), 10, "direction = \"up\". It should be 'higher' or 'lower'", id="no direction known"),
        pytest.param(BASE + '\ndecimals = "2"', 11, 'decimals = "2". It should be a valid integer', id="a wrong type"),
        pytest.param(BASE + "\nscale = 'percent'\nse = 'x'", 12, "se beside scale = \"percent\". Take it out", id="shares of 1 and a standard error"),
        pytest.param(BASE + "\nscale = 'percents'", 11, "scale = \"percents\". It should be", id="a scale that is no word"),
        pytest.param(BASE + "\n[splits]\nall = { borda = ['a'] }", 12, "all: there is no part 'a'. Name the parts in [table.parts]", id="a count of nothing"),
        pytest.param(BASE + "\n[splits]\nall = { borda = [] }", 12, "{ borda = [...] }, or a list of parts", id="an empty count"),
        pytest.param(BASE + "\nscale = 3", 11, "scale = 3. Use a power of ten", id="a scale that is no power"),
        pytest.param(BASE + '\nwhere = "a ="', 11, "stops making sense at letter 3", id="a broken condition"),
        pytest.param(BASE + "\nwhere = '\"$.a[\" == 1'", 11, "no JSONPath", id="a broken path in one"),
        pytest.param(BASE + "\nrows = '$.models['", 11, "rows = '$.models[' is no JSONPath", id="rows"),
        pytest.param(BASE + "\nrows = 'models'", 11, "is no JSONPath. Write one such as $.models", id="rows by name"),
        pytest.param(BASE + "\nname = 7", 11, "name: 7 is no column; write a name, a list", id="no column"),
        pytest.param(BASE + '\nlayout = "tall"', 11, "layout = \"tall\". It should be 'rows', 'columns', 'wide' or 'long'", id="no such layout"),
        pytest.param(BASE + '\nnot_entries = ["x"]', 11, "not_entries without layout \"wide\"", id="a key of wide"),
        pytest.param(BASE + '\nformat = "xls"', 11, "no format 'xls'", id="no such format"),
        pytest.param(BASE + '\nkeep = "latest"', 11, "goes with latest_by", id="latest of what"),
        pytest.param(BASE + "\n[table.parts]\nscore = 'x'", 12, "a part cannot be named 'score'", id="a taken name"),
        pytest.param(BASE + "\n[table.parts]\na = { column = 'x', direction = 'up' }", 12, "direction = \"up\"", id="a part's direction"),
        pytest.param(BASE + "\n[table.parts]\npub = 'x'\n[splits]\nall = 'pubb'", 14, "all: there is no part 'pubb'. Parts are pub", id="a split of nothing"),
        pytest.param(
            BASE + "\n[splits]\nall = 'b'\n[[since]]\ndate = 2026-03-01\ntable.parts.b = 'x'",
            12,
            "Only [[since]] number 1 has it: move splits.all into that [[since]], too",
            id="a split of a part that comes later",
        ),
        pytest.param(BASE + "\n[table.parts]\npub = 'x'\n[splits]\nall = ['pub', 'b']", 14, "there is no part 'b'", id="a list with nothing"),
        pytest.param(BASE + "\n[table.parts]\na = 'x'\nb = 'y'\n[splits]\na = 'b'", 15, "is a part and a split of something else", id="a part's name"),
        pytest.param(BASE + "\n[splits]\nscore = 'x'", 12, "a split cannot be named 'score'", id="a split named score"),
        pytest.param(BASE + "\n[splits]\nall = 5", 12, "Write a part, a formula", id="a split that is a number"),
        pytest.param(BASE + "\n[ties]\nrule = 'interval'", 12, "rule 'interval' without intervals", id="interval"),
        pytest.param(BASE + "\nlow = 'lo'\n[ties]\nrule = 'interval'", 13, "without intervals", id="half an interval"),
        pytest.param(BASE + "\nse = 'se'\n[ties]\nrule = 'interval'\nband = 1", 14, "rule 'interval' with a band", id="an interval has no band"),
        pytest.param(BASE + "\n[ties]\nrule = 'chain'", 11, "rule 'chain' without a band", id="no band"),
        pytest.param(BASE + "\n[ties]\nband = 1", 12, "rule 'none' with a band", id="a band without a rule"),
        pytest.param(BASE + "\n[ties]\nrule = 'chain'\nband = -1", 13, "band = -1", id="a negative band"),
        pytest.param(BASE + "\n[edition]\nlabel = 'label'", 12, "label = 'label' is no JSONPath. Write one such as $.label, or label = { column = \"label\" }", id="a label"),
        pytest.param(BASE + "\n[edition]\nlabel = { colum = 'label' }", 12, "label: ", id="a label's column"),
        pytest.param(BASE + "\n[formula]\nscore = 'pub + 1'", 12, "Name the parts in [table.parts]", id="a formula of nothing"),
        pytest.param(BASE + "\n[formula]\neq = 'x - m'", 12, "is no function; write eq(x) = ...", id="a helper"),
        pytest.param(BASE + "\n[aliases]\na = 'b'\nb = 'c'", 12, "'b' is itself an alias. Write 'a' = 'c'", id="an alias of an alias"),
        pytest.param(BASE + "\n[[alias]]\nkey = 'a'\nentry = 'b'\n[[alias]]\nkey = 'a'\nentry = 'c'\nfrom = 'soon'", 17, "neither a commit (7 to 40 hex digits) nor a date", id="since when"),
        pytest.param(BASE + "\n[[ignore]]\nwhy = 'x'\nfrom = 0001-01-01T00:00:00+14:00", 13, "no time of the years 1 to 9999", id="ignore before all years"),
        pytest.param(BASE + "\n[[ignore]]\nwhy = 'x'", 11, "names a commit and a time, or neither", id="ignore what"),
        pytest.param(BASE + "\n[[ignore]]\ncommit = '0123abc'", 11, "[[ignore]] has no 'why'", id="ignore why"),
        pytest.param(BASE + "\n[[note]]\ntxt = 'x'", 12, "unknown key 'txt' in [[note]]. Did you mean text", id="a note"),
    ],
)  # fmt: skip
def test_a_definition_that_makes_no_sense(tmp_path, text, line, says):
    with pytest.raises(BoardError) as error:
        meaning_of(tmp_path, text)
    file = str(tmp_path / "garden" / "board.toml")
    assert error.value.where == (f"{file}:{line}" if line else file)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            "[edition]\nlabel = '$.label'", 'csv. Write label = { column = "NAME" }', id="a label"
        ),
        pytest.param(
            "[ties]\nrule = 'chain'\nband = '$.band'", "in a file of format csv", id="a band"
        ),
    ],
)
def test_paths_in_a_csv_file_are_refused(tmp_path, text, says):
    with pytest.raises(BoardError, match=says):
        meaning_of(tmp_path, TABLE + text, "board.csv")


def test_a_file_whose_name_tells_no_format(tmp_path):
    with pytest.raises(BoardError, match="'README' does not tell the format"):
        meaning_of(tmp_path, path="README")
    assert meaning_of(tmp_path, TABLE + 'format = "csv"', "README").table.format == "csv"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        pytest.param(TABLE + "# a comment\n", True, id="a comment changes nothing"),
        pytest.param(TABLE + "[splits]\n", True, id="a split is not in the scores"),
        pytest.param(TABLE + "[[note]]\ntext = 'x'\n", True, id="nor is a note"),
        pytest.param(TABLE.replace("higher", "lower"), False, id="a direction"),
        pytest.param(TABLE + "[aliases]\na = 'b'\n", False, id="an alias"),
        pytest.param(TABLE + "[edition]\nlabel = '$.l'\n", False, id="an edition"),
    ],
)
def test_the_digest_changes_with_what_scores_depend_on(tmp_path, text, same):
    plain = meaning_of(tmp_path / "a").digest
    assert (meaning_of(tmp_path / "b", text).digest == plain) is same
