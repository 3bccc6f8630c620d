"""Faults that STANDIN.FAIL plans: what happens to the next statements that touch an object."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.standin.api import Use
from tests.standin.errors import Db2Error, Disconnect

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
