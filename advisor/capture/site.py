"""What a site says of itself: options that differ from their defaults, and risks that it accepts."""

from dataclasses import dataclass, field
from datetime import date

from advisor.catalogue.options import Overrides


@dataclass(frozen=True)
class Accepted:
    """That ``by`` accepts what a rule says of an object (a name, or its beginning and ``*``), until the end of a day."""

    rule: str
    object: str
    reason: str
    by: str
    until: date | None = None


@dataclass(frozen=True)
class Site:
    """What one file of a site says."""

    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
