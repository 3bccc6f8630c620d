"""Machine: the watched database as the sessions of the stand-in see and change it."""

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from advisor.capture import Capture, Snapshot, open_capture
from tests.standin.commands.storage import Row
from tests.standin.errors import Db2Error
from tests.standin.machine.commands import Commands
from tests.standin.machine.contract import Argument, level
from tests.standin.machine.identity import Identity
from tests.standin.machine.objects import Key, Objects
from tests.standin.machine.snapshots import BEGIN, END, SCHEMA, Clock, Snapshots
from tests.standin.types import Column

LEVEL = "11.5"  # the level of the columns if the capture is older than the contract
OLDEST = (10, 5)
SINGLE = timedelta(days=1)  # the default counting time of a single snapshot


class Base(NamedTuple):
    """An object of the watched database: its columns, its kind (function or view) and its arguments."""

    columns: tuple[Column, ...]
    kind: str
    arguments: tuple[Argument, ...]


class Machine:
    """The watched database of a capture. ``fill`` puts it into a DuckDB, which the other methods then use.

    ``level`` is the level of the database, by default the capture's own; objects lack columns that newer levels added.
    A capture older than 10.5 has the columns of 11.5.
    """

    def __init__(self, capture: Capture, level_text: str | None = None) -> None:
        self.database = capture.database
        own = level(level_text or self.database["level"])
        self.clock = _clock(capture.snapshots)
        self.identity = Identity.of(self.database, own, self.clock.begin)
        self._session: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.RLock()
        self.version = 0  # counts the changes to what the database is made of
        self._held = ExitStack()
        self._single = len(capture.snapshots) == 1
        self._snapshots = Snapshots(capture)
        self._objects = Objects(
            self._snapshots.columns, own if own >= OLDEST else level(LEVEL), self.identity.rows(self.members)
        )
        self._commands = Commands(self._snapshots, self.database["instance"], self.database["name"])

    @classmethod
    def from_capture(cls, path: Path | str, level: str | None = None) -> "Machine":
        """The machine of a capture directory or zip."""
        with ExitStack() as stack:
            machine = cls(stack.enter_context(open_capture(Path(path))), level)
            machine._held = stack.pop_all()
        return machine

    @property
    def now(self) -> datetime:
        """The server's time, without a zone."""
        return self.clock.now

    @property
    def members(self) -> list[int]:
        """The members on which the database is active, in order; the first is the one that sessions connect to."""
        if self._session is None or "database" not in self._snapshots.columns:
            return [0]
        rows = self._session.cursor().execute(f'SELECT "MEMBER" FROM {SCHEMA}."database" ORDER BY 1').fetchall()
        return [row[0] for row in rows]

    def relations(self) -> dict[Key, Base]:
        """Every object, by schema and name."""
        return {
            key: Base(tuple(item.column for item in found.columns), found.kind, found.arguments)
            for key, found in self._objects.found.items()
        }

    def source(self, name: str, arguments: Sequence[str]) -> str:
        """The DuckDB text of a table function in a FROM clause, given the text of its arguments."""
        found = self._objects.found.get(("SYSPROC", name))
        needed = sum(not argument.optional for argument in found.arguments) if found else 0
        if found is None or found.kind != "function" or not needed <= len(arguments) <= len(found.arguments):
            raise Db2Error(-440, "42884", name, "FUNCTION")
        return f'"SYSPROC"."{name}"({", ".join(arguments)})'

    def fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Put every object into the database of a connection; from then on they follow the clock by themselves."""
        with self._lock:
            if self._session is not None:
                return
            self._session = connection.cursor()
            self._snapshots.load(self._session)
            self._held.close()
            if self._single:
                self.clock.begin = self._activated()
            self._snapshots.set_clock(self._session, self.clock)
            for statement in self._objects.statements():
                self._session.execute(statement)
            self._renew()

    def convert(self, received: Callable[[str], str]) -> None:
        """Show every text as a database of another code page has it."""
        for name in self._snapshots.columns:
            begin, end = (
                [
                    {key: received(value) if isinstance(value, str) else value for key, value in row.items()}
                    for row in rows
                ]
                for rows in (self._snapshots.rows(self._filled, name, which) for which in (BEGIN, END))
            )
            self._snapshots.write(self._filled, name, begin, end)

    def configure(self, parameters: dict[str, str]) -> None:
        """Show these parameters in the database configuration, as they were when the database was made."""
        if "dbcfg" not in self._snapshots.columns:
            return
        sides = []
        for which in (BEGIN, END):
            rows = self._snapshots.rows(self._filled, "dbcfg", which)
            model = next((row for row in rows if row["NAME"] == "logprimary"), None) or dict.fromkeys(rows[0])
            mine = [model | {"NAME": name, "VALUE": value} for name, value in parameters.items()]
            mine = [row | ({"DEFERRED_VALUE": row["VALUE"]} if "DEFERRED_VALUE" in row else {}) for row in mine]
            sides.append([row for row in rows if row["NAME"] not in parameters] + mine)
        self._snapshots.write(self._filled, "dbcfg", *sides)

    def sources(self) -> dict[str, list[Row]]:
        """The rows of every source as they are now: what a capture would hold, but for the host facts."""
        with self._lock:
            return {name: self._snapshots.now(self._filled, name) for name in self._snapshots.columns}

    def advance(self, seconds: float) -> None:
        """Move the clock; counters grow by what they grow in that time."""
        with self._lock:
            self.clock.advance(seconds)
            self._snapshots.set_clock(self._filled, self.clock)

    def restart(self) -> None:
        """Stop and start the instance and activate the database: counters begin at zero, what waited takes effect."""
        with self._lock:
            self.clock.restart()
            self._snapshots.set_clock(self._filled, self.clock)
            self._commands.start(self._filled)
            self.identity = Identity.of(self.database, self.identity.level, self.clock.now)
            self._renew()

    def admin(self, statement: str) -> bool:
        """Carry out an SQL statement about storage; False if the statement is about something else."""
        with self._lock:
            return self._done(self._commands.statement(self._filled, statement, self.clock.late))

    def drop_index(self, schema: str, name: str) -> bool:
        """Drop an index of the watched database; False if it has none of this name."""
        with self._lock:
            if not self._has("index", INDSCHEMA=schema, INDNAME=name):
                return False
            return self._done(self._commands.line(self._filled, f"DROP INDEX {_quoted(schema, name)}", self.clock.late))

    def create_index(
        self, name: tuple[str, str], table: tuple[str, str], columns: Sequence[tuple[str, bool]], unique: bool
    ) -> bool:
        """Create an index on a table of the watched database; False if it has no such table.

        ``columns`` are names, with whether the order is descending.
        """
        with self._lock:
            if not self._has("cat_table", TABSCHEMA=table[0], TABNAME=table[1]):
                return False
            keys = ", ".join(_quoted(column) + (" DESC" if descending else "") for column, descending in columns)
            line = f"CREATE {'UNIQUE ' if unique else ''}INDEX {_quoted(*name)} ON {_quoted(*table)} ({keys})"
            return self._done(self._commands.line(self._filled, line, self.clock.late))

    def _has(self, source: str, **key: str) -> bool:
        """Return whether the watched database has a row with a key now."""
        rows = self._snapshots.now(self._filled, source) if source in self._snapshots.columns else []
        return any(all(row[name] == value for name, value in key.items()) for row in rows)

    def admin_cmd(self, text: str) -> bool:
        """Carry out a command that ADMIN_CMD takes; raises Db2Error for any other."""
        with self._lock:
            return self._done(self._commands.command(self._filled, text, self.clock.late))

    def host_command(self, text: str) -> bool:
        """Carry out a line that is typed on the host: db2set, db2start, db2stop, or a command of the CLP."""
        with self._lock:
            return self._done(self._commands.line(self._filled, text, self.clock.late))

    def move_table(self, arguments: Sequence[Any]) -> bool:
        """CALL SYSPROC.ADMIN_MOVE_TABLE with its arguments by position."""
        with self._lock:
            return self._done(self._commands.move_table(self._filled, arguments, self.clock.late))

    def _activated(self) -> datetime:
        """Since when the counters of a single snapshot have counted."""
        columns = self._snapshots.columns.get("database", [])
        if "DB_CONN_TIME" not in columns:
            return self.now - SINGLE
        row = self._filled.execute(f'SELECT MIN("E$DB_CONN_TIME") FROM {SCHEMA}."ROWS database"').fetchone()
        return row[0] if row and row[0] else self.now - SINGLE

    def _done(self, changed: bool) -> bool:
        if changed:
            self._renew()
        return changed

    def _renew(self) -> None:
        self.version += 1
        for statement in self._objects.say(self.identity.rows(self.members)):
            self._filled.execute(statement)

    @property
    def _filled(self) -> duckdb.DuckDBPyConnection:
        if self._session is None:
            raise RuntimeError("the machine is not in a database yet: call fill")
        return self._session


def _clock(snapshots: list[Snapshot]) -> Clock:
    """The server's wall clock from the first snapshot on."""
    begin = snapshots[0].taken_at.replace(tzinfo=None)
    end = begin + timedelta(seconds=snapshots[-1].epoch_s - snapshots[0].epoch_s)
    return Clock(begin, end, begin)


def _quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)
