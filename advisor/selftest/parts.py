"""Parts of the selftest: server, sources, installation, calls, views, settings and log."""

from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import Any

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import statement_of
from advisor.db2.collector import ISOLATION
from advisor.db2.connection import Connection, Out, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.db2.negotiation import find_readable_columns
from advisor.doctor.probe import Probe
from advisor.install.check import Tried, try_installation
from advisor.install.origins import find_created_object
from advisor.install.statement import COMMIT
from advisor.install.statements import install_statements
from advisor.resources import PROCEDURES, data_file
from advisor.selftest.measure import Entry, count_rows, measure_entry, query_rows, refusal

PATIENCE_S = 3600  # for a call that reads every source and runs every rule

_TOLD = {  # columns of the doctor's queries that contain no names of the site
    "instance": ("SERVICE_LEVEL", "FIXPACK_NUM", "NUM_DBPARTITIONS", "NUM_MEMBERS"),
    "product": ("INSTALLED_PROD_FULLNAME", "PROD_RELEASE", "LICENSE_TYPE"),
    "system": ("OS_NAME", "OS_VERSION", "OS_RELEASE", "TOTAL_CPUS", "TOTAL_MEMORY"),
    "setting": ("NAME", "MEMBER", "VALUE"),
    "tablespace": ("DATATYPE", "PAGESIZE"),
    "authority": ("AUTHORITY", "D_USER", "D_GROUP", "D_PUBLIC", "ROLE_USER", "ROLE_GROUP", "ROLE_PUBLIC"),
}
_COSTS = {  # queries of sql/selftest/, and the units of their numbers
    "unit_of_work": "bytes",
    "log": "bytes",
    "locks": "number",
    "package_cache": "kb",
    "sections": "number",
    "compilation": "compile_ms",
}
_TASKS = "SELECT NAME FROM SYSTOOLS.ADMIN_TASK_LIST"
_RUNS = "SELECT RUN_ID FROM TUNE.RUN ORDER BY RUN_ID DESC FETCH FIRST 2 ROWS ONLY"


def server(connection: Connection) -> Iterator[Entry]:
    """Yield product, level, size and settings: one entry per row."""
    probe = Probe(connection)
    for question in _TOLD:
        yield from _answers(probe, question)


def _answers(probe: Probe, question: str) -> Iterator[Entry]:
    try:
        for row in probe.rows(question):
            yield {"question": question} | {name.lower(): row[name] for name in _TOLD[question]}
    except Db2Failure as failure:
        if failure.dropped:
            raise
        yield {"question": question} | refusal(failure, "")


def sources(connection: Connection) -> Iterator[Entry]:
    """Describe each source of Db2, to find its columns, and run it."""
    for source in all_sources().values():
        if not source.db2_object.startswith("TUNE."):
            yield _source(connection, source)


def _source(connection: Connection, source: Source) -> Entry:
    def read() -> Entry:
        begun = monotonic()
        columns = find_readable_columns(connection, source)
        described = {"describe_ms": round((monotonic() - begun) * 1000)}
        absent = [column.name for column in source.columns if column not in columns]
        return described | {"absent": absent} | count_rows(connection.rows(source.statement(columns) + ISOLATION))

    return measure_entry({"name": source.name, "object": source.db2_object}, source.statement(), read)


def installation(connection: Connection) -> Iterator[Entry]:
    """Try each statement of the installation."""
    tried = (one for one in install_statements() if one != COMMIT)
    yield from map(_statement, try_installation(connection, tried))


def _statement(each: Tried) -> Entry:
    entry = {
        "number": each.number,
        "makes": find_created_object(each.statement),
        "source": each.source,
        "ms": round(each.seconds * 1000),
    }
    if each.failure:
        entry |= refusal(each.failure, each.statement.text) | {"follows": each.follows}
    return entry


def calls(connection: Connection) -> Iterator[Entry]:
    """Call each public procedure with harmless arguments."""
    rule = next(rule for rule in all_rules().values() if rule.thresholds)
    taken: list[tuple[str, list[Any]]] = [
        ("SNAPSHOT", [Out("INTEGER")]),
        ("ADVISE", []),
        ("ADVISE", [None, 5, "ACTIVATION", None]),
        ("REPORT", [None]),
        ("EXPLAIN", [None, 1]),
        ("ACCEPT", [rule.name, "no such object", "selftest", None]),
        ("SET_OPTION", [rule.name, rule.thresholds[0].name, None]),
        ("SET_HOSTFACTS", ["no such host", None, None, None]),
        ("PURGE", [36500]),
        *_list_task_calls(connection),
    ]
    for name, arguments in taken:
        yield _call(connection, name, arguments)
    yield _call(connection, "COMPARE", _find_two_runs(connection))


def _list_task_calls(connection: Connection) -> list[tuple[str, list[Any]]]:
    """Return the calls of the scheduler: tasks roll back (r0054372). If it has no tables, avoid their creation."""
    try:
        connection.describe(_TASKS)
    except Db2Failure:
        return [("SCHEDULE", [None])]
    return [("SCHEDULE", ["0 2 * * *"]), ("UNSCHEDULE", [])]


def _find_two_runs(connection: Connection) -> list[int]:
    try:
        runs = [int(row[0]) for row in connection.rows(_RUNS)]
    except Db2Failure:
        runs = []
    return [runs[1], runs[0]] if len(runs) > 1 else [1, 1]


def _call(connection: Connection, name: str, arguments: list[Any]) -> Entry:
    def call() -> Entry:
        _, sets = connection.call(f"TUNE.{name}", arguments, PATIENCE_S)
        return {"result_sets": [_result_set(each) for each in sets]}

    return measure_entry({"name": name}, (PROCEDURES / f"{name.lower()}.sql").read_text(encoding="utf-8"), call)


def _result_set(found: ResultSet) -> Entry:
    return {"columns": len(found.columns)} | count_rows(found.rows)


def errors(connection: Connection) -> Iterator[Entry]:
    """Yield the errors that the calls survived: rule or source, with the codes."""

    def read() -> Entry:
        return {
            "noted": [
                {"place": _own(str(row[0])), "code": row[1], "state": row[2]}
                for row in query_rows(connection, "errors")
            ]
        }

    yield measure_entry({"name": "ERROR"}, "", read)


def _own(place: str) -> str:
    known = {f"rule {name}" for name in all_rules()} | {f"source {name}" for name in all_sources()}
    return place if place in known else place.partition(" ")[0]


def views(connection: Connection) -> Iterator[Entry]:
    """Compile and run each view. Measure its width by the types of its columns."""
    try:
        widths = {str(name): (int(count), int(bytes_)) for name, count, bytes_ in query_rows(connection, "widths")}
    except Db2Failure:
        widths = {}
    for name in (
        find_created_object(each) for each in install_statements() if each.text.startswith("CREATE OR REPLACE VIEW")
    ):
        yield _view(connection, str(name), widths)


def _view(connection: Connection, name: str, widths: dict[str, tuple[int, int]]) -> Entry:
    columns, bytes_ = widths.get(name.removeprefix("TUNE."), (None, None))
    text = f"SELECT * FROM {name}{ISOLATION}"
    entry = measure_entry(
        {"name": name, "columns": columns, "bytes": bytes_}, text, lambda: _compile_statement(connection, text)
    )
    return (
        entry
        if "sqlcode" in entry
        else measure_entry(entry | {"compile_ms": entry["ms"]}, text, lambda: count_rows(connection.rows(text)))
    )


def _compile_statement(connection: Connection, text: str) -> Entry:
    connection.describe(text)
    return {}


def settings(connection: Connection) -> Iterator[Entry]:
    """Run each query that reads back a setting for a script, with an existing setting."""
    for row in data_file("selftest", "samples"):
        yield _setting(connection, row["QUERY"], row["NAME"])


def _setting(connection: Connection, name: str, about: str) -> Entry:
    one = f"FROM (SELECT {about} AS NAME, CAST(NULL AS SMALLINT) AS MEMBER, 'x' AS VALUE FROM SYSIBM.SYSDUMMY1) AS E\n"
    text = statement_of("plan/checks", name).replace("FROM EXPECTED AS E", one.rstrip())

    def read() -> Entry:
        rows = list(connection.rows(text))
        return {"rows": len(rows), "known": sum(row[1] is not None for row in rows)}

    return measure_entry({"name": name}, text, read)


def cost(connection: Connection) -> Iterator[Entry]:
    """Yield the cost so far: log of this unit of work and of all, locks, package cache, and compilation."""
    for name, unit in _COSTS.items():
        read = partial(lambda which, unit: {unit: next(iter(query_rows(connection, which)))[0]}, name, unit)
        yield measure_entry({"name": name}, statement_of("selftest/queries", name), read)
