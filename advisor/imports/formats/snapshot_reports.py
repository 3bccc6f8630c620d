"""The reports that the sections of a snapshot form, and the start of their counters."""

import re

from advisor.imports.cells import read_time
from advisor.imports.labels import Row
from advisor.imports.reader import Part
from advisor.imports.readings import SINCE, Report
from advisor.imports.values import platform

NAME = "get snapshot"

_IDENTITY = ("database", "alias", "taken_at", "since", "activated", "platform", "instance", "level")
_LEVEL = re.compile(r"\bv?(\d{1,2}(?:\.\d{1,3}){1,4})\b", re.I)


class Reports:
    """The reports that the sections of one text belong to."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._last: Report | None = None
        self._about: Row | None = None  # attributes of the last section
        self._held: set[str] = set()  # sections that occur once in the last report
        self._since: dict[str | None, tuple[str | None, str | None]] = {}

    def find_report(self, section: str, about: Row) -> Report:
        """Return the report of a section: the last one, if it is about the same database and moment."""
        about = {name: about[name] for name in _IDENTITY if name in about}
        if self._last is not None and about == self._about:
            return self._last
        database = (about.get("database") or about.get("alias") or "").upper() or None
        activated, reset = self._find_begin(section, database, about)
        taken_at, began = read_time(about.get("taken_at")), read_time(reset or activated)
        report = self._last
        if report is None or not self._is_same(report, section, database, about):
            report = self._part.report(NAME, database=database, taken_at=taken_at, counts=SINCE)
            self._held = set()
        report.since = report.since or began
        if section == "instance":
            report.instance = about.get("instance")
            report.level = _level(about.get("level"))
        elif activated is not None and "activated" not in self._held:
            row: dict[str, str | int | None] = {"DB_CONN_TIME": activated}
            if taken_at and began and taken_at >= began:
                row["UPTIME_S"] = int((taken_at - began).total_seconds())
            self._part.readings.row(report, "database", row)
            self._held.add("activated")
        report.platform = platform(about.get("platform")) or report.platform
        self._held.add(section)
        self._last, self._about = report, None if section in ("database", "instance") else about
        return report

    def _find_begin(self, section: str, database: str | None, about: Row) -> tuple[str | None, str | None]:
        """Return the times of activation and last reset. Buffer pools lack them: another section has them."""
        said = about.get("activated"), about.get("since")
        if section == "instance":
            return said
        if said == (None, None):
            return self._since.get(database, said)
        self._since[database] = said
        return said

    def _is_same(self, report: Report, section: str, database: str | None, about: Row) -> bool:
        if section in ("database", "instance") and section in self._held:
            return False
        if (section == "instance") != ("instance" in self._held):
            return False
        return (database is None or database == report.database) and (
            "taken_at" not in about or read_time(about["taken_at"]) == report.taken_at
        )


def _level(product: str | None) -> str | None:
    match = _LEVEL.search(product or "")
    return match[1] if match else None
