"""Whose rights count and what names mean in a statement, and what a routine has declared that its SQL does with data."""

from dataclasses import dataclass

from tests.standin.errors import Db2Error
from tests.standin.objects.dispatch import CHANGE, DEFINITION, QUERY, ROUTINE, STORAGE
from tests.standin.pl.tree import MODIFIES, READS

NEEDS = {QUERY: READS, CHANGE: MODIFIES, DEFINITION: MODIFIES, ROUTINE: MODIFIES, STORAGE: MODIFIES}


@dataclass(frozen=True)
class Frame:
    """Whose rights count, and what unqualified names mean, for the statements of the client or of one routine."""

    user: str  # for static SQL
    dynamic_user: str
    qualifier: str | None = None  # of static SQL; None: CURRENT SCHEMA
    access: int = MODIFIES  # what the SQL of the routine, and of those that called it, may do with data
    routine: str = ""
    dynamic_rules: str = "RUN"  # BIND: of SQL PL that prepares no definition
    isolation: str = "CS"  # of static SQL: that of its package

    def admit(self, statement: str, is_dynamic: bool) -> None:
        """-577 or -579 for a kind of statement that the routine has not declared, -549 for a definition with bind behavior."""
        if is_dynamic and self.dynamic_rules == "BIND" and statement in {DEFINITION, ROUTINE}:
            raise Db2Error(-549, "42509", statement, "PACKAGE", self.routine, "DYNAMICRULES RUN", "PACKAGE")
        needed = NEEDS.get(statement, 0)
        if needed > self.access:
            code, state = (-577, "38002") if needed == MODIFIES else (-579, "38004")
            raise Db2Error(code, state, self.routine, self.routine)
