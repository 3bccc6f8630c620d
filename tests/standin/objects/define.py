"""What carrying out DDL needs, whatever the statement: the objects, the unit of work, and who asks."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.standin.errors import Db2Error
from tests.standin.objects.database import Database
from tests.standin.objects.definitions import Definition, Grant, Key, Name, Schema, Table
from tests.standin.objects.names import Resolver
from tests.standin.objects.privileges import PUBLIC, SYSTEM_SCHEMAS, definer, denied
from tests.standin.objects.registry import SCHEMA, Registry
from tests.standin.objects.storage import Storage
from tests.standin.objects.units_of_work import UnitOfWork
from tests.standin.types import SqlType


@dataclass
class Definer:
    """Carries out one statement of DDL for ``user``; held under the database's lock.

    ``evaluate`` gives the value of an expression, assigned to a type; ``temporary`` are the session's declared
    tables, which DuckDB keeps in schema ``private``. ``violations`` has, for each check constraint of a table, its
    name and the query of the rows that break it.
    """

    database: Database
    work: UnitOfWork
    user: str
    names: Resolver
    temporary: dict[str, Table]
    private: str
    evaluate: Callable[[str, SqlType], Any]
    violations: Callable[[Table], list[tuple[str, str]]]

    @property
    def registry(self) -> Registry:
        return self.database.registry

    @property
    def storage(self) -> Storage:
        return self.database.storage

    @property
    def now(self) -> datetime:
        return self.database.now

    def put(self, key: Key, definition: Definition | None) -> None:
        self.registry.put(key, definition, self.work)

    def grant(self, new: set[Grant], gone: set[Grant]) -> None:
        self.registry.grant(new, gone, self.work)

    def new(self, space: str, name: Name, kind: str, replace: bool = False, arity: int = 0) -> Key:
        """The key of an object to create; its schema is made if it is missing.

        -601 if there is one already, -551 and -552 without the right to, -553 for a schema of the system.
        """
        wanted = self.names.qualified(name)
        schema = wanted.schema or ""
        self._use_schema(schema, f"{schema}.{name.name}", f"CREATE {kind}")
        key = Key(space, schema, name.name, arity)
        self.work.see(key)
        before = self.registry.objects.get(key)
        if before is not None and not replace:
            raise Db2Error(-601, "42710", key.text, kind)
        if before is not None and definer(before) != self.user:  # not even for DBADM
            raise denied(self.user, f"CREATE OR REPLACE {kind}", key.text)
        return key

    def _use_schema(self, schema: str, name: str, operation: str) -> None:
        if schema in SYSTEM_SCHEMAS or schema.startswith("SYS"):
            raise Db2Error(-553, "42939", schema)
        if self.database.has_schema(schema):
            self.database.privileges.define(self.user, schema, "CREATEIN", operation, name)
            return
        if schema != self.user:
            self.database.privileges.require(self.user, ("IMPLICIT_SCHEMA", "DBADM"), "IMPLICIT CREATE SCHEMA")
        self.create_schema(schema, "SYSIBM")  # c0005525: SYSIBM owns it, PUBLIC holds CREATEIN
        self.grant({Grant(SCHEMA, "", schema, "CREATEIN", PUBLIC)}, set())

    def create_schema(self, name: str, owner: str) -> None:
        self.storage.schema(name)
        self.put(Key(SCHEMA, "", name), Schema(name, owner, self.now))

    def may_change(self, schema: str, name: str, owner: str, privilege: str, operation: str) -> None:
        """-551 unless the user owns the object or may alter (drop) objects of its schema."""
        self.database.privileges.define(self.user, schema, privilege, operation, f"{schema}.{name}", owner)
