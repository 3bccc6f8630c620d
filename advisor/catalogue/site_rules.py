"""The rules of a site: a folder of rule files, read so that no file in it can stop the others.

Each file gets the checks that tests make for the product's rules; a file that fails is reported with the reason.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError
from pathlib import Path

from advisor.catalogue.options import option_rows
from advisor.catalogue.rows import Row, rule_rows, rule_text_rows
from advisor.catalogue.rules import Rule, all_rules, parse, precedence
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import references
from advisor.catalogue.tables import kept_tables
from advisor.errors import UserError, suggest_nearest
from advisor.resources import data_file

_SAID = re.compile(r"^rule: +(?P<name>\S+) *$", re.MULTILINE)
_WIDTH = re.compile(r"^ +(?P<column>\w+) (?P<type>\w+)(?:\((?P<width>\d+)\))?", re.MULTILINE)


@dataclass(frozen=True)
class Broken:
    """A file without a valid rule, and the reason; ``rule`` is the name in it, if readable."""

    file: str
    reason: str
    rule: str | None = None


@dataclass(frozen=True)
class RuleFolder:
    """The contents of a folder of rule files."""

    rules: tuple[Rule, ...] = ()
    broken: tuple[Broken, ...] = ()


def read_folder(folder: Path) -> RuleFolder:
    """Return the rules in a folder and its subfolders, by their names. Raise UserError if the folder does not exist."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder of rules")
    rules: dict[str, Rule] = {}
    procedures = {rule.procedure: "db2tune" for rule in all_rules().values()}
    broken = []
    for path in sorted(folder.rglob("*.sql")):
        file = path.relative_to(folder).as_posix()
        try:
            rule = read_rule(path)
        except UserError as error:
            broken.append(Broken(file, str(error), _name_in(path)))
            continue
        if rule.procedure in procedures:
            broken.append(
                Broken(file, f"{procedures[rule.procedure]} has a rule {rule.name}, give it another name", rule.name)
            )
        else:
            procedures[rule.procedure] = file
            rules[file] = rule
    for file, reason in _find_cycle(rules):
        broken.append(Broken(file, reason, rules.pop(file).name))
    return RuleFolder(tuple(sorted(rules.values(), key=lambda rule: rule.name)), tuple(broken))


def read_rule(path: Path) -> Rule:
    """Return the rule in a file. Raise UserError with the reason in one line if it is not valid."""
    try:
        rule = parse(path)
        fault = next(_faults(rule), None) or _find_misplacement(rule)
    except (OSError, ValueError, LookupError, RecursionError, UserError) as error:
        lines = str(error).removeprefix(f"{path.name}: ").splitlines()
        reason = lines[0] if lines else type(error).__name__
        raise UserError(reason.replace("; ", ", ")) from None  # a semicolon separates reasons in a report
    if fault is not None:
        raise UserError(fault.replace("; ", ", "))
    return rule


def _name_in(path: Path) -> str | None:
    try:
        said = _SAID.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return said["name"] if said else None


def _faults(rule: Rule) -> Iterator[str]:
    """Yield the faults of a parsed rule, the first one first."""
    yield from _find_wrong_names(rule)
    if any(name.startswith("R_") for name in references(rule.statement)):
        yield "it reads TUNE.R_..., which is the procedure of a rule"
    if any(line.endswith("@") for line in rule.statement.splitlines()):
        yield "a line of its SQL ends in @, which ends a statement in an installation script"
    yield from _find_long_texts(rule)


def _find_wrong_names(rule: Rule) -> Iterator[str]:
    """Yield faults about names in the header that do not exist."""
    for need in [*rule.get_list("needs"), *rule.get_list("needs_timed")]:
        source, _, item = need.partition(".")
        found = all_sources().get(source)
        known = _host_items() if source == "host" else {column.name for column in found.columns} if found else {}
        if item not in known:
            yield f"needs: {need} does not exist{suggest_nearest(item, known)}"
    names = [threshold.name for threshold in rule.thresholds]
    for name in names:
        if [other.upper() for other in names].count(name.upper()) > 1:
            yield f"thresholds: {name!r} is defined twice"


def _find_misplacement(rule: Rule) -> str | None:
    """Return a fault if the file does not have the rule's name: rules and their cases are found by it."""
    name = rule.name.partition(".")[2]
    if rule.path.stem == name:
        return None
    return f"rule: {rule.name} must be in a file {name}.sql"


def _host_items() -> set[str]:
    return {row["ITEM"] for row in data_file("schema", "host_items")}


def _find_long_texts(rule: Rule) -> Iterator[str]:
    """Yield texts too long for the tables of schema TUNE: such a row would stop the whole installation."""
    for table, row in (*rule_rows([rule]), *rule_text_rows([rule]), *option_rows([rule], {})):
        for column, width in _find_long_values(table, row):
            yield f"{column.lower().replace('_', ' ')} is longer than {width} bytes"


def _find_long_values(table: str, row: Row) -> Iterator[tuple[str, int]]:
    columns = _WIDTH.findall(kept_tables()[table])
    for value, (column, _, width) in zip(row, columns, strict=False):
        if width and value is not None and len(str(value).encode()) > int(width):
            yield column, int(width)


def _find_cycle(rules: dict[str, Rule]) -> Sequence[tuple[str, str]]:
    """Return the files whose rules form a cycle of ``after``, with the cycle."""
    found: list[tuple[str, str]] = []
    while True:
        left = {file: rule for file, rule in rules.items() if file not in dict(found)}
        try:
            precedence([*all_rules().values(), *left.values()])
        except CycleError as error:
            circle = error.args[1]
            found += [(file, f"after: {' -> '.join(circle)}") for file, rule in left.items() if rule.name in circle]
        else:
            return found
