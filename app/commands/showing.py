"""Commands that open something to look at: dashboard, demo."""

from __future__ import annotations

from pathlib import Path

import click

from app.options import port_option


@click.command()
@port_option
@click.option("--address", default="localhost", show_default=True, help="Interface to listen on.")
@click.pass_obj
def dashboard(folder: Path, port: int, address: str) -> int:
    """Serve the dashboard until Ctrl-C.

    \b
    Example:
        ranktrail dashboard --port 8600
    """
    from app.serve import serve

    return serve(folder, port, address)


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
