"""The options with their values, defaults and where each comes from, and the accepted risks."""

from typing import Any

from tabulate import tabulate

from advisor.capture.site import Accepted
from advisor.report import text
from advisor.report.output import Paint, plain
from advisor.site.settings import Setting

Risk = tuple[str, Accepted]  # its location and content


def render(found: list[Setting], risks: list[Risk], width: int, paint: Paint = plain, meaning: bool = False) -> str:
    """Return a table of the options; with ``meaning``, explain each below it."""
    rows = [
        [
            f"{setting.option.rule}.{setting.option.name}",
            text.make_printable(_value(setting.value)),
            _value(setting.option.default),
            text.origin(setting.option.provenance),
            text.make_printable(setting.place or ""),
        ]
        for setting in found
    ]
    headers = ["option", "value", "default", "default from", "set in"]
    head, *lines = tabulate(rows, headers=headers, tablefmt="plain", disable_numparse=True).splitlines()
    lines = [paint(head, dim=True), *(line.rstrip() for line in lines)]
    if meaning:
        lines.append("")
        for setting in found:
            choices = f" ({', '.join(setting.option.choices)})" if setting.option.choices else ""
            lines += text.wrap(f"{setting.option.meaning}{choices}", width, f"{setting.option.name}: ", " " * 4)
    if risks:
        lines += ["", paint(f"Accepted risks ({len(risks)})", bold=True)]
        lines += [line for risk in risks for line in text.wrap(_risk(*risk), width, "  - ")]
    return "\n".join(lines) + "\n"


def _value(value: str | None) -> str:
    return "none" if value is None else value.removesuffix(".0")


def _risk(place: str, risk: Accepted) -> str:
    until = f" until {risk.until.isoformat()}" if risk.until else ""
    return f"{risk.rule} on {risk.object}{until}, by {risk.by}: {risk.reason} ({place})"


def as_json(found: list[Setting], risks: list[Risk]) -> str:
    return text.json_text(
        {"options": [_setting(setting) for setting in found], "accepted": [_accepted_as_json(*risk) for risk in risks]}
    )


def _setting(setting: Setting) -> dict[str, Any]:
    option = setting.option
    return {
        "rule": option.rule,
        "name": option.name,
        "kind": option.kind,
        "choices": list(option.choices),
        "value": setting.value,
        "default": option.default,
        "provenance": option.provenance,
        "set_in": setting.place,
        "meaning": option.meaning,
    }


def _accepted_as_json(place: str, risk: Accepted) -> dict[str, Any]:
    until = None if risk.until is None else risk.until.isoformat()
    return {
        "rule": risk.rule,
        "object": risk.object,
        "reason": risk.reason,
        "by": risk.by,
        "until": until,
        "set_in": place,
    }
