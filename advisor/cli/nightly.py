"""The command ``nightly``: analyze every database of a list and compare with the previous run."""

from pathlib import Path

import click

from advisor.cli.sections import Command
from advisor.errors import EXIT_BAD_INPUT, UserError, require_verdicts


@click.command(cls=Command)
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="nightly.toml: databases, the store for runs, and notifications.",
)
@click.option("--only", metavar="NAME", help="Run only this database of the list.")
@click.option("--now", "again", is_flag=True, help="Run databases again that already have a run of this night.")
@click.option(
    "--init", "new", type=click.Path(path_type=Path), metavar="FILE", help="Write a commented example into FILE."
)
@click.option(
    "--check",
    is_flag=True,
    help="Only check --config, and the files, folders and passwords that it names; connect to nothing.",
)
@click.option(
    "--serve",
    "port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    help="Only serve the pages of --config at http://127.0.0.1:PORT/ until Ctrl-C; with 0, on a free port.",
)
def nightly(  # noqa: PLR0913, PLR0917 -- click hands over each option
    file: Path | None, only: str | None, again: bool, new: Path | None, check: bool, port: int | None
) -> int:
    """Analyze every database of a list, compare with the previous run, and report changes."""
    if new is not None:
        return _write_example(new)
    if file is None:
        raise click.UsageError("use --config FILE, or --init FILE for an example")
    if port is not None:
        return _serve(file, port)
    require_verdicts()
    return _check(file) if check else _run(file, only, again)


def _run(file: Path, only: str | None, again: bool) -> int:
    from advisor import progress
    from advisor.nightly import config, job, summary
    from advisor.nightly.clock import Clock
    from advisor.report.output import emit
    from advisor.report.text import make_printable

    read = config.read(file)
    night = job.run(read, only, again, Clock(wait=progress.pause) if read.parallel == 1 else Clock())
    emit(summary.render(night.started_at, night.outcomes, read.overview))
    for line in night.failed:
        click.echo(f"db2tune: {make_printable(line)}", err=True)
    return night.exit_status


def _serve(file: Path, port: int) -> int:
    from advisor.ending import until_interrupt
    from advisor.nightly import config, serving

    pages = config.read(file).pages
    if pages is None or not (pages / config.INDEX).is_file():
        raise UserError(f"{file}: its [pages] directory contains no pages yet; set it and run the job first")
    with until_interrupt():
        serving.serve(pages, port, lambda url: click.echo(f"Serving {pages} at {url}; end with Ctrl-C", err=True))
    return 0


def _check(file: Path) -> int:
    from advisor.nightly.checking import problems
    from advisor.report.output import emit
    from advisor.report.text import make_printable

    found = problems(file)
    for line in found:
        click.echo(f"db2tune: {make_printable(line)}", err=True)
    if not found:
        emit(f"{make_printable(file.name)}: no problems found\n")
    return EXIT_BAD_INPUT if found else 0


def _write_example(file: Path) -> int:
    from advisor.quoting import shell
    from advisor.report.output import emit
    from advisor.resources import NIGHTLY_EXAMPLE

    if file.exists():
        raise UserError(f"{file}: already exists; choose another name or remove it")
    emit(NIGHTLY_EXAMPLE.read_text(encoding="utf-8"), file)
    emit(f"Adapt it, then check it: db2tune nightly --config {shell(str(file), 'FILE')} --check\n")
    return 0
