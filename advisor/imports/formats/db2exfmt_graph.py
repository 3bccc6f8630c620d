"""The graph of an access plan as db2exfmt prints it: names and rows of the operators, by their columns on the lines."""

import re
from collections.abc import Iterator

from advisor.imports.cells import parse_number

_NUMBER = re.compile(r"\(\s*(\d{1,4})\)")
_TOKEN = re.compile(r"\S+")
_TYPE = re.compile(r"[^A-Z]?([A-Z][A-Z0-9]+)")
_FARTHEST = 8  # columns between the centres of an operator's lines

Node = tuple[str, str | None, str | None]  # type, estimated rows, actual rows


def read_graph(lines: list[str]) -> dict[int, Node]:
    """Return the operators of a graph by their numbers; values that are not numbers are None."""
    shown = [line.expandtabs(8) for line in lines if line.strip()]
    has_actual = any(" ".join(line.split()) == "Rows Actual" for line in shown[:12])
    found: dict[int, Node] = {}
    for place, line in enumerate(shown):
        for match in _NUMBER.finditer(line):
            centre = (match.start() + match.end()) / 2
            above = [_find_token(shown[place - up], centre) if place >= up else "" for up in (1, 2, 3)]
            type = _TYPE.fullmatch(above[0])
            if type is None:
                continue
            rows = [parse_number(text) for text in above[1:]]
            found[int(match[1])] = (type[1], rows[1], rows[0]) if has_actual else (type[1], rows[0], None)
    return found


def _find_token(line: str, centre: float) -> str:
    """Return the token whose centre is nearest, or an empty string if none is near."""
    distance, token = min(_distances(line, centre), default=(_FARTHEST + 1.0, ""))
    return token if distance <= _FARTHEST else ""


def _distances(line: str, centre: float) -> Iterator[tuple[float, str]]:
    for match in _TOKEN.finditer(line):
        yield abs((match.start() + match.end()) / 2 - centre), match.group()
