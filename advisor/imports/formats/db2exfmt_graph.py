"""The graph of an access plan as db2exfmt prints it: names and rows of the operators, by their columns on the lines."""

import re
from bisect import bisect_left

from advisor.imports.cells import parse_number

_NUMBER = re.compile(r"\(\s*(\d{1,4})\)")
_TOKEN = re.compile(r"\S+")
_TYPE = re.compile(r"[^A-Z]?([A-Z][A-Z0-9]+)")
_FARTHEST = 8  # columns between the centres of an operator's lines

Node = tuple[str, str | None, str | None]  # type, estimated rows, actual rows
Tokens = tuple[list[float], list[str]]  # the centres of a line's words, in their order, and the words


def read_graph(lines: list[str]) -> dict[int, Node]:
    """Return the operators of a graph by their numbers; values that are not numbers are None."""
    shown = [line.expandtabs(8) for line in lines if line.strip()]
    has_actual = any(" ".join(line.split()) == "Rows Actual" for line in shown[:12])
    tokens = [*map(_list_tokens, shown)]
    found: dict[int, Node] = {}
    for place, line in enumerate(shown):
        for match in _NUMBER.finditer(line):
            centre = (match.start() + match.end()) / 2
            above = [_find_token(tokens[place - up], centre) if place >= up else "" for up in (1, 2, 3)]
            type = _TYPE.fullmatch(above[0])
            if type is None:
                continue
            rows = [parse_number(text) for text in above[1:]]
            found[int(match[1])] = (type[1], rows[1], rows[0]) if has_actual else (type[1], rows[0], None)
    return found


def _list_tokens(line: str) -> Tokens:
    matches = [*_TOKEN.finditer(line)]
    return [(match.start() + match.end()) / 2 for match in matches], [match.group() for match in matches]


def _find_token(tokens: Tokens, centre: float) -> str:
    """Return the token whose centre is nearest, or an empty string if none is near."""
    centres, words = tokens
    place = bisect_left(centres, centre)
    near = [(abs(centres[i] - centre), words[i]) for i in (place - 1, place) if 0 <= i < len(centres)]
    distance, token = min(near, default=(_FARTHEST + 1.0, ""))
    return token if distance <= _FARTHEST else ""
