"""Estimates of Db2 itself for indexes that do not exist: EXPLAIN in modes RECOMMEND INDEXES and EVALUATE INDEXES.

A statement is only compiled, never run. All rows in explain tables belong to one unit of work, which is rolled back.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
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
_TABLE = re.compile(r"\b(?:ADVISE|EXPLAIN)_(?:INDEX|STATEMENT|OBJECT|INSTANCE)\b")
_ORDER = {"+": False, "-": True}  # in COLNAMES: ascending, descending


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
    with _rolled_back(connection):
        further = list(_recommend(connection, schema, advice.texts.values()))
    if further and advice.again:
        advice = advice.again(more=further)
    keys = list(dict.fromkeys(item.key for chosen in advice.chosen for item in chosen.helped))
    with _rolled_back(connection):
        before = {key: _explain(connection, schema, "EXPLAIN", advice.texts[key]) for key in keys}
        for number, chosen in enumerate(advice.chosen, 1):
            connection.execute(_sql("virtual_index", schema), _values(number, chosen))
        after = {key: _explain(connection, schema, "EVALUATE INDEXES", advice.texts[key]) for key in keys}
    names = {chosen.name for chosen in advice.chosen}
    return advice, [_compare(key, before[key], after[key], names) for key in keys]


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


def _explain(connection: Connection, schema: str, mode: str, text: str) -> _Plan:
    """Compile a statement in an explain mode, and return its plan."""
    if failure := _compile(connection, mode, [text]):
        return _Plan(reason=failure)
    rows = list(connection.rows(_sql("cost", schema)))
    if not rows:
        return _Plan(reason="Db2 wrote no plan.")
    return _Plan(rows[0][0], frozenset(name for _, name in rows if name is not None))


def _compile(connection: Connection, mode: str, texts: Iterable[str]) -> str | None:
    """Compile statements without running them. Return the message of the last one that Db2 rejected."""
    rejected = None
    connection.execute(f"{MODE} {mode}")
    for text in texts:
        try:
            connection.describe(text)
        except Db2Failure as failure:
            if failure.dropped:
                raise
            rejected = str(failure)
    connection.execute(f"{MODE} NO")
    return rejected


def _recommend(connection: Connection, schema: str, texts: Iterable[str]) -> Iterator[Candidate]:
    """Yield the indexes that Db2 recommends for each statement alone."""
    ((begin,),) = connection.rows("VALUES CURRENT TIMESTAMP")
    _compile(connection, "RECOMMEND INDEXES", texts)
    for owner, table, names, rule, unique in connection.rows(_sql("recommended", schema), [begin]):
        keys = read_colnames(names)
        first = unique if rule == "U" and 0 < (unique or 0) < len(keys) else len(keys)
        include = tuple(key.column for key in keys[first:])
        yield Candidate(owner.rstrip(), table, keys[:first], include, is_unique=rule == "U")


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
    unique = len(index.keys) if index.is_unique else len(names)
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
