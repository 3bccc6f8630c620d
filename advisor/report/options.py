"""The options with their values, defaults and where each comes from, and the accepted risks."""

from collections import Counter
from dataclasses import asdict
from itertools import groupby
from typing import Any

from advisor.capture.site import Accepted
from advisor.report import text
from advisor.report.output import Paint, plain
from advisor.report.values import head, to_number
from advisor.site.settings import Setting

WIDEST_VALUE = 12  # characters: longer values move their meaning
Risk = tuple[str, Accepted]  # its location and content


def render(found: list[Setting], risks: list[Risk], width: int, paint: Paint = plain) -> str:
    """Return the options of each rule, each with its value and meaning, and the accepted risks."""
    lines = []
    for rule, settings in groupby(found, key=lambda setting: setting.option.rule):
        shown = [(setting, text.make_printable(_value(setting.value))) for setting in settings]
        names = max(len(setting.option.name) for setting, _ in shown)
        values = min(max(len(value) for _, value in shown), WIDEST_VALUE)
        lines.append(paint(rule, bold=True))
        for setting, value in shown:
            head = f"  {setting.option.name:<{names}}  {value:<{values}}  "
            lines += text.wrap(_explain(setting), width, head, " " * (names + values + 6))
        lines.append("")
    if risks:
        lines.append(paint(f"Accepted risks ({len(risks)})", bold=True))
        lines += [line for risk in risks for line in text.wrap(_risk(*risk), width, "  - ")]
    return "\n".join(lines).rstrip() + "\n"


def render_areas(found: list[Setting], paint: Paint = plain) -> str:
    """Return the number of options of each area."""
    areas = Counter(setting.option.rule.partition(".")[0] for setting in found)
    lines = [paint(f"{'area':<12}options", dim=True), *(f"{area:<12}{count:>7}" for area, count in areas.items())]
    return "\n".join(["Explain options: db2tune options AREA, RULE or all", "", *lines, "", ""])


def _explain(setting: Setting) -> str:
    """Return the meaning of an option, its choices, and where its default and value come from."""
    option = setting.option
    choices = f": {', '.join(option.choices)}" if option.choices else ""
    origin = text.origin(option.provenance)
    if setting.place:
        origin = f"default {_value(option.default)}, {origin}; set in {setting.place}"
    return f"{option.meaning}{choices} ({origin})"


def _value(value: str | None) -> str:
    return "none" if value is None else value.removesuffix(".0")


def _risk(place: str, risk: Accepted) -> str:
    until = f" until {risk.until.isoformat()}" if risk.until else ""
    return f"{risk.rule} on {risk.object}{until}, by {risk.by}: {risk.reason} ({place})"


def as_json(found: list[Setting], risks: list[Risk]) -> str:
    return text.json_text(
        {
            **head(),
            "options": [_setting(setting) for setting in found],
            "accepted": [_accepted_as_json(*risk) for risk in risks],
        }
    )


def _setting(setting: Setting) -> dict[str, Any]:
    option = setting.option
    return {
        "rule": option.rule,
        "name": option.name,
        "kind": option.kind,
        "choices": list(option.choices),
        "value": to_number(setting.value),
        "default": to_number(option.default),
        "provenance": option.provenance,
        "set_in": setting.place,
        "meaning": option.meaning,
    }


def _accepted_as_json(place: str, risk: Accepted) -> dict[str, Any]:
    return {**asdict(risk), "until": risk.until and risk.until.isoformat(), "set_in": place}
