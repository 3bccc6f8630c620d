"""The summary of a night: per database the changes, new, gone and worse advice, and the top of the list.

Changes come first, because a DBA first asks for the changes since last night.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from advisor.capture.lessons import HARMFUL
from advisor.errors import list_some
from advisor.judgement.comparison import Comparison
from advisor.nightly.changed import is_carried_out
from advisor.nightly.database import Outcome
from advisor.nightly.estate import sort_worst_first, survey_run
from advisor.nightly.history_show import run_as_json, shorten
from advisor.nightly.runs import Line, Run, compare_runs
from advisor.report.confirm import queries
from advisor.report.fail_on import URGENT_SEVERITIES, severity_of
from advisor.report.selection import split_reasons
from advisor.report.text import count, json_text, make_printable, percent, wrap
from advisor.report.values import head
from advisor.verify import show, statements
from advisor.verify.regressed import as_entry, describe_regression

TOP = 3
REASONS = 3  # reasons listed for rules that did not run
SHARES, MOVED_PCT = 4, 5  # shares of the time listed, and the least movement reported, in percent of database time
PLANS = LISTED = 5  # statements with a slower plan, and items of one kind of news, that are listed
WIDTH = 100
LINES = 60  # the most lines of a summary of many databases
GROUPS, NAMED = 12, 3  # reasons or risks listed, and databases named for each


def subject(outcomes: list[Outcome]) -> str:
    """Return the subject line, which counts failures, new advice and regressions."""
    parts = Counter({"failed": sum(outcome.error is not None for outcome in outcomes)})
    for outcome in outcomes:
        parts.update(_count_news(outcome))
    parts["for the first time"] = sum(bool(outcome.run and not outcome.compared) for outcome in outcomes)
    return f"db2tune: {count(len(outcomes), 'database')}, {_list_counts(parts) or 'nothing new'}"


def _count_news(outcome: Outcome) -> dict[str, int]:
    what = _compare_outcome(outcome)
    return {
        "new": len(what.new) if what else 0,
        "worse": len(what.worsened) if what else 0,
        "gone": len(what.gone) if what else 0,
        HARMFUL: sum(each.kind == HARMFUL for each in outcome.verdicts),
        "slower": int(outcome.regressed is not None),
        "with a slower plan": len(outcome.slower_plans),
    }


def _list_counts(parts: dict[str, int]) -> str:
    return ", ".join(f"{number} {what}" for what, number in parts.items() if number)


def render(started: datetime, outcomes: list[Outcome], overview: str = "") -> str:
    """Return the summary as plain text with all names escaped, worst database first.

    It has at most LINES lines, unless only one database has news: the worst databases with news are in full, the others
    in one line each. ``overview`` shows all advice.
    """
    outcomes = sort_worst_first(outcomes)
    news = [each for each in outcomes if (each.run or each.notes) and not _is_unchanged(each)]
    foot = ["", f"All advice: {overview}"] if overview else []
    full: list[Outcome] = []
    for each in news:
        if len(news) - len(full) > LINES:  # those that remain need a line each
            break
        if len(news) == 1 or len(_list_sections(outcomes, news, [*full, each])) < LINES - len(foot):
            full.append(each)
    lines = [f"{subject(outcomes)}; night of {started:%Y-%m-%d}", *_list_sections(outcomes, news, full)]
    if (more := len(lines) + len(foot) - LINES) > 0 and len(full) < len(news):
        lines[-more - 1 :] = [f"and {more + 1} more lines"]
    return "\n".join([*lines, *foot]) + "\n"


def _list_sections(outcomes: list[Outcome], news: list[Outcome], full: list[Outcome]) -> list[str]:
    """Return the lines below the first one, with the blocks of ``full``. No section is empty."""
    shown = {each.database for each in full}
    brief = [each for each in news if each.database not in shown]
    unchanged = [each for each in outcomes if _is_unchanged(each)]
    errors = [(each.error, each.database, each.failing_since) for each in outcomes if each.error]
    risks = [risk for each in [*brief, *unchanged] for risk in _find_risks(each)]
    risks.sort(key=lambda risk: risk[1] not in URGENT_SEVERITIES)
    same = [("same advice as in the previous run", each.database, None) for each in unchanged]
    sections = [
        ("Failed", _group(errors)),
        ("At risk", _group((text, database, since) for text, _, database, since in risks)),
        *((each.database, _block(each)) for each in full),
        ("In brief", _summarize(brief)),
        ("Unchanged", _summarize(unchanged) if len(unchanged) <= NAMED else _group(same)),
    ]
    return [line for heading, lines in sections if lines for line in ("", heading, *lines)]


def _group(found: Iterable[tuple[str, str, date | None]]) -> list[str]:
    """Return one entry per text, with the databases that share it and its first night on one of them."""
    groups: dict[str, dict[str, date | None]] = {}
    for text, database, since in found:
        groups.setdefault(text, {})[database] = since
    lines = []
    for text, on in list(groups.items())[:GROUPS]:
        many = f"{len(on)} databases, " if len(on) > NAMED else ""
        first = min(filter(None, on.values()), default=None)
        lines += wrap(f"{text}: {many}{list_some(list(on), NAMED)}{_format_since(first)}", WIDTH, "  ", "    ")
    return [*lines, f"  and {len(groups) - GROUPS} more"] if len(groups) > GROUPS else lines


def _find_risks(outcome: Outcome) -> Iterator[tuple[str, str | None, str, date | None]]:
    """Yield the rules with recommendations about risks: title, severity, database and first night."""
    if outcome.run:
        for rule, title in {item.rule: item.title for item in survey_run(outcome.run).found if item.at_risk}.items():
            nights = (outcome.since.get(line.key) for line in outcome.run.ranked if line.rule == rule)
            yield f"{title} [{rule}]", severity_of(rule), outcome.database, min(filter(None, nights), default=None)


def _format_since(night: date | None) -> str:
    return f"; since {night:%Y-%m-%d}" if night else ""


def document(started: datetime, outcomes: list[Outcome], overview: str = "") -> dict[str, Any]:
    """Return the summary for programs; chat services show ``text``."""
    return {
        **head(),
        "night": f"{started:%Y-%m-%d}",
        "text": render(started, outcomes, overview),
        "databases": [_entry(outcome) for outcome in outcomes],
    }


def as_json(started: datetime, outcomes: list[Outcome], overview: str = "") -> str:
    return json_text(document(started, outcomes, overview))


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


def _summarize(outcomes: list[Outcome]) -> list[str]:
    """Return one line per database, without its risks, which are listed together."""
    longest = max((len(each.database) for each in outcomes), default=0)
    lines = (f"  {each.database:<{longest}}  {_describe_list(each)}" for each in outcomes)
    return [shorten(make_printable(line), WIDTH) for line in lines]


def _describe_list(outcome: Outcome) -> str:
    """Return the number of news and recommendations, and the first of these that is not about a risk."""
    run, what = outcome.run, _compare_outcome(outcome)
    parts = [_list_counts(_count_news(outcome))]
    if run and run.ranked:
        lines = [*what.new, *(pair.after for pair in what.worsened), *run.ranked] if what else run.ranked
        risks = {item.rule for item in survey_run(run).found if item.at_risk}
        parts += [count(len(run.ranked), "recommendation")]
        parts += [f"first: {_line(line)}" for line in lines if line.rule not in risks][:1]
    elif run:
        parts.append(run.says or "nothing to recommend")
    return "; ".join(filter(None, parts))


def _block(outcome: Outcome) -> list[str]:
    lines = [line for note in outcome.notes for line in _format_labelled("Note", note)]
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
    what = _compare_outcome(outcome)
    listed = [*what.new, *(pair.after for pair in what.worsened)] if what else []
    for line in run.ranked[:TOP]:
        if line not in listed:
            first = _format_since(outcome.since.get(line.key))
            lines += _format_labelled(f"Top {line.rank}", f"{_line(line)}{first}")
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
    said = {
        "New": [_line(line) for line in what.new],
        "Worse": [f"{_line(pair.after)}; was {percent(pair.before.benefit)}" for pair in what.worsened],
        "Gone": [f"{_line(line)}; {_explain_gone(line, outcome)}" for line in what.gone],
        "Accepted": [_line(line) for line in what.accepted],
        "Unknown": [f"{_line(line)}; its rule did not run this time" for line in what.unknown],
    }
    for label, texts in said.items():
        more = [f"and {len(texts) - LISTED} more"] if len(texts) > LISTED else []
        lines += [line for text in [*texts[:LISTED], *more] for line in _format_labelled(label, text)]
    return lines if any(said.values()) else [*lines, *_format_labelled("Advice", "same as in the previous run")]


def _verdicts(outcome: Outcome) -> list[str]:
    """Return the lines about the verdicts that became final this night or are open, with undo commands."""
    lines = []
    for each in outcome.verdicts:
        about = "; ".join(change.text for change in each.changed)
        so_far = "" if each.final else "so far "
        lines += _format_labelled("Verdict", f"{about}: {so_far}{each.says}, {count(each.nights, 'night')}")
        assert each.verdict is not None  # verdicts of earlier nights are excluded
        lines += [line for reason in each.verdict.reasons for line in _format_labelled("", reason)]
        lines += [line for said in show.describe_promised(each.verdict) for line in _format_labelled("", said)]
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
        "failing_since": outcome.failing_since.isoformat() if outcome.failing_since else None,
        "notes": outcome.notes,
        "fresh": outcome.fresh,
        "run": None
        if run is None
        else run_as_json(run)
        | {
            "top": _lines(run.ranked[:TOP]),
            "not_run": [{"rule": rule, "reason": reason} for rule, reason in run.not_run],
        },
        "changes": None if outcome.changes is None else [asdict(change) for change in outcome.changes],
        "new": _lines(what.new if what else []),
        "worse": [
            asdict(pair.after) | {"benefit_before": pair.before.benefit} for pair in (what.worsened if what else [])
        ],
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


def _lines(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [asdict(line) for line in lines]
