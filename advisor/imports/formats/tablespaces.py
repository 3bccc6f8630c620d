"""``list tablespaces [show detail]`` and ``list tablespace containers for n [show detail]``.

Neither names its database or member. The heading of containers has only the number of their table space. ``File`` and
``Disk`` do not include the tag of a container: the tag of extent size is assumed, which Db2 writes unless
DB2_USE_PAGE_CONTAINER_TAG changes it; no rule uses it.

A server may print messages in another language than English. The order of the lines is the same in all languages, so
only the first label must be known. Texts are not translated: the type follows from the number of free pages, which
table spaces managed by the system do not have, and the contents stay unknown.
"""

import re
from functools import cache

from advisor.imports.labels import Begins, Labels, Spellings, is_usable, sections
from advisor.imports.reader import Format, Part, Reader, starts_with
from advisor.imports.readings import NARROWEST, STATE, WRAPPED, Report

_NAME = "list tablespaces"
_HEADING = re.compile(
    r"\s*Tablespace(?:s for Current Database| Containers for Tablespace (?P<number>\d{1,5}))\s*$", re.I
)
_NUMBER = re.compile(r"\s*\d{1,4}[:.)]?\s+")  # of the line, in an article
_FIRST = re.compile(r"\s*(?:\d{1,4}[:.)]?\s+)?Tablespace ID\s*=\s*\d{1,5}\s*$", re.I)
_STEMS = ("tabellenbereich", "espace table", "espacio de tabla", "espaço de tabela", "spazio tabell", "表空间", "表空間", "表格空間",
          "表スペース", "테이블 스페이스", "табличн", "obszar")  # fmt: skip
_TRANSLATED = re.compile(rf"[^=$#>\]]{{0,80}}(?:{'|'.join(_STEMS)})[^=]{{0,80}}=\s*\d{{1,5}}\s*$", re.I)
_ORDER = (
    *("tablespace id", "name", "type", "contents", "state", "total pages", "useable pages", "used pages", "free pages"),
    *("high water mark (pages)", "page size (bytes)", "extent size (pages)", "prefetch size (pages)"),
    "number of containers",
)
_SYSTEM, _DATABASE = "System managed space", "Database managed space"
_OBJECT_NAME = "name"
_EXPLANATION, _QUIESCER = "detailed explanation:", "quiescer"


@cache
def _sections() -> dict[str, Labels]:
    return sections("tablespaces")


def _starts(line: str, previous: str) -> bool:
    return (_FIRST if "=" in line else _HEADING).match(line) is not None


def _read(part: Part) -> None:
    report: Report | None = None
    for line in part.lines:
        heading = None if "=" in line else _HEADING.match(line)
        if heading is None and not _FIRST.match(line):
            if line.strip():
                part.lines.push_back()
                return
            continue
        if heading is None:
            part.lines.push_back()
        if report is None:
            report = part.report(_NAME, counts=STATE)
        _Listing(part, report, heading["number"] if heading else None).read()


class _Listing:
    """A reader of the lines below one heading."""

    def __init__(self, part: Part, report: Report, number: str | None) -> None:
        self._part = part
        self._report = report
        self._number = number
        self._section = _sections()["tablespace" if number is None else "container"]
        self._labels = Spellings(self._section)
        self._object: dict[str, str] = {}
        self._quiescer = False  # the next number is that of a quiesced table space

    def read(self) -> None:
        """Take the lines of the listing."""
        lines, plain = self._part.lines, self._labels.plain
        explained = False
        pending = ""  # a label that was broken before its end, or a line outside the listing
        last = ""
        for line in lines:
            spelling, equals, text = line.partition("=")
            if equals and spelling in plain and not self._quiescer:  # quicker than the general case
                last = self._take(plain[spelling], text)
                explained, pending = False, ""
                continue
            if number := _NUMBER.match(spelling) if equals else None:
                spelling = spelling[number.end() :]
            stripped = line.strip()
            if equals:
                label = self._labels.find(spelling) or self._labels.find(f"{pending} {spelling}")
                if label is None and self._part.starts(line):
                    lines.push_back()
                    break
                last = self._take(label or "", text)
                explained, pending = False, ""
            elif stripped.lower().startswith(_EXPLANATION):
                explained = True
            elif stripped.lower().startswith(_QUIESCER):
                self._quiescer = True
            elif not stripped:
                explained, last, self._quiescer = False, "", False
            elif _HEADING.match(line) or self._part.starts(line):
                lines.push_back()
                break
            elif last and not self._object.get(last, "-").strip():
                self._object[last] = text or stripped
            elif pending:
                lines.push_back()
                break
            elif not explained:
                self._remove_wrapped(last)
                pending = stripped
        self._end()

    def _remove_wrapped(self, label: str) -> None:
        """Remove the value on the line before this one, if its line was full: this one is its rest."""
        lines = self._part.lines
        if label and len(lines.previous) >= NARROWEST:
            self._object.pop(label, None)
            why = f"this value is {WRAPPED}"
            self._part.ignore(why, lines.number - 1)

    def _take(self, label: str | Begins, text: str) -> str:
        """Take a value; return its label."""
        if isinstance(label, str):
            if label == _OBJECT_NAME and label in self._object:  # the line that starts the next one is missing
                self._end()
            self._object.setdefault(label, text)
            return label
        if self._quiescer:
            self._quiescer = False
            return ""
        self._end()
        self._object = {label.label: text}
        return label.label

    def _end(self) -> None:
        for source, row in self._section.rows(self._object).items():
            if source == "container":
                row["TBSP_ID"] = self._number or ""
            if row and is_usable(source, row):
                self._part.readings.row(self._report, source, row)
        self._object = {}


class _Translated(Reader):
    """A reader of table spaces with labels in another language."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._report = part.report(_NAME, counts=STATE)
        self._values: list[str] = []  # of the current table space

    def take(self, line: str, text: str) -> bool:
        _, equals, value = line.partition("=")
        if equals and _TRANSLATED.match(line):
            self.end()
            self._values = [value.strip()]
        elif equals and len(self._values) < len(_ORDER):
            self._values.append(value.strip())
        return bool(equals) or not text or not self.part.starts_other_format(line)

    def end(self) -> None:
        """Write a table space whose fifth value is a state; ignore other lines of this form."""
        values = dict(zip(_ORDER, self._values, strict=False))
        if not values.get("state", "").lower().startswith("0x"):
            return
        del values["type"], values["contents"]
        if "free pages" in values:
            values["type"] = _DATABASE if values["free pages"].isdigit() else _SYSTEM
        for source, row in _sections()["tablespace"].rows(values).items():
            if row:
                self.part.readings.row(self._report, source, row)


FORMATS = (
    Format(_NAME, _starts, _read, ("tablespace",)),
    Format(_NAME, starts_with(_TRANSLATED), _Translated.read, _STEMS),
)
