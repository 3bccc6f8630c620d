"""The command ``verify``: check whether a change helped."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import (
    VERIFICATION_FORMATS,
    format_option,
    hostfacts_option,
    report_option,
    site_option,
    store_database_option,
)
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND, UserError, require_verdicts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.verify.changed import Change
    from advisor.verify.verdict import Verdict


@click.command(cls=Command)
@click.argument("captures", nargs=-1, metavar="CAPTURE...", type=click.Path(path_type=Path))
@click.option(
    "--after",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="CAPTURE",
    help="A capture after the change, or a folder of captures. The arguments are then before it. Can be repeated.",
)
@click.option(
    "--changed",
    "when",
    metavar="TIME",
    help="Time of the change, by the server's clock: 2026-03-02T22:00. It separates the captures before and after.",
)
@store_database_option
@hostfacts_option
@site_option
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="N|FILE|last",
    help="A kept run before the change, in addition to the captures. Can be repeated.",
)
@format_option("text", "json", *VERIFICATION_FORMATS)
@report_option
def verify(  # noqa: PLR0913, PLR0917 -- click hands over each option
    captures: tuple[Path, ...],
    after: tuple[Path, ...],
    when: str | None,
    store: Path | None,
    hostfacts: tuple[Path, ...],
    site: Path | None,
    runs: tuple[str, ...],
    form: str,
    output: Path | None,
) -> int:
    """Check whether a change helped.

    Use captures before and after the change, a folder of captures with --changed, or --store. Formats of tickets print
    the verification part of a ticket. The exit status is 1 if the change is harmful.
    """
    from advisor.capture.lessons import HARMFUL
    from advisor.capture.opening import manifest
    from advisor.hostfacts.files import read_facts
    from advisor.kept.store import find
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text
    from advisor.report.values import head
    from advisor.site.files import site_of
    from advisor.verify import show
    from advisor.verify.from_captures import verify_captures
    from advisor.verify.reading import captures_in

    require_verdicts()
    if store is not None:
        if len(captures) != 1 or after or when or runs:
            raise UserError("with --store, give only the name of a database in nightly.toml")
        database = str(captures[0])
        found = _load_verdicts(store, database)
    else:
        before = [*captures, *map(find, runs)]
        if not before or bool(after) == bool(when):
            raise UserError("name captures, and use either --after CAPTURE or --changed TIME")
        found = [verify_captures(before, after, _moment(when), read_facts(hostfacts), site_of(site))]
        database = manifest(captures_in(before)[0]).snapshots[-1].database["name"]
    if form == "json":
        documents = [show.document(*each) for each in found]
        text = json_text({**head(), "database": database, "verdicts": documents} if store else documents[0])
    elif form != "text" and found:
        text = _complete_ticket(database, found, form)
    else:
        texts = [show.render(*each, width(), paint(output)) for each in found]
        text = "\n".join(texts) or "No changes in the kept runs.\n"
    emit(text, output)
    return EXIT_FOUND if any(verdict.verdict == HARMFUL for verdict, _ in found) else 0


def _complete_ticket(database: str, verdicts: "Sequence[tuple[Verdict, Sequence[Change]]]", form: str) -> str:
    """Return the completed verification of a ticket; as HTML, a page with pictures."""
    from advisor.ticket import template, verified_page
    from advisor.ticket.verified import verification

    if form == "html":
        return verified_page.render(database, verdicts)
    return template.fill(verification(database, verdicts), template.find(form, name=template.VERIFIED))


def _load_verdicts(store: Path, database: str) -> "list[tuple[Verdict, Sequence[Change]]]":
    """Return the verdicts on all changes in the store."""
    from advisor.nightly import history
    from advisor.verify.nights import verify_changes

    with history.open_history(store, create=False) as kept:
        if not kept.measurements.load_heads(database):
            raise UserError(f"{database}: {store} contains no run of this database")
        found = verify_changes(kept.measurements, database, anew=True)
    return [(each.verdict, each.changed) for each in found if each.verdict]


def _moment(when: str | None) -> datetime | None:
    if when is None:
        return None
    try:
        found = datetime.fromisoformat(when)
    except ValueError:
        raise UserError(f"--changed {when}: not a time; write it as 2026-03-02T22:00") from None
    if found.tzinfo is not None:
        raise UserError(f"--changed {when}: use the time of the server's clock, without a time zone")
    return found
