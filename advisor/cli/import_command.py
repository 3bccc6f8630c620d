"""The command ``import``: make a capture of Db2 output."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import anonymize_option, kept_option
from advisor.cli.sections import Command
from advisor.cli.sources import known_options

if TYPE_CHECKING:
    from advisor.imports.texts import Known


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True), metavar="FILE...")
@kept_option(required=False)
@click.option(
    "--explain",
    is_flag=True,
    help="Show how each range of lines was recognised, and which facts were read from it or why it was ignored.",
)
@known_options
@anonymize_option
def import_command(files: tuple[Path, ...], output: Path | None, explain: bool, known: "Known", anonymize: bool) -> int:
    """Create a capture from Db2 output you already have.

    FILE is output of db2mon, db2pd, db2look, configuration, snapshots, listings, or the script of db2tune capture
    --script. db2tune recognises each part by its content. Values that the text does not contain are missing, not zero.
    db2tune calculates the difference between two reports of one system.
    """
    from advisor.anonymize import anonymize_capture
    from advisor.capture import write_capture
    from advisor.imports.inputs import is_capture
    from advisor.imports.texts import import_texts, look
    from advisor.report import imported
    from advisor.report.output import emit

    if output is None and not explain:
        raise click.UsageError("name the capture to write with -o, or use --explain")
    if captures := [file for file in files if is_capture(file)]:
        return _anonymize_only(files, captures[0], output, anonymize)
    if output is None:
        emit(imported.explanation(look(files)))
        return 0
    with write_capture(output, anonymize_capture if anonymize else None) as folder:
        result = import_texts(files, folder, known, explain)
    if explain:
        emit(imported.explanation(result))
    click.echo(imported.summary(result), err=True, nl=False)
    return 0


def _anonymize_only(files: tuple[Path, ...], capture: Path, output: Path | None, anonymize: bool) -> int:
    """Anonymize a capture, which needs no import."""
    from advisor.anonymize import anonymize_capture
    from advisor.capture import write_capture
    from advisor.errors import UserError

    if len(files) > 1 or output is None or not anonymize:
        raise UserError(f"{capture}: already a capture; import can only anonymize it, as the only file and with -o")
    with write_capture(output) as folder:
        anonymize_capture(capture, folder)
    return 0
