"""Estimates of Db2 itself for indexes that do not exist: EXPLAIN in modes RECOMMEND INDEXES and EVALUATE INDEXES.

A statement is only compiled, never run, with the schema, path, isolation and optimization class of its entry in the
package cache. All rows in explain tables belong to one unit of work, which is rolled back.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from advisor.catalogue.sqltext import statement_of
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.indexes.advice import Chosen, IndexAdvice
from advisor.indexes.catalog import Key
from advisor.indexes.shapes import Candidate
from advisor.quoting import quoted

MODE = "SET CURRENT EXPLAIN MODE"
# Db2 writes to the explain tables of the user, or else to those in SYSTOOLS.
FIND_TABLES = """\
SELECT RTRIM(TABSCHEMA) FROM SYSCAT.TABLES
WHERE TABNAME = 'ADVISE_INDEX' AND TABSCHEMA IN (SESSION_USER, 'SYSTOOLS')
ORDER BY CASE TABSCHEMA WHEN 'SYSTOOLS' THEN 2 ELSE 1 END"""
CREATE_TABLES = (
    "CALL SYSPROC.SYSINSTALLOBJECTS('EXPLAIN', 'C', CAST(NULL AS VARCHAR(128)), CAST(SESSION_USER AS VARCHAR(128)))"
)
_TABLE = re.compile(r"\b(?:ADVISE|EXPLAIN)_(?:INDEX|STATEMENT|OBJECT|OPERATOR|STREAM|INSTANCE)\b")
_ORDER = {"+": False, "-": True}  # in COLNAMES: ascending, descending
# The elements of a compilation environment that a plan depends on: their form, and the statement that sets them.
_ELEMENTS = {
    "SCHEMA": (re.compile(r'"(?:[^"]|"")+"'), "SET SCHEMA {}"),
    "PATH": (re.compile(r'"(?:[^"]|"")+"(?:, ?"(?:[^"]|"")+")*'), "SET PATH {}"),
    "ISOLATION": (re.compile(r"UR|CS|RS|RR|RESET"), "SET CURRENT ISOLATION {}"),
    "QUERY_OPTIMIZATION": (re.compile(r"\d"), "SET CURRENT QUERY OPTIMIZATION {}"),
}
_OWN = "VALUES (CURRENT SCHEMA, CURRENT PATH, 'RESET', CURRENT QUERY OPTIMIZATION)"  # in the order of _ELEMENTS


@dataclass(frozen=True)
class Confirmed:
    """Db2's estimated cost of a statement in timerons, now and with the proposed indexes that its plan then uses.

    ``reason`` describes why Db2 could not explain it.
    """

    key: str
    before: float | None = None
    after: float | None = None
    used: tuple[str, ...] = ()
    reason: str | None = None


def confirm(
    connection: Connection, advice: IndexAdvice, create_tables: bool = False
) -> tuple[IndexAdvice, list[Confirmed]]:
    """Add Db2's own recommendations as candidates, and explain the statements with and without the chosen indexes.

    Raise UserError without explain tables, unless ``create_tables`` creates them in the user's schema.
    """
    schema = _find_schema(connection, create_tables)
    compiler = _Compiler(connection, schema, advice.texts)
    with _rolled_back(connection):
        further = list(compiler.recommend())
    if further and advice.workload:
        advice.workload.offer(further)
        advice = advice.workload.advise(advice.budget, advice.most)
    keys = list(dict.fromkeys(item.key for chosen in advice.chosen for item in chosen.helped))
    with _rolled_back(connection):
        before = {key: compiler.explain("EXPLAIN", key) for key in keys}
        for number, chosen in enumerate(advice.chosen, 1):
            connection.execute(_sql("virtual_index", schema), _values(number, chosen))
        after = {key: compiler.explain("EVALUATE INDEXES", key) for key in keys}
    names = {chosen.name for chosen in advice.chosen}
    return advice, [_compare(key, before[key], after[key], names) for key in keys]


def read_plan(connection: Connection, key: str, text: str) -> list[tuple[object, ...]]:
    """Return the rows of the query ``plan`` for a statement, which is explained and not run.

    Its ``key`` names its compilation environment, as in the texts of the index advice. Raise UserError without explain
    tables, or if Db2 rejects the statement.
    """
    compiler = _Compiler(connection, _find_schema(connection, create_tables=False), {key: text})
    with _rolled_back(connection):
        return compiler.list_operators(key)


def _find_schema(connection: Connection, create_tables: bool) -> str:
    """Return the schema of the explain tables that Db2 uses for this user."""
    found = [schema for (schema,) in connection.rows(FIND_TABLES)]
    if not found and create_tables:
        connection.execute(CREATE_TABLES)
        connection.commit()
        found = [schema for (schema,) in connection.rows(FIND_TABLES)]
    if not found:
        raise UserError("no explain tables: create them with --create-explain-tables")
    return str(found[0])


@dataclass(frozen=True)
class _Plan:
    """The cost of a plan and the objects that it reads, or the reason without one."""

    cost: float | None = None
    objects: frozenset[str] = frozenset()
    reason: str | None = None


def _compare(key: str, before: _Plan, after: _Plan, names: set[str]) -> Confirmed:
    if reason := before.reason or after.reason:
        return Confirmed(key, reason=reason)
    return Confirmed(key, before.cost, after.cost, tuple(sorted(names & after.objects)))


@contextmanager
def _rolled_back(connection: Connection) -> Iterator[None]:
    try:
        yield
    finally:
        connection.rollback()


class _Compiler:
    """Compiles statements, the ``texts`` by key, without running them."""

    def __init__(self, connection: Connection, schema: str, texts: Mapping[str, str]) -> None:
        self._connection, self._schema, self._texts = connection, schema, texts
        ((current, *others),) = connection.rows(_OWN)
        self._own = dict(zip(_ELEMENTS, (quoted(str(current).rstrip()), *map(str, others)), strict=True))
        self._now = dict(self._own)
        self._found: dict[str, dict[str, str]] = {}

    def explain(self, mode: str, key: str) -> _Plan:
        """Compile a statement in an explain mode, and return its plan."""
        if failure := self._compile(mode, [key]):
            return _Plan(reason=failure)
        rows = list(self._connection.rows(_sql("cost", self._schema)))
        if not rows:
            return _Plan(reason="Db2 wrote no plan.")
        return _Plan(rows[0][0], frozenset(name for _, name in rows if name is not None))

    def list_operators(self, key: str) -> list[tuple[object, ...]]:
        """Explain a statement, and return the operators of its plan."""
        if failure := self._compile("EXPLAIN", [key]):
            raise UserError(f"Db2 does not explain the statement: {failure}")
        return list(self._connection.rows(_sql("plan", self._schema)))

    def recommend(self) -> Iterator[Candidate]:
        """Yield the indexes that Db2 recommends for each statement alone."""
        ((begin,),) = self._connection.rows("VALUES CURRENT TIMESTAMP")
        self._compile("RECOMMEND INDEXES", self._texts)
        recommended = self._connection.rows(_sql("recommended", self._schema), [begin])
        for owner, table, names, rule, unique in recommended:
            keys = read_colnames(names)
            first = unique if rule == "U" and 0 < (unique or 0) < len(keys) else len(keys)
            include = tuple(key.column for key in keys[first:])
            yield Candidate(owner.rstrip(), table, keys[:first], include, is_unique=rule == "U")

    def _compile(self, mode: str, keys: Iterable[str]) -> str | None:
        """Compile statements. Return the message of the last one that Db2 rejected."""
        rejected = None
        environments = {key: self._find_environment(key) for key in keys}  # in a mode, Db2 would explain the query
        self._connection.execute(f"{MODE} {mode}")
        for key, wanted in environments.items():
            self._set_environment(wanted)
            try:
                self._connection.describe(self._texts[key])
            except Db2Failure as failure:
                if failure.dropped:
                    raise
                rejected = str(failure)
        self._connection.execute(f"{MODE} NO")
        return rejected

    def _find_environment(self, key: str) -> dict[str, str]:
        """Return the environment of a statement; its key ends with the SEMANTIC_ENV_ID."""
        _, slash, number = key.partition("/")
        if number not in self._found:
            self._found[number] = self._own | (self._read_environment(number) if slash else {})
        return self._found[number]

    def _set_environment(self, wanted: dict[str, str]) -> None:
        for name, value in wanted.items():
            if value != self._now[name]:
                self._connection.execute(_ELEMENTS[name][1].format(value))
                self._now[name] = value

    def _read_environment(self, number: str) -> dict[str, str]:
        """Return the elements of an environment; none if this user may not read them, or if the cache lost them."""
        try:
            rows = list(self._connection.rows(_sql("environment", self._schema), [number]))
        except Db2Failure as failure:
            if failure.dropped:
                raise
            return {}
        found = {name: value.strip() for name, value in rows if name in _ELEMENTS}
        if "SCHEMA" in found:
            found["SCHEMA"] = quoted(found["SCHEMA"])
        return {name: value for name, value in found.items() if _ELEMENTS[name][0].fullmatch(value)}


def read_colnames(text: str) -> tuple[Key, ...]:
    """Return the keys of COLNAMES: +A-B is A ascending, B descending."""
    keys: list[Key] = []
    name, descending = "", False
    for character in text:
        if character in _ORDER:
            keys += [Key(name, descending)] if name else []
            name, descending = "", _ORDER[character]
        else:
            name += character
    return (*keys, Key(name, descending)) if name else tuple(keys)


def _values(number: int, chosen: Chosen) -> Sequence[str | int]:
    index = chosen.index
    names = [("-" if key.descending else "+") + key.column for key in index.keys]
    names += [f"+{column}" for column in index.include]
    unique = len(index.keys) if index.is_unique else -1
    rule = "U" if index.is_unique else "D"
    return [
        *(index.schema, chosen.name, index.schema, index.table, "".join(names), rule, len(names), unique),
        30_000 + number,
    ]


@cache
def _sql(name: str, schema: str) -> str:
    """Return a statement on the explain tables of a schema."""
    text = statement_of("explain/queries", name)
    return _TABLE.sub(lambda found: f"{quoted(schema)}.{found[0]}", text)
