"""What does the page of an audit say, whole or of one version?"""

from __future__ import annotations

import json
import subprocess

import pytest

from app.views import raw_files
from history.audit.smells.kinds import KINDS
from tests.app.audited_board import BROKEN, GOOD, VERSIONS, hedge_json, plant_hedge
from tests.app.pages import texts
from tests.app.small_board import Garden, run


@pytest.fixture(scope="module")
def hedge(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    return plant_hedge(tmp_path_factory.mktemp("hedge"))


def told(hedge: Garden, *more: str) -> dict:
    return json.loads(run(hedge.store, "audit", "hedge", "--json", *more).stdout)


def plain(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def named(app, column: str):
    """The table that has a column."""
    tables = [*app.table, *app.dataframe]
    return next(one.value for one in tables if column in one.value.columns)


def headings(app) -> list[str]:
    return [one.value for one in app.subheader]


def test_every_finding_of_the_command_stands_on_the_page(view, hedge):
    app = view(hedge.store, "audit", board="hedge")
    wanted = [
        (one["kind"], one["entry"] or "-", one["found"], version["commit"][:8])
        for version in reversed(told(hedge)["versions"])
        for one in version["smells"]
    ]
    shown = named(app, "Found").map(plain)
    assert sorted(
        zip(
            shown["Kind"],
            shown["Entry"],
            shown["Found"],
            shown["Commit"].str.strip("`"),
            strict=True,
        )
    ) == sorted(wanted)
    assert "6 findings of 4 kinds; 1 of 5 versions without a finding." in texts(app.markdown)


def test_kinds_have_their_counts_and_what_they_mean(view, hedge):
    summed = named(view(hedge.store, "audit", board="hedge"), "Findings").map(plain)
    assert summed.to_numpy().tolist() == [
        [kind, KINDS[kind].says, number, number]
        for kind, number in (
            ("unreadable", "2"),
            ("jumped_back", "2"),
            ("rank_contradicts_score", "1"),
            ("off_formula", "1"),
        )
    ]


def test_one_kind_is_shown_and_the_address_says_which(view, hedge):
    app = view(hedge.store, "audit", board="hedge", show="off_formula")
    assert named(app, "Found")["Kind"].map(plain).tolist() == ["off_formula"]
    app.selectbox(key="choose show").select("unreadable").run()
    assert app.query_params["show"] == "unreadable"
    assert len(named(app, "Found")) == 2


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        pytest.param("nonsense", 'show: no kind of finding "nonsense". Kinds are', id="no kind"),
        pytest.param("stale", "Nothing of the kind stale was found.", id="none of it"),
    ],
)
def test_a_kind_that_is_not_there_is_said(kind, said, view, hedge):
    app = view(hedge.store, "audit", board="hedge", show=kind)
    assert said in plain(texts(app.error) + texts(app.info))


def test_without_a_moment_the_formula_has_its_course(view, hedge):
    table = named(view(hedge.store, "audit", board="hedge"), "Farthest off")
    by_version = [
        (round(one["formula"]["worst"], 9), len(one["formula"]["rows"]), one["formula"]["compared"])
        for one in told(hedge)["versions"]
        if one["formula"]["ok"] is not None
    ]
    columns = ["Farthest off", "Not what it gives", "Compared"]
    assert [(round(a, 9), b, c) for a, b, c in table[columns].to_numpy().tolist()] == by_version
    assert [row[1] for row in by_version] == [0, 1, 0]


def test_of_one_version_every_score_is_held_against_the_formula(view, hedge):
    """70.0 is the mean of 69.8 and 70.2; 68.05 that of 68.0 and 68.1, where 69.6 is printed."""
    app = view(hedge.store, "audit", board="hedge", at=hedge.commits[1])
    rows = named(app, "Computed minus printed")
    assert rows[
        ["Entry", "Printed", "Computed", "Computed minus printed", "Is"]
    ].to_numpy().tolist() == [
        ["fern", "70.5", "70.5", "+0", "to the printed digit"],
        ["moss", "70.0", "70", "+0", "to the printed digit"],
        ["<b>oak</b>", "69.6", "68.05", "-1.55", "not what the formula gives"],
        ["ivy", "66.0", "66", "+0", "to the printed digit"],
    ]


def test_published_ranks_that_disagree_lead_to_the_standings(view, hedge):
    table = named(view(hedge.store, "audit", board="hedge"), "Contradicts")
    (version,) = [one for one in told(hedge)["versions"] if one["published_rank"]["rows"]]
    assert table[["Entry", "Published", "Computed", "Contradicts"]].to_numpy().tolist() == [
        [row["entry"], row["published"], row["computed"], "yes"]
        for row in version["published_rank"]["rows"]
    ]
    assert version["commit"] == hedge.commits[1]
    ends = f"standings?board=hedge&at={hedge.commits[1]}"
    assert all(address.endswith(ends) for address in table["Standings"])


def test_the_rule_that_explains_the_tie_ranks(view, hedge):
    app = view(hedge.store, "audit", board="hedge", at=hedge.commits[1])
    (version,) = told(hedge, "--at", hedge.commits[1])["versions"]
    table = named(app, "Band from")
    assert table[["Rule", "Edge", "Band from", "to below", "Comparisons"]].to_numpy().tolist() == [
        [fit[name] for name in ("rule", "edge", "band_low_text", "band_high_text", "witnesses")]
        for fit in version["tie_rule"]["fits"]
    ]
    assert "are those of anchored" in texts(app.text)


class TestUnreadable:
    def test_all_are_there_with_their_bytes_as_text(self, view, hedge):
        app = view(hedge.store, "audit", board="hedge")
        assert "2 of 5. Nothing is known" in texts(app.text)
        (broken,) = [one.value for one in app.code if "HEAD" in one.value]
        assert broken == BROKEN.strip()
        labels = [one.label for one in app.expander if one.label.startswith("The bytes")]
        assert labels == [
            f"The bytes of 2026-03-04 08:00 UTC, {hedge.commits[3][:8]}",
            f"The bytes of 2026-03-03 08:00 UTC, {hedge.commits[2][:8]}",
        ]

    def test_of_a_moment_only_its_own(self, view, hedge):
        app = view(hedge.store, "audit", board="hedge", at="2026-03-03")
        assert headings(app) == ["What was found", "The file that cannot be read", "To keep"]
        assert f"board.json, {len(BROKEN)} bytes, as published:" in plain(texts(app.markdown))

    def test_the_bytes_are_those_of_the_blob(self, hedge, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(hedge.store))
        for version, text in enumerate(VERSIONS):
            (file,) = raw_files.held("hedge", version)
            published = subprocess.run(
                [
                    "git",
                    f"--git-dir={hedge.upstream.folder}",
                    "show",
                    f"{hedge.commits[version]}:board.json",
                ],
                capture_output=True,
                check=True,
            ).stdout
            assert raw_files.content("hedge", file.blob) == published == text.encode()

    def test_a_pointer_is_said_to_be_one(self, view, hedge):
        app = view(hedge.store, "audit", board="hedge", at=hedge.commits[3])
        assert "a Git LFS pointer" in plain(texts(app.markdown))


def test_a_board_without_a_fault_is_told_so_calmly(view, tmp_path):
    planted = plant_hedge(tmp_path, (hedge_json(GOOD),))
    app = view(planted.store, "audit", board="hedge")
    assert texts(app.success) == "Nothing was found in 1 version."
    assert headings(app) == [
        "The formula",
        "Published ranks",
        "The tie rule that is printed",
        "To keep",
    ]
    assert "Every published rank is the computed one." in texts(app.caption)


def test_files_are_those_of_the_command(hedge, monkeypatch):
    from app.views import audit, audit_of

    monkeypatch.setenv("RANKTRAIL_STORE", str(hedge.store))
    document = audit_of.document("hedge", None)
    assert document == told(hedge)
    assert audit._csv(document) == run(hedge.store, "audit", "hedge", "--csv").stdout
    history = audit_of.answers.history("hedge")
    one = audit_of.document("hedge", history.find(hedge.commits[1]))
    assert one == told(hedge, "--at", hedge.commits[1])


def test_a_moment_that_is_none_is_said(view, hedge):
    app = view(hedge.store, "audit", board="hedge", at="2026-02-01")
    assert "before the first version" in texts(app.error)
