"""The tables of one run, and their rows from the rule headers, the capture and the data files.

Everything that decides reads these tables; nothing here decides. The same statements run on any engine
that has a schema TUNE.
"""

import csv
import math
from collections.abc import Iterator
from typing import Any

from advisor.capture import Capture
from advisor.errors import UserError
from advisor.resources import SQL
from advisor.rulebook import Rule
from advisor.sources import all_sources

Row = tuple[Any, ...]

TABLES = {
    "RUN_SNAPSHOT": "BEGIN_ID INTEGER, END_ID INTEGER, BEGIN_EPOCH DOUBLE, END_EPOCH DOUBLE",
    "RUN_DATABASE": "DB_NAME VARCHAR(128), HOST_NAME VARCHAR(255), INSTANCE_NAME VARCHAR(128), DB2_LEVEL INTEGER,"
    " PLATFORM VARCHAR(20), TOPOLOGY VARCHAR(20), MANAGED SMALLINT",
    "RULE": "RULE VARCHAR(60), LANE VARCHAR(1), LANE_UNCLAIMED VARCHAR(1), EFFECT VARCHAR(2), EVIDENCE VARCHAR(10),"
    " RISK VARCHAR(10), SEVERITY INTEGER, EXCLUSIVE VARCHAR(60), DONOR SMALLINT, TOPOLOGY VARCHAR(20),"
    " ON_PURESCALE SMALLINT, ON_MANAGED SMALLINT, QUIET SMALLINT, MIN_LEVEL INTEGER, MAX_LEVEL INTEGER",
    "RULE_NEED": "RULE VARCHAR(60), SOURCE VARCHAR(60), ITEM VARCHAR(128)",
    "RULE_CLAIM": "RULE VARCHAR(60), POSITION INTEGER, BUCKET VARCHAR(20)",
    "RULE_RELATION": "RULE VARCHAR(60), OTHER VARCHAR(60), SCOPE VARCHAR(10), LARGER SMALLINT",
    "EFFECT": "EFFECT VARCHAR(2), EASE DOUBLE, MEANING VARCHAR(200)",
    "FACT_QUESTION": "ITEM VARCHAR(60), QUESTION VARCHAR(400)",
    "OPTION": "RULE VARCHAR(60), NAME VARCHAR(60), VALUE VARCHAR(254), PROVENANCE VARCHAR(40)",
    "SOURCE_COLUMN": "SOURCE VARCHAR(60), COLUMN_NAME VARCHAR(128)",
    "NOT_COLLECTED": "SOURCE VARCHAR(60), REASON VARCHAR(1000)",
    "FINDING": "RULE VARCHAR(60), OBJECT_TYPE VARCHAR(20), OBJECT_NAME VARCHAR(300), MEMBER SMALLINT,"
    " CLAIMED_PCT DOUBLE, RECOVER_LOW DOUBLE, RECOVER_EXPECTED DOUBLE, RECOVER_HIGH DOUBLE, CONFIDENCE DOUBLE,"
    " TARGET VARCHAR(400), CURRENT_VALUE VARCHAR(1024), PROPOSED_VALUE VARCHAR(1024), UNIT VARCHAR(40),"
    " MEMORY_DELTA_KB BIGINT, ACTION_TEXT VARCHAR(8000), UNDO_TEXT VARCHAR(8000), EVIDENCE VARCHAR(4000),"
    " FINDING VARCHAR(2000), CLAIM_2_PCT DOUBLE, CLAIM_3_PCT DOUBLE",
}

FINDING_COLUMNS = tuple(part.split()[0] for part in TABLES["FINDING"].split(", "))[1:]

SEVERITY = {"critical": 1, "high": 2, "medium": 3, "low": 4}


def data_file(folder: str, name: str) -> list[dict[str, str]]:
    """The rows of a CSV file of the product."""
    with (SQL / folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def level_number(level: str) -> int:
    """A level of Db2 as VVRRMMFF, the way SYSIBM.SYSVERSIONS writes it: 11.5.8 is 11050800."""
    parts = [*(int(part) for part in level.split(".")), 0, 0, 0][:4]
    return parts[0] * 1_000_000 + parts[1] * 10_000 + parts[2] * 100 + parts[3]


def run_rows(capture: Capture) -> Iterator[tuple[str, Row]]:
    """Rows that describe the run: its two snapshots, the database, what was collected of it."""
    begin, end = capture.snapshots[0], capture.snapshots[-1]
    single = begin is end
    yield "RUN_SNAPSHOT", (None if single else begin.id, end.id, None if single else begin.epoch_s, end.epoch_s)
    database = capture.database
    yield (
        "RUN_DATABASE",
        (
            database["name"],
            database["host"],
            database["instance"],
            level_number(database["level"]),
            database["platform"],
            database["topology"],
            int(database.get("managed", False)),
        ),
    )
    for name, present in capture.columns.items():
        for column in present:
            yield "SOURCE_COLUMN", (name, column)
        if not present:
            yield "NOT_COLLECTED", (name, capture.not_collected.get(name, "not in the capture"))


def rule_rows(rules: list[Rule]) -> Iterator[tuple[str, Row]]:
    """Rows that describe the rules, from their headers."""
    for rule in rules:
        lane, unclaimed = rule.lanes
        excluded = (rule.applies("not") or "").split(",")
        yield (
            "RULE",
            (
                rule.name,
                lane,
                unclaimed,
                rule.fields["effect"],
                rule.fields["evidence"],
                rule.fields.get("risk", "low"),
                SEVERITY[rule.fields.get("severity", "medium")],
                rule.fields.get("exclusive"),
                int(rule.fields.get("donor") == "yes"),
                rule.applies("topology"),
                int("purescale" not in excluded),
                int("managed" not in excluded),
                int(rule.applies("quiet") == "yes"),
                _level(rule.applies("from")),
                _level(rule.applies("to")),
            ),
        )
        for need in rule.listed("needs"):
            source, _, item = need.partition(".")
            yield "RULE_NEED", (rule.name, source, item)
        for position, bucket in enumerate(rule.listed("claims"), 1):
            yield "RULE_CLAIM", (rule.name, position, bucket)
        for relation in rule.listed("yields"):
            other, _, scope = relation.partition("@")
            scope, _, larger = scope.partition("+")
            yield "RULE_RELATION", (rule.name, other, scope, int(larger == "larger"))
    for effect in data_file("rank", "effects"):
        yield "EFFECT", (effect["EFFECT"], float(effect["EASE"]), effect["MEANING"])
    for question in data_file("schema", "questions"):
        yield "FACT_QUESTION", (question["ITEM"], question["QUESTION"])


def _level(level: str | None) -> int | None:
    return None if level is None else level_number(level)


def option_rows(rules: list[Rule], overrides: dict[str, dict[str, str | float]]) -> Iterator[tuple[str, Row]]:
    """Every option once: its default, or what the site says instead. Raises UserError for what is no option."""
    site = data_file("schema", "site_options")
    known = {("site", row["NAME"]): (row["DEFAULT"], row["PROVENANCE"]) for row in site}
    choices = {row["NAME"]: row["CHOICES"].split() for row in site if row["TYPE"] == "text"}
    for rule in rules:
        for threshold in rule.thresholds:
            known[rule.name, threshold.name] = (repr(threshold.value), threshold.provenance)
    for owner, values in overrides.items():
        for name, value in values.items():
            if (owner, name) not in known:
                raise UserError(f"option {owner}.{name}: no such option; db2tune rules {owner} lists them")
            text = str(value).upper() if owner == "site" else str(value)
            if owner == "site" and name in choices:
                if text not in choices[name]:
                    raise UserError(f"option {owner}.{name}: {value!r} is none of {', '.join(choices[name])}")
            elif not _is_number(value):
                raise UserError(f"option {owner}.{name}: {value!r} is not a number")
            known[owner, name] = (text, "site")
    for (owner, name), (default, provenance) in known.items():
        yield "OPTION", (owner, name, default or None, provenance)


def _is_number(value: str | float) -> bool:
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


def option_view(owner: str, options: dict[str, str]) -> str:
    """One row with a column for each option of a rule (or of the site), so that a rule just joins it."""
    columns = ",\n    ".join(
        f"MAX(CASE WHEN NAME = '{name}' THEN {'CAST(VALUE AS DOUBLE)' if kind == 'number' else 'VALUE'} END)"
        f" AS {name.upper()}"
        for name, kind in options.items()
    )
    return f"SELECT\n    {columns}\nFROM TUNE.OPTION\nWHERE RULE = '{owner}'"


def option_views(rules: list[Rule]) -> Iterator[tuple[str, str]]:
    """Name and SELECT of the option view of the site and of every rule that has thresholds."""
    yield "TUNE.O_SITE", option_view("site", {row["NAME"]: row["TYPE"] for row in data_file("schema", "site_options")})
    for rule in rules:
        if rule.thresholds:
            yield rule.option_view, option_view(rule.name, {t.name: "number" for t in rule.thresholds})


def snapshot_columns() -> dict[str, str]:
    """Table name and column list of every snapshot table, for engines that create them empty."""
    return {
        source.table: ", ".join(["SNAP_ID INTEGER", *(f"{c.name} {c.type}" for c in source.columns)])
        for source in all_sources().values()
    }
