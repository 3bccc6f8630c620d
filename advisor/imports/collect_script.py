"""tune-collect.sql: a snapshot as text, by plain queries for the command line processor of Db2. Nothing is created.

Every query returns one column of text, whose lines survive any display::

    :tune:<source>:<row>:<piece>:<length>:<text>

The joined pieces of a row have the given length in characters. They contain its values, each ended by a bar, and only
letters, digits and unambiguous marks, without blanks. So lines may be padded, indented, wrapped and converted. NULL is
nothing, an empty text ``\\e``, and a text with any other character ``\\x`` and its bytes in hexadecimal. Row 0 contains
the names of the columns: if it is missing, the query failed.

The columns of a server are unknown when the script is written. Db2 resolves an unqualified name in the nearest query
first. ABSENT, outside of the query that reads the function, has all names, with ``\\`` as their value.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from textwrap import indent

from advisor.catalogue.sources import CONFIDENTIAL, Column, Source, all_sources, read_sources
from advisor.quoting import literal
from advisor.resources import query

MARK = ":tune:"
IDENTITY, END = "identity", "end"
BAR, ESCAPE = "|", "\\"
EMPTY, HEX, ABSENT = f"{ESCAPE}e", f"{ESCAPE}x", ESCAPE
NOT_READ = frozenset({"hostfact"} | all_sources().keys() - read_sources().keys())  # only files have them

PIECE = 400  # characters: lines are as long as the longest could be, and most rows are short
SAFE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+./:#$@()=*%"
_WIDTHS = {"SMALLINT": 20, "INTEGER": 20, "BIGINT": 20, "DOUBLE": 24, "TIMESTAMP": 32}
_FIRST = ("dbcfg",)  # it has the code page of the other texts
_IDENTITY = {
    "TAKEN_AT": "TIMESTAMP",
    "DB_NAME": "VARCHAR(128)",
    "HOST_NAME": "VARCHAR(255)",
    "INSTANCE_NAME": "VARCHAR(128)",
    "DB2_LEVEL": "INTEGER",
    "PLATFORM": "VARCHAR(20)",
    "TOPOLOGY": "VARCHAR(20)",
}
_HEAD = """\
-- Prints the data that db2tune needs about a database, as text. It only reads: it creates and changes nothing.
-- {texts}
--
--     db2 connect to SALES
--     db2 -tf tune-collect.sql > sales-1.txt
--
-- and after an interval of at least five minutes, the same into sales-2.txt. Then, on any machine that has db2tune:
--
--     db2tune advise sales-1.txt sales-2.txt
--
-- If a query fails, only its data is missing: do not stop at errors (no -s). ABSENT supplies columns that the level of
-- this server lacks. Lengths of text must be in bytes; if Db2 refuses that setting, they already are.
"""
_TEXTS = {
    False: "The output contains names of tables, paths and users, but no texts of statements.",
    True: "The output contains texts of statements and column values, which may be secret, and names of tables and users.",
}

_NO_TIME = "TIMESTAMP('0001-01-01-00.00.00.000000')"


@dataclass(frozen=True)
class _Use:
    """A use of a column that may be missing: the replacement for the column, and the test that it exists."""

    pattern: str
    instead: str
    test: str = ""


_TEXT = literal(ABSENT)
_USES = (
    _Use(r"^@$|^RTRIM\(@\) AS \w+$|CAST\(@ AS VARCHAR\(\d+\)\)", _TEXT),  # printed
    _Use(r"LENGTH\(@\)|SUBSTRING\(@, 1, \d+, OCTETS\)|^CASE WHEN @ IS NULL\b", _TEXT, f"@ LIKE {_TEXT}"),  # a long text
    _Use(r"(?:DAYS|MIDNIGHT_SECONDS|HOUR)\(@\)|^CASE WHEN @ IS NULL\b", _NO_TIME, f"@ = {_NO_TIME}"),
)
_READING = """\
(
    SELECT V.*
    FROM (
        VALUES
            ({values})
    ) AS ABSENT (
        {names}
    ),
    LATERAL (
        SELECT
            {items}
        FROM {object} AS F
    ) AS V
) AS {alias}"""
_PRINTING = """\
{head}DATA AS (
{select}
),
LINE AS (
    SELECT
        ROW_NUMBER() OVER () AS NUMBER,
        CAST({values} AS VARCHAR({longest})) AS TEXT
    FROM DATA AS D
    CROSS JOIN {characters}
)
SELECT H.TUNE
FROM (
    VALUES
    {heading}
) AS H (TUNE)
UNION ALL
SELECT
    {begin} || CAST(L.NUMBER AS VARCHAR(20)) || ':' || CAST(P.PIECE AS VARCHAR(5)) || ':'
    || CAST(LENGTH(L.TEXT) AS VARCHAR(5)) || ':' || P.PART
FROM LINE AS L,
LATERAL (
    VALUES
    {pieces}
) AS P (PIECE, PART)
WHERE P.PIECE = 1 OR LENGTH(L.TEXT) > {piece} * (P.PIECE - 1)
WITH UR"""


@dataclass(frozen=True)
class _Query:
    """A query with named columns: its object, its common table expressions, the SELECT, and the columns to print."""

    name: str
    reads: str
    head: str
    select: str
    columns: tuple[Column, ...]


def collect_script(texts: bool = False) -> str:
    """Return the script; with ``texts``, it also reads those of statements, and values of column statistics."""
    sources = [source for source in all_sources().values() if source.name not in NOT_READ]
    sources.sort(key=lambda source: source.name not in _FIRST)
    queries = [_identity(), *(_build_query(source, texts) for source in sources)]
    statements = [
        "SET SYSIBM.NLS_STRING_UNITS = 'SYSTEM'",
        *(f"-- {query.name}: {query.reads}\n{_printing(query)}" for query in queries),
        _end([query.name for query in queries]),
    ]
    return _HEAD.format(texts=_TEXTS[texts]) + "".join(f"\n{statement};\n" for statement in statements)


def _identity() -> _Query:
    text = query("run/scope", "identity")
    head, select = re.split(r"^(?=SELECT$)", re.sub(r"\A(--.*\n)*", "", text), flags=re.MULTILINE)
    return _Query(
        IDENTITY,
        "the identity of the database",
        head,
        select.rstrip(),
        tuple(Column(n, "gauge", t, n) for n, t in _IDENTITY.items()),
    )


def _build_query(source: Source, texts: bool) -> _Query:
    read = replace(source, columns=tuple(c for c in source.columns if texts or c.name not in CONFIDENTIAL))
    statement = _wrap_absent(read)
    head, select = re.split(r"^(?=SELECT$)", statement, maxsplit=1, flags=re.MULTILINE)
    return _Query(source.name, source.db2_object, head, select, read.columns)


def _wrap_absent(source: Source) -> str:
    """Return the statement of a source, with its object wrapped in a query that has every named column."""
    statement = source.statement()
    name = re.escape(source.db2_object.rpartition(".")[2])
    objects = rf"(?P<object>TABLE\((?:\w+\.)?{name}\([^()]*\)\)|\w+\.{name}) AS (?P<alias>\w+)"
    *_, found = [None, *re.finditer(objects, statement)]  # the last one has the columns
    if found is None:
        raise ValueError(f"source {source.name} does not read {source.db2_object}")
    alias = found["alias"]
    named = sorted(set(re.findall(rf"\b{alias}\.(\w+)", statement)))
    absent = {column: use for column in named if (use := _use(source, statement, f"{alias}.{column}"))}
    if not absent:
        return statement
    items = [column if column in absent else f"F.{column}" for column in named]
    reading = _READING.format(
        values=_format_list([use.instead for use in absent.values()], 16),
        names=_format_list(absent, 8),
        items=_format_list(items, 12),
        object=found["object"],
        alias=alias,
    )
    if re.search(r"\b\w+\.\w+,", found["object"].partition("(")[2].partition("(")[2]):  # arguments of another table
        reading = f"LATERAL {reading}"
    shown = replace(source, columns=tuple(_mark_absent(column, alias, absent) for column in source.columns))
    return reading.join(shown.statement().rsplit(found[0], 1))


def _use(source: Source, statement: str, name: str) -> _Use | None:
    """Return the use of a column in a statement that works without it; None if a key or a condition needs it."""
    uses = len(re.findall(rf"\b{re.escape(name)}\b", statement))
    gauges = [column.expression for column in source.columns if column.kind != "key"]
    for use in _USES:
        found = re.compile(use.pattern.replace("@", re.escape(name)))
        if uses == sum(len(found.findall(text)) for text in gauges):
            return None if use.test and "GROUP BY" in source.tail else use
    return None


def _mark_absent(column: Column, alias: str, absent: dict[str, _Use]) -> Column:
    """Return a computed column as text that marks it as absent if its input is absent."""
    named = {name: f"{alias}.{name}" for name in re.findall(rf"\b{alias}\.(\w+)", column.expression)}
    tests = [use.test.replace("@", name) for one, name in named.items() if (use := absent.get(one)) and use.test]
    if not tests:
        return column
    computed, _, name = column.expression.rpartition(" AS ")
    text = f"CAST({computed} AS VARCHAR({_width(column)}))"
    return replace(
        column, expression=f"CASE WHEN {' OR '.join(tests)} THEN {literal(ABSENT)} ELSE {text} END AS {name}"
    )


def _printing(query: _Query) -> str:
    """Return the statement that prints a query."""
    head = f"{query.head.rstrip()},\n" if query.head.strip() else "WITH "
    longest = sum(_width(column) + len(BAR) for column in query.columns)
    pieces = range(-(-longest // PIECE))
    return _PRINTING.format(
        head=head,
        select=indent(query.select, "    "),
        values=_concatenate([f"{_value(column)} || {literal(BAR)}" for column in query.columns]),
        longest=len(pieces) * PIECE,
        characters=_characters(),
        heading=_heading(query.name, "".join(f"{column.name}{BAR}" for column in query.columns)),
        begin=literal(f"{MARK}{query.name}:"),
        pieces=",\n    ".join(f"({n + 1}, SUBSTR(L.TEXT, {PIECE * n + 1}, {PIECE}))" for n in pieces),
        piece=PIECE,
    )


def _concatenate(values: list[str]) -> str:
    """Return the concatenation of all, nested in small groups: databases nest hundreds of operands badly."""
    groups = [values[start : start + 10] for start in range(0, len(values), 10)]
    inner = "\n            || "
    return "\n        || ".join(f"({inner.join(group)})" for group in groups)


def _heading(name: str, text: str) -> str:
    """Return the lines of row 0, as rows of VALUES."""
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    lines = [f"{MARK}{name}:0:{number}:{len(text)}:{piece}" for number, piece in enumerate(pieces, 1)]
    return ",\n    ".join(f"({literal(line)})" for line in lines)


def _end(names: list[str]) -> str:
    return f"VALUES {_heading(END, ''.join(name + BAR for name in names))}"


def _width(column: Column) -> int:
    """Return the maximum length of a printed value: every byte of a text may become two characters."""
    length = _length(column)
    return _WIDTHS[column.type] if length is None else 2 * length + len(HEX)


def _length(column: Column) -> int | None:
    match = re.fullmatch(r"VARCHAR\((\d+)\)", column.type)
    return int(match[1]) if match else None


def _value(column: Column) -> str:
    """Return a value as it is printed: TRANSLATE leaves only zeros of a safe text."""
    name = f"D.{column.name}"
    if _length(column) is None:
        return f"COALESCE(CAST({name} AS VARCHAR({_WIDTHS[column.type]})), '')"
    return (
        f"CASE WHEN {name} IS NULL THEN '' WHEN LENGTH({name}) = 0 THEN {literal(EMPTY)}\n"
        f"        WHEN COALESCE(LENGTH(REPLACE(TRANSLATE({name}, C.ONE, C.OTHER), '0', '')), 0) = 0 THEN {name}\n"
        f"        ELSE {literal(HEX)} || HEX({name}) END"
    )


def _characters() -> str:
    """Return the operands of TRANSLATE, whose order is reversed with varchar2_compat."""
    safe, zeros = literal(SAFE), literal("0" * len(SAFE))
    usual = "CASE WHEN TRANSLATE('1', '0', '1') = '0' THEN"
    return (
        f"(\n        VALUES\n        (\n            {usual} {zeros}\n            ELSE {safe} END,\n"
        f"            {usual} {safe}\n            ELSE {zeros} END\n        )\n    ) AS C (ONE, OTHER)"
    )


def _format_list(items: Iterable[str], indent: int, most: int = 100) -> str:
    """Return items with commas, in lines of limited length."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > most:
            lines.append("")
        lines[-1] += f"{item}, "
    return f"\n{' ' * indent}".join(line.rstrip() for line in lines).removesuffix(",")
