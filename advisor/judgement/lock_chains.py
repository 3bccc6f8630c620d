"""The lock chains of a run: the head of each, and the sessions behind it as a tree."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LockNode:
    """A session in a lock chain. ``depth`` is 0 for the head, which waits for no lock itself.

    ``waiters`` is the number of sessions that wait for it directly, ``unlisted`` how many of them are not in the chain
    by their handle. A value that was not collected is None.
    """

    handle: int
    depth: int
    waits_for: int | None
    user: str | None
    application: str | None
    state: str | None
    uow_age_s: int | None
    waiters: int
    unlisted: int
    longest_wait_s: int | None


def lock_chains(records: list[dict[str, Any]]) -> tuple[LockNode, ...]:
    """Return the sessions from the rows of LOCK_NODE, each behind the one that it waits for; largest chain first.

    Sessions that wait for each other have no head and are left out.
    """
    behind: dict[int | None, list[dict[str, Any]]] = {}
    for row in sorted(records, key=lambda row: (-(row["WAITERS"] or 0), row["APPLICATION_HANDLE"])):
        behind.setdefault(row["WAITS_FOR"], []).append(row)
    return tuple(_walk(behind, None))


def _walk(behind: dict[int | None, list[dict[str, Any]]], top: int | None) -> Iterator[LockNode]:
    """Yield the sessions below one, depth first."""
    stack = [(row, 0) for row in reversed(behind.get(top, []))]
    while stack:
        row, depth = stack.pop()
        followers = behind.get(row["APPLICATION_HANDLE"], [])
        waiters = row["WAITERS"] or 0
        yield LockNode(
            handle=row["APPLICATION_HANDLE"],
            depth=depth,
            waits_for=row["WAITS_FOR"],
            user=row["SESSION_AUTH_ID"],
            application=row["CLIENT_APPLNAME"],
            state=row["WORKLOAD_OCCURRENCE_STATE"],
            uow_age_s=row["UOW_AGE_S"],
            waiters=waiters,
            unlisted=max(waiters - len(followers), 0),
            longest_wait_s=row["LONGEST_WAIT_S"],
        )
        stack += [(follower, depth + 1) for follower in reversed(followers)]
