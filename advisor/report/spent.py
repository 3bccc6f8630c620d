"""The section on database time: a bar per large share, and causes of shares without a recommendation."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from advisor.judgement.time_spent import BESIDE, Look, Share, TimeSpent
from advisor.report.confirm import queries
from advisor.report.output import Paint, plain
from advisor.report.text import percent, wrap

HEADING = "Where the time goes, in percent of database time"
SMALL_PCT, MAX_BARS = 1.0, 8  # what is smaller, or more, is one line together
LONGEST = 40  # columns of a bar

Note = tuple[str, str, str]
"""A share that no recommendation covers: its name, its meaning with usual causes, and queries."""

_BLOCK, _ASCII_BLOCK = "█", "#"


class Row(NamedTuple):
    """A displayed share: its title, percent of database time, and the part that recommendations claim."""

    title: str
    pct: float
    claimed_pct: float

    @property
    def cells(self) -> tuple[str, str, str]:
        return self.title, percent(self.pct), percent(self.claimed_pct) if self.claimed_pct >= 0.05 else ""


def shares(spent: TimeSpent) -> list[Share]:
    """Return the shares of time, or none without enough load."""
    return [share for share in spent.shares if share.pct > 0] if spent.is_judged else []


def rows(spent: TimeSpent, everything: bool = False) -> list[Row]:
    """Return the shares to show: large ones, the sum of the others, and overlapping ones."""
    inside = [share for share in shares(spent) if share.kind != BESIDE]
    shown = [share for share in inside if everything or share.pct >= SMALL_PCT][: None if everything else MAX_BARS]
    small = inside[len(shown) :]
    found = [Row(share.title, share.pct, share.claimed_pct) for share in shown]
    if small:
        title = f"{len(small)} more" if len(small) > 1 else small[0].title
        found.append(Row(title, sum(share.pct for share in small), sum(share.claimed_pct for share in small)))
    beside = (share for share in shares(spent) if share.kind == BESIDE and share.pct >= SMALL_PCT)
    return found + [Row(f"+ {share.title}", share.pct, share.claimed_pct) for share in beside]


def notes(spent: TimeSpent, database: Mapping[str, Any] | None = None, listed: bool = False) -> Iterator[Note]:
    """Yield a note on each large unclaimed share; its query is empty if the database's level lacks the functions.

    With ``listed``, the top statements follow and replace the query for work.
    """
    for share in spent.unexplained if spent.is_judged else []:
        if share.look:
            what = f"{share.look.what[0].upper()}{share.look.what[1:]}"
            yield _format_unclaimed(share), f"{what}. Usual causes: {share.look.causes}.", _query(share.look, database)
    if spent.work and spent.work.look and spent.is_judged:
        query = "" if listed else _query(spent.work.look, database)
        consumers = " The largest consumers are listed below." if listed else " The largest consumers:" if query else ""
        yield f"{spent.work.title} is work, not waiting.{consumers}", "", query


def _query(look: Look, database: Mapping[str, Any] | None) -> str:
    return "\n".join(queries(look.query, database))


def _format_unclaimed(share: Share) -> str:
    if share.claimed_pct < 0.05:
        return f"{share.title}, {percent(share.pct)}: no recommendation claims it"
    return f"{share.title}, {percent(share.pct)}: recommendations claim {percent(share.claimed_pct)} only"


def lines(
    spent: TimeSpent, width: int, paint: Paint = plain, everything: bool = False, told: Iterable[Note] | None = None
) -> list[str]:
    """Return the section for a terminal, or the sentence that explains why the load was not judged.

    ``told`` are its notes, by default all of them.
    """
    found = rows(spent, everything)
    if not found:
        return ["", *(paint(line, fg="yellow") for line in wrap(spent.says, width))]
    claims = any(row.cells[2] for row in found)
    name = max(len(row.title) for row in found)
    start = "  " + " " * name
    columns = f"{start}{'share':>10}{'claimed':>10}"
    meant = f"{columns}  (the advice saves a part of it)"
    head = [paint(meant if len(meant) <= width else columns, dim=True)] if claims else []
    room = max(8, min(width - len(start) - (24 if claims else 14), LONGEST))
    largest = max(row.pct for row in found)
    said = ["", paint(HEADING, bold=True), *head]
    for row in found:
        title, share, claimed = row.cells
        cells = f"  {title:<{name}}{share:>10}" + (f"{claimed:>10}" if claims else "")
        said.append(f"{cells}  {_block() * round(room * row.pct / largest)}".rstrip())
    for title, text, query in notes(spent) if told is None else told:
        said += ["", *wrap(title, width, "  "), *(wrap(text, width, "    ") if text else [])]
        said += [f"    look   {paint(query, fg='cyan')}"] if query else []
    return said


def _block() -> str:
    """Return the character of a bar that the output can show."""
    try:
        _BLOCK.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _ASCII_BLOCK
    return _BLOCK
