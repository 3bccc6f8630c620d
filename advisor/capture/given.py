"""What a run judges."""

from dataclasses import dataclass
from pathlib import Path

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site


@dataclass(frozen=True)
class Given:
    """The input of a run: a capture, the site, and host facts that override those of the capture.

    ``kind`` is the origin: capture, database or texts.
    """

    capture: Path
    site: Site
    hostfacts: Facts
    kind: str
