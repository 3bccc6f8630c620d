"""The verification of a ticket, filled in after the change: the variables of the templates ``verified.*``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from advisor import __version__
from advisor.report.text import count, number, percent
from advisor.ticket.content import Approval
from advisor.verify import show
from advisor.verify.changed import Change
from advisor.verify.verdict import Figure, Verdict

SIGNED = ("Changed by", "Verified by", "Kept or taken back by")
STATEMENTS = 10  # of those that changed


class Measured(NamedTuple):
    """A metric before and after the change, and its conclusion."""

    metric: str
    before: str
    after: str
    change: str
    says: str


@dataclass(frozen=True)
class Judged:
    """One verdict: ``heading`` is what changed, ``answers`` are by question, ``undo`` takes back what did harm."""

    heading: str
    answers: dict[str, str]
    measured: tuple[Measured, ...]
    undo: tuple[str, ...]


@dataclass(frozen=True)
class Verification:
    """What became of the changes of a ticket, and the lines to sign."""

    title: str
    database: str
    verdicts: tuple[Judged, ...]
    approvals: tuple[Approval, ...]
    version: str


def verification(database: str, verdicts: Iterable[tuple[Verdict, Sequence[Change]]]) -> Verification:
    """Return the verification of verdicts about one database, each with its changes."""
    found = list(verdicts)
    said = found[0][0].verdict if len(found) == 1 else count(len(found), "verdict")
    judged = tuple(_read_judged(verdict, changed) for verdict, changed in found)
    return Verification(
        f"{database}: did it help? {said}", database, judged, tuple(Approval(role) for role in SIGNED), __version__
    )


def _read_judged(verdict: Verdict, changed: Sequence[Change]) -> Judged:
    answers = {
        "Verdict": show.headline(verdict),
        "Why": "; ".join(verdict.reasons),
        "Expected": "; ".join(dict.fromkeys(expected for change in changed if (expected := _format_expected(change)))),
        "Bounds": f"They hold with {100 * verdict.level:g} %",
        "Left out": "; ".join(f"{count(n, 'interval')}: {reason}" for reason, n in verdict.left_out),
        "Statements": f"{verdict.statements} could be judged, {len(verdict.changed)} changed for sure",
        "Promised": "; ".join(show.describe_promised(verdict)[:1]),
        "Next": "; ".join(show.list_next_steps(verdict, changed)).rstrip(":"),
    }
    return Judged(
        "; ".join(change.text for change in changed) or "No setting that is known changed",
        {question: answer for question, answer in answers.items() if answer},
        tuple(row for row, _ in list_measured(verdict)),
        tuple(show.undo(verdict, changed)),
    )


def _format_expected(change: Change) -> str:
    if change.benefit is None:
        return ""
    low, high = change.benefit_low, change.benefit_high
    bounds = "" if low is None or high is None else f", {percent(low)} at least and {percent(high)} at most"
    return f"{percent(change.benefit)} of database time{bounds}"


def list_measured(verdict: Verdict) -> Iterator[tuple[Measured, Figure | None]]:
    """Yield the measured rows, each with its figure if it has one."""
    if verdict.figure:
        yield _row(verdict.figure, "decides"), verdict.figure
    for figure in verdict.others:
        yield _row(figure, "shown next to it"), figure
    for guard in verdict.guards:
        says = "guard: worse" if guard.worse else "guard: not worse"
        if guard.figure:
            yield _row(guard.figure, says), guard.figure
        else:
            yield Measured(guard.metric, "", "", "", "guard: not measured"), None
    for each in verdict.changed[:STATEMENTS]:
        says = f"{'slower' if each.slower else 'faster'}; {each.share_pct:.0f} % of the statements' time before"
        yield _row(each.figure, says)._replace(metric=each.text or each.statement), each.figure


def _row(figure: Figure, says: str) -> Measured:
    before, after = (f"{number(value)} {figure.unit}" for value in (figure.before, figure.after))
    return Measured(figure.metric, before, after, show.bounds(figure), says)
