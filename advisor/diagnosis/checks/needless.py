"""Nothing better: few rows, all rows are needed, the plan goes by the right index."""

from sqlglot import exp

from advisor.diagnosis.case import Case, Right, count_text, table_text
from advisor.diagnosis.checks import Found, check


@check(
    "tiny",
    "A table so small that no index makes it faster",
    "Db2 reads a table of a few pages with one prefetch request",
)
def tiny(case: Case) -> Found:
    for name in case.paste.names:
        facts = case.facts(name)
        if case.is_tiny(name) and not (facts and facts.rows == 0):
            rows = f"{count_text(facts.rows)} rows" if facts and facts.rows is not None else "a few pages"
            yield Right(
                f"{table_text(facts.name if facts else name)} has {rows}: reading all of it is right, whatever the plan calls it."
            )


@check("right-index", "An index that finds the rows", "IBM documentation, index access")
def index(case: Case) -> Found:
    if case.plan is None:
        return
    for each in case.plan.operators.values():
        if each.table and (below := case.finds_rows(each)):
            yield Right(
                f"Index {below.object.name[1] if below.object else ''} finds the rows of {table_text(each.table)}:"
                f" {count_text(below.rows)} entries for {count_text(each.rows)} rows."
            )


@check("all-rows", "A statement that needs all rows", "no index saves a read of all rows")
def everything(case: Case) -> Found:
    if case.paste.tree is None or case.paste.tree.find(exp.Where, exp.Having):
        return
    for use in case.statement.tables:
        name = (use.schema, use.table)
        facts = case.facts(name)
        if (
            len(case.statement.tables) == 1
            and not use.compared
            and not use.more_predicates
            and not (use.group or use.distinct)
            and not case.statement.limit
            and not use.is_target
        ):
            yield Right(f"The statement needs all rows of {table_text(facts.name if facts else name)}.")


@check("all-joined", "A join of all rows", "a hash join of two scans reads each page once")
def joined(case: Case) -> Found:
    uses = case.statement.tables
    unlimited = not any(use.equal or use.ranges or use.likes or use.more_predicates for use in uses)
    if (
        len(uses) > 1
        and not case.correlated()
        and all(use.joins for use in uses)
        and unlimited
        and not case.statement.limit
    ):
        yield Right("No table has a predicate of its own: all rows are joined, and scans with a hash join are right.")
