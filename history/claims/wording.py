"""How is a number, a time or a claim said to people?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction

from history.claims.language.claim import Claim, Operand

LAST_LOOK = "At the last look"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def ordinal(n: int | None) -> str:
    """A place.

    >>> [ordinal(n) for n in (1, 2, 3, 10, 11, 22, 113)]
    ['first', '2nd', '3rd', '10th', '11th', '22nd', '113th']
    """
    if n is None:
        return "without a place"
    if n == 1:
        return "first"
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def timestamp(time: datetime) -> str:
    """A time of day in UTC, to the minute; evidence and intervals have the seconds.

    >>> timestamp(datetime(2026, 3, 21, 15, 13))
    '21 Mar 2026 15:13 UTC'
    """
    return f"{day(time)} {clock(time)} UTC"


def moment(time: datetime, *, ends_day: bool) -> str:
    """A moment, as a sentence begins with it.

    >>> moment(datetime(2026, 3, 21, 15, 13), ends_day=False)
    'On 21 Mar 2026 at 15:13 UTC'
    """
    if ends_day:
        return f"At the end of {day(time)} (UTC)"
    return f"On {day(time)} at {clock(time)} UTC"


def stretch(start: datetime, until: datetime) -> str:
    """From one time to another.

    >>> stretch(datetime(2026, 3, 21, 15, 13), datetime(2026, 3, 22, 20, 12))
    'from 21 Mar 15:13 to 22 Mar 2026 20:12 UTC'
    """
    first = f"{start.day} {_MONTHS[start.month - 1]}" if start.year == until.year else day(start)
    return f"from {first} {clock(start)} to {timestamp(until)}"


def span(length: timedelta | float) -> str:
    """A length of time.

    >>> [span(seconds) for seconds in (104340, 61, 5, 40 * 86400)]
    ['28 h 59 min', '1 min 1 s', '5 s', '40 days']
    """
    seconds = int(length.total_seconds() if isinstance(length, timedelta) else length)
    if seconds >= 3 * 86400:
        days, hours = divmod(seconds // 3600, 24)
        return f"{days} days" + (f" {hours} h" if hours else "")
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    if hours:
        return f"{hours} h" + (f" {minutes} min" if minutes else "")
    if minutes:
        return f"{minutes} min" + (f" {seconds} s" if seconds else "")
    return f"{seconds} s"


def decimal(value: Fraction) -> str:
    """An exact number of at most nine decimals; any other with four.

    >>> decimal(Fraction(617, 100)), decimal(Fraction(1, 3)), decimal(Fraction(-1, 20))
    ('6.17', '0.3333', '-0.05')
    """
    for places in range(10):
        scaled = value * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(abs(int(scaled)), 10**places)
            sign = "-" if scaled < 0 else ""
            return f"{sign}{whole}.{rest:0{places}}" if places else f"{sign}{whole}"
    return f"{float(value):.4f}"


def signed(value: Fraction) -> str:
    """An exact number with its sign.

    >>> signed(Fraction(617, 100)), signed(Fraction(-145, 100))
    ('+6.17', '-1.45')
    """
    return f"+{decimal(value)}" if value > 0 else decimal(value)


def number(text: str | None, value: Fraction) -> str:
    """A number as printed, or as computed where it is not printed."""
    return decimal(value) if text is None else text


def listing(words: Sequence[str]) -> str:
    """Words in a row.

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def name(said: str | Operand | None) -> str:
    """An entry, or a number of the claim's own."""
    return said.value if isinstance(said, Operand) else said or ""


def phrase(claim: Claim, boards: Sequence[str] = ()) -> str:
    """What a claim says of its subject, after "was".

    >>> phrase(Claim("a", "first", subject="fern", boards=("text",)))
    'first on text'
    """
    on = f"on {listing(list(boards or claim.boards))}"
    on += f", {claim.split}" if claim.split else ""
    on += f", only {claim.filter}" if claim.filter else ""
    about = "about " if claim.approx else ""
    op = "" if claim.op == "=" else f"{claim.op} "
    of = f" of {claim.of}" if claim.of else ""
    better = " or better" if claim.op == "<=" else ""
    said = {
        "rank": f"{ordinal(claim.n)}{better}{of}",
        "first": f"{'alone ' if claim.sole else ''}first",
        "first_in_class": f"{'alone ' if claim.sole else ''}first",
        "top_k": f"in the top {claim.k}",
        "tie": f"tied with {name(claim.other)}",
        "ahead": f"ahead of {name(claim.other)}",
        "score": f"at {op}{about}{claim.value}",
        "delta": f"{op}{about}{claim.value} against {name(claim.other)}",
        "average_of": f"at {op}{about}{claim.value} on average",
        "count": f"at {op}{claim.n} {claim.what} entries"
        + (f" better than {claim.above}" if claim.above else ""),
        "would_rank": f"{ordinal(claim.rank)}{better}{of} with {claim.score}",
    }
    return f"{said.get(claim.predicate, claim.predicate)} {on}"


def phrases(claims: Sequence[Claim]) -> str:
    """What several claims say; boards of which the same is said stand together.

    >>> both = [Claim("a", "first", subject="fern", boards=(board,)) for board in ("x", "y")]
    >>> phrases(both)
    'first on x and y'
    """
    groups: dict[Claim, list[str]] = {}
    for claim in claims:
        same = replace(claim, id="", boards=(), text="")
        groups.setdefault(same, []).extend(claim.boards)
    return listing([phrase(same, list(dict.fromkeys(on))) for same, on in groups.items()])


def subject(claim: Claim) -> str:
    """Whom a claim is about; the board for a count."""
    return name(claim.subject) or (claim.boards[0] if claim.boards else "it")


def day(time: datetime) -> str:
    """A day.

    >>> day(datetime(2026, 3, 21))
    '21 Mar 2026'
    """
    return f"{time.day} {_MONTHS[time.month - 1]} {time.year}"


def clock(time: datetime) -> str:
    """A time of day.

    >>> clock(datetime(2026, 3, 21, 15, 13, 30))
    '15:13'
    """
    return f"{time:%H:%M}"
