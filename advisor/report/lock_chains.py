"""Lock chains for a terminal and for programs."""

from dataclasses import asdict
from typing import Any

from advisor.judgement.lock_chains import LockNode
from advisor.report.output import Paint, plain
from advisor.report.text import count, make_printable

HEADING = "Lock chains"
MOST_LINES = 20


def lines(nodes: tuple[LockNode, ...], paint: Paint = plain) -> list[str]:
    """Return the section for a terminal, with a tree below the head of each chain; nothing without chains."""
    if not nodes:
        return []
    found = [line for node in nodes for line in _lines_of(node)]
    more = [f"  ... {count(len(found) - MOST_LINES, 'more line')}"] if len(found) > MOST_LINES else []
    return ["", paint(HEADING, bold=True), *found[:MOST_LINES], *more]


def document(nodes: tuple[LockNode, ...]) -> list[dict[str, Any]]:
    """Return the sessions for programs, each behind the one that it waits for."""
    return [asdict(node) for node in nodes]


def _lines_of(node: LockNode) -> list[str]:
    indent = "  " * (node.depth + 1)
    names = [node.user, f"({node.application})" if node.application else None]
    owner = " ".join(make_printable(name) for name in names if name)
    facts = [
        "head" if node.depth == 0 else None,
        "waits for its client" if node.state == "UOWWAIT" else None,
        f"open for {node.uow_age_s:,} s" if node.uow_age_s is not None else None,
        f"blocks {count(node.waiters, 'session')}" if node.waiters else None,
        f"longest wait {node.longest_wait_s:,} s" if node.longest_wait_s is not None else None,
    ]
    first = f"{indent}{node.handle} {owner}".rstrip()
    said = ", ".join(fact for fact in facts if fact)
    return [
        f"{first}: {said}" if said else first,
        *([f"{indent}  {count(node.unlisted, 'session')} without a known handle"] if node.unlisted else []),
    ]
