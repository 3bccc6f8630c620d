"""Statistics in updates of the catalog views of schema SYSSTAT, as db2look -m prints them."""

import re
from dataclasses import dataclass

from advisor.imports.cells import parse_integer, parse_number
from advisor.imports.sql_words import NotUnderstoodError

_VALUE = r"(?:[xX]?'[^']*+(?:''[^']*+)*+'|[-+.\w]++)"
_PAIR = rf"\"?(?:\w++)\"?\s*+=\s*+{_VALUE}"
_UPDATE = re.compile(
    r"\s*UPDATE\s+\"?SYSSTAT\"?\s*\.\s*\"?(?P<view>\w+)\"?\s+SET\s+"
    rf"(?P<values>{_PAIR}(?:\s*,\s*{_PAIR})*+)\s+WHERE\s+(?P<where>{_PAIR}(?:\s+AND\s+{_PAIR})*+)\s*",
    re.IGNORECASE,
)
_DISTRIBUTION = re.compile(  # as db2look prints most of its lines
    rf"UPDATE SYSSTAT\.COLDIST\s+SET COLVALUE\s*=\s*({_VALUE}),\s+VALCOUNT\s*=\s*(-?\d{{1,18}})"
    r"(?:,\s+DISTCOUNT\s*=\s*[-\w]+)?\s+WHERE COLNAME\s*=\s*'([^']+)'\s+AND TABNAME\s*=\s*'([^']+)'"
    r"\s+AND TABSCHEMA\s*=\s*'([^']+)'\s+AND TYPE\s*=\s*'([FQ])'\s+AND SEQNO\s*=\s*(\d{1,4})\s*"
)
_GROUP = re.compile(
    r"\s*UPDATE\s+\"?SYSSTAT\"?\s*\.\s*\"?COLGROUPS\"?\s+SET\s+\"?COLGROUPCARD\"?\s*=\s*(-?\d{1,18})\s+WHERE\b(?P<where>.*)",
    re.IGNORECASE | re.DOTALL,
)
_ITEM = re.compile(rf"(\w++)\"?\s*+=\s*+({_VALUE})")
_STRING = re.compile(r"'([^']*+(?:''[^']*+)*+)'")
_MANY = re.compile(
    rf"\bCOLNAME\s*(?:=\s*({_STRING.pattern})|IN\s*\(((?:\s*{_STRING.pattern}\s*,?)++)\))", re.IGNORECASE
)

_INDEX = (
    *("NLEAF", "NLEVELS", "FIRSTKEYCARD", "FIRST2KEYCARD", "FIRST3KEYCARD", "FIRST4KEYCARD", "FULLKEYCARD"),
    *("CLUSTERRATIO", "NUMRIDS_DELETED", "NUM_EMPTY_LEAFS", "INDCARD"),
)
NUMBERS = {
    "TABLES": ("CARD", "NPAGES", "FPAGES", "OVERFLOW", "ACTIVE_BLOCKS"),
    "COLUMNS": ("COLCARD", "NUMNULLS", "AVGCOLLEN"),
    "INDEXES": _INDEX,
    "COLDIST": ("VALCOUNT",),
}
_FORMS = {view: dict.fromkeys(names, parse_integer) for view, names in NUMBERS.items()}
_FORMS["INDEXES"]["CLUSTERFACTOR"] = parse_number
_TEXTS = {"COLUMNS": frozenset({"LOW2KEY", "HIGH2KEY"}), "COLDIST": frozenset({"COLVALUE"})}
LONGEST_NUMBER = 24
VIEWS = frozenset({*_FORMS, "COLGROUPS"})


@dataclass
class StatisticsUpdate:
    """An update of one view: its new values by column, and the names of its objects.

    ``group`` has the columns of a column group.
    """

    view: str
    values: dict[str, str]
    where: dict[str, str]
    group: tuple[str, ...] = ()


def parse_statistics(text: str) -> StatisticsUpdate:
    """Return the update of a text. Raise NotUnderstoodError."""
    if match := _DISTRIBUTION.fullmatch(text):
        value, count, column, table, schema, kind, number = match.groups()
        where = {"COLNAME": column.rstrip(), "TABNAME": table.rstrip(), "TABSCHEMA": schema.rstrip()}
        values = {"VALCOUNT": count} | ({"COLVALUE": _unquote(value)} if value[-1] == "'" else {})
        return StatisticsUpdate("COLDIST", values, where | {"TYPE": kind, "SEQNO": number})
    match = _UPDATE.fullmatch(text)
    view = match["view"].upper() if match else "COLGROUPS"
    if match is None or view == "COLGROUPS":
        return _parse_group(text)
    forms, texts = _FORMS.get(view, {}), _TEXTS.get(view, frozenset())
    values = {}
    for name, value in _ITEM.findall(match["values"]):
        column = name.upper()
        if form := forms.get(column):
            if len(value) <= LONGEST_NUMBER and (number := form(value.strip("'"))) is not None:
                values[column] = number
        elif column in texts and value[-1] == "'":
            values[column] = _unquote(value)
    return StatisticsUpdate(view, values, _read_condition(match["where"]))


def _parse_group(text: str) -> StatisticsUpdate:
    """Return the update of a column group whose columns the condition names, in subqueries or not."""
    match = _GROUP.fullmatch(text)
    if match is None:
        raise NotUnderstoodError(text[:40])
    where = _read_condition(match["where"])
    names = [name for found in _MANY.finditer(match["where"]) for name in _STRING.findall(found[0])]
    group = dict.fromkeys(name.replace("''", "'").rstrip() for name in names)
    return StatisticsUpdate("COLGROUPS", {"GROUP_CARD": match[1]}, where, tuple(group))


def _read_condition(text: str) -> dict[str, str]:
    """Return the values that a condition compares columns with. Raise NotUnderstoodError for special registers."""
    found = {}
    for name, value in _ITEM.findall(text):
        if value[-1] != "'" and not value.isdecimal():
            raise NotUnderstoodError(value)
        found[name.upper()] = _unquote(value).rstrip()
    return found


def _unquote(value: str) -> str:
    return value[value.index("'") + 1 : -1].replace("''", "'") if value[-1] == "'" else value
