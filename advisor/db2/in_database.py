"""Advice from inside the database: CALL TUNE.ADVISE and its report, in the form in which every report is rendered."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from advisor.catalogue.levels import level_text
from advisor.catalogue.rules import Rule, all_rules
from advisor.db2.connection import Connection, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.judge.advice import REPORT, Advice, Record, result

_NOT_INSTALLED = ("SQL0440N", "SQL0204N")
_NOT_KNOWN = "a rule of the site found something: name the site's file with --options"
_PATIENCE_S = 3600  # a procedure that reads every source and runs every rule may take its time


def advise(
    connection: Connection,
    interval_s: int | None,
    window: str = "PREVIOUS",
    rules: Mapping[str, Rule] | None = None,
    also: Mapping[str, str] | None = None,
) -> Advice:
    """Take a snapshot inside the database (two with ``interval_s`` seconds between them), judge, and keep the run.

    ``rules`` are those of which advice can be told, by default those of db2tune; ``also`` are statements by name whose
    rows the advice has as ``seen``, as far as they may be read.
    """
    patience = _PATIENCE_S + (interval_s or 0)
    with installed("TUNE.ADVISE"):
        connection.call("TUNE.ADVISE", [None, None, window, interval_s], patience)
        _, sets = connection.call("TUNE.REPORT", [None], _PATIENCE_S)
    connection.commit()
    advice = from_report(sets, rules or all_rules())
    return replace(advice, seen=_seen(connection, also)) if also else advice


def _seen(connection: Connection, also: Mapping[str, str]) -> dict[str, list[Record]]:
    """The rows of statements about the run that was just made; those that may not be read here are absent."""
    found = {}
    for name, sql in also.items():
        try:
            columns = [column for column, _ in connection.describe(sql)]
            found[name] = [dict(zip(columns, row, strict=True)) for row in connection.rows(sql)]
        except Db2Failure as failure:
            if failure.dropped:
                raise
    connection.rollback()
    return found


def kept(connection: Connection, run: str, rules: Mapping[str, Rule] | None = None) -> Advice:
    """A run that the database keeps, by its number; ``last`` is the last one that is finished. Raises UserError."""
    with installed("TUNE.REPORT"):
        if run == "last":
            last = next(connection.rows("SELECT MAX(RUN_ID) FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL"))[0]
            number = 0 if last is None else int(last)
        elif run.isascii() and run.isdecimal():
            number = int(run)
        else:
            raise UserError(f"run {run}: with --in-database it is a number of TUNE.RUN, or last")
        _, sets = connection.call("TUNE.REPORT", [number], _PATIENCE_S)
    return from_report(sets, rules or all_rules())


@contextmanager
def installed(procedure: str) -> Iterator[None]:
    """Around calls of a procedure of TUNE: raises UserError that says what to do where it is not there or not granted."""
    try:
        yield
    except Db2Failure as failure:
        if failure.id in _NOT_INSTALLED:
            raise UserError(
                f"{procedure} is not installed here or not granted; db2tune install,"
                f" or GRANT EXECUTE ON PROCEDURE {procedure}"
            ) from None
        raise


def from_report(sets: list[ResultSet], rules: Mapping[str, Rule]) -> Advice:
    """The advice from the result sets of TUNE.REPORT; what a rule found that is not known here is said in its place."""
    records = dict(zip(REPORT, (_records(rows) for rows in sets), strict=False))
    options: dict[str, dict[str, str | float]] = {}
    for row in _records(sets[len(REPORT)]):
        options.setdefault(row["RULE"], {})[row["NAME"]] = row["VALUE"]
    if not records["SUMMARY"]:
        raise UserError("the run is not there: it was rolled back or did not end; CALL TUNE.ADVISE again")
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
    unknown = dict.fromkeys(row["RULE"] for row in records["ADVICE"] if row["RULE"] not in rules)
    records["NOT_RUN"] += [{"RULE": rule, "REASON": _NOT_KNOWN} for rule in unknown]
    return result(records, list(rules.values()), database, (begin, _moment(about["END_EPOCH"])), options)


def _records(rows: ResultSet) -> list[Record]:
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]


def _moment(epoch_s: float) -> str:
    return datetime.fromtimestamp(epoch_s, UTC).isoformat()
