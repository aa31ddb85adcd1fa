"""How does the history of a Space, dataset or model on the Hugging Face Hub get here?

In: OWNER/NAME. Out: its branch in our own bare repository. Start at HubSource. The Hub's API says
whether anything moved and why a repository cannot be read (one request); the content comes by
git (three), where one download per revision would be thousands. Where git is refused,
`crawler.hub_api` is the other way.
"""

from __future__ import annotations

from collections.abc import Sequence

from crawler.board import Board
from crawler.git_source import fetch_branch, login_settings
from crawler.hub import repo as hub_repo
from crawler.objects import Objects
from crawler.source import CrawlError, Fetched, Find, Known
from crawler.work import Work


class HubSource:
    """Repositories of the Hugging Face Hub, or of the server that HF_ENDPOINT names, by git.

    Args:
        anew: bring all of a branch, whatever is here.
    """

    def __init__(self, *, anew: bool = False):
        self._anew = anew

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """Ask the Hub for the branch's newest commit; fetch the branch if it is a new one.

        Raises:
            CrawlError: missing, private, gated, disabled, a bad token, offline: a line for each.
        """
        repo = hub_repo.open_repo(boards[0], work)
        with repo.web:
            if not self._anew and repo.tip == known.tip and objects.holds(repo.tip):
                return Fetched(repo.tip)
        work(f"fetching {repo.address}")
        settings = login_settings(repo.address, "user", repo.token) if repo.token else {}
        branch = boards[0].source.branch
        try:
            tip = fetch_branch(objects, repo.address, branch, work, settings, anew=self._anew)
            return Fetched(tip)
        except CrawlError as error:
            if "authentication needed" in error.found:
                refused = "gated or private: its files are refused"
                raise hub_repo.no_access(repo.where, refused) from None
            fix = error.fix
            if error.passing:
                fix += "; or with `--via api`, where only git is out of reach"
            raise CrawlError(error.where, error.found, fix, passing=error.passing) from None

    def large_files(self, board: Board, work: Work) -> Find | None:
        """What Git LFS and Xet keep, by its address on the Hub."""
        return hub_repo.large_files(board, work)
