"""``list tablespaces [show detail]`` of a server that prints messages in another language than English.

The order of the lines is the same in all languages, so only the first label must be known. Texts are not translated: the
type follows from the number of free pages, which table spaces managed by the system do not have, and the contents stay
unknown.
"""

import re

from advisor.imports.labels import sections
from advisor.imports.reader import Format, Part
from advisor.imports.readings import STATE

_NAME = "list tablespaces"
_STEMS = ("tabellenbereich", "espace table", "espacio de tabla", "espaço de tabela", "spazio tabell", "表空间", "表空間", "表格空間",
          "表スペース", "테이블 스페이스", "табличн", "obszar")  # fmt: skip
_FIRST = re.compile(rf"[^=$#>\]]{{0,80}}(?:{'|'.join(_STEMS)})[^=]{{0,80}}=\s*\d{{1,5}}\s*$", re.IGNORECASE)
_ORDER = (
    *("tablespace id", "name", "type", "contents", "state", "total pages", "useable pages", "used pages", "free pages"),
    *("high water mark (pages)", "page size (bytes)", "extent size (pages)", "prefetch size (pages)"),
    "number of containers",
)
_SYSTEM, _DATABASE = "System managed space", "Database managed space"


def _starts(line: str, previous: str) -> bool:
    return _FIRST.match(line) is not None


def _read(part: Part) -> None:
    report = part.readings.report(_NAME, part.document, counts=STATE)
    space: list[str] = []
    for line in part.lines:
        _, equals, value = line.partition("=")
        if equals and _FIRST.match(line):
            _write(part, report.number, space)
            space = [value.strip()]
        elif equals and len(space) < len(_ORDER):
            space.append(value.strip())
        elif not equals and line.strip() and part.starts_other_format(line):
            part.lines.push_back()
            break
    _write(part, report.number, space)


def _write(part: Part, number: int, space: list[str]) -> None:
    """Write a table space whose fifth value is a state; ignore other lines of this form."""
    values = dict(zip(_ORDER, space, strict=False))
    if not values.get("state", "").lower().startswith("0x"):
        return
    del values["type"], values["contents"]
    if "free pages" in values:
        values["type"] = _DATABASE if values["free pages"].isdigit() else _SYSTEM
    section = sections("tablespaces")["tablespace"]
    for source, row in section.rows(values).items():
        if row:
            part.readings.row(part.readings.reports[number], source, row)


FORMATS = (Format(_NAME, _starts, _read, _STEMS),)
