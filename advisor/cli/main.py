"""The command line: ``db2tune``.

Every error is one line on standard error and an exit status: 0 nothing at or above --fail-on, 1 there is,
2 bad usage or bad input, 3 cannot connect or not authorised, 4 a fault of ours. What a command needs is imported
when it runs, so that help is there at once.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from advisor import __version__
from advisor.cli.database import capture as capture_command
from advisor.cli.database import doctor, hostfacts_option, install, uninstall
from advisor.cli.hostfacts import hostfacts as hostfacts_command
from advisor.cli.importing import import_command, imported, known_options
from advisor.cli.nightly import history, nightly
from advisor.cli.origin import CAPTURE_HELP, Origin, origin_options, site_option
from advisor.cli.plan import plan as plan_command
from advisor.cli.site import accept, diff, options
from advisor.cli.ticket import ticket as ticket_command
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, EXIT_FOUND, UserError
from advisor.report.fail_on import ANY, LANES, Level, reaches

if TYPE_CHECKING:
    from advisor.capture.hostfacts import Facts
    from advisor.capture.site import Site
    from advisor.imports.texts import Known
    from advisor.judge.advice import Advice
    from advisor.report.selection import Selection

FORMATS = ("table", "markdown", "json", "csv")
DEBUG = "DB2TUNE_DEBUG"


class OneLineErrors(click.Group):
    """A group whose commands return the exit status and fail with one line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            status = super().main(*args, **(extra | {"standalone_mode": False}))
        except click.Abort:
            status = 130
        except click.ClickException as error:
            status = _fail(error.format_message(), EXIT_BAD_INPUT)
        except UserError as error:
            status = _fail(str(error), error.exit_status)
        except OSError as error:
            status = _fail(f"{error.filename or 'input'}: {error.strerror or error}", EXIT_BAD_INPUT)
        except Exception as error:
            if os.environ.get(DEBUG) == "1":
                raise
            what = f"{type(error).__name__}: {error}"
            status = _fail(f"internal fault, {what}; {DEBUG}=1 shows where", EXIT_FAULT)
        sys.exit(status or 0)


def _fail(message: str, status: int) -> int:
    from advisor.report.text import safe

    click.echo(f"db2tune: {safe(message.strip())}", err=True)
    return status


def _levels(context: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[Level, ...]:
    """The values of --fail-on: ``any``, lanes, and benefits in percent of database time."""
    return tuple(_level(value) for value in values)


def _level(value: str) -> Level:
    if value in (*LANES, ANY):
        return value
    try:
        percent = float(value)
    except ValueError:
        percent = -1
    if not 0 <= percent <= 100:
        raise click.BadParameter(f"{value!r} is not any, {', '.join(reversed(LANES))} or a percentage")
    return percent


capture_option = click.option("--capture", type=click.Path(path_type=Path), required=True, help=CAPTURE_HELP)
area_option = click.option("--area", "areas", multiple=True, metavar="AREA", help="Only this area; can be repeated.")


@click.group(cls=OneLineErrors, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="db2tune", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> int | None:
    """Tuning advice for Db2 LUW: exact changes, ranked by measured database time."""
    if context.invoked_subcommand is not None:
        return None
    click.echo(context.get_help(), err=True)
    return EXIT_BAD_INPUT


@main.command()
@click.option(
    "--ticket",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the change ticket of the first recommendation to FILE, in HTML.",
)
def demo(target: Path | None) -> int:
    """Show the advice for a machine that comes with db2tune."""
    import shlex

    from advisor.report import table
    from advisor.report.output import emit, paint, width
    from advisor.resources import DEMO_CAPTURE

    capture = shlex.quote(str(DEMO_CAPTURE))
    selection = _selected(DEMO_CAPTURE)
    report = table.render(selection, width(), paint())
    emit(f"{report}\nOne of these in full: db2tune explain --capture {capture} 1\n")
    if target is not None:
        from advisor.ticket import content, render

        emit(render.render(content.ticket(selection.advice, (1,)), render.template("html")), target)
        emit(f"The change ticket of the first: {target}\n")
    return 0


@main.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, allow_dash=True), metavar="[FILE]...")
@origin_options
@known_options
@area_option
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the first N of the list.")
@click.option(
    "--min-benefit",
    type=click.FloatRange(0, 100),
    default=0,
    metavar="PCT",
    help="Only performance advice that promises at least PCT percent of database time.",
)
@click.option(
    "--fail-on",
    multiple=True,
    callback=_levels,
    metavar="LEVEL",
    help="Exit with 1 when there is advice at or above LEVEL: any, performance, safety or prerequisite (in this"
    " order), or performance advice that promises at least so many percent. Can be repeated.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], help="The first one by default.")
@click.option("--all", "everything", is_flag=True, help="Show housekeeping and lists of rules in full.")
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
def advise(  # noqa: PLR0913, PLR0917 -- click hands over each option
    files: tuple[Path, ...],
    origin: Origin,
    known: "Known",
    areas: tuple[str, ...],
    top: int | None,
    min_benefit: float,
    fail_on: tuple[Level, ...],
    form: str,
    everything: bool,
    target: Path | None,
) -> int:
    """Ranked advice for a database, or for a captured one.

    Without anything installed, --database is read twice by plain SELECTs, --interval seconds apart, and judged here;
    nothing is left behind. FILEs are text that db2tune import reads, or a capture.
    """
    from advisor.report.selection import check_areas, select

    check_areas(areas)
    with imported(origin, files, known) as given:
        selection = select(given.advice(), areas, top, min_benefit)
    _report(selection, form, target, everything)
    # --top only shortens what is shown, not what is judged
    reached = (reaches(item.lane, item.benefit, level) for item in selection.considered for level in fail_on)
    return EXIT_FOUND if any(reached) else 0


@main.command()
@capture_option
@hostfacts_option
@site_option
@click.argument("what", metavar="RANK|RULE")
def explain(capture: Path, hostfacts: tuple[Path, ...], site: Path | None, what: str) -> int:
    """One recommendation in full: evidence, arithmetic, commands, undo, and what gave way to it."""
    from advisor.hostfacts.files import read
    from advisor.report import explain as explanation
    from advisor.report.output import emit, paint, width
    from advisor.site.files import site_of

    advice = _advice(capture, read(hostfacts), site_of(site))
    emit(explanation.render(advice, what, width(), paint()))
    return 0


@main.command()
@click.argument("name", required=False)
@area_option
def rules(name: str | None, areas: tuple[str, ...]) -> int:
    """The rules; with NAME one rule in full, with 'site' the options of the site."""
    from advisor.report import catalogue
    from advisor.report.output import emit, paint, width

    report = catalogue.listing(areas, width()) if name is None else catalogue.entry(name, width(), paint())
    emit(report)
    return 0


def _advice(capture: Path, hostfacts: "Facts | None" = None, site: "Site | None" = None) -> "Advice":
    from advisor.judge.run import advise as run

    return run(capture, hostfacts=hostfacts, site=site)


def _selected(capture: Path) -> "Selection":
    from advisor.report.selection import select

    return select(_advice(capture))


def _report(selection: "Selection", form: str, target: Path | None, everything: bool) -> None:
    from advisor.report import csvout, jsonout, markdown, table, text
    from advisor.report.output import emit, paint, width

    if form == "table":
        report = table.render(selection, width(), paint(target), everything)
    elif form == "markdown":
        report = markdown.render(selection, everything)
    elif form == "json":
        report = jsonout.render(selection)
    else:
        report = csvout.render(selection)
        # a CSV file has no place for what concerns no single line
        click.echo(f"interval {text.interval(selection.advice.window)}; {selection.not_run_count()}", err=True)
    emit(report, target)


for command in (
    install,
    uninstall,
    doctor,
    capture_command,
    import_command,
    hostfacts_command,
    plan_command,
    ticket_command,
    nightly,
    history,
    options,
    accept,
    diff,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
