"""The owner of schema TUNE, checked before its objects are used: a procedure of another user can run with the caller's rights."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.db2.failures import Db2Failure
from advisor.resources import query

_IN_TUNE = re.compile(r'\bTUNE"?\s*\.\s*["\w]', re.IGNORECASE)


def is_in_tune(sql: str) -> bool:
    """Return whether a statement names an object in schema TUNE."""
    return bool(_IN_TUNE.search(sql))


def require_owner(rows: Callable[[str], Iterator[Any]]) -> None:
    """Raise Db2Failure (SQLSTATE 70081) if schema TUNE contains an object of an untrusted user."""
    found = next(rows(query("doctor/queries", "stranger")), None)
    if found is not None:
        owner, name = (str(value).replace('"', "'") for value in found)
        raise Db2Failure(f'"{owner}" "{name}" SQLSTATE=70081')
