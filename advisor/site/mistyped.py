"""Accepted risks that match no finding, although their rule has a finding with almost that name."""

from collections.abc import Collection, Iterable, Iterator

from advisor.capture.site import Accepted
from advisor.errors import suggest_nearest


def find_mistyped(accepted: Iterable[Accepted], advised: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each such risk, by the rules and objects of the advice.

    A risk without a similar finding may be fixed: it is not reported.
    """
    for risk in accepted:
        found = {name for rule, name in advised if rule == risk.rule}
        if not any(_matches(risk.object, name) for name in found) and (meant := suggest_nearest(risk.object, found)):
            yield f"{risk.rule} is accepted for {risk.object}, which matches no finding{meant}"


def _matches(pattern: str, name: str) -> bool:
    """Return whether a name matches as in sql/rank/acceptance.sql: a star is only valid at the end."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
