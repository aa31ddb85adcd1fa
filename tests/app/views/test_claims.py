"""What does the page of claims answer to a sentence, and to a claims file?"""

from __future__ import annotations

import pytest

from tests.app.pages import claims_file, table, texts
from tests.app.small_board import board_json, plant, run


class TestClaims:
    def test_a_sentence_gets_its_verdict_and_evidence(self, view, garden):
        app = view(garden.store, "claims", claim="fern is #1 on garden as of 2026-03-01")
        assert "True" in texts(app.success)
        evidence = app.dataframe[-1].value
        assert evidence[["Entry", "Printed", "Label"]].to_numpy().tolist()[0] == [
            "fern",
            "71.5",
            "measured",
        ]
        assert evidence["Commit"].iloc[0] == garden.commits[0][:10]
        told = run(garden.store, "check", "fern is #1 on garden as of 2026-03-01")
        assert told.exit_code == 0

    def test_typing_a_sentence_writes_the_address(self, view, garden):
        app = view(garden.store, "claims")
        app.text_input(key="type claim").input("moss is 2nd on garden now").run()
        assert app.query_params["claim"] == "moss is 2nd on garden now"
        assert app.success

    def test_when_it_held_is_cut_where_nobody_knows(self, view, garden):
        app = view(garden.store, "claims", claim="fern was ever first on garden")
        spans = app.dataframe[0].value
        assert spans["State"].tolist() == ["held", "not held", "unknown", "not held"]
        assert spans["Time"].iloc[0] == "2026-03-01 08:00 UTC to 2026-03-02 09:00 UTC"

    def test_claims_of_the_file_are_listed_and_can_be_opened(
        self, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        listed = table(view(garden.store, "claims"))
        assert listed.columns.tolist() == ["Verdict", "Claim", "Text", "Why"]
        assert listed[["Verdict", "Claim"]].to_numpy().tolist() == [
            ["True", "good"],
            ["False", "bad"],
        ]
        assert not listed["Why"].str.match("True|False").any()
        app = view(garden.store, "claims", claim="bad")
        assert app.text_input(key="type claim").value == ""
        assert app.selectbox(key="choose claim").label == "Or choose one of 2 claims"
        assert app.error and "“Fern is \\*second\\*”" in app.subheader[0].value

    def test_a_claims_file_in_the_store_is_found(self, view, growing):
        claims_file(growing.store)
        assert table(view(growing.store, "claims"))["Claim"].tolist() == ["good", "bad"]

    @pytest.mark.parametrize(
        ("claim", "named"),
        [
            pytest.param("what a fine day", "fine", id="no claim"),
            pytest.param("nobody is #1 on garden now", "nobody", id="an unknown entry"),
            pytest.param("fern is #1 on meadow now", "meadow", id="an unknown board"),
        ],
    )
    def test_what_is_not_understood_is_named(self, claim, named, view, garden):
        app = view(garden.store, "claims", claim=claim)
        assert named in texts(app.error)
        assert not app.success

    @pytest.mark.parametrize(
        ("claim", "hint"),
        [
            pytest.param("god", "Nearest: good.", id="one is near"),
            pytest.param("C99", "Nearest: good, bad.", id="none is near"),
        ],
    )
    def test_an_id_that_is_not_there_is_named_with_the_nearest(
        self, claim, hint, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        app = view(garden.store, "claims", claim=claim)
        assert texts(app.error).replace("\\", "") == f'no claim "{claim}". {hint}'

    def test_without_a_claims_file_one_word_is_no_claim(self, view, garden):
        said = texts(view(garden.store, "claims", claim="C99").error)
        assert said.replace("\\", "") == 'no claim "C99". No claims file is there.'

    @pytest.mark.parametrize("entry", ["fern", "first of all", "a&b=c#d/é"])
    def test_the_example_is_a_sentence_about_this_store_that_can_be_checked(
        self, entry, view, tmp_path
    ):
        rows = board_json("1", (entry, entry, 71.5, 1.0, 1.0))
        planted = plant(tmp_path, [("2026-03-01T08:00:00Z", rows)])
        example = view(planted.store, "claims").text_input(key="type claim").placeholder
        assert entry in example
        assert view(planted.store, "claims", claim=example).success

    def test_what_the_sentence_says_is_not_said_again(self, view, garden):
        app = view(garden.store, "claims", claim="moss is first on garden as of 2026-03-01T12:00Z")
        assert "first on garden later" in texts(app.error)
        assert "What would be true" not in texts(app.text)
        assert "Note: It was" not in texts(app.text)

    def test_a_broken_claims_file_is_said_and_the_page_still_works(
        self, view, garden, monkeypatch, tmp_path
    ):
        file = tmp_path / "claims.toml"
        file.write_text("[[claim]\n")
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(file))
        app = view(garden.store, "claims", claim="fern is 3rd on garden now")
        assert "Claims file" in texts(app.warning) and app.success
