"""What was seen of one database, in memory: what a capture holds, without files."""

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
    """Snapshots of one database, and what the site says of it.

    ``sources`` holds the rows of every source that was collected, each with its SNAP_ID; a value that is not there is
    None. ``not_collected`` says why a source is missing, where somebody knows.
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
        """How many rows there are of all sources."""
        return sum(map(len, self.sources.values()))

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """The columns of each source that a row has, or all of a source without rows; none of one that is missing."""
        found = {}
        for name, source in all_sources().items():
            rows, known = self.sources.get(name), source.names("key", "gauge", "hwm", "counter")
            there = set(known) if rows is None or not rows else set().union(*rows)
            found[name] = [] if rows is None else [column for column in known if column in there]
        return found
