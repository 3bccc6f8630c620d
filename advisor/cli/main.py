"""The command line: ``db2tune``.

Every error is one line on standard error. Exit status: 0 no advice at or above --fail-on, 1 some advice,
2 bad usage or bad input, 3 cannot connect or not authorised, 4 internal error. Commands import their modules
when they run, so that --help starts fast.
"""

import atexit
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from advisor import __version__, ending
from advisor.cli.sections import COMMANDS, Group
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, UserError, explain_known
from advisor.patience import is_work_overdue

DEBUG = "DB2TUNE_DEBUG"


class OneLineErrors(Group):
    """Group of commands that return an exit status and print errors as one line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            status = super().main(*args, **(extra | {"standalone_mode": False}))
        except BaseException as error:
            number = ending.get_signal()  # libraries turn it into errors of their own
            if number is None:
                status = _status_of(error)
            else:  # close the contexts that are still open
                traceback.clear_frames(error.__traceback__)
                status = _exit_status(number)
        sys.exit(status or 0)


def program() -> None:
    """Run the program. Exit without unloading the driver's library, which would wait for running statements."""
    ending.heed(_exit_status)
    try:
        main()
    except SystemExit as end:
        status = int(end.code or 0)
    except ending.Ended:
        status = _exit_status(ending.get_signal() or signal.SIGTERM)
    ending.ignore_signals()
    if is_work_overdue():
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        atexit._run_exitfuncs()  # remove temporary folders
        os._exit(status)
    sys.exit(status)


def _status_of(error: BaseException) -> int:
    """Print the error in one line. Return its exit status."""
    if isinstance(error, click.Abort):
        return 130
    if isinstance(error, click.ClickException):
        return _fail(error.format_message(), EXIT_BAD_INPUT)
    if isinstance(error, UserError):
        return _fail(str(error), error.exit_status)
    if why := explain_known(error):
        return _fail(why, EXIT_BAD_INPUT)
    if os.environ.get(DEBUG) == "1" or not isinstance(error, Exception):
        raise error
    what = f"{type(error).__name__}: {error}"
    return _fail(f"internal error, {what}; set {DEBUG}=1 for a traceback", EXIT_FAULT)


def _exit_status(number: signal.Signals) -> int:
    """Return the exit status that a shell uses for a signal. Ignore a closed terminal."""
    with suppress(OSError):
        _fail(f"ended by {number.name}", 0)
    return 128 + number


def _fail(message: str, status: int) -> int:
    from advisor.report.text import make_printable

    click.echo(f"db2tune: {make_printable(message.strip())}", err=True)
    return status


@click.group(
    cls=OneLineErrors,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="db2tune", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> int | None:
    """Tuning advice for Db2 LUW: exact changes, ranked by measured database time."""
    if context.invoked_subcommand is not None:
        return None
    click.echo(context.get_help(), err=True)
    return EXIT_BAD_INPUT


for name in " ".join(COMMANDS.values()).split():
    module = f"{name}_command" if name in {"help", "import"} else name  # names that Python has, too
    main.add_command(getattr(import_module(f"advisor.cli.{module}"), module))

if __name__ == "__main__":
    program()
