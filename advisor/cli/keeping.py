"""The options --keep and --no-keep: runs that other commands can use by number."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import argument
from advisor.quoting import shell

if TYPE_CHECKING:
    from advisor.capture.given import Given
    from advisor.judgement.advice import Advice


@dataclass(frozen=True)
class Keep:
    """Whether and where to keep a run, so that other commands can use its ranks."""

    keep: Path | None
    no_keep: bool

    def run(self, given: "Given", advice: "Advice") -> str | None:
        """Keep the run if requested, or if no capture contains it. Return the option that names it.

        Report a failure to add it to the store, and continue.
        """
        from advisor.errors import UserError
        from advisor.kept import run, store

        first = next((f" --rank {item.rank}" for item in advice.ranked), None)
        if self.keep is not None:
            run.keep(given, advice, self.keep)
            option = f"--run {shell(str(self.keep), 'FILE')}"
            print_at_end(f"Kept in {self.keep}{f': db2tune ticket {option}{first}' if first else ''}")
            return option
        if not self.no_keep and given.kind != "capture":
            try:
                number = store.add(given, advice)
            except (OSError, UserError) as error:
                print_at_end(f"This run was not kept: {error}")
            else:
                if number is not None:
                    print_at_end(f"Kept as run {number}{f': db2tune ticket --run {number}{first}' if first else ''}")
                    return f"--run {number}"
        return None


def print_at_end(line: str) -> None:
    """Print the line on standard error, after the list."""
    from advisor.report.text import make_printable

    click.get_current_context().call_on_close(lambda: click.echo(make_printable(line), err=True))


keep_options = argument(
    "keep",
    Keep,
    click.option(
        "--keep",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Keep the run as a capture in FILE, for --run: one file if the name ends in .capture, else a directory.",
    ),
    click.option(
        "--no-keep", is_flag=True, help="Do not keep the run, which contains statement texts, on this machine."
    ),
)
