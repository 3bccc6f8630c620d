"""The whole import, from texts to a capture directory."""

import errno
import gc
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from advisor.capture import Collected, Manifest, Snapshot
from advisor.capture.manifest import NOT_IN_TEXT, UNNAMED
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.files import temporary
from advisor.imports.collected import write_collected
from advisor.imports.databases import select_database
from advisor.imports.explained import ExplainedReadings, Taken
from advisor.imports.formats import all_formats
from advisor.imports.formats.ixf import is_ixf, read_ixf
from advisor.imports.formats.tune_collect import NAME, TextSnapshot, is_collected, read_collected
from advisor.imports.inputs import documents, explain_non_text, undamaged
from advisor.imports.known import Known
from advisor.imports.lines import Lines
from advisor.imports.merge import BEGIN_ID, END_ID, Merger
from advisor.imports.reader import read_document
from advisor.imports.readings import TOLD_ONLY, WRAPPED, Range, Readings, Report
from advisor.imports.settings import note_unknown
from advisor.imports.shown import format_first_values
from advisor.imports.snapshots import Snapshots, arrange_reports
from advisor.imports.sources import LOCK_EVENT, LOCKS
from advisor.imports.values import find_exact_level
from advisor.resources import data_file

__all__ = ["Imported", "Known", "import_texts", "look"]

_MOST_TOLD = 3
_SELDOM = 50_000  # objects


_DATABASE = re.compile(r"[\w@#$]{1,8}")  # a name that the manifest of a capture accepts
_INSTANCE = re.compile(r"[\w@#$.-]{1,128}")  # the same of an instance
_BLANK = " \t\r\n\0\ufffd"  # around a name: padding, and characters that could not be printed


@dataclass
class Imported:
    """The result of an import.

    ``notes`` explain parts that were left out, ``unnamed`` lists the names that the texts lack. ``values`` are the first of each source, ``taken`` the values taken from
    each line.
    """

    reports: list[Report]
    ranges: list[Range]
    rows: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)


def import_texts(paths: Iterable[Path], target: Path, known: Known | None = None, explained: bool = False) -> Imported:
    """Read every document and write a capture into the directory ``target``.

    ``explained`` records the values taken from each line. Raise UserError if nothing is recognised, if a capture is
    among the texts, or if they are about several databases and none is named.
    """
    known = known or Known()
    with _readings(paths, explained) as (readings, collected, odd):
        result = Imported(readings.reports, readings.ranges, taken=_list_taken(readings))
        if collected:
            _write_collected(collected, target, known, result)
            return result
        if not any(name in all_sources() or name in (*LOCKS, LOCK_EVENT) for name in readings.store.read):
            raise UserError(_explain_no_values(readings, odd))
        _write(readings, target, known, result)
    return result


def look(paths: Iterable[Path]) -> Imported:
    """Read the documents only to explain the use of each line."""
    with _readings(paths, explained=True) as (readings, _, _):
        return Imported(readings.reports, readings.ranges, taken=_list_taken(readings))


def _list_taken(readings: Readings) -> list[Taken]:
    return readings.taken if isinstance(readings, ExplainedReadings) else []


@contextmanager
def _readings(paths: Iterable[Path], explained: bool) -> Iterator[tuple[Readings, list[TextSnapshot], list[str]]]:
    """Yield the readings of all documents, snapshots of tune-collect.sql, and reasons against non-text documents.

    Raise OSError if the disk has no room for the rows.
    """
    import apsw

    collected: list[TextSnapshot] = []
    odd: list[str] = []
    with temporary() as folder, _collect_garbage_seldom():
        readings = ExplainedReadings(folder) if explained else Readings(folder)
        try:
            for document in documents(paths):
                if what := explain_non_text(document.head):
                    odd.append(f"{document.name} {what}")
                with undamaged(document.name):
                    if is_ixf(document.head):
                        read_ixf(document.name, document.stream, readings)
                    else:
                        lines = Lines(document.stream)
                        if isinstance(readings, ExplainedReadings):
                            readings.lines = lines
                        if is_collected(lines):
                            collected += read_collected(document.name, lines, readings)
                        else:
                            read_document(document.name, lines, readings, all_formats())
            readings.add_events()
            yield readings, collected, odd
        except (apsw.FullError, apsw.IOError) as error:
            number = readings.store.connection.system_errno or errno.ENOSPC
            raise OSError(number, os.strerror(number)) from error
        finally:
            readings.close()


@contextmanager
def _collect_garbage_seldom() -> Iterator[None]:
    """Collect garbage less often: reading creates no cycles, and each collection would scan all kept objects."""
    before = gc.get_threshold()
    gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _explain_no_values(readings: Readings, odd: list[str]) -> str:
    """Return why a text has no usable value, what it still contains, and what to paste instead."""
    known = list(dict.fromkeys(item.format for item in readings.ranges if item.format))
    if not known and odd:
        return f"nothing to read: {'; '.join(odd[:_MOST_TOLD])}"
    if not known:
        return "nothing in the text is recognised; 'db2tune import --explain' shows how each part was read"
    events = [why.removesuffix(TOLD_ONLY) for why in _list_reasons(readings) if why.endswith(TOLD_ONLY)]
    told = list(dict.fromkeys([*readings.notes, *events]))
    tells = f" ({'; '.join(told[:_MOST_TOLD])})" if told else ""
    return f"recognised as {', '.join(known)}; contains nothing that rules use{tells}. Paste next: {_suggest_command()}"


def _list_reasons(readings: Readings) -> Iterator[str]:
    return (item.why for item in readings.ranges if item.why)


def _suggest_command() -> str:
    """Return the command for all levels and platforms that fills most sources."""
    rows = [row for row in data_file("schema", "texts") if not (row["FROM"] or row["NOT_ON"] or row["WHEN"])]
    command: str = max(rows, key=lambda row: len(row["SOURCES"].split()))["COMMAND"]
    return command.replace("{DB}", UNNAMED["database"])


def _write(readings: Readings, target: Path, known: Known, result: Imported) -> None:
    reports, name, left_out = select_database(readings.reports, known.name)
    merger = Merger(readings, reports, target)
    snapshots = arrange_reports(reports, merger.counting())
    if not (snapshots.interval or snapshots.watched or merger.knows_activation(snapshots.begin)):
        snapshots = snapshots.remove_begin()
    written = merger.merge(snapshots)
    if not written:
        raise UserError("the text contains no usable value; --explain shows how each part was read")
    database = _database(reports, name, known, len(merger.members))
    Manifest(
        _describe_snapshots(snapshots, database),
        {source: Collected(item.rows, item.columns) for source, item in written.items()},
        {source: NOT_IN_TEXT for source in all_sources() if source not in written},
    ).write(target)
    result.rows = {source: item.rows for source, item in written.items()}
    result.values = [format_first_values(target, source, rows) for source, rows in result.rows.items()]
    result.notes = [
        *left_out,
        *_note_instances(reports),
        *snapshots.notes,
        *merger.notes,
        *dict.fromkeys(readings.notes),
        *note_unknown(readings.unknown_settings),
    ]
    if wrapped := [item for item in readings.ranges if item.why and item.why.endswith(WRAPPED)]:
        first = wrapped[0]
        more = f" and {len(wrapped) - 1} more" if len(wrapped) > 1 else ""
        result.notes.append(
            f"lines {first.first} to {first.last} of {first.document}{more}: {first.why}; their values are not used"
        )
    result.unnamed = [f"{part} ({name} is used)" for part, name in UNNAMED.items() if name in database.values()]


def _write_collected(collected: list[TextSnapshot], target: Path, known: Known, result: Imported) -> None:
    """Write a capture from the script's output: it contains everything that other texts could have."""
    result.rows, result.notes = write_collected(collected, target, known.name)
    result.values = [format_first_values(target, source, rows) for source, rows in result.rows.items() if rows]
    if result.reports:
        others = ", ".join(dict.fromkeys(report.document for report in result.reports))
        result.notes.append(f"with snapshots of {NAME} nothing else is used: not {others}")


def _describe_snapshots(snapshots: Snapshots, database: dict[str, Any]) -> list[Snapshot]:
    end = Snapshot(END_ID, snapshots.end_at or datetime.now().replace(microsecond=0), database)
    if snapshots.begin_at is None:
        return [end]
    return [Snapshot(BEGIN_ID, snapshots.begin_at, database), end]


def _list_instances(reports: list[Report]) -> list[str]:
    return [text for report in reports if (text := (report.instance or "").strip(_BLANK))]


def _note_instances(reports: list[Report]) -> list[str]:
    """Return a note for each name of an instance that a capture does not accept."""
    wrong = dict.fromkeys(text for text in _list_instances(reports) if not _INSTANCE.fullmatch(text))
    return [f"{text[:60]!r} is not the name of an instance and is not used" for text in wrong]


def _database(reports: list[Report], name: str | None, known: Known, members: int) -> dict[str, Any]:
    def last(part: str) -> str | None:
        values = [value for report in reports if (value := (getattr(report, part) or "").strip(_BLANK))]
        return values[-1] if values else None

    found = (name or "").strip(_BLANK)
    instances = [text for text in _list_instances(reports) if _INSTANCE.fullmatch(text)]
    return {
        "name": found if known.name or _DATABASE.fullmatch(found) else UNNAMED["database"],
        "host": last("host") or UNNAMED["host"],
        "instance": instances[-1] if instances else UNNAMED["instance"],
        "level": known.level or find_exact_level(report.level for report in reports if report.level),
        "platform": known.platform or last("platform"),
        "topology": last("topology") or ("dpf" if members > 1 else "single"),
    }
