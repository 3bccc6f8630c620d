"""The figures of a recommendation as people read them: with separators, and claims in words."""

import re
from collections.abc import Mapping
from functools import cache

from advisor.judgement.advice import Recommendation
from advisor.report.text import make_printable
from advisor.resources import data_file

CLAIM = "claimed_"  # prefix of figures that only explain the benefit
_IDENTIFIES = re.compile(r"(?i)handle|_id$|^head_of|active_log$|^method\d_")  # numbers that name something
_EVENTS = re.compile(r"(?P<events>[\d.]+) (?P<of>[A-Z_0-9]+) x (?P<ms>[\d.]+) ms")


def pairs(item: Recommendation) -> list[tuple[str, str]]:
    """Return the names and values of the evidence, in their order, in printable characters."""
    return [(make_printable(_name(name)), make_printable(_value(name, value))) for name, value in item.evidence.items()]


@cache
def buckets() -> dict[str, Mapping[str, str]]:
    """Return the rows of sql/rank/buckets.csv by bucket."""
    return {row["BUCKET"]: row for row in data_file("rank", "buckets")}


def _name(name: str) -> str:
    bucket = buckets().get(name.removeprefix(CLAIM)) if name.startswith(CLAIM) else None
    return f"claim: {bucket['TITLE']}" if bucket else name


def _value(name: str, value: str) -> str:
    if found := _EVENTS.fullmatch(value):
        events = found["of"].lower().replace("_", " ")
        return f"{round(float(found['events'])):,} {events} x {float(found['ms']):g} ms"
    return f"{int(value):,}" if re.fullmatch(r"[0-9]+", value) and not _IDENTIFIES.search(name) else value
