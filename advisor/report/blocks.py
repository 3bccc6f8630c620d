"""Texts of recommendations for a terminal: one of them, or those of a rule as a group, the worst object in full.

Commands are never cut or wrapped, so that they can be copied; prose is wrapped to the width.
"""

import textwrap

from advisor.judgement.advice import BY_HAND, Recommendation
from advisor.report import text
from advisor.report.output import Paint, plain

INDENT = " " * 4


def block(item: Recommendation, width: int, paint: Paint = plain) -> list[str]:
    """Return the lines below the figures: title, finding, commands, undo, memory."""
    lines = [paint(line, bold=True) for line in text.wrap(f"{text.title(item)} [{item.rule.name}]", width, INDENT)]
    lines += text.wrap(text.finding(item), width, INDENT)
    if item.accepted:
        lines += [paint(line, fg="yellow") for line in text.wrap(text.describe_acceptance(item) or "", width, INDENT)]
    lines += steps(item, width, paint)
    if item.memory_delta_kb:
        lines += [f"{INDENT}memory {text.memory(item.memory_delta_kb)}"]
    return lines


def steps(item: Recommendation, width: int, paint: Paint = plain) -> list[str]:
    """Return the actions and their undo."""
    return commands("do", item.actions, width, paint) + commands("undo", item.undo, width, paint)


def commands(label: str, given: list[str], width: int, paint: Paint = plain) -> list[str]:
    lines = []
    for by_hand, run in text.commands(given):
        for n, line in enumerate(run):
            start = f"{INDENT}{label:<6} "
            label = ""
            if by_hand:
                lines += text.wrap(line if n else f"manual: {line}", width, start)
            else:
                lines.append(start + paint(line, fg="cyan"))
    return lines


MOST_GROUPS = 10
IN_FULL = 1  # groups shown with all commands, undo and check
FOUND = 2  # groups with the whole finding; if there are more, each shows one line of it
NAMED = 3  # objects of a group that are named


def groups(items: list[Recommendation]) -> list[list[Recommendation]]:
    """Group the rules' texts in the order of the list."""
    found: dict[str, list[Recommendation]] = {}
    for item in items:
        found.setdefault(item.rule.name, []).append(item)
    return list(found.values())


def lines(items: list[Recommendation], width: int, paint: Paint = plain) -> list[str]:
    found = groups(items)
    said = []
    for group in found[:MOST_GROUPS]:
        said += _group(group, width, paint, len(found))
    if (more := len(found) - MOST_GROUPS) > 0:
        said.append(f"{INDENT}and of {text.count(more, 'more rule')}: --all")
    if len(found) > IN_FULL:
        said.append(f"{INDENT}More commands and the checks: --all")
    return said


def _group(group: list[Recommendation], width: int, paint: Paint, of: int) -> list[str]:
    """Return one group. The more groups, the shorter each is."""
    first, *others = group
    head = text.wrap(f"{_heading(group)} [{first.rule.name}]; {text.severity(first)}", width, f"{first.rank:>3} ")
    said = [paint(line, bold=True) for line in head]
    start = f"{INDENT}{text.make_printable(first.object_name)}: " if others else INDENT
    found = text.wrap(text.finding(first), width, start, INDENT)
    said += found if of <= FOUND or len(found) == 1 else [_shorten(text.finding(first), start, width)]
    return said + (_command(first, width, paint) if of > IN_FULL else steps(first, width, paint))


def _command(item: Recommendation, width: int, paint: Paint) -> list[str]:
    """Return the action in one line: its first command, or the beginning of its text."""
    run = [line for line in item.actions if not line.startswith(BY_HAND)]
    if run or not item.actions:
        return commands("do", run[:1], width, paint)
    return [_shorten(item.actions[0].removeprefix(BY_HAND), f"{INDENT}{'do':<6} ", width)]


def _shorten(said: str, start: str, width: int) -> str:
    return start + textwrap.shorten(text.make_printable(said), width - len(start), placeholder=" ...")


def _heading(group: list[Recommendation]) -> str:
    """Return the title with its object, or with the number of objects and the names of the first."""
    if len(group) == 1:
        return text.title(group[0])
    kinds = {text.kind(item) for item in group}
    names = list(dict.fromkeys(text.make_printable(item.object_name) for item in group))
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    counted = text.count(len(names), kinds.pop() if len(kinds) == 1 else "object")
    harmed = sum(item.harm is not None for item in group)
    said = f", {harmed} of them made before, and did harm" if harmed else ""
    return f"{group[0].rule.title}: {counted} ({listed}){said}"
