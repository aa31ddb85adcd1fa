"""Is a claim about numbers of its own right: printed ones, or a table that it brings along?

The table is a CSV file: entries in the first column, one column for each number. It is read by
the same reader as the files of boards. Start at judge().
"""

from __future__ import annotations

from pathlib import Path

from crawler.board import nearest
from history import readers
from history.claims import wording
from history.claims.answer import Answer, undecided, value_answer
from history.claims.language.claim import Claim, ClaimError, Operand
from history.claims.language.printed import Measured, check_value
from history.claims.verdict import Evidence
from history.numbers.column import read_column


def judge(claim: Claim, folder: Path | None) -> Answer:
    """The answer to a claim that no board decides.

    Args:
        folder: of the claims file.

    Raises:
        ClaimError: its table does not fit.
    """
    if claim.table:
        return average(claim, folder)
    assert isinstance(claim.subject, Operand)
    number, fact = Measured.printed(claim.subject.value), f"it is {claim.subject.value}"
    operands: tuple[Operand, ...] = (claim.subject,)
    if isinstance(claim.other, Operand):
        number = number - Measured.printed(claim.other.value)
        operands = (claim.subject, claim.other)
        fact = f"{claim.subject.value} - {claim.other.value} is {wording.signed(number.value)}"
    checked = check_value(number, claim.value, claim.op, claim.approx)
    return value_answer(checked, number, fact, (), operands)


def average(claim: Claim, folder: Path | None) -> Answer:
    """The answer to an average_of that names a table.

    Args:
        claim: `table` is the file, `columns` whose mean is meant, `subject` the row.
        folder: what `table` is relative to, the folder of the claims file.

    Raises:
        ClaimError: no such file, column or row, or two rows of that name.
    """
    where = f'claim "{claim.id}", table {claim.table}'
    table = _read((folder or Path()) / claim.table, where)
    keys = table.numbered(1)
    assert keys is not None and isinstance(claim.subject, str)
    rows = [n for n, key in enumerate(keys.texts) if (key or "").strip() == claim.subject]
    if len(rows) != 1:
        names = [key.strip() for key in keys.texts if key]
        close = nearest(claim.subject, names) or names[:5]
        found = f'{len(rows) or "no"} rows named "{claim.subject}" in the first column'
        raise ClaimError(where, found, f"It has {', '.join(close)}")
    row, total = rows[0], Measured.exact(0)
    evidence: list[Evidence] = []
    for name in claim.columns:
        try:
            cells = table.literal(name)
        except readers.Unreadable as error:
            raise ClaimError(where, error.found, "Rename one of them") from None
        if cells is None:
            close = nearest(name, table.names()) or table.names()
            raise ClaimError(where, f'no column "{name}"', f"It has {', '.join(close)}")
        column, text = read_column(list(cells.texts)), cells.texts[row]
        evidence.append(
            Evidence(
                None,
                None,
                None,
                claim.table,
                cells.pointers[row],
                claim.subject,
                name,
                text,
                "reported",
            )
        )
        ticks = column.ticks[row]
        if ticks is None:
            fact = f"{claim.subject} has no {name} in {claim.table}"
            return undecided("MISSING_COMPONENT", fact, (), own=tuple(evidence))
        total = total + Measured.of_ticks(ticks, column.dp)
    mean = total / len(claim.columns)
    check = check_value(mean, claim.value, claim.op, claim.approx)
    many = f"the mean of {len(claim.columns)} columns of {claim.subject}"
    fact = f"{many} is {wording.decimal(mean.value)} in {claim.table}"
    return value_answer(check, mean, fact, (), (), tuple(evidence))


def _read(path: Path, where: str) -> readers.Table:
    form = readers.format_of(path.name)
    if form not in ("csv", "tsv"):
        raise ClaimError(where, "its name does not end in .csv", "Give a CSV file")
    try:
        return readers.parse(form, path.read_bytes()).table()
    except OSError as error:
        reason = error.strerror or str(error)
        fix = "Give its name as seen from the claims file"
        raise ClaimError(where, f"it cannot be read ({reason})", fix) from None
    except readers.Unreadable as error:
        raise ClaimError(where, f"it is no table: {error}", "Mend it") from None
