"""The HTML page of ``db2tune fleet``: databases, worst first, and the changes that save most."""

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from markupsafe import Markup

from advisor.catalogue.lanes import lane_of
from advisor.catalogue.rules import all_rules
from advisor.fleet import show
from advisor.fleet.estate import HEALTH, Estate, FleetAdvice, Found, Surveyed
from advisor.report import pages
from advisor.report.drawing import bar, trend
from advisor.report.pages import Column, Drawn, escape
from advisor.report.statements import format_number
from advisor.report.text import count, percent

# CSS class per health of a database.
_KINDS = {"unread": "bad", "at risk": "bad", "not judged": "warn", "unexplained": "warn"}
_COLUMNS = (Column("Change"), Column("Saved"), Column("Benefit"), Column("Databases"))

_SAME_DAY = re.compile(r"^(\S+) (\S+) to \1 ")


def render(estate: Estate, rule_pages: Mapping[str, str] | None = None) -> str:
    """Return the page. Fold long lists of names, and omit nothing.

    ``rule_pages`` are links by rule. A page with such links is searchable.
    """
    saving = estate.saving
    largest = max((change.saved or 0 for change in saving), default=0) or 1
    return pages.render(
        "fleet.html",
        f"Tuning advice for {count(len(estate.databases), 'database')}",
        about=_describe_fleet(estate),
        heads=[name.capitalize() for name in show.COLUMNS],
        databases=[(one, show.row(one), _KINDS.get(one.health, "")) for one in estate.databases],
        order=list(HEALTH).index,
        compared=any(one.new is not None for one in estate.databases),
        news=[(one, item, _benefit(item)) for one in estate.databases for item in one.new or ()],
        courses=any(len(one.trend) > 1 for one in estate.databases),
        trend=trend,
        moved=_describe_trend,
        read=_read,
        failed=estate.failed,
        columns=_COLUMNS,
        drawn_of=[_draw_change(change, largest) for change in saving[: show.MAX_CHANGES]],
        changes=list(_format_changes(saving)),
        others=list(_format_changes(estate.others)),
        nothing=show.NOTHING,
        saved=show.SAVED,
        named=show.MAX_NAMES,
        rule_pages=rule_pages or {},
        rules=all_rules(),
        scripts=["copy", "sort", *(["search"] if rule_pages is not None else [])],
        searchable=rule_pages is not None,
    )


def render_rule(rule: str, databases: Sequence[Surveyed], links: Mapping[str, str]) -> str:
    """Return the page of a rule's advice for all databases. It is in a folder next to those of the databases."""
    found = [(one, item) for one in databases for item in one.found if item.rule == rule]
    return pages.render(
        "fleet_rule.html",
        found[0][1].title,
        links=links,
        rule=all_rules().get(rule),  # None for rules of a site
        scripts=["copy", "sort", "search"],
        searchable=True,
        about={"Rule": rule, "Found on": f"{count(len(databases), 'database')}, {count(len(found), 'object')}"},
        found=[(one, item, _benefit(item)) for one, item in found],
    )


def _benefit(item: Found) -> str:
    return percent(item.benefit) if lane_of(item.lane).by_benefit else ""


def _read(one: Surveyed) -> str:
    """Return the interval, with its date once."""
    return _SAME_DAY.sub(r"\1 \2 to ", one.interval)


def _describe_trend(values: Sequence[float]) -> list[str]:
    """Return the last value, and its change against the median of the others."""
    *others, last = values
    usual = median(others) if others else 0.0
    return [f"{format_number(last)} ms", *([f"{round(100 * (last - usual) / usual):+d} %"] if usual else [])]


def _describe_fleet(estate: Estate) -> dict[str, str]:
    load = "no load was measured" if estate.sessions is None else f"{estate.sessions:.1f} active sessions on average"
    said = {word.capitalize(): f"{number}; {HEALTH[word]}" for word, number in estate.health().items()}
    return {"Load": load} | said


def _draw_change(change: FleetAdvice, largest: float) -> Drawn:
    saved = "no load" if change.saved is None else f"{change.saved:.2f}"
    cells = (_link_title(change), saved, show.spread(change), str(len(change.on)))
    return Drawn(cells, bar((change.saved or 0) / largest, (change.saved or 0) / largest))


def _link_title(change: FleetAdvice) -> Markup:
    """Return the title of a change, with a link to its databases."""
    return Markup('<a href="#{}-{}">{}</a>').format(lane_of(change.lane).name, change.rule, escape(change.title))


def _format_changes(changes: list[FleetAdvice]) -> Iterator[tuple[FleetAdvice, str, str]]:
    """Yield each change with its figures and the name of its lane."""
    for change in changes:
        lane = lane_of(change.lane)
        yield change, show.figures(change) if lane.by_benefit else f"on {show.format_extent(change)}", lane.name
