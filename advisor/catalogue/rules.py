"""The rule files in sql/rules/: a commented header and one SELECT each.

The header is the rule's metadata and documentation; it is loaded into TUNE.RULE, TUNE.RULE_NEED,
TUNE.RULE_RELATION, TUNE.RULE_ORDER and TUNE.OPTION, so that every decision that depends on it is taken in SQL.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from advisor.resources import SQL

_FIELD = re.compile(r"^-- (?P<name>[a-z-]+): +(?P<value>.*)$")
_CONTINUED = re.compile(r"^-- {3,}(?P<value>\S.*)$")
_THRESHOLD = re.compile(r"^(?P<name>\w+) = (?P<value>\S+)\s+-- \[(?P<provenance>[^\]]+)\] (?P<why>.+)$")
_REQUIRED = ("rule", "title", "area", "lane", "effect", "evidence", "source", "why", "not-if")


@dataclass(frozen=True)
class Threshold:
    """A number that a site can override: its default, where it comes from, and why it is so."""

    name: str
    value: float
    provenance: str
    why: str


@dataclass(frozen=True)
class Rule:
    """One rule: header fields, thresholds, and the SELECT that finds."""

    name: str
    fields: dict[str, str]
    thresholds: tuple[Threshold, ...]
    select: str
    path: Path

    @property
    def view(self) -> str:
        return "TUNE.R_" + _identifier(self.name)

    @property
    def option_view(self) -> str:
        return "TUNE.O_" + _identifier(self.name)

    def listed(self, field: str) -> list[str]:
        """The comma-separated items of a header field; empty when the header lacks it."""
        return [item.strip() for item in self.fields.get(field, "").split(",") if item.strip()]

    def applies(self, key: str) -> str | None:
        """One ``key=value`` of the header's ``applies`` field, its parts separated by semicolons."""
        for part in self.fields.get("applies", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == key:
                return value.strip()
        return None

    @property
    def lanes(self) -> tuple[str, str]:
        """The lane of a finding that claims database time, and of one that claims none."""
        first, _, second = self.fields["lane"].partition("/")
        return first, second or ("H" if first == "P" else first)


def _identifier(rule: str) -> str:
    return re.sub(r"\W", "_", rule).upper()


def parse(path: Path) -> Rule:
    lines = path.read_text(encoding="utf-8").splitlines()
    fields: dict[str, str] = {}
    thresholds: list[Threshold] = []
    last = ""
    body = len(lines)
    for number, line in enumerate(lines):
        if not line.startswith("--"):
            body = number
            break
        if field := _FIELD.match(line):
            last, value = field["name"], field["value"].strip()
            if last == "threshold":
                threshold = _THRESHOLD.match(value)
                if threshold is None:
                    raise ValueError(f"{path}:{number + 1}: a threshold reads 'name = value -- [provenance] why'")
                thresholds.append(
                    Threshold(threshold["name"], float(threshold["value"]), threshold["provenance"], threshold["why"])
                )
            else:
                fields[last] = value
        elif (more := _CONTINUED.match(line)) and last and last != "threshold":
            fields[last] += " " + more["value"]
    missing = [name for name in _REQUIRED if name not in fields]
    if missing:
        raise ValueError(f"{path}: the header lacks {', '.join(missing)}")
    return Rule(fields["rule"], fields, tuple(thresholds), "\n".join(lines[body:]).strip(), path)


def precedence(rules: Iterable[Rule]) -> dict[str, frozenset[str]]:
    """Of each rule, the rules whose changes come before its own: those of ``after``, and those before them."""
    named = {rule.name: rule.listed("after") for rule in rules}
    found: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(named).static_order():
        found[name] = frozenset(named.get(name, ())).union(*(found[other] for other in named.get(name, ())))
    return found


@cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its name, in the order of their names."""
    rules = [parse(path) for path in (SQL / "rules").glob("*/*.sql")]
    return {rule.name: rule for rule in sorted(rules, key=lambda rule: rule.name)}
