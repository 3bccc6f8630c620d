"""The reading of a pasted text: its statement, plan, listings, definitions and sentences."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from advisor.diagnosis.listings import labeled, read_listings
from advisor.diagnosis.objects import cut_recommended, read_objects
from advisor.diagnosis.paste import Paste
from advisor.diagnosis.tables import read_ddl, read_rows, read_sentences
from advisor.indexes.catalog import Key
from advisor.indexes.dialect import parse
from advisor.indexes.simplify import UnreadableTextError
from advisor.plans.graph import holds_graph, number, read_graph
from advisor.plans.plan import Name, Operator, Plan
from advisor.plans.words import COLUMNS, plan_of_rows, read_details, read_expln, read_list

MOST_CHARACTERS = 1_000_000  # of a pasted text
MOST_STATEMENT = 65_536  # characters
MOST_PARSED = 400_000  # characters, of all attempts to find the statement
ATTEMPT = 2000  # characters that each beginning of a statement counts
MOST_PROSE = 20_000  # characters
LONGEST_LINE = 20_000
_MOST_LINES = 200  # of one statement
_TRIES = 60  # of its ends

_BEGIN = re.compile(
    r"(?:^[ \t]*|(?<=[:>`'\"(])[ \t]{0,3}|(?<=\s\s)|(?<=\bquery )|(?<=\bstatement ))"
    r"(select\s|with\s+[\w\"]{1,130}\s{0,9}(?:\([^()]{0,2000}\)\s{0,9})?as\s{0,9}\(|update\s+[\w.\"]+\s|delete\s+from\s|insert\s+into\s"
    r"|merge\s+into\s|values\s{0,9}\()",
    re.I | re.M,
)
_SECTION = re.compile(
    r"^[ \t]*(Original Statement|Statement|Optimized Statement|SQL Statement|Effective Statement|Access Plan|Plan Details|Optimizer Plan|Objects Used in Access Plan|Extended Diagnostic Information|Operator Symbols ?|End of section|Explain level|STMT_TEXT)\s*[:=]?",
    re.I | re.M,
)
_VIEW = re.compile(r"^[ \t]*(create\s+(?:or\s+replace\s+)?(?:view|alias)\b[^;]*?)(?:;|\n\s*\n|\Z)", re.I | re.M | re.S)
_DDL = re.compile(
    r"^[ \t]*(?:db2 \"?)?((?:create\s+(?:unique\s+)?(?:table|index)|alter\s+table)\b[^;]*?)(?:;|\n\s*\n|\Z|(?=\n\s*(?:create|alter|select|with)\s))",
    re.I | re.M | re.S,
)
_ORDERED = re.compile(r"\+Q\d+\.\"?([\w$#@]+?)\"?\(([AD])\)")
_COMPARED = re.compile(r"Q\d+\.\"?([\w$#@]+)")
_REGISTRY = re.compile(r"(?:\[[igenu]\]\s*)?\b(DB2_?[A-Z][A-Z0-9_]+)\s*=\s*(\S+)")
_SAYS = re.compile(r"\b[a-z]{2,}\b")  # a word of a sentence
_OPTIMIZED_AT = re.compile(r"(?:Optimization Level|Query Optimization Class)\s*[:=]\s*(\d)", re.I)
_SETTING = re.compile(
    r"\((DFT_QUERYOPT|DFT_DEGREE|SORTHEAP|NUM_FREQVALUES|NUM_QUANTILES|STMTHEAP|DB_OPT\w*)\)\s*=\s*(\S+)"
)
_FACT = re.compile(
    r"^[ \t]*(Optimization Level|Query Degree|Parallelism|Sort Heap size|Buffer Pool size|DB2_VERSION|Isolation Level|Blocking|STMTHEAP|Total Cost)\s*:\s*(\S.*?)\s*$",
    re.I | re.M,
)
_LEVEL = re.compile(
    r"\b(?:db2(?: (?:luw|udb|for luw))?|version|level|release|DB2_VERSION:)\W{0,3}v?(\d{1,2}\.\d{1,2}(?:\.\d{1,2}){0,2})\b",
    re.I,
)
_NO_STATISTICS = re.compile(r"EXP00(?:20|21|22)W.{0,300}?\"\s*([^\"\s.]+)\s*\"\.\"([^\"]+?)\s*\"", re.S)


def read_paste(whole: str) -> Paste:
    """Return what a text holds about one statement. Never raise."""
    whole = whole[:MOST_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    whole = "\n".join(line[:LONGEST_LINE] for line in whole.split("\n"))
    paste = Paste(whole=whole)
    rest, paste.recommended = cut_recommended(whole)
    read_objects(whole.split("\n"), paste.tables)
    for pattern in (_VIEW, _DDL):
        for match in pattern.finditer(rest):
            paste.foreign_keys += read_ddl(match[1], paste.tables)
        rest = pattern.sub("\n\n", rest)
    lines = rest.split("\n")
    paste.listings, used = read_listings(lines)
    paste.plan = _read_plan(lines, paste)
    rest = "\n".join("" if at in used else line for at, line in enumerate(lines))
    paste.text, rest = find_statement(rest)
    paste.prose = "\n".join(line if _SAYS.search(line) or not line.strip() else "" for line in rest.split("\n"))[
        :MOST_PROSE
    ]
    for name, value in _REGISTRY.findall(whole):
        paste.registry.setdefault(name, value.rstrip(",;."))
    paste.settings = {name.upper(): value for name, value in [*_SETTING.findall(whole), *_FACT.findall(whole)]}
    paste.optimized_at = list(dict.fromkeys(map(int, _OPTIMIZED_AT.findall(whole))))
    if level := _LEVEL.search(whole):
        paste.level = ".".join(part.lstrip("0") or "0" for part in level[1].split("."))
    if schema := re.search(r"(?:SOURCE_SCHEMA|CURRENT SCHEMA|Default schema)\s*[:=]\s*\"?(\w+)", whole):
        paste.default_schema = schema[1] if schema[1] != "NULLID" else ""
    _take_figures(paste, lines)
    read_rows(paste.listings, paste.tables, paste.names)
    read_sentences(paste.prose, paste.tables, paste.columns)
    _take_plan(paste)
    return paste


def _read_plan(lines: Sequence[str], paste: Paste) -> Plan | None:
    """Return the plan of a text, the graph before other forms, with the details of its operators."""
    text = "\n".join(lines)
    starts = [number_ for number_, line in enumerate(lines) if line.strip() in ("Access Plan:", "Optimizer Plan:")]
    begin = starts[0] if starts else 0
    end = next(
        (
            n
            for n in range(begin + 1, len(lines))
            if re.match(r"\s*(Operator Symbols|Plan Details|Extended Diagnostic)", lines[n])
        ),
        len(lines),
    )
    region = [*lines[begin:end]]
    plan = read_graph(region) if holds_graph(region) else None
    if "Plan Details" in text or re.search(r"^[ \t]*\d+\) [A-Z]+\s*: \(", text, re.M):
        plan = plan or Plan()
        read_details(lines, plan)
        if not plan.operators:
            plan = None
    of_words, indexes = read_expln(lines)
    for table, index, columns in indexes:
        paste.tables.of(table).add_index(index[0], index[1], [*map(Key, columns)])
    rows = [row for listing in paste.listings for row in listing]
    plan = (
        plan
        or of_words
        or plan_of_rows([row for row in rows if "OPERATOR_TYPE" in row], [row for row in rows if "SOURCE_ID" in row])
    )
    plan = plan or read_list(lines)
    if plan:
        found = re.search(r"(?:Total Cost|Estimated Cost|total_cost)\s*[:=]\s*(\S+)", text)
        plan.cost = (number(found[1]) if found else None) or plan.cost
        plan.without_statistics = [(m[1], m[2]) for m in _NO_STATISTICS.finditer(text)]
    return plan


def find_statement(text: str) -> tuple[str, str]:
    """Return the statement of a text, and the rest of it with the statement's comments."""
    order = {
        "original statement": 0,
        "statement": 1,
        "sql statement": 1,
        "effective statement": 2,
        "optimized statement": 4,
    }
    best: tuple[int, int, int, str] | None = None
    sections = [*_SECTION.finditer(text)]
    room = [MOST_PARSED]
    for match in _BEGIN.finditer(text):
        at = match.start(1)
        place = bisect_right(sections, at, key=lambda section: section.start())
        heading = sections[place - 1][1].lower().strip() if place else ""
        rank = order.get(heading, 3)
        if best and (at < best[1] + len(best[3]) or rank >= best[0]):
            continue
        room[0] -= ATTEMPT
        if room[0] < 0:
            break
        statement = _cut_statement(text[at : at + MOST_STATEMENT], room)
        if statement:
            best = (rank, at, at + len(statement), statement)
            if rank == 0:
                break
    if best is None:
        return "", text
    comments = " ".join(re.findall(r"--\s*(.*)", best[3]))
    after = text[best[2] :]
    comment = re.match(r"[ \t;]*--\s*(.*)", after)
    return best[3], text[: best[1]] + "\n\n" + comments + (
        "\n" + comment[1] + after[comment.end() :] if comment else after
    )


def _cut_statement(text: str, room: list[int]) -> str:
    """Return the longest beginning that is one statement: up to a semicolon, an empty line, or a line's end.

    ``room`` are the characters that may still be parsed.
    """
    lines = _until_closed(text).split("\n")[:_MOST_LINES]
    piece = "\n".join(lines)
    for candidate in _ends(piece, lines):
        bare = re.sub(r"[ \t]*--[^\n]*$", "", candidate.rstrip()).rstrip(" ;`")
        for each in dict.fromkeys((bare, bare.rstrip("\"'"))):
            room[0] -= len(each)
            if room[0] < 0:
                return ""
            if len(each.split()) > 2 and _parses(each):
                return each
    return ""


def _until_closed(text: str) -> str:
    """Return a text up to a parenthesis that closes none of its own."""
    depth = 0
    for match in re.finditer(r"'(?:[^']|'')*'|[()]", text[: 200 * _MOST_LINES]):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth < 0:
            return text[: match.start()]
    return text


def _ends(piece: str, lines: Sequence[str]) -> Iterator[str]:
    if ";" in piece:
        yield piece[: piece.index(";")]
    blank = re.search(r"\n[ \t]*\n", piece)
    until = piece[: blank.start()] if blank else piece
    yield until
    count = until.count("\n")
    for end in range(count, max(0, count - _TRIES), -1):
        yield "\n".join(lines[:end])
    if count == 0:
        for match in reversed([*re.finditer(r"[.,]\s|  +|\"|\s-\s", lines[0])][:20]):
            yield lines[0][: match.start()]


def _parses(text: str) -> bool:
    try:
        return parse(text) is not None
    except UnreadableTextError:
        return False


def _take_figures(paste: Paste, lines: Sequence[str]) -> None:
    rows = [row for listing in paste.listings for row in listing if "ROWS_READ" in row or "NUM_EXECUTIONS" in row]
    paste.measured = rows[0] if rows else labeled(lines)
    if not paste.text and (text := paste.measured.get("STMT_TEXT")) and _parses(text):
        paste.text = text


def _take_plan(paste: Paste) -> None:
    """Add the plan's rows and index names to the tables; find the table of scans of an index alone."""
    if paste.plan is None:
        return
    for each in paste.plan.operators.values():
        table = each.object.name if each.object and each.object.kind.endswith("TABLE") else each.table
        if table is None and each.object and each.object.kind.endswith("INDEX"):
            each.table = table = _table_of(paste, each.object.name)
        if table is None or table[0].startswith("SYSIBM"):
            continue
        facts = paste.tables.of(table)
        each.table = facts.name if each.table else each.table
        if facts.told != "CARD" and each.object and each.object.rows is not None:
            facts.rows, facts.told = each.object.rows, "plan"
        if each.object and each.object.kind.endswith("INDEX"):
            facts.seen.setdefault(each.object.name[1], "")
            if each.object.name[1] not in facts.indexes:
                facts.add_index(*each.object.name, list_keys(each))
    for name in paste.plan.without_statistics:
        if facts_or_none := paste.tables.find(name):  # it may be an index
            facts_or_none.has_no_statistics = True


def list_keys(scan: Operator) -> list[Key]:
    """Return the key columns of an index as far as its scan shows them: those in order, otherwise those of start keys."""
    found = [Key(name, order == "D") for name, order in _ORDERED.findall(scan.details.get(COLUMNS, ""))]
    compared = (text for kind, _, text in scan.predicates if kind == "START")
    return found or [Key(name) for name in dict.fromkeys(name for text in compared for name in _COMPARED.findall(text))]


def _table_of(paste: Paste, index: Name) -> Name | None:
    """Return the table of an index: known, of the longest name that the index begins with, or the only one left."""
    if known := paste.tables.of_index(index[1]):
        return known.name
    named = [name for name in paste.names if index[1].startswith(name[1])]
    if named:
        return max(named, key=lambda name: len(name[1]))
    assert paste.plan
    rest = [name for name in paste.names if name not in paste.plan.tables()]
    return rest[0] if len(rest) == 1 else None
