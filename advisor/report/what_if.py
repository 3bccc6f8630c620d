"""What indexes that a person names would do: their statements and names, the text and the JSON."""

from collections.abc import Iterable
from typing import Any

from advisor.errors import UserError
from advisor.imports.sql_words import NotUnderstoodError, split_words
from advisor.imports.table_ddl import INCLUDED, INDEX, parse_table_ddl
from advisor.indexes.advice import IndexAdvice, WhatIf
from advisor.indexes.catalog import Key
from advisor.indexes.shapes import Candidate
from advisor.indexes.workload import Workload
from advisor.quoting import quoted
from advisor.report import text
from advisor.report.indexes import describe_coverage, list_changes, percent_of
from advisor.report.output import Paint, plain


def what_if(advice: IndexAdvice, added: Iterable[str], dropped: Iterable[str]) -> WhatIf:
    """Return what indexes would do, from CREATE INDEX statements and names. Raise UserError on one that is not usable."""
    assert advice.workload is not None
    workload = advice.workload
    gone = []
    for name in dropped:
        index = workload.find_index(name) or workload.find_index(name.upper())
        if index is None:
            raise UserError(f"--without {name}: the input has no such index, or several; write SCHEMA.NAME")
        gone.append(index)
    return workload.what_if([_read_index(ddl, workload) for ddl in added], gone)


def _read_index(ddl: str, workload: Workload) -> Candidate:
    try:
        found = parse_table_ddl(split_words(ddl))
    except NotUnderstoodError as error:
        raise UserError(f"--with {ddl}: cannot be read at {error}") from None
    if found.what != INDEX:
        raise UserError("--with: must be a CREATE INDEX statement")
    table = workload.catalog.get(found.name)
    if table is None:
        raise UserError(f"--with: the input has no columns of table {quoted(found.name[0])}.{quoted(found.name[1])}")
    if missing := [column for column, _ in found.parts if column not in table.columns]:
        raise UserError(f"--with: table {quoted(table.name)} has no column {quoted(missing[0])}")
    keys = tuple(Key(column, order == "D") for column, order in found.parts if order != INCLUDED)
    include = tuple(column for column, order in found.parts if order == INCLUDED)
    return Candidate(*found.name, keys, include, found.facts.get("UNIQUERULE") == "U")


def lines(found: WhatIf, advice: IndexAdvice, width: int, paint: Paint = plain) -> list[str]:
    """Return what given indexes would do, for a terminal."""
    saved = found.before_ms - found.after_ms
    said = f"{percent_of(abs(saved), advice)} {'less' if saved >= 0 else 'more'} statement time"
    facts = f"{said}; {found.bytes / 1e6:+,.0f} MB; maintenance {100 * found.write_ms / advice.before_ms:+.2f} %"
    listed = [*text.wrap(facts, width), ""]
    for heading, items in (
        ("Statements that gain", [each for each in found.changed if each.after_ms < each.before_ms]),
        ("Statements that lose", [each for each in found.changed if each.after_ms >= each.before_ms]),
    ):
        listed += [paint(heading, bold=True), *list_changes(items, advice, width), ""] if items else []
    return [
        *listed,
        *text.wrap(f"Unaffected: {text.count(found.unaffected, 'statement')}. {describe_coverage(advice)}", width),
    ]


def document(found: WhatIf) -> dict[str, Any]:
    """Return what given indexes would do, for programs."""
    return {
        "statement_ms": round(found.before_ms, 1),
        "statement_ms_after": round(found.after_ms, 1),
        "maintenance_ms": round(found.write_ms, 1),
        "bytes": found.bytes,
        "unaffected": found.unaffected,
        "statements": [
            {
                "statement": each.key,
                "executions": each.executions,
                "ms": round(each.before_ms, 4),
                "ms_after": round(each.after_ms, 4),
            }
            for each in found.changed
        ],
    }
