"""Short answers: the parts of a document that tools.yml names, without empty values."""

import re
from typing import Any

BRIEF, FULL = "brief", "full"
_CUT = re.compile(r"(\w+)\[(\d+)\]")
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def shorten(document: dict[str, Any], shape: dict[str, Any], detail: str) -> dict[str, Any] | None:
    """Return the document in this detail: brief, full, or one of its parts; None if it has no such part."""
    if detail == FULL or not shape:
        return document
    if detail != BRIEF:
        return {detail: document[detail]} if detail in document else None
    found: dict[str, Any] = _drop_empty(_project(_choose_ranks(document), shape))
    return found


def _choose_ranks(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the recommendations that its summary names."""
    if "recommendations" not in document or "summary" not in document:
        return document
    ranks = dict.fromkeys([*document["summary"]["urgent"], *document["summary"]["best"]])
    known = {item["rank"]: item for item in document["recommendations"]}
    return document | {"recommendations": [known[rank] for rank in ranks]}


def _project(value: Any, shape: Any) -> Any:
    """Return the members of objects that the shape names; object.name is its member ``name``, and [n] limits a list."""
    if shape is None or value is None:
        return value
    if isinstance(value, list):
        return [_project(each, shape) for each in value]
    if isinstance(shape, str):
        names = [name.split(".") for name in shape.split()]
        return {name: value[name][inner[0]] if inner else value[name] for name, *inner in names if name in value}
    found = {}
    for key, inner in shape.items():
        cut = _CUT.fullmatch(key)
        name = cut[1] if cut else key
        if name in value:
            part = value[name]
            found[name] = _project(part[: int(cut[2])] if cut and part else part, inner)
            if cut and part and len(part) > int(cut[2]):
                found[f"{name}_in_full"] = len(part)
    return found


def _drop_empty(value: Any) -> Any:
    """Return a value without empty members of objects, and with at most two decimals."""
    if isinstance(value, dict):
        found = {name: said for name, each in value.items() if (said := _drop_empty(each)) not in _EMPTY}
        return {} if not any(found.values()) else found
    if isinstance(value, list):
        return [_drop_empty(each) for each in value]
    return round(value, 2) if isinstance(value, float) else value
