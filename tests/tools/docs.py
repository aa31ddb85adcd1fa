"""Where do the generated parts of README.md and docs/ come from?

From here, by cog. A document holds a block like this one, and what cog puts under it:

    <!-- [[[cog
    from tests.tools import docs
    docs.print_help("standings")
    ]]] -->
    <!-- [[[end]]] -->

`make docs` writes the blocks anew; the tests fail when one is stale.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import sys
import tempfile
import textwrap
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import click
from cogapp import Cog

from crawler.board import ready_made

ROOT = Path(__file__).parent.parent.parent


def documents() -> list[Path]:
    """The documents that may hold generated parts."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> dict[str, click.Command]:
    """Name -> command of the command line."""
    from app.cli import cli

    return dict(cli.commands)


def print_help(name: str = "") -> None:
    """The help of one command, as the terminal shows it; of `ranktrail` itself without a name."""
    from app.cli import cli

    parent = _context()
    command: click.Command = cli.commands[name] if name else cli
    context = (
        click.Context(command, parent=parent, info_name=name, terminal_width=90) if name else parent
    )
    print(f"```text\n{command.get_help(context)}\n```")


def _context() -> click.Context:
    """Of `ranktrail`, as the program sets it: an option of help is made once, whoever asks first."""
    from app.cli import cli

    names = cli.context_settings["help_option_names"]
    return click.Context(
        cli,
        info_name="ranktrail",
        terminal_width=90,
        max_content_width=90,
        help_option_names=names,
    )


def print_commands() -> None:
    """A table of the commands, one line each."""
    print("| command | does |\n| --- | --- |")
    for name, command in commands().items():
        context = click.Context(command, parent=_context(), info_name=name)
        usage = " ".join(command.collect_usage_pieces(context))
        print(f"| `{name} {usage}` | {command.get_short_help_str(200)} |".replace("[OPTIONS] ", ""))


def print_ready_made() -> None:
    """A line with the ready-made boards."""
    print(f"Ready-made are {', '.join(f'`{name}`' for name in ready_made())}.")


def print_file(path: str, language: str) -> None:
    """A file as it stands."""
    text = (ROOT / path).read_text(encoding="utf-8")
    print(f"```{language}\n{text.rstrip()}\n```")


def print_doc(module: str) -> None:
    """The documentation of a module: history.frames says what the columns are."""
    found: ModuleType = importlib.import_module(module)
    print((found.__doc__ or "").strip())


def print_table(module: str, heading: str) -> None:
    """One table out of a module's documentation: the one after `HEADING:`."""
    lines = (importlib.import_module(module).__doc__ or "").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{heading}:"))
    rest = lines[start + 1 :]
    end = next((n for n, line in enumerate(rest) if line and not line.startswith("|")), len(rest))
    print("\n".join(line for line in rest[:end] if line))


def print_verdict(claim: str) -> None:
    """One sample claim and its verdict, as `check` prints it, but for the age of the last look."""
    from click.testing import CliRunner

    from app.cli import cli

    with tempfile.TemporaryDirectory() as scratch:
        store = str(Path(scratch) / "store")
        run = CliRunner()
        run.invoke(cli, ["demo", "--no-serve", "--folder", store], catch_exceptions=False)
        asked = ["--store", store, "check", f"{store}/claims.toml", "--json"]
        answer = run.invoke(cli, asked, catch_exceptions=False)
    found = next(one for one in json.loads(answer.stdout)["claims"] if one["id"] == claim)
    sentence = found["sentence"].partition(" Last look: ")[0]
    lines = [f'"{found["text"]}"', *textwrap.wrap(sentence, 96), ""]
    for one in found["evidence"]:
        cell = f"{one['entry']}: {one['text'] or 'not listed'}"
        where = f"{one['board']} @ {one['commit'][:8]} {one['path']} {one['pointer']}"
        lines.append(f"{one['label']}  {where}  {cell}")
    print("\n".join(["```text", *lines, "```"]))


def print_modules(package: str) -> None:
    """The modules of a package, each with the question that it answers."""
    print("| module | question |\n| --- | --- |")
    for path in sorted((ROOT / package).rglob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if text:
            print(f"| `{path.relative_to(ROOT)}` | {text.splitlines()[0]} |")


def print_kinds() -> None:
    """What `audit` finds."""
    from history.audit.smells.kinds import KINDS

    print("| kind | found is | in |\n| --- | --- | --- |")
    for name, kind in KINDS.items():
        where = "every version that has it" if kind.lasts else "the commit that did it"
        print(f"| `{name}` | {kind.says} | {where} |")


def print_forms() -> None:
    """The sentences that are understood."""
    from history.claims.sentences.grammar import FORMS

    print("| form | example |\n| --- | --- |")
    for form in FORMS:
        print(f"| {form.form.replace('|', '/')} | {form.example} |")


# Columns of one file each, as people print them.
NUMBERS = (
    ("71.2%", "3.0 %", "69.8"),
    ("71.2 ± 0.8", "69.5 (±1.1)", "66.1 (0.4)"),
    ("1285 +3/-5", "1270 [1262, 1279]"),
    ("12.3s", "9 s", "450 ms"),
    ("1.2k", "950", "3.4M"),
    ("8B", "70B", "7"),
    ("$0.12", "$5"),
    ("90.5†", "90.1*", "88.4 [1]", "87.0²"),
    ("🥇 91.2", "▲ 3", "▼ 3"),
    ("1,234", "950"),
    ("1,234", "950.5"),
    ("71,25", "1.200"),
    ("(0.4)", "0.5"),
    ("<0.1", "99+", "~71"),
    ("71.2%", "0.712"),
    ("N/A", "-", "—", "NaN", "pending", "inf"),
)


def print_numbers() -> None:
    """How columns of printed numbers are read."""
    from history.numbers.column import read_column

    print("| one column of a file | is read as |\n| --- | --- |")
    for cells in NUMBERS:
        column, said = read_column(cells), []
        for row, tick in enumerate(column.ticks):
            reason = column.reasons[row] if column.reasons else None
            either = f": {column.either[row]}" if row in column.either else ""
            number = "" if tick is None else f"{Decimal(tick).scaleb(-column.dp):f}"
            said.append(number or f"{str(reason).replace('_', ' ')}{either}")
        print(f"| {' · '.join(f'`{cell}`' for cell in cells)} | {' · '.join(said)} |")


def stale() -> list[str]:
    """Documents whose generated parts are not what the code says, as lines for people."""
    found = []
    for path in documents():
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            failed = _cog("--check", "--diff", str(path))
        if failed:
            name = path.relative_to(ROOT)
            found.append(f"{name} is stale, run `make docs`:\n{said.getvalue()}")
    return found


def _cog(*arguments: str) -> int:
    return int(Cog().main(["cog", "-P", "-I", str(ROOT), *arguments]) or 0)


if __name__ == "__main__":
    sys.exit(max(_cog("-r", str(path)) for path in documents()))
