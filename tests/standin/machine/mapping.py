"""The inverse of sql/collect/: how the columns that a source collects come from those of the object it reads.

Read off the statement that collects the source, so a column that is added there needs nothing here.
"""

from dataclasses import dataclass, field
from functools import cache

import sqlglot
from sqlglot import exp

from advisor.catalogue.sources import Source, all_sources, read_sources

# The sources that are not one object's columns: a distribution map is a vector, lock waits are counted by mode,
# columns of keys are those of indexes and of groups, host facts are the product's table; and those that only texts have.
APART = {"partition_map", "lock_wait", "hostfact", "cat_key_column"} | all_sources().keys() - read_sources().keys()

# What a statement computes from a moment and the clock: the column that says the moment, and its DuckDB expression.
_NOW = '(SELECT MAX("DB_CONN_TIME") + TO_SECONDS(MAX("UPTIME_S")) FROM "$MACHINE"."database")'
MOMENTS = {
    "STATS_AGE_H": ("STATS_TIME", _NOW + " - TO_HOURS({})"),
    "UOW_AGE_S": ("UOW_START_TIME", _NOW + " - TO_SECONDS({})"),
    "CACHED_S": ("INSERT_TIMESTAMP", _NOW + " - TO_SECONDS({})"),
    "LONGEST_AGO_S": ("MAX_COORD_STMT_EXEC_TIMESTAMP", _NOW + " - TO_SECONDS({})"),
    "USED_DAYS": ("LASTUSED", f"CAST({_NOW} - TO_DAYS(CAST({{}} AS INTEGER)) AS DATE)"),
    "BOUND_DAYS": ("LAST_BIND_TIME", _NOW + " - TO_DAYS(CAST({} AS INTEGER))"),
    "BACKUP_AGE_S": ("LAST_BACKUP", _NOW + " - TO_SECONDS({})"),
    "CONNECT_STATUS_S": ("HADR_CONNECT_STATUS_TIME", _NOW + " - TO_SECONDS({})"),
    "REPLAY_LAG_S": ("STANDBY_REPLAY_LOG_TIME", _NOW + " - TO_SECONDS({})"),
}
# The other moment of a value computed from two moments: the first one is then now.
SINCE = {"REPLAY_LAG_S": "PRIMARY_LOG_TIME"}

# What a statement shows only in part: the column, which then holds no more than that.
SHORTENED = {"STMT_TEXT": ("STMT_TEXT", "{}")}
# What a statement joins of two columns, with a slash between them: that before it, and that behind.
JOINED = {"STMT_KEY": ("STMTID", "SEMANTIC_ENV_ID")}


@dataclass(frozen=True)
class Mapping:
    """How a source reads one object.

    ``columns`` gives for a column of the object the source's column and a template of its DuckDB expression;
    ``constants`` are the values that the statement asks for; ``needed`` columns are read outside the select list.
    """

    schema: str
    name: str
    columns: dict[str, tuple[str, str]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()


@cache
def mappings() -> dict[str, Mapping]:
    """The mapping of every source that reads one object."""
    return {name: _mapping(source) for name, source in all_sources().items() if name not in APART}


def _mapping(source: Source) -> Mapping:
    schema, _, name = source.db2_object.rpartition(".")
    # spellings that sqlglot does not read without a dialect
    tree = sqlglot.parse_one(
        source.statement().replace("CURRENT TIMESTAMP", "CURRENT_TIMESTAMP").replace(", OCTETS", "")
    )
    columns = {}
    for item in tree.selects:
        shown = item.alias_or_name
        inverse = MOMENTS.get(shown) or SHORTENED.get(shown) or _inverse(item.unalias())
        if inverse is not None:
            columns[inverse[0]] = (shown, inverse[1])
        if shown in SINCE:
            columns[SINCE[shown]] = (shown, f"CASE WHEN {{}} IS NOT NULL THEN {_NOW} END")
        for part, column in enumerate(JOINED.get(shown, ()), 1):
            columns[column] = (shown, f"CAST(SPLIT_PART({{}}, '/', {part}) AS BIGINT)")
    where = tree.args.get("where")
    equal = list(where.find_all(exp.EQ)) if where else []
    joins = tree.args.get("joins") or []
    outside = [clause for clause in (tree.args.get("with_"), where, tree.args.get("order"), *joins) if clause]
    return Mapping(
        schema or "SYSPROC",
        name,
        columns,
        {condition.this.name: condition.expression.name for condition in equal},
        frozenset(column.name for clause in outside for column in clause.find_all(exp.Column)),
    )


def _inverse(item: exp.Expression) -> tuple[str, str] | None:
    """Return the column that an item of the select list shows, and the template of its original value."""
    if isinstance(item, exp.Column):
        return item.name, "{}"
    if not isinstance(item.this, exp.Column):
        return None  # computed by the statement, from columns that are collected too
    name = item.this.name
    if isinstance(item, exp.Coalesce):
        return name, f"NULLIF({{}}, {item.expressions[0].sql('duckdb')})"
    if isinstance(item, exp.Hex):
        return name, "UNHEX({})"
    return (name, "{}") if isinstance(item, exp.Trim) else None
