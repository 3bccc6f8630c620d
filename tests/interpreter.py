"""What our own commands do to a state: ``carry_out(state, command)`` changes the rows as Db2 would.

The grammar takes the part of Db2's syntax that the rules print, and no more: a command that Db2 would not
parse, or one about an object that is not there, raises. Actions and undo commands are one language.
Everything is as after an activation of the database and a restart of the instance, and counters stay as
they were, so a rule that is silent afterwards is silent because the setting is right. Only the pages of a
table space go with the last table that moves out of it. Lines that begin with ``-- `` are for a person.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args

from advisor.sources import all_sources
from tests.states import Row, State

GRAMMAR = r"""
?start: "ALTER" "BUFFERPOOL" ID [_when] ["DBPARTITIONNUM" INT] size          -> alter_pool
    | "ALTER" "BUFFERPOOL" ID "NUMBLOCKPAGES" INT ["BLOCKSIZE" INT]          -> alter_blocks
    | "CREATE" "BUFFERPOOL" ID [_when] size ["PAGESIZE" pages]               -> create_pool
    | "DROP" "BUFFERPOOL" ID                                                 -> drop_pool
    | "ALTER" "TABLESPACE" ID change+                                        -> alter_space
    | "CREATE" [KIND] "TABLESPACE" ID [_in ID] ["PAGESIZE" pages] [_managed] option*  -> create_space
    | "DROP" ("TABLESPACE" | "TABLESPACES") ID                               -> drop_space
    | "ALTER" "STOGROUP" ID "ADD" strings                                    -> add_paths
    | "ALTER" "STOGROUP" ID "DROP" strings                                   -> drop_paths
    | "CALL" "SYSPROC.ADMIN_MOVE_TABLE" "(" argument ("," argument)* ")"     -> move_table
    | "UPDATE" "DB" "CFG" "FOR" (WORD | ID) [_member INT] "USING" setting+   -> update_db
    | "UPDATE" "DBM" "CFG" "USING" setting+                                  -> update_dbm
    | "db2set" NAME "=" [WORD] ["-i" WORD INT]                               -> set_variable
    | "db2start" "DBPARTITIONNUM" INT                                        -> start_member
    | "db2stop" "DBPARTITIONNUM" INT                                         -> stop_member
    | "REDISTRIBUTE" "DATABASE" "PARTITION" "GROUP" ID "UNIFORM" [_unlogged]  -> redistribute
    | ("ACTIVATE" | "DEACTIVATE") ("DATABASE" | "DB") (WORD | ID)            -> activate

_when: "IMMEDIATE" | "DEFERRED"
_in: "IN" ["DATABASE" "PARTITION" "GROUP"]
_member: "DBPARTITIONNUM" | "MEMBER"
_unlogged: "NOT" "ROLLFORWARD" "RECOVERABLE"
KIND: "LARGE" | "REGULAR"
size: "SIZE" INT "AUTOMATIC" -> automatic_from
    | "SIZE" "AUTOMATIC"     -> automatic
    | "SIZE" INT             -> fixed
pages: INT ["K"]
change: option
    | "REBALANCE"                                                  -> rebalance
    | "USING" "STOGROUP" ID                                        -> use_group
    | "ADD" containers                                             -> add_containers
    | "BEGIN" "NEW" "STRIPE" "SET" containers                      -> new_stripe_set
    | "DROP" "(" [_file] STRING ("," [_file] STRING)* ")" [on]     -> drop_containers
    | "RESIZE" "(" "ALL" ["CONTAINERS"] amount ")" [on]            -> resize_all
    | "RESIZE" containers                                          -> resize_containers
?option: "PREFETCHSIZE" (INT | AUTOMATIC)                          -> prefetch
    | "EXTENTSIZE" INT                                             -> extent
    | "BUFFERPOOL" ID                                              -> pool
    | "OVERHEAD" (NUMBER | INT | INHERIT)                          -> overhead
    | "TRANSFERRATE" (NUMBER | INT | INHERIT)                      -> rate
    | "NO" "FILE" "SYSTEM" "CACHING"                               -> direct
    | "FILE" "SYSTEM" "CACHING"                                    -> cached
_managed: "MANAGED" "BY" "AUTOMATIC" "STORAGE" ["USING" "STOGROUP" ID]
containers: "(" container ("," container)* ")" [on]
container: [_file] STRING amount
_file: "FILE" | "DEVICE"
amount: INT [UNIT]
UNIT: "K" | "M" | "G"
on: "ON" ("DBPARTITIONNUM" | "DBPARTITIONNUMS") "(" INT ("," INT)* ")"
argument: STRING | NULL | ID
strings: STRING ("," STRING)*
setting: NAME value
value: AUTOMATIC | (WORD | STRING) [AUTOMATIC]
AUTOMATIC: "AUTOMATIC"
INHERIT: "INHERIT"
NULL: "NULL"
ID: /"([^"]|"")+"/
STRING: /'([^']|'')*'/
INT: /-?\d+(?![\w.])/
NUMBER: /\d+\.\d+/
NAME: /[A-Za-z_][A-Za-z0-9_]*/
WORD: /[^\s'"()]+/
%ignore " "
"""

LOG_SUFFIX = re.compile(r"[/\\]NODE\d+(?:[/\\]LOGSTREAM\d+)?[/\\]?$")


def is_command(line: str) -> bool:
    """Whether a line of an action is a command, and not text for a person."""
    return not line.startswith("-- ")


def carry_out(state: State, command: str) -> None:
    """Change the state as the command changes the database. Raises when Db2 would refuse it."""
    Machine(state).transform(_parser().parse(command))


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=True)


class Machine(Transformer[Token, Any]):
    """Carries out one parsed command on a state; names of methods are the names in the grammar."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state
        self.rows = state.sources

    # words

    def ID(self, token: Token) -> str:  # noqa: N802
        return token[1:-1].replace('""', '"')

    def STRING(self, token: Token) -> str:  # noqa: N802
        return token[1:-1].replace("''", "'")

    def INT(self, token: Token) -> int:  # noqa: N802
        return int(token)

    def NUMBER(self, token: Token) -> float:  # noqa: N802
        return float(token)

    def NULL(self, _: Token) -> str:  # noqa: N802
        return ""

    def INHERIT(self, _: Token) -> int:  # noqa: N802
        return -1

    def pages(self, children: list[Any]) -> int:
        return int(children[0]) * (1024 if children[0] < 1024 else 1)

    def amount(self, children: list[Any]) -> tuple[int, str | None]:
        return children[0], children[1] and str(children[1])

    def argument(self, children: list[str]) -> str:
        return children[0]

    strings = on = container = list

    def containers(self, children: list[Any]) -> tuple[list[Any], list[int] | None]:
        return children[:-1], children[-1]

    def fixed(self, children: list[int]) -> tuple[int, bool]:
        return children[0], False

    def automatic(self, _: list[Any]) -> tuple[None, bool]:
        return None, True

    def automatic_from(self, children: list[int]) -> tuple[int, bool]:
        return children[0], True

    def setting(self, children: list[Any]) -> tuple[str, tuple[str | None, bool]]:
        return str(children[0]), children[1]

    def value(self, children: list[Any]) -> tuple[str | None, bool]:
        if isinstance(children[0], Token) and children[0].type == "AUTOMATIC":
            return None, True
        return str(children[0]), children[1] is not None

    # buffer pools

    @v_args(inline=True)
    def alter_pool(self, name: str, member: int | None, size: tuple[int | None, bool]) -> None:
        pool, (pages, automatic) = self._one("cat_bufferpool", BPNAME=name), size
        stored = -2 if automatic else pages
        exceptions = self.rows["cat_bufferpool_exception"]
        if member is None:
            pool["NPAGES"] = stored
            apart = {row["DBPARTITIONNUM"] for row in exceptions if row["BUFFERPOOLID"] == pool["BUFFERPOOLID"]}
        else:
            # an entry that says what the pool says for all members is none
            key = {"BUFFERPOOLID": pool["BUFFERPOOLID"], "DBPARTITIONNUM": member}
            self._remove("cat_bufferpool_exception", **key)
            if stored != pool["NPAGES"]:
                exceptions.append({**key, "NPAGES": stored})
            apart = {row["MEMBER"] for row in self._all("bufferpool", BP_NAME=name)} - {member}
        for row in self._all("bufferpool", BP_NAME=name):
            if row["MEMBER"] not in apart:
                row["AUTOMATIC"] = int(automatic)
                row["BP_CUR_BUFFSZ"] = self._buffpage(row) if pages == -1 else pages or row["BP_CUR_BUFFSZ"]

    @v_args(inline=True)
    def alter_blocks(self, name: str, pages: int, block: int | None) -> None:
        pool = self._one("cat_bufferpool", BPNAME=name)
        pool["NUMBLOCKPAGES"], pool["BLOCKSIZE"] = pages, (block or pool["BLOCKSIZE"] or 32) if pages else 0

    @v_args(inline=True)
    def create_pool(self, name: str, size: tuple[int | None, bool], page_size: int | None) -> None:
        self._none("cat_bufferpool", BPNAME=name)
        pages, automatic = size
        number = 1 + max(row["BUFFERPOOLID"] for row in self.rows["cat_bufferpool"])
        self._add("cat_bufferpool", BPNAME=name, BUFFERPOOLID=number, NPAGES=-2 if automatic else pages,
                  PAGESIZE=page_size or 4096, NUMBLOCKPAGES=0, BLOCKSIZE=0)  # fmt: skip
        for member in self._members():
            self._add("bufferpool", BP_NAME=name, MEMBER=member, AUTOMATIC=int(automatic), BP_CUR_BUFFSZ=pages or 1000)

    @v_args(inline=True)
    def drop_pool(self, name: str) -> None:
        number = self._one("cat_bufferpool", BPNAME=name)["BUFFERPOOLID"]
        self._none("cat_tablespace", BUFFERPOOLID=number)
        self._remove("cat_bufferpool", BPNAME=name)
        self._remove("bufferpool", BP_NAME=name)

    # table spaces

    def alter_space(self, children: list[Any]) -> None:
        name, *changes = children
        self._one("cat_tablespace", TBSPACE=name)
        for change in changes:
            change(name)

    @v_args(inline=True)
    def create_space(
        self, kind: str | None, name: str, group: str | None, page_size: int | None, *rest: Any
    ) -> None:
        self._none("cat_tablespace", TBSPACE=name)
        page_size = page_size or 4096
        number = 1 + max(row["TBSPACEID"] for row in self.rows["cat_tablespace"])
        storage, options = (rest[0] or "IBMSTOGROUP", rest[1:]) if rest else ("IBMSTOGROUP", ())
        pool = next(row for row in self.rows["cat_bufferpool"] if row["PAGESIZE"] == page_size)["BUFFERPOOLID"]
        group = group or "IBMDEFAULTGROUP"
        self._add("cat_tablespace", TBSPACE=name, TBSPACEID=number, TBSPACETYPE="D",
                  DATATYPE="A" if kind == "REGULAR" else "L", EXTENTSIZE=32, PREFETCHSIZE=-1, OVERHEAD=-1,
                  TRANSFERRATE=-1, PAGESIZE=page_size, DBPGNAME=group, BUFFERPOOLID=pool)  # fmt: skip
        paths = sorted({row["DB_STORAGE_PATH"] for row in self._all("storage_path", STORAGE_GROUP_NAME=storage)})
        inside = [row["DBPARTITIONNUM"] for row in self._all("partition_group", DBPGNAME=group)]
        for member in inside or self._members():
            self._add("tablespace", TBSP_NAME=name, MEMBER=member, TBSP_ID=number, TBSP_TYPE="DMS",
                      TBSP_CONTENT_TYPE="ANY" if kind == "REGULAR" else "LARGE", TBSP_PAGE_SIZE=page_size,
                      TBSP_EXTENT_SIZE=32, TBSP_PREFETCH_SIZE=-1, TBSP_CUR_POOL_ID=pool, TBSP_NEXT_POOL_ID=pool,
                      FS_CACHING=2, TBSP_REBALANCER_MODE="NO_REBAL", TBSP_USING_AUTO_STORAGE=1,
                      STORAGE_GROUP_NAME=storage, TBSP_USED_PAGES=96, TBSP_TOTAL_PAGES=8192)  # fmt: skip
            for place, path in enumerate(paths or ["/"]):
                self._container(name, member, place, f"{path}/NODE{member:04d}/T{number:07d}/C{place:07d}.LRG", 8192)
        for option in options:
            option(name)

    @v_args(inline=True)
    def drop_space(self, name: str) -> None:
        self._one("cat_tablespace", TBSPACE=name)
        for column in ("TBSPACE", "INDEX_TBSPACE", "LONG_TBSPACE"):
            self._none("cat_table", **{column: name})
        self._remove("cat_tablespace", TBSPACE=name)
        self._remove("tablespace", TBSP_NAME=name)
        self._remove("container", TBSP_NAME=name)

    @v_args(inline=True)
    def change(self, option: Callable[[str], None]) -> Callable[[str], None]:
        return option

    @v_args(inline=True)
    def prefetch(self, pages: int | str) -> Callable[[str], None]:
        # of an AUTOMATIC size the monitor says -1, like the catalog
        number = -1 if pages == "AUTOMATIC" else pages
        return self._both({"PREFETCHSIZE": number}, {"TBSP_PREFETCH_SIZE": number})

    @v_args(inline=True)
    def extent(self, pages: int) -> Callable[[str], None]:
        def change(name: str) -> None:
            if any(row["TBSP_USED_PAGES"] != 96 for row in self._all("tablespace", TBSP_NAME=name)):
                raise ValueError(f"the extent size of {name} cannot be altered")
            self._both({"EXTENTSIZE": pages}, {"TBSP_EXTENT_SIZE": pages})(name)

        return change

    @v_args(inline=True)
    def pool(self, pool: str) -> Callable[[str], None]:
        def change(name: str) -> None:
            row = self._one("cat_bufferpool", BPNAME=pool)
            if row["PAGESIZE"] != self._one("cat_tablespace", TBSPACE=name)["PAGESIZE"]:
                raise ValueError(f"{pool} and {name} have different page sizes")
            number = row["BUFFERPOOLID"]
            self._both({"BUFFERPOOLID": number}, {"TBSP_CUR_POOL_ID": number, "TBSP_NEXT_POOL_ID": number})(name)

        return change

    @v_args(inline=True)
    def overhead(self, value: float) -> Callable[[str], None]:
        return self._both({"OVERHEAD": value}, {})

    @v_args(inline=True)
    def rate(self, value: float) -> Callable[[str], None]:
        return self._both({"TRANSFERRATE": value}, {})

    def direct(self, _: list[Any]) -> Callable[[str], None]:
        return self._both({}, {"FS_CACHING": 1})

    def cached(self, _: list[Any]) -> Callable[[str], None]:
        return self._both({}, {"FS_CACHING": 0})

    def _both(self, catalog: Row, monitor: Row) -> Callable[[str], None]:
        def change(name: str) -> None:
            self._one("cat_tablespace", TBSPACE=name).update(catalog)
            for row in self._all("tablespace", TBSP_NAME=name):
                row.update(monitor)

        return change

    # containers and storage groups

    def rebalance(self, _: list[Any]) -> Callable[[str], None]:
        return self._rebalance

    def _rebalance(self, name: str) -> None:
        """One equal container on each path of the group; what a DMS space has becomes one stripe set."""
        for space in self._all("tablespace", TBSP_NAME=name):
            member = space["MEMBER"]
            mine = self._all("container", TBSP_NAME=name, MEMBER=member)
            largest = max(row["TOTAL_PAGES"] for row in mine)
            paths = {
                row["DB_STORAGE_PATH"]: row["DB_STORAGE_PATH_STATE"]
                for row in self._all("storage_path", STORAGE_GROUP_NAME=space.get("STORAGE_GROUP_NAME"))
                if row["DBPARTITIONNUM"] in (member, None)
            }
            for path, status in paths.items():
                here = [row for row in mine if row["CONTAINER_NAME"].startswith(path)]
                if status == "DROP_PENDING":
                    for row in here:
                        self.rows["container"].remove(row)
                elif not here:
                    number = 1 + max(row["CONTAINER_ID"] for row in mine)
                    self._container(name, member, number, f"{path}/NODE{member:04d}/{name}/C{number:07d}.LRG", largest)
            for row in self._all("container", TBSP_NAME=name, MEMBER=member):
                row |= {"STRIPE_SET": 0}
                self._resize(row, largest)
        for row in list(self.rows["storage_path"]):
            held = any(item["CONTAINER_NAME"].startswith(row["DB_STORAGE_PATH"]) for item in self.rows["container"])
            if row["DB_STORAGE_PATH_STATE"] == "DROP_PENDING" and not held:
                self.rows["storage_path"].remove(row)
            elif row["DB_STORAGE_PATH_STATE"] == "NOT_IN_USE" and held:
                row["DB_STORAGE_PATH_STATE"] = "IN_USE"

    @v_args(inline=True)
    def use_group(self, group: str) -> Callable[[str], None]:
        return self._both({}, {"STORAGE_GROUP_NAME": group})

    @v_args(inline=True)
    def add_paths(self, group: str, paths: list[str]) -> None:
        for member in sorted({row["DBPARTITIONNUM"] for row in self._all("storage_path", STORAGE_GROUP_NAME=group)}):
            for path in paths:
                self._none("storage_path", STORAGE_GROUP_NAME=group, DB_STORAGE_PATH=path, DBPARTITIONNUM=member)
                self._add("storage_path", STORAGE_GROUP_NAME=group, DB_STORAGE_PATH=path, DBPARTITIONNUM=member,
                          DB_STORAGE_PATH_STATE="NOT_IN_USE")  # fmt: skip

    @v_args(inline=True)
    def drop_paths(self, group: str, paths: list[str]) -> None:
        for path in paths:
            for row in self._all("storage_path", STORAGE_GROUP_NAME=group, DB_STORAGE_PATH=path):
                if row["DB_STORAGE_PATH_STATE"] == "NOT_IN_USE":
                    self.rows["storage_path"].remove(row)
                else:
                    row["DB_STORAGE_PATH_STATE"] = "DROP_PENDING"

    @v_args(inline=True)
    def add_containers(self, added: tuple[list[Any], list[int] | None]) -> Callable[[str], None]:
        return lambda name: self._append(name, added, 0)

    @v_args(inline=True)
    def new_stripe_set(self, added: tuple[list[Any], list[int] | None]) -> Callable[[str], None]:
        return lambda name: self._append(
            name, added, 1 + max(row["STRIPE_SET"] for row in self._all("container", TBSP_NAME=name))
        )

    def _append(self, name: str, added: tuple[list[Any], list[int] | None], stripe_set: int) -> None:
        for member in self._places(name, added[1]):
            for path, amount in added[0]:
                self._none("container", TBSP_NAME=name, MEMBER=member, CONTAINER_NAME=path)
                number = 1 + max(row["CONTAINER_ID"] for row in self._all("container", TBSP_NAME=name, MEMBER=member))
                self._container(name, member, number, path, self._in_pages(name, amount))
                self.rows["container"][-1]["STRIPE_SET"] = stripe_set

    def drop_containers(self, children: list[Any]) -> Callable[[str], None]:
        *paths, places = children

        def change(name: str) -> None:
            for member in self._places(name, places):
                for path in paths:
                    self._one("container", TBSP_NAME=name, MEMBER=member, CONTAINER_NAME=path)
                    self._remove("container", TBSP_NAME=name, MEMBER=member, CONTAINER_NAME=path)

        return change

    @v_args(inline=True)
    def resize_all(self, amount: tuple[int, str | None], places: list[int] | None) -> Callable[[str], None]:
        def change(name: str) -> None:
            for row in self._all("container", TBSP_NAME=name):
                if row["MEMBER"] in self._places(name, places):
                    self._resize(row, self._in_pages(name, amount))

        return change

    @v_args(inline=True)
    def resize_containers(self, resized: tuple[list[Any], list[int] | None]) -> Callable[[str], None]:
        def change(name: str) -> None:
            for member in self._places(name, resized[1]):
                for path, amount in resized[0]:
                    row = self._one("container", TBSP_NAME=name, MEMBER=member, CONTAINER_NAME=path)
                    self._resize(row, self._in_pages(name, amount))

        return change

    def _places(self, name: str, places: list[int] | None) -> list[int]:
        return places or [row["MEMBER"] for row in self._all("tablespace", TBSP_NAME=name)]

    def _in_pages(self, name: str, amount: tuple[int, str | None]) -> int:
        number, unit = amount
        page_size: int = self._one("cat_tablespace", TBSPACE=name)["PAGESIZE"]
        return number * {"K": 2**10, "M": 2**20, "G": 2**30}[unit] // page_size if unit else number

    def _container(self, name: str, member: int, number: int, path: str, pages: int) -> None:
        kind = next((row["CONTAINER_TYPE"] for row in self._all("container", TBSP_NAME=name)), "FILE_EXTENT_TAG")
        self._add("container", TBSP_NAME=name, CONTAINER_ID=number, MEMBER=member, CONTAINER_NAME=path, STRIPE_SET=0,
                  TBSP_ID=self._one("cat_tablespace", TBSPACE=name)["TBSPACEID"], CONTAINER_TYPE=kind,
                  TOTAL_PAGES=pages, USABLE_PAGES=pages - 32, ACCESSIBLE=1)  # fmt: skip

    def _resize(self, row: Row, pages: int) -> None:
        row |= {"USABLE_PAGES": row["USABLE_PAGES"] + pages - row["TOTAL_PAGES"], "TOTAL_PAGES": pages}

    # tables

    def move_table(self, arguments: list[str]) -> None:
        schema, name, *targets = arguments[:5]
        if arguments[-1] != "MOVE":
            raise ValueError("a move is one call")
        table = self._one("cat_table", TABSCHEMA=schema, TABNAME=name)
        for column, target in zip(("TBSPACE", "INDEX_TBSPACE", "LONG_TBSPACE"), targets, strict=True):
            source = table[column] or (table["TBSPACE"] if column != "TBSPACE" else None)
            if target:
                number = self._one("cat_tablespace", TBSPACE=target)["TBSPACEID"]
                table[column] = target if table[column] or target != table["TBSPACE"] else table[column]
                if column == "TBSPACE":
                    for row in self._all("table", TABSCHEMA=schema, TABNAME=name):
                        row["TBSP_ID"] = number
                if source and source != target and not self._tables(source):
                    self._move_load(source, target)

    def _tables(self, space: str) -> list[Row]:
        return [row for row in self.rows["cat_table"] if space in (row["TBSPACE"], row["INDEX_TBSPACE"], row["LONG_TBSPACE"])]

    def _move_load(self, source: str, target: str) -> None:
        columns = ["TBSP_USED_PAGES", *all_sources()["tablespace"].names("counter")]
        for old in self._all("tablespace", TBSP_NAME=source):
            new = self._one("tablespace", TBSP_NAME=target, MEMBER=old["MEMBER"])
            for column in columns:
                if column in old:
                    old[column], new[column] = new.get(column, 0), old[column]

    # configuration

    def update_db(self, children: list[Any]) -> None:
        _, member, *settings = children
        for name, value in settings:
            rows = self._settings("dbcfg", "LOGPATH" if name.upper() == "NEWLOGPATH" else name, member)
            for row in rows:
                _set(row, *value)
        for row in self.rows["bufferpool"]:
            if self._all("cat_bufferpool", BPNAME=row["BP_NAME"], NPAGES=-1):
                row["BP_CUR_BUFFSZ"] = self._buffpage(row)

    def update_dbm(self, settings: list[Any]) -> None:
        for name, value in settings:
            for row in self._settings("dbmcfg", name, None):
                _set(row, *value)

    def _settings(self, source: str, name: str, member: int | None) -> list[Row]:
        rows = [
            row
            for row in self.rows[source]
            if row["NAME"].upper() == name.upper() and member in (None, row.get("MEMBER"))
        ]
        if not rows:
            raise ValueError(f"no configuration parameter {name}")
        return rows

    def _buffpage(self, pool: Row) -> int:
        rows = [row for row in self.rows["dbcfg"] if (row["NAME"].lower(), row["MEMBER"]) == ("buffpage", pool["MEMBER"])]
        return int(rows[0]["VALUE"]) if rows else 1000

    @v_args(inline=True)
    def set_variable(self, name: str, value: str | None, _: str | None, member: int | None) -> None:
        members = self._members() if member is None else [member]
        for number in members:
            self._remove("registry", REG_VAR_NAME=str(name).upper(), MEMBER=number)
            if value is not None:
                self.rows["registry"].append(
                    {"REG_VAR_NAME": str(name).upper(), "MEMBER": number, "REG_VAR_VALUE": str(value),
                     "REG_VAR_ON_DISK_VALUE": str(value), "IS_AGGREGATE": 0, "AGGREGATE_NAME": None}
                )  # fmt: skip

    # members

    @v_args(inline=True)
    def start_member(self, member: int) -> None:
        self._one("member", MEMBER=member)["STATE"] = "STARTED"
        for name, source in all_sources().items():
            rows = self.rows[name]
            if "MEMBER" in source.names("key") and rows and not self._all(name, MEMBER=member):
                counters = dict.fromkeys(source.names("counter"), 0)
                model = rows[0]["MEMBER"]
                rows += [
                    row | {key: 0 for key in counters if key in row} | {"MEMBER": member}
                    for row in self._all(name, MEMBER=model)
                ]

    @v_args(inline=True)
    def stop_member(self, member: int) -> None:
        self._one("member", MEMBER=member)["STATE"] = "STOPPED"
        for name, source in all_sources().items():
            if name != "member" and "MEMBER" in source.names("key"):
                self._remove(name, MEMBER=member)

    @v_args(inline=True)
    def redistribute(self, group: str) -> None:
        inside = sorted(row["DBPARTITIONNUM"] for row in self._all("partition_group", DBPGNAME=group))
        total = sum(row["BUCKETS"] for row in self._all("partition_map", DBPGNAME=group))
        self._remove("partition_map", DBPGNAME=group)
        share, rest = divmod(total, len(inside))
        for place, member in enumerate(inside):
            self.rows["partition_map"].append(
                {"DBPGNAME": group, "DBPARTITIONNUM": member, "BUCKETS": share + (place < rest)}
            )
            self._one("partition_group", DBPGNAME=group, DBPARTITIONNUM=member)["IN_USE"] = "Y"

    def activate(self, _: list[Any]) -> None:
        """Nothing left to do: every command is carried out as if the database had been activated since."""

    # rows

    def _members(self) -> list[int]:
        return [row["MEMBER"] for row in self.rows["database"]]

    def _all(self, source: str, **key: Any) -> list[Row]:
        return [row for row in self.rows[source] if all(row.get(name) == value for name, value in key.items())]

    def _one(self, source: str, **key: Any) -> Row:
        rows = self._all(source, **key)
        if len(rows) != 1:
            raise ValueError(f"{source}: {len(rows)} rows with {key}")
        return rows[0]

    def _none(self, source: str, **key: Any) -> None:
        if self._all(source, **key):
            raise ValueError(f"{source}: has {key} already")

    def _remove(self, source: str, **key: Any) -> None:
        self.rows[source][:] = [row for row in self.rows[source] if row not in self._all(source, **key)]

    def _add(self, source: str, **values: Any) -> None:
        """A new row with the columns that the capture has; what is not said counts nothing yet."""
        counters = set(all_sources()[source].names("counter"))
        known = dict.fromkeys(column for row in self.rows[source] for column in row) or values
        self.rows[source].append({name: values.get(name, 0 if name in counters else None) for name in known})


def _set(row: Row, value: str | None, automatic: bool) -> None:
    if row["NAME"].lower() == "logpath" and value is not None:
        value = _log_path(value, row["VALUE"])
    if value is not None:
        row["VALUE"] = row["DEFERRED_VALUE"] = value
    row["VALUE_FLAGS"] = row["DEFERRED_VALUE_FLAGS"] = "AUTOMATIC" if automatic else "NONE"


def _log_path(new: str, old: str) -> str:
    """The log path that follows from NEWLOGPATH: Db2 appends the member's own directories."""
    suffix = LOG_SUFFIX.search(old)
    separator = "\\" if "\\" in old else "/"
    return new.rstrip("/\\") + (suffix.group() if suffix else separator if old.endswith(separator) else "")


def executable(lines: list[str]) -> Iterator[str]:
    """The commands among the lines of an action."""
    return (line for line in lines if is_command(line))
