"""The objects of the watched database in DuckDB: a view for each, and for a table function a macro over its view.

Every object of the contract has every column of the level. An object that a source of sql/collect/ reads has the rows
of the capture; objects and columns missing from the capture do not exist. An object that no source reads is empty,
unless it describes the database's identity.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from advisor.catalogue.sources import all_sources
from tests.standin.machine.contract import Definition, Level, Listed, definitions, duckdb_type
from tests.standin.machine.mapping import mappings
from tests.standin.machine.snapshots import SCHEMA

Key = tuple[str, str]


@dataclass(frozen=True)
class Shown:
    """Where the rows of an object come from: DuckDB text of its FROM clause and of the columns that have values.

    ``absent`` columns are missing from the object; those of ``kept`` are there whatever the level.
    """

    source: str
    values: dict[str, str]
    absent: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()


# The same rows under another name, with the columns that are named differently there.
SYNONYMS: dict[Key, tuple[Key, dict[str, str]]] = {
    ("SYSIBMADM", "DBCFG"): (("SYSPROC", "DB_GET_CFG"), {}),
    ("SYSIBMADM", "REG_VARIABLES"): (("SYSPROC", "ENV_GET_REG_VARIABLES"), {}),
    ("SYSIBMADM", "ADMINTABINFO"): (("SYSPROC", "ADMIN_GET_TAB_INFO"), {}),
    ("SYSCAT", "BUFFERPOOLEXCEPTIONS"): (("SYSCAT", "BUFFERPOOLDBPARTITIONS"), {"MEMBER": "DBPARTITIONNUM"}),
    ("SYSCAT", "BUFFERPOOLNODES"): (("SYSCAT", "BUFFERPOOLDBPARTITIONS"), {"NODENUM": "DBPARTITIONNUM"}),
    ("SYSCAT", "NODEGROUPDEF"): (
        ("SYSCAT", "DBPARTITIONGROUPDEF"),
        {"NGNAME": "DBPGNAME", "NODENUM": "DBPARTITIONNUM"},
    ),
    ("SYSCAT", "NODEGROUPS"): (
        ("SYSCAT", "DBPARTITIONGROUPS"),
        {"NGNAME": "DBPGNAME", "REBALANCE_PMAP_ID": "REDISTRIBUTE_PMAP_ID"},
    ),
}

# What every row of an object says in a column that no source collects.
CONSTANTS: dict[Key, dict[str, str]] = {
    ("SYSPROC", "MON_GET_PKG_CACHE_STMT"): {"SECTION_TYPE": "'D'"},
    ("SYSCAT", "TABLES"): {"STATUS": "'N'", "OWNERTYPE": "'U'"},
    ("SYSIBMADM", "DB2_MEMBER"): {"CURRENT_HOST": 'T."HOME_HOST"', "ALERT": "'NO'"},
}

# Objects that are made from a source, but not column by column: the source, the FROM clause, the columns.
_GROUPS = f'(SELECT DISTINCT "DBPGNAME" AS G, DENSE_RANK() OVER (ORDER BY "DBPGNAME") AS N FROM {SCHEMA}."{{}}")'
_MAPS = f"""(
    SELECT M.N, M.P, UNNEST(RANGE(M.BUCKETS)) AS I FROM (
        SELECT DENSE_RANK() OVER (ORDER BY "DBPGNAME") AS N, "DBPARTITIONNUM" AS P, "BUCKETS" AS BUCKETS
        FROM {SCHEMA}."partition_map"
    ) AS M
) AS T GROUP BY T.N"""
_NOW = f'(SELECT MAX("DB_CONN_TIME") + TO_SECONDS(MAX("UPTIME_S")) FROM {SCHEMA}."database")'
_INDEXES = (
    f'(SELECT * FROM {SCHEMA}."index" QUALIFY ROW_NUMBER() OVER (PARTITION BY "TABSCHEMA", "TABNAME", "IID") = 1) AS T'
)
_INDEX = (
    *("TABSCHEMA", "TABNAME", "IID", "INDNAME", "INDCARD", "NUMRIDS_DELETED", "NLEAF", "NUM_EMPTY_LEAFS"),
    *("INDSCHEMA", "COLNAMES", "COLCOUNT", "UNIQUE_COLCOUNT", "UNIQUERULE", "INDEXTYPE", "SYSTEM_REQUIRED"),
    *("FULLKEYCARD", "FIRSTKEYCARD", "FIRST2KEYCARD", "FIRST3KEYCARD", "FIRST4KEYCARD", "CLUSTERRATIO"),
    *("CLUSTERFACTOR", "PCTFREE", "MINPCTUSED", "COMPRESSION", "REVERSE_SCANS"),
)
_KEY = {name: f'T."{name}"' for name in ("INDSCHEMA", "INDNAME", "COLSEQ", "COLNAME", "COLORDER")}
_FIRST_COLUMNS = f"""(
    SELECT "INDSCHEMA", "INDNAME", 1 AS "COLSEQ", "FIRST_COLUMN" AS "COLNAME", 'A' AS "COLORDER"
    FROM {_INDEXES} WHERE "FIRST_COLUMN" IS NOT NULL AND "INDSCHEMA" IS NOT NULL
)"""
_IN_GROUPS = f"""(SELECT * FROM {SCHEMA}."cat_key_column" WHERE "COLORDER" = 'G')"""
# All columns of keys, if the capture has them; of other indexes the first.
_ALL_COLUMNS = f"""(
    SELECT "INDSCHEMA", "INDNAME", "COLSEQ", "COLNAME", "COLORDER" FROM {SCHEMA}."cat_key_column" WHERE "COLORDER" <> 'G'
    UNION ALL
    SELECT * FROM {_FIRST_COLUMNS}
    WHERE ("INDSCHEMA", "INDNAME") NOT IN (SELECT ("INDSCHEMA", "INDNAME") FROM {SCHEMA}."cat_key_column")
)"""
_FOREIGN = {"CONSTNAME": """'FK_' || T."INDNAME\"""", "TABSCHEMA": 'T."TABSCHEMA"', "TABNAME": 'T."TABNAME"'}
_OF_GROUP = f'(SELECT MAX(P."{{}}") FROM {SCHEMA}."storage_path" AS P WHERE P."STORAGE_GROUP_NAME" = T.G)'
MADE: dict[Key, tuple[str, str, dict[str, str]]] = {
    ("SYSCAT", "INDEXES"): (
        "index",
        _INDEXES,
        {name: f'T."{name}"' for name in _INDEX}
        | {
            "NULLKEYS": """CASE T."PLAIN_KEY" WHEN 1 THEN 'Y' ELSE 'N' END""",
            "LASTUSED": f'CAST({_NOW} - TO_DAYS(T."UNUSED_D") AS DATE)',
            "CREATE_TIME": f'{_NOW} - TO_DAYS(T."AGE_D")',
        },
    ),
    # a foreign key with one column, the first of an index that serves one
    ("SYSCAT", "REFERENCES"): ("index", f'{_INDEXES} WHERE T."FK_KEYS" > 0', _FOREIGN),
    ("SYSCAT", "KEYCOLUSE"): (
        "index",
        f'{_INDEXES} WHERE T."FK_KEYS" > 0',
        _FOREIGN | {"COLSEQ": "1", "COLNAME": 'T."FIRST_COLUMN"'},
    ),
    ("SYSCAT", "INDEXCOLUSE"): (
        "index",
        f'{_INDEXES} WHERE T."FIRST_COLUMN" IS NOT NULL',
        {"INDSCHEMA": 'T."INDSCHEMA"', "INDNAME": 'T."INDNAME"', "COLSEQ": "1", "COLNAME": 'T."FIRST_COLUMN"'},
    ),
    ("SYSCAT", "COLGROUPS"): (
        "cat_key_column",
        f'(SELECT DISTINCT "INDSCHEMA", "INDNAME", "GROUP_CARD" FROM {_IN_GROUPS}) AS T',
        {"COLGROUPSCHEMA": 'T."INDSCHEMA"', "COLGROUPNAME": 'T."INDNAME"', "COLGROUPCARD": 'T."GROUP_CARD"'}
        | {"COLGROUPID": 'CAST(T."INDNAME" AS INTEGER)'},
    ),
    ("SYSCAT", "COLGROUPCOLS"): (
        "cat_key_column",
        f"{_IN_GROUPS} AS T",
        {name: f'T."{name}"' for name in ("TABSCHEMA", "TABNAME", "COLNAME")}
        | {"ORDINAL": 'T."COLSEQ"', "COLGROUPID": 'CAST(T."INDNAME" AS INTEGER)'},
    ),
    ("SYSCAT", "COLDIST"): (
        "cat_column",
        f'{SCHEMA}."cat_column" AS T WHERE T."FREQUENT_ROWS" IS NOT NULL',
        {name: f'T."{name}"' for name in ("TABSCHEMA", "TABNAME", "COLNAME")}
        | {"TYPE": "'F'", "SEQNO": "1", "COLVALUE": 'T."FREQUENT_VALUE"', "VALCOUNT": 'T."FREQUENT_ROWS"'},
    ),
    ("SYSCAT", "PARTITIONMAPS"): (
        "partition_map",
        _MAPS,
        {"PMAP_ID": "T.N", "PARTITIONMAP": "UNHEX(STRING_AGG(PRINTF('%04x', T.P), '' ORDER BY T.I, T.P))"},
    ),
    ("SYSCAT", "DBPARTITIONGROUPS"): (
        "partition_map",
        _GROUPS.format("partition_map") + " AS T",
        {"DBPGNAME": "T.G", "PMAP_ID": "T.N", "REDISTRIBUTE_PMAP_ID": "-1"},
    ),
    ("SYSCAT", "STOGROUPS"): (
        "storage_path",
        _GROUPS.format("storage_path").replace("DBPGNAME", "STORAGE_GROUP_NAME") + " AS T",
        {"SGNAME": "T.G", "SGID": "T.N - 1", "DEFAULTSG": "CASE T.G WHEN 'IBMSTOGROUP' THEN 'Y' ELSE 'N' END"}
        | {name: _OF_GROUP.format(name) for name in ("OVERHEAD", "DEVICEREADRATE")},
    ),
    # of the applications that a mode lets wait, all have waited as long as the first one
    ("SYSPROC", "MON_GET_APPL_LOCKWAIT"): (
        "lock_wait",
        f'(SELECT *, UNNEST(RANGE("WAITERS")) AS N FROM {SCHEMA}."lock_wait") AS T',
        {
            "REQ_MEMBER": 'T."MEMBER"',
            "LOCK_MODE_REQUESTED": """NULLIF(T."MODE_REQUESTED", '-')""",
            "LOCK_MODE": """NULLIF(T."MODE_HELD", '-')""",
            "REQ_APPLICATION_HANDLE": "1 + T.N",
            "LOCK_WAIT_START_TIME": f'{_NOW} - TO_SECONDS(T."LONGEST_WAIT_S")',
        },
    ),
    ("SYSPROC", "MON_GET_CONNECTION"): (
        "database",
        f'{SCHEMA}."database" AS T',
        {"MEMBER": 'T."MEMBER"', "APPLICATION_HANDLE": "0", "TOTAL_RQST_TIME": "0", "TOTAL_WAIT_TIME": "0"},
    ),
}
# These are made from two sources, if the capture has the second one too.
BOTH: dict[Key, tuple[str, str, dict[str, str]]] = {
    ("SYSCAT", "INDEXCOLUSE"): ("cat_key_column", f"{_ALL_COLUMNS} AS T", _KEY)
}
# These exist, but are empty, if the capture lacks their source.
ALWAYS = {("SYSPROC", "MON_GET_APPL_LOCKWAIT")}


@dataclass
class Objects:
    """The objects of one database at one level.

    ``columns`` are the capture's columns by source; ``said`` holds the rows that the database reports about itself.
    """

    columns: dict[str, list[str]]
    level: Level
    said: dict[Key, list[dict[str, Any]]]
    found: dict[Key, Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key, definition in definitions().items():
            shown = self._shown(key, definition)
            if shown is not None:
                columns = tuple(item for item in definition.columns if self._has(item, shown))
                if columns:  # else the whole object is newer
                    self.found[key] = replace(definition, columns=columns)

    def statements(self) -> list[str]:
        """Return the statements that create every object; a synonym follows its target."""
        schemas = sorted({schema for schema, _ in self.found})
        created = [f'CREATE SCHEMA IF NOT EXISTS "{schema}"' for schema in schemas]
        for key, definition in sorted(self.found.items(), key=lambda item: item[0] in SYNONYMS):
            created.append(self._view(key, definition))
            if definition.kind == "function":
                created.append(self._macro(definition))
        return created

    def say(self, said: dict[Key, list[dict[str, Any]]]) -> list[str]:
        """Return the statements that create the objects with the database's identity again."""
        self.said = said
        return [self._view(key, self.found[key]) for key in said]

    def _has(self, item: Listed, shown: Shown) -> bool:
        name = item.column.name
        return name not in shown.absent and (item.since <= self.level or name in shown.kept)

    def _shown(self, key: Key, definition: Definition) -> Shown | None:
        """Where an object's rows come from; None if the capture has nothing of it."""
        if key in SYNONYMS:
            return self._synonym(*SYNONYMS[key])
        if key in MADE and (key not in ALWAYS or MADE[key][0] in self.columns):
            both = key in BOTH and {BOTH[key][0], MADE[key][0]} <= self.columns.keys()
            return self._made(*(BOTH if both else MADE)[key])
        sources = [name for name, mapping in mappings().items() if (mapping.schema, mapping.name) == key]
        collected = [self._collected(name, key) for name in sources if name in self.columns]
        if collected:
            return self._also_said(key, _together(collected))
        if key in self.said:
            return _rows(self.said[key], definition)
        if sources:
            return None
        return Shown("(SELECT 1) AS T WHERE FALSE", {})

    def _made(self, source: str, text: str, values: dict[str, str]) -> Shown | None:
        """An object that is made from a source. What is made of columns that the capture lacks is not known."""
        if source not in self.columns:
            return None
        if not self._names(source, text):
            return Shown("(SELECT 1) AS T WHERE FALSE", {}, kept=frozenset(values))
        there = {name: value for name, value in values.items() if self._names(source, value)}
        return Shown(text, there, kept=frozenset(values))

    def _names(self, source: str, text: str) -> bool:
        """Whether every column of the source that a text names is there."""
        return set(re.findall(r'\b[PT]\."(\w+)"', text)) <= set(self.columns[source])

    def _also_said(self, key: Key, shown: Shown) -> Shown:
        """Add the values that the database reports about itself to every collected row."""
        said = {name: _literal(value) for row in self.said.get(key, [])[:1] for name, value in row.items()}
        return replace(shown, values=said | shown.values, kept=shown.kept | said.keys())

    def _synonym(self, key: Key, names: dict[str, str]) -> Shown | None:
        if key not in definitions() or (shown := self._shown(key, definitions()[key])) is None:
            return None
        old = {of: name for name, of in names.items()}
        values = {item.column.name: f'T."{item.column.name}"' for item in self._listed(key, shown)}
        renamed = {old.get(name, name): text for name, text in values.items()}
        return Shown(f'"{key[0]}"."{key[1]}" AS T', renamed, shown.absent, frozenset(renamed))

    def _listed(self, key: Key, shown: Shown) -> list[Listed]:
        return [item for item in definitions()[key].columns if self._has(item, shown)]

    def _collected(self, name: str, key: Key) -> Shown:
        """An object as a source collects it. Its key and what the statement's conditions ask are there at any level."""
        mapping, present = mappings()[name], self.columns[name]
        values = {column: text.format(f'T."{of}"') for column, (of, text) in mapping.columns.items() if of in present}
        keys = all_sources()[name].names("key")
        constants = {column: f"'{value}'" for column, value in mapping.constants.items()} | CONSTANTS.get(key, {})
        same = {"DBPARTITIONNUM": values["MEMBER"]} if "MEMBER" in values else {}
        return Shown(
            f'{SCHEMA}."{name}" AS T',
            same | constants | values,
            frozenset(column for column, (of, _) in mapping.columns.items() if of not in present) - mapping.needed,
            frozenset(column for column, (of, _) in mapping.columns.items() if of in keys) | mapping.needed,
        )

    def _view(self, key: Key, definition: Definition) -> str:
        shown = self._shown(key, definition)
        assert shown is not None  # it was found
        items = ", ".join(_item(item, shown.values.get(item.column.name, "NULL")) for item in definition.columns)
        return f'CREATE OR REPLACE VIEW "{key[0]}"."{key[1]}" AS SELECT {items} FROM {shown.source}'

    def _macro(self, definition: Definition) -> str:
        """A table function filters by name and by member; arguments that choose something else choose everything."""
        columns = {item.column.name for item in definition.columns}
        conditions = ["TRUE"]
        for place, argument in enumerate(definition.arguments, 1):
            column = argument.name.upper()
            if column in ("MEMBER", "DBPARTITIONNUM"):
                column = next((name for name in ("MEMBER", "DBPARTITIONNUM") if name in columns), "")
                conditions += [self._on_member(place, column)] if column else []
            elif column in columns:
                conditions.append(_named(place, column, argument.type.is_number or argument.type.bit_data))
        parameters = ", ".join(
            f"P{place} := NULL" if argument.optional else f"P{place}"
            for place, argument in enumerate(definition.arguments, 1)
        )
        name = f'"{definition.schema}"."{definition.name}"'
        where = " AND ".join(conditions)
        return f"CREATE OR REPLACE MACRO {name}({parameters}) AS TABLE SELECT * FROM {name} AS T WHERE {where}"

    def _on_member(self, place: int, column: str) -> str:
        """-2 is every member, -1 and NULL the one that the session is connected to, which is the lowest."""
        member = f"COALESCE(CAST(P{place} AS INTEGER), -1)"
        here = f'(SELECT MIN("MEMBER") FROM {SCHEMA}."database")' if "database" in self.columns else "0"
        return f'({member} = -2 OR T."{column}" = CASE {member} WHEN -1 THEN {here} ELSE {member} END)'


def _together(shown: list[Shown]) -> Shown:
    """One object that several sources read, each other rows of it."""
    if len(shown) == 1:
        return shown[0]
    rows = [
        "SELECT " + ", ".join(f'{text} AS "{column}"' for column, text in each.values.items()) + f" FROM {each.source}"
        for each in shown
    ]
    columns = sorted({column for each in shown for column in each.values})
    return Shown(
        f"({' UNION ALL BY NAME '.join(rows)}) AS T",
        {column: f'T."{column}"' for column in columns},
        frozenset.union(*(each.absent for each in shown)) - frozenset(columns),
        frozenset.union(*(each.kept for each in shown)),
    )


def _named(place: int, column: str, exact: bool) -> str:
    if exact:
        return f'(P{place} IS NULL OR T."{column}" = P{place})'
    return f"(COALESCE(RTRIM(CAST(P{place} AS VARCHAR)), '') = '' OR RTRIM(T.\"{column}\") = RTRIM(CAST(P{place} AS VARCHAR)))"


def _item(item: Listed, text: str) -> str:
    kind = item.column.type
    if kind.name == "CHAR" and not kind.bit_data and text != "NULL":
        text = f"RPAD(CAST({text} AS VARCHAR), {kind.length}, ' ')"
    return f'CAST({text} AS {duckdb_type(kind)}) AS "{item.column.name}"'


def _rows(rows: list[dict[str, Any]], definition: Definition) -> Shown:
    """Return rows that are given in full as a VALUES clause."""
    names = list(rows[0]) if rows else [definition.columns[0].column.name]
    lines = ", ".join("(" + ", ".join(_literal(row[name]) for name in names) + ")" for row in rows)
    values = {name: f'T."{name}"' for name in names}
    listed = ", ".join(f'"{name}"' for name in names)
    source = f"(VALUES {lines}) AS T({listed})" if rows else f"(SELECT NULL) AS T({listed}) WHERE FALSE"
    return Shown(source, values, kept=frozenset(names))


def _literal(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    text = str(value).replace("'", "''")
    return f"TIMESTAMP '{text}'" if isinstance(value, datetime) else f"'{text}'"
