"""All objects that users created, and who may do what with them. Shared by the sessions, under the backend's lock."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from tests.standin.errors import Db2Error
from tests.standin.objects.definitions import Alias, Definition, Grant, Key, Name, Routine, Table, View
from tests.standin.objects.units_of_work import UnitOfWork

RELATION = "TABLE"  # tables, views and aliases
INDEX = "INDEX"
SEQUENCE = "SEQUENCE"
VARIABLE = "VARIABLE"
PROCEDURE = "PROCEDURE"
FUNCTION = "FUNCTION"
SCHEMA = "SCHEMA"
ROLE = "ROLE"
DATABASE = "DATABASE"  # of grants: authorities
ALIAS_DEPTH = 16


@dataclass
class Registry:
    """The objects and grants of a database. ``version`` counts the changes, so that derived data can be refreshed."""

    objects: dict[Key, Definition] = field(default_factory=dict)
    grants: set[Grant] = field(default_factory=set)
    version: int = 0
    _readers: dict[tuple[str, str], dict[Key, None]] = field(default_factory=dict)  # the views that read an object
    _of: dict[str, dict[Key, Definition]] = field(default_factory=dict)  # the objects of each kind

    def put(self, key: Key, definition: Definition | None, work: UnitOfWork) -> None:
        """Create, replace or (None) drop an object, as part of a unit of work."""
        before = self.objects.get(key)
        if not (isinstance(before, Table) and before.temporary):
            work.lock(key, before if isinstance(before, Table) else None)
        self._set(key, definition)
        if isinstance(before, View):
            before = replace(before, fresh=False)
        work.record(lambda: self._set(key, before))

    def forget(self, schema: str) -> None:
        """What belonged to a session that has ended."""
        for key in list(self.in_schema(schema)):
            self._set(key, None)

    def add(self, objects: dict[Key, Definition], grants: frozenset[Grant]) -> None:
        """Add the objects and grants of another database; this cannot be rolled back."""
        for key, definition in objects.items():
            self._set(key, definition)
        self._set_grants(self.grants | grants)

    def _set(self, key: Key, definition: Definition | None) -> None:
        self.version += 1
        before = self.objects.get(key)
        for objects in (self.objects, self._of.setdefault(key.space, {})):
            if definition is None:
                objects.pop(key, None)
            else:
                objects[key] = definition
        if isinstance(before, View):
            for use in before.uses:
                self._readers[use.schema, use.name].pop(key, None)
        if isinstance(definition, View):
            for use in definition.uses:
                self._readers.setdefault((use.schema, use.name), {})[key] = None

    def grant(self, new: set[Grant], gone: set[Grant], work: UnitOfWork) -> None:
        before = set(self.grants)
        self._set_grants((before | new) - gone)
        work.record(lambda: self._set_grants(before))

    def _set_grants(self, grants: set[Grant]) -> None:
        self.version += 1
        self.grants = grants

    def find(self, space: str, name: Name, arity: int = 0) -> Definition | None:
        return self.objects.get(Key(space, name.schema or "", name.name, arity))

    def relation(self, name: Name) -> Table | View | None:
        """Return a table or view; an alias leads to its target."""
        for _ in range(ALIAS_DEPTH):
            found = self.find(RELATION, name)
            if not isinstance(found, Alias):
                return found if isinstance(found, (Table, View)) else None
            name = found.target
        raise Db2Error(-576, "42916", f"{name.schema}.{name.name}", f"{name.schema}.{name.name}")

    def routines(self, space: str, name: Name) -> dict[int, Routine]:
        """The procedures (functions) of a name by their number of parameters."""
        return {
            key.arity: definition
            for key, definition in self._of.get(space, {}).items()
            if (key.schema, key.name) == name and isinstance(definition, Routine)
        }

    def of(self, space: str, where: Callable[[Definition], bool] = lambda _: True) -> Iterator[tuple[Key, Definition]]:
        """The objects of one kind."""
        return ((key, found) for key, found in list(self._of.get(space, {}).items()) if where(found))

    def in_schema(self, schema: str) -> Iterator[Key]:
        return (key for key in list(self.objects) if key.schema == schema and key.space != SCHEMA)

    def tables(self) -> Iterator[Table]:
        return (found for _, found in self.of(RELATION) if isinstance(found, Table))

    def views(self) -> Iterator[View]:
        return (found for _, found in self.of(RELATION) if isinstance(found, View))

    def children(self, parent: Table) -> list[Table]:
        """The tables with a foreign key to this one."""
        name = Name(parent.schema, parent.name)
        return [table for table in self.tables() if any(one.parent == name for one in table.foreigns)]

    def readers(self, schema: str, name: str) -> list[View]:
        """The views that read a table, view or function, directly or through others."""
        found: dict[Key, None] = {}
        waiting = [(schema, name)]
        while waiting:
            direct = [key for key in self._readers.get(waiting.pop(), {}) if key not in found]
            found |= dict.fromkeys(direct)
            waiting += [(key.schema, key.name) for key in direct]
        return [view for key in found if isinstance(view := self.objects[key], View)]

    def invalidate(self, schema: str, name: str, work: UnitOfWork) -> None:
        """What a view reads is gone or different: at its next use the view is compiled again, or found inoperative."""
        for view in self.readers(schema, name):
            if view.valid:
                self.put(Key(RELATION, view.schema, view.name), replace(view, valid=False), work)

    def spoil(self, schema: str, name: str) -> None:
        """Mark a dropped DuckDB view, and the views that read it, to be created again."""
        own = self.objects.get(Key(RELATION, schema, name))
        for view in [*self.readers(schema, name), *([own] if isinstance(own, View) else [])]:
            self._set(Key(RELATION, view.schema, view.name), replace(view, fresh=False))
