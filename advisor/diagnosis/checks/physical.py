"""Pages of tables, and repeated computations."""

import re

from sqlglot import exp

from advisor.diagnosis.case import Case, Proposal, Right, count_text, plain, table_text
from advisor.diagnosis.checks import Found, check
from advisor.quoting import literal

_EMPTY = 4.0  # own: pages of the file for each page with rows
_LEAST_PAGES = 1000  # own
_OVERFLOWS = 0.05  # field: share of the rows that are overflows (REORGCHK, F1)
LONG_S = 60.0  # own: seconds of a DELETE that is worth dividing
_MASS = re.compile(
    r"\d\s*(?:thousand|million|k|m)?\s+(?:rows|records)\s+(?:are |were |get |to be )?deleted|purg\w+|housekeeping|archiv\w+",
    re.I,
)
_OFTEN = re.compile(
    r"dashboard|report|often|times (?:a|per|an|each)|every (?:minute|hour|day|second)|nightly|daily|repeated", re.I
)
_SUMS = ("SUM", "COUNT")


@check(
    "empty-pages",
    "A table with many empty pages, or many overflows",
    "IBM documentation, REORGCHK formulas F1 to F3 (r0001972)",
)
def empty(case: Case) -> Found:
    for name in case.paste.names:
        facts = case.facts(name)
        if facts is None or facts.file_pages is None:
            continue
        text, used = table_text(facts.name), facts.pages or 0
        if facts.file_pages >= _LEAST_PAGES and facts.file_pages > _EMPTY * max(1, used):
            yield Proposal(
                f"Reorganize {text}: {count_text(facts.file_pages - used)} of its {count_text(facts.file_pages)} pages are empty",
                f"FPAGES is {count_text(facts.file_pages)}, NPAGES {count_text(used)}: a scan reads the empty pages, too.",
                (f"REORG TABLE {text}", f"RUNSTATS ON TABLE {text} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL"),
                saves=(0.3, min(0.95, 1 - used / facts.file_pages)),
                costs="A classic REORG allows only reads while it runs, and needs space for a copy in a temporary or its own table space.",
                proof="NPAGES and FPAGES of SYSCAT.TABLES are nearly equal after RUNSTATS.",
                notes=(
                    "If rows are deleted and inserted all the time, do it regularly, or empty the table by TRUNCATE.",
                ),
                weight=0.93,
            )
        if facts.overflow and facts.rows and facts.overflow > _OVERFLOWS * facts.rows:
            yield Proposal(
                f"Reorganize {text}: {count_text(facts.overflow)} rows are overflows",
                "An overflow row is read from two pages: an UPDATE made it longer than its place.",
                (f"REORG TABLE {text}", f"RUNSTATS ON TABLE {text} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL"),
                saves=(0.0, min(0.5, facts.overflow / facts.rows)),
                costs="A classic REORG allows only reads while it runs.",
                proof="OVERFLOW of SYSCAT.TABLES is near 0 after RUNSTATS.",
                weight=0.7,
            )


@check(
    "index-for-all-rows", "A plan that reads all rows of a table by an index", "IBM documentation, table reorganization"
)
def by_index(case: Case) -> Found:
    """A scan of the table costs more than all its rows by an index only if many of its pages are empty."""
    for fetch in case.plan.operators.values() if case.plan else ():
        scan = case.plan.operators.get(fetch.inputs[0]) if case.plan and fetch.inputs else None
        above = case.plan.above(fetch.number) if case.plan else None
        facts = case.facts(fetch.table) if fetch.table else None
        if (
            fetch.type != "FETCH"
            or scan is None
            or scan.type != "IXSCAN"
            or facts is None
            or facts.file_pages is not None
        ):
            continue
        total = fetch.object.rows if fetch.object else None
        if total and fetch.rows == total == scan.rows and above and above.type == "SORT":
            text = table_text(facts.name)
            yield Proposal(
                f"Look for empty pages of {text}",
                f"FETCH ({fetch.number}) reads all {count_text(total)} rows by an index, and a SORT follows: a scan would read more"
                " pages, so that many are empty (FPAGES above NPAGES).",
                (
                    f"SELECT NPAGES, FPAGES FROM SYSCAT.TABLES WHERE TABSCHEMA = {literal(facts.name[0])} AND TABNAME = {literal(facts.name[1])}",
                    f"REORG TABLE {text}",
                    f"RUNSTATS ON TABLE {text} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL",
                ),
                costs="A classic REORG allows only reads while it runs. Do it only if FPAGES is far above NPAGES.",
                proof="NPAGES and FPAGES are nearly equal after RUNSTATS, and the plan is a TBSCAN.",
                weight=0.8,
            )


@check(
    "repeated-sum", "The same sums over a large table, again and again", "IBM documentation, materialized query tables"
)
def sums(case: Case) -> Found:
    tree = case.paste.tree
    if not isinstance(tree, exp.Select) or not tree.args.get("group") or len(case.paste.names) != 1:
        return
    name = case.paste.names[0]
    often = case.paste.runs or _OFTEN.search(case.paste.sentences)
    values = [each for each in tree.find_all(exp.Anonymous) if each.name.upper() in _SUMS]
    if not often or case.rows(name) < 1_000_000 or not values or any(each.find(exp.Distinct) for each in values):
        return
    use = case.use_of(name)
    if use is None or tree.find(exp.Placeholder, exp.Subquery):
        return
    grouped = tree.args["group"].expressions
    groups = [each.name.upper() for each in grouped if isinstance(each, exp.Column)]
    columns = list(dict.fromkeys([*(each.column for each in use.equal), *use.ranges, *groups]))
    added = [each.expressions[0] for each in values if each.name.upper() == "SUM"]
    if use.more_predicates or len(groups) != len(grouped) or not all(isinstance(each, exp.Column) for each in added):
        return
    sums_ = [f"SUM({plain(each.name.upper())}) AS SUM_{each.name.upper()}" for each in added]
    facts = case.facts(name)
    source = table_text(facts.name if facts else name)
    target = table_text((name[0], f"{name[1]}_SUM"))
    listed = ", ".join(map(plain, columns))
    yield Proposal(
        f"Keep the sums in a materialized query table (MQT) on {source}",
        f"Each execution adds up the rows of {source} again"
        + (f" ({count_text(case.rows(name))} rows" + (f", {case.paste.runs}" if case.paste.runs else "") + ")")
        + "; the result has few rows, and other sums by the same columns can use it.",
        (
            f"CREATE TABLE {target} AS (SELECT {', '.join([listed, *sums_, 'COUNT(*) AS ROWS_'])} FROM {source} GROUP BY {listed})"
            " DATA INITIALLY DEFERRED REFRESH DEFERRED MAINTAINED BY SYSTEM",
            f"REFRESH TABLE {target}",
            f"RUNSTATS ON TABLE {target} WITH DISTRIBUTION",
            "SET CURRENT REFRESH AGE ANY",
        ),
        (f"DROP TABLE {target}",),
        saves=(0.8, 0.99),
        costs="REFRESH TABLE after each load reads the table once; queries see the sums of the last refresh.",
        proof=f"Explain the statement again: it reads {target}.",
        notes=(
            "Queries use it only at CURRENT REFRESH AGE ANY (DFT_REFRESH_AGE) and optimization level 2 or 5 and above.",
        ),
        weight=0.9,
    )


@check(
    "partitions",
    "A partitioned or multidimensionally clustered table without a predicate on the dividing columns",
    "IBM documentation, data partition elimination (c0021579)",
)
def partitions(case: Case) -> Found:
    for use in case.statement.tables:
        facts = case.facts((use.schema, use.table))
        for kind, word in (("PARTITION", "partitions"), ("ORGANIZE", "blocks")):
            columns = facts.divided.get(kind, "").split() if facts else []
            if not facts or not columns or use.is_target:
                continue
            text, compared = table_text(facts.name), set(columns) & {*use.compared, *(j.column for j in use.joins)}
            if compared:
                yield Right(f"The {word} of {text} with other values of {', '.join(sorted(compared))} are not read.")
            else:
                yield Proposal(
                    f"Compare {' or '.join(columns)} in the statement",
                    f"{text} is divided by {', '.join(columns)}, and no predicate is on them: all {word} are read.",
                    (f"-- Add the condition that the user means, such as {plain(columns[0])} BETWEEN ? AND ?",),
                    proof="Explain the statement again: it reads fewer pages.",
                    weight=0.65,
                )


@check(
    "foreign-key",
    "A foreign key without an index on the child table",
    "IBM documentation, index design for referential integrity",
)
def foreign(case: Case) -> Found:
    tree = case.paste.tree
    if not isinstance(tree, (exp.Delete, exp.Update)):
        return
    targets = {(use.schema, use.table) for use in case.statement.tables if use.is_target}
    for schema, table, parent, columns in case.paste.foreign_keys:
        if not any(parent[1] == target[1] and parent[0] in ("", target[0], schema) for target in targets):
            continue
        child = case.facts((schema, table))
        if child and any(
            {key.column for key in index.keys[: len(columns)]} == set(columns) for index in child.indexes.values()
        ):
            continue
        text, listed = table_text((schema, table)), ", ".join(map(plain, columns))
        name = table_text((schema, f"IX_{table}_{'_'.join(columns)}"[:60]))
        yield Proposal(
            f"Index the foreign key of {text}",
            f"For each row that is deleted, Db2 looks for rows of {text} with its key; without an index on ({listed}) it scans that table each time.",
            (f"CREATE INDEX {name} ON {text} ({listed}) ALLOW REVERSE SCANS COLLECT SAMPLED DETAILED STATISTICS",),
            (f"DROP INDEX {name}",),
            saves=(0.5, 0.99),
            costs="Each insert and delete in the child table changes the index.",
            proof="Explain the DELETE: the child is read by IXSCAN.",
            weight=0.9,
        )


@check("mass-delete", "A DELETE of very many rows", "IBM documentation, roll-out of data by DETACH PARTITION")
def mass_delete(case: Case) -> Found:
    tree = case.paste.tree
    target = next((use for use in case.statement.tables if use.is_target), None)
    if not isinstance(tree, exp.Delete) or target is None or not (target.ranges or _MASS.search(case.paste.sentences)):
        return
    if not _MASS.search(case.paste.sentences) and (case.paste.seconds or 0.0) < LONG_S:
        return
    facts = case.facts((target.schema, target.table))
    text = table_text(facts.name if facts else (target.schema, target.table))
    where = found[0].rstrip("; ") if (found := re.search(r"\bwhere\b.*", case.paste.text, re.I | re.S)) else ""
    column = next(iter(target.ranges), "")
    yield Proposal(
        f"Delete from {text} in small units of work",
        "Each row is removed from each index, and logged; one unit of work with millions of rows holds the log and the locks.",
        (f"DELETE FROM (SELECT 1 FROM {text} {where} FETCH FIRST 10000 ROWS ONLY)".replace("  ", " "), "COMMIT"),
        costs="Repeat both until no row is found (SQL0100W).",
        proof="UOW_LOG_SPACE_USED stays small, and others do not wait for locks.",
        notes=(
            f"If it is done regularly, partition {text} by {plain(column)}: ALTER TABLE ... DETACH PARTITION removes a range at once.",
        )
        if column
        else (),
        weight=0.75,
    )


@check("spill", "A sort or hash join that spills", "IBM documentation, sort performance")
def spill(case: Case) -> Found:
    plan = case.plan
    if plan is None:
        return
    for each in plan.operators.values():
        share = case.own_costs.get(each.number, 0.0)
        if each.type == "SORT" and each.spilled_pages and (share >= 0.2 or each.spilled_pages > 10_000):
            yield Proposal(
                f"Sort ({each.number}) is expected to spill {count_text(each.spilled_pages)} pages",
                "It does not fit in SORTHEAP. With STMM, let SORTHEAP and SHEAPTHRES_SHR be AUTOMATIC; otherwise a larger SORTHEAP, or an index in this order.",
                ("UPDATE DB CFG USING SORTHEAP AUTOMATIC SHEAPTHRES_SHR AUTOMATIC",),
                costs="STMM takes the memory from other consumers.",
                proof="SORT_OVERFLOWS of the statement in MON_GET_PKG_CACHE_STMT stays.",
                weight=0.45,
            )
            return
