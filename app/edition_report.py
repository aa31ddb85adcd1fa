"""How do editions and recomputed scores read for people?

In: the document of history/records/audit_record.py. Out: lines and a table. Start at
formula_lines() and edition_blocks().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.output import table
from app.tables import Grid
from app.wording import Document, short, wrapped

_SHOWN = 10
_NEWEST = 20


def formula_lines(document: Document) -> Iterator[str]:
    """What the formula gives: the newest version that could be recomputed, and all that could not."""
    versions = document["versions"]
    done = [one for one in versions if one["formula"]["ok"] is not None]
    if done:
        newest = done[-1]
        text = _compared(newest, done)
        if any(one["constants"] for one in document["editions"]):
            text += " Numbers that the formula takes from the file count as exact."
        yield wrapped(text, "", "  ")
        yield from _residuals(newest)
    reasons: dict[str, list[Document]] = {}
    for one in versions:
        if one["formula"]["why"] is not None and one["reading"] in ("read", "partial"):
            reasons.setdefault(one["formula"]["why"], []).append(one)
    for why, those in reasons.items():
        which = f"{len(those)} versions, first {_name(those[0])}" if len(those) > 1 else ""
        yield wrapped(f"Not recomputed: {why} ({which or _name(those[0])}).", "", "  ")
    if done or reasons:
        yield ""


def edition_blocks(editions: Sequence[Document]) -> Iterator[Grid | str]:
    """The editions of a board, oldest first, and what changed; nothing where there was only one."""
    if len(editions) < 2:
        return
    if len(editions) > _NEWEST:
        yield f"The newest {_NEWEST} of {len(editions)} editions (--json has all):"
        editions = editions[-_NEWEST:]
    header = ["edition", "label", "from", "versions", "commit", "tie rule", "weights"]
    rows = [
        [
            one["edition"],
            one["label"],
            one["from"],
            one["versions"],
            short(one["first_commit"]),
            one["tie_rule"],
            _weights(one),
        ]
        for one in editions
    ]
    yield table(
        header,
        rows,
        right=("edition", "versions"),
        folds=("weights", "label"),
        spare=("tie rule", "weights", "commit", "versions"),
        whole="--json has all",
    )
    for one in editions:
        changed = [said for said in one["changed"] if not said.startswith("label ")]
        if changed:
            text = f"  edition {one['edition']} changed: {'; '.join(changed)}"
            yield wrapped(text, "", "    ")
        against = one["against_previous"]
        if against and against["redrawn"]:
            rest = f", while {', '.join(against['kept'])} stayed" if against["kept"] else ""
            text = f"  edition {one['edition']}: measured anew: {_anew(against)}{rest}."
            if against["replay"] is False:
                text += " A replay under the formula before is impossible."
            yield wrapped(text, "", "    ")
    yield ""


def _compared(version: Document, done: Sequence[Document]) -> str:
    said = version["formula"]
    scores = said["compared"]
    whole = sum(bool(one["formula"]["ok"]) for one in done)
    text = (
        f"Formula ({_name(version)}): {scores - len(said['rows'])} of {scores} scores are what it "
        f"gives within rounding, {said['exact']} to the printed digit; farthest off "
        f"{said['worst']:.4g}."
    )
    return text + (f" All fit in {whole} of {len(done)} versions." if len(done) > 1 else "")


def _residuals(version: Document) -> Iterator[str]:
    """The scores that the formula does not give, as they are: nothing is corrected."""
    rows = sorted(version["formula"]["rows"], key=lambda row: -row["off"])
    for row in rows[:_SHOWN]:
        yield f"  {row['entry']}: prints {row['text']}, computed {row['computed']:.6g}"
    if len(rows) > _SHOWN:
        yield f"  and {len(rows) - _SHOWN} more (--json has all)"


def _name(version: Document) -> str:
    return short(version["commit"]) or str(version.get("path", ""))


def _anew(against: Document) -> str:
    """The parts that were measured anew, and how many entries say so."""
    sizes = {one["part"]: one for one in against["parts"]}
    told = ((part, sizes[part]) for part in against["redrawn"])
    return ", ".join(
        f"{part} (another value for {one['moved']} of {one['common']})" for part, one in told
    )


def _weights(edition: Document) -> str | None:
    """Weights of the printed parts, at most four digits."""
    if edition["weights"] is None:
        return None
    return ", ".join(f"{part} {float(weight):.4g}" for part, weight in edition["weights"].items())
