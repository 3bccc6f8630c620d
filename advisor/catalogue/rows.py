"""The rows of a run's tables, from the rule headers and the data files.

Everything that decides reads these tables; nothing here decides. The same statements run on any engine
that has a schema TUNE.
"""

from collections.abc import Iterator
from typing import Any

from advisor.catalogue.lanes import all_lanes
from advisor.catalogue.levels import level_number
from advisor.catalogue.rules import Rule, precedence
from advisor.resources import data_file

Row = tuple[Any, ...]

SEVERITY = {row["SEVERITY"]: int(row["NUMBER"]) for row in data_file("rank", "severities")}


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
                rule.fields["judged-by"],
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
                int(not rule.changes_data),
            ),
        )
        for need in rule.listed("needs"):
            source, _, item = need.partition(".")
            yield "RULE_NEED", (rule.name, source, item)
        for ask in rule.listed("asks"):
            yield "RULE_ASK", (rule.name, ask.removeprefix("host."))
        for position, claim in enumerate(rule.claims, 1):
            yield "RULE_CLAIM", (rule.name, position, claim.bucket)
        for relation in rule.listed("yields"):
            other, _, scope = relation.partition("@")
            scope, _, larger = scope.partition("+")
            yield "RULE_RELATION", (rule.name, other, scope, int(larger == "larger"))
        for earlier in sorted(before[rule.name]):
            yield "RULE_ORDER", (rule.name, earlier)
    for order, each in enumerate(all_lanes().values()):
        yield "LANE", (each.letter, order, each.fail_on or each.name.lower())
    for effect in data_file("rank", "effects"):
        yield "EFFECT", (effect["EFFECT"], float(effect["EASE"]), effect["MEANING"])
    for bucket in data_file("rank", "buckets"):
        least = float(bucket["LEAST_PCT"]) if bucket["LEAST_PCT"] else None
        said = [bucket[name] for name in ("WHAT", "CAUSES", "LOOK_AT")]
        yield "BUCKET", (bucket["BUCKET"], bucket["KIND"], bucket["TITLE"], least, *said)
    yield from _told_rows()


def _told_rows() -> Iterator[tuple[str, Row]]:
    """Rows of what Db2 and its hosts can say, and what that means."""
    for question in data_file("schema", "questions"):
        yield "FACT_QUESTION", (question["ITEM"], question["QUESTION"])
    for row in data_file("schema", "host_items"):
        kind, _, name = row["FACT"].partition(":")
        yield "HOST_ITEM", (kind, row["ITEM"], row["TYPE"], int(bool(name)), row["FROM"], row["MEANING"])
    for row in data_file("schema", "tablespace_states"):
        words = [row[name] for name in ("NAME", "MEANS", "WAY_OUT")]
        yield "TABLESPACE_STATE", (row["STATE"], int(row["BIT"], 16), int(row["BLOCKED"]), *words)
    yield from _setting_rows()


def _setting_rows() -> Iterator[tuple[str, Row]]:
    """What is known of settings: those that Db2 has given up, and those that contradict each other."""
    for row in data_file("schema", "deprecated"):
        given = [row[name] or None for name in ("STATE", "DEFAULTS", "RESET", "REPLACEMENT")]
        yield "DEPRECATED", (row["SCOPE"], row["NAME"], row["SINCE"], level_number(row["SINCE"]), *given)
    for row in data_file("schema", "contradictions"):
        said = {name: value or None for name, value in row.items() if name != "SOURCE"}
        yield "CONTRADICTION", tuple((said | {"TIMES": int(row["TIMES"]) if row["TIMES"] else None}).values())


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
                rule.fields.get("look-at"),
                rule.fields["source"],
                rule.view.removeprefix("TUNE."),
            ),
        )


def _level(level: str | None) -> int | None:
    return None if level is None else level_number(level)
