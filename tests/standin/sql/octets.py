"""Text counted in bytes, as the types of a database with string units SYSTEM count it.

DuckDB counts characters. How many bytes they are says a macro, by the code page of the database. A byte of a character that was cut in two becomes a substitution character (X'1A'), so that what
was damaged shows, and lengths stay what they are.
"""

from tests.standin.sql.values import let

PAGE = "page"  # a DuckDB database next to the one with the objects; every session sees it
SIZE = f"{PAGE}.main.octets"  # how many bytes a text has

_PLAIN = f"{SIZE}(v) = length(v)"
_HEAD = "regexp_extract(h, '^(?:[89AB].){1,3}')"
_TAIL = "regexp_extract(h, '^(?:..)*((?:[CD].)|(?:E.(?:[89AB].)?)|(?:F.(?:[89AB].){0,2}))$', 1)"
_WHOLE = f"substr(h, length({_HEAD}) + 1, length(h) - length({_HEAD}) - length({_TAIL}))"
_MENDED = (
    f"decode(unhex(repeat('1A', CAST(length({_HEAD}) // 2 AS INTEGER)) || {_WHOLE}"
    f" || repeat('1A', CAST(length({_TAIL}) // 2 AS INTEGER))))"
)


def macro(one_byte: bool) -> str:
    """The statements that make the macro, for a code page in which every character is a byte, or for UTF-8."""
    return f"ATTACH ':memory:' AS {PAGE}; CREATE MACRO {SIZE}(t) AS {'length' if one_byte else 'strlen'}(t)"


def part(text: str, start: str, length: str | None) -> str:
    """The bytes from a position, all or so many."""
    end = f", {length}" if length else ""
    digits = (
        f"substr(hex(encode(v)), 2 * CAST({start} AS BIGINT) - 1{f', 2 * CAST({length} AS BIGINT)' if length else ''})"
    )
    cut = f"list_transform([{digits}], lambda h: {_MENDED})[1]"
    return let(text, f"CASE WHEN {_PLAIN} THEN substr(v, {start}{end}) ELSE {cut} END")


def padded(text: str, length: str, fill: str = "' '") -> str:
    """Pad a text to ``length`` bytes with a character of one byte; a longer text is unchanged."""
    return let(text, f"v || repeat({fill}, greatest({length} - {SIZE}(v), 0))")


def first(text: str, most: str) -> str:
    """Return the first ``most`` bytes; blanks replace the bytes of a character that would be cut."""
    whole = f"list_max(list_filter(range(0, {most} + 1), lambda n: {SIZE}(substr(v, 1, n)) <= {most}))"
    kept = f"substr(v, 1, {whole})"
    cut = f"{kept} || repeat(' ', CAST(least({most}, {SIZE}(v)) - {SIZE}({kept}) AS BIGINT))"
    return let(text, f"CASE WHEN {_PLAIN} THEN left(v, {most}) WHEN {SIZE}(v) <= {most} THEN v ELSE {cut} END")


def position(text: str, found: str) -> str:
    """The byte at which a character is; 0 stays."""
    return f"CASE WHEN {found} > 0 THEN CAST({SIZE}(left({text}, CAST({found} AS BIGINT) - 1)) + 1 AS INTEGER) ELSE {found} END"
