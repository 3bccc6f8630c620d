"""The command ``learned``: what verified changes taught, kept in the store of the nightly job."""

from pathlib import Path

import click

from advisor.cli.arguments import rule_names, store_option


@click.command()
@click.argument("rule", required=False, shell_complete=rule_names)
@store_option
@click.option(
    "--export", "exported", type=click.Path(path_type=Path), metavar="FILE", help="Write it to FILE, as JSON."
)
@click.option(
    "--import",
    "imported",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take over what another store exported; what is known already is not counted twice.",
)
@click.option("--reset", is_flag=True, help="Forget it: the rules' own numbers count again.")
def learned(rule: str | None, store: Path, exported: Path | None, imported: Path | None, reset: bool) -> int:
    """What verified changes taught, of RULE or of all: what was promised, what it brought, and what follows from it."""
    from advisor.capture import lessons
    from advisor.nightly import history
    from advisor.report import learned as show
    from advisor.report.output import emit, width
    from advisor.report.text import count, json_text

    if sum(map(bool, (exported, imported, reset))) > 1:
        raise click.UsageError("name one of --export, --import and --reset")
    if imported is not None and rule is not None:
        raise click.UsageError("--import takes over all that is in FILE; leave RULE out")
    new = lessons.read(imported) if imported is not None else ()
    with history.opened(store, create=imported is not None) as kept:
        known = [lesson for lesson in kept.lessons() if rule in (None, lesson.rule)]
        added = kept.learn(new)
        if reset:
            kept.forget(rule)
    if imported is not None:
        emit(f"{count(len(added), 'change')} learned: {show.places(added)}; {len(new) - len(added)} known already.\n")
    elif reset:
        emit(f"{count(len(known), 'change')} forgotten: {show.places(known)}.\n")
    elif exported is not None:
        emit(json_text(lessons.document(known)), exported)
        emit(f"{count(len(known), 'change')} written: {show.places(known)}.\n")
    else:
        emit(show.render(known, width()))
    return 0
