"""Output of ``db2tune fleet``: terminal, Markdown and JSON."""

from typing import Any

from tabulate import tabulate

from advisor.catalogue.lanes import lane_of
from advisor.errors import list_some
from advisor.fleet.estate import UNREAD, Estate, FleetAdvice, Surveyed
from advisor.report.markdown import escape, format_table
from advisor.report.output import Paint, plain
from advisor.report.text import count, json_text, make_printable, percent, wrap
from advisor.report.values import head

MAX_CHANGES, MAX_NAMES = 10, 3  # changes, and names of databases per change, without --all
HEADING = "Best changes across all databases"
OTHERS = "Other advice"
SAVED = (
    "Savings are in active sessions: the benefit of a change in percent of database time, times the average active"
    " sessions of that database. Changes without measured load are last."
)
NOTHING = "No changes that save database time."
COLUMNS = ("database", "health", "risks", "benefit", "active", "saved", "manual")
_COLOURS = {UNREAD: "red", "at risk": "red", "not judged": "yellow", "unexplained": "yellow"}
_INDENT = " " * 4


def render(estate: Estate, width: int, paint: Paint = plain, everything: bool = False) -> str:
    """Return the databases, the list of the fleet and other advice. ``everything`` shortens nothing."""
    lines = [*wrap(summary(estate), width), "", *_databases(estate, paint)]
    for one in estate.databases:
        for said in (one.error, one.note):
            lines += wrap(f"{one.name}: {said}", width, "  - ") if said else []
    saving = estate.saving if everything else estate.saving[:MAX_CHANGES]
    lines += ["", paint(heading(len(saving), len(estate.saving)), bold=True)]
    lines += wrap(SAVED, width) if saving else [NOTHING]
    for number, change in enumerate(saving, 1):
        head = f"{number:>3} {figures(change)}"
        lines += ["", paint(head, fg="green"), *_change(change, width, paint, everything)]
    shown = _select_others(estate, everything)
    if shown:
        lines += ["", paint(OTHERS, bold=True)]
    for change in shown:
        lines += _change(change, width, paint, everything, f"{lane_of(change.lane).name}: ")
    if more := len(estate.changes) - len(saving) - len(shown):
        lines += ["", f"Not shown: {count(more, 'change')}; --all shows all changes and names."]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def summary(estate: Estate) -> str:
    """Return the number of databases per health, and their load."""
    words = ", ".join(f"{number} {word}" for word, number in estate.health().items())
    load = "no load was measured" if estate.sessions is None else f"{estate.sessions:.1f} active sessions on average"
    return f"{count(len(estate.databases), 'database')}: {words}; {load}"


def heading(shown: int, of: int) -> str:
    return HEADING if shown == of else f"{HEADING} ({shown} of {of})"


def row(one: Surveyed) -> list[str]:
    """Return the COLUMNS of a database as text. Unknown values are empty."""
    if one.error and not one.about:
        return [make_printable(one.name), one.health, "", "", "", "", ""]
    return [
        make_printable(one.name),
        one.health,
        str(one.risks),
        percent(one.promised_pct) if one.judged or one.promised_pct else "",
        "" if one.sessions is None else f"{one.sessions:.1f}",
        "" if one.saved_sessions is None or not one.judged else f"{one.saved_sessions:.1f}",
        "" if one.by_hand is None else str(one.by_hand),
    ]


def format_saved(change: FleetAdvice) -> str:
    """Return the savings of a change as text."""
    if change.saved is None:
        return "no load was measured"
    return f"{change.saved:.2f} sessions" if change.saved < 1 else f"{change.saved:.1f} sessions"


def spread(change: FleetAdvice) -> str:
    """Return the range of a change's benefit on the databases, in percent."""
    low, high = percent(change.low_pct), percent(change.high_pct)
    return high if low == high else f"{change.low_pct:.1f}..{high}"


def format_extent(change: FleetAdvice) -> str:
    """Return the number of databases, and of objects if these are more."""
    databases = count(len(change.on), "database")
    return databases if change.objects == len(change.on) else f"{databases}, {count(change.objects, 'object')}"


def figures(change: FleetAdvice) -> str:
    """Return the figures of a change that saves time, as one line."""
    unmeasured = change.unmeasured if change.saved is not None else 0
    rest = f", {unmeasured} of them without load" if unmeasured else ""
    return f"{format_saved(change)}, {spread(change)} of database time, on {format_extent(change)}{rest}"


def names(change: FleetAdvice, everything: bool = False) -> str:
    """Return the databases of a change, most saved first."""
    found = [make_printable(one.name) for one in change.on]
    return list_some(found, len(found) if everything or len(found) <= MAX_NAMES + 1 else MAX_NAMES)


def _select_others(estate: Estate, everything: bool) -> list[FleetAdvice]:
    """Return the changes without savings that the output contains."""
    told = [change for change in estate.others if not lane_of(change.lane).brief]
    return estate.others if everything else told[:MAX_CHANGES]


def _databases(estate: Estate, paint: Paint) -> list[str]:
    rows = [row(one) for one in estate.databases]
    header, *lines = tabulate(
        [COLUMNS, *rows],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["left"] * 2 + ["right"] * (len(COLUMNS) - 2),
    ).splitlines()
    painted = (paint(line, fg=_COLOURS.get(one.health)) for line, one in zip(lines, estate.databases, strict=True))
    return [paint(header, dim=True), *painted]


def _change(change: FleetAdvice, width: int, paint: Paint, everything: bool, lane: str = "") -> list[str]:
    title = wrap(f"{lane}{change.title} [{change.rule}]", width, _INDENT)
    on = f"on {format_extent(change)}: {names(change, everything)}" if lane else f"on {names(change, everything)}"
    return [*(paint(line, bold=True) for line in title), *wrap(on, width, _INDENT)]


def markdown(estate: Estate, everything: bool = False) -> str:
    """Return Markdown, shortened like ``render``."""
    saving = estate.saving if everything else estate.saving[:MAX_CHANGES]
    parts = [f"# {escape(summary(estate))}", format_table(list(COLUMNS), [row(one) for one in estate.databases])]
    said = [f"- {escape(f'{one.name}: {text}')}" for one in estate.databases for text in (one.error, one.note) if text]
    parts += ["\n".join(said)] if said else []
    parts += [f"## {heading(len(saving), len(estate.saving))}", SAVED if saving else NOTHING]
    if saving:
        cells = [
            [
                change.title,
                change.rule,
                format_saved(change),
                spread(change),
                format_extent(change),
                names(change, everything),
            ]
            for change in saving
        ]
        parts.append(format_table(["change", "rule", "saved", "benefit", "on", "databases"], cells))
    if others := _select_others(estate, everything):
        cells = [
            [lane_of(each.lane).name, each.title, each.rule, format_extent(each), names(each, everything)]
            for each in others
        ]
        parts += [f"## {OTHERS}", format_table(["about", "change", "rule", "on", "databases"], cells)]
    return "\n\n".join(parts) + "\n"


def as_json(estate: Estate) -> str:
    """Return JSON by docs/fleet.schema.json, complete."""
    return json_text(
        {
            **head(),
            "databases": [_database_entry(one) for one in estate.databases],
            "changes": [_change_entry(change) for change in estate.changes],
        }
    )


def _database_entry(one: Surveyed) -> dict[str, Any]:
    return {
        "database": one.name,
        "health": one.health_code,
        "error": one.error,
        "note": one.note,
        "about": one.about or None,
        "interval": one.interval or None,
        "risks": one.risks,
        "promised_pct": round(one.promised_pct, 4),
        "active_sessions": one.sessions,
        "saved_sessions": None if one.saved_sessions is None else round(one.saved_sessions, 4),
        "by_hand": one.by_hand,
    }


def _change_entry(change: FleetAdvice) -> dict[str, Any]:
    return {
        "rule": change.rule,
        "title": change.title,
        "lane": change.lane,
        "databases": [one.name for one in change.on],
        "objects": change.objects,
        "promised_pct": {"low": round(change.low_pct, 4), "high": round(change.high_pct, 4)},
        "saved_sessions": None if change.saved is None else round(change.saved, 4),
        "without_load": change.unmeasured,
    }
