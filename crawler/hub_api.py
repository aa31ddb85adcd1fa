"""How does the history of a repository on the Hub get here without git?

In: OWNER/NAME. Out: for every listed commit one of our own with the files that the boards read
(see `crawler.chain`). Start at HubApiSource. The Hub lists commits without their parents, merged
side branches among them, so what is known is a flat list. Each commit is asked for its files once,
each distinct content is downloaded once and held against its git id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime

from crawler.board import Board
from crawler.chain import Chain, Kept, Link, Writer
from crawler.hub_files import File, HubFiles, Lost
from crawler.hub_repo import HubRepo, is_commit, large_files, open_repo, refuse
from crawler.objects import Objects
from crawler.own_repository import pack_if_many, writing
from crawler.paths import Paths
from crawler.source import CrawlError, Fetched, Find, Known, Listed
from crawler.stand_ins import listing_of
from crawler.work import Work

_PAGE = 1000  # commits that are asked for at once; the Hub may give fewer
_MOST_COMMITS = 1_000_000
_CAP = 64 * 1024 * 1024  # bytes of one page
_AT_ONCE = 4  # questions at the same time
_BATCH = 64  # commits of which the files are known before their contents are fetched
_BATCH_BYTES = 128 * 1024 * 1024


class HubApiSource:
    """Repositories of the Hugging Face Hub, by the API alone."""

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """List the branch's commits and bring the boards' files at each of them.

        Raises:
            CrawlError: as of HubSource; nothing could be brought.
        """
        repo = open_repo(boards[0], work)
        with repo.web, writing(objects, repo.where, work) as handle:
            listings = _listings(objects, boards)
            if repo.tip == known.tip and all(one.has(repo.tip) for one in listings):
                return Fetched(repo.tip, "api", base=repo.tip)
            base, fresh = _list_commits(repo, known, work)
            old = known.commits[: known.commits.index(base) + 1] if base else []
            line = [*map(Listed, old, known.times), *fresh]
            files = HubFiles(repo, [one.paths for one in listings])
            done, trouble = _Bringing(files, objects, listings, line, work).bring()
            pack_if_many(objects, work, handle)
        if trouble and done <= len(old):
            raise trouble
        fresh = fresh[: done - len(old)]
        tip = fresh[-1].commit if fresh else repo.tip
        return Fetched(tip, "api", listed=fresh, base=base, trouble=trouble)

    def large_files(self, board: Board, work: Work) -> Find | None:
        """What Git LFS and Xet keep, by its address on the Hub."""
        return large_files(board, work)


class _Listing:
    """What the API told of the files of some paths.

    Attributes:
        paths: of a board.
        chain: where the files at each commit are kept.
        links: what it holds.
        last_paths: the files at the last commit that could be had.
    """

    def __init__(self, objects: Objects, chain: Chain, paths: Sequence[str]):
        self._objects, self.chain = objects, chain
        self.paths = Paths(paths)
        self.links = chain.links()
        self.last_paths = tuple(paths[:1])

    def has(self, commit: str) -> bool:
        """Whether the files at a commit are here; git may have brought them before."""
        return commit in self.links or self._objects.holds(commit)


def _listings(objects: Objects, boards: Sequence[Board]) -> list[_Listing]:
    """One listing for all boards that read the same paths."""
    chains = {(chain := listing_of(objects, board)).name: (chain, board) for board in boards}
    return [_Listing(objects, chain, board.source.paths) for chain, board in chains.values()]


def _list_commits(repo: HubRepo, known: Known, work: Work) -> tuple[str | None, list[Listed]]:
    """The newest commit of the last look that is still listed, and the commits after it."""
    from huggingface_hub.utils._datetime import parse_datetime

    from crawler.answer import next_link

    found: dict[str, Listed] = {}
    # Bound to the tip: a commit that lands meanwhile would shift all pages.
    url: str | None = f"{repo.api}/commits/{repo.tip}?limit={_PAGE}&p=0"
    while url:
        answer = repo.web.get(url, cap=_CAP)
        refuse(answer, repo.where, repo.tip)
        before = len(found)
        try:
            for one in answer.json():
                at = parse_datetime(one["date"]).replace(microsecond=0)
                if not is_commit(one["id"]):
                    raise ValueError(one["id"])
                found.setdefault(one["id"], Listed(one["id"], at))
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            fix = "Check HF_ENDPOINT, or crawl again later"
            raise CrawlError(repo.where, "the answer is no list of commits", fix) from None
        work.count("commits", len(found), None)
        if known.tip in found:
            break
        url = next_link(answer)
        if url and (len(found) == before or len(found) > _MOST_COMMITS):
            raise CrawlError(repo.where, "its list of commits has no end", "Check HF_ENDPOINT")
    newest_first = list(found.values())
    places = {commit: place for place, commit in enumerate(found)}
    base = next((commit for commit in reversed(known.commits) if commit in places), None)
    fresh = newest_first[: places[base]] if base else newest_first
    return base, fresh[::-1]


class _Bringing:
    """Brings the files at all commits of a line into the listings.

    Args:
        files: asks for them.
        objects: where they are kept.
        listings: what is known of them.
        line: the commits, oldest first.
        work: told how far it is.
    """

    def __init__(
        self,
        files: HubFiles,
        objects: Objects,
        listings: Sequence[_Listing],
        line: Sequence[Listed],
        work: Work,
    ):
        self._files, self._objects, self._work, self._line = files, objects, work, line
        labels = [one.commit for one in line]
        infos = zip(labels, objects.infos(labels), strict=True)
        by_git = {label for label, info in infos if info.kind == "commit"}
        self._lacking = [
            [one for one in listings if label not in one.links and label not in by_git]
            for label in labels
        ]
        self._here: set[str] = set()  # contents that are in the object store
        self._writers: dict[str, Writer] = {}

    def bring(self) -> tuple[int, CrawlError | None]:
        """Bring what is lacking.

        Returns:
            How many commits from the beginning of the line are whole, and what kept it from
            being all.
        """
        places = [place for place, lacking in enumerate(self._lacking) if lacking]
        chains = {one.chain.name: one.chain for lacking in self._lacking for one in lacking}
        with ExitStack() as stack:
            for name, chain in chains.items():
                self._writers[name] = stack.enter_context(chain.adding())
            pool = stack.enter_context(ThreadPoolExecutor(_AT_ONCE, "hub"))
            stack.callback(pool.shutdown, cancel_futures=True)
            for first in range(0, len(places), _BATCH):
                batch = places[first : first + _BATCH]
                told, trouble = self._told(pool, batch)
                for part in self._parts(told):
                    place, failed = self._add_part(pool, part)
                    if failed:
                        return place, failed
                    self._work.count("commits", first + batch.index(place) + 1, len(places))
                if trouble:
                    return batch[len(told)], trouble
        return len(self._line), None

    def _told(
        self, pool: ThreadPoolExecutor, batch: Sequence[int]
    ) -> tuple[dict[int, dict[str, File] | None], CrawlError | None]:
        """The files at some commits, None at one that is lost; up to the first trouble."""
        asked = [pool.submit(self._files.at, self._line[place].commit) for place in batch]
        told: dict[int, dict[str, File] | None] = {}
        try:
            for place, one in zip(batch, asked, strict=True):
                try:
                    told[place] = one.result()
                except Lost:
                    told[place] = None
        except CrawlError as error:
            for one in asked:
                one.cancel()
            return told, error
        return told, None

    def _parts(
        self, told: Mapping[int, dict[str, File] | None]
    ) -> Iterator[dict[int, dict[str, File] | None]]:
        """The commits in stretches whose contents fit into memory."""
        part: dict[int, dict[str, File] | None] = {}
        size = 0
        for place, files in told.items():
            more = sum(file.size for file in (files or {}).values() if not file.pointer)
            if part and size + more > _BATCH_BYTES:
                yield part
                part, size = {}, 0
            part[place] = files
            size += more
        if part:
            yield part

    def _add_part(
        self, pool: ThreadPoolExecutor, part: Mapping[int, dict[str, File] | None]
    ) -> tuple[int, CrawlError | None]:
        """Fetch the contents of some commits and write their links; the last place, or the first
        with trouble."""
        came, trouble = self._contents(pool, part)
        place = next(iter(part))
        for place, files in part.items():
            if any(file.blob not in self._here | came.keys() for file in (files or {}).values()):
                self._keep_spare(came)
                break
            self._link(place, files, came)
        for writer in self._writers.values():
            writer.save()
        self._here |= {blob for blob, kept in came.items() if kept.data is not None}
        return place, trouble

    def _contents(
        self, pool: ThreadPoolExecutor, part: Mapping[int, dict[str, File] | None]
    ) -> tuple[dict[str, Kept], CrawlError | None]:
        """The contents that are not here yet, each once; as many as came without trouble."""
        wanted: dict[str, tuple[str, File]] = {}
        for place, files in part.items():
            for file in (files or {}).values():
                if file.blob not in self._here:
                    wanted.setdefault(file.blob, (self._line[place].commit, file))
        infos = zip(wanted, self._objects.infos(list(wanted)), strict=True)
        self._here |= {blob for blob, info in infos if info.kind == "blob"}
        coming = {
            blob: pool.submit(self._files.content, *asked)
            for blob, asked in wanted.items()
            if blob not in self._here
        }
        came: dict[str, Kept] = {}
        trouble: CrawlError | None = None
        for blob, future in coming.items():
            if trouble and future.cancel():
                continue
            try:
                came[blob] = future.result()
            except CrawlError as error:
                trouble = trouble or error
        return came, trouble

    def _link(self, place: int, files: Mapping[str, File] | None, came: Mapping[str, Kept]) -> None:
        """Write down what was at one commit, in every listing that lacks it."""
        one, after = self._line[place], self._line[place - 1].commit if place else None
        for listing in self._lacking[place]:
            if files is None:
                lost = Kept(one.commit, why="the commit is listed, but cannot be had")
                kept = dict.fromkeys(listing.last_paths, lost)
            else:
                read = [f for f in files.values() if listing.paths.item(f.path) is not None]
                kept = {file.path: came.get(file.blob, Kept(file.blob)) for file in read}
                listing.last_paths = tuple(kept) or listing.last_paths
            ours = after in listing.links
            own = self._writers[listing.chain.name].add(
                *(one.commit, one.at, kept),
                after=listing.links[after].own if after and ours else after,
                ours=ours,
            )
            listing.links[one.commit] = Link(own, one.commit, one.at)

    def _keep_spare(self, came: Mapping[str, Kept]) -> None:
        """Keep what came for commits behind the trouble, so that nothing is downloaded twice."""
        spare = {blob: kept for blob, kept in came.items() if kept.data is not None}
        if spare:
            with Chain(self._objects, "spare").adding() as writer:
                now = datetime.now(UTC)
                writer.add(now.isoformat(), now, spare, after=writer.last)
