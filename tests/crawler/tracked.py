"""How does a test track a repository in a store, crawl it and look at what was kept?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from crawler.crawl import Outcome, crawl
from crawler.store import Store
from crawler.work import Work
from tests.histories import History


def track(store: Store, name: str, repo: object, *paths: str, **source: str) -> str:
    """Write a board's definition into a store; its name."""
    kind = source.pop("kind", "git")
    lines = ["[source]", f'kind = "{kind}"', f"repo = {json.dumps(str(repo))}"]
    lines += [f"paths = {json.dumps(paths or ('board.json',), ensure_ascii=False)}"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in source.items()]
    place = store.board_file(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def run(store: Store, *names: str, said: list[str] | None = None) -> list[Outcome]:
    """Crawl some boards, or all of them."""
    boards = [store.board(name) for name in names or store.names()]
    work = Work(said.append) if said is not None else Work()
    return list(crawl(store, boards, work=work, derive=lambda _: 0))


def states(store: Store, name: str) -> list[tuple[str, str, bool]]:
    """Bytes (or the reason why there are none), state and `vanished` of every version."""
    board, rows = store.board(name), store.versions(name).to_pylist()
    bytes_of = dict(store.blobs(board, {row["blob"] for row in rows if row["blob"]}))
    return [
        (
            bytes_of[row["blob"]].decode() if row["blob"] else row["why"] or "",
            row["state"],
            row["vanished"],
        )
        for row in rows
    ]


def texts(store: Store, name: str) -> list[str]:
    """Bytes of every version, oldest first; empty where there are none."""
    return [text for text, _, _ in states(store, name)]


def add_many(repo: History, texts: list[str]) -> None:
    """Add a commit for each text of board.json, a second apart, in one go."""
    commits = [
        f"commit refs/heads/{repo.branch}\n"
        f"committer A Tester <tester@example.org> {1790000000 + number} +0000\n"
        "data 1\nm\n"
        f"M 100644 inline board.json\ndata {len(text.encode())}\n{text}\n"
        for number, text in enumerate(texts)
    ]
    subprocess.run(
        ["git", "-C", str(repo.folder), "fast-import", "--quiet", "--force"],
        input="\n".join(commits).encode(),
        check=True,
    )


def everything_in(root: Path) -> dict[str, bytes]:
    """All files of a store but locks and attempts."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in (".lock", "crawls.jsonl")
    }
