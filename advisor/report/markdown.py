"""The report as Markdown, for tickets, wikis and mail."""

import re
from typing import Any

from advisor.catalogue.lanes import Lane
from advisor.judgement.advice import Recommendation
from advisor.report import blocks, evidence, lock_chains, next_text, spent, statements, summary, text
from advisor.report.confirm import queries
from advisor.report.selection import Selection


def render(selection: Selection, everything: bool = False) -> str:
    advice = selection.advice
    parts = [
        f"# Tuning advice for {escape(advice.database['name'])}",
        "\n".join(f"- {name}: {escape(value)}" for name, value in text.describe_advice(advice).items()),
        *_summary(selection),
    ]
    top = statements.select_statements(advice.statements, everything)
    if shares := spent.rows(advice.time_spent, everything):
        cells = [list(row.cells) for row in shares]
        parts += [f"## {spent.HEADING}", format_table(["time", "share", "claimed"], cells)]
        parts += [
            f"**{escape(title)}** {escape(said)}".rstrip() + (f"\n\n{fence_block(query)}" if query else "")
            for title, said, query in spent.notes(advice.time_spent, advice.database, listed=bool(top))
        ]
    elif selection.ranked:
        parts.append(escape(advice.time_spent.says))
    if top:
        cells = [[*statements.figures(item), statements.begin(item), statements.format_facts(item)] for item in top]
        parts += [
            f"## {statements.title(advice.statements, top)}",
            format_table([*statements.HEADERS, "text", "statement"], cells),
        ]
    if chains := lock_chains.lines(advice.lock_chains):
        _, heading, *tree = chains
        parts += [f"## {heading}", fence_block("\n".join(tree), "text")]
    for lane, items in selection.group_by_lane():
        told = _select_sections(lane, items, selection.shows_full(everything))
        parts += [f"## {lane.heading}", _overview(lane, items), *(_section(item, advice.database) for item in told)]
    if left_out := selection.describe_left_out():
        parts.append(f"Not shown: {left_out}.")
    if selection.suppressed:
        rows = [
            [item.rule.name, text.thing(item), text.percent(item.benefit), text.explain_suppression(item)]
            for item in selection.suppressed
        ]
        parts += ["## Suppressed", format_table(["rule", "object", "benefit", "by"], rows)]
    if advice.in_text and (lacking := selection.describe_open()):
        parts.append(f"Not judged: {lacking}.")
    asked = selection.group_questions(everything)
    if not everything and (wanted := next_text.parts(advice)):
        parts += [escape(wanted[0]), fence_block(wanted[1]), *map(escape, wanted[2:])]
    else:
        parts += _format_groups("Could not run", selection.group_reasons())
    parts += _format_groups("Questions", asked)
    if asked:
        parts.append(escape(text.HOW_TO_ANSWER))
    if not selection.not_run and selection.ranked:
        parts.append(summary.ALL_RAN)
    return "\n\n".join(parts) + "\n"


def _summary(selection: Selection) -> list[str]:
    """Return the urgent changes, a line per recommendation, the total, and the unchecked rules."""
    if not selection.ranked:
        passed = selection.describe_passed()
        return [summary.verdict(selection), *([f"Passed: {passed}."] if passed else [])]
    urgent = (
        f"**Urgent: {escape(summary.format_short_title(group))}**; {escape(summary.describe_urgent(group))}"
        for group in summary.group_urgent(selection)
    )
    parts = [summary.verdict(selection), *urgent]
    for lane, rows in summary.rows(selection):
        parts += [f"{lane.heading}:", format_table(list(summary.COLUMNS), [row.cells for row in rows])]
    closing = {"Total": summary.total(selection), "Not checked": summary.missing(selection)}
    return parts + [f"{name}: {escape(said)}." for name, said in closing.items() if said]


def _format_groups(heading: str, groups: dict[str, list[str]]) -> list[str]:
    """Return each reason or question with its rules."""
    lines = (f"- {escape(reason)} ({', '.join(rules)})" for reason, rules in groups.items())
    return [f"## {heading}", "\n".join(lines)] if groups else []


def _select_sections(lane: Lane, items: list[Recommendation], in_full: bool) -> list[Recommendation]:
    """Return the recommendations of a lane that have their own section."""
    if in_full or not (lane.brief or lane.grouped):
        return items
    return [] if lane.brief else [group[0] for group in blocks.groups(items)]


def _overview(lane: Lane, items: list[Recommendation]) -> str:
    columns = {"#": [str(item.rank) for item in items]}
    if lane.by_benefit:
        columns["benefit (low..high)"] = [f"{text.percent(item.benefit)} ({text.spread(item)})" for item in items]
        columns["after above"] = [text.percent(item.benefit_after) for item in items]
    if lane.by_severity:
        columns["severity"] = [text.severity(item) for item in items]
    columns["confidence"] = [text.confidence(item.confidence) for item in items]
    columns["effect"] = [text.EFFECTS[item.effect] for item in items]
    columns["what"] = [text.title(item) for item in items]
    return format_table(list(columns), [list(row) for row in zip(*columns.values(), strict=True)])


def _section(item: Recommendation, database: dict[str, Any]) -> str:
    parts = [
        f"### {item.rank}. {escape(text.title(item))}",
        escape(text.finding(item)),
        *([f"**{escape(text.describe_acceptance(item) or '')}**"] if item.accepted else []),
        f"Do:\n\n{code(item.actions)}",
        f"Undo:\n\n{code(item.undo)}",
    ]
    if confirm := queries(item.rule.query, database, item):
        parts.append("Confirm:\n\n" + fence_block("\n".join(confirm)))
    if item.memory_delta_kb:
        parts.append(f"Memory: {text.memory(item.memory_delta_kb)}")
    seen = ", ".join(f"{name} = {value}" for name, value in evidence.pairs(item))
    return "\n\n".join([*parts, f"Evidence: {escape(seen)}. Rule: `{text.description(item.rule)}`."])


# What makes a heading, a list, a quotation or a rule of a line, where it begins with it.
_BLOCK = re.compile(r"^(\s*(?:\d{1,9})?)(#{1,6}(?=\s|$)|[-+](?=\s)|[.)](?=\s|$)|>|-{3,}\s*$|={3,}\s*$)")


def code(lines: list[str]) -> str:
    """Return commands as code blocks and other text as a list, in their order."""
    return "\n\n".join(
        "\n".join(f"- {escape(line)}" for line in run) if by_hand else fence_block("\n".join(run))
        for by_hand, run in text.commands(lines)
    )


def fence_block(block: str, language: str = "sql") -> str:
    """Return a code block whose fence is longer than any run of backticks inside it."""
    longest = max((len(run) for run in re.findall("`+", block)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{block}\n{fence}"


def format_table(headers: list[str], rows: list[list[str]]) -> str:
    """Return a table whose cells are text."""
    lines = [headers, ["---"] * len(headers), *([escape(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escape(value: str) -> str:
    """Return text that Markdown and its HTML show unchanged."""
    value = text.make_printable(value).replace("&", "&amp;").replace("<", "&lt;")
    value = _BLOCK.sub(r"\1\\\2", value)
    value = re.sub(r"([\\`|*\[\]~])", r"\\\1", value)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", value)
