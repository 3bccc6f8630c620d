"""What commands about table spaces, containers and tables do to a state; interpreter.py knows the rest."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from lark import Token, Transformer, v_args

from advisor.catalogue.sources import all_sources

Row = dict[str, Any]
Change = Callable[[str], None]
Containers = tuple[list[Any], list[int] | None]

EMPTY = 96  # pages that Db2 itself uses in a new table space: three extents


class Held(Protocol):
    """Whatever holds the rows of sources, by their names."""

    sources: dict[str, list[Row]]


State = TypeVar("State", bound=Held)


class Rows(Transformer[Token, Any], Generic[State]):
    """The rows of a state, by their keys."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state
        self.rows = state.sources

    def _members(self) -> list[int]:
        return [row["MEMBER"] for row in self.rows["database"]]

    def _all(self, source: str, **key: Any) -> list[Row]:
        rows = self.rows.get(source, [])
        return [row for row in rows if all(row.get(name) == value for name, value in key.items())]

    def _default_page(self) -> int:
        """Return the page size of the database, which is that of its first buffer pool."""
        return next((int(row["PAGESIZE"]) for row in self._all("cat_bufferpool", BPNAME="IBMDEFAULTBP")), 4096)

    def _one(self, source: str, **key: Any) -> Row:
        rows = self._all(source, **key)
        if len(rows) != 1:
            raise ValueError(f"{source}: {len(rows)} rows with {key}")
        return rows[0]

    def _none(self, source: str, **key: Any) -> None:
        if self._all(source, **key):
            raise ValueError(f"{source}: has {key}")

    def _remove(self, source: str, **key: Any) -> None:
        gone = self._all(source, **key)
        if gone:
            self.rows[source][:] = [row for row in self.rows[source] if row not in gone]

    def _add(self, source: str, **values: Any) -> None:
        """A new row with the columns that the capture has; it has counted nothing yet."""
        if source not in self.rows:  # was not collected, before or after
            return
        counters = set(all_sources()[source].names("counter"))
        known = dict.fromkeys(column for row in self.rows[source] for column in row) or values
        self.rows[source].append({name: values.get(name, 0 if name in counters else None) for name in known})


class StorageCommands(Rows[State]):
    """Table spaces, containers, storage groups, and tables that move between them."""

    def alter_space(self, children: list[Any]) -> None:
        name, *changes = children
        self._one("cat_tablespace", TBSPACE=name)
        for change in changes:
            change(name)

    @v_args(inline=True)
    def create_space(
        self, kind: str | None, name: str, group: str | None, size: int | None, storage: Change | None, *options: Change
    ) -> None:
        self._none("cat_tablespace", TBSPACE=name)
        temporary = kind == "SYSTEM TEMPORARY"
        size, group = size or self._default_page(), group or ("IBMTEMPGROUP" if temporary else "IBMDEFAULTGROUP")
        number = 1 + max(row["TBSPACEID"] for row in self.rows["cat_tablespace"])
        pool = next(row for row in self.rows["cat_bufferpool"] if row["PAGESIZE"] == size)["BUFFERPOOLID"]
        self._add("cat_tablespace", TBSPACE=name, TBSPACEID=number, TBSPACETYPE="D",
                  DATATYPE="T" if temporary else "A" if kind == "REGULAR" else "L", EXTENTSIZE=32, PREFETCHSIZE=-1, OVERHEAD=-1,
                  TRANSFERRATE=-1, PAGESIZE=size, DBPGNAME=group, BUFFERPOOLID=pool)  # fmt: skip
        inside = [row["DBPARTITIONNUM"] for row in self._all("partition_group", DBPGNAME=group)]
        for member in inside or self._members():
            self._add("tablespace", TBSP_NAME=name, MEMBER=member, TBSP_ID=number, TBSP_TYPE="DMS",
                      TBSP_CONTENT_TYPE="SYSTEMP" if temporary else "ANY" if kind == "REGULAR" else "LARGE",
                      TBSP_PAGE_SIZE=size,
                      TBSP_EXTENT_SIZE=32, TBSP_PREFETCH_SIZE=-1, TBSP_CUR_POOL_ID=pool, TBSP_NEXT_POOL_ID=pool,
                      FS_CACHING=2, TBSP_REBALANCER_MODE="NO_REBAL", TBSP_USED_PAGES=EMPTY, TBSP_TOTAL_PAGES=8192)  # fmt: skip
        for change in (storage or self.automatic_storage(None), *options):
            change(name)

    @v_args(inline=True)
    def drop_space(self, name: str) -> None:
        self._one("cat_tablespace", TBSPACE=name)
        for column in ("TBSPACE", "INDEX_TBSPACE", "LONG_TBSPACE"):
            self._none("cat_table", **{column: name})
        self._remove("cat_tablespace", TBSPACE=name)
        self._remove("tablespace", TBSP_NAME=name)
        self._remove("container", TBSP_NAME=name)

    @v_args(inline=True)
    def change(self, option: Change) -> Change:
        return option

    @v_args(inline=True)
    def prefetch(self, pages: int | str) -> Change:
        # of an AUTOMATIC size the monitor says -1, like the catalog
        number = -1 if pages == "AUTOMATIC" else pages
        return self._both({"PREFETCHSIZE": number}, {"TBSP_PREFETCH_SIZE": number})

    @v_args(inline=True)
    def extent(self, pages: int) -> Change:
        def change(name: str) -> None:
            if any(row["TBSP_USED_PAGES"] != EMPTY for row in self._all("tablespace", TBSP_NAME=name)):
                raise ValueError(f"the extent size of {name} cannot be altered")
            self._both({"EXTENTSIZE": pages}, {"TBSP_EXTENT_SIZE": pages})(name)

        return change

    @v_args(inline=True)
    def pool(self, pool: str) -> Change:
        def change(name: str) -> None:
            row = self._one("cat_bufferpool", BPNAME=pool)
            if row["PAGESIZE"] != self._one("cat_tablespace", TBSPACE=name)["PAGESIZE"]:
                raise ValueError(f"{pool} and {name} have different page sizes")
            number = row["BUFFERPOOLID"]
            self._both({"BUFFERPOOLID": number}, {"TBSP_CUR_POOL_ID": number, "TBSP_NEXT_POOL_ID": number})(name)

        return change

    @v_args(inline=True)
    def overhead(self, value: float) -> Change:
        return self._both({"OVERHEAD": value}, {})

    @v_args(inline=True)
    def rate(self, value: float) -> Change:
        return self._both({"TRANSFERRATE": value}, {})

    def growing(self, _: list[Any]) -> Change:
        return self._both({}, {"TBSP_AUTO_RESIZE_ENABLED": 1})

    def fixed_in_size(self, _: list[Any]) -> Change:
        return self._both({}, {"TBSP_AUTO_RESIZE_ENABLED": 0})

    @v_args(inline=True)
    def limit(self, size: tuple[int, str]) -> Change:
        number, unit = size
        return self._both({}, {"TBSP_MAX_SIZE": number * 1024 ** " KMG".index(unit)})

    def direct(self, _: list[Any]) -> Change:
        return self._both({}, {"FS_CACHING": 1})

    def cached(self, _: list[Any]) -> Change:
        return self._both({}, {"FS_CACHING": 0})

    def _both(self, catalog: Row, monitor: Row) -> Change:
        def change(name: str) -> None:
            self._one("cat_tablespace", TBSPACE=name).update(catalog)
            for row in self._all("tablespace", TBSP_NAME=name):
                row.update(monitor)

        return change

    # where the pages are

    @v_args(inline=True)
    def automatic_storage(self, stored: str | None) -> Change:
        def change(name: str) -> None:
            group = stored or "IBMSTOGROUP"
            self._both({}, {"TBSP_USING_AUTO_STORAGE": 1, "STORAGE_GROUP_NAME": group})(name)
            paths = sorted({row["DB_STORAGE_PATH"] for row in self._all("storage_path", STORAGE_GROUP_NAME=group)})
            for space in self._all("tablespace", TBSP_NAME=name):
                for number, path in enumerate(paths):
                    self._container(space, number, path, 8192)

        return change

    def own_storage(self, children: list[Containers]) -> Change:
        def change(name: str) -> None:
            self._both({}, {"TBSP_USING_AUTO_STORAGE": 0, "STORAGE_GROUP_NAME": None})(name)
            for added in children:
                self._append(name, added, 0)

        return change

    def rebalance(self, _: list[Any]) -> Change:
        return self._rebalance

    def _rebalance(self, name: str) -> None:
        """An equal container on each path of the storage group, none on a path that is dropped, one stripe set."""
        for space in self._all("tablespace", TBSP_NAME=name):
            key = {"TBSP_NAME": name, "MEMBER": space["MEMBER"]}
            largest = max(row["TOTAL_PAGES"] for row in self._all("container", **key))
            for path in self._all("storage_path", STORAGE_GROUP_NAME=space.get("STORAGE_GROUP_NAME")):
                mine = self._all("container", **key)
                here = [row for row in mine if _lies_on(row, path)]
                if path["DBPARTITIONNUM"] not in (space["MEMBER"], None):
                    continue
                if path["DB_STORAGE_PATH_STATE"] == "DROP_PENDING":
                    self.rows["container"][:] = [row for row in self.rows["container"] if row not in here]
                elif not here:
                    number = 1 + max(row["CONTAINER_ID"] for row in mine)
                    self._container(space, number, path["DB_STORAGE_PATH"], largest)
            for row in self._all("container", **key):
                row["STRIPE_SET"] = 0
                _resize(row, largest)
        for path in list(self.rows["storage_path"]):
            users = self._all("tablespace", STORAGE_GROUP_NAME=path["STORAGE_GROUP_NAME"])
            names = {space["TBSP_NAME"] for space in users}
            held = any(_lies_on(row, path) and row["TBSP_NAME"] in names for row in self.rows["container"])
            if path["DB_STORAGE_PATH_STATE"] == "DROP_PENDING" and not held:
                self.rows["storage_path"].remove(path)
            elif path["DB_STORAGE_PATH_STATE"] == "NOT_IN_USE" and held:
                path["DB_STORAGE_PATH_STATE"] = "IN_USE"

    @v_args(inline=True)
    def use_group(self, group: str) -> Change:
        return self._both({}, {"STORAGE_GROUP_NAME": group})

    @v_args(inline=True)
    def add_paths(self, group: str, paths: list[str]) -> None:
        for member in sorted({row["DBPARTITIONNUM"] for row in self._all("storage_path", STORAGE_GROUP_NAME=group)}):
            for path in paths:
                key = {"STORAGE_GROUP_NAME": group, "DB_STORAGE_PATH": path, "DBPARTITIONNUM": member}
                self._none("storage_path", **key)
                self._add("storage_path", **key, DB_STORAGE_PATH_STATE="NOT_IN_USE")

    @v_args(inline=True)
    def group_overhead(self, group: str, milliseconds: float) -> None:
        for row in self._all("storage_path", STORAGE_GROUP_NAME=group):
            row["OVERHEAD"] = float(milliseconds)

    @v_args(inline=True)
    def drop_paths(self, group: str, paths: list[str]) -> None:
        for path in paths:
            for row in self._all("storage_path", STORAGE_GROUP_NAME=group, DB_STORAGE_PATH=path):
                if row["DB_STORAGE_PATH_STATE"] == "NOT_IN_USE":
                    self.rows["storage_path"].remove(row)
                else:
                    row["DB_STORAGE_PATH_STATE"] = "DROP_PENDING"

    @v_args(inline=True)
    def add_containers(self, added: Containers) -> Change:
        return lambda name: self._append(name, added, 0)

    @v_args(inline=True)
    def new_stripe_set(self, added: Containers) -> Change:
        return lambda name: self._append(
            name, added, 1 + max(row["STRIPE_SET"] for row in self._all("container", TBSP_NAME=name))
        )

    def _append(self, name: str, added: Containers, stripe_set: int) -> None:
        for space in self._spaces(name, added[1]):
            mine = self._all("container", TBSP_NAME=name, MEMBER=space["MEMBER"])
            number = 1 + max((row["CONTAINER_ID"] for row in mine), default=-1)
            for place, (path, amount) in enumerate(added[0]):
                self._none("container", MEMBER=space["MEMBER"], CONTAINER_NAME=path)
                self._container(space, number + place, path, _pages(amount, space), stripe_set)

    @v_args(inline=True)
    def drop_containers(self, *children: Any) -> Change:
        *paths, places = children

        def change(name: str) -> None:
            for space in self._spaces(name, places):
                for path in paths:
                    key = {"TBSP_NAME": name, "MEMBER": space["MEMBER"], "CONTAINER_NAME": path}
                    self._one("container", **key)
                    self._remove("container", **key)

        return change

    @v_args(inline=True)
    def resize_all(self, amount: tuple[int, str], places: list[int] | None) -> Change:
        def change(name: str) -> None:
            for space in self._spaces(name, places):
                for row in self._all("container", TBSP_NAME=name, MEMBER=space["MEMBER"]):
                    _resize(row, _pages(amount, space))

        return change

    @v_args(inline=True)
    def resize_containers(self, resized: Containers) -> Change:
        def change(name: str) -> None:
            for space in self._spaces(name, resized[1]):
                for path, amount in resized[0]:
                    key = {"TBSP_NAME": name, "MEMBER": space["MEMBER"], "CONTAINER_NAME": path}
                    _resize(self._one("container", **key), _pages(amount, space))

        return change

    def _spaces(self, name: str, places: list[int] | None) -> list[Row]:
        return [row for row in self._all("tablespace", TBSP_NAME=name) if places is None or row["MEMBER"] in places]

    def _container(self, space: Row, number: int, path: str, pages: int, stripe_set: int = 0) -> None:
        name, member = space["TBSP_NAME"], space["MEMBER"]
        if self._all("storage_path", DB_STORAGE_PATH=path):
            path = f"{path}/NODE{member:04d}/{name}/C{number:07d}.LRG"
        kind = next((row["CONTAINER_TYPE"] for row in self._all("container", TBSP_NAME=name)), "FILE_EXTENT_TAG")
        self._add("container", TBSP_NAME=name, CONTAINER_ID=number, MEMBER=member, CONTAINER_NAME=path,
                  STRIPE_SET=stripe_set, TBSP_ID=space["TBSP_ID"], CONTAINER_TYPE=kind, TOTAL_PAGES=pages,
                  USABLE_PAGES=pages - space["TBSP_EXTENT_SIZE"], ACCESSIBLE=1)  # fmt: skip

    # tables

    @v_args(inline=True)
    def move_table(self, *arguments: str | None) -> None:
        schema, name, *targets = arguments[:5]
        if arguments[-1] != "MOVE":
            raise ValueError("a move is one call with the operation MOVE")
        table = self._one("cat_table", TABSCHEMA=schema, TABNAME=name)
        before = _spaces_of(table)
        after = [target or old for target, old in zip(targets, before, strict=True)]
        for target in set(after) - set(before):
            self._one("cat_tablespace", TBSPACE=target)
        # the catalog names the table spaces of indexes and long data only if they differ from the table's
        table["TBSPACE"] = after[0]
        for column, now in zip(("INDEX_TBSPACE", "LONG_TBSPACE"), after[1:], strict=True):
            table[column] = now if now != after[0] else None
        for row in self._all("table", TABSCHEMA=schema, TABNAME=name):
            row["TBSP_ID"] = self._one("cat_tablespace", TBSPACE=after[0])["TBSPACEID"]
        for old, new in dict(zip(before, after, strict=True)).items():
            if old != new and not any(old in _spaces_of(row) for row in self.rows["cat_table"]):
                self._move_load(old, new)

    def table(self, children: list[str]) -> dict[str, str]:
        return dict(zip(("TABSCHEMA", "TABNAME"), children, strict=True))

    def compress_table(self, children: list[Any]) -> None:
        self._one("cat_table", **children[0])["COMPRESSION"] = "R"

    def expand_table(self, children: list[Any]) -> None:
        self._one("cat_table", **children[0])["COMPRESSION"] = "N"

    def reorganize_table(self, children: list[Any]) -> None:
        """Remove overflow rows and empty pages; statistics show the result when they are next collected."""
        catalog = self._one("cat_table", **children[0])
        catalog |= {"FPAGES": catalog["NPAGES"], "OVERFLOW": 0}
        for row in self._all("table", **children[0]):
            row["OVERFLOW_ACCESSES"] = 0

    def _move_load(self, source: str, target: str) -> None:
        columns = ["TBSP_USED_PAGES", *all_sources()["tablespace"].names("counter")]
        for old in self._all("tablespace", TBSP_NAME=source):
            new = self._one("tablespace", TBSP_NAME=target, MEMBER=old["MEMBER"])
            for column in columns:
                if column in old:
                    old[column], new[column] = new.get(column, 0), old[column]


def _lies_on(container: Row, path: Row) -> bool:
    return str(container["CONTAINER_NAME"]).startswith(str(path["DB_STORAGE_PATH"]).rstrip("/") + "/")


def _spaces_of(table: Row) -> list[str]:
    return [table["TBSPACE"], table["INDEX_TBSPACE"] or table["TBSPACE"], table["LONG_TBSPACE"] or table["TBSPACE"]]


def _pages(amount: tuple[int, str], space: Row) -> int:
    number, unit = amount
    return number * {"K": 2**10, "M": 2**20, "G": 2**30}[unit] // space["TBSP_PAGE_SIZE"] if unit else number


def _resize(row: Row, pages: int) -> None:
    row |= {"USABLE_PAGES": row["USABLE_PAGES"] + pages - row["TOTAL_PAGES"], "TOTAL_PAGES": pages}
