"""Options that several commands share, and groups of options that become one argument."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from advisor.report.fail_on import FailOn, fail_on_names

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

CAPTURE_HELP = "Capture directory or .capture file."
DEFAULT_INTERVAL_S = 60
MOST_RANKS = 1000
_RANKS = re.compile(r"\s*(?P<first>[0-9]{1,9})\s*(?:-\s*(?P<last>[0-9]{1,9})\s*)?")
TICKET_FORMATS = ("markdown", "html", "jira", "text")
VERIFICATION_FORMATS = ("markdown", "html", "jira")
RECORD_FORMATS = ("json", "servicenow", "jira-issue")


def make_interval_option(least: int, meaning: str) -> Decorator[Any]:
    """Return the option of seconds, of which ``least`` are the fewest."""
    return click.option(
        "--interval",
        "interval_s",
        type=click.IntRange(least, 86_400),
        default=DEFAULT_INTERVAL_S,
        show_default=True,
        metavar="S",
        help=meaning,
    )


interval_option = make_interval_option(0, "Seconds between two snapshots; with 0, analyze the time since activation.")
hostfacts_option = click.option(
    "--hostfacts",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Host facts: TOML, or JSON from 'db2tune hostfacts'. Repeatable.",
)
site_option = click.option(
    "--options",
    "site",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="The site's TOML file: options, accepted risks and its own rules.",
)
anonymize_option = click.option(
    "--anonymize",
    is_flag=True,
    help="Replace names of databases, schemas, tables, hosts, users and paths, so that you can share the capture.",
)
script_option = click.option(
    "--script", is_flag=True, help="Print the statements for the Db2 command line processor instead of running them."
)
store_database_option = click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PATH",
    help="The store of the nightly job; the argument names a database in nightly.toml.",
)
store_option = click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="DB2TUNE_STORE",
    default=Path("/var/lib/db2tune"),
    show_default=True,
    metavar="PATH",
    help="The [store] folder of nightly.toml. DB2TUNE_STORE also sets it.",
)


def rule_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the product's rules whose names start with ``incomplete``."""
    from advisor.catalogue.rules import all_rules

    return _filter_by_prefix(all_rules(), incomplete)


def area_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the areas of the product's rules whose names start with ``incomplete``."""
    from advisor.catalogue.rules import all_rules

    return _filter_by_prefix({rule.area for rule in all_rules().values()}, incomplete)


def rule_and_area_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [*area_names(context, parameter, incomplete), *rule_names(context, parameter, incomplete)]


def _filter_by_prefix(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


area_option = click.option(
    "--area",
    "areas",
    multiple=True,
    metavar="AREA",
    shell_complete=area_names,
    help="Show only this area. Can be repeated.",
)
report_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", is_eager=True, help="Write to FILE."
)


def capture_option(help_text: str = CAPTURE_HELP, multiple: bool = False) -> Decorator[Any]:
    """Return the option --capture, which names the capture to read, or several."""
    return click.option("--capture", type=click.Path(path_type=Path), help=help_text, multiple=multiple)


def run_option(multiple: bool = False) -> Decorator[Any]:
    """Return the option --run, which names a kept run, or several."""
    help_text = "A kept run: its number ('db2tune runs'), its file, or 'last'."
    return click.option("--run", metavar="N|FILE|last", help=help_text, multiple=multiple)


def kept_option(required: bool) -> Decorator[Any]:
    """Return the option -o FILE, which names the capture to write."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        required=required,
        metavar="FILE",
        help="The capture to write: a directory, or one file if the name ends in .capture.",
    )


_ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".md": "markdown",
    ".csv": "csv",
    ".sarif": "sarif",
    ".txt": "text",
    ".xml": "junit",
}


def format_option(*formats: str) -> Decorator[Any]:
    """Return the option --format. Its default is the suffix of --output, or else the first format."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        callback=functools.partial(_format, formats),
        help="Format; the suffix of -o FILE also selects it.",
    )


def _format(formats: tuple[str, ...], context: click.Context, _: click.Parameter, form: str) -> str:
    """Return the format. Raise BadParameter if it contradicts the suffix of --output."""
    output = context.params.get("output")
    named = _ENDINGS.get(output.suffix.lower()) if isinstance(output, Path) else None
    if named not in formats or named == form:
        return form
    if context.get_parameter_source("form") is ParameterSource.DEFAULT:
        return named
    raise click.BadParameter(f"{form} contradicts the suffix of {output}; use --format {named} or another file name")


def argument(name: str, made: Callable[..., Any], *options: Decorator[Any]) -> Callable[[Command], Command]:
    """Add options to a command. Call ``made`` with their values, and pass its result as the argument ``name``."""
    taken = [name for name, of in inspect.signature(made).parameters.items() if of.default is of.empty]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def called(*args: Any, **given: Any) -> Any:
            made_of = {option: given.pop(option) for option in taken}
            return command(*args, **given, **{name: made(**made_of)})

        decorated: Any = called
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def ranks_option(name: str, help_text: str) -> Decorator[Any]:
    """Return an option for ranks of the list. The command receives them as ``ranks``."""
    return click.option(name, "ranks", callback=_ranks, metavar="N,N-N", help=help_text)


def _ranks(context: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Return the distinct numbers of a list with ranges."""
    if value is None:
        return ()
    parts = [_RANKS.fullmatch(part) for part in value.split(",")]
    ranges = [range(int(part["first"]), int(part["last"] or part["first"]) + 1) for part in parts if part]
    if len(ranges) < len(parts) or not all(len(each) in range(1, MOST_RANKS) for each in ranges):
        raise click.BadParameter(f"{value!r} is not a list of ranks; write it as 1,3 or 1-3")
    return tuple(dict.fromkeys(rank for each in ranges for rank in each))


def _fail_on(context: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[FailOn, ...]:
    """Return the values of --fail-on: ``any``, lanes, and benefits in percent of database time."""
    return tuple(_parse_fail_on(value) for value in values)


def _parse_fail_on(value: str) -> FailOn:
    if value in fail_on_names():
        return value
    try:
        percent = float(value)
    except ValueError:
        percent = -1
    if not 0 <= percent <= 100:
        raise click.BadParameter(f"{value!r} is not {', '.join(fail_on_names())} or a percentage")
    return percent


fail_on_option = click.option(
    "--fail-on",
    multiple=True,
    callback=_fail_on,
    metavar="LEVEL",
    help="Exit with 1 if advice reaches LEVEL: any, condition, performance, safety, prerequisite, urgent or a benefit in %."
    " Repeatable.",
)


pager_option = click.option("--no-pager", is_flag=True, help="Do not page long output.")
