"""The sections of ``db2pd`` that have readers of their own: table counters, utilities, and work in progress as notes."""

from dataclasses import dataclass, field

from advisor.imports.formats import db2pd_tcb as tcb
from advisor.imports.formats import db2pd_utilities as running
from advisor.imports.formats.db2pd_progress import Progress
from advisor.imports.readings import SINCE, Readings, Report

_TITLES = frozenset({tcb.OBJECTS, tcb.COUNTERS, running.TITLE})


def is_read(title: str) -> bool:
    """Return whether the section with this title gives rows."""
    return title.strip(" :") in _TITLES


@dataclass
class Others:
    """What these sections of one report show."""

    progress: Progress = field(default_factory=Progress)
    tables: tcb.TableCounters = field(default_factory=tcb.TableCounters)
    utilities: running.Utilities = field(default_factory=running.Utilities)

    def take(self, title: str, text: str, line: int) -> bool:
        """Read a line of a section; return whether the section gives rows."""
        if title == running.TITLE:
            self.utilities.take(text, line)
        elif title in _TITLES:
            self.tables.take(title, text, line)
        else:
            self.progress.take(title, text)
        return title in _TITLES

    def write(self, readings: Readings, report: Report) -> None:
        """Write the rows and the notes of the report."""
        if self.tables.write(readings, report):
            report.counts = SINCE
        self.utilities.write(readings, report)
        readings.notes += self.progress.notes()
