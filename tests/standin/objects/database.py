"""What all sessions share: the machine, the user objects, their storage, and the lock for changing any of it."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import duckdb

from tests.standin.api import Procedure, Use
from tests.standin.errors import Db2Error
from tests.standin.machine import Machine
from tests.standin.objects.controls import Faults, Ledger
from tests.standin.objects.definitions import ROW_LIMIT, Key, Name, Schema, Table, TableColumn, Variable, View, fits
from tests.standin.objects.modes import ENCODINGS, UNITS, Options
from tests.standin.objects.privileges import Privileges
from tests.standin.objects.registry import RELATION, VARIABLE, Registry
from tests.standin.objects.scheduler import Scheduler
from tests.standin.objects.storage import Storage
from tests.standin.objects.units_of_work import Locks, UnitOfWork
from tests.standin.sql import octets
from tests.standin.types import SqlType

if TYPE_CHECKING:
    from tests.standin.objects.catalog import Reflected

# Explains a compiled statement: called with a function that executes SQL in the session, the explain mode and the text.
Explainer = Callable[[Callable[[str], object], str, str], None]

DEFAULT_SPACE = "USERSPACE1"
SYSTEM_TIME = datetime(2020, 1, 1)


class Database:
    """One database. ``lock`` is held while objects or rows change; rows are read without it."""

    def __init__(self, machine: Machine, sysadm: frozenset[str], options: Options) -> None:
        self.machine = machine
        self.options = options
        self.lock = threading.RLock()
        self.locks = Locks()
        self.connection = duckdb.connect(config={"threads": 1})
        self.connection.execute("SET disabled_optimizers = 'statistics_propagation'")  # fails on some statements
        self.connection.execute(octets.macro(options.codepage in ENCODINGS))
        machine.fill(self.connection)
        if options.codepage in ENCODINGS:
            machine.convert(options.received)
        machine.configure(options.parameters())
        self.name = str(machine.database["name"])
        self.relations = machine.relations()
        self.registry = Registry()
        self.storage = Storage(self.connection)
        self.privileges = Privileges(self.registry, sysadm)
        self.registry.grants = self.privileges.initial(options.restrictive)
        units = Variable(*UNITS, SqlType("VARCHAR", 11), None, False, "SYSIBM", "SYSIBM", self.now)
        self.registry.put(Key(VARIABLE, *UNITS), units, UnitOfWork())
        self.faults = Faults()
        self.ledger = Ledger()
        self.scheduler = Scheduler()
        self.built_in: dict[Key, Procedure] = {}
        self.explainer: Explainer | None = None
        self.reflected: dict[Name, Reflected] = {}  # by catalog view
        self.column_rows: dict[int, tuple[Table | View, list[dict[str, object]]]] = {}  # by id() of the table or view
        self.unmade: set[Name] = set()  # views that DuckDB does not have yet, or not as they are now
        self._sizes: tuple[int, dict[str, tuple[int, bool]]] = (-1, {})
        self._closures: tuple[int, dict[Name, frozenset[Use]]] = (-1, {})

    @property
    def now(self) -> datetime:
        return self.machine.now

    def admin(self, sql: str) -> None:
        """A statement about storage."""
        with self.lock:
            self.machine.admin(sql)

    def page_size(self, tablespace: str) -> int | None:
        """Return the page size of a table space in KB, or None if no table space has this name."""
        found, _ = self._page_sizes().get(tablespace, (0, False))
        return found or (self.options.page_size if tablespace == DEFAULT_SPACE else None)

    def spaces(self) -> dict[str, int]:
        """Return the page size, in KB, of each table space that Db2 may choose for a table."""
        found = {DEFAULT_SPACE: self.page_size(DEFAULT_SPACE) or self.options.page_size}
        return found | {
            name: size for name, (size, is_for_tables) in self._page_sizes().items() if is_for_tables and size
        }

    def _page_sizes(self) -> dict[str, tuple[int, bool]]:
        """Of each table space the page size in KB, and whether tables go there; read again when the machine changed."""
        version, known = self._sizes
        if version != self.machine.version:
            known = {}
            if ("SYSCAT", "TABLESPACES") in self.relations:
                text = 'SELECT RTRIM("TBSPACE"), "PAGESIZE", RTRIM("DATATYPE") IN (\'A\', \'L\') AND "TBSPACEID" <> 0'
                text += ' FROM "SYSCAT"."TABLESPACES" ORDER BY "TBSPACEID"'
                rows = self.connection.cursor().execute(text).fetchall()
                known = {
                    name: (int(size or 0) // 1024, bool(usable) and name != "SYSTOOLSPACE")
                    for name, size, usable in rows
                }
            self._sizes = (self.machine.version, known)
        return known

    def chosen_space(self, columns: tuple[TableColumn, ...], user: str) -> str:
        """Return the first table space with the smallest pages that fit a row; raise -286 if no page fits."""
        needed = next((size for size in ROW_LIMIT if fits(columns, size)), max(ROW_LIMIT))
        spaces = self.spaces()
        large = [name for name, size in spaces.items() if size >= needed]
        if not large:
            raise Db2Error(-286, "42727", str(needed * 1024), user)
        return min(large, key=spaces.__getitem__)

    def reads(self, uses: frozenset[Use]) -> frozenset[Use]:
        """Everything that a statement reads, through views too."""
        found = set(uses)
        for use in uses:
            found |= self._closure(Name(use.schema, use.name))
        return frozenset(found)

    def _closure(self, name: Name) -> frozenset[Use]:
        version, known = self._closures
        if version != self.registry.version:
            known = {}
            self._closures = (self.registry.version, known)
        if name not in known:
            known[name] = frozenset()  # stops at a view that reads itself by a changed definition
            view = self.registry.find(RELATION, name)
            known[name] = self.reads(view.uses) if isinstance(view, View) else frozenset()
        return known[name]

    def parameter(self, name: str) -> str:
        """The value of a database configuration parameter; empty where the machine does not show it."""
        if ("SYSIBMADM", "DBCFG") not in self.relations:
            return ""
        text = 'SELECT "VALUE" FROM "SYSIBMADM"."DBCFG" WHERE RTRIM("NAME") = $1 LIMIT 1'
        row = self.connection.cursor().execute(text, [name]).fetchone()
        return str(row[0] or "").strip() if row else ""

    def variables(self) -> list[Variable]:
        return [one for _, one in self.registry.of(VARIABLE) if isinstance(one, Variable)]

    def has_schema(self, name: str) -> bool:
        return isinstance(self.registry.find("SCHEMA", Name("", name)), Schema)

    def is_built_in(self, name: Name) -> bool:
        """Whether there is a procedure of the system of this name."""
        return any((key.schema, key.name) == name for key in self.built_in)

    def table(self, name: Name) -> Table | None:
        found = self.registry.relation(name)
        return found if isinstance(found, Table) else None
