"""What ``db2tune doctor`` found, as text: a table for each area, then the commands that would mend what is missing."""

from itertools import groupby

from tabulate import tabulate

from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.examination import Examination
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
    """The whole report; commands stand on lines of their own, to be copied."""
    lines = []
    for area, diagnoses in groupby(found.diagnoses, key=lambda diagnosis: diagnosis.area):
        lines += [paint(area, bold=True), *_table(list(diagnoses), width, paint), ""]
    lines += text.wrap(_CHECKED, width)
    lines += ["", _verdict(found), *_commands(found, width)]
    return "\n".join(lines) + "\n"


def _table(diagnoses: list[Diagnosis], width: int, paint: Paint) -> list[str]:
    """A line for each: what it is about and the verdict in columns, what was found wrapped beside them."""
    heads = [[f"  {text.safe(diagnosis.what)}", diagnosis.verdict.value] for diagnosis in diagnoses]
    columns = tabulate(heads, tablefmt="plain", disable_numparse=True, preserve_whitespace=True).splitlines()
    lines = []
    for diagnosis, head in zip(diagnoses, columns, strict=True):
        first, *rest = text.wrap(diagnosis.found, width, f"{head.ljust(max(map(len, columns)))}  ")
        verdict = diagnosis.verdict.value
        painted = paint(verdict, fg=_COLOURS[diagnosis.verdict])
        lines += [painted.join(first.rsplit(verdict, 1)) if verdict in head else first, *rest]
    return lines


def _verdict(found: Examination) -> str:
    missing = found.missing
    return f"{text.count(len(missing), 'thing')} missing" if missing else "Nothing is missing"


def _commands(found: Examination, width: int) -> list[str]:
    commands = dict.fromkeys(command for diagnosis in found.missing for command in diagnosis.commands)
    lines = [f"  {text.safe(command)}" for command in commands]
    granted = [diagnosis for diagnosis in found.missing if diagnosis.area == "Sources"]
    if len(granted) > 1:
        lines += ["", *text.wrap(_SQLADM, width)]
        lines.append(f"  {text.safe(f'GRANT SQLADM ON DATABASE TO USER {quoted(found.user)}')}")
    return lines
