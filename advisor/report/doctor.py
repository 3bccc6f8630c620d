"""The report of ``db2tune doctor``: one table per area, then the commands for missing items."""

from itertools import groupby

from tabulate import tabulate

from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.examination import OPTIONAL, PURPOSES, Examination
from advisor.quoting import quoted
from advisor.report import text
from advisor.report.output import Paint, plain

_COLOURS = {Verdict.OK: "green", Verdict.MISSING: "red", Verdict.UNKNOWN: "yellow", Verdict.NOTE: None}

_SQLADM = (
    "Each monitor function and administrative view may also be read with SQLADM, DATAACCESS or DBADM; one GRANT that"
    " serves for all of them:"
)
_CHECKED = (
    "Sources were checked by preparing and describing their statements; nothing was run. Privileges that are held by"
    " a group count for statements, but not for the procedures and views that 'db2tune install' creates."
)


def render(found: Examination, width: int, paint: Paint = plain) -> str:
    """Return the whole report. Each command has a separate line, ready to copy."""
    lines = [*_verdicts(found, width, paint), ""]
    for area, diagnoses in groupby(found.diagnoses, key=lambda diagnosis: diagnosis.area):
        lines += [paint(area, bold=True), *_table(list(diagnoses), width, paint), ""]
    lines += text.wrap(_CHECKED, width)
    if found.missing:
        lines += ["", f"To fix {text.count(len(found.missing), 'thing')} missing:", *_commands(found, width)]
    return "\n".join(lines) + "\n"


def _table(diagnoses: list[Diagnosis], width: int, paint: Paint) -> list[str]:
    """Return one entry per check: subject and verdict in columns, the finding wrapped next to them."""
    heads = [[f"  {text.make_printable(diagnosis.what)}", diagnosis.verdict.value] for diagnosis in diagnoses]
    columns = tabulate(heads, tablefmt="plain", disable_numparse=True, preserve_whitespace=True).splitlines()
    lines = []
    for diagnosis, head in zip(diagnoses, columns, strict=True):
        first, *rest = text.wrap(diagnosis.found, width, f"{head.ljust(max(map(len, columns)))}  ")
        verdict = diagnosis.verdict.value
        painted = paint(verdict, fg=_COLOURS[diagnosis.verdict])
        lines += [painted.join(first.rsplit(verdict, 1)) if verdict in head else first, *rest]
    return lines


def _verdicts(found: Examination, width: int, paint: Paint) -> list[str]:
    """Return one line per purpose: whether the server is ready for it, or what it lacks."""
    lines = []
    for purpose in PURPOSES:
        missing = ", ".join(dict.fromkeys(text.make_printable(each.what) for each in found.missing_for(purpose)))
        optional = purpose in OPTIONAL
        verdict = f"missing{' (optional)' if optional else ''}: {missing}" if missing else "ready"
        color = "green" if not missing else "yellow" if optional else "red"
        lines += [paint(line, fg=color) for line in text.wrap(verdict, width, f"{purpose:<10}", " " * 10)]
    return lines


def _commands(found: Examination, width: int) -> list[str]:
    commands = dict.fromkeys(command for diagnosis in found.missing for command in diagnosis.commands)
    lines = [f"  {text.make_printable(command)}" for command in commands]
    granted = [diagnosis for diagnosis in found.missing if diagnosis.area == "Sources"]
    if len(granted) > 1:
        lines += ["", *text.wrap(_SQLADM, width)]
        lines.append(f"  {text.make_printable(f'GRANT SQLADM ON DATABASE TO USER {quoted(found.user)}')}")
    return lines
