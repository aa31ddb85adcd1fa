"""Which text do the bytes of a file spell?

In: bytes. Out: text whose line ends are as published. Start at decoded().
"""

from __future__ import annotations

import codecs

from history.readers import Unreadable

# Longest mark first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else Windows-1252.

    Raises:
        Unreadable: it is none of them, or holds no text at all.

    >>> decoded("fougère".encode("cp1252")), decoded("fern".encode("utf-16"))
    ('fougère', 'fern')
    """
    text = _decoded(data)
    if not text.strip():
        raise Unreadable("empty", f"the file is blank ({len(data)} bytes)")
    if "\0" in text:
        found = f"letter {text.index(chr(0)):,} (from 0) is the letter 0; this is no text"
        raise Unreadable("not_text", found)
    return text


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                found = f"marked as {encoding.upper()}, but is not at byte {error.start}"
                raise Unreadable("not_text", found) from None
    if b"\0" in data:
        raise Unreadable("not_text", f"byte {data.index(0)} is 0; this is no text in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        found = f"neither UTF-8 nor Windows-1252 at byte {error.start}"
        raise Unreadable("not_text", found) from None
