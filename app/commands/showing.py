"""Commands that open something to look at: dashboard, demo."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import age_of
from app.options import port_option


@click.command()
@port_option
@click.option("--address", default="localhost", show_default=True, help="Interface to listen on.")
@click.option(
    "--public",
    is_flag=True,
    envvar="RANKTRAIL_PUBLIC",
    help="For anybody to look at: nothing can be changed, no page tells of this machine.",
)
@click.option(
    "--base-path",
    default="",
    metavar="PATH",
    help="Path before every page, where a proxy passes on a part of a site.",
)
@click.option(
    "--every",
    metavar="AGE",
    envvar="RANKTRAIL_EVERY",
    help="How often the boards are crawled, as in 6h: pages say when a crawl is overdue.",
)
@click.pass_obj
def dashboard(
    folder: Path, port: int, address: str, public: bool, base_path: str, every: str | None
) -> int:
    """Serve the dashboard until Ctrl-C.

    \b
    Example:
        ranktrail dashboard --port 8600
    """
    from app.serve import Serving, serve

    if every is not None:
        age_of(every, "--every")  # a wrong one is said here, and not on every page
    return serve(folder, Serving(port, address, public, base_path, every))


@click.command()
@click.option("--serve/--no-serve", default=None, help="Serve the dashboard afterwards.")
@click.option(
    "--folder",
    "target",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".demo"),
    show_default=True,
    help="Where to build it.",
)
@port_option
def demo(serve: bool | None, target: Path, port: int) -> int:
    """Take the sample through the real path and ask about it.

    \b
    Example:
        ranktrail demo --no-serve
    """
    from app.demo import run

    return run(target, port, serve)
