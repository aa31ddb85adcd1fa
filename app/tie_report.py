"""How does an audit say which tie rule the published tie ranks follow?

In: versions of the document of history/records/audit_record.py. Out: a line. Start at
tie_lines().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.wording import Document, short, wrapped


def tie_lines(versions: Sequence[Document]) -> Iterator[str]:
    """What the newest tie ranks that the board prints say of its tie rule; none without any.

    >>> fit = {"rule": "chain", "edge": "inclusive", "band_low_text": "0.25", "band_high_text": None,
    ...     "counts": "positions", "witnesses": 7, "hidden": 0, "exact": True}
    >>> rule = {"fits": [fit], "nearest": None, "declared": True, "edge": "inclusive"}
    >>> print(*tie_lines([{"commit": "1f" * 20, "tie_rule": rule}]))
    Published tie ranks (1f1f1f1f) are those of chain, band from 0.25 (7 comparisons); edge inclusive.
    """
    telling = [one for one in versions if one["tie_rule"]["fits"] is not None]
    if not telling:
        return
    newest = telling[-1]
    rule = newest["tie_rule"]
    explained = "are those of " if rule["fits"] else "fit no rule; nearest are "
    where = short(newest["commit"]) or newest.get("path", "")
    line = f"Published tie ranks ({where}) {explained}{_rules(rule)}"
    if rule["declared"] is False:
        line += "; the definition says otherwise"
    if len(telling) > 1:
        fit = sum(bool(one["tie_rule"]["fits"]) for one in telling)
        line += f". A rule fits in {fit} of {len(telling)} versions that print some"
    yield wrapped(line + ".", "", "  ")


def _rules(rule: Document) -> str:
    """Rules that fit, or those that nearly do."""
    if not rule["fits"]:
        return " or ".join(map(_miss, rule["nearest"]))
    once = {fit["rule"]: fit for fit in reversed(rule["fits"])}
    text = " or ".join(_fit(fit) for fit in reversed(once.values()))
    if any(fit["edge"] for fit in rule["fits"]):
        text += f"; edge {rule['edge']}" if rule["edge"] else "; edge not determined"
    return text


def _fit(fit: Document) -> str:
    band = ""
    if fit["band_low_text"] is not None:
        below = "" if fit["band_high_text"] is None else f" to below {fit['band_high_text']}"
        band = f", band from {fit['band_low_text']}{below}"
    said = [f"{fit['witnesses']} comparisons"]
    if fit["counts"] == "groups":
        said.insert(0, "numbers of groups")
    if fit["hidden"]:
        said.append(f"{fit['hidden']} counted but not shown")
    if not fit["exact"]:
        said.append("within rounding")
    return f"{fit['rule']}{band} ({', '.join(said)})"


def _miss(miss: Document) -> str:
    band = "" if miss["band_low"] is None else f" with band {miss['band_low']:g}"
    return f"{miss['rule']}{band} ({miss['misses']} of {miss['witnesses']} comparisons against it)"
