"""Advice from inside the database: CALL TUNE.ADVISE and its report."""

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
from advisor.judgement.advice import Advice, Record
from advisor.judgement.report_rows import REPORT, result

_NOT_INSTALLED = ("SQL0440N", "SQL0204N")
_NOT_KNOWN = "a site rule reported advice; use --options with the site's file to show it"


def advise(
    connection: Connection,
    interval_s: int | None,
    window: str = "PREVIOUS",
    rules: Mapping[str, Rule] | None = None,
    also: Mapping[str, str] | None = None,
) -> Advice:
    """Run TUNE.ADVISE: take a snapshot (two with ``interval_s`` seconds between them), analyze it, and keep the run.

    ``rules`` are the known rules, by default those of db2tune. ``also`` are named statements; the advice contains the
    rows of the permitted ones in ``seen``.
    """
    patience = connection.procedure_timeout_s + (interval_s or 0)
    with require_procedure("TUNE.ADVISE"):
        connection.call("TUNE.ADVISE", [None, None, window, interval_s], patience)
        _, sets = connection.call("TUNE.REPORT", [None], connection.procedure_timeout_s)
    connection.commit()
    advice = read_report(sets, rules or all_rules())
    return replace(advice, seen=_read_extra(connection, also)) if also else advice


def _read_extra(connection: Connection, also: Mapping[str, str]) -> dict[str, list[Record]]:
    """Return the rows of statements about the latest run. Omit statements that the user may not run."""
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


def load_run(connection: Connection, run: str, rules: Mapping[str, Rule] | None = None) -> Advice:
    """Return a run of the database by its number, or the last finished one for ``last``. May raise UserError."""
    with require_procedure("TUNE.REPORT"):
        if run == "last":
            last = next(connection.rows("SELECT MAX(RUN_ID) FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL"))[0]
            number = 0 if last is None else int(last)
        elif run.isascii() and run.isdecimal():
            number = int(run)
        else:
            raise UserError(f"run {run}: with --in-database, use a number of TUNE.RUN or last")
        _, sets = connection.call("TUNE.REPORT", [number], connection.procedure_timeout_s)
    return read_report(sets, rules or all_rules())


@contextmanager
def require_procedure(procedure: str) -> Iterator[None]:
    """Raise UserError with the remedy if a procedure of TUNE is not installed or not granted."""
    try:
        yield
    except Db2Failure as failure:
        if failure.id in _NOT_INSTALLED:
            raise UserError(
                f"{procedure} is not installed or not granted; use db2tune install"
                f" or GRANT EXECUTE ON PROCEDURE {procedure}"
            ) from None
        raise


def read_report(sets: list[ResultSet], rules: Mapping[str, Rule]) -> Advice:
    """Return the advice from the result sets of TUNE.REPORT. Report advice of unknown rules as not run."""
    records = dict(zip(REPORT, (_records(rows) for rows in sets), strict=False))
    options: dict[str, dict[str, str | float]] = {}
    for row in _records(sets[len(REPORT)]):
        options.setdefault(row["RULE"], {})[row["NAME"]] = row["VALUE"]
    if not records["SUMMARY"]:
        raise UserError("the run does not exist: it was rolled back or did not finish; CALL TUNE.ADVISE again")
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
