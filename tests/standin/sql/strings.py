"""The scalar functions of strings."""

from collections.abc import Sequence

from tests.standin.errors import Db2Error
from tests.standin.sql import octets
from tests.standin.sql.conversions import TEXTS
from tests.standin.sql.routines import Routine, Template, argument, no_function
from tests.standin.sql.sqltypes import INTEGER, char, common_type, is_binary, varchar
from tests.standin.sql.values import Statement, Value, failing, let, literal, made_of
from tests.standin.types import SqlType

LONGEST = 32672  # bytes of a VARCHAR
UNITS = {"OCTETS", "CODEUNITS16", "CODEUNITS32"}


def _same(values: Sequence[Value]) -> SqlType:
    """The type of the first argument, of varying length."""
    kind = values[0].known
    return kind if kind.is_lob or kind.name == "VARBINARY" else varchar(kind.length, kind.bit_data)


def _folded(values: Sequence[Value]) -> SqlType:
    return values[0].known


def _longest(values: Sequence[Value]) -> SqlType:
    return varchar(LONGEST) if not values[0].known.is_lob else values[0].known


def _replaced(values: Sequence[Value]) -> SqlType:
    """The text when every match is replaced: no longer than 4000 bytes if the source is not."""
    source, search, new = (value.known for value in values) if len(values) > 2 else (values[0].known,) * 3
    if source.is_lob or new.length <= search.length:
        return _same(values)
    found, rest = divmod(source.length, max(search.length, 1))
    return varchar(min(4000 if source.length <= 4000 else LONGEST, new.length * found + rest))


def _concatenated(one: SqlType, other: SqlType) -> SqlType:
    joined = common_type((one, other))
    if joined is None or (joined.bit_data and not (one.bit_data and other.bit_data)):
        raise Db2Error(-401, "42818", "||")
    length = one.length + other.length
    if joined.name == "CHAR" and length > 254:
        return varchar(length, joined.bit_data)
    return SqlType(joined.name, min(length, LONGEST) if not joined.is_lob else length, 0, joined.bit_data)


def concatenate(_: str, values: list[Value], statement: Statement) -> Value:
    if len(values) != 2:
        raise no_function("CONCAT")
    if all(value.type is None for value in values):
        raise Db2Error(-417, "42609")
    texts = [statement.typed(value, varchar(254)) for value in values]
    one, other = (argument("s", value, "CONCAT", statement) for value in texts)
    sides = [one.text, other.text]
    if statement.names.mode("varchar2_compat"):
        sides = [f"coalesce({side}, '')" for side in sides]
    text, known = f"({sides[0]} || {sides[1]})", _concatenated(one.known, other.known)
    if not (known.is_lob or known.bit_data) and one.known.length + other.known.length > LONGEST:
        too_long = failing(137, "54006", literal(f"CONCAT\xff{LONGEST}"))
        text = let(text, f"CASE WHEN strlen(v) > {LONGEST} THEN {too_long} ELSE v END")
    value = made_of((one, other), text, known)
    return statement.by_mode(value)


def _constant(value: Value) -> int | None:
    return value.constant if isinstance(value.constant, int) else None


def substr(name: str, values: list[Value], statement: Statement) -> Value:
    """Bind SUBSTR, which pads a short result with blanks; a position outside the type is an error."""
    if len(values) not in {2, 3}:
        raise no_function(name)
    source, start, *rest = (argument(kind, value, name, statement) for kind, value in zip("sii", values, strict=False))
    most, length = source.known.length, rest[0] if rest else None
    _check_range(most, _constant(start), _constant(length) if length else None)
    kind = _part_type(source.known, length)
    text = _part(source, start, length)
    if length is not None and not is_binary(source.known):
        text = octets.padded(text, length.text)
    parts = (source, start, *rest)
    outside = _outside(most, start, length)
    if outside:
        text = f"CASE WHEN {outside} THEN {failing(138, '22011')} ELSE {text} END"
    return made_of(parts, text, kind)


def first_bytes(name: str, values: list[Value], statement: Statement) -> Value:
    """Bind SUBSTRING(s, 1, n, OCTETS), from position 1 only: blanks replace the bytes of a cut character."""
    if len(values) != 3 or _constant(values[1]) != 1:
        raise no_function(name)
    source, _, length = (argument(kind, value, name, statement) for kind, value in zip("tii", values, strict=True))
    text = octets.first(source.text, length.text)
    return made_of((source, length), text, varchar(min(source.known.length, _constant(length) or source.known.length)))


def substring(name: str, values: list[Value], statement: Statement) -> Value:
    """SUBSTRING without units: bytes, as many as are there."""
    if not 2 <= len(values) <= 3:
        raise no_function(name)
    source, start, *rest = (argument(kind, value, name, statement) for kind, value in zip("tii", values, strict=False))
    end = f"least({start.text} + {rest[0].text}, {octets.SIZE}({source.text}) + 1)" if rest else None
    begin = f"greatest({start.text}, 1)"
    length = f"greatest({end} - {begin}, 0)" if end else None
    return made_of((source, start, *rest), octets.part(source.text, begin, length), _same([source]))


def _check_range(most: int, start: int | None, length: int | None) -> None:
    if start is not None and not 1 <= start <= max(most, 1):
        raise Db2Error(-138, "22011")
    if length is not None and (length < 0 or (start or 1) + length - 1 > most):
        raise Db2Error(-138, "22011")


def _outside(most: int, start: Value, length: Value | None) -> str:
    """The condition at run time that the part lies outside; empty if both ends are constants."""
    tests = []
    if _constant(start) is None:
        tests += [f"{start.text} < 1", f"{start.text} > {max(most, 1)}"]
    if length is not None and not (_constant(start) is not None and _constant(length) is not None):
        tests += [f"{length.text} < 0", f"CAST({start.text} AS BIGINT) + {length.text} - 1 > {most}"]
    return " OR ".join(tests)


def _part(source: Value, start: Value, length: Value | None) -> str:
    if not is_binary(source.known):
        return octets.part(source.text, start.text, length.text if length else None)
    end = f"{start.text} + {length.text} - 1" if length else f"octet_length({source.text})"
    return f"array_slice({source.text}, {start.text}, {end})"


def _part_type(kind: SqlType, length: Value | None) -> SqlType:
    constant = _constant(length) if length else None
    if kind.is_lob or (is_binary(kind) and not kind.bit_data):
        return SqlType(kind.name, kind.length if constant is None else max(constant, 1))
    if constant is None:
        return kind if length is None and kind.name == "CHAR" else varchar(kind.length, kind.bit_data)
    return (char if 0 < constant < 255 else varchar)(constant, kind.bit_data)


def _side(of_end: bool) -> Routine:
    """LEFT and RIGHT: they pad too."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if len(values) != 2:
            raise no_function(name)
        source, length = (argument(kind, value, name, statement) for kind, value in zip("ti", values, strict=True))
        most = source.known.length
        _check_range(most, 1, _constant(length))
        whole = octets.padded(source.text, length.text)
        start = f"{octets.SIZE}({whole}) - {length.text} + 1" if of_end else "1"
        part = octets.part(whole, start, length.text)
        if _constant(length) is None:
            bad = f"{length.text} < 0 OR {length.text} > {most}"
            part = f"CASE WHEN {bad} THEN {failing(138, '22011')} ELSE {part} END"
        return made_of((source, length), part, _same([source]))

    return bind


def _located(text: str, search: str, start: str) -> str:
    """Return the position, in bytes, of a search text at or after a start byte."""
    rest = octets.part(text, start, None)
    at = f"strpos(v, {search})"
    found = f"CASE WHEN {at} = 0 THEN 0 ELSE CAST({octets.SIZE}(left(v, {at} - 1)) + {start} AS INTEGER) END"
    return f"CASE WHEN {start} < 1 THEN {failing(138, '22011')} ELSE {let(rest, found)} END"


def _locating(order: str) -> Routine:
    """LOCATE and its kin; ``order`` says in which place the text and the one that is searched are."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if not 2 <= len(values) <= (3 if name in {"LOCATE", "INSTR"} else 2):
            raise no_function(name)
        fitted = [argument(kind, value, name, statement) for kind, value in zip("tti", values, strict=False)]
        source, search = fitted[order.index("t")], fitted[order.index("s")]
        start = fitted[2].text if len(fitted) > 2 else "1"
        return made_of(fitted, _located(source.text, search.text, start), INTEGER)

    return bind


def located_in(name: str, values: list[Value], statement: Statement) -> Value:
    """INSTR, which LOCATE_IN_STRING is: with -1 for a start it searches backwards from the end; no other negative start."""
    last = len(values) == 3 and _constant(values[2]) == -1
    if not last:
        return _locating("ts")("INSTR", values, statement)
    source, search = (argument("t", value, name, statement) for value in values[:2])
    at = f"strpos(reverse(v), reverse({search.text}))"
    before = f"{octets.SIZE}(left(v, length(v) - {at} - length({search.text}) + 1)) + 1"
    found = let(source.text, f"CASE WHEN {at} = 0 THEN 0 ELSE CAST({before} AS INTEGER) END")
    return made_of((source, search), found, INTEGER)


def _filled(at_end: bool) -> Routine:
    """Return LPAD or RPAD, which pad to a length in bytes and cut longer texts."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if not 2 <= len(values) <= 3:
            raise no_function(name)
        fitted = [argument(kind, value, name, statement) for kind, value in zip("tit", values, strict=False)]
        source, length, fill = fitted[0], fitted[1].text, fitted[2].text if len(fitted) > 2 else "' '"
        missing = f"greatest({length} - {octets.SIZE}(v), 0)"
        added = f"left(repeat({fill}, {missing}), {missing})"
        text = let(octets.first(source.text, length), f"v || {added}" if at_end else f"{added} || v")
        text = f"CASE WHEN {length} < 0 THEN {failing(138, '22011')} ELSE {text} END"
        return made_of(fitted, text, _longest([source]))

    return bind


def length_of(name: str, values: list[Value], statement: Statement) -> Value:
    """Bytes that a value has: of text as it is, of others as they are stored."""
    if len(values) != 1:
        raise no_function(name)
    value = argument("x", values[0], name, statement)
    kind = value.known
    stored = {"SMALLINT": 2, "INTEGER": 4, "BIGINT": 8, "REAL": 4, "DOUBLE": 8, "BOOLEAN": 1, "DATE": 4, "TIME": 3}
    stored |= {"TIMESTAMP": 10, "DECIMAL": kind.length // 2 + 1}
    if kind.name in stored:
        text = f"CASE WHEN {value.text} IS NOT NULL THEN {stored[kind.name]} END"
    else:
        text = f"{'octet_length' if is_binary(kind) else octets.SIZE}({value.text})"
    return made_of([value], f"CAST({text} AS INTEGER)", INTEGER)


def _trimming(function: str) -> Template:
    return Template("tt", _same, function + "({0}, {1})", 1, ("' '",))


def hexadecimal(name: str, values: list[Value], statement: Statement) -> Value:
    """HEX of strings, and of integers as a little-endian machine stores them."""
    value = argument("x", values[0], name, statement) if len(values) == 1 else None
    if value is None or not (is_binary(value.known) or value.known.name in TEXTS or value.known.is_integer):
        raise no_function(name)
    if not value.known.is_integer:
        text = f"hex({value.text})" if is_binary(value.known) else f"hex(encode({value.text}))"
        return made_of([value], text, varchar(2 * value.known.length))
    size = {"SMALLINT": 2, "INTEGER": 4, "BIGINT": 8}[value.known.name]
    digits = f"right(lpad(to_hex(CAST(v AS BIGINT)), 16, '0'), {2 * size})"
    pairs = " || ".join(f"substr({digits}, {place}, 2)" for place in range(2 * size - 1, 0, -2))
    return made_of([value], let(value.text, pairs), varchar(2 * size))


def ascii_code(name: str, values: list[Value], statement: Statement) -> Value:
    value = argument("s", values[0], name, statement) if len(values) == 1 else None
    if value is None:
        raise no_function(name)
    if is_binary(value.known):
        text = "coalesce(try_cast('0x' || hex(array_slice(v, 1, 1)) AS INTEGER), CASE WHEN v IS NOT NULL THEN 0 END)"
        return made_of([value], let(value.text, text), INTEGER)
    return made_of([value], f"ascii({value.text})", INTEGER)


def digits(name: str, values: list[Value], statement: Statement) -> Value:
    """The digits of a number without sign and point, as many as its type can have."""
    value = argument("n", values[0], name, statement) if len(values) == 1 else None
    if value is None or value.known.name in {"REAL", "DOUBLE"}:
        raise no_function(name)
    size = {"SMALLINT": 5, "INTEGER": 10, "BIGINT": 19}.get(value.known.name, value.known.length)
    bare = f"replace(replace(CAST({value.text} AS VARCHAR), '-', ''), '.', '')"
    return made_of([value], f"right(lpad({bare}, 32, '0'), {size})", char(size))


_CAPITALS = (
    "list_aggregate(list_transform(string_split({0}, ' '), lambda w: upper(left(w, 1)) || lower(substr(w, 2))),"
    " 'string_agg', ' ')"
)


def _either(usual: Routine, compatible: Routine) -> Routine:
    """A function that is another one with varchar2_compat."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        return (compatible if statement.names.mode("varchar2_compat") else usual)(name, values, statement)

    return bind


STRINGS: dict[str, Routine] = {
    "ASCII": ascii_code,
    "BTRIM": _trimming("trim"),
    "CHR": Template("i", char(1), "chr({0})"),
    "CONCAT": concatenate,
    "DIGITS": digits,
    "HEX": hexadecimal,
    "INITCAP": Template("t", _folded, _CAPITALS),
    "INSTR": located_in,
    "LCASE": Template("t", _folded, "lower({0})"),
    "LEFT": _side(of_end=False),
    "LENGTH": length_of,
    "LOCATE": _locating("st"),
    "LOCATE_IN_STRING": located_in,
    "LOWER": Template("t", _folded, "lower({0})"),
    "LPAD": _filled(at_end=False),
    "LTRIM": _trimming("ltrim"),
    "POSSTR": _locating("ts"),
    "POSITION": _locating("st"),
    "REPEAT": Template("ti", _longest, "repeat({0}, {1})"),
    "REPLACE": _either(
        Template("ttt", _replaced, "replace({0}, {1}, {2})", 2, ("''",)),
        Template("ttt", _replaced, "replace({0}, coalesce({1}, ''), coalesce({2}, ''))", 2, ("''",)),
    ),
    "RIGHT": _side(of_end=True),
    "RPAD": _filled(at_end=True),
    "RTRIM": _trimming("rtrim"),
    "SPACE": Template("i", varchar(4000), "repeat(' ', {0})"),
    "SUBSTR": substr,
    "SUBSTRING OCTETS": first_bytes,
    "SUBSTRING": substring,
    "SUBSTRING CODEUNITS32": Template("tii", _same, "substr({0}, {1}, {2})", 2, ("2147483647",)),
    "TRANSLATE": _either(
        Template("ttt", _folded, "translate({0}, {2}, {1})"), Template("ttt", _folded, "translate({0}, {1}, {2})")
    ),
    "TRIM": _trimming("trim"),
    "UCASE": Template("t", _folded, "upper({0})"),
    "UPPER": Template("t", _folded, "upper({0})"),
}
STRINGS |= {"CHARACTER_LENGTH": Template("t", INTEGER, "CAST(length({0}) AS INTEGER)"), "OCTET_LENGTH": length_of}
STRINGS |= {"CHAR_LENGTH": STRINGS["CHARACTER_LENGTH"]}
