"""Is a [[since]] that makes no sense refused, with its line, and does each count in the digest?"""

from __future__ import annotations

import pytest

from crawler.board import BoardError
from tests.history.definitions import meaning_of
from tests.history.meaning.test_meaning import BASE

SINCE = BASE + "\n[[since]]\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param("table.name = 'x'", 11, "does not say, in one way, where it begins", id="no beginning"),
        pytest.param("date = 2026-03-01\ncommit = '0123abc'\ntable.name = 'x'", 11, "in one way", id="two beginnings"),
        pytest.param("date = 2026-03-01", 11, "[[since]] changes nothing", id="no change"),
        pytest.param("date = '0123abc'\ntable.name = 'x'", 12, "date is no date. Write commit = ...", id="a commit as a date"),
        pytest.param("commit = '2026-03-01'\ntable.name = 'x'", 12, "commit is no commit. Write date = ...", id="a date as a commit"),
        pytest.param("date = 'soon'\ntable.name = 'x'", 12, "neither a commit (7 to 40 hex digits) nor a date", id="soon"),
        pytest.param("when = '$.a ='\ntable.name = 'x'", 12, "stops making sense", id="a broken condition"),
        pytest.param("when = 'edition == 4'\ntable.name = 'x'", 12, "'edition' is a column, which has as many values as rows", id="a column's value"),
        pytest.param("when = 'a exists and a == 4'\ntable.name = 'x'", 12, "'a' is a column, which has as many values as rows", id="also beside exists"),
        pytest.param("when = '\"$.a[\" exists'\ntable.name = 'x'", 12, "no JSONPath", id="a broken path"),
        pytest.param("date = 2026-03-01\nsource.paths = ['b.json']", 13, "source in [[since]]. Write all files into [source], paths =", id="the source"),
        pytest.param("date = 2026-03-01\naliases.a = 'b'", 13, "aliases in [[since]]. Write [[alias]] with from", id="aliases"),
        pytest.param("date = 2026-03-01\ntabel.score = 'b'", 13, "unknown key 'tabel' in [[since]]. Did you mean table", id="a misspelt table"),
        pytest.param("date = 2026-03-01\ntable.scroe = 'b'", 13, "unknown key 'scroe' in [table]. Did you mean score", id="a misspelt key"),
        pytest.param("date = 2026-03-01\n[since.table]\nscore = 7", 14, "score: 7 is no column", id="a table of its own"),
        pytest.param("date = 2026-03-01\n[since.table.parts]\na = 7", 14, "a: 7 is no column", id="parts of their own"),
        pytest.param("date = 2026-03-01\ntable.entry = false", 13, "[table] has no 'entry'", id="nothing is left"),
        pytest.param("date = 2026-03-01\nsplits.all = 'pub'", 13, "there is no part 'pub'", id="a split of nothing"),
        pytest.param("date = 2026-03-01\nties.rule = 'chain'", 11, "rule 'chain' without a band", id="half a rule"),
        pytest.param("date = 2026-03-01\ntable.parts.a = 'x'\nsplits.s = 'a'\n[[since]]\ndate = 2026-03-02\ntable.parts.a = false", 15, "there is no part 'a'", id="what an earlier one needs"),
    ],
)  # fmt: skip
def test_a_since_that_makes_no_sense(tmp_path, text, line, says):
    with pytest.raises(BoardError) as error:
        meaning_of(tmp_path, SINCE + text)
    assert error.value.where == f"{tmp_path / 'garden' / 'board.toml'}:{line}"
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["date = 2026-03-02\ntable.name = 'x'", "date = 2026-03-01\ntable.name = 'y'"]
)
def test_the_digest_changes_with_a_since(tmp_path, text):
    plain = meaning_of(tmp_path / "a", SINCE + "date = 2026-03-01\ntable.name = 'x'")
    assert meaning_of(tmp_path / "b", SINCE + text).digest != plain.digest
