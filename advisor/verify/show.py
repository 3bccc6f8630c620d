"""The text and JSON (docs/verdict.schema.json) of a verdict."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from advisor.capture.lessons import CONFIRMED, HARMFUL, NO_EFFECT
from advisor.report.output import Paint, plain
from advisor.report.text import count, make_printable, number, wrap
from advisor.report.values import head, to_number, to_steps
from advisor.verify.changed import Change
from advisor.verify.measured import DAY
from advisor.verify.promises import Fulfilment
from advisor.verify.verdict import Figure, Verdict

SHOWN = 5  # changed statements
INDENT = 12
KINDS = {CONFIRMED: "good", HARMFUL: "bad"}  # the color of a mark on a page; other verdicts have none


def render(verdict: Verdict, changed: Sequence[Change], width: int, paint: Paint = plain) -> str:
    """Return the text: the verdict, then its measurements, then the next steps."""
    first, *rest = _format_labelled("Verdict", headline(verdict), width)
    lines = [paint(first, bold=True), *(paint(line, bold=True) for line in rest)]
    said = [
        *(("Why", reason) for reason in verdict.reasons),
        *(("Changed", _format_request(change)) for change in changed),
        ("Measured", f"{_values(verdict.figure)} as medians" if verdict.figure else ""),
        ("Also", "; ".join(f"{figure.metric} {bounds(figure)}" for figure in verdict.others)),
        ("Guards", guards(verdict)),
        ("Statements", _statements(verdict)),
        *(("", _statement(each)) for each in verdict.changed[:SHOWN]),
        *(("Promised" if not n else "", line) for n, line in enumerate(describe_promised(verdict))),
        *(("Left out", f"{count(n, 'interval')}: {reason}") for reason, n in verdict.left_out),
        *(("Next", line) for line in list_next_steps(verdict, changed)),
    ]
    lines += [line for label, text in said if text for line in _format_labelled(label, text, width)]
    lines += [f"{'':<{INDENT}}{make_printable(line)}" for line in undo(verdict, changed)]
    return "\n".join(lines) + "\n"


def headline(verdict: Verdict) -> str:
    """Return one sentence with the verdict and its figure."""
    if verdict.figure is None:
        return verdict.verdict
    figure, series = verdict.figure, "whole day" if verdict.series == DAY else "day"
    days = f"{count(figure.days_before, series)} before, {figure.days_after} after"
    return f"{verdict.verdict}: {figure.metric} {bounds(figure)}, {days}"


def bounds(figure: Figure) -> str:
    return f"{figure.change_pct:+.1f} % ({figure.low_pct:+.1f} to {figure.high_pct:+.1f})"


def guards(verdict: Verdict) -> str:
    """Return the guard metrics that got worse, that did not, and that were not measured."""
    blind = [guard.metric for guard in verdict.guards if guard.figure is None]
    fine = [guard.metric for guard in verdict.guards if guard.figure and not guard.worse]
    said = [f"worse: {each.metric} {_values(each.figure)}" for each in verdict.guards if each.worse and each.figure]
    said += [f"not worse: {', '.join(fine)}"] if fine else []
    said += [f"not measured: {', '.join(blind)}"] if blind else []
    return "; ".join(said) or "none measured"


def describe_promised(verdict: Verdict) -> list[str]:
    """Return one line per statement that a created index should make faster, after their counts; nothing without any."""
    counts = Counter(each.verdict for each in verdict.promised)
    said = [", ".join(f"{n} {kind}" for kind, n in counts.most_common())] if counts else []
    return said + [_describe_fulfilment(each) for each in verdict.promised[:SHOWN]]


def _describe_fulfilment(each: Fulfilment) -> str:
    times = f"{number(each.before_ms)} -> {number(each.promised_ms)} ms promised"
    if each.ms is None:
        return f"{each.verdict}, or no longer among the most expensive statements; {times}: {each.text}"
    rows = ""
    if each.rows_read is not None and each.rows_read_before is not None:
        rows = f", {number(each.rows_read_before)} -> {number(each.rows_read)} rows read"
    return f"{each.verdict}: {number(each.ms)} ms per execution, {times}{rows}: {each.text}"


def list_next_steps(verdict: Verdict, changed: Sequence[Change]) -> list[str]:
    """Return the next steps as sentences; ``undo`` returns the commands."""
    if verdict.verdict == HARMFUL:
        return ["undo the change:" if undo(verdict, changed) else "undo the change"]
    if verdict.verdict == CONFIRMED:
        return ["keep the change; continue with the next one"]
    if verdict.verdict == NO_EFFECT:
        return ["keep or undo the change: it has no measurable effect"]
    if verdict.further is not None:
        return [f"wait: {count(verdict.further, 'more day')} after the change will probably decide"]
    if verdict.figure is None:
        return ["add days before the change that match those after it: same hours, kind of day, load and statements"]
    return ["more days after the change will not decide: the effect is too small to measure"]


def undo(verdict: Verdict, changed: Sequence[Change]) -> list[str]:
    """Return the undo commands of a harmful change."""
    return [command for change in changed for command in change.undo] if verdict.verdict == HARMFUL else []


def _format_request(change: Change) -> str:
    promised = "" if change.benefit is None else f", which expected {change.benefit:.1f} % of database time"
    return f"{change.text}{promised}"


def _values(figure: Figure) -> str:
    return f"{number(figure.before)} -> {number(figure.after)} {figure.unit}"


def _statements(verdict: Verdict) -> str:
    if not verdict.statements:
        return "none has enough days on both sides"
    slower = sum(each.slower for each in verdict.changed)
    faster = len(verdict.changed) - slower
    return f"of {verdict.statements}, {slower} got significantly slower and {faster} faster"


def _statement(each: Any) -> str:
    word = "slower" if each.slower else "faster"
    text = each.text or each.statement
    return f"{word} {bounds(each.figure)}, {each.share_pct:.0f} % of the time before: {text}"


def _format_labelled(label: str, text: str, width: int) -> list[str]:
    return wrap(text, width, f"{label:<{INDENT}}")


def document(verdict: Verdict, changed: Sequence[Change]) -> dict[str, Any]:
    found = asdict(replace(verdict, course=()))
    del found["course"]  # only for charts: readers of the JSON have the captures
    found["left_out"] = [{"reason": reason, "intervals": n} for reason, n in verdict.left_out]
    found["next"] = list_next_steps(verdict, changed)
    found["undo"] = to_steps(undo(verdict, changed))
    found["final"] = verdict.is_decided
    changes = [
        asdict(change) | {"undo": to_steps(change.undo), "old": to_number(change.old), "new": to_number(change.new)}
        for change in changed
    ]
    for change in changes:
        del change["promises"]  # in "promised"
    return {**head(), "changes": changes, **found}
