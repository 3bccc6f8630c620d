"""What depends on its key alone, such as a parsed text: made once for the process, or learned from another one."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_MOST = 30_000

Result = TypeVar("Result")
known: dict[Hashable, Any] = {}


def result(key: Hashable, make: Callable[[], Result]) -> Result:
    """Return the result for a key. Errors are not stored."""
    if key not in known:
        if len(known) >= _MOST:
            known.clear()
        known[key] = make()
    return known[key]  # type: ignore[no-any-return]
