"""Edited texts: in other spellings of the same, and garbled for property tests.

Garbled lines are missing, repeated, moved, cut, or without their columns.
"""

import re
from collections.abc import Sequence

from hypothesis import strategies as st

# The same report of labels and values in other spellings.
SPELLINGS = {
    "no indent": lambda text: re.sub(r"^ +", "", text, flags=re.M),
    "squeezed": lambda text: re.sub(r" +", " ", text),
    "no blank before the sign": lambda text: re.sub(r" *= *", "= ", text),
    "tabs": lambda text: re.sub(r" {2,}", "\t", text),
    "blank lines between all": lambda text: text.replace("\n", "\n\n"),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "numbered": lambda text: "".join(
        f"{number:4} {line.strip()}\n" for number, line in enumerate(text.splitlines(), 1)
    ),
}
# The same SQL statements in other spellings.
EDITED_STATEMENTS = (
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\n\n"),
    lambda text: re.sub(r"[ \t]*\n[ \t]+(?=\S)", " ", text),
    lambda text: re.sub(r"(?m)^[ \t]+", "", text),
    lambda text: re.sub(r"(?m);[ \t]*$", "@", text),
    lambda text: re.sub(r"(?m);[ \t]*$", " ;", text),
)


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
