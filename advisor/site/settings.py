"""Every option with its value and the origin of the value, and the accepted risks, with those that match no finding."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from advisor import capture as captures
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import SITE, Option, Overrides, all_options
from advisor.catalogue.rules import Rule, all_rules
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError, suggest_nearest

if TYPE_CHECKING:
    from advisor.db2.connection import Connection


IN_DATABASE = "TUNE.OPTION"
_NOT_INSTALLED = ("SQL0204N", "SQL0551N")
_OPTIONS = "SELECT O.RULE, O.NAME, O.VALUE FROM TUNE.OPTION AS O WHERE O.PROVENANCE = 'site' AND O.VALUE IS NOT NULL"
_ACCEPTED = (
    "SELECT A.RULE, A.OBJECT_PATTERN, A.REASON, A.ACCEPTED_BY, A.UNTIL_DATE FROM TUNE.ACCEPTED AS A"
    " ORDER BY A.RULE, A.OBJECT_PATTERN"
)


@dataclass(frozen=True)
class Setting:
    """An option and its value; ``place`` is the file or table that set it, None for the default."""

    option: Option
    value: str | None
    place: str | None


def rules_of(layers: Iterable[tuple[str, Site]]) -> dict[str, Rule]:
    """Return the rules of db2tune and of all layers."""
    return all_rules() | {rule.name: rule for _, site in layers for rule in site.own.rules}


def settings(layers: Sequence[tuple[str, Site]]) -> list[Setting]:
    """Return every option of the rules that the layers know; the last layer that sets an option counts."""
    rules = rules_of(layers).values()
    found = {key: Setting(option, option.default, None) for key, option in all_options(rules).items()}
    for place, site in layers:
        for owner, values in site.options.items():
            for name, value in values.items():
                if (owner, name) not in found:
                    remedy = "" if owner in all_rules() else "; a file with the rules of the site would define it"
                    raise UserError(f"{place}: option {owner}.{name}: no such option{remedy}")
                option = found[owner, name].option
                found[owner, name] = Setting(option, option.checked(value), place)
    return list(found.values())


def select_by_owner(found: list[Setting], owner: str, rules: Collection[str]) -> list[Setting]:
    """Return the options of a rule, an area or the site. Raise UserError for any other owner."""
    known = [SITE, *rules, *dict.fromkeys(rule.partition(".")[0] for rule in rules)]
    if owner not in known:
        raise UserError(
            f"{owner}: not a rule, area or {SITE}{suggest_nearest(owner, known) or '; db2tune rules lists them'}"
        )
    return [setting for setting in found if f"{setting.option.rule}.".startswith(f"{owner}.")]


def read_capture_site(path: Path) -> Site:
    """Return the options in a capture."""
    with captures.open_capture(path) as capture:
        return Site(capture.options)


def read_database_site(connection: "Connection") -> Site:
    """Return the contents of TUNE.OPTION and TUNE.ACCEPTED. Raise UserError if they do not exist or are not granted."""
    options: Overrides = {}
    try:
        for rule, name, value in connection.rows(_OPTIONS):
            options.setdefault(rule, {})[name] = value
        accepted = tuple(
            Accepted(rule, pattern, reason, by, _day(until))
            for rule, pattern, reason, by, until in connection.rows(_ACCEPTED)
        )
    except Db2Failure as failure:
        if failure.id in _NOT_INSTALLED:
            raise UserError(
                f"{IN_DATABASE} cannot be read; run db2tune install, or GRANT SELECT on it and on TUNE.ACCEPTED"
            ) from None
        raise
    return Site(options, accepted)


def _day(value: object) -> date | None:
    return None if value is None else date.fromisoformat(str(value)[:10])


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
