"""Plans without a graph: details of db2exfmt, db2expln, lists of operators, rows of the explain tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from advisor.plans.graph import number
from advisor.plans.plan import OPERATORS, Object, Operator, Plan

_NAME = r'"?([\w$#@]+)"?\s*\.\s*"?([\w$#@]+)"?'
_ARGUMENT = re.compile(r"([A-Z][A-Z0-9_]{3,15})\s*:\s*\(")

# db2exfmt
_OPERATOR = re.compile(r"(\d{1,4})\) ([A-Z][A-Z0-9]*)\s*: ?\(")
_STREAM = re.compile(r"\d+\) (From Operator|To Operator|From Object|To Object) #?(\S+)$")
_VALUE = re.compile(
    r"(Cumulative Total Cost|Cumulative I/O Cost|Estimated number of rows|Actual number of rows):\s+(\S+)"
)
_PREDICATE = re.compile(
    r"\d+\) (Start Key|Stop Key|Sargable|Join|Residual|Index Feedback|Not Applied) Predicate|\d+\) Predicate used in Join"
)
_FACTOR = re.compile(r"Filter Factor:\s+(\S+)")
COLUMNS = "columns of the index"  # in the details of an index scan
_KINDS = {"Start Key": "START", "Stop Key": "STOP", "Sargable": "SARG", "Join": "JOIN", "Residual": "RESID"}

# db2expln
_ACCESS = re.compile(rf"Access (?:Table|MQT|Materialized Query Table|View|Summary Table) Name = {_NAME}")
_INDEX = re.compile(rf"Index Scan:\s+Name = {_NAME}")
_KEY_COLUMN = re.compile(r"(\d+): ([\w$#@]+)(?: \((Ascending|Descending)\))")
_MATCHED = re.compile(r"#Key Columns = (\d+)")
_STEPS = {
    "Nested Loop Join": "NLJOIN",
    "Hash Join": "HSJOIN",
    "Merge Join": "MSJOIN",
    "Insert Into Sorted Temp Table": "SORT",
    "Sort": "SORT",
}
_ESTIMATE = re.compile(r"Estimated (Cost|Cardinality) = (\S+)")

# An indented list, or one with lines between columns.
_LISTED = re.compile(
    rf"(?P<indent>[\s|]*)(?:(?P<id>\d{{1,4}})\s*[|):]?(?P<pad>\s+))?(?P<type>{OPERATORS})\b\s*(?P<rest>.*)"
)
_OF_ROWS = re.compile(r"\|\s*([\d.,e+]+)(?: of ([\d.,e+]+))?.*?\|\s*([\d.,]+)")


def read_details(lines: Iterable[str], plan: Plan) -> None:
    """Add the operators of "Plan Details" of db2exfmt."""
    reader = _Details(plan)
    for line in lines:
        reader.take(line.strip())
    for each in plan.operators.values():
        each.spilled_pages = number(each.details.get("SPILLED", "")) or each.spilled_pages


@dataclass
class _Details:
    """The state of a reader: its operator, the part and stream of its lines, the kind and factor of its predicate."""

    plan: Plan
    operator: Operator | None = None
    part: str = ""
    stream: str = ""
    kind: str = ""
    factor: float | None = None
    last: str = ""

    def take(self, text: str) -> None:
        if match := _OPERATOR.match(text):
            self.operator = self.plan.operators.setdefault(int(match[1]), Operator(int(match[1]), match[2]))
            self.part = self.stream = self.kind = ""
        elif text in ("Input Streams:", "Output Streams:", "Predicates:", "Arguments:"):
            self.part, self.kind = text, ""
        elif self.operator and (match := _VALUE.match(text)):
            _take_value(self.operator, match[1], number(match[2]), self.part, self.stream)
        elif self.operator and self.part == "Arguments:":
            self._take_argument(self.operator, text)
        elif self.operator and self.part == "Predicates:":
            self._take_predicate(self.operator, text)
        elif self.operator and self.operator.type == "IXSCAN" and self.stream == "From Object" and text[:2] == "+Q":
            self.operator.details.setdefault(COLUMNS, text)
        elif self.operator and (match := _STREAM.match(text)):
            self.stream = match[1]
            if self.part == "Input Streams:":
                _take_input(self.plan, self.operator, self.stream, match[2])
        self.last = text

    def _take_argument(self, operator: Operator, text: str) -> None:
        if match := _ARGUMENT.match(text):
            operator.details[match[1]] = ""
        elif operator.details and text and not text.startswith("---"):
            name = next(reversed(operator.details))
            operator.details[name] = operator.details[name] or text

    def _take_predicate(self, operator: Operator, text: str) -> None:
        if match := _PREDICATE.match(text):
            self.kind, self.factor = _KINDS.get(match[1] or "Join", "SARG"), None
        elif match := _FACTOR.match(text):
            self.factor = number(match[1])
        elif self.kind and text.startswith("(") and self.last.startswith("---"):
            operator.predicates.append((self.kind, self.factor, text))


def _take_input(plan: Plan, operator: Operator, stream: str, what: str) -> None:
    if stream == "From Operator" and what.isdecimal():
        if int(what) not in operator.inputs:
            operator.inputs.append(int(what))
    elif stream == "From Object" and "." in what:
        schema, _, name = what.partition(".")
        is_index = operator.type == "IXSCAN"
        operator.object = operator.object or Object("INDEX" if is_index else "TABLE", (schema, name))
        if operator.type in ("TBSCAN", "FETCH"):
            operator.table = (schema, name)


def _take_value(operator: Operator, name: str, value: float | None, streams: str, stream: str) -> None:
    if name == "Cumulative Total Cost":
        operator.cost = operator.cost if operator.cost is not None else value
    elif name == "Cumulative I/O Cost":
        operator.io = operator.io if operator.io is not None else value
    elif streams == "Output Streams:":
        if name.startswith("Actual"):
            operator.actual = operator.actual if operator.actual is not None else value
        elif operator.rows is None:
            operator.rows = value
    elif stream == "From Object" and operator.object and operator.object.rows is None:
        operator.object.rows = value


def read_expln(lines: Sequence[str]) -> tuple[Plan | None, list[tuple[tuple[str, str], tuple[str, str], list[str]]]]:
    """Return the plan that db2expln describes in words, and the columns of the indexes that it names.

    It names no inputs: the operators are a list, tables below the joins that follow them.
    """
    plan = Plan()
    indexes: list[tuple[tuple[str, str], tuple[str, str], list[str]]] = []
    numbers = count(1)
    table: Operator | None = None
    for line in lines:
        text = line.strip().lstrip("| ").strip()
        if match := _ESTIMATE.search(text):
            value = number(match[2])
            if match[1] == "Cost":
                plan.cost = value if plan.cost is None else plan.cost
            plan.facts.setdefault(f"Estimated {match[1]}", match[2])
        elif match := _ACCESS.search(text):
            at = next(numbers)
            table = plan.operators[at] = Operator(at, "TBSCAN", table=(match[1], match[2]))
            table.object = Object("TABLE", (match[1], match[2]))
        elif table and (match := _INDEX.search(text)):
            at = next(numbers)
            below = plan.operators[at] = Operator(
                at, "IXSCAN", object=Object("INDEX", (match[1], match[2])), table=table.table
            )
            table.type = "FETCH"
            table.inputs = [at]
            assert table.table
            indexes.append((table.table, (match[1], match[2]), []))
            below.matched = 0
        elif table and table.inputs and (match := _KEY_COLUMN.search(text)) and indexes:
            if int(match[1]) == len(indexes[-1][2]) + 1:
                indexes[-1][2].append(match[2])
        elif table and table.inputs and (match := _MATCHED.search(text)):
            plan.operators[table.inputs[0]].matched = int(match[1])
        elif text.startswith("Index-Only Access") and table and table.inputs:
            plan.operators[table.number].details["index only"] = "yes"
        else:
            step = next(
                (type_ for words, type_ in _STEPS.items() if re.match(rf"(?:\(\s*\d+\)\s*)?{words}\b", text)), None
            )
            if step:
                at = next(numbers)
                plan.operators[at] = Operator(at, step)
    return (plan if any(each.table for each in plan.operators.values()) else None), indexes


def read_list(lines: Sequence[str]) -> Plan | None:
    """Return the plan of an indented list: operator, object in parentheses or behind it, rows and cost."""
    plan = Plan()
    depth: list[tuple[int, Operator]] = []
    numbers = count(1)
    for line in lines:
        match = _LISTED.fullmatch(line.expandtabs(8).rstrip())
        if match is None:
            continue
        rest = match["rest"]
        if not match["id"] and rest and not re.match(r"[(\[|:=-]|[A-Z\"]", rest):
            continue  # a word of a sentence
        number_ = int(match["id"]) if match["id"] else next(numbers)
        operator = Operator(number_, match["type"])
        indent = len(match["indent"]) + len(match["pad"] or "")
        while depth and depth[-1][0] >= indent:
            depth.pop()
        if depth:
            depth[-1][1].inputs.append(number_)
        depth.append((indent, operator))
        _take_rest(operator, rest)
        plan.operators[number_] = operator
    if len(plan.operators) < 2:
        return None
    _spread_tables(plan)
    plan.cost = plan.operators[min(plan.operators)].cost
    return plan


def _take_rest(operator: Operator, rest: str) -> None:
    name = re.search(_NAME, rest) or re.match(r"\(?\s*()([A-Za-z][\w$#@]+)", rest)
    if name and not re.fullmatch(OPERATORS, name[2]):
        kind = "INDEX" if operator.type in ("IXSCAN", "EISCAN") else "TABLE"
        operator.object = Object(kind, (name[1].upper(), name[2].upper()))
        if kind == "TABLE" and operator.type in ("TBSCAN", "FETCH", "INSERT", "UPDATE", "DELETE"):
            operator.table = operator.object.name
    if matched := re.search(
        r"(\d+) (?:of \d+ )?(?:key )?columns? matched|MATCHING COLUMNS?\s*[=:]\s*(\d+)", rest, re.I
    ):
        operator.matched = int(matched[1] or matched[2])
    if rows := _OF_ROWS.search(rest):
        operator.rows, operator.cost = number(rows[1]), number(rows[3])
        if operator.object and operator.object.kind == "TABLE" and operator.type == "TBSCAN":
            operator.object.rows = number(rows[2] or "")


def _spread_tables(plan: Plan) -> None:
    for each in plan.operators.values():
        if each.type == "FETCH" and each.table:
            for below in plan.below(each.number):
                if below.type == "IXSCAN":
                    below.table = each.table


def plan_of_rows(operators: Iterable[Mapping[str, str]], streams: Iterable[Mapping[str, str]]) -> Plan | None:
    """Return the plan of rows of EXPLAIN_OPERATOR and EXPLAIN_STREAM."""
    plan = Plan()
    for row in operators:
        key = row.get("OPERATOR_ID", "")
        if not key.isdecimal() or not row.get("OPERATOR_TYPE"):
            continue
        operator = Operator(int(key), row["OPERATOR_TYPE"].strip())
        operator.cost, operator.io = number(row.get("TOTAL_COST", "")), number(row.get("IO_COST", ""))
        operator.rows = number(row.get("STREAM_COUNT", "") or row.get("ESTIMATED_ROWS", "") or row.get("ROWS", ""))
        if name := row.get("OBJECT_NAME", "").strip():
            is_index = operator.type in ("IXSCAN", "EISCAN")
            operator.object = Object("INDEX" if is_index else "TABLE", (row.get("OBJECT_SCHEMA", "").strip(), name))
            operator.table = None if is_index else operator.object.name
        plan.operators[operator.number] = operator
    for row in streams:
        source, target = row.get("SOURCE_ID", ""), row.get("TARGET_ID", "")
        upper = plan.operators.get(int(target)) if target.isdecimal() else None
        lower = plan.operators.get(int(source)) if source.isdecimal() else None
        rows = number(row.get("STREAM_COUNT", ""))
        if upper and lower:
            upper.inputs.append(lower.number)
            lower.rows = rows if lower.rows is None else lower.rows
        elif upper and (name := row.get("OBJECT_NAME", "").strip()):
            is_index = upper.type in ("IXSCAN", "EISCAN")
            upper.object = Object("INDEX" if is_index else "TABLE", (row.get("OBJECT_SCHEMA", "").strip(), name), rows)
            upper.table = None if is_index else upper.object.name
    if len(plan.operators) < 2:
        return None
    _spread_tables(plan)
    plan.cost = plan.operators[min(plan.operators)].cost
    return plan
