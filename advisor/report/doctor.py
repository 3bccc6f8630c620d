"""The checks of ``db2tune doctor`` as text: a table for each area, then the commands that would mend what is missing."""

from itertools import groupby

from tabulate import tabulate

from advisor.doctor.checks import Doctor
from advisor.doctor.probe import Check, State
from advisor.quoting import quoted
from advisor.report import text
from advisor.report.output import Paint, plain

_COLOURS = {State.OK: "green", State.MISSING: "red", State.UNKNOWN: "yellow", State.NOTE: None}

_SQLADM = (
    "Each monitor function and administrative view may also be read with SQLADM, DATAACCESS or DBADM; one GRANT that"
    " serves for all of them:"
)
_CHECKED = (
    "Sources were checked by preparing and describing their statements; nothing was run. Privileges that are held by"
    " a group count for statements, but not for the procedures and views that 'db2tune install' creates."
)


def render(found: Doctor, width: int, paint: Paint = plain) -> str:
    """The whole report; commands stand on lines of their own, to be copied."""
    lines = []
    for area, checks in groupby(found.checks, key=lambda check: check.area):
        lines += [paint(area, bold=True), *_table(list(checks), width, paint), ""]
    lines += text.wrap(_CHECKED, width)
    lines += ["", _verdict(found), *_commands(found, width)]
    return "\n".join(lines) + "\n"


def _table(checks: list[Check], width: int, paint: Paint) -> list[str]:
    """A line for each check: what and state in columns, what was found wrapped beside them."""
    heads = [[f"  {text.safe(check.what)}", check.state.value] for check in checks]
    states = tabulate(heads, tablefmt="plain", disable_numparse=True, preserve_whitespace=True).splitlines()
    lines = []
    for check, head in zip(checks, states, strict=True):
        first, *rest = text.wrap(check.found, width, f"{head.ljust(max(map(len, states)))}  ")
        state = paint(check.state.value, fg=_COLOURS[check.state])
        lines += [state.join(first.rsplit(check.state.value, 1)) if check.state.value in head else first, *rest]
    return lines


def _verdict(found: Doctor) -> str:
    missing = found.missing
    return f"{text.count(len(missing), 'thing')} missing" if missing else "Nothing is missing"


def _commands(found: Doctor, width: int) -> list[str]:
    lines = [f"  {text.safe(command)}" for check in found.missing for command in check.commands]
    granted = [check for check in found.missing if check.area == "Sources"]
    if len(granted) > 1:
        lines += ["", *text.wrap(_SQLADM, width)]
        lines.append(f"  {text.safe(f'GRANT SQLADM ON DATABASE TO USER {quoted(found.user)}')}")
    return lines
