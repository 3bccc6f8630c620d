"""Results of the selftest: codes, times and counts, without data of the site.

Messages keep only tokens that are names in the statement or objects of schema TUNE. Rows are counted and measured, but
not stored.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from time import monotonic
from typing import Any

from advisor.catalogue.sqltext import code, statement_of
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.install.statements import install_statements

HIDDEN = "?"  # replaces a token that may be a name of the site
_WORD = re.compile(r"[\w.]+")
_NAME = re.compile(r"\w+")
_OBJECT = re.compile(r"TUNE\.\w+")

Entry = dict[str, Any]


def measure_entry(entry: Entry, text: str, act: Callable[[], Entry]) -> Entry:
    """Return an entry with the result of ``act`` and its milliseconds, or with the codes of its failure.

    ``text`` is the statement. Raise Db2Failure if the connection is lost.
    """
    begun = monotonic()
    try:
        found = act()
    except Db2Failure as failure:
        if failure.dropped:
            raise
        found = refusal(failure, text)
    return entry | {"ms": round((monotonic() - begun) * 1000)} | found


def refusal(failure: Db2Failure, text: str) -> Entry:
    """Return the codes of a failure, and its tokens without names of the site."""
    own = {*_WORD.findall(code(text)), *_NAME.findall(code(text)), *_objects()}
    tokens = [token if token in own else HIDDEN for token in failure.tokens]
    return {"sqlcode": failure.id or str(failure.sqlcode), "sqlstate": failure.sqlstate, "tokens": tokens}


def count_rows(rows: Iterable[tuple[Any, ...]]) -> Entry:
    """Return the number of rows, and the bytes of the longest one as text."""
    number = widest = 0
    for row in rows:
        number += 1
        widest = max(widest, sum(len(str(value).encode()) for value in row if value is not None))
    return {"rows": number, "widest": widest}


def query_rows(connection: Connection, name: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows of a query in sql/selftest/queries.sql."""
    return connection.rows(statement_of("selftest/queries", name))


@cache
def _objects() -> frozenset[str]:
    """Return the names of the objects of schema TUNE."""
    return frozenset(name for statement in install_statements() for name in _OBJECT.findall(code(statement.text)))
