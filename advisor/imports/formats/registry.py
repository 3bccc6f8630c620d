"""``db2set -all``: registry variables, with the level of each before it.

[e] environment, [n] node, [i] instance, [g] global; an upper level hides a lower one. ``[DB2_WORKLOAD]`` after a value
names the aggregate variable that set it. The output is the profile on disk and does not show whether the instance was
restarted since a change, so its values also count as in force.
"""

import re

from advisor.imports.reader import Format, Part

_LINE = re.compile(
    r"\s*\[(?P<level>[eisgnul])\][ \t]+(?P<name>DB2[A-Z0-9_]*)[ \t]*=[ \t]*(?P<value>.*?)"
    r"(?:[ \t]*\[(?P<aggregate>DB2[A-Z0-9_]+)\])?\s*$"
)
_ORDER = "eunislg"


def _starts(line: str, previous: str) -> bool:
    return _LINE.match(line) is not None


def _read(part: Part) -> None:
    report = None
    seen: dict[str, int] = {}
    for match in part.lines.match_lines(_LINE):
        if report is None:
            report = part.readings.report("db2set", part.document)
        order = _ORDER.index(match["level"])
        if seen.get(match["name"], len(_ORDER)) < order:
            continue  # hidden by the same variable at an upper level
        seen[match["name"]] = order
        value = match["value"]
        part.readings.row(
            report,
            "registry",
            {
                "REG_VAR_NAME": match["name"],
                "REG_VAR_VALUE": value,
                "REG_VAR_ON_DISK_VALUE": value,
                "IS_AGGREGATE": 1 if match["name"] == "DB2_WORKLOAD" else 0,
                "AGGREGATE_NAME": match["aggregate"],
            },
        )


FORMATS = (Format("db2set -all", _starts, _read, ("[",)),)
