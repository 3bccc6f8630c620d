"""The sentences of a ticket, for a reader who manages changes and knows no Db2."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from advisor.catalogue.lanes import lane_of
from advisor.judgement.advice import Recommendation, Setting
from advisor.report import blocks, text
from advisor.report.evidence import buckets
from advisor.resources import csv_rows

DATABASE_TIME = "database time is what all requests to the database took together."

# What the confidence rests on: measured time, a measured symptom, or only structure, settings and host facts.
CONFIDENCE = {
    "timed": {
        "high": "the time that it saves was measured, and the mechanism fits",
        "medium": "the time was measured, but it can have several causes",
        "low": "the time was measured, but the part that it saves is estimated",
    },
    "measured": {
        "high": "the symptom was measured, and the mechanism fits",
        "medium": "the symptom was measured, but it can have several causes",
        "low": "the symptom was measured, but its cost and cause are uncertain",
    },
    "read": {
        "high": "the state of the database shows it",
        "medium": "settings and structure show it, but no time was measured",
        "low": "it rests on settings or structure alone",
    },
}

# What an area is about, in words of everyday.
AREAS = {
    "backup": "the copies from which the database can be brought back",
    "bufferpool": "the memory in which the database keeps data, so that it need not read it from disk again",
    "catalog": "tables and programs that cannot be used as they are",
    "cleaning": "how the database writes changed data from memory to disk in the background",
    "compress": "how compactly the data is stored",
    "config": "general settings of the database",
    "cpu": "how the database uses the processors",
    "dpf": "how data and work are spread over the parts of the database",
    "event": "errors that the database or an application reported",
    "hadr": "the standby database of this one",
    "lock": "how long transactions wait for each other",
    "log": "the log, into which every change of data is written before it counts",
    "memory": "the memory of the database: caches of statements and definitions, sorts and joins",
    "network": "the way of results to those who asked for them",
    "os": "settings of the operating system",
    "prefetch": "how data is read from disk ahead of time, before a query asks for it",
    "purescale": "what the members of the database share, and how they pass it to each other",
    "reorg": "how orderly the data is stored",
    "sql": "the queries that the applications send, and the indexes that help to answer them",
    "stats": "the statistics by which the database decides how to run a query",
    "storage": "the disks and the paths to them",
    "tablespace": "how the data is laid out on the disks",
    "vm": "the virtual machine that the database runs in",
    "workload": "which kind of work the database is prepared for",
}

OF_THE_SITE = "what the site looks after by rules of its own"

# Which parts of a TARGET after its kind name the setting; elsewhere it is the last part.
_SETTING = {"DBCFG": slice(1), "DBMCFG": slice(1), "REGISTRY": slice(1), "HOST": slice(1, None)}
_OF_DATABASE, _OF_INSTANCE = {"DBCFG", "OPTION"}, {"DBMCFG", "REGISTRY"}
_ON_HOST = {"HOST", "DEVICE", "USER", "VOLUME"}
_LONG = 100
_NAMED = 3  # changes that a title names; of more it names one less
_WITH_VALUES = 2  # up to this many changes, a title gives the values

CHANGE, INVESTIGATION = "Change ticket", "Investigation"
NO_CHANGE = "None: an investigation changes nothing."
UNKNOWN_CHANGE = "The right change is not known yet: these steps find it. Request it in a ticket of its own."
# Verbs of manual lines that change nothing.
_EXAMINES = re.compile(
    r"\b(?:Ask|[Cc]heck|Compare|Determine|Estimate|[Ff]ind|Identify|List|Look up|Measure|Search|See|see its plan)\b"
)

# Nothing that db2tune reads has timed a stop, a start or a rebuild here.
DURATION = "Not known: nothing has measured it here. Measure it where the change is tested."


class Value(NamedTuple):
    """A setting of an object, with its value before and after."""

    setting: str
    before: str
    after: str


def is_examination(item: Recommendation) -> bool:
    """Return whether nothing changes: no command, no new value, and a manual line whose first sentence examines."""
    lines = (re.split(r"[.:] ", line, maxsplit=1)[0] for line in item.actions)
    return item.by_hand and not item.target and any(_EXAMINES.search(line) for line in lines)


def kind(items: list[Recommendation]) -> str:
    """Return what a ticket about these recommendations is."""
    return INVESTIGATION if all(map(is_examination, items)) else CHANGE


def title(database: Mapping[str, str], items: list[Recommendation]) -> str:
    """Return what changes from which value to which, and the database; of many changes the first ones."""
    mark = f"{INVESTIGATION}: " if kind(items) == INVESTIGATION else ""
    return f"{mark}{_describe_one(database, items[0]) if len(items) == 1 else _describe_several(database, items)}"


def _describe_one(database: Mapping[str, str], item: Recommendation) -> str:
    """Return the subject with the database, if it does not name it, and the values."""
    of_instance = item.target is not None and _kind(item.target) in _OF_INSTANCE
    named = item.object_type == "DATABASE" and not of_instance
    where = "" if named else text.make_printable(f" ({database['name']})")
    return f"{subject(item, database)}{where}{_format_values(item)}"


def _describe_several(database: Mapping[str, str], items: list[Recommendation]) -> str:
    found = [
        describe_change(item, database) if len(items) <= _WITH_VALUES else subject(item, database) for item in items
    ]
    if len(found) > _NAMED:
        found[_NAMED - 1 :] = [f"{len(found) - _NAMED + 1} more"]
    steps = "steps" if any(map(is_examination, items)) else "changes"
    return f"{text.make_printable(database['name'])}, {len(items)} {steps}: {'; '.join(found)}"


def describe_change(item: Recommendation, database: Mapping[str, str]) -> str:
    """Return what changes, in one line: the setting, its object, and the old and new value if there is only one."""
    return f"{subject(item, database)}{_format_values(item)}"


def describe_group(items: Sequence[Recommendation], database: Mapping[str, str]) -> str:
    """Return what changes, in one line; equal changes by the number of their objects."""
    return describe_change(items[0], database) if len(items) == 1 else blocks.heading(items)


def _format_values(item: Recommendation) -> str:
    """Return the old and the new value, if all members have the same, and the number of other settings."""
    named = {one.name for one in item.settings if one.target == item.target}
    values = {(one.current, one.proposed) for one in item.settings if one.name in named}
    current, proposed = item.current, item.proposed
    if item.target is None or len(values) > 1 or proposed in {None, current}:
        return ""
    said = f": {current or 'unset'} to {proposed}{_unit(item, proposed)}"
    others = len({one.name for one in item.settings} - named)
    more = f" (and {text.count(others, 'more setting')})" if others else ""
    return text.make_printable(f"{said if len(said) <= _LONG else ''}{more}")


def _unit(item: Recommendation, value: str | None) -> str:
    """Return the unit of a number; a page's size is left out, and a kernel parameter has no unit."""
    unit = (item.unit or "").removeprefix("4 KB ")
    return f" {unit}" if unit and not unit.startswith("kernel") and re.fullmatch(r"-?\d+", value or "") else ""


def subject(item: Recommendation, database: Mapping[str, str]) -> str:
    """Return the setting and its object, or the rule's title without a setting."""
    if item.target is None:
        return text.title(item)
    kind_, *rest = item.target.split(":")
    setting = " ".join(rest[_SETTING.get(kind_, slice(-1, None))])
    thing = _thing(item, database)
    return (
        thing
        if setting in item.object_name.split()
        else text.make_printable(f"{format_setting_name(setting)} of {thing}")
    )


def _thing(item: Recommendation, database: Mapping[str, str]) -> str:
    """Return the owner of the setting; a database's own settings need no word for it."""
    kind_, first, *_ = (item.target or "").split(":")
    if item.object_type == "DATABASE" and kind_ in _OF_INSTANCE:
        return f"instance {database['instance']}"
    if item.object_type == "DATABASE" and kind_ in _ON_HOST:
        return f"host {first}"
    thing = text.thing(item)
    return thing.removeprefix("database ") if kind_ in _OF_DATABASE else thing


def format_setting_name(setting: str) -> str:
    """Return a setting's name; one that only db2tune uses in plain words."""
    first, *rest = re.split("[: ]", setting)
    return " ".join((_load_plain_names().get(first, first), *rest))


@cache
def _load_plain_names() -> dict[str, str]:
    return {row["NAME"]: row["WORDS"] for row in csv_rows(Path(__file__).with_name("settings.csv"))}


def _kind(target: str) -> str:
    return target.partition(":")[0]


def values(item: Recommendation, database: Mapping[str, str]) -> tuple[Value, ...]:
    """Return the values that it sets, one by one."""
    return tuple(
        Value(
            text.make_printable(
                f"{format_setting_name(one.name)} of {_owner(one, database)}{'' if one.member is None else f', member {one.member}'}"
            ),
            text.make_printable(one.current or "unset"),
            text.make_printable(one.proposed or "unset"),
        )
        for one in item.settings
    )


def _owner(one: Setting, database: Mapping[str, str]) -> str:
    """Return the owner of a setting: its object, otherwise the database, instance or host."""
    if one.object:
        return one.object
    if one.kind in _ON_HOST:
        return f"host {one.target.split(':')[1]}"
    return f"instance {database['instance']}" if one.kind in _OF_INSTANCE else database["name"]


def risk(item: Recommendation) -> str:
    """Return the risk of a change; low if nothing changes."""
    return text.RISK_LEVELS[0] if is_examination(item) else text.risk(item)


def describe_risk(item: Recommendation) -> str:
    """Return the risk with what may go wrong."""
    return text.RISK_LEVELS[0] if is_examination(item) else text.describe_risk(item, "the interruption")


def reason(item: Recommendation) -> str:
    """Return the reason in one paragraph for readers without Db2 knowledge: topic, benefit, confidence."""
    looks = is_examination(item)
    about = f"This {'investigation' if looks else 'change'} concerns {AREAS.get(item.rule.area, OF_THE_SITE)}."
    level = text.confidence(item.confidence)
    sure = f"Confidence is {level}: {CONFIDENCE[_basis(item)][level]}."
    spent = _describe_spent(item)
    if looks:
        return " ".join(filter(None, (about, spent, UNKNOWN_CHANGE, sure)))
    if not spent:
        return " ".join((about, lane_of(item.lane).reason.format(severity=text.severity(item)), sure))
    return f"{about} {spent} Made alone, the change is expected to save {benefit(item)}. {sure}"


def _basis(item: Recommendation) -> str:
    """Return the key of CONFIDENCE for what the advice rests on."""
    if item.claimed_pct:
        return "timed"
    return "measured" if item.rule.judged_by in ("load", "rates") else "read"


def _describe_spent(item: Recommendation) -> str:
    """Return the share of database time that the change is about, and how the database spends it."""
    if not item.claimed_pct:
        return ""
    largest = max(item.claims, key=lambda claim: claim.pct)
    did = buckets()[largest.bucket]["WHAT"]
    return f"It is about {text.percent(item.claimed_pct)} of database time, in which {did}; {DATABASE_TIME}"


def details(items: Sequence[Recommendation]) -> str:
    """Return the reason for the DBA: the findings of equal changes, with their objects if several, and the mechanism."""
    many = len(items) > 1
    found = (
        f"{text.make_printable(item.object_name)}: {text.finding(item)}" if many else text.finding(item)
        for item in items
    )
    return " ".join([*found, items[0].rule.why])


def sentence(phrase: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}."


def benefit(item: Recommendation) -> str:
    """Return the saving of the change alone, or an empty text without a benefit."""
    if not item.benefit_high:
        return ""
    return (
        f"{text.percent(item.benefit)} of database time, {text.percent(item.benefit_low)} at least and"
        f" {text.percent(item.benefit_high)} at most"
    )


def interruption(effects: list[str]) -> str:
    """Return how these effects interrupt users. No interruption must apply to all of them."""
    noticed = [effect for effect in effects if effect in text.STOPPING] or effects
    return " ".join(dict.fromkeys(text.INTERRUPTIONS[effect] for effect in noticed))


def memory(kb: int) -> str:
    """Compare memory with today."""
    return text.memory(kb) if kb else "as today"
