"""The answer for one slow statement: its text for a terminal, and its JSON."""

from dataclasses import asdict
from typing import Any

from advisor.diagnosis.answer import Answer
from advisor.diagnosis.case import Proposal, percent
from advisor.report import text
from advisor.report.output import Paint, plain

FULL = 3  # proposals with all their lines
MOST_LINES = 30
_INDENT = "   "


def lines(given: Answer, width: int, paint: Paint = plain) -> list[str]:
    """Return the answer for a terminal, in 30 lines unless a statement is longer."""
    found = [paint(line, bold=True) for line in text.wrap(text.make_printable(given.sentence), width)]
    for number, proposal in enumerate(given.proposals, 1):
        found += ["", *_proposal(number, proposal, width, paint, number == 1)] if number <= FULL else []
    if more := given.proposals[FULL:]:
        found += text.wrap("Less: " + "; ".join(text.make_printable(each.title) for each in more) + ".", width)
    room = MOST_LINES - len(found)
    found += _section("Operators:", given.operators[: max(2, min(5, room - 6))], width)
    found += (
        _section("Right:", [each.text for each in given.right][: 2 if given.proposals else 4], width)
        if given.proposals
        else []
    )
    return [*found, *_section("Paste next:", given.paste_next[:3], width)]


def _proposal(number: int, given: Proposal, width: int, paint: Paint, is_first: bool) -> list[str]:
    saves = f" (saves {percent(given.saves[0])[:-2]} to {percent(given.saves[1])} of its time)" if given.saves else ""
    found = text.wrap(f"{number}. {text.make_printable(given.title)}{saves}", width, rest=_INDENT)
    if not is_first:
        found += text.wrap(text.make_printable(given.why), width, _INDENT)
    for step in given.steps:
        found += [_INDENT + paint(text.make_printable(line), fg="cyan") for line in step.split("\n")]
    tail = [*given.notes[: 2 if is_first else 1], *([f"Cost: {given.costs}"] if given.costs else [])]
    tail += [f"Undo: {'; '.join(given.undo)}."] if given.undo else []
    tail += [f"Proof: {given.proof}"] if given.proof else []
    return found + text.wrap(text.make_printable(" ".join(tail)), width, _INDENT)


def _section(heading: str, items: tuple[str, ...] | list[str], width: int) -> list[str]:
    if not items:
        return []
    found = ["", heading]
    for item in items:
        found += text.wrap(text.make_printable(item), width, "  ", "    ")
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def document(given: Answer) -> dict[str, Any]:
    """Return the answer for programs."""
    return {
        "statement": given.text,
        "understood": given.is_understood,
        "sentence": given.sentence,
        "proposals": [
            {
                **{name: _plain(value) for name, value in asdict(each).items() if name not in ("saves", "weight")},
                "saves_pct": [round(100 * share, 1) for share in each.saves] if each.saves else None,
            }
            for each in given.proposals
        ],
        "operators": list(given.operators),
        "right": [each.text for each in given.right],
        "paste_next": list(given.paste_next),
    }
