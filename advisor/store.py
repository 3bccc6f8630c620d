"""The tables of one run, and their rows from the rule headers, the capture and the data files.

Everything that decides reads these tables; nothing here decides. The same statements run on any engine
that has a schema TUNE.
"""

import difflib
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from advisor.capture import Capture
from advisor.errors import UserError
from advisor.resources import SQL, data_file
from advisor.rulebook import Rule, precedence
from advisor.site import Overrides
from advisor.sources import all_sources

Row = tuple[Any, ...]

# What is about one run. The embedded engine keeps it in tables of these names; inside Db2 each is a view of the
# run that the session is about (sql/run), and findings and what could not run are kept for every run.
PER_RUN = {
    "RUN_SNAPSHOT": "BEGIN_ID INTEGER, END_ID INTEGER, BEGIN_EPOCH DOUBLE, END_EPOCH DOUBLE, END_DATE DATE",
    "CHANGE_SPAN": "PREVIOUS_ID INTEGER, END_ID INTEGER",
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
    epochs = None if single else begin.epoch_s, end.epoch_s
    yield "RUN_SNAPSHOT", (None if single else begin.id, end.id, *epochs, end.taken_at.date().isoformat())
    yield "CHANGE_SPAN", (None if single else begin.id, end.id)
    database = capture.database
    yield (
        "RUN_DATABASE",
        (
            database["name"],
            database["host"],
            database["instance"],
            None if database["level"] is None else level_number(database["level"]),
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
    before = precedence(rules)
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
        for earlier in sorted(before[rule.name]):
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


SITE = "site"  # the rule of the options that are no rule's
SEPARATOR = ";"  # between the names of an option that takes several
MAX_VALUE = 254  # bytes, as TUNE.OPTION holds them


@dataclass(frozen=True)
class Option:
    """What a site can set: a threshold of a rule, or a fact about the site (rule ``site``).

    ``kind`` is number, text (one of the ``choices``) or names (patterns of names with semicolons between them).
    """

    rule: str
    name: str
    kind: str
    choices: tuple[str, ...]
    default: str | None
    provenance: str
    meaning: str

    def checked(self, value: object) -> str:
        """The value as TUNE.OPTION holds it. Raises UserError for one that the option cannot have."""
        wrong = f"option {self.rule}.{self.name}: {value!r} is"
        if isinstance(value, list) and self.kind == "names" and all(isinstance(name, str) for name in value):
            value = SEPARATOR.join(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise UserError(f"{wrong} not a {'number' if self.kind == 'number' else 'text'}")
        text = str(value)
        if self.kind == "number" and not _is_number(value):
            raise UserError(f"{wrong} not a number")
        if self.kind == "text" and text.upper() not in self.choices:
            raise UserError(f"{wrong} none of {', '.join(self.choices)}")
        if self.kind == "names" and not text.strip(SEPARATOR + " "):
            raise UserError(f"{wrong} no name; leave the option out where there is none")
        if len(text.encode()) > MAX_VALUE:
            raise UserError(f"option {self.rule}.{self.name}: longer than {MAX_VALUE} bytes")
        return text.upper() if self.kind == "text" else text


def all_options(rules: Iterable[Rule]) -> dict[tuple[str, str], Option]:
    """Every option by rule and name, those of the site first."""
    found = [
        Option(
            SITE,
            row["NAME"],
            row["TYPE"],
            tuple(row["CHOICES"].split()),
            row["DEFAULT"] or None,
            row["PROVENANCE"],
            row["MEANING"],
        )
        for row in data_file("schema", "site_options")
    ]
    found += [
        Option(rule.name, threshold.name, "number", (), repr(threshold.value), threshold.provenance, threshold.why)
        for rule in rules
        for threshold in rule.thresholds
    ]
    return {(option.rule, option.name): option for option in found}


def nearest(name: str, known: Iterable[str]) -> str:
    """What somebody may have meant: ``; did you mean x?``, or nothing."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def option_rows(rules: list[Rule], overrides: Overrides) -> Iterator[tuple[str, Row]]:
    """Every option once: its default, and what the site says instead. Raises UserError for what is no option."""
    known = all_options(rules)
    chosen: dict[tuple[str, str], str] = {}
    for owner, values in overrides.items():
        for name, value in values.items():
            if (owner, name) not in known:
                raise UserError(f"option {owner}.{name}: no such option; db2tune rules {owner} lists them")
            chosen[owner, name] = known[owner, name].checked(value)
    for key, option in known.items():
        source = "site" if key in chosen else option.provenance
        choices = " ".join(option.choices) or None
        yield (
            "OPTION",
            (*key, chosen.get(key, option.default), source, option.default, option.provenance, option.kind, choices),
        )


def acceptance_rows(capture: Capture) -> Iterator[tuple[str, Row]]:
    """The risks that the site accepted, as of the end of the interval."""
    at = capture.snapshots[-1].taken_at.replace(tzinfo=None).isoformat()
    for risk in capture.accepted:
        until = None if risk.until is None else risk.until.isoformat()
        yield "ACCEPTED", (risk.rule, risk.object, risk.reason, until, risk.by, at)


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
