"""Accepted risks that fit nothing, though their rule found something with almost that name."""

from collections.abc import Iterable, Iterator

from advisor.capture.site import Accepted
from advisor.errors import nearest
from advisor.judge.advice import Advice


def mistyped(accepted: Iterable[Accepted], advice: Advice) -> Iterator[str]:
    """A line for each. One whose rule finds nothing alike may be of what was mended since: nothing is said of that."""
    for risk in accepted:
        found = {item.object_name for item in advice.recommendations if item.rule.name == risk.rule}
        if not any(_fits(risk.object, name) for name in found) and (meant := nearest(risk.object, found)):
            yield f"{risk.rule} is accepted of {risk.object}, and finds nothing of that name{meant}"


def _fits(pattern: str, name: str) -> bool:
    """As sql/rank/acceptance.sql has it: a star stands at the end only."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
