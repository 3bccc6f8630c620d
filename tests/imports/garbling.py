"""Garbled texts for property tests: lines that are missing, repeated, moved, cut, or without their columns."""

import re
from collections.abc import Sequence

from hypothesis import strategies as st


def garble_lines(data: st.DataObject, given: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Return lines after one to eight changes of some kinds: delete, double, squeeze, cut, swap."""
    lines = list(given)
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(kinds))
        if kind == "delete" and len(lines) > 1:
            del lines[place]
        elif kind == "double":
            lines.insert(place, lines[place])
        elif kind == "squeeze":
            lines[place] = re.sub(r"\s+", " ", lines[place])
        elif kind == "cut":
            lines[place] = lines[place][: data.draw(st.integers(0, len(lines[place])))]
        else:
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
    return lines
