"""The rule files in sql/rules/: a commented header and one SELECT each.

The header is the rule's metadata and documentation; it is loaded into TUNE.RULE, TUNE.RULE_NEED,
TUNE.RULE_RELATION, TUNE.RULE_ORDER and TUNE.OPTION, so that every decision that depends on it is taken in SQL.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import TopologicalSorter
from pathlib import Path

from advisor.catalogue.claims import Claim
from advisor.catalogue.claims import read as read_claims
from advisor.catalogue.rule_statement import statement
from advisor.catalogue.templates import Line
from advisor.catalogue.templates import line as template_line
from advisor.resources import SQL, data_file

_FIELD = re.compile(r"^-- (?P<name>[a-z-]+): +(?P<value>.*)$")
_CONTINUED = re.compile(r"^-- {3,}(?P<value>\S.*)$")
_THRESHOLD = re.compile(r"^(?P<name>\w+) = (?P<value>\S+)\s+-- \[(?P<provenance>[^\]]+)\] (?P<why>.+)$")
_REQUIRED = ("rule", "title", "area", "lane", "effect", "judged-by", "confidence", "object", "source", "why", "not-if")
_OPTIONAL = (
    *("claims", "recover", "needs", "asks", "applies", "exclusive", "yields", "after", "donor", "member"),
    *("memory", "severity", "risk", "unit", "look-at", "note"),
)

# Objects of which a standby replays every change, and kinds of settings that each server has for itself.
_REPLAYED = {"TABLESPACE", "BUFFERPOOL", "TABLE", "INDEX", "PARTITIONGROUP", "STOGROUP"}
_OF_THE_SERVER = {"DBCFG", "DBMCFG", "REGISTRY", "HOST", "DEVICE", "VOLUME"}

# Each line of these is one of its own, and their order counts.
FINDING, EVIDENCE, UNDO, UNDO_BY_HAND = "finding", "evidence", "undo", "undo-by-hand"
SCOPES = ("object", "pool", "host", "any")  # how near what a rule yields to must be
ACTIONS = ("set", "do", "by-hand")
_LINES = (FINDING, EVIDENCE, *ACTIONS, UNDO, UNDO_BY_HAND)


@dataclass(frozen=True)
class Threshold:
    """A number that a site can override: its default, where it comes from, and why it is so."""

    name: str
    value: float
    provenance: str
    why: str


@dataclass(frozen=True)
class Rule:
    """One rule: header fields, thresholds, the templates of its texts, and the SELECT that finds.

    ``statement`` is what is generated of them: the SELECT with every column of TUNE.FINDING.
    """

    name: str
    fields: dict[str, str]
    thresholds: tuple[Threshold, ...]
    lines: tuple[Line, ...]
    select: str
    path: Path

    @cached_property
    def statement(self) -> str:
        return statement(self)

    @property
    def figures(self) -> str:
        """The table in which an engine keeps what ``select`` finds, so that texts are made only of what is there."""
        return "TUNE.F_" + _identifier(self.name)

    @cached_property
    def statement_of_figures(self) -> str:
        """The same as ``statement``, of ``figures``."""
        return statement(self, f"SELECT * FROM {self.figures}")

    @cached_property
    def claims(self) -> list[Claim]:
        """What it claims of database time. Raises ValueError where the header is wrong."""
        return read_claims(self.fields.get("claims", ""))

    @property
    def view(self) -> str:
        return "TUNE.R_" + _identifier(self.name)

    @property
    def option_view(self) -> str:
        return "TUNE.O_" + _identifier(self.name)

    @property
    def sources(self) -> list[str]:
        """Who says so, one item each; the papers that the rules came from by their titles."""
        said = self.fields["source"]
        for paper in data_file("schema", "papers"):
            said = said.replace(paper["FILE"], paper["TITLE"])
        return [source.strip() for source in said.split(";")]

    def listed(self, field: str) -> list[str]:
        """The comma-separated items of a header field; empty when the header lacks it."""
        return [item.strip() for item in self.fields.get(field, "").split(",") if item.strip()]

    def applies(self, key: str) -> str | None:
        """One ``key=value`` of the header's ``applies`` field, its parts separated by semicolons."""
        for part in self.fields.get("applies", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == key:
                return value.strip()
        return None

    @property
    def changes_data(self) -> bool:
        """Whether it is about objects of the database, which an HADR standby only replays from its primary."""
        kinds = {line.text.partition(" ")[0] for line in self.lines if line.field == "set"}
        return any(line.field == "do" for line in self.lines) or (
            self.fields.get("object", "").partition(" ")[0] in _REPLAYED and not kinds & _OF_THE_SERVER
        )

    @property
    def lanes(self) -> tuple[str, str]:
        """The lane of a finding that claims database time, and of one that claims none."""
        first, _, second = self.fields["lane"].partition("/")
        return first, second or ("H" if first == "P" else first)


def _identifier(rule: str) -> str:
    return re.sub(r"\W", "_", rule).upper()


def _lines(path: Path, within: tuple[Path, ...] = ()) -> Iterator[str]:
    """The lines of a file; what several rules say alike is included: from beside it, or from sql/rules/include/.

    ``within`` are the files that lead here. Raises ValueError where this is one of them.
    """
    if path in within:
        raise ValueError(f"recursion: {path.name} includes itself")
    for line in path.read_text(encoding="utf-8").splitlines():
        field = _FIELD.match(line)
        if field and field["name"] == "include":
            name = f"{field['value'].strip()}.txt"
            beside = path.with_name(name)
            yield from _lines(beside if beside.is_file() else SQL / "rules" / "include" / name, (*within, path))
        else:
            yield line


def parse(path: Path) -> Rule:
    lines = list(_lines(path))
    fields: dict[str, str] = {}
    thresholds: list[Threshold] = []
    lined: list[list[str]] = []
    last = ""
    body = len(lines)
    for number, line in enumerate(lines):
        if not line.startswith("--"):
            body = number
            break
        if field := _FIELD.match(line):
            last, value = field["name"], field["value"].strip()
            if last in _LINES:
                lined.append([last, value])
            elif last == "threshold":
                threshold = _THRESHOLD.match(value)
                if threshold is None:
                    raise ValueError(f"{path}:{number + 1}: a threshold reads 'name = value -- [provenance] why'")
                thresholds.append(
                    Threshold(threshold["name"], float(threshold["value"]), threshold["provenance"], threshold["why"])
                )
            elif last in _REQUIRED or last in _OPTIONAL:
                fields[last] = value
            else:
                raise ValueError(f"{path}:{number + 1}: the header has no field {last!r}")
        elif (more := _CONTINUED.match(line)) and last in _LINES:
            lined[-1][1] += " " + more["value"]
        elif more and last and last != "threshold":
            fields[last] += " " + more["value"]
        else:
            raise ValueError(f"{path}:{number + 1}: a header reads 'field: value', not {line!r}")
    missing = [name for name in _REQUIRED if name not in fields]
    if missing:
        raise ValueError(f"{path}: the header lacks {', '.join(missing)}")
    texts = tuple(template_line(*item) for item in lined)
    return Rule(fields["rule"], fields, tuple(thresholds), texts, "\n".join(lines[body:]).strip(), path)


def precedence(rules: Iterable[Rule]) -> dict[str, frozenset[str]]:
    """Of each rule, the rules whose changes come before its own: those of ``after``, and those before them."""
    named = {rule.name: rule.listed("after") for rule in rules}
    found: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(named).static_order():
        found[name] = frozenset(named.get(name, ())).union(*(found[other] for other in named.get(name, ())))
    return found


@cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its name, in the order of their names."""
    rules = [parse(path) for path in (SQL / "rules").glob("*/*.sql")]
    return {rule.name: rule for rule in sorted(rules, key=lambda rule: rule.name)}
