"""How does trouble become one line on stderr and an exit code?

Our own errors already say where, what was found and what to do; here they get
their exit code. Anything else is a surprise and keeps its traceback.
"""

from __future__ import annotations

import atexit
import difflib
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from app import log
from app.output import complain
from crawler.errors import RanktrailError
from crawler.work import Stopped

DONE, FAILED, USAGE, NOT_PLAINLY_TRUE, SOME_FAILED, OBJECTION, LOCKED, INTERRUPTED = (
    *range(7),
    130,
)


class UsageProblem(click.UsageError):
    """Something that the user typed is wrong; the message is one whole line."""


class Failure(click.ClickException):
    """The command could not do its job; the message is one whole line."""

    exit_code = FAILED


class Busy(Failure):
    """Another run is at work on everything that was meant."""

    exit_code = LOCKED


class Interrupted(click.ClickException):
    """Ctrl-C."""

    exit_code = INTERRUPTED


class Ranktrail(click.Group):
    """The command group: every way out of the program passes through main()."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn Ctrl-C into an error before click prints an empty line."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, Stopped):
            raise Interrupted("interrupted; what was reported as saved is safe") from None

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run, and leave with one of the exit codes above.

        Raises:
            SystemExit: always, unless something unforeseen happened.
        """
        write_anything()
        extra.pop("standalone_mode", None)
        given = list(sys.argv[1:] if args is None else args)
        with log.listening(log.chosen(given, os.environ)):
            code = self._code(given, prog_name or "ranktrail", extra)
        gc.freeze()  # all goes with the process; a last look for cycles would take its time
        if code == INTERRUPTED and args is None:
            _leave(INTERRUPTED)
        sys.exit(code or DONE)

    def _code(self, args: list[str], prog_name: str, extra: dict[str, Any]) -> Any:
        """Run; trouble is one line, and the exit code that it means."""
        try:
            return super().main(args, prog_name, standalone_mode=False, **extra)
        except click.ClickException as error:
            complain(click_line(error), "error")
            return error.exit_code
        except (click.Abort, KeyboardInterrupt):
            complain("interrupted; what was reported as saved is safe", "error")
            return INTERRUPTED
        except Exception as error:
            known = exit_code_of(error)
            if known is None:
                if log.form() != "json":
                    raise
                found = f"unforeseen: {type(error).__name__}: {error}"
                log.line(found, "error", traceback=traceback.format_exc())
                return FAILED
            complain(line_of_error(error), "error")
            return known


def _leave(code: int) -> NoReturn:
    """End the process with this code.

    Python ends by the signal itself, whatever code it is given, if Ctrl-C met it while it
    defined a dataclass, as it does while modules load.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def exit_code_of(error: Exception) -> int | None:
    """Exit code of one of our errors, or of the system's; None for a surprise."""
    if isinstance(error, (RanktrailError, Failure, UsageProblem)):
        return error.exit_code
    return FAILED if isinstance(error, OSError) else None


def line_of_error(error: Exception) -> str:
    """One line for one of our errors, or for the system's."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}. Look at the path, its rights and the disk."
    return str(error)


def click_line(error: click.ClickException) -> str:
    """One line for what click objects to, with the nearest option or command.

    >>> click_line(click.NoSuchOption("--jsn", possibilities=["--json", "--csv"]))
    'ranktrail: No such option --jsn. Did you mean --json or --csv? See `ranktrail --help`.'
    """
    if isinstance(error, (Failure, Interrupted, UsageProblem)):
        return error.format_message()
    ctx = getattr(error, "ctx", None)
    command = ctx.command_path if ctx is not None else "ranktrail"
    nearest: list[str] = []
    if isinstance(error, click.NoSuchOption):
        value = {"--store": "DIR", "--log": "FORM"}.get(error.option_name)
        if value and ctx is not None and ctx.parent is not None:
            how = f"`ranktrail {error.option_name} {value} COMMAND`"
            return f"ranktrail: {error.option_name} stands before the command: {how}."
        found = f"No such option {error.option_name}."
        nearest = error.possibilities or []
        if not nearest and ctx is not None:
            options = [name for p in ctx.command.params for name in p.opts if name[:1] == "-"]
            nearest = difflib.get_close_matches(error.option_name, options, 2, 0.5)
    elif isinstance(error, click.NoSuchCommand) and ctx is not None:
        found = f"No such command {error.command_name!r}."
        commands = ctx.command.list_commands(ctx)
        nearest = difflib.get_close_matches(error.command_name, commands, 2, 0.5)
    else:
        found = error.format_message()
    hint = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
    return f"{command}: {found}{hint} See `{command} --help`."


def write_anything() -> None:
    """Let both streams write any text: what the terminal lacks is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
