"""Plans in every form that is read: random trees as db2exfmt draws them, with and without indents, lists and rows."""

import random
from dataclasses import dataclass, field

import pytest

from advisor.diagnosis.reading import read_paste
from advisor.plans.graph import read_graph
from advisor.plans.plan import Plan
from advisor.plans.words import plan_of_rows, read_list

BRANCHING = {
    "RETURN": 1,
    "SORT": 1,
    "GRPBY": 1,
    "FILTER": 1,
    "NLJOIN": 2,
    "HSJOIN": 2,
    "MSJOIN": 2,
    "UNION": 3,
    "TBSCAN": 0,
}
GAP = 4


@dataclass
class Node:
    lines: list[str]
    inputs: list["Node"] = field(default_factory=list)


@dataclass
class Drawn:
    """A drawing: its lines, of equal length, and the column of its top node."""

    lines: list[str]
    centre: int


def make(
    chance: random.Random, depth: int, numbers: list[int], most: int
) -> tuple[Node, dict[int, tuple[str, list[int]]]]:
    """Return a random tree, and the type and inputs of each operator by its number."""
    type_ = chance.choice([name for name, inputs in BRANCHING.items() if 0 < inputs <= most]) if depth else "TBSCAN"
    number = numbers.pop(0)
    node = Node([f"{chance.random() * 1e6:.6g}", type_, f"({number:4})", f"{chance.random() * 1e5:.6g}", str(number)])
    found: dict[int, tuple[str, list[int]]] = {}
    below = []
    for _ in range(BRANCHING[type_]):
        child, others = make(chance, depth - 1, numbers, most)
        below.append(min(others))
        found |= others
        node.inputs.append(child)
    if type_ == "TBSCAN":
        node.inputs.append(Node([str(1000 * number), "TABLE: APP", f"T{number}", f"Q{number}"]))
    return node, {number: (type_, below)} | found


def draw(node: Node) -> Drawn:
    """Draw a tree as db2exfmt does: levels below each other, joined by connectors."""
    below = [draw(each) for each in node.inputs]
    width = max(map(len, node.lines))
    if not below:
        return Drawn([line.center(width) for line in node.lines], width // 2)
    height = max(len(each.lines) for each in below)
    parts, places, at = [], [], 0
    for each in below:
        size = len(each.lines[0])
        parts.append([*each.lines, *[" " * size] * (height - len(each.lines))])
        places.append(at + each.centre)
        at += size + GAP
    rows = [(" " * GAP).join(part[row] for part in parts) for row in range(height)]
    centre = (places[0] + places[-1]) // 2
    if len(places) == 1:
        connector = " " * places[0] + "|"
    else:
        inner = {centre, *places[1:-1]}
        middle = "".join("+" if place in inner else "-" for place in range(places[0] + 1, places[-1]))
        connector = " " * places[0] + "/" + middle + "\\"
    left = max(0, width // 2 - centre)
    head = [" " * max(0, centre - width // 2) + line.center(width) for line in node.lines]
    lines = [*head, *(" " * left + line for line in [connector, *rows])]
    longest = max(map(len, lines))
    return Drawn([line.ljust(longest) for line in lines], centre + left)


def shape(plan: Plan | None) -> dict[int, tuple[str, list[int]]]:
    return {each.number: (each.type, each.inputs) for each in plan.operators.values()} if plan else {}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("indented", [True, False])
def test_drawn_tree_is_read_back(seed: int, indented: bool) -> None:
    chance = random.Random(seed)
    node, expected = make(chance, 1 + seed % 4, [*range(2, 300)], 3 if indented else 2)  # lost: 3 inputs look like 2
    lines = [line.rstrip() for line in draw(node).lines]
    plan = read_graph(lines if indented else [" ".join(line.split()) for line in lines])
    assert shape(plan) == expected
    assert plan is not None
    tables = {each.number: each.table for each in plan.operators.values() if each.type == "TBSCAN"}
    assert tables == {number: ("APP", f"T{number}") for number in tables}


def test_actual_rows_are_read() -> None:
    plan = read_graph(
        [
            "Rows",
            "Rows Actual",
            "RETURN",
            "(   1)",
            "Cost",
            "I/O",
            "|",
            "410.2",
            "28214",
            "TBSCAN",
            "(   2)",
            "68210.4",
            "NA",
        ]
    )
    assert plan is not None
    assert (plan.operators[2].rows, plan.operators[2].actual, plan.operators[2].cost) == (410.2, 28214, 68210.4)


def test_list_with_indents_is_read() -> None:
    plan = read_list(
        ["RETURN", "  NLJOIN", "    TBSCAN (A.T)", "    FETCH (A.U)", "      IXSCAN (A.U_X, 2 key columns matched)"]
    )
    assert shape(plan) == {
        1: ("RETURN", [2]),
        2: ("NLJOIN", [3, 4]),
        3: ("TBSCAN", []),
        4: ("FETCH", [5]),
        5: ("IXSCAN", []),
    }
    assert plan is not None and plan.operators[5].table == ("A", "U") and plan.operators[5].matched == 2


def test_rows_of_the_explain_tables_are_read() -> None:
    operators = [
        {"OPERATOR_ID": "1", "OPERATOR_TYPE": "RETURN", "TOTAL_COST": "90"},
        {"OPERATOR_ID": "2", "OPERATOR_TYPE": "TBSCAN", "TOTAL_COST": "90"},
    ]
    streams = [
        {"SOURCE_ID": "-1", "TARGET_ID": "2", "OBJECT_SCHEMA": "A", "OBJECT_NAME": "T", "STREAM_COUNT": "5000"},
        {"SOURCE_ID": "2", "TARGET_ID": "1", "STREAM_COUNT": "7"},
    ]
    plan = plan_of_rows(operators, streams)
    assert plan is not None and shape(plan) == {1: ("RETURN", [2]), 2: ("TBSCAN", [])}
    assert plan.operators[2].table == ("A", "T") and plan.operators[2].rows == 7


def test_listing_of_the_explain_tables_is_read() -> None:
    listing = """\
OPERATOR_ID OPERATOR_TYPE TOTAL_COST
----------- ------------- ----------
          1 RETURN              90.5
          2 TBSCAN              90.5

SOURCE_ID TARGET_ID OBJECT_SCHEMA OBJECT_NAME STREAM_COUNT
--------- --------- ------------- ----------- ------------
       -1         2 A             T                   5000
        2         1 -             -                      7
"""
    plan = read_paste(listing).plan
    assert plan is not None and plan.operators[2].table == ("A", "T") and plan.operators[1].inputs == [2]


def test_index_columns_of_db2expln_are_known() -> None:
    text = """\
Access Table Name = A.T  ID = 2,4
|  Index Scan:  Name = A.TX  ID = 2
|  |  Index Columns:
|  |  |  1: K (Ascending)
|  |  |  2: L (Descending)
|  #Key Columns = 1
Nested Loop Join
|  Access Table Name = A.U  ID = 2,5
|  |  Relation Scan
"""
    paste = read_paste(text)
    (index,) = paste.tables["A", "T"].indexes.values()
    assert [key.column for key in index.keys] == ["K", "L"]
    assert paste.plan is not None
    assert [each.type for each in paste.plan.operators.values()] == ["FETCH", "IXSCAN", "NLJOIN", "TBSCAN"]
