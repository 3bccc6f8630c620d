"""``db2set -all``: registry variables, with the level of each before it.

[e] environment, [n] node, [i] instance, [g] global; an upper level hides a lower one. ``[DB2_WORKLOAD]`` after a value
names the aggregate variable that set it. The output is the profile on disk and does not show whether the instance was
restarted since a change, so its values also count as in force.
"""

import re

from advisor.imports.reader import Format, Part, starts_with
from advisor.imports.settings import make_registry_row

_LINE = re.compile(
    r"\s*\[(?P<level>[eisgnul])\][ \t]+(?P<name>DB2[A-Z0-9_]*)[ \t]*=[ \t]*(?P<value>.*?)"
    r"(?:[ \t]*\[(?P<aggregate>DB2[A-Z0-9_]+)\])?\s*$"
)
_ORDER = "eunislg"


def _read(part: Part) -> None:
    report = None
    seen: dict[str, int] = {}
    for match in part.lines.match_lines(_LINE):
        if report is None:
            report = part.report("db2set")
        order = _ORDER.index(match["level"])
        if seen.get(match["name"], len(_ORDER)) < order:
            continue  # hidden by the same variable at an upper level
        seen[match["name"]] = order
        part.readings.row(report, "registry", make_registry_row(match["name"], match["value"], match["aggregate"]))


FORMATS = (Format("db2set -all", starts_with(_LINE), _read, ("[",)),)
