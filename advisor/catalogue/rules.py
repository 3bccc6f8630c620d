"""The rules of sql/rules/, from their headers and SELECTs.

The header is loaded into TUNE.RULE, TUNE.RULE_NEED, TUNE.RULE_RELATION, TUNE.RULE_ORDER and TUNE.OPTION, so that every
decision that depends on it is made in SQL.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from advisor.catalogue.claims import Claim
from advisor.catalogue.lanes import lane_named
from advisor.catalogue.rule_file import Header, as_list, check_header, list_alternatives, read_rule_file
from advisor.catalogue.statement import Parts, split_statement, statement
from advisor.resources import SQL, data_file

# Objects whose changes a standby replays, and kinds of settings that each server has for itself.
_REPLAYED = {"TABLESPACE", "BUFFERPOOL", "TABLE", "INDEX", "PARTITIONGROUP", "STOGROUP"}
_OF_THE_SERVER = {"DBCFG", "DBMCFG", "REGISTRY", "HOST", "DEVICE", "VOLUME"}


@dataclass(frozen=True)
class Threshold:
    """A number that a site can override: its default, its provenance, and the reason for it."""

    name: str
    value: float
    provenance: str
    why: str


@dataclass(frozen=True)
class Rule:
    """One rule: the front matter of its file and the SELECT that returns its figures.

    ``statement`` is generated from both: a SELECT of every column of TUNE.FINDING.
    """

    name: str
    header: Header
    select: str
    path: Path

    @cached_property
    def statement(self) -> str:
        return statement(self)

    @property
    def parts(self) -> Parts:
        """The parts of ``statement``."""
        return split_statement(self)

    @property
    def title(self) -> str:
        return str(self.header["title"])

    @property
    def area(self) -> str:
        return self.name.partition(".")[0]

    @property
    def why(self) -> str:
        return str(self.header["why"])

    @property
    def not_if(self) -> str:
        return str(self.header["not_if"])

    @property
    def note(self) -> str | None:
        return self.header.get("note")

    @property
    def query(self) -> str | None:
        """The query or command that confirms the finding."""
        return self.header.get("query")

    @property
    def judged_by(self) -> str:
        return str(self.header["judged_by"])

    @property
    def severity(self) -> str:
        return str(self.header.get("severity", "medium"))

    @property
    def risk(self) -> str:
        return str(self.header.get("risk", "low"))

    @property
    def exclusive(self) -> str | None:
        return self.header.get("exclusive")

    @property
    def donor(self) -> bool:
        return bool(self.header.get("donor", False))

    @cached_property
    def effect(self) -> str:
        """The code in sql/rank/effects.csv for when a step takes effect that does not state it."""
        return _effects()[self.header["takes_effect"]]

    @property
    def step_effects(self) -> dict[int, str]:
        """The codes of the steps that state when they take effect, by their number from 1."""
        steps = enumerate(self.steps, 1)
        return {number: _effects()[step["takes_effect"]] for number, step in steps if "takes_effect" in step}

    @cached_property
    def thresholds(self) -> tuple[Threshold, ...]:
        return tuple(
            Threshold(name, float(given["default"]), given["from"], given["why"])
            for name, given in self.header.get("thresholds", {}).items()
        )

    @cached_property
    def claims(self) -> list[Claim]:
        """The claims of database time, at most three."""
        return [Claim(bucket, **given) for bucket, given in self.header.get("claims", {}).items()]

    @property
    def procedure(self) -> str:
        return "TUNE.R_" + _identifier(self.name)

    @property
    def option_view(self) -> str:
        return "TUNE.O_" + _identifier(self.name)

    @property
    def sources(self) -> list[str]:
        """The references, those to a paper with its title in place of its key."""
        return [_reference(text) for text in self.header["references"]]

    def get_list(self, key: str) -> list[Any]:
        """Return the entries of a list in the header; empty if the header lacks it."""
        return as_list(self.header.get(key))

    @property
    def applies(self) -> dict[str, Any]:
        """The conditions of workload, topology, level and platform."""
        return dict(self.header.get("applies", {}))

    @property
    def changes_data(self) -> bool:
        """Whether it changes objects of the database, which an HADR standby only replays from its primary."""
        kinds = {setting.get("kind") for step in self.steps for setting in as_list(step.get("set"))}
        return any("command" in step for step in self.steps) or (
            str(self.header.get("object", "")).partition(" ")[0] in _REPLAYED and not kinds & _OF_THE_SERVER
        )

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of the header, each alternative of a choice by itself; findings number them from 1."""
        return [step for action in self.header.get("actions", []) for step in list_alternatives(action)]

    @property
    def lanes(self) -> tuple[str, str]:
        """The letters of the lane of a finding that claims database time, and of one that claims none."""
        lane = str(self.header["lane"])
        unclaimed = self.header.get("lane_without_claim", "housekeeping" if lane == "performance" else lane)
        return lane_named(lane).letter, lane_named(unclaimed).letter


def _identifier(rule: str) -> str:
    return re.sub(r"\W", "_", rule).upper()


@cache
def _effects() -> dict[str, str]:
    """Return the codes of takes_effect by their words."""
    return {row["WORDS"]: row["EFFECT"] for row in data_file("rank", "effects")}


def _reference(text: str) -> str:
    """Return a reference with the title of the paper whose key is its first word."""
    titles = {paper["KEY"]: paper["TITLE"] for paper in data_file("schema", "papers")}
    return re.sub(r"^[\w-]+", lambda key: titles.get(key[0], key[0]), text)


def parse(path: Path) -> Rule:
    """Read and check a rule file. Raise UserError or ValueError for the first fault."""
    header, select = read_rule_file(path)
    check_header(header, path.name)
    return Rule(header["rule"], header, select, path)


def precedence(rules: Iterable[Rule]) -> dict[str, frozenset[str]]:
    """Return for each rule the rules whose changes precede its own, by its ``after`` and their ``before``."""
    named = {rule.name: rule.get_list("after") for rule in rules}
    found: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(named).static_order():
        found[name] = frozenset(named.get(name, ())).union(*(found[other] for other in named.get(name, ())))
    return found


@cache
def all_rules() -> dict[str, Rule]:
    """Return every rule by its name, in the order of their names; a test checks their headers, not each start."""
    files = ((read_rule_file(path), path) for path in (SQL / "rules").glob("*/*.sql"))
    rules = [Rule(header["rule"], header, select, path) for (header, select), path in files]
    return {rule.name: rule for rule in sorted(rules, key=lambda rule: rule.name)}
