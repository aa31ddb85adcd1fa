"""Which states does one claim of a sentence give?

In: its parts. Out: fields of Claim, of one predicate, or of a place and a value. Start at states().
"""

from __future__ import annotations

from collections.abc import Sequence

from history.claims.language.claim import ClaimError
from history.claims.language.printed import number
from history.claims.sentences.amounts import whole
from history.claims.sentences.parts import RANKS, RELATIONS, VALUES, Fields, Part, Parts
from history.claims.sentences.words import Word

_FLIPPED = {"=": "=", ">=": "<=", ">": "<", "<=": ">=", "<": ">"}
_PLACING = ("ranked", "placed", "place")
# Words before a number that is no place.
_OF_VALUES = ("AT", "WITH", "BY", "UP", "POINTS", "LEADOF", "SCOREOF")


class Stated(Parts):
    """What is claimed, without whom, where and when."""

    def states(self) -> list[Fields]:
        """The states that the parts claim together, with their conditions."""
        self._class()
        states = self._states()
        self._refuse_unused(states)
        if self.filters:
            self._filter(states)
        return states

    def _class(self) -> None:
        """Conditions that entries must meet: open first, then size."""
        for part in self.parts:
            if part.kind == "class_":
                self.filters += dict.fromkeys(
                    word.value for word in part.words if word.kind == "OPEN"
                )
        for part in self.parts:
            if part.kind == "size":
                self.filters.append(f"size {self._size_op(part)} '{self._size(part)}'")
        if len(self.filters) > len({text.split()[0] for text in self.filters}):
            raise self.fail(self.parts[0].start, "it gives two conditions of one kind")

    def _size_op(self, part: Part) -> str:
        bound = part.word("GE", "LE", "GT", "LT", "SMALLER")
        if bound:
            return bound.value
        if part.said("ORLESS"):
            return "<="
        raise self.fail(part.start, "a size needs under, up to, over or at least")

    def _size(self, part: Part) -> str:
        word = part.word("SIZE")
        assert word is not None
        return word.value

    def _filter(self, states: list[Fields]) -> None:
        part = self.of("class_", "size")
        assert part is not None
        for state in states:
            if state["predicate"] not in ("first", "rank", "top_k", "count"):
                raise self.fail(part.start, "")
            state["filter"] = " and ".join(self.filters)
            if state["predicate"] == "first":
                state["predicate"] = "first_in_class"

    def _states(self) -> list[Fields]:
        if self.has("factor"):
            return [self._ratio()]
        if self.has("quantity", "reversed", "condition"):
            part = self.of("quantity", "reversed", "condition")
            assert part is not None
            raise self.fail(part.start, "")
        if self.has("count"):
            return [self._count()]
        if self.has("tie"):
            return [self._compared("tie")]
        if self.has("noise", "different"):
            return [self._compared("noise")]
        states = [self._rank()] if self.has(*RANKS, "outside") else []
        if self.has(*VALUES) and not self._counts_open():
            states.append(self._value())
        elif self.has("amount"):
            return [self._count()]
        return states or self._states_before()

    def _states_before(self) -> list[Fields]:
        """`X is first on text and Y on vision`: what was said of X."""
        before = self.before
        if (
            before is None
            or not before.states
            or self.has("verb", "class_", "size", "sole", "joint")
            or not (self.has("name") and self.has("place"))
        ):
            raise self._nothing_said()
        if any("other" in state or "value" in state for state in before.states):
            raise self._nothing_said()
        return [dict(state) for state in before.states]

    def _refuse_unused(self, states: list[Fields]) -> None:
        """Nothing that was said may be left out of what is claimed."""
        predicates = {state["predicate"] for state in states}
        used = {
            "sole": bool(predicates & {"first", "rank"}),
            "joint": bool(predicates & {"first", "rank"}) and not self.has("sole"),
            "out_of": "rank" in predicates,
            "significant": "noise" in predicates and self.has("ahead", "behind", "different"),
        }
        counted = self.of("amount")
        if counted and [part.kind for part in self._after(counted)[:1]] == ["class_"]:
            used["class_"] = predicates == {"count"}
        for kind, is_used in used.items():
            part = self.of(kind)
            if part and not is_used:
                raise self.fail(part.start, "")

    def _after(self, part: Part) -> Sequence[Part]:
        return self.parts[self.parts.index(part) + 1 :]

    def _nothing_said(self) -> ClaimError:
        verb, name = self.of("verb"), self.of("name")
        if name and not verb and self.before and self.before.relation:
            return self.fail(self.parts[-1].stop, "it leads several entries")
        return self.fail(verb.stop if verb else self.parts[-1].stop, "")

    def _counts_open(self) -> bool:
        """`12 open models are listed`: a number and a class of entries."""
        amount, class_ = self.of("amount"), self.of("class_")
        if amount is None or class_ is None or self.has(*RANKS):
            return False
        return class_.said("MODEL") and self.parts.index(class_) == self.parts.index(amount) + 1

    def _rank(self) -> Fields:
        if self.has("top", "outside"):
            part = self.of("top", "outside")
            assert part is not None
            word = part.word("TOP")
            assert word is not None
            self._positive(int(word.value), word)
            return {"predicate": "top_k", "k": int(word.value)}
        out_of, nth = self.of("out_of"), self.of("nth")
        of = None
        if out_of:
            self._check_follows(out_of)
            of_word = out_of.word("NUMBER")
            assert of_word is not None
            of = self._whole(of_word)
        sole: Fields = {"sole": True} if self.has("sole") else {}
        if nth is None and of is None:
            self._refuse_bound(self.of("first"))
            return {"predicate": "first", **sole, **self._led_by()}
        n = 1
        if nth:
            word = nth.word("NTH")
            assert word is not None
            n = int(word.value)
            self._positive(n, word)
        if of is not None and n > of:
            raise self.fail((nth or self.parts[0]).start, f"there is no place {n} of {of}")
        more: Fields = {"predicate": "rank", "n": n, **sole}
        if of is not None:
            more["of"] = of
        if nth and (nth.said("GE", "ORBETTER", "NOWORSE")):
            more["op"] = "<="
        else:
            self._refuse_bound(nth)
        return more

    def _check_follows(self, out_of: Part) -> None:
        """A number of entries stands right after the place."""
        before = [part for part in self.parts[: self.parts.index(out_of)] if part.kind != "verb"]
        if not before or before[-1].kind not in ("first", "nth", "sole", "joint"):
            raise self.fail(out_of.start, "")

    def _refuse_bound(self, part: Part | None) -> None:
        bound = part.word("ABOUT", "GE", "LE", "GT", "LT", "ORBETTER") if part else None
        if bound:
            raise self.fail(bound.start, f'"{bound.said}" with a place')

    def _led_by(self) -> Fields:
        part = self.of("led_by")
        if part is None:
            return {}
        if self.found.subjects:
            return {"predicate": "ahead", "subject": part.entry, "other": self.found.subjects[0]}
        self.found.subjects = (part.entry,)
        return {}

    def _compared(self, predicate: str) -> Fields:
        part = self.of("tie", "noise", "different")
        assert part is not None
        if self.has(*RANKS, *VALUES, "out_of"):
            extra = self.of(*RANKS, *VALUES, "out_of")
            assert extra is not None
            raise self.fail(extra.start, "")
        if part.kind == "different" and not self.has("negation"):
            raise self.fail(part.start, "it does not say which one is better")
        pair = part.word("PAIR")
        if pair and self.found.subjects:
            raise self.fail(pair.start, "")
        subjects = pair.names if pair else self.found.subjects
        if part.entry and len(subjects) < 2:
            return {"predicate": predicate, "other": part.entry}
        if not part.entry and len(subjects) == 2:
            self.found.subjects = subjects[:1]
            return {"predicate": predicate, "other": subjects[1]}
        raise self.fail(part.stop, "")

    def _value(self) -> Fields:
        """A score, a difference, or who is ahead."""
        amount, relation = self.of("amount"), self.of(*RELATIONS)
        found = self.found
        if relation:
            found.relation = relation.entry, -1 if relation.kind == "behind" else 1
        if amount is None:
            assert relation is not None
            return self._ahead(relation)
        if self.has("significant"):
            raise self.fail(amount.start, "")
        found.valued = True
        needs = amount.said("UP", "LEADOF", "BY")
        if relation is None and (needs or not found.has_verb):
            if self.before is not None and self._continues():
                found.relation = self.before.relation
                if self.has("name") and found.relation:
                    raise self.fail(amount.start, "it names no rival")
            if found.relation is None and needs:
                raise self.fail(amount.stop, "it names no rival")
            if found.relation is None and not (self._continues() or self._says_score(amount)):
                raise self.fail(amount.start, "it does not say that this is a score")
        if self.has(*RANKS) and not amount.said(*_OF_VALUES):
            raise self.fail(amount.start, "")
        if relation and not needs and not self._adjoin(amount, relation):
            raise self.fail(amount.start, "")
        if self._says_place() and not amount.said(*_OF_VALUES):
            raise self.fail(amount.start, "it may be a place or a score")
        fields = self._printed(amount)
        if found.relation is None:
            return {"predicate": "score", **fields}
        if amount.said("PERCENT"):
            raise self.fail(amount.start, "a difference in percent can be of points or of a score")
        return {"predicate": "delta", **self._signed(fields, amount, found.relation)}

    def _adjoin(self, amount: Part, relation: Part) -> bool:
        """`4.0 ahead of fern`, `a lead over fern is 4.0`: a number that belongs to a relation."""
        a, b = self.parts.index(amount), self.parts.index(relation)
        if a < b:
            return b - a == 1
        between = self.parts[b + 1 : a]
        return bool(between) and all(part.said("IS") or part.kind == "place" for part in between)

    def _continues(self) -> bool:
        return self.before is not None and self.before.valued

    def _says_score(self, amount: Part) -> bool:
        """Whether a number without a verb is a score: with a word for it, or `70.2 for fern`."""
        name = self.of("name")
        return amount.said(*_OF_VALUES) or bool(name and name.said("FOR"))

    def _says_place(self) -> bool:
        verbs = [part for part in self.parts if part.kind == "verb"]
        return any(word.value in _PLACING for part in verbs for word in part.words)

    def _ahead(self, relation: Part) -> Fields:
        if relation.kind == "versus":
            raise self.fail(relation.start, "")
        if self.has("significant"):
            op = ">" if relation.kind == "ahead" else "<"
            return {"predicate": "noise", "other": relation.entry, "op": op}
        if relation.kind == "ahead":
            return {"predicate": "ahead", "other": relation.entry}
        subjects = self.found.subjects or (self.before.subjects if self.before else ())
        if len(subjects) != 1:
            raise self.fail(relation.start, "it names no entry" if not subjects else "")
        return {"predicate": "ahead", "subject": relation.entry, "other": subjects[0]}

    def _signed(self, fields: Fields, amount: Part, relation: tuple[str, int]) -> Fields:
        other, sign = relation
        up = amount.word("UP")
        if up and up.value == "-":
            sign = -sign
        if sign < 0 and fields["value"][0] in "+-\u2212":
            raise self.fail(amount.start, "it has two signs")
        if sign < 0:
            fields = {**fields, "value": f"-{fields['value']}"}
            if "op" in fields:
                fields["op"] = _FLIPPED[fields["op"]]
        return {**fields, "other": other}

    def _printed(self, part: Part) -> Fields:
        """Value, op and approx of a number."""
        word = part.word("NUMBER", "FACTOR", "UNIT")
        assert word is not None
        try:
            number(word.value)
        except ValueError as error:
            raise self.fail(word.start, str(error)) from None
        fields: Fields = {"value": word.value}
        bound = part.word("GE", "LE", "GT", "LT", "NOWORSE")
        if bound and part.said("ORBETTER", "ORLESS"):
            raise self.fail(part.start, "it gives two bounds")
        if bound and bound.kind == "NOWORSE":
            raise self.fail(bound.start, f'"{bound.said}" with a value')
        if bound or part.said("ORBETTER", "ORLESS"):
            fields["op"] = bound.value if bound else ">=" if part.said("ORBETTER") else "<="
        if part.said("ABOUT"):
            fields["approx"] = True
        return fields

    def _ratio(self) -> Fields:
        factor, rival = self.of("factor"), self.of(*RELATIONS)
        quantity = self.of("quantity", "reversed")
        assert factor is not None
        extra = self.of(*RANKS, "amount", "tie", "noise", "out_of", "class_", "length")
        if extra or rival is None or quantity is None:
            missing = "it names no rival" if rival is None else "it does not say of what"
            raise self.fail(extra.start if extra else factor.stop, "" if extra else missing)
        word = quantity.word("QUANTITY", "REVERSED")
        assert word is not None
        fields: Fields = {
            "predicate": "ratio", **self._printed(factor), "other": rival.entry, "quantity": word.value
        }  # fmt: skip
        if quantity.kind == "reversed":
            if len(self.found.subjects) != 1:
                raise self.fail(quantity.start, "")
            fields |= {"subject": rival.entry, "other": self.found.subjects[0]}
        conditions = [part for part in self.parts if part.kind == "condition"]
        pairs = tuple(self._condition(part) for part in conditions)
        return fields | ({"at": pairs} if pairs else {})

    def _condition(self, part: Part) -> tuple[str, str]:
        noun, value = part.word("NOUN"), part.word("NUMBER")
        assert noun is not None and value is not None
        if part.said("ABOUT", "GE", "LE", "GT", "LT", "NOWORSE"):
            raise self.fail(part.start, "a condition needs one number")
        return noun.value if noun.value.endswith("s") else f"{noun.value}s", value.value

    def _count(self) -> Fields:
        part = self.of("count", "amount")
        assert part is not None
        extra = self.of(*RANKS, *RELATIONS, "tie", "noise", "factor", "length", "name")
        if extra:
            raise self.fail(extra.start, "")
        fields = self._printed(part)
        if "approx" in fields:
            raise self.fail(part.start, 'a count is no "about"')
        word = part.word("NUMBER")
        assert word is not None
        said = [word.value for one in self.parts for word in one.words]
        what = "ranked" if "ranked" in said else "listed"
        op = {"op": fields["op"]} if "op" in fields else {}
        return {"predicate": "count", "what": what, "n": self._whole(word), **op}

    def _whole(self, word: Word) -> int:
        if "." in word.value or word.value[0] in "+-\u2212":
            raise self.fail(word.start, f'"{word.said}" is no count')
        try:
            number(word.value)
        except ValueError as error:
            raise self.fail(word.start, str(error)) from None
        count = whole(word.value)
        self._positive(count, word)
        return count

    def _positive(self, n: int, word: Word) -> None:
        if n < 1:
            raise self.fail(word.start, f'"{word.said}" is no place')
