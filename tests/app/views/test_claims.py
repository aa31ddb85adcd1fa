"""What does the page of claims answer to a sentence, a pasted text, and a claims file?"""

from __future__ import annotations

import json

import pytest

from app.tables import clean
from app.views import claim_words
from tests.app.pages import claims_file, table, texts
from tests.app.small_board import DEFINITION, VERSIONS, board_json, define, plant, run

AS_OF = "fern is #1 on garden as of 2026-03-01"
TEXT = """\
# Meet fern

fern is #1 on garden as of 2026-03-01. It would beat everything. Moss was ever first on garden.
"""


def plain(text: str) -> str:
    """Markdown of ours without its escapes."""
    return text.replace("\\", "").replace("\u2060", "")


def verdict(app) -> str:
    """The sentence on top of a claim's page."""
    return plain(app.subheader[0].value)


def downloads(app) -> list[str]:
    return [one.proto.label for one in app.get("download_button")]


class TestOneClaim:
    def test_a_sentence_gets_the_verdict_that_check_gives(self, view, garden):
        app = view(garden.store, "claims", claim=AS_OF)
        (told,) = garden.json("check", AS_OF)["claims"]
        body = told["sentence"].removeprefix("True. ").partition(" Last look: ")[0]
        assert verdict(app) == f":green[:material/check_circle: **True.**] {body}"
        assert texts(app.caption).startswith("Certain: no digit")

    def test_evidence_says_label_place_and_printed_text(self, view, garden):
        app = view(garden.store, "claims", claim=AS_OF)
        (told,) = garden.json("check", AS_OF)["claims"]
        rows = app.table[0].value.map(plain)
        assert rows[["Label", "Entry", "Field", "Printed", "Place in it"]].to_numpy().tolist() == [
            [one["label"], one["entry"], one["field"], f"**{one['text']}**", one["pointer"]]
            for one in told["evidence"]
        ]
        assert rows["Commit"].iloc[0] == f"`{garden.commits[0][:8]}`"
        assert rows["Of (UTC)"].iloc[0] == "2026-03-01 08:00"

    def test_when_it_held_is_cut_where_nobody_knows(self, view, garden):
        app = view(garden.store, "claims", claim="fern was ever first on garden")
        spans = table(app)
        assert spans["State"].tolist() == ["held", "not held", "unknown", "not held"]
        assert spans.iloc[0][["From", "Until", "Lasted", "Commit"]].tolist() == [
            "2026-03-01 08:00 UTC",
            "2026-03-02 09:00 UTC",
            "25 h",
            garden.commits[0][:8],
        ]

    def test_each_part_has_its_own_row_of_time(self, view, garden):
        said = "fern is first and moss is second on garden as of 2026-03-01"
        spans = table(view(garden.store, "claims", claim=said))
        assert list(dict.fromkeys(spans["What"])) == [
            "The whole claim",
            "fern: first on garden",
            "moss: 2nd on garden",
        ]
        of_moss = spans[spans["What"] == "moss: 2nd on garden"]
        # first from 2 March 09:00 on, unreadable from 15:00, second again from 3 March on
        assert of_moss["State"].tolist() == ["held", "not held", "unknown", "held"]

    def test_a_claim_about_a_stretch_says_nothing_wrong_of_other_times(self, view, garden):
        """Its verdict lists the stretches that meet its window alone."""
        said = "fern was first on garden from 2026-03-02T10:00Z to 2026-03-02T12:00Z"
        app = view(garden.store, "claims", claim=said)
        assert verdict(app).startswith(":red[")
        assert table(app)["State"].tolist() == ["held", "not held", "unknown", "not held"]

    def test_what_would_be_true_opens_as_a_claim_that_is_true(self, view, garden):
        said = "moss is first on garden as of 2026-03-01T12:00Z"
        app = view(garden.store, "claims", claim=said)
        (told,) = json.loads(run(garden.store, "check", said, "--json").stdout)["claims"]
        shown = [plain(one.label) for one in app.button if one.key.startswith("open near")]
        stated = {plain(clean(one["statement"])) for one in told["nearest"]}
        assert shown and set(shown) <= stated
        app.button(key="open near 0").click().run()
        assert verdict(app).startswith(":green[")

    def test_the_copies_are_what_check_writes(self, view, garden):
        app = view(garden.store, "claims", claim=AS_OF)
        told = run(garden.store, "check", AS_OF, "--format", "md").stdout
        link, copied = (one.value for one in app.code)
        without_clock = [text.rpartition("Last look")[0] for text in (copied, told)]
        assert without_clock[0] == without_clock[1] != ""
        assert link.endswith("?claim=fern+is+%231+on+garden+as+of+2026-03-01")
        files = ["Download HTML card", "Download Markdown", "Download JSON", "Download JSON-LD"]
        assert [name for name in downloads(app) if name in files] == files

    def test_what_the_sentence_says_is_not_said_again(self, view, garden):
        app = view(garden.store, "claims", claim="moss is first on garden as of 2026-03-01T12:00Z")
        assert "first on garden later" in verdict(app)
        assert "It was first" not in texts(app.markdown)

    def test_typing_a_sentence_writes_the_address(self, view, garden):
        app = view(garden.store, "claims")
        app.text_input(key="type claim").input("moss is 2nd on garden now").run()
        assert app.query_params["claim"] == "moss is 2nd on garden now"
        assert verdict(app).startswith(":green[")

    def test_a_claim_that_ends_like_a_file_is_never_read_as_one(self, view, garden, tmp_path):
        file = claims_file(tmp_path)
        app = view(garden.store, "claims", claim=f"see {file}")
        assert "Fern leads" not in texts(app.error) + texts(app.markdown)
        assert app.error


class TestPassage:
    def test_a_pasted_text_yields_its_claims_with_their_words(self, view, garden):
        app = view(garden.store, "claims", claim=TEXT)
        quoted = [plain(one.value) for one in app.markdown if one.value.startswith("“")]
        assert quoted == [
            "“fern is #1 on garden as of 2026-03-01.”",
            "“Moss was ever first on garden.”",
        ]
        assert "2 claims found in the text; confirm" in texts(app.text)
        assert 'Not understood: "It would beat everything."' in texts(app.text)
        assert app.text_area(key="type text").value == TEXT

    def test_each_opens_and_leads_back(self, view, garden):
        app = view(garden.store, "claims", claim=TEXT)
        app.button(key="open 2").click().run()
        assert app.query_params["show"] == "2"
        assert "Claimed: “Moss was ever first on garden.”" in plain(texts(app.markdown))
        assert app.table[0].value["Entry"].iloc[0] == "moss"
        app.button(key="open all").click().run()
        assert "show" not in app.query_params
        assert app.subheader[0].value == "Claims in this text"

    def test_a_text_is_put_into_the_address(self, view, garden):
        app = view(garden.store, "claims")
        app.text_area(key="type text").input(TEXT)
        app.button[0].click().run()
        assert app.query_params["claim"] == TEXT.strip()
        assert app.subheader[0].value == "Claims in this text"

    @pytest.mark.parametrize("number", ["3", "x"])
    def test_a_claim_that_the_text_does_not_have_is_named(self, number, view, garden):
        app = view(garden.store, "claims", claim=TEXT, show=number)
        said = f'show: no claim "{number}" in this text. It can be 1 to 2.'
        assert plain(texts(app.error)) == said

    def test_a_text_without_a_claim_says_so(self, view, garden):
        app = view(garden.store, "claims", claim="What a day. The sun shines.")
        assert "no claim was found" in texts(app.error)

    def test_nothing_is_saved(self, view, growing):
        before = {file: file.read_bytes() for file in growing.store.rglob("*") if file.is_file()}
        view(growing.store, "claims", claim="fern is #1 on garden. moss is 2nd on garden now.")
        view(growing.store, "claims", claim="fern is #1 on garden now")
        after = {file: file.read_bytes() for file in growing.store.rglob("*") if file.is_file()}
        assert after == before


class TestTheFileAndTheWords:
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
        assert "Claimed: “Fern is \\*second\\*”" in texts(app.markdown)
        assert verdict(app).startswith(":red[:material/cancel: **False.**]")

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
        offered = [one.label for one in app.button if one.key.startswith("open ")]
        assert len(offered) == 4
        app.button(key=f"open {plain(offered[0])}").click().run()
        assert verdict(app).startswith(":green[")

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
        assert verdict(view(planted.store, "claims", claim=example)).startswith(":green[")

    @pytest.mark.parametrize(
        "address",
        [
            pytest.param({"board": "vision"}, id="where the reader comes from"),
            pytest.param({"claim": "nobody is #1 on vision now"}, id="where it was heading"),
        ],
    )
    def test_examples_are_about_the_board_that_the_reader_has_in_mind(
        self, address, view, tmp_path
    ):
        planted = plant(tmp_path, VERSIONS[:1])
        define(planted.store, "vision", DEFINITION.replace("garden", "vision"))
        assert run(planted.store, "crawl").exit_code == 0
        example = view(planted.store, "claims", **address).text_input(key="type claim").placeholder
        assert example == "fern is #1 on vision now"

    def test_a_broken_claims_file_is_said_and_the_page_still_works(
        self, view, garden, monkeypatch, tmp_path
    ):
        file = tmp_path / "claims.toml"
        file.write_text("[[claim]\n")
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(file))
        app = view(garden.store, "claims", claim="fern is 3rd on garden now")
        assert "Claims file" in texts(app.warning)
        assert verdict(app).startswith(":green[")


@pytest.mark.parametrize(
    ("statement", "sentences"),
    [
        pytest.param(
            "At the last look fern was 2nd of 3 on text (71.5; moss led with 72), in the top 3",
            [
                "fern was 2nd of 3 on text (71.5; moss led with 72), in the top 3 now",
                "fern was 2nd of 3 on text (71.5; moss led with 72) now",
                "fern was 2nd of 3 on text now",
            ],
            id="what is said besides is cut off step by step",
        ),
        pytest.param(
            "On 2 Mar 2026 at 15:00 UTC fern was first on text",
            ["fern was first on text as of 2 Mar 2026 15:00 UTC"],
            id="a moment",
        ),
        pytest.param("Fern leads", ["Fern leads"], id="no time"),
    ],
)
def test_a_statement_of_ours_becomes_a_sentence(statement, sentences):
    assert list(claim_words.candidates(statement)) == sentences
