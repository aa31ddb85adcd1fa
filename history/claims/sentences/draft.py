"""What do the parts of one claim say together?

In: the parts that the grammar found, in any order. Out: a Draft: whom it is about, the states that
it claims, where and when. Start at read_draft(). What cannot be said together is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from history.claims.sentences.parts import ALONE, RANKS, Draft, Fail, Part
from history.claims.sentences.stated import Stated

_TIMES = ("on", "moment", "stretch", "since", "until", "month", "throughout")


def read_draft(parts: Sequence[Part], before: Draft | None, fail: Fail) -> Draft:
    """What the parts of one claim say.

    Args:
        parts: in their order.
        before: the claim before it in the sentence, from which it takes what it leaves out.
        fail: makes the error about a place in the sentence.
    """
    return _Reader(parts, before, fail).draft()


class _Reader(Stated):
    def draft(self) -> Draft:
        self._once_each()
        self._names()
        self._places()
        self._verbs()
        self._times()
        found = self.found
        found.states = self.states()
        found.length, found.streak = self.of("length"), self.of("streak")
        if found.streak and not found.length:
            raise self.fail(found.streak.start, "")
        return found

    def _once_each(self) -> None:
        groups = {
            "a predicate": (*RANKS, *ALONE, "outside"),
            "a value": ("amount",),
            "a rival": ("ahead", "behind", "versus"),
            "a time": (*_TIMES, "now"),
            "a place": ("place",),
            "a split": ("split",),
            "an adverb": ("adverb",),
            "a length": ("length",),
            "a pronoun": ("pronoun",),
            "a span": ("streak",),
            "a number of entries": ("out_of",),
            "a quantity": ("quantity", "reversed"),
        }
        for what, kinds in groups.items():
            twice = [part for part in self.parts if part.kind in kinds][1:]
            if twice:
                what = what.removeprefix("a ").removeprefix("an ")
                raise self.fail(twice[0].start, f"it gives two {what}s")

    # --- whom and where --------------------------------------------------------------------------

    def _names(self) -> None:
        asks = self.parts[0].kind == "verb" and self.parts[0].said("IS", "DO", "HAVE")
        if asks and len(self.parts) > 1 and self.parts[1].kind in ("name", "pronoun", "place"):
            raise self.fail(self.parts[0].start, "it asks")
        named = [n for n, part in enumerate(self.parts) if part.kind == "name"]
        if len(named) > 1:
            raise self.fail(self.parts[named[1]].start, "")
        pronoun = self.of("pronoun")
        if pronoun and named and self.parts[named[0] - 1].kind != "colon":
            raise self.fail(pronoun.start, "")
        for n in named:
            part = self.parts[n]
            linked = part.said("FOR", "BY") or (
                n > 0 and self.parts[n - 1].kind in ("verb", "colon")
            )
            if n > self.first_predicate() and not linked:
                raise self.fail(part.start, "")
            word = part.word("ENTRY", "PAIR")
            assert word is not None
            self.found.subjects = word.names

    def _places(self) -> None:
        found = self.found
        for n, part in enumerate(self.parts):
            if part.kind not in ("place", "split"):
                continue
            bare = len(part.words) == 1
            if bare and not self._may_be_bare(n):
                raise self.fail(part.start, "")
            word = part.words[-1]
            if part.kind == "place":
                found.boards, found.each = word.names, word.value in ("list", "or")
                if word.value == "or" and not self.has("negation") and not self._never():
                    raise self.fail(part.start, f'"{word.said}" leaves open which board')
            else:
                found.split = word.names[0]

    def _may_be_bare(self, n: int) -> bool:
        """Whether a board may stand without "on": as what leads, is led, or is spoken of."""
        before = self.parts[n - 1].kind if n else ""
        if before in ("first", "leads", "colon", "split", "place", "top", "sole"):
            return True
        if n > self.first_predicate():
            return False
        follows = self.parts[n + 1 : n + 2]
        if follows and follows[0].said("SCOREOF"):
            return True
        after = [part for part in self.parts[n + 1 :] if part.kind == "name"]
        if not after:
            return not self.found.subjects
        until = self.parts[n + 1 : self.parts.index(after[0])]
        return any(
            part.kind == "colon" or part.said("HAVE", "GIVE", "VERB", "PLACE") for part in until
        )

    def _never(self) -> bool:
        return any(part.said("NEVER") for part in self.parts)

    # --- when --------------------------------------------------------------------------------------

    def _verbs(self) -> None:
        found = self.found
        words = [word for part in self.parts for word in part.words]
        tenses = [word.tense for word in words if word.tense]
        found.has_verb = bool(tenses) or self.has("colon")
        found.tense = tenses[0] if tenses else ""
        # "has 229 models ranked": a verb after a number is no part of the tense.
        until = next((n for n, word in enumerate(words) if word.kind == "NUMBER"), len(words))
        kinds = [word.kind for word in words[:until] if word.tense or word.kind == "IS"]
        if found.tense == "now" and kinds[:1] == ["HAVE"] and len(kinds) > 1:
            # "has been", "has led": what was so at some time up to now.
            found.tense = "past"
        denials = [part for part in self.parts if part.kind == "negation" or part.said("NEVER")]
        if self.has("different"):
            denials = denials[1:] if not self._never() else denials
        if self.has("outside"):
            denials.append(self.parts[0])
        if len(denials) > 1:
            raise self.fail(denials[1].start, "it denies twice")
        found.denied = bool(denials)

    def _times(self) -> None:
        found = self.found
        adverb = self.of("adverb")
        if adverb:
            found.adverb = "always" if adverb.said("ALWAYS", "THROUGHOUT") else "ever"
        found.now = self.has("now")
        found.time = self.of(*_TIMES)
        if found.time and self.parts.index(found.time) < self.first_predicate():
            found.leads = True
        if found.time and found.time.kind == "throughout":
            if adverb:
                raise self.fail(found.time.start, "it gives two times")
            found.adverb = "always"
        if found.now and adverb:
            raise self.fail(adverb.start, f'"{adverb.words[0].said}" with one moment')
