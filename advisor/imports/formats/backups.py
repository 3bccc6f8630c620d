"""``backup database`` in transcripts, ``date`` as the reference for its age, and the status of a rollforward.

Only a backup of the whole database with a successful outcome in the text counts. Incremental backups, those of table
spaces or of some members, and discarded ones (``to /dev/null``) do not count. The timestamp of the image is the start
of the backup.
"""

import re

from advisor.imports.commands import find_command, is_message, join_continuation
from advisor.imports.databases import SESSION
from advisor.imports.formats.history import moment
from advisor.imports.reader import Format, Part
from advisor.imports.sources import LAST_BACKUP
from advisor.imports.values import parse_time

_NAME = "backup database"
_COMMAND = re.compile(
    r"backup\s+(?:db|database)\s+[\"']?(?P<name>[A-Za-z@#$][\w@#$]{0,7})(?![\w@#$${(])[\"']?(?P<how>.*)", re.I | re.S
)
_NOT_KEPT = re.compile(r"\bto\s+[\"']?(?:/dev/null\b|nul\b)", re.I)
_PARTIAL = re.compile(r"\b(?:tablespace|incremental|except)\b|\bon\s+(?:dbpartitionnum|node|member)s?\b", re.I)
_DONE = re.compile(r"\s*Backup successful\b.*?:\s*(?P<image>\d{14})?\s*$", re.I)
_IMAGE = re.compile(r"\s*(\d{14})\s*$")
_MOST = 12  # lines between the command and its outcome; a partitioned database lists each member

_DAYS = frozenset({"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"})
_DATE = re.compile(
    r"\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<month>[A-Z][a-z][a-z]) +(?P<day>\d{1,2}) (?P<clock>\d\d:\d\d:\d\d)"
    r"(?P<half> [AP]M)? [A-Z][\w+-]{1,5} (?P<year>\d{4})\s*$"
)
_ASKED = re.compile(r"(?:.*[$#>;]\s*)?date\s*;?\s*$")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _starts(line: str, previous: str) -> bool:
    return find_command(line, _COMMAND) is not None


def _read(part: Part) -> None:
    line = next(part.lines)
    first = part.lines.number
    command = find_command(join_continuation(part, line), _COMMAND)
    assert command is not None  # this line started the format
    match = command[0]
    image, failed = _outcome(part)
    at = moment(image or "")
    if at is None or failed or _PARTIAL.search(match["how"]) or _NOT_KEPT.search(match["how"]):
        why = "failed" if failed else "no backup of the whole database" if at else "its outcome is unknown"
        part.ignore(why, first)
        return
    report = part.report(_NAME, database=match["name"].upper())
    part.readings.row(report, "database", {"BACKED_UP": "1", LAST_BACKUP: at})


def _outcome(part: Part) -> tuple[str | None, bool]:
    """Return the timestamp of the image, and whether the backup failed; lines with neither are given back."""
    for count, line in enumerate(part.lines):
        if done := _DONE.match(line):
            return done["image"] or _read_timestamp_below(part), False
        if is_message(line) and line.strip()[7:9].strip()[:1] in ("N", "C", "E"):
            return None, True
        if count == _MOST or (line.strip() and not is_message(line) and part.starts(line)):
            part.lines.push_back()
            break
    return None, False


def _read_timestamp_below(part: Part) -> str | None:
    """Return the timestamp on the next line."""
    found = _IMAGE.match(next(part.lines, ""))
    return found[1] if found else None


def _starts_date(line: str, previous: str) -> bool:
    return line[:3] in _DAYS and _DATE.match(line) is not None and _ASKED.match(previous) is not None


def _read_date(part: Part) -> None:
    match = _DATE.match(next(part.lines))
    assert match is not None  # this line started the format
    if match["month"] not in _MONTHS:
        return
    form = "%Y %m %d %I:%M:%S %p" if match["half"] else "%Y %m %d %H:%M:%S"
    text = f"{match['year']} {_MONTHS.index(match['month']) + 1} {match['day']} {match['clock']}{match['half'] or ''}"
    if at := parse_time(text, form):
        part.report(SESSION, taken_at=at)


_STATUS = "rollforward status"
_LABELS = {"input database alias": "database", "member id": "member", "node number": "member", _STATUS: "status"}
_PENDING = {"db pending": "DATABASE", "tbs pending": "TABLESPACE", "not pending": "NO"}  # as in the configuration


def _starts_status(line: str, previous: str) -> bool:
    return line.strip().lower() == _STATUS


def _read_status(part: Part) -> None:
    next(part.lines)
    report = part.report("get db cfg")
    member = "0"
    for line in part.lines:
        label, equals, text = line.partition("=")
        if line.strip() and not equals:
            part.lines.push_back()
            return
        what, value = _LABELS.get(label.strip().lower()), " ".join(text.split())
        if what == "database":
            report.database = value.upper()
        elif what == "member" and value.isdecimal():
            member = value
        elif what == "status" and (pending := _PENDING.get(value.lower())):
            part.readings.row(report, "dbcfg", {"NAME": "rollfwd_pending", "MEMBER": member, "VALUE": pending})


FORMATS = (
    Format(_NAME, _starts, _read, ("backup",), typed=True),
    Format("date", _starts_date, _read_date, (":",)),
    Format(_STATUS, _starts_status, _read_status, (_STATUS,)),
)
