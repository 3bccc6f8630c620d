"""The report as Markdown, for tickets, wikis and mail."""

import re

from advisor.catalogue.lanes import Lane
from advisor.judge.advice import Recommendation
from advisor.report import grouped, next_text, spent, statements, summary, text
from advisor.report.confirm import queries
from advisor.report.selection import Selection


def render(selection: Selection, everything: bool = False) -> str:
    advice = selection.advice
    level = advice.database["level"]
    parts = [
        f"# Tuning advice for {escape(advice.database['name'])}",
        "\n".join(f"- {name}: {escape(value)}" for name, value in text.about(advice).items()),
        *_summary(selection),
    ]
    top = statements.shown(advice.statements, everything)
    if shares := spent.rows(advice.time_spent, everything):
        cells = [list(row.cells) for row in shares]
        parts += [f"## {spent.HEADING}", tabled(["time", "share", "claimed"], cells)]
        parts += [
            f"**{escape(title)}** {escape(said)}".rstrip() + (f"\n\n{fenced(query)}" if query else "")
            for title, said, query in spent.notes(advice.time_spent, level, listed=bool(top))
        ]
    elif selection.ranked:
        parts.append(escape(advice.time_spent.says))
    if top:
        cells = [[*statements.figures(item), statements.begin(item), statements.said(item)] for item in top]
        parts += [
            f"## {statements.title(advice.statements, top)}",
            tabled([*statements.HEADERS, "text", "statement"], cells),
        ]
    for lane, items in selection.by_lane():
        told = _told(lane, items, selection.in_full(everything))
        parts += [
            f"## {lane.heading}",
            _overview(lane, items),
            *(_section(item, level) for item in told),
        ]
    if left_out := selection.left_out():
        parts.append(f"Not shown: {left_out}.")
    if selection.suppressed:
        rows = [
            [item.rule.name, text.thing(item), text.percent(item.benefit), text.left_out_by(item)]
            for item in selection.suppressed
        ]
        parts += ["## Suppressed", tabled(["rule", "object", "benefit", "by"], rows)]
    asked = selection.asked(everything)
    if not everything and (wanted := next_text.parts(advice)):
        parts += [escape(wanted[0]), fenced(wanted[1]), *map(escape, wanted[2:])]
    else:
        parts += _grouped("Could not run", selection.reasons())
    parts += _grouped("Questions", asked)
    if asked:
        parts.append(escape(text.HOW_TO_ANSWER))
    if not selection.not_run and selection.ranked:
        parts.append(summary.ALL_RAN)
    return "\n\n".join(parts) + "\n"


def _summary(selection: Selection) -> list[str]:
    """The urgent changes, a line per recommendation, the total, and what was not checked."""
    if nothing := selection.nothing():
        return [nothing]
    parts = [
        f"**Urgent: {escape(summary.short_title([item]))}**; {escape(text.consequence(item))} (rank {item.rank})"
        for item in summary.urgent(selection)
    ]
    for lane, rows in summary.rows(selection):
        parts += [f"{lane.heading}:", tabled(list(summary.COLUMNS), [row.cells for row in rows])]
    closing = {"Total": summary.total(selection), "Not checked": summary.missing(selection)}
    return parts + [f"{name}: {escape(said)}." for name, said in closing.items() if said]


def _grouped(heading: str, groups: dict[str, list[str]]) -> list[str]:
    """Each reason or question with the rules that it concerns."""
    lines = (f"- {escape(reason)} ({', '.join(rules)})" for reason, rules in groups.items())
    return [f"## {heading}", "\n".join(lines)] if groups else []


def _told(lane: Lane, items: list[Recommendation], in_full: bool) -> list[Recommendation]:
    """Those of a lane that have a section each."""
    if in_full or not (lane.brief or lane.grouped):
        return items
    return [] if lane.brief else [group[0] for group in grouped.groups(items)]


def _overview(lane: Lane, items: list[Recommendation]) -> str:
    columns = {"#": [str(item.rank) for item in items]}
    if lane.by_benefit:
        columns["benefit (low..high)"] = [f"{text.percent(item.benefit)} ({text.spread(item)})" for item in items]
        columns["after above"] = [text.percent(item.benefit_after) for item in items]
    if lane.by_severity:
        columns["severity"] = [text.severity(item) for item in items]
    columns["confidence"] = [text.confidence(item.confidence) for item in items]
    columns["effect"] = [text.EFFECTS[item.rule.effect] for item in items]
    columns["what"] = [text.title(item) for item in items]
    return tabled(list(columns), [list(row) for row in zip(*columns.values(), strict=True)])


def _section(item: Recommendation, level: str | None) -> str:
    parts = [
        f"### {item.rank}. {escape(text.title(item))}",
        escape(text.finding(item)),
        *([f"**{escape(text.accepted(item) or '')}**"] if item.accepted else []),
        f"Do:\n\n{code(item.actions)}",
        f"Undo:\n\n{code(item.undo)}",
    ]
    if confirm := queries(item.rule.query, level):
        parts.append("Confirm:\n\n" + fenced("\n".join(confirm)))
    if item.memory_delta_kb:
        parts.append(f"Memory: {text.memory(item.memory_delta_kb)}")
    evidence = ", ".join(f"{name} = {value}" for name, value in item.evidence.items())
    return "\n\n".join([*parts, f"Evidence: {escape(evidence)}. Rule: `{text.description(item.rule)}`."])


# What makes a heading, a list, a quotation or a rule of a line, where it begins with it.
_BLOCK = re.compile(r"^(\s*(?:\d{1,9})?)(#{1,6}(?=\s|$)|[-+](?=\s)|[.)](?=\s|$)|>|-{3,}\s*$|={3,}\s*$)")


def code(lines: list[str]) -> str:
    """Commands in code blocks, text for a person as a list, in their order."""
    return "\n\n".join(
        "\n".join(f"- {escape(line)}" for line in run) if by_hand else fenced("\n".join(run))
        for by_hand, run in text.commands(lines)
    )


def fenced(block: str) -> str:
    """A code block whose fence is longer than any run of backticks inside it."""
    longest = max((len(run) for run in re.findall("`+", block)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sql\n{block}\n{fence}"


def tabled(headers: list[str], rows: list[list[str]]) -> str:
    """A table whose cells are text."""
    lines = [headers, ["---"] * len(headers), *([escape(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escape(value: str) -> str:
    """Text that Markdown and the HTML made of it show as it is."""
    value = text.safe(value).replace("&", "&amp;").replace("<", "&lt;")
    value = _BLOCK.sub(r"\1\\\2", value)
    value = re.sub(r"([\\`|*\[\]~])", r"\\\1", value)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", value)
