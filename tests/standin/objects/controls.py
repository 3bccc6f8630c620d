"""Controls for tests: what ran on a database, and the faults that STANDIN.FAIL plans for its next statements."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.standin.api import Compiled, Use
from tests.standin.errors import Db2Error, Disconnect
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


REFUSE = "REFUSE"
KINDS = {"SQLCODE", "DROP", "HANG", REFUSE}
INTERRUPTED = Db2Error(-952, "57014")


@dataclass(frozen=True)
class Fault:
    """``argument``: of SQLCODE and REFUSE the code, the SQLSTATE and tokens; of DROP a number of rows; of HANG seconds."""

    kind: str
    argument: str


@dataclass
class Faults:
    """The planned faults by the name of their object: NAME or SCHEMA.NAME; of REFUSE by how a definition begins."""

    planned: dict[str, Fault] = field(default_factory=dict)

    def plan(self, kind: str, name: str, argument: str) -> None:
        if kind.upper() not in KINDS:
            raise Db2Error(-438, "70001", f"STANDIN.FAIL knows {', '.join(sorted(KINDS))}")
        self.planned[name.upper()] = Fault(kind.upper(), argument)

    def heal(self) -> None:
        self.planned.clear()

    def refuse(self, definition: str) -> None:
        """Raises Db2Error for a statement of data definition that is not to be understood."""
        begins = " ".join(definition[:400].upper().split())
        for text, fault in self.planned.items():
            if fault.kind == REFUSE and begins.startswith(text):
                raise _planned(fault)

    def strike(self, uses: Iterable[Use], interrupted: threading.Event) -> int | None:
        """What is planned for a statement that touches these; the number of rows after which the connection drops."""
        if not self.planned:
            return None
        rows: int | None = None
        for use in sorted(uses, key=lambda one: (one.schema, one.name)):
            fault = self.planned.get(f"{use.schema}.{use.name}") or self.planned.get(use.name)
            if fault is None:
                continue
            if fault.kind == "SQLCODE":
                raise _planned(fault)
            if fault.kind == "HANG":
                _hang(float(fault.argument), interrupted)
            elif not (fault.argument or "0").strip("0"):
                raise Disconnect(use.name)
            else:
                rows = int(fault.argument)
        return rows


def _planned(fault: Fault) -> Db2Error:
    code, state, *tokens = fault.argument.split()
    return Db2Error(int(code), state, *tokens)


def _hang(seconds: float, interrupted: threading.Event) -> None:
    """Wait in real time, or until the client interrupts."""
    if interrupted.wait(seconds):
        interrupted.clear()
        raise INTERRUPTED
