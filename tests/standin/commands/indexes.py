"""What commands about indexes and statistics do to a state."""

from typing import Any

from lark import v_args

from tests.standin.commands.storage import Row, Rows, State

Dropped = dict[tuple[str, str], dict[str, list[Row]]]  # rows by source, by schema and name of the index


class IndexCommands(Rows[State]):
    """Indexes and statistics of tables. ``dropped`` are the rows of dropped indexes, which a CREATE INDEX brings back."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.dropped: Dropped = {}

    def clean_indexes(self, children: list[Any]) -> None:
        self._one("cat_table", **children[0])
        for row in self._all("index", **children[0]):
            row |= {"NUMRIDS_DELETED": 0, "NUM_EMPTY_LEAFS": 0}

    def drop_index(self, children: list[Any]) -> None:
        schema, index = children[0].values()
        key = {"INDSCHEMA": schema, "INDNAME": index}
        if not self._all("index", **key):
            raise ValueError(f"index: none is {key}")
        kept = {source: self._all(source, **key) for source in ("index", "cat_key_column")}
        self.dropped[schema, index] = kept
        for source in kept:
            self._remove(source, **key)

    @v_args(inline=True)
    def create_index(
        self, unique: Any, index: Row, table: Row, columns: list[Row], include: list[str], *options: Any
    ) -> None:
        schema, name = index.values()
        self._one("cat_table", **table)
        self._none("index", INDSCHEMA=schema, INDNAME=name)
        keys = [*columns, *({"COLNAME": column, "COLORDER": "I"} for column in include)]
        if (schema, name) in self.dropped:
            kept = self.dropped.pop((schema, name))
            known = [(row["COLNAME"], row["COLORDER"]) for row in kept["cat_key_column"]]
            if known and known != [(row["COLNAME"], row["COLORDER"]) for row in keys]:
                raise ValueError(f"{schema}.{name}: another index than the one that was dropped")
            for source, rows in kept.items():
                if rows:
                    self.rows[source] += rows
            return
        card = self._one("cat_table", **table)["CARD"]
        number = 1 + max((row["IID"] for row in self._all("index", **table)), default=0)
        self._add("index", **table, INDSCHEMA=schema, INDNAME=name, IID=number, MEMBER=-1, DATA_PARTITION_ID=0,
                  FIRST_COLUMN=keys[0]["COLNAME"], COLCOUNT=len(keys), UNIQUERULE="U" if unique else "D",
                  COLNAMES="".join(("-" if row["COLORDER"] == "D" else "+") + row["COLNAME"] for row in keys),
                  UNIQUE_COLCOUNT=len(columns) if unique else -1, INDEXTYPE="CLUS" if "CLUSTER" in options else "REG", SYSTEM_REQUIRED=0, PLAIN_KEY=1,
                  FK_KEYS=0, UNUSED_D=0, AGE_D=0, INDCARD=card, NLEAF=card // 100, FULLKEYCARD=card)  # fmt: skip
        for place, row in enumerate(keys, 1):
            self._add("cat_key_column", **table, INDSCHEMA=schema, INDNAME=name, COLSEQ=place, **row)

    def ascending(self, children: list[str]) -> Row:
        return {"COLNAME": children[0], "COLORDER": "A"}

    def descending(self, children: list[str]) -> Row:
        return {"COLNAME": children[0], "COLORDER": "D"}

    def keys(self, children: list[Row]) -> list[Row]:
        return children

    def included(self, children: list[Any]) -> list[Any]:
        return [child for child in children if child is not None]

    def collect_statistics(self, children: list[Any]) -> None:
        catalog = self._one("cat_table", **children[0])
        catalog |= {"CARD": max(catalog["CARD"], 0), "STATS_AGE_H": 0}
        for row in self._all("table", **children[0]):
            row["STATS_ROWS_MODIFIED"] = 0
        for row in self._all("cat_column", **children[0]):
            if row["COLCARD"] < 0:
                row |= {"COLCARD": max(1, catalog["CARD"] // 100), "NUMNULLS": 0}
