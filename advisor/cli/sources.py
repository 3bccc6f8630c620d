"""The options for the data to analyze: a capture, a kept run, a database, or texts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from advisor import progress
from advisor.cli.arguments import (
    Decorator,
    argument,
    capture_option,
    interval_option,
    run_option,
    store_database_option,
)
from advisor.cli.connection import Connect, connection_options
from advisor.imports.known import LEVEL, PLATFORMS, Known

if TYPE_CHECKING:
    from advisor.capture.given import Given

_SOURCES = "use one of: FILE, --capture, --run or --database"


@dataclass(frozen=True)
class Sources:
    """The sources that the options name. Only one is allowed.

    ``older`` are further captures of the same database, the newest first.
    """

    files: tuple[Path, ...]
    capture: Path | None
    run: str | None
    connect: Connect | None
    interval_s: int
    known: Known
    older: tuple[Path, ...] = ()

    @property
    def options(self) -> list[object]:
        """The options and files that name the same data."""
        return [
            *(("--capture", self.capture) if self.capture else ()),
            *(("--run", self.run) if self.run else ()),
            *self.files,
        ]

    def check(self) -> None:
        """Raise click.UsageError unless the options name one source."""
        if sum(map(bool, (self.files, self.capture, self.run, self.connect))) != 1:
            raise click.UsageError(_SOURCES)
        context = click.get_current_context(silent=True)
        if (
            self.connect is None
            and context
            and context.get_parameter_source("interval_s") is ParameterSource.COMMANDLINE
        ):
            raise click.UsageError("--interval requires --database")

    @contextmanager
    def open(self, given: "Given") -> Iterator["Given"]:
        """Yield ``given`` with the capture to analyze: the named one, or a temporary one."""
        from advisor.files import temporary
        from advisor.kept.store import find

        if self.capture is not None:
            yield replace(given, capture=self.capture)
        elif self.run is not None:
            yield replace(given, capture=find(self.run))
        elif self.connect is not None:
            with temporary() as folder:
                self._collect(folder, given)
                yield replace(given, capture=folder, hostfacts={}, kind="database")
        else:
            with self._import_files() as folder:
                yield replace(given, capture=folder, kind="capture" if folder in self.files else "texts")

    def _collect(self, folder: Path, given: "Given") -> None:
        from advisor.db2.collector import collect

        assert self.connect is not None  # checked by open
        with self.connect() as connection:
            collect(connection, folder, self.interval_s, given.hostfacts, progress.pause, texts=given.site.texts)

    @contextmanager
    def _import_files(self) -> Iterator[Path]:
        """Yield the capture made of the files, or the capture that the only file is."""
        from advisor.imports.inputs import only_capture

        if capture := only_capture(self.files):
            yield capture
            return
        from advisor.files import temporary
        from advisor.imports.texts import import_texts
        from advisor.report.imported import notes

        with temporary() as folder:
            result = import_texts(self.files, folder, self.known)
            click.echo(notes(result), err=True, nl=False)
            yield folder


def _parse_known(name: str | None, db2_level: str | None, platform: str | None) -> Known:
    if db2_level is not None and LEVEL.fullmatch(db2_level) is None:
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


def _name_several(  # noqa: PLR0913, PLR0917 -- click hands over each option
    files: tuple[Path, ...],
    capture: tuple[Path, ...],
    run: tuple[str, ...],
    store: Path | None,
    connect: Connect | None,
    interval_s: int,
    known: Known,
) -> Sources:
    """Return the sources, of which several captures, runs or nights of one database are one."""
    from advisor.capture.opening import manifest
    from advisor.kept.store import find
    from advisor.nightly.history import list_captures
    from advisor.verify.reading import captures_in

    if store is not None:
        if len(files) != 1 or capture or run or connect:
            raise click.UsageError("with --store, give only the name of a database in nightly.toml")
        named, files = list_captures(store, str(files[0])), ()
    elif len(capture) + len(run) < 2 and not any(map(Path.is_dir, capture)):
        return Sources(files, capture[0] if capture else None, run[0] if run else None, connect, interval_s, known)
    else:
        named = captures_in([*capture, *map(find, run)])
    newest, *older = sorted(named, key=lambda path: -manifest(path).snapshots[-1].epoch_s)
    return Sources(files, newest, None, connect, interval_s, known, tuple(older))


def _list_options(multiple: bool) -> tuple[Decorator[Any], ...]:
    """Return the options of sources; ``multiple`` ones name several captures of one database."""
    return (
        click.argument("files", nargs=-1, type=click.Path(path_type=Path, allow_dash=True), metavar="[FILE]..."),
        capture_option(multiple=multiple),
        run_option(multiple),
        *([store_database_option] if multiple else []),
        connection_options(required=False),
        interval_option,
        known_options,
    )


source_options = argument("sources", Sources, *_list_options(multiple=False))
several_source_options = argument("sources", _name_several, *_list_options(multiple=True))
