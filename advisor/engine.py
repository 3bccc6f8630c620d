"""From a capture to ranked advice, on an embedded DuckDB.

The engine creates the tables and views, runs every rule that the gates let through, and reads the
ranked list back. It takes no decision: each is a statement in sql/.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import capture as captures
from advisor.rulebook import Rule, all_rules
from advisor.sessions import in_sessions
from advisor.store import FINDING_COLUMNS, TABLES, Row, option_rows, option_views, rule_rows, run_rows
from advisor.views import model_views, rank_views

if TYPE_CHECKING:
    import duckdb


_QUOTED = re.compile(r""""(?:[^"]|"")*"|'(?:[^']|'')*'""")


@dataclass(frozen=True)
class Claim:
    """What a recommendation claims from one time bucket and how large that is, in percent of database time."""

    bucket: str
    pct: float
    of_pct: float


@dataclass(frozen=True)
class Recommendation:
    """One row of TUNE.ADVICE with the commands of its findings.

    Benefits and claims are percent of database time; ``rank`` is None for what was found and left out,
    and then ``superseded_by`` says by what.
    """

    rank: int | None
    rule: Rule
    object_type: str
    object_name: str
    member: int | None
    lane: str
    claimed_pct: float
    claims: list[Claim]
    benefit_low: float
    benefit: float
    benefit_high: float
    benefit_after: float
    confidence: float
    ease: float
    score: float
    target: str | None
    current: str | None
    proposed: str | None
    unit: str | None
    memory_delta_kb: int
    evidence: dict[str, str]
    finding: str
    actions: list[str]
    undo: list[str]
    superseded_by: str | None


@dataclass(frozen=True)
class Window:
    """The interval that was judged: seconds, where it came from, and why it cannot be used, if so."""

    begin: str | None
    end: str
    seconds: float | None
    source: str
    usable: bool
    reason: str | None
    members: int
    active_sessions: float | None


@dataclass(frozen=True)
class Workload:
    """What kind of work the database does, and how sure that is."""

    name: str
    p_oltp: float
    p_bi: float


@dataclass(frozen=True)
class Advice:
    """The result of one run; ``options`` are those that the site set."""

    database: dict[str, Any]
    window: Window
    workload: Workload
    recommendations: list[Recommendation]
    not_run: list[tuple[str, str]]
    questions: list[dict[str, str]]
    options: dict[str, dict[str, str | float]]

    @property
    def ranked(self) -> list[Recommendation]:
        return [item for item in self.recommendations if item.rank is not None]


def advise(path: Path, rules: list[Rule] | None = None) -> Advice:
    """Read a capture and return the advice for it. Raises UserError when the capture is not usable."""
    with captures.opened(path) as capture:
        return evaluate(capture, list(all_rules().values()) if rules is None else rules)


def evaluate(capture: captures.Capture, rules: list[Rule]) -> Advice:
    """Run the rules over an opened capture."""
    connection = connect()
    try:
        prepare(connection, capture, rules)
        not_run = run_rules(connection, rules)
        for name, select in rank_views().items():
            connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")
        return _result(connection, capture, {rule.name: rule for rule in rules}, not_run)
    finally:
        connection.close()


def connect() -> "duckdb.DuckDBPyConnection":
    """An empty in-memory database with the schema TUNE and the tables of a run."""
    import duckdb

    connection = duckdb.connect(":memory:")
    connection.execute("SET preserve_insertion_order = false")  # no statement relies on it; loading is faster
    connection.execute("CREATE SCHEMA TUNE")
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE TUNE.{name} ({columns})")
    return connection


def prepare(connection: "duckdb.DuckDBPyConnection", capture: captures.Capture, rules: list[Rule]) -> None:
    """Load the capture and build the window views.

    Each is kept as a table, since many rules read it; only the deltas stay views: to join two snapshots
    again for the few columns that a reader wants is cheaper than to write all of them.
    """
    capture.load(connection)
    rows = [*run_rows(capture), *rule_rows(rules), *option_rows(rules, capture.options)]
    by_table: dict[str, list[Row]] = {}
    for table, row in rows:
        by_table.setdefault(table, []).append(row)
    for table, values in by_table.items():
        marks = "(" + ", ".join("?" * len(values[0])) + ")"
        connection.execute(
            f"INSERT INTO TUNE.{table} VALUES {', '.join([marks] * len(values))}",
            [item for row in values for item in row],
        )
    for name, select in option_views(rules):
        connection.execute(f"CREATE VIEW {name} AS {select}")
    for name, select in model_views().items():
        kind = "VIEW" if name.startswith(("D_", "L_")) else "TABLE"
        connection.execute(f"CREATE {kind} TUNE.{name} AS {select}")


def run_rules(connection: "duckdb.DuckDBPyConnection", rules: list[Rule]) -> list[tuple[str, str]]:
    """Fill TUNE.FINDING; return the rules that could not run with the reason.

    A rule that fails is one of them and never stops the others.
    """
    import duckdb

    gated = connection.execute("SELECT RULE, KIND, REASON FROM TUNE.GATE ORDER BY RULE, KIND, REASON").fetchall()
    silent = {rule for rule, kind, _ in gated if kind == "not applicable"}
    closed = {rule for rule, _, _ in gated}
    not_run: dict[str, list[str]] = {}
    for rule, _, reason in gated:
        if rule not in silent:
            not_run.setdefault(rule, []).append(reason)
    names = ", ".join(FINDING_COLUMNS)

    def run(session: "duckdb.DuckDBPyConnection", rule: Rule) -> None:
        try:
            session.execute(
                f"INSERT INTO TUNE.FINDING (RULE, {names}) SELECT '{rule.name}', X.* FROM ({rule.select}\n) AS X"
            )
        except duckdb.Error as error:
            not_run[rule.name] = [f"failed: {str(error).splitlines()[0]}"]

    in_sessions(connection, run, [rule for rule in rules if rule.name not in closed])
    return [(rule, "; ".join(dict.fromkeys(reasons))) for rule, reasons in sorted(not_run.items())]


def _records(connection: "duckdb.DuckDBPyConnection", sql: str) -> list[dict[str, Any]]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _result(
    connection: "duckdb.DuckDBPyConnection",
    capture: captures.Capture,
    rules: dict[str, Rule],
    not_run: list[tuple[str, str]],
) -> Advice:
    commands: dict[tuple[str, str, str], list[Row]] = {}
    for rule, kind, name, action, undo in connection.execute(
        "SELECT RULE, OBJECT_TYPE, OBJECT_NAME, ACTION_TEXT, UNDO_TEXT FROM TUNE.FINDING"
        " ORDER BY RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER NULLS FIRST, ACTION_TEXT"
    ).fetchall():
        commands.setdefault((rule, kind, name), []).append((action, undo))
    advice = _records(
        connection, "SELECT * FROM TUNE.ADVICE ORDER BY POSITION NULLS LAST, SCORE DESC, RULE, OBJECT_NAME"
    )
    claims: dict[tuple[str, str, str], list[Claim]] = {}
    for rule, kind, name, bucket, pct, of_pct in connection.execute(
        "SELECT RULE, OBJECT_TYPE, OBJECT_NAME, BUCKET, CLAIM_PCT, BUCKET_PCT FROM TUNE.CLAIM"
        " ORDER BY RULE, OBJECT_TYPE, OBJECT_NAME, POSITION"
    ).fetchall():
        claims.setdefault((rule, kind, name), []).append(Claim(bucket, pct, of_pct))
    recommendations = []
    for row in advice:
        key = (row["RULE"], row["OBJECT_TYPE"], row["OBJECT_NAME"])
        recommendations.append(_recommendation(row, rules, commands[key], claims.get(key, [])))
    window = _records(
        connection,
        "SELECT W.*, T.ACTIVE_SESSIONS FROM TUNE.RUN_WINDOW AS W CROSS JOIN TUNE.DATABASE_TIME AS T",
    )[0]
    workload = _records(connection, "SELECT CLASS, P_OLTP, P_BI FROM TUNE.WORKLOAD_CLASS")[0]
    first, last = capture.snapshots[0], capture.snapshots[-1]
    return Advice(
        database=capture.database,
        window=Window(
            begin=None if first is last else first.taken_at.isoformat(),
            end=last.taken_at.isoformat(),
            seconds=window["SECONDS"],
            source=window["SOURCE"],
            usable=window["USABLE"] == 1,
            reason=window["REASON"],
            members=window["MEMBERS"],
            active_sessions=window["ACTIVE_SESSIONS"],
        ),
        workload=Workload(workload["CLASS"], workload["P_OLTP"], workload["P_BI"]),
        recommendations=recommendations,
        not_run=not_run,
        questions=_records(connection, "SELECT RULE, QUESTION FROM TUNE.QUESTION ORDER BY QUESTION, RULE"),
        options=capture.options,
    )


def _recommendation(
    row: dict[str, Any], rules: dict[str, Rule], commands: list[Row], claims: list[Claim]
) -> Recommendation:
    return Recommendation(
        rank=row["POSITION"],
        rule=rules[row["RULE"]],
        object_type=row["OBJECT_TYPE"],
        object_name=row["OBJECT_NAME"],
        member=row["MEMBER"],
        lane=row["LANE"],
        claimed_pct=row["CLAIMED_PCT"],
        claims=claims,
        benefit_low=row["BENEFIT_LOW"],
        benefit=row["BENEFIT"],
        benefit_high=row["BENEFIT_HIGH"],
        benefit_after=row["BENEFIT_AFTER"],
        confidence=row["CONFIDENCE"],
        ease=row["EASE"],
        score=row["SCORE"],
        target=row["TARGET"],
        current=row["CURRENT_VALUE"],
        proposed=row["PROPOSED_VALUE"],
        unit=row["UNIT"],
        memory_delta_kb=row["MEMORY_DELTA_KB"],
        evidence=_pairs(row["EVIDENCE"]),
        finding=row["FINDING"],
        actions=_lines([action for action, _ in commands]),
        undo=_lines([undo for _, undo in reversed(commands)]),
        superseded_by=row["SUPERSEDED_BY"],
    )


def _pairs(evidence: str | None) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in (evidence or "").split("; ") if pair)
    return {name: value for name, _, value in pairs}


def _lines(texts: list[str | None]) -> list[str]:
    """Commands, one a line of the text; the same command of several members is given once.

    A line feed inside a quoted name would tear a command in two and make its rest a command of its own. The
    torn part shows by a quote that does not close, and then no command is given at all.
    """
    lines = list(dict.fromkeys(line for text in texts if text for line in text.split("\n")))
    if any(_torn(line) for line in lines):
        return ["-- A name in this command holds a line feed: write the command by hand."]
    return lines


def _torn(line: str) -> bool:
    rest = _QUOTED.sub("", line)
    return '"' in rest or ("'" in rest and not line.startswith("-- "))
