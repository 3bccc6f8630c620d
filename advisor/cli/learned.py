"""The command ``learned``: lessons of verified changes in the store of the nightly job."""

from pathlib import Path

import click

from advisor.cli.arguments import rule_names, store_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@click.argument("rule", required=False, shell_complete=rule_names)
@store_option
@click.option(
    "--export", "exported", type=click.Path(path_type=Path), metavar="FILE", help="Write the lessons to FILE, as JSON."
)
@click.option(
    "--import",
    "imported",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Add the lessons that another store exported. Known lessons are not counted twice.",
)
@click.option("--reset", is_flag=True, help="Delete the lessons. The rules' own estimates apply again.")
def learned(rule: str | None, store: Path, exported: Path | None, imported: Path | None, reset: bool) -> int:
    """Show the lessons of verified changes: estimated benefit, measured benefit and correction, for RULE or all."""
    from advisor.capture import lessons
    from advisor.nightly import history
    from advisor.report import lessons as show
    from advisor.report.output import emit, width
    from advisor.report.text import count, json_text

    if sum(map(bool, (exported, imported, reset))) > 1:
        raise click.UsageError("use only one of --export, --import and --reset")
    if imported is not None and rule is not None:
        raise click.UsageError("--import adds all lessons in FILE; omit RULE")
    new = lessons.read(imported) if imported is not None else ()
    with history.open_history(store, create=imported is not None) as kept:
        known = [lesson for lesson in kept.lessons.load() if rule in (None, lesson.rule)]
        added = kept.lessons.add(new)
        if reset:
            kept.lessons.remove(rule)
    if imported is not None:
        emit(f"{count(len(added), 'change')} learned: {show.places(added)}; {len(new) - len(added)} already known.\n")
    elif reset:
        emit(f"{count(len(known), 'change')} forgotten: {show.places(known)}.\n")
    elif exported is not None:
        emit(json_text(lessons.document(known)), exported)
        emit(f"{count(len(known), 'change')} written: {show.places(known)}.\n")
    else:
        emit(show.render(known, width()))
    return 0
