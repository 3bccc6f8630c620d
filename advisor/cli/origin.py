"""The origin of a command's advice: a capture, a kept run, a database, schema TUNE in the database, or texts.

@main.command()
@origin_options
def plan(origin: Origin) -> int:
    steps = plan(origin.advice())
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from advisor.cli import progress
from advisor.cli.arguments import (
    argument,
    capture_option,
    hostfacts_option,
    interval_option,
    run_option,
    site_option,
)
from advisor.cli.connection import Connect, connection_options

if TYPE_CHECKING:
    from advisor.capture.lessons import Lesson
    from advisor.capture.site import Site
    from advisor.imports.texts import Known
    from advisor.judge.advice import Advice
    from advisor.kept.run import Given

_LEVEL = re.compile(r"\d{1,2}(?:\.\d{1,3}){1,3}")
PLATFORMS = ("AIX", "Linux", "Solaris", "HP-UX", "Windows")
LEARNED = "DB2TUNE_LEARNED"
_SOURCES = "use one of: FILE, --capture, --run or --database"


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

        first = next((f" --rank {item.rank}" for item in advice.ranked), "")
        if self.keep is not None:
            run.keep(given, advice, self.keep)
            _say(f"Kept in {self.keep}: db2tune ticket --run {self.keep}{first}")
            return f"--run {shlex.quote(str(self.keep))}"
        if not self.no_keep and given.kind != "capture":
            try:
                number = store.add(given, advice)
            except (OSError, UserError) as error:
                _say(f"This run was not kept: {error}")
            else:
                if number is not None:
                    _say(f"Kept as run {number}: db2tune ticket --run {number}{first}")
                    return f"--run {number}"
        return None


def _say(line: str) -> None:
    """Print the line on standard error, after the list."""
    from advisor.report.text import make_printable

    click.get_current_context().call_on_close(lambda: click.echo(make_printable(line), err=True))


@dataclass(frozen=True)
class Origin:
    """The options that select the input. ``advice`` and ``opened`` read it."""

    files: tuple[Path, ...]
    known: "Known"
    capture: Path | None
    connect: Connect | None
    run: str | None
    interval_s: int
    hostfacts: tuple[Path, ...]
    site: Path | None
    in_database: bool
    learned: Path | None
    no_learned: bool

    def advice(self, ranks: Sequence[int] = ()) -> "Advice":
        """Return the advice without keeping the run; see ``judged``."""
        return self.judged(ranks)[0]

    def judged(
        self, ranks: Sequence[int] = (), keep: Keep | None = None, also: Mapping[str, str] | None = None
    ) -> tuple["Advice", str]:
        """Return the advice, and the options that name it for the next command. Keep the run if requested.

        ``also`` contains more queries, for pictures; a run that a database keeps answers none of them. Raise UserError
        for unreadable input, and if ``ranks`` of a kept run now mean other changes. Raise click.UsageError for
        contradicting options.
        """
        from advisor.judge.run import advise
        from advisor.site.mistyped import find_mistyped

        if self.in_database:
            if keep and keep.keep is not None:
                raise click.UsageError(
                    "with --in-database, the database keeps the run; read it again with --in-database --run N"
                )
            return self._judged_in_database(also), "--in-database --database DB"
        if keep and keep.keep is not None and keep.keep.exists():
            raise click.UsageError(f"--keep {keep.keep}: already exists; choose another name or remove it")
        with self.opened() as given:
            advice = advise(given.capture, hostfacts=given.hostfacts, site=given.site, also=also)
            check_run(given.capture, advice, ranks)
            for line in find_mistyped(
                given.site.accepted, [(item.rule.name, item.object_name) for item in advice.recommendations]
            ):
                _say(f"db2tune: {line}")
            kept = keep.run(given, advice) if keep else None
        return advice, kept or self._source()

    def _source(self) -> str:
        """Return the options of this command that name the same list."""
        named = [
            *(("--capture", self.capture) if self.capture else ()),
            *(("--run", self.run) if self.run else ()),
            *self.files,
            *(part for facts in self.hostfacts for part in ("--hostfacts", facts)),
            *(("--options", self.site) if self.site else ()),
        ]
        return shlex.join(map(str, named))

    @contextmanager
    def opened(self) -> Iterator["Given"]:
        """Yield the capture to analyze: the given one, or a temporary one."""
        from advisor.files import temporary
        from advisor.hostfacts.files import read_facts
        from advisor.kept.run import Given
        from advisor.kept.store import find

        self._check_sources()
        given = Given(self.capture or Path(), self._site(), read_facts(self.hostfacts), "capture")
        if self.capture is not None:
            yield given
        elif self.run is not None:
            yield replace(given, capture=find(self.run))
        elif self.connect is not None:
            with temporary() as folder:
                self._collect(folder, given)
                yield replace(given, capture=folder, hostfacts={}, kind="database")
        else:
            with self._imported() as folder:
                yield replace(given, capture=folder, kind="capture" if folder in self.files else "texts")

    def _site(self) -> "Site":
        """Return the site's options with the chosen lessons; None if a kept run uses its own."""
        from advisor.site.files import site_of

        return replace(site_of(self.site), lessons=self._lessons())

    def _lessons(self) -> "tuple[Lesson, ...] | None":
        from advisor.capture import lessons
        from advisor.nightly import history

        if self.no_learned:
            return ()
        always = os.environ.get(LEARNED) if self.run is None else None  # a kept run contains its own lessons
        path = self.learned or (Path(always) if always else None)
        if path is None:
            return None
        if not path.is_dir():
            return lessons.read(path)
        with history.open_history(path, create=False) as kept:
            return kept.lessons()

    def _check_sources(self) -> None:
        if sum(map(bool, (self.files, self.capture, self.run, self.connect))) != 1:
            raise click.UsageError(_SOURCES)
        context = click.get_current_context(silent=True)
        if (
            self.connect is None
            and context
            and context.get_parameter_source("interval_s") is ParameterSource.COMMANDLINE
        ):
            raise click.UsageError("--interval requires --database")

    def _collect(self, folder: Path, given: "Given") -> None:
        from advisor.db2.collector import collect

        assert self.connect is not None  # checked by _check_sources
        with self.connect() as connection:
            collect(connection, folder, self.interval_s, given.hostfacts, progress.pause, texts=given.site.texts)

    @contextmanager
    def _imported(self) -> Iterator[Path]:
        """Yield the capture made of the files, or the capture that the only file is."""
        from advisor.files import temporary
        from advisor.imports.inputs import is_capture
        from advisor.imports.texts import import_texts
        from advisor.report.imported import notes

        if len(self.files) == 1 and is_capture(self.files[0]):
            yield self.files[0]
            return
        with temporary() as folder:
            result = import_texts(self.files, folder, self.known)
            click.echo(notes(result), err=True, nl=False)
            yield folder

    def _judged_in_database(self, also: Mapping[str, str] | None) -> "Advice":
        """Return the advice of TUNE.ADVISE, which applies the options in the database and keeps the run."""
        from advisor.db2 import in_database
        from advisor.judge.learned import attach_warnings

        site = self._site()
        if self.connect is None or self.files or self.capture is not None:
            raise click.UsageError("--in-database requires --database and no other source")
        if self.hostfacts:
            raise click.UsageError(
                "with --in-database, load host facts first: db2tune hostfacts --load FILE --database DB"
            )
        if self.site and not (site.own.rules or site.window):
            raise click.UsageError("with --in-database, set options in TUNE.OPTION: CALL TUNE.SET_OPTION")
        with self.connect() as connection:
            if self.run is not None:
                return attach_warnings(in_database.load_run(connection, self.run, site.rules), site.lessons or ())
            window = "PREVIOUS" if self.interval_s else "ACTIVATION"
            advice = in_database.advise(connection, self.interval_s or None, window, site.rules, also)
        return attach_warnings(advice, site.lessons or ())


def check_run(capture: Path, advice: "Advice", ranks: Sequence[int]) -> None:
    """Warn if a kept run now gives another list than it printed. Raise UserError if one of ``ranks`` has changed."""
    from advisor.capture.opening import manifest
    from advisor.kept.run import check

    kept = manifest(capture).run
    if kept and (said := check(kept, advice, ranks)):
        click.echo(f"db2tune: {said}", err=True)


def _parse_known(name: str | None, db2_level: str | None, platform: str | None) -> "Known":
    from advisor.imports.texts import Known

    if db2_level is not None and _LEVEL.fullmatch(db2_level) is None:
        raise click.BadParameter(
            f"{db2_level!r} is not a Db2 level; write it as 11.5 or 11.5.9", param_hint="--db2-level"
        )
    return Known(name, db2_level, platform)


known_options = argument(
    "known",
    _parse_known,
    click.option("--name", metavar="DB", help="Name of the database, if the texts contain none or several."),
    click.option("--db2-level", metavar="V.R.M", help="Db2 level, such as 11.5.9, if the texts do not contain it."),
    click.option(
        "--platform",
        type=click.Choice(PLATFORMS, case_sensitive=False),
        help="Platform of the server, if the texts do not contain it.",
    ),
)

origin_options = argument(
    "origin",
    Origin,
    click.argument("files", nargs=-1, type=click.Path(path_type=Path, allow_dash=True), metavar="[FILE]..."),
    capture_option(),
    run_option,
    connection_options(required=False),
    interval_option,
    hostfacts_option,
    site_option,
    known_options,
    click.option("--in-database", is_flag=True, help="Run TUNE.ADVISE in the database, which keeps the run."),
    click.option(
        "--learned",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="Lessons of verified changes: the store of the nightly job, or a file of 'db2tune learned --export'."
        f" {LEARNED} also sets it.",
    ),
    click.option("--no-learned", is_flag=True, help="Ignore lessons; use the rules' own estimates."),
)

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
