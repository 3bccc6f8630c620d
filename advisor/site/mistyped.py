"""Accepted risks that fit nothing, though their rule found something with almost that name."""

from collections.abc import Collection, Iterable, Iterator

from advisor.capture.site import Accepted
from advisor.errors import nearest


def mistyped(accepted: Iterable[Accepted], advised: Collection[tuple[str, str]]) -> Iterator[str]:
    """A line for each, by the rules and objects that are advised. One whose rule finds nothing alike may be of what was
    mended since: nothing is said of that."""
    for risk in accepted:
        found = {name for rule, name in advised if rule == risk.rule}
        if not any(_fits(risk.object, name) for name in found) and (meant := nearest(risk.object, found)):
            yield f"{risk.rule} is accepted of {risk.object}, and finds nothing of that name{meant}"


def _fits(pattern: str, name: str) -> bool:
    """As sql/rank/acceptance.sql has it: a star stands at the end only."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
