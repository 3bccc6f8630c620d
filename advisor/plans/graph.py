"""The graph of a plan, as db2exfmt and ``db2expln -graph`` draw it.

Each operator is a column of lines: its estimated rows, the counted ones with section actuals, its type, its number in
parentheses, cost and I/O. Connectors lead down to its inputs. If a mail or a page lost the indents, the operators of a
level are taken in their order.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from advisor.plans.plan import JOINS, OPERATORS, Object, Operator, Plan

_TOKEN = re.compile(r"\(\s*\d{1,4}\s*\)|[A-Za-z][A-Za-z-]*:\s?[^\s:]+|[A-Za-z][A-Za-z-]*:|\S+")
_NUMBER = re.compile(r"\(\s*(\d{1,4})\s*\)")
_TYPE = re.compile(r"[^A-Za-z]?([A-Z][A-Z0-9]{2,7})")
_KNOWN = re.compile(rf"[^A-Za-z]?({OPERATORS})")
_KIND = re.compile(r"((?:[A-Z]{2}-)?(?:TABLE|INDEX|TABFNC|NICKNAME|NICKNM|TEMP|VIEW|MQT)):\s?(\S*)", re.I)
_CONNECTOR = re.compile(r"[/+\\|](?:[-+|/\\]*[/+\\|])?|-{3,}")
_WIDE = re.compile(r"([/+])[-+]*([\\+])")
_REFERENCE = re.compile(r"Q\d+")
_FARTHEST = 9  # columns between the centres of the lines of an operator
_MOST = 20_000  # lines


@dataclass
class _Node:
    top: int  # its first line
    bottom: int
    centre: float
    operator: Operator | None = None
    object: Object | None = None


@dataclass
class _Token:
    text: str
    centre: float
    begin: int
    end: int


def number(text: str) -> float | None:
    """Return a number as Db2 prints it; None for other text."""
    try:
        return float(text.replace(",", "")) if text[:1].isdigit() or text[:1] in ".-+" else None
    except ValueError:
        return None


def holds_graph(lines: list[str]) -> bool:
    """Return whether the lines have an operator of a graph: a type above a number in parentheses."""
    shown = [line for line in lines if line.strip()]
    return any(
        _NUMBER.search(line) and any(_TYPE.fullmatch(token) for token in above.split())
        for above, line in pairwise(shown)
    )


def read_graph(lines: list[str]) -> Plan | None:
    """Return the plan of a graph, None if the lines have none."""
    shown = [line.expandtabs(8).rstrip() for line in lines if line.strip()][:_MOST]
    has_actual = any(" ".join(line.split()) in ("Rows Actual", "Actual") for line in shown[:12])
    tokens = [
        [_Token(m.group(), (m.start() + m.end()) / 2, m.start(), m.end()) for m in _TOKEN.finditer(s)] for s in shown
    ]
    has_indents = len({len(line) - len(line.lstrip()) for line in shown}) > 3
    nodes = list(_by_columns(tokens, has_actual) if has_indents else _by_order(tokens, has_actual))
    plan = Plan(is_graph=True)
    for node in nodes:
        if node.operator:
            plan.operators.setdefault(node.operator.number, node.operator)
    if not plan.operators:
        return None
    if has_indents:
        _connect(nodes, shown)
    first = plan.operators[min(plan.operators)]
    plan.cost = first.cost
    _name_tables(plan)
    return plan


def _by_columns(lines: list[list[_Token]], has_actual: bool) -> Iterator[_Node]:
    for place, line in enumerate(lines):
        for token in line:
            if match := _NUMBER.fullmatch(token.text):
                type_ = _near(lines, place - 1, token.centre)
                known = _TYPE.fullmatch(type_)
                if not known or known[1] in ("COST", "ROWS"):
                    continue
                two = has_actual or _has_two(lines, place, token.centre)
                values = [_near_number(lines, place + step, token.centre) for step in (-3, -2, 1, 2)]
                rows, actual = (values[0], values[1]) if two else (values[1], None)
                found = Operator(int(match[1]), known[1], rows, actual, values[2], values[3])
                height = 1 + (values[2] is not None) + (values[3] is not None)
                yield _Node(place - 2 - two, place + height - 1, token.centre, found)
            elif match := _KIND.fullmatch(token.text):
                schema, name, below = match[2], _near(lines, place + 1, token.centre), place + 2
                if not schema:
                    schema, name, below = name, _near(lines, place + 2, token.centre), place + 3
                above = [_near_number(lines, place - up, token.centre) for up in (1, 2)]
                two = has_actual and above[1] is not None
                yield _Node(
                    place - 1 - two if two or above[0] is not None else place,
                    below - 1,
                    token.centre,
                    None,
                    Object(match[1].upper(), (schema, name), above[1] if two else above[0]),
                )


def _has_two(lines: list[list[_Token]], place: int, centre: float) -> bool:
    """Return whether two numbers are above an operator, without a legend, below a connector."""
    if place < 4:
        return False
    texts = [_near(lines, place - up, centre) for up in (2, 3, 4)]
    return number(texts[0]) is not None and number(texts[1]) is not None and bool(set(texts[2]) <= set("|/\\+-"))


def _near(lines: list[list[_Token]], place: int, centre: float) -> str:
    """Return the token of a line whose centre is nearest, or an empty string if none is near."""
    line = lines[place] if 0 <= place < len(lines) else []
    right = bisect_left(line, centre, key=lambda token: token.centre)
    near = line[max(0, right - 1) : right + 1]
    best = min(near, key=lambda token: abs(token.centre - centre), default=None)
    return best.text if best and abs(best.centre - centre) <= _FARTHEST else ""


def _near_number(lines: list[list[_Token]], place: int, centre: float) -> float | None:
    """Return the nearest number of a line of the graph: not one of a sentence or statement above it."""
    line = lines[place] if 0 <= place < len(lines) else []
    if any(token.text[:1].islower() for token in line):
        return None
    return number(_near(lines, place, centre))


def _connect(nodes: list[_Node], shown: list[str]) -> None:
    """Set the inputs of each operator, from left to right, along the connectors above their lines."""
    ending: dict[int, list[_Node]] = {}  # operators by their last line
    for node in nodes:
        if node.operator:
            ending.setdefault(node.bottom, []).append(node)
    spans = {line: [*_CONNECTOR.finditer(shown[line])] for line in {node.top - 1 for node in nodes} if line >= 0}
    for node in sorted(nodes, key=lambda node: node.centre):
        span = _nearest(spans.get(node.top - 1, []), node.centre)
        for last in range(node.top - 2, node.top - 6, -1):
            above = [other for other in ending.get(last, []) if span and _is_inside(other.centre, span)]
            if span and above:
                parent = min(above, key=lambda other: abs(other.centre - (span.start() + span.end()) / 2))
                _join(parent, node)
                break


def _nearest(spans: list[re.Match[str]], centre: float) -> re.Match[str] | None:
    """Return the connector that is nearest to a column, if one is near."""
    right = bisect_left(spans, centre, key=lambda span: span.start())
    near = spans[max(0, right - 1) : right + 1]
    best = min(near, key=lambda span: max(span.start() - centre, centre - span.end(), 0), default=None)
    return best if best and max(best.start() - centre, centre - best.end()) <= _FARTHEST else None


def _is_inside(centre: float, span: re.Match[str]) -> bool:
    return span.start() - _FARTHEST / 2 <= centre <= span.end() + _FARTHEST / 2


def _join(parent: _Node, node: _Node) -> None:
    assert parent.operator is not None
    if node.operator:
        parent.operator.inputs.append(node.operator.number)
    elif node.object:
        parent.operator.object = node.object


def _by_order(lines: list[list[_Token]], has_actual: bool) -> Iterator[_Node]:
    """Yield the nodes of a graph without indents; connect them in the order of their levels."""
    waiting: list[Operator | None] = [None]  # the parents of the next level, once per input
    block: list[list[str]] = []
    top = 0
    for place, line in enumerate([*lines, []]):
        texts = [token.text for token in line]
        if texts and not all(_CONNECTOR.fullmatch(text) for text in texts):
            block.append(texts)
            continue
        level = list(_read_level(block, has_actual))
        for node, parent in zip(level, [*waiting, *[None] * len(level)], strict=False):
            node.top = top
            if parent and node.operator:
                parent.inputs.append(node.operator.number)
            elif parent and node.object:
                parent.object = node.object
            yield node
        if level:
            operators = [node.operator for node in level if node.operator]
            waiting = []
            for operator, text in zip(operators, texts, strict=False):
                wide = _WIDE.fullmatch(text)
                count = 1 if not wide else max(2, text.count("+") + (2 if text[0] == "/" else 0) - (text[0] == "/"))
                count = 2 if wide and text.count("+") == 1 and operator.type in (*JOINS, "FETCH", "IXAND") else count
                waiting += [operator] * count
        block, top = [], place


def _read_level(block: list[list[str]], has_actual: bool) -> Iterator[_Node]:
    place = next((n for n, texts in enumerate(block) if _are_heads(texts, block[n + 1 : n + 2])), None)
    if place is None:
        return
    heads = [t for t in block[place] if _KNOWN.fullmatch(t) or _KIND.fullmatch(t)]
    above = [texts for texts in block[:place] if any(number(t) is not None for t in texts)]
    rows = [*map(number, above[0 if has_actual else -1])] if above else []
    actual = [*map(number, above[-1])] if has_actual and len(above) > 1 else []
    under = [*block[place + 1 :], [], [], []][:3]
    costs = [t for t in under[1] if not _REFERENCE.fullmatch(t)]
    seen = 0
    for at, head in enumerate(heads):
        row = rows[at] if at < len(rows) else None
        if match := _KIND.fullmatch(head):
            name = under[0][at] if at < len(under[0]) else ""
            yield _Node(0, 0, 0.0, None, Object(match[1].upper(), (match[2], name), row))
        elif (known := _KNOWN.fullmatch(head)) and at < len(under[0]) and (digits := _NUMBER.fullmatch(under[0][at])):
            cost = number(costs[seen]) if seen < len(costs) else None
            io = number(under[2][seen]) if seen < len(under[2]) else None
            counted = actual[at] if at < len(actual) else None
            seen += 1
            yield _Node(0, 0, 0.0, Operator(int(digits[1]), known[1], row, counted, cost, io))


def _are_heads(texts: list[str], below: list[list[str]]) -> bool:
    """Return whether a line has types with their numbers below, or the schemas of objects."""
    numbers = any(_NUMBER.fullmatch(text) for line in below for text in line)
    return any(_KIND.fullmatch(text) for text in texts) or (numbers and any(map(_KNOWN.fullmatch, texts)))


def _name_tables(plan: Plan) -> None:
    """Set the table of the operators that read one: of a fetch's object, and of the index scan below it."""
    for each in plan.operators.values():
        if each.object and each.object.kind.endswith("TABLE"):
            each.table = each.object.name
            for number_ in each.inputs:
                below = plan.operators.get(number_)
                while below and below.type in ("RIDSCN", "SORT", "IXAND", "IXOR"):
                    below = plan.operators.get(below.inputs[0]) if below.inputs else None
                if below and below.object and below.object.kind.endswith("INDEX"):
                    below.table = each.table
