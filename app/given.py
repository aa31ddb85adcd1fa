"""What are verdicts given with, for others to read?

The document of `check` with what was said and where the boards come from. Start at Given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.wording import Document

if TYPE_CHECKING:
    from crawler.board import Source
    from history.claims.language.claim import Claim

PUBLISHER = "Ranktrail"


@dataclass(frozen=True, slots=True)
class Given:
    """What an export is made of.

    Attributes:
        document: of `check`.
        claims: what was said, one for each verdict of the document.
        sources: board -> where it comes from.
        publisher: who says it.
    """

    document: Document
    claims: Sequence[Claim]
    sources: Mapping[str, Source]
    publisher: str = PUBLISHER

    def only(self, ids: Sequence[str]) -> Given:
        """The same of some claims."""
        both = zip(self.document["claims"], self.claims, strict=True)
        kept = [(one, claim) for one, claim in both if one["id"] in ids]
        document = self.document | {"claims": [one for one, _ in kept]}
        return Given(document, [claim for _, claim in kept], self.sources, self.publisher)


def gap_text(claim: Document) -> str:
    """What is said of an entry whose number is not there."""
    return "not listed" if any("not listed" in note for note in claim["notes"]) else "no number"
