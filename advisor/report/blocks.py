"""Texts of recommendations for a terminal: one of them, or those of a rule as a group, the worst object in full.

Commands are never cut or wrapped, so that they can be copied; prose is wrapped to the width.
"""

import textwrap
from collections.abc import Iterable, Sequence

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.lanes import Lane
from advisor.errors import list_some
from advisor.judgement.advice import Recommendation
from advisor.report import text
from advisor.report.output import Paint, plain

INDENT = " " * 4


def block(item: Recommendation, width: int, paint: Paint = plain, how: str = "--all") -> list[str]:
    """Return the lines below the figures: title, finding, commands, undo, memory."""
    lines = [paint(line, bold=True) for line in text.wrap(f"{text.title(item)} [{item.rule.name}]", width, INDENT)]
    lines += text.wrap(text.finding(item), width, INDENT)
    if item.accepted:
        lines += [paint(line, fg="yellow") for line in text.wrap(text.describe_acceptance(item) or "", width, INDENT)]
    lines += steps(item, width, paint, how)
    if item.memory_delta_kb:
        lines += [f"{INDENT}memory {text.memory(item.memory_delta_kb)}"]
    return lines


def steps(item: Recommendation, width: int, paint: Paint = plain, how: str = "--all") -> list[str]:
    """Return the actions and their undo."""
    return commands("do", item.actions, width, paint, how) + commands("undo", item.undo, width, paint, how)


def commands(label: str, given: list[str], width: int, paint: Paint = plain, how: str = "") -> list[str]:
    """Return commands with a label; of many only the first, if ``how`` names the way to all of them."""
    shown = given[:NAMED] if how and len(given) > MOST_LINES else given
    lines = []
    for by_hand, run in text.commands(shown):
        for n, line in enumerate(run):
            start = f"{INDENT}{label:<6} "
            label = ""
            if by_hand:
                lines += text.wrap(line if n else f"manual: {line}", width, start)
            else:
                lines.append(start + paint(line, fg="cyan"))
    if more := len(given) - len(shown):
        lines += text.wrap(f"and {more:,} more: {how}", width, f"{INDENT}{'':<7}")
    return lines


MOST_LINES = 20  # commands that a terminal shows; of more only the first NAMED
MOST_GROUPS = 10
IN_FULL = 1  # groups shown with all commands, undo and check
FOUND = 2  # groups with the whole finding; if there are more, each shows one line of it
NAMED = 3  # objects of a group that are named


def groups(items: Iterable[Recommendation]) -> list[list[Recommendation]]:
    """Group the rules' texts in the order of the list."""
    found: dict[str, list[Recommendation]] = {}
    for item in items:
        found.setdefault(item.rule.name, []).append(item)
    return list(found.values())


def parts(lane: Lane, items: list[Recommendation]) -> list[list[Recommendation]]:
    """Return the recommendations of a lane in groups, if it groups them."""
    return groups(items) if lane.grouped or lane.brief else [[item] for item in items]


def actions_of(items: Sequence[Recommendation]) -> list[str]:
    """Return the distinct lines of equal changes."""
    return list(dict.fromkeys(line for item in items for line in item.actions))


def undo_of(items: Sequence[Recommendation]) -> list[str]:
    """Return the distinct lines that undo equal changes, the last change first."""
    return list(dict.fromkeys(line for item in reversed(items) for line in item.undo))


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
    head = text.wrap(f"{heading(group)} [{first.rule.name}]; {text.severity(first)}", width, f"{first.rank:>3} ")
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


def heading(group: Sequence[Recommendation]) -> str:
    """Return the title with its object, or with the number of objects and the names of the first."""
    if len(group) == 1:
        return text.title(group[0])
    kinds = {text.kind(item) for item in group}
    names = list(dict.fromkeys(text.make_printable(item.object_name) for item in group))
    counted = text.count(len(names), kinds.pop() if len(kinds) == 1 else "object")
    harmed = sum(item.harm is not None for item in group)
    said = f", {harmed} of them made before, and did harm" if harmed else ""
    return f"{group[0].rule.title}: {counted} ({list_some(names, NAMED)}){said}"
