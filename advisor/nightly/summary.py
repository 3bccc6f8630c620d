"""The summary of a night: per database the changes, new, gone and worse advice, and the top of the list.

Changes come first, because a DBA first asks for the changes since last night.
"""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from advisor.capture.lessons import HARMFUL
from advisor.judgement.comparison import Comparison, Pair
from advisor.nightly.changed import is_carried_out
from advisor.nightly.database import Outcome
from advisor.nightly.runs import Line, Run, compare_runs
from advisor.report.confirm import queries
from advisor.report.selection import split_reasons
from advisor.report.text import count, json_text, make_printable, percent, wrap
from advisor.verify import show, statements
from advisor.verify.regressed import as_entry, describe_regression

SCHEMA_VERSION = 1
TOP = 3
REASONS = 3  # reasons listed for rules that did not run
SHARES, MOVED_PCT = 4, 5  # shares of the time listed, and the least movement reported, in percent of database time
PLANS = 5  # statements with a slower plan that are listed
WIDTH = 100


def subject(outcomes: list[Outcome]) -> str:
    """Return the subject line, which counts failures, new advice and regressions."""
    failed = sum(outcome.error is not None for outcome in outcomes)
    comparisons = [each for outcome in outcomes if (each := _compare_outcome(outcome))]
    parts = {
        "failed": failed,
        "new": sum(len(each.new) for each in comparisons),
        "worse": sum(len(each.worsened) for each in comparisons),
        "gone": sum(len(each.gone) for each in comparisons),
        HARMFUL: sum(each.kind == HARMFUL for outcome in outcomes for each in outcome.verdicts),
        "slower": sum(outcome.regressed is not None for outcome in outcomes),
        "with a slower plan": sum(len(outcome.slower_plans) for outcome in outcomes),
    }
    said = ", ".join(f"{number} {what}" for what, number in parts.items() if number)
    return f"db2tune: {count(len(outcomes), 'database')}, {said or 'nothing new'}"


def render(started: datetime, outcomes: list[Outcome]) -> str:
    """Return the summary as plain text with all names escaped: failures first, unchanged databases in one line each."""
    lines = [f"{subject(outcomes)}; night of {started:%Y-%m-%d}"]
    unchanged: list[Outcome] = []
    for outcome in sorted(outcomes, key=lambda outcome: outcome.error is None):
        if _is_unchanged(outcome):
            unchanged.append(outcome)
        else:
            lines += ["", outcome.database, *_block(outcome)]
    if unchanged:
        longest = max(len(outcome.database) for outcome in unchanged)
        lines += ["", "Unchanged", *(line for outcome in unchanged for line in _summarize_unchanged(outcome, longest))]
    return "\n".join(lines) + "\n"


def document(started: datetime, outcomes: list[Outcome]) -> dict[str, Any]:
    """Return the summary for programs; chat services show ``text``."""
    return {
        "schema": SCHEMA_VERSION,
        "night": f"{started:%Y-%m-%d}",
        "text": render(started, outcomes),
        "databases": [_entry(outcome) for outcome in outcomes],
    }


def as_json(started: datetime, outcomes: list[Outcome]) -> str:
    return json_text(document(started, outcomes))


def _compare_outcome(outcome: Outcome) -> Comparison[Line] | None:
    return compare_runs(outcome.compared, outcome.run) if outcome.compared and outcome.run else None


def _is_unchanged(outcome: Outcome) -> bool:
    """Return whether the summary has nothing to report but the list of the previous run."""
    run, before, what = outcome.run, outcome.compared, _compare_outcome(outcome)
    if outcome.error or outcome.notes or outcome.changes or outcome.verdicts or outcome.regressed:
        return False
    if outcome.slower_plans:
        return False
    if run is None or before is None or what is None or run.discarded or _find_moved_shares(run, before):
        return False
    return not (what.new or what.worsened or what.gone or what.accepted or what.unknown or _group_not_run(run, before))


def _summarize_unchanged(outcome: Outcome, longest: int) -> list[str]:
    """Return the line of an unchanged database."""
    assert outcome.run is not None
    ranked = outcome.run.ranked
    listed = f"{count(len(ranked), 'recommendation')}; first: {_line(ranked[0])}" if ranked else outcome.run.says
    return wrap(listed or "nothing to recommend", WIDTH, f"  {outcome.database:<{longest}}  ")


def _block(outcome: Outcome) -> list[str]:
    lines = _format_labelled("Error", outcome.error) if outcome.error else []
    lines += [line for note in outcome.notes for line in _format_labelled("Note", note)]
    if outcome.run is None:
        return lines
    run = outcome.run
    lines += _format_labelled("Database", run.about)
    lines += _format_labelled("Interval", run.interval)
    lines += _time(run, outcome.compared)
    lines += _describe_verdicts(outcome)
    lines += _verdicts(outcome)
    if outcome.regressed:
        lines += _format_labelled("Slower", describe_regression(outcome.regressed))
        lines += [
            line for each in outcome.regressed.beside for line in _format_labelled("", f"{each.about}: {each.text}")
        ]
    lines += _describe_plans(outcome)
    for line in run.ranked[:TOP]:
        lines += _format_labelled(f"Top {line.rank}", _line(line))
    if not run.ranked and not run.says:
        lines += _format_labelled("Top", "nothing to recommend")
    if run.says:
        lines += _format_labelled("Result", run.says)
    return lines + _format_not_run(run, outcome.compared)


def _time(run: Run, before: Run | None) -> list[str]:
    """Return the lines about time spent, with a query for each large share that no advice covers."""
    if not run.time_spent:
        return []
    moved = _find_moved_shares(run, before)
    lines = _format_labelled(
        "Time",
        ", ".join(
            f"{spent.title} {percent(spent.pct)}{moved.get(spent.bucket, '')}" for spent in run.time_spent[:SHARES]
        ),
    )
    for spent in run.time_spent:
        if spent.query:
            lines += _format_labelled(
                "Look", f"{spent.title} {percent(spent.pct)}, not covered by a recommendation: {spent.causes}"
            )
            lines += [f"            {query}" for query in queries(spent.query)]
    return lines


def _find_moved_shares(run: Run, before: Run | None) -> dict[str, str]:
    """Return the earlier value of each large share that moved, by its bucket."""
    was = {spent.bucket: spent.pct for spent in before.time_spent} if before else {}
    return {
        spent.bucket: f" (was {percent(was.get(spent.bucket, 0))})"
        for spent in run.time_spent[:SHARES]
        if was and abs(was.get(spent.bucket, 0) - spent.pct) >= MOVED_PCT
    }


def _describe_verdicts(outcome: Outcome) -> list[str]:
    lines = [line for change in outcome.changes or [] for line in _format_labelled("Changed", change.text)]
    what = _compare_outcome(outcome)
    if what is None:
        return [*lines, *_format_labelled("Before", "no earlier run to compare with")]
    said = [
        *(("New", _line(line)) for line in what.new),
        *(("Worse", f"{_line(pair.after)}; was {percent(pair.before.benefit)}") for pair in what.worsened),
        *(("Gone", f"{_line(line)}; {_explain_gone(line, outcome)}") for line in what.gone),
        *(("Accepted", _line(line)) for line in what.accepted),
        *(("Unknown", f"{_line(line)}; its rule did not run this time") for line in what.unknown),
    ]
    lines += [line for label, text in said for line in _format_labelled(label, text)]
    return lines if said else [*lines, *_format_labelled("Advice", "same as in the previous run")]


def _verdicts(outcome: Outcome) -> list[str]:
    """Return the lines about the verdicts that became final this night or are open, with undo commands."""
    lines = []
    for each in outcome.verdicts:
        about = "; ".join(change.text for change in each.changed)
        so_far = "" if each.final else "so far "
        lines += _format_labelled("Verdict", f"{about}: {so_far}{each.says}, {count(each.nights, 'night')}")
        assert each.verdict is not None  # verdicts of earlier nights are excluded
        lines += [line for reason in each.verdict.reasons for line in _format_labelled("", reason)]
        lines += [f"{'':<12}{make_printable(command)}" for command in show.undo(each.verdict, each.changed)]
    return lines


def _describe_plans(outcome: Outcome) -> list[str]:
    """Return the lines about statements with a slower plan, with what restores the earlier plan and its undo."""
    lines = []
    for each in outcome.slower_plans[:PLANS]:
        lines += _format_labelled("Plan", statements.describe_slower_plan(each))
    if len(outcome.slower_plans) > PLANS:
        lines += _format_labelled("", f"and {count(len(outcome.slower_plans) - PLANS, 'other statement')}")
    if lines:
        lines += [*_format_labelled("", statements.RESTORE), *_format_labelled("", statements.UNDO)]
    return lines


def _explain_gone(line: Line, outcome: Outcome) -> str:
    """Return the reason why a recommendation is no longer in the list."""
    if is_carried_out(line, outcome.changes or []):
        return "carried out"
    now = {other.key: other for other in (outcome.run.lines if outcome.run else ())}
    left_out = now[line.key].superseded_by if line.key in now else None
    return f"now left out: {left_out}" if left_out else "no longer found"


def _group_not_run(run: Run, before: Run | None) -> dict[str, set[str]]:
    """Return the rules that did not run, by reason. Reasons of the previous run are left out."""
    known = {reason for _, said in (before.not_run if before else ()) for reason in split_reasons(said)}
    rules: dict[str, set[str]] = {}
    for rule, said in run.not_run:
        for reason in split_reasons(said):
            if reason not in known:
                rules.setdefault(reason, set()).add(rule)
    return rules


def _format_not_run(run: Run, before: Run | None) -> list[str]:
    """Return the lines about rules that did not run, most common reason first."""
    lines = _format_labelled("Discarded", run.discarded) if run.discarded else []
    rules = _group_not_run(run, before)
    most = sorted(rules, key=lambda reason: (-len(rules[reason]), reason))
    for reason in most[:REASONS]:
        lines += _format_labelled("Not run", f"{count(len(rules[reason]), 'rule')}: {reason}")
    if len(most) > REASONS:
        lines += _format_labelled("", f"and {count(len(most) - REASONS, 'other reason')}")
    return lines


def _format_labelled(label: str, text: str) -> list[str]:
    return wrap(text, WIDTH, f"  {label:<10}")


def _line(line: Line) -> str:
    benefit = f"{percent(line.benefit)} " if line.promises_time else ""
    return f"{benefit}{line.title} [{line.rule}]"


def _entry(outcome: Outcome) -> dict[str, Any]:
    run, what = outcome.run, _compare_outcome(outcome)
    return {
        "database": outcome.database,
        "error": outcome.error,
        "notes": outcome.notes,
        "fresh": outcome.fresh,
        "run": None if run is None else _run(run),
        "changes": None if outcome.changes is None else [asdict(change) for change in outcome.changes],
        "new": _lines(what.new if what else []),
        "worse": [_worse_as_json(pair) for pair in (what.worsened if what else [])],
        "gone": [asdict(line) | {"why": _explain_gone(line, outcome)} for line in (what.gone if what else [])],
        "accepted": _lines(what.accepted if what else []),
        "unknown": _lines(what.unknown if what else []),
        "verdicts": [
            {"nights": each.nights, **show.document(each.verdict, each.changed), "final": each.final}
            for each in outcome.verdicts
            if each.verdict
        ],
        "regression": None if outcome.regressed is None else as_entry(outcome.regressed),
        "slower_plans": [asdict(each) for each in outcome.slower_plans],
        "compared_with": outcome.compared.started_at.isoformat() if outcome.compared else None,
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "about": run.about,
        "started_at": run.started_at.isoformat(),
        "interval": run.interval,
        "discarded": run.discarded,
        "capture": run.capture,
        "says": run.says,
        "time_spent": [asdict(spent) for spent in run.time_spent],
        "top": _lines(run.ranked[:TOP]),
        "metrics": [asdict(metric) for metric in run.metrics],
        "not_run": [{"rule": rule, "reason": reason} for rule, reason in run.not_run],
    }


def _worse_as_json(pair: Pair[Line]) -> dict[str, Any]:
    return asdict(pair.after) | {"benefit_before": pair.before.benefit}


def _lines(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [asdict(line) for line in lines]
