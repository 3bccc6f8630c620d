"""What ran on a database: for tests and measurements that count statements."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.standin.api import Compiled, Use
from tests.standin.objects.definitions import Name

READING = {"SELECT", "EXECUTE"}


@dataclass(frozen=True)
class Ran:
    """A query, or a change of ``rows`` rows of ``target``. ``reads`` includes tables read through views."""

    kind: str
    reads: frozenset[Name]
    target: Name | None
    rows: int

    @property
    def reads_system(self) -> bool:
        """Whether it reads a monitor function, an administrative view or the catalog."""
        return any((name.schema or "").startswith("SYS") for name in self.reads)


@dataclass
class Ledger:
    """Record the successful statements of all sessions while a caller collects them."""

    _kept: list[list[Ran]] = field(default_factory=list)

    @contextmanager
    def kept(self) -> Iterator[list[Ran]]:
        """The statements that run while the block lasts."""
        ran: list[Ran] = []
        self._kept.append(ran)
        try:
            yield ran
        finally:
            self._kept = [one for one in self._kept if one is not ran]

    def note(self, compiled: Compiled, uses: Iterable[Use], rows: int) -> None:
        if self._kept:
            reads = frozenset(Name(use.schema, use.name) for use in uses if use.privilege in READING)
            ran = Ran(compiled.kind, reads, Name(*compiled.target) if compiled.target else None, rows)
            for kept in self._kept:
                kept.append(ran)
