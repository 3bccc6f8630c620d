"""The contents of a capture in memory, without files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from advisor.capture import Snapshot
from advisor.capture.site import Accepted
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import all_sources


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
