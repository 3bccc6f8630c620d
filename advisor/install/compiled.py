"""Procedures with static SQL: Db2 compiles them once, at the installation, and not at each run.

A computed view X has three objects: view C_X computes it, table M_X contains the rows of all runs, and view X the rows of
the session's run. Procedure C_X stores the rows of a run. Procedure R_<RULE> stores the findings of a rule. Each is a
procedure of its own, so a statement that the server cannot compile costs itself only.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from graphlib import TopologicalSorter

from advisor.catalogue.embedded import open_tables
from advisor.catalogue.options import option_view, option_views
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import remove_comments, remove_indents
from advisor.catalogue.views import model_views, rank_views
from advisor.install.statement import Statement, fill_statement, read_section, read_statement
from advisor.quoting import literal
from advisor.resources import PROCEDURES


@cache
def view_columns() -> dict[str, list[str]]:
    """Return the column names of the views in sql/model/ and sql/rank/, in order."""
    views = model_views() | rank_views()
    with open_tables() as tables:
        tables.define(option_views(list(all_rules().values())))
        for name, select in views.items():
            tables.store(name, select)
        return {name: list(tables.describe(f"SELECT * FROM TUNE.{name}")) for name in views}


# Dynamic statements have the installer's privileges (BIND), or may define objects (RUN, SQL0549N otherwise). Static ones
# read uncommitted rows, as the SNAPSHOT does. Optimization class 2 uses all join methods, like class 5, but a greedy join
# order: IBM recommends it for complex queries that do not run often.
OPTIONS = "ISOLATION UR QUERYOPT 2"
BIND = Statement(f"CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES BIND {OPTIONS}')")
RUN = Statement(f"CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES RUN {OPTIONS}')")

# The procedures without which TUNE.ADVISE cannot return a list.
CORE = {
    *("ADVISE", "COLLECT_SOURCE", "COLLECT_STATEMENT", "COMPUTE", "EVALUATE", "FIND", "GUARD", "NOTE_ERROR"),
    *("PROBE_COLUMNS", "READ_SOURCE", "SNAPSHOT", "START_RUN", "STEP"),
}
_HEAD = "CREATE OR REPLACE PROCEDURE {name} ()\nLANGUAGE SQL\nMODIFIES SQL DATA\n"
# A trial compiles the statement of a procedure, but stores no Db2 package: that needs much log and many locks.
_TRIAL = "BEGIN\nDECLARE V_TEXT VARCHAR(32672);\nSET V_TEXT = {text};\nPREPARE S_TRIED FROM V_TEXT;\nEND"
# Procedures that statements of sql/install/ create: a plain one, and the one that replaces it.
_GENERATED = {"STEP": ("plain_step", "step"), "READ_SOURCE": ("plain_read_source", "sources")}


def compute_view(name: str, is_kept: bool) -> Statement:
    """Return the procedure of a computed view. Rows of earlier runs are deleted unless they are kept."""
    columns = ", ".join(view_columns()[name])
    insert = f"INSERT INTO TUNE.M_{name} (RUN_ID, {columns}) SELECT TUNE.THIS_RUN, X.* FROM TUNE.C_{name} AS X"
    body = insert
    if not is_kept:
        delete = f"DELETE FROM TUNE.M_{name} WHERE RUN_ID IN (SELECT RUN_ID FROM TUNE.EARLIER_RUN)"
        body = f"BEGIN\n{delete};\n{insert};\nEND"
    return Statement(_HEAD.format(name=f"TUNE.C_{name}") + body, trial=_TRIAL.format(text=literal(insert)))


def find_rule(rule: Rule) -> Statement:
    """Return the procedure of a rule. Its thresholds are a common table expression."""
    insert = rule.parts.insertion("TUNE.M_FINDING", {"RUN_ID": "TUNE.THIS_RUN", "RULE": literal(rule.name)})
    if rule.thresholds:
        own = rule.option_view.removeprefix("TUNE.")
        insert = re.sub(rf"\bTUNE\.{own}\b", own, insert)
        options = option_view(rule.name, {each.name: "number" for each in rule.thresholds})
        insert = insert.replace("\nWITH ", f"\nWITH {own} AS (\n{options}\n),\n", 1)
    body = remove_indents(remove_comments(insert))
    return Statement(_HEAD.format(name=rule.procedure) + body, rule.name, trial=_TRIAL.format(text=literal(body)))


def purge_rows(steps: list[str], results: tuple[str, ...]) -> Statement:
    """Return the procedure that deletes the rows of old snapshots and runs."""
    of_runs = [*(f"M_{name}" for name in (*steps, *results)), "RUN"]
    of_snapshots = [*(f"S_{name.upper()}" for name in all_sources()), "SNAPSHOT_SOURCE", "SNAPSHOT"]
    deletes = [f"DELETE FROM TUNE.{table} WHERE RUN_ID <= P_RUN_ID;" for table in of_runs]
    deletes.append("DELETE FROM TUNE.MISSING WHERE RUN_ID BETWEEN 1 AND P_RUN_ID;")
    deletes += [f"DELETE FROM TUNE.{table} WHERE SNAP_ID <= P_SNAP_ID;" for table in of_snapshots]
    return fill_statement("procedures", "purge_rows", deletes="\n".join(deletes))


def procedures(purge: Statement) -> Iterator[Statement]:
    """Yield procedures after those that they call."""
    of_files = {path.stem.upper(): read_statement(path) for path in PROCEDURES.glob("*.sql")}
    generated = {name: read_section("procedures", plain) for name, (plain, _) in _GENERATED.items()}
    found = of_files | generated | {"PURGE_ROWS": purge}
    graph = {name: sorted(set(re.findall(r"CALL TUNE\.(\w+)", one.text)) & found.keys()) for name, one in found.items()}
    for name in TopologicalSorter(dict(sorted(graph.items()))).static_order():
        yield replace(found[name], is_core=name in CORE)
    yield RUN
    yield from (read_section("procedures", full) for _, full in _GENERATED.values())
    counts = ",\n                ".join(
        f"({literal(name)}, {_parameters(one.text)})" for name, one in sorted(of_files.items())
    )
    yield fill_statement("upgrade", "old_routines", rows=counts)


def _parameters(text: str) -> int:
    """Return the number of a procedure's parameters."""
    return len(re.findall(r"\b(?:IN|OUT|INOUT) P_\w+ ", text[: text.index("LANGUAGE SQL")]))
