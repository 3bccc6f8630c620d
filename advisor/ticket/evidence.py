"""Where each number of the evidence comes from: a monitor function, a catalog view, or what was computed from them."""

from typing import NamedTuple

from advisor.catalogue.host_items import all_items
from advisor.catalogue.rules import Rule
from advisor.catalogue.sources import Source, all_sources
from advisor.judgement.advice import Recommendation
from advisor.report.evidence import CLAIM, pairs

HOST_FACTS = "host facts"
COMPUTED = "computed"  # from several sources, which the ticket names below the table
REGISTRY = "registry"
SETTINGS = ("dbcfg", "dbmcfg")


class Evidence(NamedTuple):
    """One metric: its name, its value as the rule saw it, and where it comes from."""

    metric: str
    value: str
    source: str


def evidence(item: Recommendation) -> tuple[Evidence, ...]:
    seen = zip(item.evidence, pairs(item), strict=True)
    return tuple(Evidence(*pair, _origin(name, item.rule)) for name, pair in seen if not name.startswith(CLAIM))


def _origin(metric: str, rule: Rule) -> str:
    """Return the source of a column: named or read by the rule, or any source with this column."""
    column = metric.removesuffix("_pct")
    every = all_sources()
    needed = _list_needed(rule)
    named = [need.partition(".")[0] for need in rule.get_list("needs") if need.partition(".")[2] == column]
    for name in (*named, *needed, *every):
        if name in every and column in every[name].names("key", "gauge", "hwm", "counter"):
            return _object(every[name])
    if column.isupper():
        kinds = [REGISTRY] if column.startswith("DB2") else [name for name in SETTINGS if name in needed]
        if kinds:
            return " or ".join(_object(every[name]) for name in kinds)
    if metric in {item.name for item in all_items().values()}:
        return HOST_FACTS
    return COMPUTED


def list_sources(rule: Rule) -> tuple[str, ...]:
    """Return the sources that a rule reads."""
    every = all_sources()
    objects = [_object(every[name]) if name in every else HOST_FACTS for name in _list_needed(rule)]
    return tuple(dict.fromkeys(objects))


def _list_needed(rule: Rule) -> list[str]:
    """Return the sources that a rule names, each once, in its order."""
    return list(dict.fromkeys(need.partition(".")[0] for need in rule.get_list("needs")))


def _object(source: Source) -> str:
    return HOST_FACTS if source.name == "hostfact" else source.db2_object
