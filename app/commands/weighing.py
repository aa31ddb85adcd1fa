"""Commands that weigh a board's answer: robust."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import day_note, open_board, refuse_unknown, store_of
from app.faults import DONE
from app.options import at_option, form_options
from app.output import show


@click.command()
@click.argument("board")
@at_option
@form_options()
@click.pass_obj
def robust(folder: Path, board: str, when: str, form: str | None) -> int:
    """Print how firmly first place on BOARD stands: without a part, under other weights.

    \b
    Example:
        ranktrail --store .demo robust replay-vision --at 2026-10-07
    """
    from app import robust_report
    from history.records import robust_record

    history = open_board(store_of(folder), board)
    stood = history.standings(when)
    refuse_unknown(history, stood.moment)
    found = history.robustness(when), history.uncertainty(when)
    document = robust_record.robust(history, stood, *found)
    show(robust_report.robust(document, day_note(history, stood.moment)), form)
    return DONE
