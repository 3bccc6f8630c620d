"""Snapshots without installation: one SELECT per source, written to a capture.

db2tune describes each statement without running it, and omits columns that the server lacks. If a source is
unreadable or too slow, the capture stores the reason, and db2tune reads the rest. The manifest is written last, so an
interrupted capture is never valid.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from advisor.capture import Collected, Manifest, Snapshot
from advisor.capture.hostfacts import Facts, overlay_facts, rename_hosts
from advisor.capture.manifest import read_manifest
from advisor.capture.writing import format_row
from advisor.catalogue.levels import level_text
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import CONFIDENTIAL, Column, Source, read_sources
from advisor.db2.connection import Connection, Row
from advisor.db2.failures import Db2Failure
from advisor.db2.negotiation import find_readable_columns
from advisor.errors import UserError
from advisor.patience import pause
from advisor.resources import query

ISOLATION = "\nWITH UR"  # waits for no lock; slightly old counters are good enough
_HOSTFACT = "hostfact"
# If the server refuses the identity: the name of the database, and the local time, as in TUNE.SNAPSHOT.
_PLAIN_IDENTITY = """SELECT
    CURRENT TIMESTAMP AS TAKEN_AT,
    CAST(DAYS(CURRENT TIMESTAMP) - DAYS(DATE('1970-01-01')) AS DOUBLE) * 86400 + MIDNIGHT_SECONDS(CURRENT TIMESTAMP)
        AS EPOCH_S,
    CURRENT SERVER AS DB_NAME, 'unknown' AS HOST_NAME, 'unknown' AS INSTANCE_NAME, 0 AS DB2_LEVEL,
    'Linux' AS PLATFORM, 'single' AS TOPOLOGY
FROM SYSIBM.SYSDUMMY1"""


@dataclass
class _Progress:
    """The state of one source during a capture.

    ``read`` are the rows of the earlier snapshot, for a source that need not be read again so soon.
    """

    source: Source
    columns: tuple[Column, ...] = ()
    rows: int = 0
    reason: str | None = None
    read: list[Row] | None = None


@dataclass
class Collector:
    """Collector of one capture's snapshots. ``hostfacts`` override the server's facts.

    Without ``texts``, the capture contains no statement texts, and no values of the catalog's column statistics.
    """

    connection: Connection
    folder: Path
    hostfacts: Facts = field(default_factory=dict)
    texts: bool = True
    snapshots: list[Snapshot] = field(default_factory=list)

    def __post_init__(self) -> None:
        sources = sorted(read_sources().values(), key=lambda source: source.name == _HOSTFACT)
        self._sources = [_Progress(source) for source in sources]  # the hosts before their facts

    @classmethod
    def resume(cls, connection: Connection, folder: Path, hostfacts: Facts) -> Self:
        """Return a collector that adds snapshots to the capture in its folder."""
        manifest = read_manifest(folder)
        collector = cls(connection, folder, hostfacts, snapshots=manifest.snapshots)
        for item in collector._sources:
            collected = manifest.sources.get(item.source.name)
            if collected is None:
                item.reason = manifest.not_collected.get(item.source.name, "not in the first snapshot")
                continue
            columns = {column.name: column for column in item.source.columns}
            item.columns = tuple(columns[name] for name in collected.columns)
            item.rows = collected.rows or 0
        return collector

    def snapshot(self) -> None:
        """Read every source once."""
        number = len(self.snapshots) + 1
        self.snapshots.append(identity(self.connection, number))
        for item in self._sources:
            if item.reason is None:
                self._read(item, number)
        self.connection.rollback()  # release all locks, also on the catalog

    def finish(self, options: Overrides | None = None) -> None:
        """Write the manifest, which completes the capture."""
        Manifest(
            self.snapshots,
            {
                item.source.name: Collected(item.rows, [column.name for column in item.columns])
                for item in self._sources
                if item.reason is None
            },
            {item.source.name: item.reason for item in self._sources if item.reason},
            options or {},
        ).write(self.folder)

    def _read(self, item: _Progress, number: int) -> None:
        path = self.folder / f"{item.source.name}.csv"
        try:
            if not item.columns:
                item.columns = self._columns(item)
            with path.open("a", encoding="utf-8", newline="") as file:
                if number == 1:
                    file.write(format_row(["SNAP_ID", *(column.name for column in item.columns)]))
                for row in self._rows(item):
                    file.write(format_row([number, *row]))
                    item.rows += 1
        except Db2Failure as failure:
            if failure.dropped:
                raise
            item.reason = str(failure)
            path.unlink(missing_ok=True)

    def _columns(self, item: _Progress) -> tuple[Column, ...]:
        if self._is_supplied(item):
            return item.source.columns
        found = find_readable_columns(self.connection, item.source)
        return tuple(column for column in found if self.texts or column.name not in CONFIDENTIAL)

    def _is_supplied(self, item: _Progress) -> bool:
        """Return whether the user supplies the rows instead of the server."""
        return item.source.name == _HOSTFACT and bool(self.hostfacts)

    def _rows(self, item: _Progress) -> Iterable[Row]:
        if self._is_supplied(item):
            facts = overlay_facts(self._own_facts(item), rename_hosts(self.hostfacts, self._hosts()))
            return [(*key, value) for key, value in sorted(facts.items())]
        if item.read is not None:
            return item.read
        rows = self.connection.rows(item.source.statement(item.columns) + ISOLATION)
        if item.source.every_s is None:
            return rows
        item.read = list(rows)
        return item.read

    def _own_facts(self, item: _Progress) -> Iterator[Row]:
        """Yield the rows of TUNE.HOSTFACT, or none if schema TUNE is not installed."""
        try:
            yield from self.connection.rows(item.source.statement() + ISOLATION)
        except Db2Failure as failure:
            if failure.dropped:
                raise

    def _hosts(self) -> set[str]:
        hosts = {self.snapshots[-1].database["host"]}
        path = self.folder / "system.csv"
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as file:
                hosts |= {row["HOST_NAME"] for row in csv.DictReader(file) if row.get("HOST_NAME")}
        return hosts


def collect(  # noqa: PLR0913, PLR0917 -- most callers use the defaults
    connection: Connection,
    folder: Path,
    interval_s: int,
    hostfacts: Facts | None = None,
    wait: Callable[[float], None] = pause,
    options: Overrides | None = None,
    texts: bool = True,
) -> None:
    """Take one snapshot, or two with ``interval_s`` seconds between them, into a capture directory.

    ``wait`` sleeps between them, and ``options`` are the site's options. Without ``texts``, the capture contains no
    statement texts.
    """
    collector = Collector(connection, folder, hostfacts or {}, texts)
    collector.snapshot()
    if interval_s:
        wait(interval_s)
        collector.snapshot()
    collector.finish(options)


def identity(connection: Connection, number: int = 1) -> Snapshot:
    """Return a snapshot with the database and the time of the server's clock."""
    try:
        rows = list(connection.rows(query("run/scope", "identity")))
    except Db2Failure as failure:
        if failure.dropped:
            raise
        rows = list(connection.rows(_PLAIN_IDENTITY))
    if not rows:
        raise UserError("the server does not report its instance (SYSIBMADM.ENV_INST_INFO is empty)")
    _, epoch_s, name, host, instance, level, platform, topology = rows[0]
    database = {
        "name": name,
        "host": host,
        "instance": instance,
        "level": level_text(level),
        "platform": platform,
        "topology": topology,
    }
    return Snapshot(number, datetime.fromtimestamp(epoch_s, UTC), database)
