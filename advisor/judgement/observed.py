"""The contents of a capture in memory, without files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from advisor.capture import Snapshot
from advisor.capture.lessons import Lesson
from advisor.capture.loading import load_rows
from advisor.capture.site import Accepted
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import all_sources

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


@dataclass(frozen=True)
class Observed:
    """Snapshots of one database, and the site's options and accepted risks.

    ``sources`` contains the rows of each collected source, with their SNAP_ID; a missing value is None. ``not_collected``
    gives the known reasons for missing sources.
    """

    snapshots: Sequence[Snapshot]
    sources: Mapping[str, Sequence[Mapping[str, Any]]]
    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    not_collected: dict[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    lessons: tuple[Lesson, ...] = ()
    imported_rows: Mapping[str, int] = field(default_factory=dict)

    def load(self, tables: "Tables") -> None:
        """Fill the snapshot tables. Raise UserError for a value of the wrong type."""
        for name, rows in self.sources.items():
            columns = ["SNAP_ID", *self.columns[name]]
            load_rows(tables, all_sources()[name], columns, ([row.get(column) for column in columns] for row in rows))

    @property
    def database(self) -> dict[str, Any]:
        return self.snapshots[-1].database

    @property
    def rows(self) -> int:
        """The number of rows of all sources."""
        return sum(map(len, self.sources.values()))

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """The columns by source: those of its rows, all columns if it has no rows, and none if it is missing."""
        found = {}
        for name, source in all_sources().items():
            rows, known = self.sources.get(name), source.names("key", "gauge", "hwm", "counter")
            there = set(known) if rows is None or not rows else set().union(*rows)
            found[name] = [] if rows is None else [column for column in known if column in there]
        return found
