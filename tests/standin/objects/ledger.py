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
    """Record the successful statements of all sessions, and the compiled dynamic ones, while a caller collects them.

    ``cache`` contains the texts of the dynamic statements in the package cache: a text in it is not compiled again.
    """

    cache: set[str] = field(default_factory=set)
    _kept: list[list[Ran]] = field(default_factory=list)
    _compiled: list[list[str]] = field(default_factory=list)

    @contextmanager
    def kept(self) -> Iterator[list[Ran]]:
        """The statements that run while the block lasts."""
        ran: list[Ran] = []
        self._kept.append(ran)
        try:
            yield ran
        finally:
            self._kept = [one for one in self._kept if one is not ran]

    @contextmanager
    def compiled(self) -> Iterator[list[str]]:
        """The dynamic statements that are compiled while the block lasts, in their order."""
        texts: list[str] = []
        self._compiled.append(texts)
        try:
            yield texts
        finally:
            self._compiled = [one for one in self._compiled if one is not texts]

    def compile(self, text: str) -> None:
        """A dynamic statement is prepared: it is compiled unless the package cache has its text."""
        if text not in self.cache:
            self.cache.add(text)
            for texts in self._compiled:
                texts.append(text)

    def note(self, compiled: Compiled, uses: Iterable[Use], rows: int) -> None:
        if self._kept:
            reads = frozenset(Name(use.schema, use.name) for use in uses if use.privilege in READING)
            ran = Ran(compiled.kind, reads, Name(*compiled.target) if compiled.target else None, rows)
            for kept in self._kept:
                kept.append(ran)
