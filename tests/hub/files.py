"""How are plain files of a web server given, that a poll looks at?

In: a path and what the test put there. Out: the bytes with a tag and a time, or 304. Start at
Files.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.hub.content import give
from tests.hub.messages import Answer, Request


@dataclass(frozen=True)
class File:
    """Bytes at a path, and what is told about them.

    Attributes:
        etag: without quotes; empty for none.
        modified: None for none.
    """

    data: bytes
    etag: str
    modified: datetime | None
    kind: str


class Files(dict[str, File]):
    """Path -> file. `files["/board.csv"] = b"a,b"` gives it a tag and the time of now.

    A path with a query is another file: "/board?format=csv".
    """

    def __setitem__(self, path: str, data: bytes | File) -> None:
        if isinstance(data, bytes):
            self.put(path, data)
        else:
            super().__setitem__(path, data)

    def put(
        self,
        path: str,
        data: bytes,
        *,
        etag: str | None = None,
        modified: datetime | None = None,
        validators: bool = True,
        kind: str = "text/plain; charset=utf-8",
    ) -> None:
        """Write a file with a tag or a time of one's own, or with neither.

        Args:
            validators: False for a server that cannot answer "not changed".
            kind: the content type.
        """
        tag = hashlib.sha256(data).hexdigest()[:20] if etag is None else etag
        if not validators:
            file = File(data, "", None, kind)
        else:
            file = File(data, tag, modified or datetime.now(UTC), kind)
        super().__setitem__(path, file)

    def answer(self, request: Request, compress: bool) -> Answer | None:
        """Give the file of a request; None where there is none."""
        file = self.get(request.path) or self.get(request.place)
        if file is None:
            return None
        return give(
            request,
            file.data,
            etag=file.etag,
            modified=file.modified,
            headers={"Content-Type": file.kind},
            compress=compress,
        )
