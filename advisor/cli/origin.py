"""The origin of a command's advice: its sources, or schema TUNE in the database, with what the site adds.

@main.command()
@origin_options
def plan(origin: Origin) -> int:
    steps = plan(origin.advice())
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import argument
from advisor.cli.keeping import Keep, print_at_end
from advisor.cli.site_input import SiteInput, site_input_options
from advisor.cli.sources import Sources, several_source_options, source_options
from advisor.quoting import shell

if TYPE_CHECKING:
    from advisor.capture.given import Given
    from advisor.capture.site import Site
    from advisor.judgement.advice import Advice


@dataclass(frozen=True)
class Origin:
    """The options that select the input. ``judge`` and ``open`` read it."""

    sources: Sources
    site_input: SiteInput
    in_database: bool

    @property
    def site(self) -> "Site":
        """The contents of the site's file, without lessons."""
        return self.site_input.content

    def advice(self, ranks: Sequence[int] = ()) -> "Advice":
        """Return the advice without keeping the run; see ``judge``."""
        return self.judge(ranks)[0]

    def judge(
        self, ranks: Sequence[int] = (), keep: Keep | None = None, also: Mapping[str, str] | None = None
    ) -> tuple["Advice", str]:
        """Return the advice, and the options that name it for the next command. Keep the run if requested.

        ``also`` contains more queries, for pictures; a run that a database keeps answers none of them. Raise UserError
        for unreadable input, and if ``ranks`` of a kept run now mean other changes. Raise click.UsageError for
        contradicting options.
        """
        from advisor.judgement.run import advise
        from advisor.site.settings import find_mistyped

        if self.in_database:
            if keep and keep.keep is not None:
                raise click.UsageError(
                    "with --in-database, the database keeps the run; read it again with --in-database --run N"
                )
            return self._judge_in_database(also), "--in-database --database DB"
        if keep and keep.keep is not None and keep.keep.exists():
            raise click.UsageError(f"--keep {keep.keep}: already exists; choose another name or remove it")
        with self.open() as given:
            advice = advise(given.capture, hostfacts=given.hostfacts, site=given.site, also=also)
            check_run(given.capture, advice, ranks)
            for line in find_mistyped(
                given.site.accepted, [(item.rule.name, item.object_name) for item in advice.recommendations]
            ):
                print_at_end(f"db2tune: {line}")
            kept = keep.run(given, advice) if keep else None
        return advice, kept or self._options()

    def _options(self) -> str:
        """Return the options of this command that name the same list."""
        facts = (part for path in self.site_input.hostfacts for part in ("--hostfacts", path))
        site = ("--options", self.site_input.site) if self.site_input.site else ()
        return " ".join(shell(str(word), "FILE") for word in [*self.sources.options, *facts, *site])

    @contextmanager
    def open(self) -> Iterator["Given"]:
        """Yield the capture to analyze, with what the site adds."""
        from advisor.capture.given import Given
        from advisor.hostfacts.files import read_facts

        self.sources.check()
        site = self.site_input.load(kept_run=self.sources.run is not None)
        with self.sources.open(Given(Path(), site, read_facts(self.site_input.hostfacts), "capture")) as given:
            yield given

    def _judge_in_database(self, also: Mapping[str, str] | None) -> "Advice":
        """Return the advice of TUNE.ADVISE, which applies the options in the database and keeps the run."""
        from advisor.db2 import in_database
        from advisor.judgement.lessons import attach_warnings

        sources = self.sources
        site = self.site_input.load(kept_run=sources.run is not None)
        if sources.connect is None or sources.files or sources.capture is not None:
            raise click.UsageError("--in-database requires --database and no other source")
        if self.site_input.hostfacts:
            raise click.UsageError(
                "with --in-database, load host facts first: db2tune hostfacts --load FILE --database DB"
            )
        if self.site_input.site and not (site.own.rules or site.window):
            raise click.UsageError("with --in-database, set options in TUNE.OPTION: CALL TUNE.SET_OPTION")
        with sources.connect() as connection:
            if sources.run is not None:
                advice = in_database.load_run(connection, sources.run, site.rules)
            else:
                window = "PREVIOUS" if sources.interval_s else "ACTIVATION"
                advice = in_database.advise(connection, sources.interval_s or None, window, site.rules, also)
        return attach_warnings(advice, site.lessons or ())


def check_run(capture: Path, advice: "Advice", ranks: Sequence[int]) -> None:
    """Warn if a kept run now gives another list than it printed. Raise UserError if one of ``ranks`` has changed."""
    from advisor.capture.opening import manifest
    from advisor.kept.run import check

    kept = manifest(capture).run
    if kept and (said := check(kept, advice, ranks)):
        click.echo(f"db2tune: {said}", err=True)


_rest = (
    site_input_options,
    click.option("--in-database", is_flag=True, help="Run TUNE.ADVISE in the database, which keeps the run."),
)
origin_options = argument("origin", Origin, source_options, *_rest)
several_origin_options = argument("origin", Origin, several_source_options, *_rest)
