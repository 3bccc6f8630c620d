"""The text and JSON (docs/verdict.schema.json) of a verdict."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from advisor.capture.lessons import CONFIRMED, HARMFUL, NO_EFFECT
from advisor.report.output import Paint, plain
from advisor.report.text import count, json_text, make_printable, number, wrap
from advisor.verify.changed import Change
from advisor.verify.measured import DAY
from advisor.verify.verdict import Figure, Verdict

SCHEMA_VERSION = 3
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
        *(("Measured", _format_measurement(figure)) for figure in ([verdict.figure] if verdict.figure else [])),
        *(("Also", _format_side_effects(verdict)) for _ in verdict.others[:1]),
        ("Guards", guards(verdict)),
        ("Statements", _statements(verdict)),
        *(("", _statement(each)) for each in verdict.changed[:SHOWN]),
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
    return f"{verdict.verdict}: {verdict.figure.metric} {bounds(verdict.figure)}, {_format_counts(verdict)}"


def bounds(figure: Figure) -> str:
    return f"{figure.change_pct:+.1f} % ({figure.low_pct:+.1f} to {figure.high_pct:+.1f})"


def guards(verdict: Verdict) -> str:
    """Return the guard metrics that got worse, that did not, and that were not measured."""
    worse = [guard for guard in verdict.guards if guard.worse and guard.figure]
    blind = [guard.metric for guard in verdict.guards if guard.figure is None]
    fine = [guard.metric for guard in verdict.guards if guard.figure and not guard.worse]
    said = [f"worse: {guard.metric} {_values(guard.figure)}" for guard in worse if guard.figure]
    said += [f"not worse: {', '.join(fine)}"] if fine else []
    said += [f"not measured: {', '.join(blind)}"] if blind else []
    return "; ".join(said) or "none measured"


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


def _format_counts(verdict: Verdict) -> str:
    figure = verdict.figure
    assert figure is not None
    series = "whole day" if verdict.series == DAY else "day"
    return f"{count(figure.days_before, series)} before, {figure.days_after} after"


def _format_request(change: Change) -> str:
    promised = "" if change.benefit is None else f", which expected {change.benefit:.1f} % of database time"
    return f"{change.text}{promised}"


def _format_measurement(figure: Figure) -> str:
    return f"{_values(figure)} as medians"


def _values(figure: Figure) -> str:
    return f"{number(figure.before)} -> {number(figure.after)} {figure.unit}"


def _format_side_effects(verdict: Verdict) -> str:
    return "; ".join(f"{figure.metric} {bounds(figure)}" for figure in verdict.others)


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


def as_json(verdict: Verdict, changed: Sequence[Change]) -> str:
    return json_text(document(verdict, changed))


def document(verdict: Verdict, changed: Sequence[Change]) -> dict[str, Any]:
    found = asdict(replace(verdict, course=()))
    del found["course"]  # only for charts: readers of the JSON have the captures
    found["left_out"] = [{"reason": reason, "intervals": n} for reason, n in verdict.left_out]
    found["next"] = list_next_steps(verdict, changed)
    found["undo"] = undo(verdict, changed)
    found["final"] = verdict.is_decided
    return {"schema": SCHEMA_VERSION, "changes": [asdict(change) for change in changed], **found}
