"""Verdicts for others: Markdown, an HTML card, ClaimReview; nothing of a claim comes alive."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from app.check import check, given
from app.given import Given
from app.links import links_of
from app.markup import escaped
from app.said import read
from app.verdict_exports import FORMS, RATING, colours, export
from crawler.board import Source
from crawler.store import Store
from history.claims.verdict import WORDS
from tests.app.small_board import PLAIN, define, run
from tests.histories import History

HOSTILE = "<script>alert(1)</script> **b** [x](javascript:alert(1)) @you #1 </article> \u202e`c`"
ELSEWHERE = Source(kind="git", repo="https://github.com/moss/ponds.git", paths=["board.csv"])


@pytest.fixture(scope="module")
def ponds(tmp_path_factory):
    """A store with a board that lists a hostile name, and claims about it."""
    folder = tmp_path_factory.mktemp("ponds")
    upstream = History(folder / "upstream.git")
    quoted = HOSTILE.replace('"', '""')
    upstream.commit(
        {"board.csv": f'model,score\nfern,81.2\n"{quoted}",80.1\n'}, "2026-03-01T08:00:00Z"
    )
    define(folder / "store", "ponds", PLAIN)
    assert run(folder / "store", "crawl").exit_code == 0
    claims = [
        {
            "id": "fern",
            "text": "fern is first",
            "predicate": "first",
            "subject": "fern",
            "boards": ["ponds"],
            "said_by": "Moss & Co",
            "said_at": "2026-03-02",
            "source": "https://example.org/post?a=1&b=2",
        },
        {
            "id": "odd",
            "text": HOSTILE,
            "predicate": "first",
            "subject": HOSTILE,
            "boards": ["ponds"],
            "source": "javascript:alert(1)",
            "said_by": "</script><b>",
        },
        {"id": "elm", "predicate": "first", "subject": "elm", "boards": ["ponds"]},
    ]
    (folder / "claims.json").write_text(json.dumps(claims))
    return folder


def printed(ponds, form, *more):
    result = run(ponds / "store", "check", str(ponds / "claims.json"), "--format", form, *more)
    assert result.exit_code == 5, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def known(ponds):
    """The same, as if the board came from GitHub."""
    store = Store(ponds / "store")
    said = read(str(ponds / "claims.json"), Store(ponds))
    claims, folder = said.claims, said.folder
    found = given(store, claims, check(store, claims, folder))
    return Given(found.document, found.claims, {"ponds": ELSEWHERE})


# --- Markdown ----------------------------------------------------------------------------------


def test_markdown_says_verdict_sentence_evidence_and_age(ponds):
    first = printed(ponds, "md").split("\n\n---\n\n")[0].split("\n\n")
    assert first[0] == "> “fern is first”"
    assert first[1].startswith("**True** (certain). At the end of 2 Mar 2026 (UTC) fern was first")
    assert re.match(
        r"- measured: ponds @ [0-9a-f]{8} board\.csv cell=2,2: fern score 81\.2", first[2]
    )
    assert re.fullmatch(r"Last look: .* ago\.", first[3])


def test_markdown_links_commit_and_file(known):
    commit = known.document["claims"][0]["evidence"][0]["commit"]
    page = "https://github.com/moss/ponds"
    assert f"[ponds @ {commit[:8]}]({page}/commit/{commit})" in export(known, "md")
    assert f"[board.csv]({page}/blob/{commit}/board.csv)" in export(known, "md")


def test_markdown_shows_names_as_they_are(known):
    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tags = set(re.findall(r"<(/?\w+)", page.render(export(known, "md"))))
    ours = {"a", "blockquote", "hr", "li", "p", "strong", "ul"}
    assert {tag.strip("/") for tag in tags} == ours
    assert "javascript:" not in "".join(
        re.findall(r'href="([^"]*)"', page.render(export(known, "md")))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a_b*c`d", r"a\_b\*c\`d", id="emphasis and code"),
        pytest.param("ask @moss", "ask @\u2060moss", id="a mention"),
        pytest.param("see #12", "see #\u206012", id="an issue"),
        pytest.param("https://x.org", "https:\u2060//x.org", id="an address"),
        pytest.param(":smile: 15:13:00Z", ":\u2060smile: 15:13:00Z", id="a picture, not a time"),
        pytest.param("a\n\n# b", "a # b", id="lines"),
        pytest.param("a\u202eb\x1b[0m", "a\\\\u202eb\\\\x1b\\[0m", id="marks that steer"),
        pytest.param("&lt;", r"\&lt;", id="an entity"),
    ],
)
def test_escaped(text, expected):
    assert escaped(text) == expected


# --- HTML --------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Tags, addresses and open elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.texts, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]
        assert not any(name.startswith("on") or name == "style" for name, _ in attributes)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def page(known):
    return _Page(export(known, "html"))


def test_a_card_has_an_article_for_each_claim_and_no_script(page):
    assert page.tags.count("article") == 3
    assert not {"script", "img", "iframe", "link", "b"} & set(page.tags)
    assert page.open == []
    assert all(link.startswith("https://github.com/moss/ponds/") for link in page.links)


def test_a_card_shows_names_as_they_are(page):
    shown = " ".join("".join(page.texts).split())
    assert "“<script>alert(1)</script> **b** [x](javascript:alert(1)) @you #1 </article>" in shown


def test_a_card_fetches_nothing(known):
    text = export(known, "html")
    assert "default-src 'none'" in text and "url(" not in text and "@import" not in text
    assert "prefers-color-scheme: dark" in text
    assert text.isascii()


def luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    lines = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * lines[0] + 0.7152 * lines[1] + 0.0722 * lines[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_are_legible_and_marks_are_seen(dark):
    found = colours(dark)
    for name in ("text", "quiet", "link"):
        assert contrast(found[name], found["ground"]) >= 4.5, name
    for name in ("yes", "no", "mixed"):
        assert contrast(found[name], found["ground"]) >= 3, name
    assert len(set(found.values())) == len(found)


# --- ClaimReview -------------------------------------------------------------------------------


def test_claim_review(ponds):
    text = printed(ponds, "jsonld", "--publisher", "The pond </script>")
    assert "<" not in text and ">" not in text  # no sign can end a script element
    graph = json.loads(text)
    assert graph["@context"] == "https://schema.org"
    true, false, undecided = graph["@graph"]
    assert true["@type"] == "ClaimReview"
    assert true["author"] == {"@type": "Organization", "name": "The pond </script>"}
    assert true["claimReviewed"] == "fern is first"
    assert true["itemReviewed"] == {
        "@type": "Claim",
        "author": {"@type": "Person", "name": "Moss & Co"},
        "datePublished": "2026-03-02",
        "appearance": [{"@type": "CreativeWork", "url": "https://example.org/post?a=1&b=2"}],
    }
    assert {"ratingValue": 5, "bestRating": 5, "worstRating": 1}.items() <= true[
        "reviewRating"
    ].items()
    assert true["reviewRating"]["alternateName"].startswith("True: At the end of 2 Mar 2026")
    assert false["reviewRating"]["ratingValue"] == 1
    assert "appearance" not in false["itemReviewed"]
    assert set(undecided["reviewRating"]) == {"@type", "alternateName"}
    assert undecided["claimReviewed"] == "elm"


def test_one_claim_is_one_object(ponds):
    result = run(ponds / "store", "check", "fern is first on ponds now", "--format", "jsonld")
    review = json.loads(result.stdout)
    assert (review["@context"], review["@type"]) == ("https://schema.org", "ClaimReview")
    assert review["author"]["name"] == "Ranktrail"


def test_every_verdict_has_a_rating_but_one():
    assert set(WORDS) - set(RATING) == {"not_decidable"}


# --- what all share ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "page"),
    [
        pytest.param(
            {"kind": "hub", "repo": "lab/board"},
            "https://huggingface.co/spaces/lab/board/commit/f0",
            id="a Space",
        ),
        pytest.param(
            {"kind": "hub", "repo": "lab/board", "repo_type": "model"},
            "https://huggingface.co/lab/board/commit/f0",
            id="a model",
        ),
        pytest.param(
            {"kind": "git", "repo": "ssh://git@github.com/lab/board"},
            "https://github.com/lab/board/commit/f0",
            id="GitHub by ssh",
        ),
        pytest.param(
            {"kind": "git", "repo": "https://gitlab.example.org/lab/board.git"},
            "https://gitlab.example.org/lab/board/-/commit/f0",
            id="a GitLab of one's own",
        ),
        pytest.param({"kind": "git", "repo": "../board.git"}, None, id="a folder"),
        pytest.param({"kind": "git", "repo": "https://example.org/a/b.git"}, None, id="others"),
        pytest.param({"kind": "git", "repo": "https://github.com/a/b?x=<b>"}, "", id="a query"),
        pytest.param({"kind": "git", "repo": "https://github.com/a/<b>"}, None, id="markup"),
        pytest.param({"kind": "url", "repo": "https://example.org/a.csv"}, None, id="an address"),
        pytest.param({"kind": "hub", "repo": "lab/b", "repo_type": "bucket"}, None, id="a bucket"),
    ],
)
def test_where_a_commit_can_be_seen(monkeypatch, source, page):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    links = links_of(Source(**{"paths": ["a.csv"], **source}))
    assert (None if links is None else links.commit("f0")) == (
        "https://github.com/a/b/commit/f0" if page == "" else page
    )


@pytest.mark.parametrize("form", list(FORMS))
def test_since_exports_only_what_changed(ponds, form):
    run(ponds / "store", "check", str(ponds / "claims.json"))
    arguments = ["check", str(ponds / "claims.json"), "--format", form, "--since", "last"]
    result = run(ponds / "store", *arguments)
    assert result.exit_code == 0
    assert "fern" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--format", "md", "--json"], "one form", id="two forms"),
        pytest.param(["--format", "pdf"], "'pdf'", id="no such form"),
        pytest.param(["--publisher", "me"], "--format jsonld", id="a publisher of nothing"),
        pytest.param(["--format", "jsonld", "--publisher", " "], "empty", id="nobody"),
    ],
)
def test_what_cannot_be_meant(ponds, arguments, words):
    result = run(ponds / "store", "check", "fern is first on ponds now", *arguments)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert words in result.stderr
