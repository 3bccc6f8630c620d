"""Rows of a run's tables, from the rule headers and the data files.

All decisions read these tables; no decision is made here. The same statements run on any engine with a schema TUNE.
"""

from collections.abc import Iterator
from typing import Any

from advisor.catalogue.lanes import all_lanes
from advisor.catalogue.levels import level_number
from advisor.catalogue.platforms import all_ways
from advisor.catalogue.rules import Rule, precedence
from advisor.resources import data_file

Row = tuple[Any, ...]

SEVERITY = {row["SEVERITY"]: int(row["NUMBER"]) for row in data_file("rank", "severities")}


def rule_rows(rules: list[Rule]) -> Iterator[tuple[str, Row]]:
    """Yield rows that describe the rules, from their headers."""
    before = precedence(rules)
    for rule in rules:
        lane, unclaimed = rule.lanes
        applies = rule.applies
        yield (
            "RULE",
            (
                rule.name,
                lane,
                unclaimed,
                rule.effect,
                rule.judged_by,
                rule.risk,
                SEVERITY[rule.severity],
                rule.exclusive,
                int(rule.donor),
                applies.get("topology"),
                int("purescale" not in applies.get("not", ())),
                rule.header.get("steps_need"),
                int(applies.get("quiet", False)),
                _level(applies.get("from")),
                _level(applies.get("to")),
                ",".join(applies["platform"]) if "platform" in applies else None,
                int(applies.get("guest", False)),
                int(not rule.changes_data),
            ),
        )
        for timed, key in enumerate(("needs", "needs_timed")):
            for need in rule.get_list(key):
                source, _, item = need.partition(".")
                yield "RULE_NEED", (rule.name, source, item, timed)
        for ask in rule.get_list("asks"):
            yield "RULE_ASK", (rule.name, ask.removeprefix("host."))
        for position, claim in enumerate(rule.claims, 1):
            yield "RULE_CLAIM", (rule.name, position, claim.bucket)
        for other in rule.get_list("defers_to"):
            yield "RULE_RELATION", (rule.name, other["rule"], other["within"], int(other.get("only_if_larger", False)))
        for step, code in rule.step_effects.items():
            yield "RULE_STEP", (rule.name, step, code)
        for earlier in sorted(before[rule.name]):
            yield "RULE_ORDER", (rule.name, earlier)
    for order, each in enumerate(all_lanes().values()):
        yield "LANE", (each.letter, order, each.fail_on or each.name.lower(), each.heading)
    for severity in data_file("rank", "severities"):
        yield "SEVERITY", (int(severity["NUMBER"]), severity["SEVERITY"], severity["CONSEQUENCE"])
    for place, effect in enumerate(data_file("rank", "effects")):
        yield "EFFECT", (effect["EFFECT"], place, float(effect["EASE"]), effect["SHORT"], effect["MEANING"])
    for bucket in data_file("rank", "buckets"):
        least = float(bucket["LEAST_PCT"]) if bucket["LEAST_PCT"] else None
        said = [bucket[name] for name in ("WHAT", "CAUSES", "LOOK_AT")]
        yield "BUCKET", (bucket["BUCKET"], bucket["KIND"], bucket["TITLE"], least, *said)
    yield from _platform_rows()
    yield from _message_rows()


def _platform_rows() -> Iterator[tuple[str, Row]]:
    """Yield rows for the platforms, and for how each changes what."""
    for row in data_file("schema", "platforms"):
        yield "PLATFORM", (row["RUNS_ON"], row["NAME"], row["PROVIDER"] or None)
    for row in data_file("schema", "tuneable"):
        for name in row["NAMES"].split():
            yield "TUNEABLE", (row["RUNS_ON"], row["KIND"], name)
    for way in all_ways():
        yield "WAY", (way.runs_on, way.needs, way.way, way.remark or None)
    for place, row in enumerate(data_file("rank", "step_needs"), 1):
        yield "STEP_NEED", (place, row["WORDS"], row["NEEDS"])


def _message_rows() -> Iterator[tuple[str, Row]]:
    """Yield rows for the messages and states of Db2 and its hosts, and their meaning."""
    for question in data_file("schema", "questions"):
        yield "FACT_QUESTION", (question["ITEM"], question["QUESTION"])
    for row in data_file("schema", "host_items"):
        kind, _, name = row["FACT"].partition(":")
        yield "HOST_ITEM", (kind, row["ITEM"], row["TYPE"], int(bool(name)), row["FROM"], row["MEANING"])
    for row in data_file("schema", "tablespace_states"):
        words = [row[name] for name in ("NAME", "MEANS", "WAY_OUT")]
        yield "TABLESPACE_STATE", (row["STATE"], int(row["BIT"], 16), int(row["BLOCKED"]), *words)
    for place, row in enumerate(data_file("schema", "messages"), 1):
        yield "MESSAGE", (row["CODE"], place, row["CLASS"], row["CAUSE"], row["FIRST_STEP"])
    extents = ("database", "table space", "statement")
    for row in data_file("schema", "event_classes"):
        yield "EVENT_RULE", (row["CLASS"], row["RULE"], extents.index(row["DOWN"]) + 1)
    yield from _setting_rows()


def _setting_rows() -> Iterator[tuple[str, Row]]:
    """Yield rows for settings that Db2 has discontinued or introduced, and settings that contradict each other."""
    for row in data_file("schema", "deprecated"):
        given = [row[name] or None for name in ("STATE", "DEFAULTS", "RESET", "REPLACEMENT")]
        yield "DEPRECATED", (row["SCOPE"], row["NAME"], row["SINCE"], level_number(row["SINCE"]), *given)
    for row in data_file("schema", "introduced"):
        yield "INTRODUCED", (row["SCOPE"], row["NAME"], level_number(row["SINCE"]))
    for row in data_file("schema", "contradictions"):
        said = {name: value or None for name, value in row.items() if name != "SOURCE"}
        yield "CONTRADICTION", tuple((said | {"TIMES": int(row["TIMES"]) if row["TIMES"] else None}).values())


def rule_text_rows(rules: list[Rule]) -> Iterator[tuple[str, Row]]:
    """Yield the rules' texts for people, from their headers."""
    for rule in rules:
        yield (
            "RULE_TEXT",
            (
                rule.name,
                rule.area,
                rule.title,
                rule.why,
                rule.not_if,
                rule.note,
                rule.query,
                "; ".join(rule.sources),
                rule.procedure.removeprefix("TUNE."),
            ),
        )


def _level(level: str | None) -> int | None:
    return None if level is None else level_number(level)
