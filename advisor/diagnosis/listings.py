"""Listings as people paste them: a line of names, dashes or a rule below it, and rows."""

import re
from collections.abc import Sequence

from advisor.plans.graph import number

Row = dict[str, str]

_DASHES = re.compile(r"[-+|=\s]*-{2,}[-+|=\s]*")
_NAME = re.compile(r"[A-Za-z_][\w$#@]*")
_END = re.compile(r"\s*\d+ +record|\s*\(\d+ rows?\)", re.I)
_LABELED = re.compile(r"\s*([A-Z][A-Z0-9_]{2,})\s*[:=]\s*(\S.*?)\s*$")


def read_listings(lines: Sequence[str]) -> tuple[list[list[Row]], set[int]]:
    """Return the rows of each listing by column name in capitals, and the lines that were used."""
    found: list[list[Row]] = []
    used: set[int] = set()
    at = 1
    while at < len(lines):
        if _DASHES.fullmatch(lines[at]) and (columns := _columns(lines[at - 1], lines[at])):
            rows, end = [], at + 1
            while end < len(lines) and not _END.match(lines[end]):
                if lines[end].strip():
                    rows.append(_cut(lines[end], columns))
                elif rows:
                    break
                end += 1
            if rows:
                found.append(rows)
                used.update(range(at - 1, end + 1))
            at = end
        at += 1
    for rows, taken in _without_dashes(lines, used):
        found.append(rows)
        used.update(taken)
    return found, used


def _columns(header: str, dashes: str) -> list[tuple[str, int, int | None]]:
    """Return name, begin and end of each column."""
    spans = [(match.start(), match.end()) for match in re.finditer(r"-+", dashes)]
    names = _NAME.findall(header)
    if not names or len(spans) != len(names):
        return []
    ends = [begin for begin, _ in spans[1:]]
    return [(name.upper(), begin, end) for name, (begin, _), end in zip(names, spans, [*ends, None], strict=True)]


def _cut(line: str, columns: Sequence[tuple[str, int, int | None]]) -> Row:
    """Return the cells of a row: by its words if there are as many as columns, otherwise by the places of the columns."""
    words = line.replace("|", " ").split()
    if len(words) == len(columns):
        return {name: word for (name, _, _), word in zip(columns, words, strict=True)}
    return {name: line[begin:end].strip(" |") for name, begin, end in columns}


def _without_dashes(lines: Sequence[str], used: set[int]) -> list[tuple[list[Row], range]]:
    """Return listings whose dashes are lost, or that have tabs, commas or bars: a line of catalog names, then rows."""
    found = []
    at = 0
    while at < len(lines):
        names = [] if at in used else _split(lines[at])
        if (
            len(names) > 1
            and all(_NAME.fullmatch(name) for name in names)
            and sum(KNOWN.fullmatch(n.upper()) is not None for n in names) > 1
        ):
            rows, end = [], at + 1
            while end < len(lines) and len(cells := _split(lines[end])) == len(names):
                rows.append({name.upper(): cell for name, cell in zip(names, cells, strict=True)})
                end += 1
            if rows:
                found.append((rows, range(at, end)))
                at = end
        at += 1
    return found


def _split(line: str) -> list[str]:
    for separator in ("\t", "|", ";", ","):
        if separator in line:
            return [cell.strip().strip('"') for cell in line.strip().strip("|").split(separator)]
    return line.split()


def labeled(lines: Sequence[str]) -> Row:
    """Return values of lines such as CARD = 100, as db2 prints rows on request."""
    return {match[1]: match[2] for line in lines if (match := _LABELED.fullmatch(line)) and KNOWN.fullmatch(match[1])}


def integer(text: str | None) -> int | None:
    """Return a whole number; None for other text and for -1, which means that it is not known."""
    value = number(text.strip()) if text else None
    return int(value) if value is not None and value >= 0 else None


KNOWN = re.compile(  # names of columns of the catalog, the explain tables and the package cache
    "TABSCHEMA|TABNAME|TABLE_NAME|CREATOR|NAME|CARD|NPAGES|FPAGES|MPAGES|OVERFLOW|STATS_TIME|COLNAME|"
    "COLNO|TYPENAME|LENGTH|SCALE|NULLS|COLCARD|NUMNULLS|HIGH2KEY|LOW2KEY|AVGCOLLEN|INDSCHEMA|INDNAME|"
    "COLNAMES|UNIQUERULE|FIRSTKEYCARD|FIRST2KEYCARD|FULLKEYCARD|NLEAF|NLEVELS|CLUSTERRATIO|CLUSTERFACTOR|"
    "COLORDER|COLSEQ|VOLATILE|INDCARD|OPERATOR_ID|OPERATOR_TYPE|TOTAL_COST|IO_COST|CPU_COST|"
    "FIRST_ROW_COST|STREAM_COUNT|SOURCE_ID|TARGET_ID|OBJECT_SCHEMA|OBJECT_NAME|STMT_TEXT|NUM_EXECUTIONS|"
    "NUM_EXEC_WITH_METRICS|TOTAL_ACT_TIME|STMT_EXEC_TIME|TOTAL_CPU_TIME|ROWS_READ|ROWS_RETURNED|"
    "ROWS_MODIFIED|TOTAL_SORTS|SORT_OVERFLOWS|POOL_READ_TIME|LOCK_WAIT_TIME|TOTAL_SECTION_SORT_TIME|"
    "POOL_DATA_L_READS|POOL_DATA_P_READS|POOL_INDEX_L_READS|EXECUTABLE_ID|REMARKS|TYPE|TABLEORG|"
    "QUERY_COST_ESTIMATE|AVG_EXEC_TIME|PREP_TIME|COORD_STMT_EXEC_TIME|STATS_ROWS_MODIFIED|RTS_ROWS_MODIFIED|"
    "LASTUSED|COLVALUE|VALCOUNT"
)
