"""How does git fetch from the stand-in Hub?

In: a request under the address of a repository. Out: what `git http-backend` answers. Start at
answer().
"""

from __future__ import annotations

import re
import subprocess

from tests.hub.access import Repo, opened
from tests.hub.messages import Answer, Refused, Request, error
from tests.hub.repository import environment

_ADDRESS = re.compile(r"/(.+?)(/(?:info/refs|git-upload-pack|git-receive-pack|HEAD|objects/.*))")


def answer(repos: dict[str, Repo], request: Request, *, filters: bool) -> Answer:
    """Answer git.

    Args:
        filters: whether a partial clone is allowed.

    Raises:
        Refused: with the error to send.
    """
    found = _ADDRESS.fullmatch(request.place)
    if found is None:
        raise Refused(error(404, message="Not found"))
    key, rest = found.groups()
    if key not in repos and "/" in key and key.endswith(".git"):
        return error(404, message="Repository not found")  # any other git host than the Hub
    repo = opened(repos, key, request, files=True)
    folder = repo.history.folder
    settings = {"uploadpack.allowFilter": str(filters).lower(), "safe.directory": "*"}
    numbered: dict[str, str] = {}
    for number, (name, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    done = subprocess.run(
        ["git", "http-backend"],
        input=request.body,
        capture_output=True,
        check=False,
        env=environment(
            GIT_PROJECT_ROOT=str(folder.parent),
            GIT_HTTP_EXPORT_ALL="1",
            GIT_PROTOCOL=request.headers.get("Git-Protocol", ""),
            GIT_CONFIG_COUNT=str(len(settings)),
            PATH_INFO=f"/{folder.name}{rest}",
            QUERY_STRING=request.path.partition("?")[2],
            REQUEST_METHOD=request.method,
            CONTENT_TYPE=request.headers.get("Content-Type", ""),
            CONTENT_LENGTH=str(len(request.body)),
            HTTP_CONTENT_ENCODING=request.headers.get("Content-Encoding", ""),
            **numbered,
        ),
    )
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.partition(": ")[::2] for line in head.decode().splitlines())
    if not headers:
        return error(500, message="git failed")
    status = int(headers.pop("Status", "200").split()[0])
    return Answer(status, headers, content)
