"""The steps of a judgement: build the views, run the rules, rank their findings."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import advice_views, candidate_views, next_choice, quiet_interval
from advisor.errors import UserError
from advisor.judgement.failures import failed, get_first_line
from advisor.progress import track

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

# Rules that could not run, without rules that do not apply.
COULD_NOT_RUN = (
    "SELECT RULE, REASON FROM TUNE.GATE WHERE KIND = 'could not run'"
    " AND RULE NOT IN (SELECT RULE FROM TUNE.GATE WHERE KIND = 'not applicable')"
)
_OPEN = "SELECT RULE FROM TUNE.RULE EXCEPT SELECT RULE FROM TUNE.GATE EXCEPT SELECT RULE FROM TUNE.NOT_RUN"

MOST_FOUND = 1000  # objects of one rule in a list; each takes memory

_TYPE, _NAME, _CLAIMED = (FINDING_COLUMNS.index(name) for name in ("OBJECT_TYPE", "OBJECT_NAME", "CLAIMED_PCT"))

Row = tuple[Any, ...]


def judge_activation_if_quiet(tables: "Tables") -> None:
    """Judge the time since activation if the interval had too little load; RUN_SNAPSHOT keeps its length."""
    for (seconds,) in tables.fetch(quiet_interval()):
        tables.execute("UPDATE TUNE.RUN_SNAPSHOT SET BEGIN_ID = NULL, BEGIN_EPOCH = NULL, QUIET_S = ?", [seconds])


def build_views(tables: "Tables", views: dict[str, str]) -> dict[str, Exception]:
    """Store views as tables, because many rules read them. A failed one stays empty; return the errors by view."""
    import apsw

    broken: dict[str, Exception] = {}
    for name, select in views.items():
        try:
            tables.store(name, select)
        except apsw.Error as error:
            tables.store_nothing(name, select)
            broken[name] = error
    return broken


def run_rules(tables: "Tables", rules: list[Rule]) -> None:
    """Fill FINDING, and NOT_RUN with the rules that could not run. A failed rule does not stop the others."""
    import apsw

    tables.execute(f"INSERT INTO TUNE.NOT_RUN {COULD_NOT_RUN}")
    can_run = {name for (name,) in tables.fetch(_OPEN)}
    reasons = []
    for rule in track("Judging by rules", rules, len(rules)):
        if rule.name in can_run:
            try:
                found, reason = _keep_largest(_find(tables, rule))
                if found:
                    tables.insert("FINDING", ["RULE", *FINDING_COLUMNS], [(rule.name, *row) for row in found])
            except apsw.Error as error:
                reason = failed(error, rule)
            if reason:
                reasons.append((rule.name, reason))
    tables.fill(("NOT_RUN", row) for row in reasons)


def _find(tables: "Tables", rule: Rule) -> list[Row]:
    """Return the rows of a rule. Most rules find nothing, which their figures show without the generated texts."""
    with nullcontext() if rule is all_rules().get(rule.name) else tables.box():
        return tables.fetch(rule.statement) if tables.execute(rule.select).fetchone() else []


def _keep_largest(found: list[Row]) -> tuple[list[Row], str]:
    """Return the rows of the objects with the largest claims, at most MOST_FOUND, and what to report otherwise."""
    objects: dict[tuple[str, str], float] = {}
    for row in found:
        objects[row[_TYPE], row[_NAME]] = objects.get((row[_TYPE], row[_NAME]), 0) + (row[_CLAIMED] or 0)
    if len(objects) <= MOST_FOUND:
        return found, ""
    kept = set(sorted(objects, key=lambda key: (-objects[key], key))[:MOST_FOUND])
    reason = (
        f"found {len(objects)} objects: the list contains {MOST_FOUND} of them, those with the largest shares of time"
    )
    return [row for row in found if (row[_TYPE], row[_NAME]) in kept], reason


def rank(tables: "Tables") -> None:
    """Rank the findings: build the candidates, choose one after another, then build the list."""
    import apsw

    try:
        for name, select in candidate_views().items():
            tables.store(name, select)
        tables.execute(f"INSERT INTO TUNE.CHOSEN {next_choice()}")
        while tables.count_changes():
            tables.execute(f"INSERT INTO TUNE.CHOSEN {next_choice()}")
        for name, select in advice_views().items():
            tables.store(name, select)
    except apsw.Error as error:
        raise UserError(f"the capture contains invalid values: {get_first_line(error)}") from error
