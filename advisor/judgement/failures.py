"""The consequences of failed statements: rules that need them do not run; a vital one ends the run."""

from collections.abc import Iterable, Mapping

from advisor.catalogue import embedded
from advisor.catalogue.reliance import VITAL, find_required_views
from advisor.catalogue.rules import Rule, all_rules
from advisor.errors import UserError
from advisor.judgement.sql_faults import rule_fault


def failed(error: Exception, rule: Rule) -> str:
    """Return the reason for a failed rule, with file and line of a fault in a site's rule."""
    import apsw

    if isinstance(error, apsw.InterruptError):
        return f"failed: ran longer than {embedded.STRANGER_S:g} s"
    return f"failed: {site_fault(rule) or get_first_line(error)}"


def site_fault(rule: Rule) -> str | None:
    """Return the file, line and fault of a site's rule whose SQL cannot run on any data."""
    fault = rule_fault(rule) if rule.name not in all_rules() and rule.path.is_file() else None
    return f"{rule.path.name}: {fault}" if fault else None


def get_first_line(error: Exception) -> str:
    """Return the first line of an error."""
    return str(error).splitlines()[0]


def cost(rules: Iterable[Rule], views: Mapping[str, Exception]) -> list[tuple[str, str]]:
    """Return the rules that rely on a failed view, each with the reason.

    Raise UserError if the view is vital: without it, the database would seem healthy.
    """
    if not views:
        return []
    for name in VITAL & views.keys():
        raise UserError(f"the capture contains invalid values: {name}: {get_first_line(views[name])}")
    return [
        (rule.name, f"failed: {name}: {get_first_line(views[name])}")
        for rule in rules
        for name in sorted(views.keys() & set(find_required_views(rule)))
    ]
