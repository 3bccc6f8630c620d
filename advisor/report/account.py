"""The account of memory: the limits, Db2's areas, and what the list takes and frees."""

from tabulate import tabulate

from advisor.judgement.advice import Advice
from advisor.report.output import Paint, plain
from advisor.report.text import make_printable, size
from advisor.resources import query

NAME = "memory_account"
HEADING = "Memory of one member"
COLUMNS = ("", "size", "in use", "free", "stays free")


def statements() -> dict[str, str]:
    """Return the statement of the account by its name."""
    return {NAME: query("pictures/account", NAME)}


def lines(advice: Advice, paint: Paint = plain) -> list[str]:
    """Return the account for a terminal; empty if it was not read, or no memory is known."""
    rows = advice.seen.get(NAME)
    if not rows:
        return []
    cells = [
        [make_printable(row["WHAT"])]
        + ["" if row[name] is None else size(row[name]) for name in ("SIZE_KB", "USED_KB", "FREE_KB", "RESERVE_KB")]
        for row in rows
    ]
    head, *body = tabulate(
        [COLUMNS, *cells], tablefmt="plain", disable_numparse=True, colalign=["left"] + ["right"] * 4
    ).splitlines()
    return ["", paint(HEADING, bold=True), paint(f"  {head}", dim=True), *(f"  {line}".rstrip() for line in body)]
