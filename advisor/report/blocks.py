"""Texts of one recommendation for a terminal.

Commands are never cut or wrapped, so that they can be copied; prose is wrapped to the width.
"""

from advisor.judgement.advice import Recommendation
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
