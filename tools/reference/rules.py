"""docs/rules/: one page per rule, with the numbers of its first firing case. Only the index is committed."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from advisor.catalogue.lanes import lane_of
from advisor.catalogue.options import numbers_of
from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Recommendation
from advisor.judgement.run import evaluate
from advisor.report import text
from advisor.report.catalogue import defers_to_text, format_conditions
from advisor.report.explain import benefit_text, claim_text
from tests.support.data_files import written
from tests.support.paths import CASES
from tests.support.states import observe_state, state_of
from tools.reference.markdown import environment, rule_file

EVIDENCE = {
    "load": "the counters of the interval",
    "rates": "rates and times per operation in the interval",
    "structure": "the state, and the counters of an interval if one exists",
    "config": "settings and catalog",
    "host": "facts about the host",
}


@dataclass(frozen=True)
class Example:
    """A state in which the rule fires, and its finding."""

    name: str
    item: Recommendation

    @property
    def claim(self) -> str:
        return claim_text(self.item)

    @property
    def benefit(self) -> str:
        return benefit_text(self.item)


def pages() -> dict[str, str]:
    """Return the page of each rule by the name of its file."""
    return {f"{name}.md": page(rule) for name, rule in all_rules().items()}


def page(rule: Rule) -> str:
    return environment().get_template("rule.md.j2").render(_facts(rule))


def index() -> str:
    """Return the page of rules by area."""
    areas: dict[str, list[Rule]] = {}
    for rule in all_rules().values():
        areas.setdefault(rule.area, []).append(rule)
    return environment().get_template("index.md.j2").render(rules=all_rules(), areas=dict(sorted(areas.items())))


def _facts(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule,
        "lanes": " or, if no time is claimed, ".join(
            dict.fromkeys(lane_of(letter).name.lower() for letter in rule.lanes)
        ),
        "effect": text.EFFECT_MEANINGS[rule.effect],
        "evidence": EVIDENCE[rule.judged_by],
        "select": f"../../{rule_file(rule)}",
        "sources": rule.sources,
        "applies": format_conditions(rule),
        "defers_to": defers_to_text(rule),
        "example": example(rule),
        "numbers": numbers_of(rule),
    }


def example(rule: Rule) -> Example:
    """Return the first case in which the rule must fire."""
    return _examples()[rule.name]


@cache
def _examples() -> dict[str, Example]:
    """Return the example of each rule; all are judged together."""
    rules = list(all_rules().values())
    cases = [written(CASES / rule.path.parent.name / f"{rule.path.stem}.yml")["fires"][0] for rule in rules]
    advice = [evaluate(observe_state(state_of(case)), [rule]) for case, rule in zip(cases, rules, strict=True)]
    return {
        rule.name: Example(case["name"], found.recommendations[0])
        for case, rule, found in zip(cases, rules, advice, strict=True)
    }
