"""The values of --fail-on and fail_on: the least urgent advice that counts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from advisor.catalogue.lanes import all_lanes, lane_of

if TYPE_CHECKING:
    from advisor.judgement.advice import Recommendation

FailOn = str | float  # a lane's name, ANY, or a benefit in percent of database time

ANY, URGENT = "any", "urgent"
URGENT_SEVERITIES = ("critical", "high")  # of advice against application errors and data loss, the worst first


def fail_on_names() -> tuple[str, ...]:
    """Return the names of thresholds, the widest first."""
    return ANY, *(lane.fail_on for lane in reversed(all_lanes().values()) if lane.fail_on), URGENT


def severity_of(rule: str) -> str | None:
    """Return the severity of a rule of the product; None for a rule of a site."""
    from advisor.catalogue.rules import all_rules

    found = all_rules().get(rule)
    return found.severity if found else None


def is_urgent(letter: str, severity: str | None) -> bool:
    """Return whether advice is against application errors or data loss."""
    return lane_of(letter).by_severity and severity in URGENT_SEVERITIES


def reaches_threshold(letter: str, severity: str | None, benefit_pct: float, fail_on: FailOn) -> bool:
    """Return whether advice is urgent, or its lane is the named one or one before it, or its benefit is large enough."""
    if fail_on == ANY:
        return True
    if fail_on == URGENT:
        return is_urgent(letter, severity)
    if isinstance(fail_on, str):
        lanes = list(all_lanes().values())
        last = next(number for number, lane in enumerate(lanes) if lane.fail_on == fail_on)
        return lane_of(letter) in lanes[: last + 1]
    return lane_of(letter).by_benefit and benefit_pct >= fail_on


def reaches_one_of(fail_on: Iterable[FailOn], item: "Recommendation") -> bool:
    """Return whether a recommendation reaches one of the thresholds."""
    return any(reaches_threshold(item.lane, item.rule.severity, item.benefit, least) for least in fail_on)
