"""Tables, columns and indexes from DDL and statistics: rows of the catalog's sources, combined per object."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from advisor.imports.sql_words import Name, NotUnderstoodError, split_statements, split_words
from advisor.imports.statistics_updates import NUMBERS, VIEWS, StatisticsUpdate, parse_statistics
from advisor.imports.table_ddl import (
    ALTERED_TABLE,
    INCLUDED,
    INDEX,
    OTHER,
    QUERY,
    Key,
    TableStatement,
    parse_plain_table,
    parse_table_ddl,
)

MOST_OBJECTS = 50_000  # kept in memory
UNNAMED_SCHEMA = "SCHEMANAME"  # of a table without one, if the text does not set it
_SYSTEM_SCHEMA = "SYSIBM"  # of indexes whose name Db2 chooses

NOTHING = "contains nothing that the catalog shows"
_QUERIED = "its columns are those of a query or of another table"
_NO_TABLE = "names no table"
_OTHER_VIEW = "statistics that no rule uses"

_UPDATE = re.compile(r"\s*UPDATE\b", re.IGNORECASE)
_TABLE_COLUMNS = (*NUMBERS["TABLES"], *("TBSPACE", "INDEX_TBSPACE", "LONG_TBSPACE", "TABLEORG", "VOLATILE"))
_DEFINITION = ("COLNO", "TYPENAME", "LENGTH")
_COLUMN_COLUMNS = (
    *_DEFINITION,
    *NUMBERS["COLUMNS"],
    *("NMOSTFREQ", "NQUANTILES", "LOW2KEY", "HIGH2KEY", "FREQUENT_ROWS", "FREQUENT_VALUE"),
)
_INDEX_COLUMNS = (
    *("COLNAMES", "FIRST_COLUMN", "COLCOUNT", "UNIQUE_COLCOUNT", "UNIQUERULE", "INDEXTYPE", "SYSTEM_REQUIRED"),
    *("PLAIN_KEY", "PCTFREE", "MINPCTUSED", "COMPRESSION", "REVERSE_SCANS", "CLUSTERFACTOR"),
    *NUMBERS["INDEXES"],
)
_KEY = ("TABSCHEMA", "TABNAME")
_INDEX_KEY = (*_KEY, "INDSCHEMA", "INDNAME")
_OTHER_FACTS = ("INDNAME", "BASE_SCHEMA", "BASE_NAME", "DEFINITION")
_MOST_BYTES = 4000  # of a definition

Facts = dict[str, str]
Rows = Callable[[str, Sequence[str], Iterable[Sequence[str | None]]], None]


@dataclass
class _Index:
    """An index: its values, and its columns with COLORDER, None if the text does not contain them."""

    facts: Facts = field(default_factory=dict)
    parts: list[tuple[str, str]] = field(default_factory=list)
    expression: str = ""

    @property
    def key(self) -> set[str]:
        return {column for column, order in self.parts if order != INCLUDED}


@dataclass
class _Table:
    facts: Facts = field(default_factory=dict)
    columns: dict[str, Facts] = field(default_factory=dict)
    indexes: dict[Name, _Index] = field(default_factory=dict)
    groups: dict[tuple[str, ...], str] = field(default_factory=dict)
    is_complete: bool = False  # the text creates it


class TableObjects:
    """The tables of one report. ``schema`` is the schema of names without one."""

    def __init__(self) -> None:
        self.schema = ""
        self._tables: dict[Name, _Table] = {}
        self._by_name: dict[str, list[Name]] = {}
        self._others: dict[Name, Facts] = {}  # views and aliases
        self._count = 0

    def use(self, text: str) -> str | None:
        """Use a statement; return the reason why it cannot be used. Raise NotUnderstoodError."""
        if _UPDATE.match(text):
            return self._update(parse_statistics(text))
        if plain := parse_plain_table(text):
            return self._define(plain)
        reasons, unknown = [], None
        for tokens in split_statements(split_words(text)):
            try:
                reasons.append(self._define(parse_table_ddl(tokens)))
            except NotUnderstoodError as error:
                unknown = error
        if unknown:
            raise unknown
        return next(filter(None, reasons), None)

    @property
    def are_many(self) -> bool:
        """Return whether the objects take so much memory that they should be written."""
        return self._count >= MOST_OBJECTS

    def _find(self, name: Name) -> tuple[Name, _Table] | None:
        """Return a table with its whole name, and add a new one; return None for a table of Db2 itself."""
        schema, table = name
        if not schema:
            known = self._by_name.get(table, ())
            schema = known[0][0] if len(known) == 1 else self.schema or UNNAMED_SCHEMA
        if schema.startswith("SYS"):
            return None
        name = (schema, table)
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = _Table()
            self._by_name.setdefault(table, []).append(name)
            self._count += 1
        return name, found

    # Definitions.

    def _define(self, statement: TableStatement) -> str | None:
        if statement.what == QUERY:
            return _QUERIED
        if statement.what not in (INDEX, ALTERED_TABLE) and not statement.name[0]:
            statement.name = (self.schema or UNNAMED_SCHEMA, statement.name[1])
        if statement.what == OTHER:
            return self._define_other(statement.name, statement.facts)
        found = self._find(statement.name)
        if found is None or not (statement.facts or statement.columns or statement.keys):
            return NOTHING
        name, table = found
        if statement.what == INDEX:
            index = (statement.index[0] or self.schema or name[0], statement.index[1])
            table.indexes[index] = _Index(statement.facts, statement.parts, statement.expression)
            self._count += 1 + len(statement.parts)
            return None
        if statement.what != ALTERED_TABLE:  # created again, perhaps by a script that ran again
            table.facts, table.columns, table.indexes, table.groups = {}, {}, {}, {}
            table.is_complete = True
        table.facts |= statement.facts
        for column, facts in statement.columns.items():
            number = {"COLNO": str(len(table.columns))} if table.is_complete else {}
            table.columns[column] = number | facts
        self._count += len(statement.columns)
        for key in statement.keys:
            self._add_key(name, table, key)
        return None

    def _define_other(self, name: Name, facts: Facts) -> str | None:
        """Add a view or alias. Names without a schema have the current one."""
        if len(facts) == 1:
            return NOTHING  # an alias of a module or sequence
        facts["BASE_SCHEMA"] = facts.get("BASE_SCHEMA") or self.schema or name[0]
        if len(facts.get("DEFINITION", "").encode()) > _MOST_BYTES:
            del facts["DEFINITION"]
        self._others[name] = facts
        self._count += 1
        return None

    def _add_key(self, name: Name, table: _Table, key: Key) -> None:
        """Add the index of a constraint: a unique one with the same columns, or a new one."""
        wanted = set(key.columns)
        for index in table.indexes.values():
            if index.facts.get("UNIQUERULE") in ("U", "P") and index.key == wanted:
                index.facts["SYSTEM_REQUIRED"] = "1"
                if key.rule == "P":
                    index.facts["UNIQUERULE"] = "P"
                return
        kind = "PRIMARY KEY" if key.rule == "P" else "UNIQUE"
        unnamed = (_SYSTEM_SCHEMA, f"{kind} ({', '.join(key.columns)}) OF {'.'.join(name)}")
        table.indexes[(name[0], key.name) if key.name else unnamed] = _Index(
            {
                "UNIQUERULE": key.rule,
                "INDEXTYPE": "REG",
                "SYSTEM_REQUIRED": "1",
                "PLAIN_KEY": "1",
                "UNIQUE_COLCOUNT": str(len(key.columns)),
            },
            [(column, "A") for column in key.columns],
        )
        self._count += 1 + len(key.columns)

    # Statistics.

    def _update(self, update: StatisticsUpdate) -> str | None:
        where = update.where
        if update.view not in VIEWS or "TABNAME" not in where:
            return _NO_TABLE if update.view in VIEWS else _OTHER_VIEW
        found = self._find((where.get("TABSCHEMA", ""), where["TABNAME"]))
        if found is None:
            return NOTHING
        name, table = found
        match update.view:
            case "TABLES":
                table.facts |= update.values
            case "COLUMNS" if "COLNAME" in where:
                self._column(table, where["COLNAME"]).update(update.values)
            case "COLUMNS":
                _reset(table.columns.values(), update.values)
            case "INDEXES":
                return self._update_indexes(name, table, update)
            case "COLDIST":
                return self._update_distribution(table, update)
            case "COLGROUPS":
                if len(update.group) < 2:
                    return "names no columns of the group"
                table.groups[update.group] = update.values["GROUP_CARD"]
                self._count += len(update.group)
        return None

    def _column(self, table: _Table, name: str) -> Facts:
        facts = table.columns.get(name)
        if facts is None:
            facts = table.columns[name] = {}
            self._count += 1
        return facts

    def _update_indexes(self, name: Name, table: _Table, update: StatisticsUpdate) -> str | None:
        where = update.where
        if "INDNAME" in where:
            index = table.indexes.setdefault((where.get("INDSCHEMA", name[0]), where["INDNAME"]), _Index())
            index.facts |= update.values
            self._count += 1
        elif "COLNAMES" in where:
            same = [index for index in table.indexes.values() if _list_columns(index) == where["COLNAMES"]]
            if len(same) != 1:
                return "no index of the text has these columns"
            same[0].facts |= update.values
        else:
            _reset((index.facts for index in table.indexes.values()), update.values)
        return None

    def _update_distribution(self, table: _Table, update: StatisticsUpdate) -> str | None:
        """Use a frequent value or quantile: their numbers, and the most frequent value with its rows."""
        where, rows = update.where, int(update.values.get("VALCOUNT", "-1"))
        if "COLNAME" not in where or rows < 0:
            return None  # the values before are reset
        number = where.get("SEQNO", "")
        counted = {"F": "NMOSTFREQ", "Q": "NQUANTILES"}.get(where.get("TYPE", ""))
        if counted is None or not (number.isascii() and number.isdigit() and len(number) < 5):
            return NOTHING
        facts = self._column(table, where["COLNAME"])
        facts[counted] = str(max(int(number), int(facts.get(counted, "0"))))
        is_value = counted == "NMOSTFREQ" and "COLVALUE" in update.values
        if is_value and rows > int(facts.get("FREQUENT_ROWS", "0")):
            facts |= {"FREQUENT_ROWS": str(rows), "FREQUENT_VALUE": update.values["COLVALUE"]}
        return None

    # Rows.

    def flush(self, rows: Rows) -> None:
        """Write the rows of all objects, and forget them. Few have statistics in DDL, so their columns are separate."""
        tables = self._tables.items()
        rows(
            "cat_key_column",
            (*_KEY, "INDSCHEMA", "COLSEQ", "COLNAME", "COLORDER", *_OTHER_FACTS),
            [(*name, "-", "0", "-", "O", *map(facts.get, _OTHER_FACTS)) for name, facts in self._others.items()],
        )
        self._others = {}
        if not tables:
            return
        rows(
            "cat_table",
            (*_KEY, *_TABLE_COLUMNS),
            [_row(name, table.facts, _TABLE_COLUMNS) for name, table in tables if table.facts or table.is_complete],
        )
        for is_defined, columns in ((True, _DEFINITION), (False, _COLUMN_COLUMNS)):
            rows(
                "cat_column",
                (*_KEY, "COLNAME", *columns),
                [
                    _row((*name, column), facts, columns)
                    for name, table in tables
                    for column, facts in table.columns.items()
                    if (len(facts) == len(_DEFINITION) and "COLNO" in facts) is is_defined
                ],
            )
        indexes = [((*name, *other), index) for name, table in tables for other, index in table.indexes.items()]
        rows(
            "index",
            (*_INDEX_KEY, "DATA_PARTITION_ID", *_INDEX_COLUMNS),
            [_row((*name, "0"), index.facts | _describe_parts(index), _INDEX_COLUMNS) for name, index in indexes],
        )
        for more, values in (
            (
                (),
                [(*name, str(number), *part) for name, index in indexes for number, part in enumerate(index.parts, 1)],
            ),
            (
                ("DEFINITION",),
                [(*name, "1", "K00", "A", index.expression) for name, index in indexes if index.expression],
            ),
            (
                ("GROUP_CARD",),
                [
                    (*name, name[0], ", ".join(group), str(number), column, "G", card)
                    for name, table in tables
                    for group, card in table.groups.items()
                    for number, column in enumerate(group, 1)
                ],
            ),
        ):
            rows("cat_key_column", (*_INDEX_KEY, "COLSEQ", "COLNAME", "COLORDER", *more), values)
        self._tables, self._by_name, self._count = {}, {}, 0


def _row(key: tuple[str, ...], facts: Facts, columns: Sequence[str]) -> Sequence[str | None]:
    return (*key, *map(facts.get, columns))


def _reset(items: Iterable[Facts], values: Facts) -> None:
    """Set values of all objects of a table; db2look sets -1, which means none, before it sets those of each."""
    for facts in items:
        for name, value in values.items():
            if value == "-1":
                facts.pop(name, None)
            else:
                facts[name] = value


def _list_columns(index: _Index) -> str:
    """Return COLNAMES of an index."""
    return "".join(f"{'-' if order == 'D' else '+'}{column}" for column, order in index.parts)


def _describe_parts(index: _Index) -> Facts:
    if not index.parts:
        return {}
    facts = {"FIRST_COLUMN": index.parts[0][0], "COLCOUNT": str(len(index.parts))}
    if all(order in ("A", "D") for _, order in index.parts):
        facts["COLNAMES"] = _list_columns(index)
    return facts
