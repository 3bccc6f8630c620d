"""A capture with changed settings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

from advisor.capture import Capture
from advisor.whatif.settings import Wanted

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


@dataclass
class SimulatedCapture(Capture):
    """A capture that changes settings when it is loaded, in the given order."""

    settings: Sequence[Wanted] = ()

    @classmethod
    def from_capture(cls, capture: Capture, settings: Sequence[Wanted]) -> Self:
        """Return a copy of the capture with these settings."""
        said = {field.name: getattr(capture, field.name) for field in fields(Capture)}
        return cls(**said | {"columns": dict(capture.columns)}, settings=settings)

    def load(
        self, tables: "Tables", wanted: Collection[str] | None = None, numbers: Mapping[int, int] | None = None
    ) -> None:
        super().load(tables, wanted, numbers)
        for setting in self.settings:
            for statement in setting.known_location.changes:
                tables.execute(statement, setting.parameters(statement))
