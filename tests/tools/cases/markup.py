"""What of the names on a page would a browser take for markup?

In: a page of the dashboard that was run. Out: its texts, and the images, scripts and links that they
would become. Start at Markup.of().
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

# Shown letter for letter, whatever stands in it.
_PLAIN = ("text", "arrow_data_frame", "arrow_table", "code", "json")


@dataclass(frozen=True, slots=True)
class Markup:
    """What a page holds.

    Attributes:
        elements: script and img elements that its texts become.
        links: targets of links, images' sources too.
        maths: formulas and coloured words of Streamlit's own Markdown.
    """

    elements: list[str]
    links: list[str]
    maths: list[str]

    @classmethod
    def of(cls, app: Any) -> Markup:
        """What a page (an AppTest that was run) becomes."""
        from markdown_it import MarkdownIt

        found = cls([], [], [])
        for kind, text, is_html in _texts(app):
            if kind in _PLAIN:
                continue
            if is_html:
                _Elements(found).feed(text)
                continue
            for block in MarkdownIt("commonmark").parse(text):
                for token in [block, *(block.children or [])]:
                    if token.type in ("image", "link_open"):
                        target = token.attrGet("src") or token.attrGet("href")
                        found.links.append(str(target))
                        found.elements.extend(["img"] * (token.type == "image"))
            # A backslash before a sign takes its meaning away.
            bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", text)
            found.maths.extend(re.findall(r"\$[^$\s][^$]*\$|:[a-z]+\[[^\]]*\]", bare))
        return found


class _Elements(HTMLParser):
    def __init__(self, found: Markup):
        super().__init__()
        self._found = found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in ("script", "img", "iframe") or any(name.startswith("on") for name in named):
            self._found.elements.append(tag)
        self._found.links.extend(value for n in ("href", "src") if (value := named.get(n)))


def _texts(app: Any) -> Iterator[tuple[str, str, bool]]:
    """Kind of element, text, and whether it is HTML, of everything on a page."""
    for element in (*app.main, *app.sidebar):
        kind, proto = element.type, getattr(element, "proto", None)
        if proto is None or not hasattr(proto, "ListFields"):
            continue
        is_html = bool(getattr(proto, "allow_html", False)) or kind == "html"
        for field, value in proto.ListFields():
            if field.name in ("body", "label", "help", "title", "html") and isinstance(value, str):
                yield kind, value, is_html
