"""The report for a terminal: the summary, then where the time goes, the top statements and each recommendation in full.

Commands are never cut or wrapped, so that they can be copied; prose is wrapped to the width.
"""

from tabulate import tabulate

from advisor.catalogue.lanes import Lane
from advisor.judgement.advice import Recommendation
from advisor.report import account, blocks, lock_chains, spent, statements, summary, text
from advisor.report.blocks import INDENT, block
from advisor.report.output import Paint, plain
from advisor.report.selection import Selection


def render(selection: Selection, width: int, paint: Paint = plain, everything: bool = False, source: str = "") -> str:
    """Return the report; ``source`` is the option with which the next commands name this list.

    ``everything`` adds what the summary only counts: housekeeping in full, rules that could not run, and questions.
    """
    advice = selection.advice
    lines = summary.lines(selection, width, paint, source)
    top = statements.lines(advice.statements, width, paint, everything, source)
    if spent.rows(advice.time_spent):
        told = spent.notes(advice.time_spent, advice.database, listed=bool(top))
        lines += spent.lines(advice.time_spent, width, paint, everything, told)
    lines += [*top, *lock_chains.lines(advice.lock_chains, paint), *account.lines(advice, paint)]
    for lane, items in selection.group_by_lane():
        lines += ["", paint(f"{lane.heading} ({len(items)})", bold=True)]
        lines += _lane(lane, items, width, paint, selection.shows_full(everything))
    lines += _suppressed(selection, width, paint) if everything or not advice.in_text else []
    if everything:
        lines += _format_not_judged(selection, width, paint)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _lane(lane: Lane, items: list[Recommendation], width: int, paint: Paint, in_full: bool) -> list[str]:
    if in_full or not (lane.brief or lane.grouped):
        return _format_full(lane, items, width, paint, "" if in_full else "--all")
    return _format_brief(items, width) if lane.brief else blocks.lines(items, width, paint)


def _format_not_judged(selection: Selection, width: int, paint: Paint) -> list[str]:
    """Return the rules that passed, the rules that could not run, and the questions."""
    lines = _format_passed(selection, width, paint)
    lines += _format_groups("Could not run", selection.group_reasons(), width, paint)
    if asked := selection.group_questions(everything=True):
        lines += _format_groups("Questions", asked, width, paint, text.answers())
        lines += text.wrap(text.HOW_TO_ANSWER, width, "  ")
    return lines


def _format_passed(selection: Selection, width: int, paint: Paint) -> list[str]:
    passed = selection.passed
    title = f"Passed ({text.count(len(passed), 'rule')})"
    return ["", paint(title, bold=True), *text.wrap(", ".join(passed), width, "  ")] if passed else []


def _format_brief(items: list[Recommendation], width: int) -> list[str]:
    lines = [
        line
        for group in blocks.groups(items)
        for line in text.wrap(_format_title(group), width, f"{group[0].rank:>3} ")
    ]
    return [*lines, f"{INDENT}Their commands: --all"]


def _format_title(group: list[Recommendation]) -> str:
    accepted = text.describe_acceptance(group[0]) if len(group) == 1 else None
    return "; ".join(filter(None, (blocks.heading(group), accepted)))


def _format_full(lane: Lane, items: list[Recommendation], width: int, paint: Paint, how: str) -> list[str]:
    header, *heads = tabulate(
        [_columns(lane), *(_figures(lane, item) for item in items)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right"] * (4 if lane.by_benefit else 1) + ["left"] * 2,
    ).splitlines()
    lines = [paint(header, dim=True)]
    for n, (head, item) in enumerate(zip(heads, items, strict=True)):
        lines += [""] if n else []
        lines += [paint(head, fg=lane.colour), *block(item, width, paint, how)]
    return lines


def _columns(lane: Lane) -> list[str]:
    first = {"benefit": ["benefit", "low..high", "after earlier changes"], "severity": ["severity"]}.get(
        lane.figure, []
    )
    return ["  #", *first, "confidence", "takes effect"]


def _figures(lane: Lane, item: Recommendation) -> list[str]:
    first = {
        "benefit": [text.percent(item.benefit), text.spread(item), text.percent(item.benefit_after)],
        "severity": [text.severity(item)],
    }.get(lane.figure, [])
    effect = text.EFFECTS[item.effect]
    return [f"{item.rank:>3}", *first, text.confidence(item.confidence), effect]


def _suppressed(selection: Selection, width: int, paint: Paint) -> list[str]:
    lines = []
    for (rule, by), items in selection.group_displaced().items():
        objects = ", ".join(text.thing(item) for item in items)
        best = max(item.benefit for item in items)
        benefit = f", benefit {text.percent(best)}" if best else ""
        lines += text.wrap(f"{rule} ({objects}{benefit}): {by}", width, "  - ")
    return (
        ["", paint(f"Suppressed by other recommendations ({len(selection.suppressed)})", bold=True), *lines]
        if lines
        else []
    )


def _format_groups(
    heading: str, groups: dict[str, list[str]], width: int, paint: Paint, notes: dict[str, str] | None = None
) -> list[str]:
    """Return one line for each reason or question with its rules and its note."""
    lines = []
    for reason, rules in groups.items():
        lines += text.wrap(f"{reason} ({', '.join(rules)})", width, "  - ")
        lines += [f"{INDENT}{note}"] if (note := (notes or {}).get(reason)) else []
    rules_concerned = {rule for rules in groups.values() for rule in rules}
    title = f"{heading} ({text.count(len(rules_concerned), 'rule')})"
    return ["", paint(title, bold=True), *lines] if lines else []
