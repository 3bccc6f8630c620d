"""Listings of SELECT statements as the command line processor (CLP) prints them: names, dashes, rows.

The columns of a listing, or the statement before it, identify its view (tables.py). Other output of a CLP session is
also read: the database of CONNECT, the time of VALUES CURRENT TIMESTAMP.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from advisor.imports.databases import CONNECTION
from advisor.imports.lines import Lines
from advisor.imports.queries import LONGEST, Query, parse_query
from advisor.imports.reader import Format, Part
from advisor.imports.readings import WRAPPED
from advisor.imports.table_rows import Plan, Table
from advisor.imports.tables import add_text_lengths, count_known, find_text_cell, mentions_view, recognise
from advisor.imports.values import moment, platform

# "db2 => ", "db2 (cont.) => ", "$ ", "[user@host ~]$ ", "SQL> ", "> "
_PROMPT = re.compile(r"\s*(?:db2 (?:\(cont\.\) )?=>|[^\s$#>]{0,80}(?: [^\s$#>]{0,80})?[$#>](?=\s))\s*")
_CLP = re.compile(r"db2 (?:\(cont\.\) )?=>")
_CALL = re.compile(r"db2\b(?:\s+[-+]\w+)*\s+[\"']?\s*|[\"']\s*", re.I)
# A snapshot's "Select SQL statements executed" is not a statement.
_BEGINS = re.compile(r"(?:select(?!\s+SQL\s)|values)\b|with\s+\w+\s*(?:\(|as\b)", re.I)
_CONNECTED = re.compile(r"\s*Database Connection Information\s*$", re.I)
_CONNECTION = re.compile(r"\s*([A-Za-z][\w ]{2,40}?)\s*=\s*(\S.*?)\s*$")
_SELECTED = re.compile(r"\s*\d+ +(?:record\(s\) selected|\S+ ausgewählt|\S+ sélectionné)", re.I)
_WORD = re.compile(r"[^\W\d][\w$#@]*|\d{1,4}")
_COMPLETE = re.compile(r"\bfrom\b|^\s*values\b", re.I)
_CLOCK_WIDTH = 26  # of a timestamp
_PATIENCE = 4  # lines between a statement and its listing


def _starts(line: str, previous: str) -> bool:
    if line.isupper():
        return _is_header(line) or _find_statement(line) is not None
    if _is_dashes(line):
        return _may_be_header(previous, line)
    if "elect" in line or "alues" in line or "ith" in line:
        return _find_statement(line) is not None
    return line.lstrip().startswith("Database C") and _CONNECTED.match(line) is not None


def _is_dashes(line: str) -> bool:
    return "-" in line and not line.strip("- \t")


def _is_header(line: str) -> bool:
    """Return whether a line in capitals consists of names of columns, and so needs no dashes."""
    words = line.split()
    return len(words) > 1 and count_known(words) > 1 and all(map(_WORD.fullmatch, words))


def _may_be_header(line: str, dashes: str) -> bool:
    """Return whether a line above dashes may have names, some of which may be aliases, numbers or in lower case."""
    words = line.upper().split()
    if words == ["1"]:
        return len(dashes.strip()) == _CLOCK_WIDTH
    return bool(words) and len(words) <= 2 * len(dashes.split()) and count_known(words) > 0


@lru_cache(16)  # needed again when it is read
def _find_statement(line: str) -> str | None:
    """Return the text of a statement that starts in a line, without prompt and call."""
    text = line.lstrip()
    if _BEGINS.match(text):
        return text
    text = _strip_prompt(line)
    call = _CALL.match(text)
    text = text[call.end() :] if call else text
    return text if _BEGINS.match(text) else None


def _prompt(line: str) -> re.Match[str] | None:
    """Return the prompt before a line; few lines have the end of one."""
    return _PROMPT.match(line) if "$" in line or ">" in line or "#" in line else None


def _strip_prompt(line: str) -> str:
    match = _prompt(line)
    return line[match.end() :] if match else line.strip()


def _read(part: Part) -> None:
    """Read a statement, if one comes, and the listing after it."""
    lines = part.lines
    said = _Said()
    first = lines.number + 1
    for line in lines:
        if not line.strip():
            said.read_blank()
            continue
        begun = _find_statement(line)
        if begun is not None:
            said = _Said()
            said.take(begun)
        elif _is_dashes(line):
            _listing(part, lines.previous, line, said.statement(lines.previous))
            return
        elif _is_header(line):
            _listing(part, line, _peek_dashes(part), said.statement(""))
            return
        elif _CONNECTED.match(line):
            _connection(part)
            return
        elif said.is_exhausted or part.starts(line):
            lines.push_back()
            break
        else:
            said.take(_strip_prompt(line))
    if said.lines:
        part.ignore("a statement without its listing", first)


class _Said:
    """The lines of a statement, and the lines between it and its listing."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._length = 0
        self._behind = 0  # lines after its end
        self._ended = False

    @property
    def is_exhausted(self) -> bool:
        """Return whether no listing is expected any more."""
        return not self.lines or self._behind > _PATIENCE

    def take(self, line: str) -> None:
        if self._ended:
            self._behind += 1
        elif self._length > LONGEST:
            self._behind += 1
            return
        self.lines.append(line)
        self._length += len(line)
        self._ended = self._ended or line.rstrip().endswith((";", '"', "'"))

    def read_blank(self) -> None:
        """Read a blank line, which ends a complete statement."""
        self._ended = self._ended or any(_COMPLETE.search(line) for line in self.lines)

    def statement(self, header: str) -> str:
        """Return the text of the statement; the last line before the dashes may have the names of the listing."""
        lines = self.lines[: len(self.lines) - self._behind]
        if not self._behind and lines and lines[-1] == _strip_prompt(header):
            lines = lines[:-1]
        return "\n".join(lines)


def _peek_dashes(part: Part) -> str:
    """Return the dashes on the next line; "" if it is another line."""
    for line in part.lines:
        if _is_dashes(line):
            return line
        if line.strip():
            part.lines.push_back()
            break
    return ""


def _connection(part: Part) -> None:
    """Read the output of CONNECT: "Database server = DB2/LINUXX8664 11.5.8.0", "Local database alias = SAMPLE"."""
    report = part.report(CONNECTION)
    for match in part.lines.match_lines(_CONNECTION):
        label, value = match[1].lower(), match[2]
        if label == "database server":
            report.platform = platform(value)
            report.level = value.split()[-1] if value.split()[-1][0].isdigit() else None
        elif label == "local database alias":
            report.database = value


@dataclass(frozen=True)
class _Shape:
    """The columns of a listing, from ``begins`` to ``ends``; the last one has no end."""

    names: tuple[str, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def cutter(self, wanted: Sequence[int]) -> Callable[[str], list[str] | None]:
        """Return a function that cuts some columns out of a line; it returns None for a line with text between them."""
        slices = [slice(self.begins[i], self.ends[i]) for i in wanted]
        cut: Callable[[str], tuple[str, ...]] = itemgetter(*slices, slice(0, 0))
        edges = {self.begins[i] - 1 for i in wanted if i} | {self.ends[i] for i in wanted if i + 1 < len(self.names)}
        gaps = sorted(edges)
        look: Callable[[str], tuple[str, ...]] = itemgetter(*gaps, *gaps[:1]) if gaps else lambda line: ()
        blank = (" ",) * (len(gaps) + 1 if gaps else 0)
        width = max(gaps, default=0) + 1
        strip = str.strip

        def cells(line: str) -> list[str] | None:
            if len(line) < width:
                line = line.ljust(width)
            if look(line) != blank:
                return None
            found = [*map(strip, cut(line))]
            found.pop()
            return found

        return cells


def _shape(header: str, dashes: str) -> _Shape:
    """Return the columns by their dashes, or if these are missing by the start of their names."""
    if dashes:
        marks = [(match.start(), match.end()) for match in re.finditer("-+", dashes)]
        cut = tuple(header[begin:end].strip() for begin, end in marks)
        words = header.split()
        names = tuple(words) if len(words) == len(marks) else cut
    else:
        marks = [(match.start(), match.end()) for match in re.finditer(r"\S+", header)]
        names = tuple(header[begin:end] for begin, end in marks)
        marks = [(here[0], there[0] - 1) for here, there in pairwise(marks)] + marks[-1:]
    begins = (0, *(begin for begin, _ in marks[1:]))
    ends = (*(end for _, end in marks[:-1]), 1 << 20)
    return _Shape(tuple(name.upper().strip('"') for name in names), begins, ends)


class _Listing:
    """A reader of the rows of one listing."""

    def __init__(self, part: Part, header: str, shape: _Shape, plan: Plan, widths: Sequence[int]) -> None:
        self.part = part
        self.header = header.split()
        self.count = len(shape.names)
        self.plan = plan
        self.table = Table(part, plan)
        self.cells = shape.cutter(plan.wanted)
        self.apart = False  # after a blank line
        text = find_text_cell(plan)
        self.text = text if text is not None and plan.wanted[text] == self.count - 1 else None  # it has several lines
        self.width = widths[-1] if widths else 0

    def read(self) -> None:
        cells, fits, add = self.cells, self.plan.matches, self.table.add
        texts = not self.plan.numbers
        for line in self.part.lines:
            if not self.apart and line[:3] != "db2":
                row = cells(line)
                if (
                    row is not None
                    and fits(row)
                    and any(row)
                    and not (texts and self._is_doubtful(line, row))
                    and add(row)
                ):
                    continue
            if not self._read_odd_line(line):
                break
        self.table.close()

    def _is_doubtful(self, line: str, row: list[str]) -> bool:
        """Return whether a line may not be a row, or be a squeezed one, in a listing of which any text can be a row."""
        words = line.split()
        squeezed = len(words) == self.count and not row[-1]
        return squeezed or words == self.header or _is_dashes(line) or _SELECTED.match(line) is not None

    def _read_odd_line(self, line: str) -> bool:
        """Take a line that is not simply a row; return False after the last line of the listing."""
        if not line.strip():
            self.apart = True
            return True
        if _SELECTED.match(line):
            return False
        if _is_dashes(line) or line.split() == self.header:
            return True
        prompted = _prompt(line) is not None
        begins = _find_statement(line) is not None  # a line of a statement's text may also start so
        if not (begins and (self.apart or prompted)) and self._row(line):
            self.apart = False
            return True
        lines, _readings = self.part.lines, self.part.readings
        if self.apart or prompted or (not begins and self.part.starts(line)):
            lines.push_back()
            return False
        if self.text is None or not self.table.extend(self.text, line, self.width):
            self.part.ignore(f"not a row of {self.plan.view}")
        return True

    def _row(self, line: str) -> bool:
        """Take a row after a blank line or a prompt, or with squeezed blanks."""
        if _CLP.match(line):
            line = _strip_prompt(line)
        row = self.cells(line)
        # Any text may follow a blank line: only numbers in their columns make it a row.
        sure = row is not None and any(row) and (self.plan.numbers or not self.apart)
        if row is not None and sure and self.plan.matches(row) and self.table.add(row):
            return True
        words = line.split()
        if len(words) != self.count:
            return False
        row = [words[place] for place in self.plan.wanted]
        return self.plan.matches(row) and self.table.add(row)


def _listing(part: Part, header: str, dashes: str, text: str) -> None:
    """Read the rows of a listing after the text of its statement; report why if nothing of it is taken."""
    lines = part.lines
    first = lines.number
    sample = _peek_line(lines)
    plan: Plan | str
    if _is_dashes(sample):
        plan = f"this listing is {WRAPPED}"
    elif text and not mentions_view(f"{header} {text}"):  # most statements in people's own tables
        plan = "none of its values is known"
    else:
        shape = _shape(header, dashes)
        statement = parse_query(text) if text else None
        if shape.names == ("1",) and statement is None and moment(sample):
            statement = Query(("CURRENT_TIMESTAMP",), ())
        cut = shape.cutter(range(len(shape.names)))(sample)
        plan = recognise(shape.names, statement, cut or sample.split())
    if isinstance(plan, Plan):
        widths = [*map(len, dashes.split())]
        _Listing(part, header, shape, add_text_lengths(plan, widths), widths).read()
        return
    last = _skip(part)
    part.ignore(plan, max(first - 1, 1), last)


def _peek_line(lines: Lines) -> str:
    """Return the next line without taking it; "" at the end."""
    line = next(lines, None)
    if line is None:
        return ""
    lines.push_back()
    return line


def _skip(part: Part) -> int:
    """Skip the rows of a listing; return the number of the last line."""
    lines = part.lines
    for line in lines:
        if _SELECTED.match(line):
            break
        if not line.strip():
            if _SELECTED.match(_peek_line(lines)):
                next(lines)
            break
        if _prompt(line) or part.starts(line):
            lines.push_back()
            break
    return lines.number


FORMATS = (Format("CLP listing", _starts, _read, typed=True),)
