"""The sentences of a ticket, for a reader who manages changes and knows no Db2."""

from typing import NamedTuple

from advisor.catalogue.lanes import lane_of
from advisor.judge.advice import Recommendation, Window
from advisor.report import text

DATABASE_TIME = "database time is what all requests to the database took together."

CONFIDENCE = {
    "high": "the time that it saves was measured, and the mechanism fits",
    "medium": "the symptom was measured, but it can have several causes",
    "low": "it rests on a setting alone",
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
    "hadr": "the standby database of this one",
    "lock": "how long transactions wait for each other",
    "log": "the log, into which every change of data is written before it counts",
    "memory": "the memory for sorting, joining and other work",
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
_LONG = 60
_NAMED = 3  # changes that a title names; of more it names one less

# Nothing that db2tune reads has timed a stop, a start or a rebuild here.
DURATION = "Not known: nothing has measured it here. Measure it where the change is tested."

RISKS = ("low", "medium", "high")


class Value(NamedTuple):
    """A setting of an object, with its value before and after."""

    setting: str
    before: str
    after: str


def title(database: str, items: list[Recommendation]) -> str:
    """What changes on which database; of many changes the first ones."""
    if len(items) == 1:
        return f"{database}: {'change ' if items[0].target else ''}{what(items[0])}"
    named = [subject(item) for item in items]
    if len(named) > _NAMED:
        named[_NAMED - 1 :] = [f"{len(named) - _NAMED + 1} more"]
    return f"{database}: {len(items)} changes: {'; '.join(named)}"


def what(item: Recommendation) -> str:
    """What changes, in one line: the setting, its object, and from which value to which where that is one value."""
    if item.target is None or item.proposed in (None, item.current) or len(item.actions) > 1:
        return subject(item)
    values = f" from {item.current or 'unset'} to {item.proposed}{f' {item.unit}' if item.unit else ''}"
    return text.safe(f"{subject(item)}{values if len(values) <= _LONG else ''}")


def subject(item: Recommendation) -> str:
    """Return the setting and its object, or the rule's title without a setting."""
    if item.target is None:
        return text.title(item)
    kind, *rest = item.target.split(":")
    setting = " ".join(rest[_SETTING.get(kind, slice(-1, None))])
    thing = text.thing(item)
    return thing if setting in item.object_name.split() else text.safe(f"{setting} of {thing}")


def values(item: Recommendation, database: str) -> tuple[Value, ...]:
    """What it sets, one by one."""
    return tuple(
        Value(
            text.safe(
                f"{one.name} of {one.object or database}{'' if one.member is None else f', member {one.member}'}"
            ),
            text.safe(one.current or "unset"),
            text.safe(one.proposed or "unset"),
        )
        for one in item.settings
    )


def risk(item: Recommendation) -> str:
    """That of the rule, and at least what the interruption brings with it."""
    return max(item.rule.risk, text.RISKS[item.rule.effect], key=RISKS.index)


def reason(item: Recommendation, window: Window) -> str:
    """Why, in one paragraph that needs no knowledge of Db2: what it is about, what it brings, how sure that is."""
    about = f"This change concerns {AREAS.get(item.rule.area, OF_THE_SITE)}."
    level = text.confidence(item.confidence)
    sure = f"Confidence is {level}: {CONFIDENCE[level]}."
    rests = f"This rests on what was seen in one interval: {text.interval(window)}."
    if not item.claimed_pct:
        return " ".join((about, lane_of(item.lane).reason.format(severity=text.severity(item)), sure, rests))
    return (
        f"{about} {text.percent(item.claimed_pct)} of database time goes there; {DATABASE_TIME}"
        f" Made alone, the change is expected to save {benefit(item)}. {sure} {rests}"
    )


def details(item: Recommendation) -> str:
    """Why, for the DBA: what was found, and the mechanism."""
    return f"{item.finding} {item.rule.why}"


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
    """Memory compared with today."""
    return text.memory(kb) if kb else "as today"
