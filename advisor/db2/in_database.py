"""Advice from inside the database: CALL TUNE.ADVISE and its report, in the form in which every report is rendered."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from advisor.catalogue.levels import level_text
from advisor.catalogue.rules import all_rules
from advisor.db2.connection import Connection, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.judge.advice import REPORT, Advice, Record, result

# Db2 writes a DECIMAL below one without a zero before the point (dec_to_char_fmt), also in the texts of a rule.
_PROSE = {"EVIDENCE", "FINDING", "REASON"}
_BARE_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
_NOT_INSTALLED = ("SQL0440N", "SQL0204N")
_PATIENCE_S = 3600  # a procedure that reads every source and runs every rule may take its time


def advise(connection: Connection, interval_s: int | None, window: str = "PREVIOUS") -> Advice:
    """Take a snapshot inside the database (two with ``interval_s`` seconds between them), judge, and keep the run."""
    patience = _PATIENCE_S + (interval_s or 0)
    with installed("TUNE.ADVISE"):
        connection.call("TUNE.ADVISE", [None, None, window, interval_s], patience)
        _, sets = connection.call("TUNE.REPORT", [None], _PATIENCE_S)
    connection.commit()
    return from_report(sets)


@contextmanager
def installed(procedure: str) -> Iterator[None]:
    """Around calls of a procedure of TUNE: raises UserError that says what to do where it is not there or not granted."""
    try:
        yield
    except Db2Failure as failure:
        if failure.id in _NOT_INSTALLED:
            raise UserError(
                f"{procedure} is not installed here or not granted; db2tune install, or GRANT EXECUTE"
            ) from None
        raise


def from_report(sets: list[ResultSet]) -> Advice:
    """The advice from the result sets of TUNE.REPORT."""
    records = dict(zip(REPORT, (_records(rows) for rows in sets), strict=False))
    options: dict[str, dict[str, str | float]] = {}
    for row in _records(sets[len(REPORT)]):
        options.setdefault(row["RULE"], {})[row["NAME"]] = row["VALUE"]
    about = records["SUMMARY"][0]
    database: dict[str, Any] = {
        "name": about["DB_NAME"],
        "host": about["HOST_NAME"],
        "instance": about["INSTANCE_NAME"],
        "level": level_text(about["DB2_LEVEL"]),
        "platform": about["PLATFORM"],
        "topology": about["TOPOLOGY"],
    }
    begin = None if about["BEGIN_EPOCH"] is None else _moment(about["BEGIN_EPOCH"])
    return result(records, list(all_rules().values()), database, (begin, _moment(about["END_EPOCH"])), options)


def _records(rows: ResultSet) -> list[Record]:
    records = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
    for record in records:
        for name in _PROSE & record.keys():
            if record[name] is not None:
                record[name] = _BARE_POINT.sub("0.", record[name])
    return records


def _moment(epoch_s: float) -> str:
    return datetime.fromtimestamp(epoch_s, UTC).isoformat()
