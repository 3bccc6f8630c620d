"""Where a report goes: the terminal or pipe, or a file that is either the old one or the whole new one."""

import os
import shutil
import sys
from pathlib import Path

import click

from advisor.errors import UserError
from advisor.report.table import Paint, plain


def colourful(target: Path | None) -> bool:
    """Whether the report may carry colour: only on a terminal, and not where NO_COLOR asks for none."""
    return target is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def paint(target: Path | None = None) -> Paint:
    """What colours a part of a report, or leaves it as it is."""
    return click.style if colourful(target) else plain


def width() -> int:
    """Columns to wrap prose to: those of the terminal, within what reads well."""
    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 132))


def emit(report: str, target: Path | None = None) -> None:
    """Write the report to the file, or to standard output when there is none."""
    if target is not None:
        _replace(target, report)
        return
    if hasattr(sys.stdout, "reconfigure"):
        # a name that the terminal's encoding lacks must not end the report
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        click.echo(report, nl=False, color=True)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader (head, less) has seen enough; Python would complain once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace(target: Path, report: str) -> None:
    if not target.parent.is_dir():
        raise UserError(f"{target}: folder {target.parent} does not exist; create it first")
    if target.exists() and not target.is_file():
        raise UserError(f"{target}: is not a file; name a file to write")
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with beside.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(report)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UserError(f"{target}: cannot be written ({error.strerror})") from error
