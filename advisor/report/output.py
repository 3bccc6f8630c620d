"""Where a report goes, in which width and colours: the terminal or pipe, or a file, which is replaced as a whole."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import click

from advisor import files
from advisor.errors import UserError

Paint = Callable[..., str]  # takes a line, and the colours of click.style by name


def plain(line: str, **_: object) -> str:
    """Return the line without colours."""
    return line


def supports_colour(file: Path | None) -> bool:
    """Return whether the report may use colours: on a terminal that has some, and without NO_COLOR."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return file is None and wanted and sys.stdout.isatty()


def paint(file: Path | None = None) -> Paint:
    """Return the function that colours parts of a report, or leaves them unchanged."""
    return click.style if supports_colour(file) else plain


def width() -> int:
    """Return the columns for prose: the terminal's, within readable limits."""
    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 132))


def emit(report: str, file: Path | None = None, pager: bool = False, quiet: bool = False) -> None:
    """Write the report to the file and name it unless ``quiet``, or write it to standard output (also as file ``-``).

    With a ``pager``, page what is longer than the terminal.
    """
    if file is not None and file != Path("-"):
        _replace(file, report)
        if not quiet:
            click.echo(f"Wrote {file}", err=True)
        return
    if pager and sys.stdout.isatty() and report.count("\n") >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "FRX")
        click.echo_via_pager(report, color=True)
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


def checked(file: Path) -> Path:
    """Return the file if it can be written. Raise UserError before a long run, not after it."""
    if not file.parent.is_dir():
        raise UserError(f"{file}: folder {file.parent} does not exist; create it first")
    if file.exists() and not file.is_file():
        raise UserError(f"{file}: is not a file; name a file to write")
    return file


def _replace(file: Path, report: str) -> None:
    checked(file)
    try:
        files.replace(file, report)
    except OSError as error:
        raise UserError(f"{file}: cannot be written ({error.strerror})") from error
