"""The interpreter of commands with Db2's error codes, and with commands that users type but the rules do not print."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lark import Token, v_args

from tests.standin.commands import Interpreter
from tests.standin.commands.storage import Change, Row
from tests.standin.errors import Db2Error
from tests.standin.machine.contract import applied

# What takes effect at the next start, per source: which column then takes over the value of which.
WAITING = {
    "dbcfg": {"VALUE": "DEFERRED_VALUE", "VALUE_FLAGS": "DEFERRED_VALUE_FLAGS"},
    "dbmcfg": {"VALUE": "DEFERRED_VALUE", "VALUE_FLAGS": "DEFERRED_VALUE_FLAGS"},
    "registry": {"REG_VAR_VALUE": "REG_VAR_ON_DISK_VALUE"},
}

# The error for an object that exists or is in use, by source and column.
THERE: dict[tuple[str, str], Callable[[str], Db2Error]] = {
    ("cat_bufferpool", "BPNAME"): lambda name: Db2Error(-601, "42710", name, "BUFFERPOOL"),
    ("cat_tablespace", "TBSPACE"): lambda name: Db2Error(-601, "42710", name, "TABLESPACE"),
    ("cat_tablespace", "BUFFERPOOLID"): lambda name: Db2Error(-478, "42893", "BUFFERPOOL", name, "TABLESPACE"),
    ("tablespace", "STORAGE_GROUP_NAME"): lambda name: Db2Error(-478, "42893", "STOGROUP", name, "TABLESPACE"),
    ("cat_table", "TBSPACE"): lambda name: Db2Error(-282, "55024", name),
    ("cat_table", "INDEX_TBSPACE"): lambda name: Db2Error(-282, "55024", name),
    ("cat_table", "LONG_TBSPACE"): lambda name: Db2Error(-282, "55024", name),
    ("container", "MEMBER"): lambda _: Db2Error(-294, "42730"),
    ("storage_path", "STORAGE_GROUP_NAME"): lambda name: Db2Error(-601, "42710", name, "STOGROUP"),
}
NAMED_BY = {"cat_tablespace": "TBSPACE", "tablespace": "TBSP_NAME"}  # of the object that blocks the change


@dataclass
class Moment:
    """The rows of the database at one moment."""

    sources: dict[str, list[Row]]


class Ordinary(Interpreter[Moment]):
    """Carry out parsed statements on rows.

    A session that is not ``attached`` to the instance changes its configuration for the next start only.
    """

    def __init__(self, rows: dict[str, list[Row]], attached: bool, database: str) -> None:
        super().__init__(Moment(rows))
        self._attached = attached
        self._database = database

    # faults

    def _one(self, source: str, **key: Any) -> Row:
        if not self._all(source, **key):
            raise Db2Error(-204, "42704", str(key.get("CONTAINER_NAME", next(iter(key.values())))))
        return super()._one(source, **key)

    def _none(self, source: str, **key: Any) -> None:
        if found := self._all(source, **key):
            column = next(iter(key))
            raise THERE[source, column](str(found[0].get(NAMED_BY.get(source, column), "")))

    def _check_database(self, name: str) -> None:
        if name.strip('"').upper() != self._database.upper():
            raise Db2Error(-1013, "42705", name)

    def _refuse(self, name: str, least: float, most: float, _: str) -> None:
        raise Db2Error(-5130, "", name.lower(), f"{least:g}", f"{most:.0f}")

    def _settings(self, source: str, name: str) -> list[Row]:
        rows = [row for row in self.rows.get(source, []) if row["NAME"].upper() == name.upper()]
        if not rows:
            raise Db2Error(-104, "42601", name, "USING", "<configuration parameter>")
        return rows

    @v_args(inline=True)
    def pool(self, pool: str) -> Change:
        return _refused(super().pool(pool), -1582, "428CB", pool)

    @v_args(inline=True)
    def extent(self, pages: int) -> Change:
        return _refused(super().extent(pages), -1763, "429BC", "1")

    @v_args(inline=True)
    def create_space(
        self, kind: str | None, name: str, group: str | None, size: int | None, storage: Change | None, *options: Change
    ) -> None:
        if not self._all("cat_bufferpool", PAGESIZE=size or self._default_page()):
            raise Db2Error(-1582, "428CB", name, "IBMDEFAULTBP")
        super().create_space(kind, name, group, size, storage, *options)

    # what waits for the next start

    @v_args(inline=True)
    def update_database(self, database: str | None, member: int | None, *settings: Any) -> None:
        *changes, when = settings
        known = self._waiting("dbcfg", changes, when, "db")
        super().update_db(database or self._database, member, *changes)
        self._keep("dbcfg", known)
        self._size_pools()

    @v_args(inline=True)
    def update_manager(self, *settings: Any) -> None:
        *changes, when = settings
        known = self._waiting("dbmcfg", changes, when if self._attached else "DEFERRED", "dbm")
        super().update_dbm(*changes)
        self._keep("dbmcfg", known)

    def when(self, children: list[Token]) -> str:
        return children[0].upper()

    def _waiting(self, source: str, changes: list[Any], when: str | None, scope: str) -> list[tuple[Row, Row]]:
        """The rows of parameters that do not change at once, each with its values now."""
        names = {"LOGPATH" if name.upper() == "NEWLOGPATH" else name.upper() for name, _ in changes}
        late = {name for name in names if when == "DEFERRED" or applied(scope).get(name.lower()) != "immediate"}
        return [(row, dict(row)) for row in self.rows.get(source, []) if row["NAME"].upper() in late]

    def _keep(self, source: str, known: list[tuple[Row, Row]]) -> None:
        for row, before in known:
            row.update({column: before[column] for column, of in WAITING[source].items() if of in row})

    @v_args(inline=True)
    def set_variable(self, name: str, value: str | None, scope: str | None, member: int | None) -> None:
        known = [dict(row) for row in self._all("registry", REG_VAR_NAME=name.upper())]
        super().set_variable(name, value, scope, member)
        for before in known:
            self._still_there(before)
        for row in self._all("registry", REG_VAR_NAME=name.upper()):
            values = [before["REG_VAR_VALUE"] for before in known if before["MEMBER"] == row["MEMBER"]]
            if "REG_VAR_ON_DISK_VALUE" in row:
                row["REG_VAR_VALUE"] = values[0] if values else None

    def _still_there(self, before: Row) -> None:
        """A variable that was taken from the disk is in force until the next start."""
        key = {"REG_VAR_NAME": before["REG_VAR_NAME"], "MEMBER": before["MEMBER"]}
        if not self._all("registry", **key) and "REG_VAR_ON_DISK_VALUE" in before:
            self.rows["registry"].append(before | {"REG_VAR_ON_DISK_VALUE": None})

    def start(self) -> None:
        """What waited takes effect, as after db2stop, db2start and ACTIVATE DATABASE."""
        for source, columns in WAITING.items():
            for row in self.rows.get(source, []):
                row.update({column: row[of] for column, of in columns.items() if of in row and column in row})
        if "registry" in self.rows:
            kept = [row for row in self.rows["registry"] if row.get("REG_VAR_VALUE") is not None]
            self.rows["registry"][:] = kept
        self._size_pools()

    def _size_pools(self) -> None:
        for pool in self._all("cat_bufferpool", NPAGES=-1):
            for row in self._all("bufferpool", BP_NAME=pool["BPNAME"]):
                row["BP_CUR_BUFFSZ"] = self._buffpage(row)

    # statements

    def page_size(self, children: list[int]) -> Row:
        return {"PAGESIZE": children[0]}

    @v_args(inline=True)
    def blocks(self, pages: int, size: int | None) -> Row:
        return {"NUMBLOCKPAGES": pages, "BLOCKSIZE": size or 32}

    @v_args(inline=True)
    def plain_pool(self, name: str, *options: Any) -> None:
        sizes = [option for option in options if isinstance(option, tuple)]
        columns = {column: value for option in options if isinstance(option, dict) for column, value in option.items()}
        super().create_pool(name, sizes[0] if sizes else (None, True), columns.get("PAGESIZE"))
        self._one("cat_bufferpool", BPNAME=name).update(columns)

    managed = Interpreter.every

    @v_args(inline=True)
    def temporary_space(
        self, kind: str, name: str, group: str | None, size: int | None, _: Any, extent: int | None, pool: str | None
    ) -> None:
        """Create a temporary table space; it is in directories even with automatic storage."""
        user = kind.upper().startswith("USER")
        group = group or ("IBMDEFAULTGROUP" if user else "IBMTEMPGROUP")
        changes = [self._both({"EXTENTSIZE": extent}, {"TBSP_EXTENT_SIZE": extent})] if extent else []
        changes += [self.pool(pool)] if pool else []
        self.create_space(None, name, group, size, None, *changes)
        self._both(
            {"DATATYPE": "U" if user else "T", "TBSPACETYPE": "S"},
            {"TBSP_CONTENT_TYPE": "USRTEMP" if user else "SYSTEMP", "TBSP_TYPE": "SMS"},
        )(name)

    @v_args(inline=True)
    def create_group(self, name: str, *paths: str) -> None:
        self._none("storage_path", STORAGE_GROUP_NAME=name)
        for member in self._members():
            for path in paths:
                self._add("storage_path", STORAGE_GROUP_NAME=name, DB_STORAGE_PATH=path, DBPARTITIONNUM=member,
                          DB_STORAGE_PATH_STATE="NOT_IN_USE")  # fmt: skip

    @v_args(inline=True)
    def drop_group(self, name: str) -> None:
        if not self._all("storage_path", STORAGE_GROUP_NAME=name):
            raise Db2Error(-204, "42704", name)
        self._none("tablespace", STORAGE_GROUP_NAME=name)
        self._remove("storage_path", STORAGE_GROUP_NAME=name)


def _refused(change: Change, code: int, state: str, *tokens: str) -> Change:
    """A change of a table space whose refusal is a condition of Db2."""

    def attempt(name: str) -> None:
        try:
            change(name)
        except ValueError as error:
            raise Db2Error(code, state, name, *tokens) from error

    return attempt
