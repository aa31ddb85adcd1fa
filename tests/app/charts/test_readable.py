"""Every text of a chart can be read, and what is drawn apart stays apart."""

from __future__ import annotations

import altair as alt
import pandas as pd

from app.charts.composed import Composed, Group
from app.charts.readable import Readable

LONG = "m" * 5000
NAMES = [LONG + "a", LONG + "b", "turned\u202ex", "two\nlines", "fern", "fern\u2060"]
CUT = "m" * 80 + "…"
READ = [CUT, CUT + "\u2060", "turned\\u202ex", "two lines", "fern", "fern\u2060"]


def rows() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": NAMES,
            "kind": pd.Categorical(NAMES),
            "link": [f"claims?claim={LONG}"] * len(NAMES),
            "rank": range(len(NAMES)),
        }
    )


def drawn(data: pd.DataFrame) -> alt.Chart:
    x = alt.X("name:N", title=NAMES[2], sort=NAMES).scale(domain=NAMES)
    tips = [alt.Tooltip("name:N", title=LONG), alt.Tooltip("rank:Q")]
    return alt.Chart(data).mark_point().encode(x=x, y="rank:Q", tooltip=tips, href="link:N")


def only(spec: dict) -> list[dict]:
    [data] = spec["datasets"].values()
    return data


def test_texts_are_cut_and_cleaned_and_twins_stay_two():
    spec = Readable(drawn(rows())).to_dict()
    data = only(spec)
    assert [one["name"] for one in data] == READ
    assert [one["kind"] for one in data] == READ
    assert {one["link"] for one in data} == {f"claims?claim={LONG}"}
    x = spec["encoding"]["x"]
    assert (x["scale"]["domain"], x["sort"], x["title"]) == (READ, READ, READ[2])
    assert spec["encoding"]["tooltip"][0]["title"].rstrip("\u2060") == CUT


def test_what_vega_reads_and_the_frame_of_others_stay_as_they_are():
    expression = f"datum.name == '{LONG}' ? 1 : 0"
    axis = alt.Axis(labelExpr=expression)
    data = rows()
    chart = drawn(data).transform_calculate(shown=expression).encode(y=alt.Y("rank:Q", axis=axis))
    spec = Readable(chart.properties(description=NAMES[2] + LONG)).to_dict()
    assert spec["transform"] == [{"calculate": expression, "as": "shown"}]
    assert spec["encoding"]["y"]["axis"]["labelExpr"] == expression
    assert spec["description"] == ("turned\u202ex" + LONG)[:80].replace("\u202e", "\\u202e") + "…"
    pd.testing.assert_frame_equal(data, rows())


def test_layers_and_pictures_of_layers_share_their_texts():
    data = rows()
    layered = Readable(alt.layer(drawn(data), drawn(data.iloc[1:2]))).to_dict()
    names = [[one["name"] for one in part] for part in layered["datasets"].values()]
    assert sorted(names, key=len) == [READ[1:2], READ]
    picture = Composed([drawn(data), Group([drawn(data.iloc[1:2])])], LONG, False, 100, 100)
    spec = Readable(picture).to_dict()
    names = [[one["name"] for one in part] for part in spec["datasets"].values()]
    assert sorted(names, key=len) == [READ[1:2], READ]
    assert spec["description"] == CUT
