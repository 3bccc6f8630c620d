"""What a statement that fails costs: the rules that need it, and the run only where nothing could be told without it."""

from collections.abc import Iterable, Mapping

from advisor.catalogue.reliance import VITAL, relied_on
from advisor.catalogue.rules import Rule
from advisor.errors import UserError


def failed(error: Exception) -> str:
    """Why a rule that failed did not run."""
    return f"failed: {first_line(error)}"


def first_line(error: Exception) -> str:
    """What is wrong, of a message of DuckDB in many lines."""
    return str(error).splitlines()[0]


def cost(rules: Iterable[Rule], views: Mapping[str, Exception]) -> list[tuple[str, str]]:
    """The rules that rely on a view that failed, each with the reason.

    Raises UserError where it is one without which all would seem well.
    """
    if not views:
        return []
    for name in VITAL & views.keys():
        raise UserError(f"the capture holds values that cannot be reckoned with: {name}: {first_line(views[name])}")
    return [
        (rule.name, f"failed: {name}: {first_line(views[name])}")
        for rule in rules
        for name in sorted(views.keys() & set(relied_on(rule)))
    ]
