"""The report for a terminal: what it is about, then the list by lane, then what was left out and what could not run.

Commands are never cut or wrapped, so that they can be copied; prose is wrapped to the width.
"""

from itertools import islice

from tabulate import tabulate

from advisor.catalogue.lanes import Lane
from advisor.judge.advice import Recommendation
from advisor.report import grouped, next_text, spent, statements, text
from advisor.report.blocks import INDENT, block
from advisor.report.output import Paint, plain
from advisor.report.selection import Selection

MOST_GROUPS = 8  # reasons that are shown where nobody asked for all
MOST_QUESTIONS = 3

ALL_RAN = "Every rule that applies could run."


def render(selection: Selection, width: int, paint: Paint = plain, everything: bool = False) -> str:
    """``everything`` shows in full what is otherwise one line each: housekeeping and lists of rules."""
    lines = _about(selection, width, paint)
    nothing = selection.nothing()
    top = statements.lines(selection.advice.statements, width, paint, everything)
    if not nothing or spent.rows(selection.advice.time_spent):
        lines += spent.lines(selection.advice.time_spent, width, paint, everything, listed=bool(top))
    lines += top
    if nothing:
        lines += ["", *text.wrap(nothing, width)]
    for lane, items in selection.by_lane():
        lines += ["", paint(f"{lane.heading} ({len(items)})", bold=True)]
        lines += _lane(lane, items, width, paint, selection.in_full(everything))
        lines += _together(items) if lane.by_benefit else []
    if left_out := selection.left_out():
        lines += ["", f"Not shown: {left_out}."]
    if everything or not selection.advice.in_text:
        lines += _suppressed(selection, width, paint, everything)
    lines += _not_run(selection, width, paint, everything)
    if asked := selection.asked(everything):
        lines += _grouped("Questions", asked, width, paint, everything, MOST_QUESTIONS, text.answers())
        lines += text.wrap(text.HOW_TO_ANSWER, width, "  ")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _about(selection: Selection, width: int, paint: Paint) -> list[str]:
    lines = []
    for name, value in text.about(selection.advice).items():
        wrapped = text.wrap(value, width, f"{name:<10}")
        unusable = name == "Interval" and not selection.advice.window.usable
        lines += [paint(line, fg="yellow") for line in wrapped] if unusable else wrapped
    return lines


def _lane(lane: Lane, items: list[Recommendation], width: int, paint: Paint, in_full: bool) -> list[str]:
    if in_full or not (lane.brief or lane.grouped):
        return _full(lane, items, width, paint)
    return _brief(items, width) if lane.brief else grouped.lines(items, width, paint)


def _not_run(selection: Selection, width: int, paint: Paint, everything: bool) -> list[str]:
    """Why rules could not run; of texts only what to paste next."""
    if not selection.not_run:
        return ["", ALL_RAN] if selection.ranked else []
    if not everything and (wanted := next_text.lines(selection.advice)):
        said, command, *script = wanted
        return ["", *text.wrap(said, width), INDENT + paint(command, fg="cyan"), *script]
    return _grouped("Could not run", selection.reasons(), width, paint, everything)


def _together(items: list[Recommendation]) -> list[str]:
    total = text.percent(sum(item.benefit_after for item in items))
    return ["", f"Together {total}. Make one change at a time, then measure again."]


def _brief(items: list[Recommendation], width: int) -> list[str]:
    lines = [line for item in items for line in text.wrap(_said(item), width, f"{item.rank:>3} ")]
    return [*lines, f"{INDENT}Their commands: --all"]


def _said(item: Recommendation) -> str:
    return f"{text.title(item)}; {text.accepted(item)}" if item.accepted else text.title(item)


def _full(lane: Lane, items: list[Recommendation], width: int, paint: Paint) -> list[str]:
    header, *heads = tabulate(
        [_columns(lane), *(_figures(lane, item) for item in items)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right"] * (4 if lane.by_benefit else 1) + ["left"] * 2,
    ).splitlines()
    lines = [paint(header, dim=True)]
    for n, (head, item) in enumerate(zip(heads, items, strict=True)):
        lines += [""] if n else []
        lines += [paint(head, fg=lane.colour), *block(item, width, paint)]
    return lines


def _columns(lane: Lane) -> list[str]:
    first = {"benefit": ["benefit", "low..high", "after above"], "severity": ["severity"]}.get(lane.figure, [])
    return ["  #", *first, "confidence", "effect"]


def _figures(lane: Lane, item: Recommendation) -> list[str]:
    first = {
        "benefit": [text.percent(item.benefit), text.spread(item), text.percent(item.benefit_after)],
        "severity": [text.severity(item)],
    }.get(lane.figure, [])
    effect = text.EFFECTS[item.rule.effect]
    return [f"{item.rank:>3}", *first, text.confidence(item.confidence), effect]


def _suppressed(selection: Selection, width: int, paint: Paint, everything: bool) -> list[str]:
    lines = []
    for (rule, by), items in selection.displaced().items():
        objects = _listed([text.thing(item) for item in items], everything)
        best = max(item.benefit for item in items)
        benefit = f", benefit {text.percent(best)}" if best else ""
        lines += text.wrap(f"{rule} ({objects}{benefit}): {by}", width, "  - ")
    return ["", paint(f"Suppressed, and by what ({len(selection.suppressed)})", bold=True), *lines] if lines else []


def _grouped(  # noqa: PLR0913, PLR0917 -- what every part of the report takes
    heading: str,
    groups: dict[str, list[str]],
    width: int,
    paint: Paint,
    everything: bool,
    most: int = MOST_GROUPS,
    notes: dict[str, str] | None = None,
) -> list[str]:
    """One line for each reason or question with the rules that it concerns, and a note where there is one."""
    lines = []
    shown = groups if everything or len(groups) <= most + 1 else dict(islice(groups.items(), most))
    for reason, rules in shown.items():
        lines += text.wrap(f"{reason} ({_listed(rules, everything)})", width, "  - ")
        lines += [f"{INDENT}{note}"] if (note := (notes or {}).get(reason)) else []
    if more := len(groups) - len(shown):
        lines.append(f"  - and {more} more: --all")
    rules_concerned = {rule for rules in groups.values() for rule in rules}
    title = f"{heading} ({text.count(len(rules_concerned), 'rule')})"
    return ["", paint(title, bold=True), *lines] if lines else []


def _listed(names: list[str], everything: bool) -> str:
    """A few names, or how many there are."""
    if everything or len(names) <= 3:
        return ", ".join(names)
    return f"{', '.join(names[:2])} and {len(names) - 2} more"
