"""Which charts does a page show, as the browser gets them?

In: a page that was opened. Out: specs with their data in them. Start at charts().
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from streamlit.testing.v1 import AppTest


@dataclass(frozen=True)
class Chart:
    """One chart of a page.

    Attributes:
        spec: the Vega-Lite document; its data stand apart.
        data: tables by the name that the spec has for them.
        size: bytes that are sent for it.
    """

    spec: dict[str, Any]
    data: dict[str, pd.DataFrame]
    size: int

    @property
    def description(self) -> str:
        """What it says to those who cannot see it."""
        return str(self.spec.get("description", ""))

    @property
    def whole(self) -> dict[str, Any]:
        """The document with its data, as a file would hold it."""
        rows = {name: json.loads(one.to_json(orient="records")) for name, one in self.data.items()}
        return self.spec | {"datasets": rows}

    @property
    def fields(self) -> set[str]:
        """Names of the data that anything in the document draws, sorts, shows or selects by."""
        found: set[str] = set()
        for node in walk(self.spec):
            for key in ("field", "fields", "groupby", "key"):
                value = node.get(key)
                values = value if isinstance(value, list) else [value]
                found |= {one for one in values if isinstance(one, str)}
        return found

    @property
    def made(self) -> set[str]:
        """Names of the data that are there: columns, and what transforms make of them."""
        found = {str(column) for one in self.data.values() for column in one}
        for node in walk(self.spec):
            for key in ("as", "counts"):
                value = node.get(key)
                found |= {str(one) for one in (value if isinstance(value, list) else [value])}
        return found


def charts(app: AppTest) -> list[Chart]:
    """Every chart of a page, from top to bottom."""
    return [_chart(element.proto) for element in app.get("vega_lite_chart")]


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def _chart(sent: Any) -> Chart:
    data = {one.name: _table(one.data.data) for one in sent.datasets}
    spec = json.loads(sent.spec)
    if sent.HasField("data"):
        data["page"] = _table(sent.data.data)
        spec["data"] = {"name": "page"}
    return Chart(spec, data, sent.ByteSize())


def _table(sent: bytes) -> pd.DataFrame:
    with pa.ipc.open_stream(io.BytesIO(sent)) as stream:
        return stream.read_all().to_pandas()
