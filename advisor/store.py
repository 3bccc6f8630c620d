"""The tables of one run, and their rows from the rule headers, the capture and the data files.

Everything that decides reads these tables; nothing here decides. The same statements run on any engine
that has a schema TUNE.
"""

import csv
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from advisor.capture import Capture
from advisor.errors import UserError
from advisor.resources import SQL
from advisor.rulebook import Rule, earlier_rules
from advisor.sources import all_sources

Row = tuple[Any, ...]

# What is about one run. The embedded engine keeps it in tables of these names; inside Db2 each is a view of the
# run that the session is about (sql/run), and findings and what could not run are kept for every run.
PER_RUN = {
    "RUN_SNAPSHOT": "BEGIN_ID INTEGER, END_ID INTEGER, BEGIN_EPOCH DOUBLE, END_EPOCH DOUBLE",
    "RUN_DATABASE": "DB_NAME VARCHAR(128), HOST_NAME VARCHAR(255), INSTANCE_NAME VARCHAR(128), DB2_LEVEL INTEGER,"
    " PLATFORM VARCHAR(20), TOPOLOGY VARCHAR(20), MANAGED SMALLINT",
    "SOURCE_COLUMN": "SOURCE VARCHAR(60), COLUMN_NAME VARCHAR(128)",
    "NOT_COLLECTED": "SOURCE VARCHAR(60), REASON VARCHAR(1000)",
    "NOT_RUN": "RULE VARCHAR(60), REASON VARCHAR(2000)",
    "FINDING": "RULE VARCHAR(60), OBJECT_TYPE VARCHAR(20), OBJECT_NAME VARCHAR(300), MEMBER SMALLINT,"
    " CLAIMED_PCT DOUBLE, RECOVER_LOW DOUBLE, RECOVER_EXPECTED DOUBLE, RECOVER_HIGH DOUBLE, CONFIDENCE DOUBLE,"
    " TARGET VARCHAR(400), CURRENT_VALUE VARCHAR(1024), PROPOSED_VALUE VARCHAR(1024), UNIT VARCHAR(40),"
    " MEMORY_DELTA_KB BIGINT, ACTION_TEXT VARCHAR(32000), UNDO_TEXT VARCHAR(32000), EVIDENCE VARCHAR(2000),"
    " FINDING VARCHAR(1500), CLAIM_2_PCT DOUBLE, CLAIM_3_PCT DOUBLE",
}

FINDING_COLUMNS = tuple(part.split()[0] for part in PER_RUN["FINDING"].split(", "))[1:]

_TABLE = re.compile(r"^CREATE TABLE TUNE\.(?P<name>\w+) \(\n(?P<columns>.*)\n\)$", re.MULTILINE | re.DOTALL)


@cache
def kept_tables() -> dict[str, str]:
    """The tables of sql/schema/ by name, with their column lists: the same on every engine."""
    found = {}
    for path in sorted((SQL / "schema").glob("*.sql")):
        table = _TABLE.search(path.read_text(encoding="utf-8").rstrip())
        if table is None or table["name"] != path.stem.upper():
            raise ValueError(f"{path}: one CREATE TABLE of the file's name is expected")
        found[table["name"]] = table["columns"]
    return found


def run_tables() -> dict[str, str]:
    """Every table that the embedded engines need for a run, by name, with its column list."""
    return kept_tables() | PER_RUN


SEVERITY = {"critical": 1, "high": 2, "medium": 3, "low": 4}


def data_file(folder: str, name: str) -> list[dict[str, str]]:
    """The rows of a CSV file of the product."""
    with (SQL / folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def level_number(level: str) -> int:
    """A level of Db2 as VVRRMMFF, the way SYSIBM.SYSVERSIONS writes it: 11.5.8 is 11050800."""
    parts = [*(int(part) for part in level.split(".")), 0, 0, 0][:4]
    return parts[0] * 1_000_000 + parts[1] * 10_000 + parts[2] * 100 + parts[3]


def level_text(level: int) -> str:
    """The level as people write it: 11050800 is 11.5.8, and 11010000 is 11.1."""
    parts = [level // 1_000_000, level // 10_000 % 100, level // 100 % 100, level % 100]
    while len(parts) > 2 and parts[-1] == 0:
        parts.pop()
    return ".".join(str(part) for part in parts)


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
                rule.applies("platform"),
                int(rule.applies("guest") == "yes"),
            ),
        )
        for need in rule.listed("needs"):
            source, _, item = need.partition(".")
            yield "RULE_NEED", (rule.name, source, item)
        for ask in rule.listed("asks"):
            yield "RULE_ASK", (rule.name, ask.removeprefix("host."))
        for position, bucket in enumerate(rule.listed("claims"), 1):
            yield "RULE_CLAIM", (rule.name, position, bucket)
        for relation in rule.listed("yields"):
            other, _, scope = relation.partition("@")
            scope, _, larger = scope.partition("+")
            yield "RULE_RELATION", (rule.name, other, scope, int(larger == "larger"))
        for earlier in sorted(earlier_rules().get(rule.name, ())):
            yield "RULE_ORDER", (rule.name, earlier)
    for effect in data_file("rank", "effects"):
        yield "EFFECT", (effect["EFFECT"], float(effect["EASE"]), effect["MEANING"])
    for question in data_file("schema", "questions"):
        yield "FACT_QUESTION", (question["ITEM"], question["QUESTION"])
    for row in data_file("schema", "host_items"):
        kind, _, name = row["FACT"].partition(":")
        yield "HOST_ITEM", (kind, row["ITEM"], row["TYPE"], int(bool(name)), row["FROM"], row["MEANING"])
    for row in data_file("schema", "deprecated"):
        given = [row[name] or None for name in ("STATE", "DEFAULTS", "RESET", "REPLACEMENT")]
        yield "DEPRECATED", (row["SCOPE"], row["NAME"], row["SINCE"], level_number(row["SINCE"]), *given)


def rule_text_rows(rules: list[Rule]) -> Iterator[tuple[str, Row]]:
    """What a person reads of the rules, from their headers."""
    for rule in rules:
        yield (
            "RULE_TEXT",
            (
                rule.name,
                rule.fields["area"],
                rule.fields["title"],
                rule.fields["why"],
                rule.fields["not-if"],
                rule.fields.get("note"),
                rule.fields["source"],
                rule.view.removeprefix("TUNE."),
            ),
        )


def _level(level: str | None) -> int | None:
    return None if level is None else level_number(level)


def option_rows(rules: list[Rule], overrides: dict[str, dict[str, str | float]]) -> Iterator[tuple[str, Row]]:
    """Every option once: its default, and what the site says instead. Raises UserError for what is no option."""
    known: dict[tuple[str, str], Row] = {}
    for row in data_file("schema", "site_options"):
        known["site", row["NAME"]] = (row["DEFAULT"] or None, row["PROVENANCE"], row["TYPE"], row["CHOICES"] or None)
    for rule in rules:
        for threshold in rule.thresholds:
            known[rule.name, threshold.name] = (repr(threshold.value), threshold.provenance, "number", None)
    chosen: dict[tuple[str, str], str] = {}
    for owner, values in overrides.items():
        for name, value in values.items():
            if (owner, name) not in known:
                raise UserError(f"option {owner}.{name}: no such option; db2tune rules {owner} lists them")
            _, _, kind, choices = known[owner, name]
            text = str(value).upper() if kind == "text" else str(value)
            if kind == "text" and text not in choices.split():
                raise UserError(f"option {owner}.{name}: {value!r} is none of {', '.join(choices.split())}")
            if kind == "number" and not _is_number(value):
                raise UserError(f"option {owner}.{name}: {value!r} is not a number")
            chosen[owner, name] = text
    for (owner, name), (default, provenance, kind, choices) in known.items():
        source = "site" if (owner, name) in chosen else provenance
        yield "OPTION", (owner, name, chosen.get((owner, name), default), source, default, provenance, kind, choices)


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
