"""Commands that write claims files: claims from-card."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import store_of
from app.bars import working


@click.group(invoke_without_command=True)
@click.pass_context
def claims(ctx: click.Context) -> None:
    """Write claims files.

    \b
    Example:
        ranktrail claims from-card OWNER/MODEL --save claims.toml
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@claims.command("from-card")
@click.argument("model", metavar="OWNER/MODEL")
@click.option("--revision", default="", help="Branch, tag or commit of the model's repository.")
@click.option(
    "--save",
    "target",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="Write the claims there, and the card as CARD.md beside it.",
)
@click.pass_obj
def from_card(folder: Path, model: str, revision: str, target: Path | None) -> int:
    """Draft a claims file from the card of a model on the Hub.

    Read are the results in the card's front matter, in .eval_results/ and in the tables of the
    card that have a row of the model. Every number stays as it is printed.

    \b
    Example:
        ranktrail claims from-card OWNER/MODEL --save claims.toml
    """
    from app import card_claims

    with working() as work:
        return card_claims.run(store_of(folder), work, model, revision, target)
