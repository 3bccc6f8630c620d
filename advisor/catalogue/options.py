"""Options of a site: thresholds of rules and facts about itself."""

import math
import re
import reprlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.catalogue.rows import Row
from advisor.catalogue.rules import Rule
from advisor.errors import UserError
from advisor.resources import data_file

Overrides = dict[str, dict[str, str | float]]  # value by rule (or site) and option

SITE = "site"  # the owner of the options that belong to no rule
SEPARATOR = ";"  # between the names of an option that takes several
MAX_VALUE = 254  # bytes, the limit of TUNE.OPTION


@dataclass(frozen=True)
class Option:
    """An option of a site: a threshold of a rule, or a fact about the site (rule ``site``).

    ``kind`` is number (from 0 to ``most``), text (one of the ``choices``) or names (patterns of names with semicolons
    between them).
    """

    rule: str
    name: str
    kind: str
    choices: tuple[str, ...]
    default: str | None
    provenance: str
    meaning: str
    most: str = "1E15"

    @property
    def shown(self) -> str:
        """The name as a rule's page gives it: with its owner if it belongs to the site."""
        return f"{SITE}.{self.name}" if self.rule == SITE else self.name

    @property
    def number(self) -> float:
        """The default as a number; NaN without one."""
        return float(self.default or "nan")

    def checked(self, value: object) -> str:
        """Return the value as TUNE.OPTION holds it. Raise UserError for a value that the option cannot have."""
        wrong = f"option {self.rule}.{self.name}: {reprlib.repr(value)}"
        if isinstance(value, list) and self.kind == "names" and all(isinstance(name, str) for name in value):
            value = SEPARATOR.join(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise UserError(f"{wrong} is not a {'number' if self.kind == 'number' else 'text'}")
        text = str(value)
        if self.kind == "number" and not _is_number(value):
            raise UserError(f"{wrong} is not a number")
        if self.kind == "number" and not 0 <= float(text) <= float(self.most):
            raise UserError(f"{wrong} must be a number from 0 to {self.most}")
        if self.kind == "text" and text.upper() not in self.choices:
            raise UserError(f"{wrong} must be one of {', '.join(self.choices)}")
        if self.kind == "names" and not text.strip(SEPARATOR + " "):
            raise UserError(f"{wrong} contains no name; remove the option")
        if len(text.encode()) > MAX_VALUE:
            raise UserError(f"option {self.rule}.{self.name}: longer than {MAX_VALUE} bytes")
        return text.upper() if self.kind == "text" else text


def all_options(rules: Iterable[Rule]) -> dict[tuple[str, str], Option]:
    """Return every option by rule and name, those of the site first."""
    found = [
        Option(
            SITE,
            row["NAME"],
            row["TYPE"],
            tuple(row["CHOICES"].split()) if row["TYPE"] == "text" else (),
            row["DEFAULT"] or None,
            row["PROVENANCE"],
            row["MEANING"],
            row["CHOICES"] if row["TYPE"] == "number" and row["CHOICES"] else Option.most,
        )
        for row in data_file("schema", "site_options")
    ]
    found += [option for rule in rules for option in _thresholds(rule)]
    return {(option.rule, option.name): option for option in found}


def _thresholds(rule: Rule) -> list[Option]:
    return [
        Option(rule.name, threshold.name, "number", (), repr(threshold.value), threshold.provenance, threshold.why)
        for threshold in rule.thresholds
    ]


def numbers_of(rule: Rule) -> list[Option]:
    """Return the numbers that a rule compares with: its thresholds, then those of the site that rules share."""
    shared = set(re.findall(r"\bSITE\.(\w+)", rule.select))
    of_site = [option for option in all_options([]).values() if option.name.upper() in shared and option.default]
    return [*_thresholds(rule), *of_site]


def option_rows(rules: list[Rule], overrides: Overrides) -> Iterator[tuple[str, Row]]:
    """Yield every option once: its default, and the site's value. Raise UserError for an unknown option."""
    known = all_options(rules)
    chosen: dict[tuple[str, str], str] = {}
    for owner, values in overrides.items():
        for name, value in values.items():
            if (owner, name) not in known:
                raise UserError(f"option {owner}.{name}: no such option; db2tune rules {owner} lists them")
            chosen[owner, name] = known[owner, name].checked(value)
    for key, option in known.items():
        source = "site" if key in chosen else option.provenance
        choices = option.most if option.kind == "number" else " ".join(option.choices) or None
        yield (
            "OPTION",
            (*key, chosen.get(key, option.default), source, option.default, option.provenance, option.kind, choices),
        )


def _is_number(value: str | float) -> bool:
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


def option_view(owner: str, options: dict[str, str]) -> str:
    """Return a SELECT of one row for joins, with a column for each option of a rule (or of the site)."""
    columns = ",\n    ".join(
        f"MAX(CASE WHEN NAME = '{name}' THEN {'CAST(VALUE AS DOUBLE)' if kind == 'number' else 'VALUE'} END)"
        f" AS {name.upper()}"
        for name, kind in options.items()
    )
    return f"SELECT\n    {columns}\nFROM TUNE.OPTION\nWHERE RULE = '{owner}'"


def site_option_view() -> str:
    """Return the SELECT of O_SITE. Many rules read it, so it is a window view, which is computed once per run."""
    return option_view(SITE, {row["NAME"]: row["TYPE"] for row in data_file("schema", "site_options")})


def option_views(rules: list[Rule]) -> Iterator[tuple[str, str]]:
    """Return name and SELECT of the option view of every rule with thresholds."""
    for rule in rules:
        if rule.thresholds:
            yield rule.option_view, option_view(rule.name, {t.name: "number" for t in rule.thresholds})
