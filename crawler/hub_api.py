"""How does the history of a repository on the Hub get here without git?

In: OWNER/NAME. Out: for every listed commit one of our own with the files that the boards read
(see `crawler.chain.chain`). Start at HubApiSource. The Hub lists commits without their parents, merged
side branches among them, so what is known is a flat list. Each commit is asked for its files once,
each distinct content is downloaded once and held against its git id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crawler.board import Board
from crawler.chain.chain import Chain, Kept, Link, Writer
from crawler.chain.commit_stream import streaming
from crawler.git.own_repository import pack_if_many, writing
from crawler.hub.files import File, HubFiles, Lost, is_gap
from crawler.hub.repo import HubRepo, is_commit, large_files, open_repo, refuse
from crawler.line.stand_ins import listing_of
from crawler.objects import Objects, raw_changes
from crawler.paths import Paths
from crawler.source import CrawlError, Fetched, Find, Known, Listed
from crawler.work import Work

_PAGE = 1000  # commits that are asked for at once; the Hub may give fewer
_MOST_COMMITS = 1_000_000
_CAP = 64 * 1024 * 1024  # bytes of one page
_FILES = ("100644", "100755")


class HubApiSource:
    """Repositories of the Hugging Face Hub, by the API alone.

    Args:
        anew: ask again for what could not be had, and for what is lost here.
    """

    def __init__(self, *, anew: bool = False):
        self._anew = anew

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """List the branch's commits and bring the boards' files at each of them.

        Raises:
            CrawlError: as of HubSource; nothing could be brought.
        """
        repo = open_repo(boards[0], work)
        with repo.web, writing(objects, repo.where, work) as handle:
            listings = _listings(objects, boards)
            whole = not self._anew
            if whole and repo.tip == known.tip and all(one.has(repo.tip) for one in listings):
                return Fetched(repo.tip, "api", base=repo.tip)
            base, fresh = _list_commits(repo, known, work)
            old = [] if base is None else list(_up_to(base, known.line()))
            line = [*old, *fresh]
            for one in listings if self._anew else ():
                one.forget_from_first_gap(line)
            files = HubFiles(repo, [one.paths for one in listings])
            done, trouble = _Bringing(files, objects, listings, line, work, handle).bring()
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
        spare: commits whose links are to be written again, with the same files -> the old link.
    """

    def __init__(self, objects: Objects, chain: Chain, paths: Sequence[str]):
        self._objects, self.chain = objects, chain
        self.paths = Paths(paths)
        self.links = chain.links()
        self.last_paths = tuple(paths[:1])
        self.spare: dict[str, str] = {}

    def has(self, commit: str) -> bool:
        """Whether the files at a commit are here; git may have brought them before."""
        return commit in self.links or self._objects.holds(commit)

    def forget_from_first_gap(self, line: Sequence[Listed]) -> None:
        """Forget the first link of a line that lacks something, and those behind it."""
        lost = self._with_lost_bytes()
        links = [self.links.get(one.commit) for one in line]
        gaps = (
            place
            for place, link in enumerate(links)
            if link and (link.own in lost or any(map(is_gap, link.lacking.values())))
        )
        first = next(gaps, len(line))
        for link in links[first:]:
            if link:
                del self.links[link.label]
                if not link.lacking and link.own not in lost:
                    self.spare[link.label] = link.own

    def _with_lost_bytes(self) -> set[str]:
        """Links that brought contents which are not here any more."""
        if not self.links:
            return set()
        printed = self._objects.run(
            *("log", "--raw", "-z", "--no-abbrev", "--no-renames", "--format=%H"),
            f"--glob=refs/chain/{self.chain.name}",
        )
        brought = [(own, blob) for own, _, mode, blob in raw_changes(printed) if mode in _FILES]
        blobs = list({blob for _, blob in brought})
        infos = zip(blobs, self._objects.infos(blobs), strict=True)
        lost = {blob for blob, info in infos if info.kind != "blob"}
        return {own for own, blob in brought if blob in lost}


def _listings(objects: Objects, boards: Sequence[Board]) -> list[_Listing]:
    """One listing for all boards that read the same paths."""
    chains = {(chain := listing_of(objects, board)).name: (chain, board) for board in boards}
    return [_Listing(objects, chain, board.source.paths) for chain, board in chains.values()]


def _list_commits(repo: HubRepo, known: Known, work: Work) -> tuple[str | None, list[Listed]]:
    """The newest commit of the last look that is still listed, and the commits after it."""
    from huggingface_hub.utils._datetime import parse_datetime

    from crawler.web.answer import next_link

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
    base = known.tip if known.tip in places else None
    if base is None:
        line = (one.commit for one in reversed(known.line()))
        base = next((commit for commit in line if commit in places), None)
    fresh = newest_first[: places[base]] if base else newest_first
    return base, fresh[::-1]


def _up_to(base: str, line: Sequence[Listed]) -> Iterator[Listed]:
    for one in line:
        yield one
        if one.commit == base:
            return


class _Bringing:
    """Brings the files at all commits of a line into the listings.

    Args:
        files: asks for them.
        objects: where they are kept.
        listings: what is known of them.
        line: the commits, oldest first.
        work: told how far it is.
        handle: of the repository, which is held.
    """

    def __init__(
        self,
        files: HubFiles,
        objects: Objects,
        listings: Sequence[_Listing],
        line: Sequence[Listed],
        work: Work,
        handle: int,
    ):
        self._handle = handle
        self._files, self._objects, self._work, self._line = files, objects, work, line
        labels = [one.commit for one in line]
        infos = zip(labels, objects.infos(labels), strict=True)
        by_git = {label for label, info in infos if info.kind == "commit"}
        self._lacking = [
            [one for one in listings if label not in one.links and label not in by_git]
            for label in labels
        ]
        self._here = objects.blobs()
        self._writers: dict[str, Writer] = {}

    def bring(self) -> tuple[int, CrawlError | None]:
        """Bring what is lacking, one commit after the other.

        The Hub allows fewer questions in a minute than one at a time would be.

        Returns:
            How many commits from the beginning of the line are whole, and what kept it from
            being all.
        """
        places = [place for place, lacking in enumerate(self._lacking) if lacking]
        with streaming(self._objects, [self._handle]) as stream:
            for one in {id(one): one for lacking in self._lacking for one in lacking}.values():
                self._writers[one.chain.name] = one.chain.writer(stream)
            self._spare = Chain(self._objects, "spare").writer(stream)
            for number, place in enumerate(places):
                self._work.count("commits", number, len(places))
                try:
                    self._bring_one(place)
                except CrawlError as error:
                    return place, error
        return len(self._line), None

    def _bring_one(self, place: int) -> None:
        """Bring the files at one commit.

        Raises:
            CrawlError: some of them did not come.
        """
        try:
            files = self._files_at(place)
        except Lost:
            self._link(place, None, {})
            return
        came: dict[str, Kept] = {}
        try:
            for file in files.values():
                if file.blob not in self._here and file.blob not in came:
                    came[file.blob] = self._files.content(self._line[place].commit, file)
        except BaseException:
            self._keep_spare(came)
            raise
        self._link(place, files, came)
        self._here |= {blob for blob, kept in came.items() if kept.data is not None}

    def _keep_spare(self, came: Mapping[str, Kept]) -> None:
        """Keep what came of a commit that is not whole, so that it is not downloaded again."""
        files = {blob: kept for blob, kept in came.items() if kept.data is not None}
        if files:
            label = self._line[-1].commit
            self._spare.add(label, self._line[-1].at, files, after=self._spare.last)

    def _files_at(self, place: int) -> dict[str, File]:
        """The files at a commit, as it is told now or as it was told before."""
        commit = self._line[place].commit
        told = [one.spare.get(commit) for one in self._lacking[place]]
        files: dict[str, File] = {}
        for own in told:
            if own is None:
                return self._files.at(commit)
            printed = self._objects.run("ls-tree", "-r", "-z", "-l", "--full-tree", own)
            for row in printed.decode("utf-8", "surrogateescape").split("\0"):
                if row:
                    entry, path = row.split("\t", 1)
                    _, _, blob, size = entry.split()
                    files[path] = File(path, blob, int(size))
        return files

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
