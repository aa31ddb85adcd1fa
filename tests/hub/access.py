"""Who may see which repository?

In: a name and a request. Out: the repository, or an error as the Hub gives it. Start at opened().
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from tests.histories import History
from tests.hub.messages import Answer, Refused, Request, error
from tests.hub.repository import Repository

TOKEN = "hf_goodTOKEN1234567890"
STRANGER = "hf_otherTOKEN123456789"
KINDS = ("spaces", "datasets", "models")
DISABLED = "Access to this resource is disabled."


@dataclass
class Repo:
    """One repository of the Hub, and how it is guarded.

    Attributes:
        private: only the holder of TOKEN sees that it exists.
        gated: "files": information is open, files are refused; "all": both are refused. The
            holder of TOKEN was let in, the holder of STRANGER was not.
        disabled: by the Hub, for everyone.
        moved_to: its new name, as `HubServer.add` takes it.
        xet: whether its large files are said to be in the Hub's other store.
    """

    history: History
    private: bool = False
    gated: str = ""
    disabled: bool = False
    moved_to: str = ""
    xet: bool = False

    def __post_init__(self) -> None:
        self.repository = Repository(self.history.folder)


def token_of(request: Request) -> str:
    """The token that a request carries, by either scheme."""
    scheme, _, value = request.authorization.partition(" ")
    if scheme != "Basic":
        return value
    try:
        return base64.b64decode(value).decode().rpartition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def trusted(request: Request) -> bool:
    """Whether a request may see what is private. The server elsewhere asks nobody."""
    return token_of(request) == TOKEN or request.origin == "elsewhere"


def checked(request: Request) -> None:
    """Refuse a token that is none: also for what is public."""
    known = (TOKEN, STRANGER)
    if request.authorization and token_of(request) not in known and request.origin == "hub":
        message = "Invalid credentials in Authorization header"
        raise Refused(error(401, message=message, headers=challenge(request)))


def opened(repos: dict[str, Repo], key: str, request: Request, *, files: bool) -> Repo:
    """The repository of a name as `HubServer.add` takes it.

    Args:
        files: whether its files are asked for, not only what is known of them.

    Raises:
        Refused: with 401, 403, 404, or 307 where it has moved.
    """
    checked(request)
    repo = repos.get(key)
    if repo is None or (repo.private and not trusted(request)):
        raise Refused(unknown(request))
    if repo.moved_to:
        raise Refused(moved(key, repo.moved_to, request))
    if repo.disabled:
        raise Refused(error(403, message=DISABLED))
    guarded = repo.gated == "all" or (bool(repo.gated) and files)
    if guarded and not trusted(request):
        message = f"Access to {key} is restricted. You must have access to it and be authenticated"
        status = 403 if request.authorization else 401
        raise Refused(error(status, "GatedRepo", message, challenge(request)))
    return repo


def unknown(request: Request) -> Answer:
    """The same for what is not there and for what may not be seen."""
    if request.authorization:
        return error(404, "RepoNotFound", "Repository not found")
    return error(401, "RepoNotFound", "Invalid username or password.", challenge(request))


def moved(key: str, new: str, request: Request) -> Answer:
    """A redirect to the same thing under the new name, on the same server."""
    old, now = (f"/{name}/" for name in (key, new))
    if request.place.startswith("/api/"):
        old, now = (f"/api/{_plural(name)}/" for name in (key, new))
    head, _, query = request.path.partition("?")
    place = f"{head}/".replace(old, now, 1).removesuffix("/")
    return Answer(307, {"Location": place + (f"?{query}" if query else "")})


def challenge(request: Request) -> dict[str, str]:
    """What makes git ask for a name and a password."""
    return {"WWW-Authenticate": 'Basic realm="hub"'} if request.kind == "git" else {}


def _plural(key: str) -> str:
    return key if key.startswith(KINDS) else f"models/{key}"
