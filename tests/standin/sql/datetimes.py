"""Dates, times and durations: their functions and their arithmetic."""

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import TEXTS, cast
from tests.standin.sql.routines import Routine, Template, argument, no_function
from tests.standin.sql.sqltypes import BIGINT, DATE, DOUBLE, INTEGER, TIME, TIMESTAMP, decimal, is_datetime, varchar
from tests.standin.sql.values import Statement, Value, let, made_of
from tests.standin.types import SqlType

MAKE = {
    "YEAR": "to_years({})",
    "MONTH": "to_months({})",
    "DAY": "to_days({})",
    "HOUR": "to_hours({})",
    "MINUTE": "to_minutes({})",
    "SECOND": "to_microseconds(CAST(round(CAST({} AS DECIMAL(26,6)) * 1000000) AS BIGINT))",
    "MICROSECOND": "to_microseconds({})",
}
"""DuckDB's interval for a labelled duration."""

UNITS = {"DATE": {"YEAR", "MONTH", "DAY"}, "TIME": {"HOUR", "MINUTE", "SECOND"}, "TIMESTAMP": set(MAKE)}

DURATION = {"DATE": decimal(8, 0), "TIME": decimal(6, 0), "TIMESTAMP": decimal(20, 6)}
"""What the difference of two such values is: a number whose digits are years, months, days and so on."""

_PLACES = (("year", 10), ("month", 8), ("day", 6), ("hour", 4), ("minute", 2))
_DIFFERENCE = {
    "DATE": "year(v) * 10000 + month(v) * 100 + day(v)",
    "TIME": "hour(v) * 10000 + minute(v) * 100 + second(v)",
    "TIMESTAMP": " + ".join(f"{unit}(v) * CAST(1e{place} AS BIGINT)" for unit, place in _PLACES)
    + " + CAST(microsecond(v) * CAST(0.000001 AS DECIMAL(7,6)) AS DECIMAL(20,6))",
}


def shift(moment: Value, number: Value, unit: str, operator: str) -> Value:
    """A date, time or timestamp plus or minus a labelled duration. Raises -182 for a unit that it has not."""
    kind = moment.known
    if unit not in UNITS[kind.name]:
        raise Db2Error(-182, "42816")
    amount = number if unit == "SECOND" else cast(number, BIGINT if unit == "MICROSECOND" else INTEGER)
    text = f"({moment.text} {operator} {MAKE[unit].format(amount.text)})"
    return made_of((moment, number), f"CAST({text} AS {kind.name})", kind)


_PARTS: dict[str, tuple[tuple[str, int], ...]] = {
    "DATE": (("YEAR", 10**4), ("MONTH", 10**2), ("DAY", 1)),
    "TIME": (("HOUR", 10**4), ("MINUTE", 10**2), ("SECOND", 1)),
}
_PARTS["TIMESTAMP"] = (*((unit, size * 10**6) for unit, size in _PARTS["DATE"]), *_PARTS["TIME"])


def shift_by_digits(moment: Value, duration: Value, operator: str) -> Value:
    """A moment plus or minus a duration that a DECIMAL's digits spell, such as 20000 for two hours.

    DECIMAL(8,0) is years, months and days, DECIMAL(6,0) hours, minutes and seconds, DECIMAL(14+s,s) all of them.
    Raises -182 for another number, and for one that the moment cannot take.
    """
    kind, number = moment.known, duration.known
    spelled = {(8, 0): "DATE", (6, 0): "TIME", (14 + number.scale, number.scale): "TIMESTAMP"}
    name = spelled.get((number.length, number.scale)) if number.name == "DECIMAL" else None
    if name is None or kind.name not in {name, "TIMESTAMP"}:
        raise Db2Error(-182, "42816")
    steps = []
    for unit, size in _PARTS[name]:
        limit = "" if size == _PARTS[name][0][1] else " % 100"
        amount = "v % 100" if unit == "SECOND" else f"CAST(trunc(v / {size}) AS BIGINT){limit}"
        steps.append(f"{operator} {MAKE[unit].format(f'({amount})')}")
    text = let(duration.text, f"CAST({moment.text} {' '.join(steps)} AS {kind.name})")
    return made_of((moment, duration), text, kind)


def by_days(operator: str, left: Value, right: Value) -> Value:
    """date_compat: a timestamp plus or minus days, which may have a fraction, or the days between two timestamps."""
    if operator == "-" and is_datetime(left.known) and is_datetime(right.known):
        text = f"(epoch({cast(left, TIMESTAMP).text}) - epoch({cast(right, TIMESTAMP).text})) / 86400"
        return made_of((left, right), f"({text})", DOUBLE)
    moment, days = (left, right) if is_datetime(left.known) else (right, left)
    if operator not in {"+", "-"} or not days.known.is_number or (operator == "-" and moment is right):
        raise Db2Error(-182, "42816")
    text = f"{moment.text} {operator} to_microseconds(CAST(round({days.text} * 86400000000) AS BIGINT))"
    return made_of((moment, days), f"CAST({text} AS TIMESTAMP)", moment.known)


def difference(left: Value, right: Value) -> Value:
    """Return the duration between two values of one kind; text is converted to the kind of the other value."""
    kind = left.known if is_datetime(left.known) else right.known
    if not is_datetime(kind):
        raise Db2Error(-182, "42816")
    sides = [value if value.known == kind else _as_moment(value, kind) for value in (left, right)]
    moments = [f"DATE '2000-01-01' + {side.text}" if kind.name == "TIME" else side.text for side in sides]
    interval = f"age({', '.join(f'CAST({moment} AS TIMESTAMP)' for moment in moments)})"
    result = DURATION[kind.name]
    text = f"CAST({let(interval, _DIFFERENCE[kind.name])} AS DECIMAL({result.length},{result.scale}))"
    return made_of(sides, text, result)


def _as_moment(value: Value, kind: SqlType) -> Value:
    if value.known.name in TEXTS or {value.known.name, kind.name} == {"DATE", "TIMESTAMP"}:
        return cast(value, kind)
    raise Db2Error(-182, "42816")


_SECONDS = {
    1: (BIGINT, 1_000_000, ""),
    2: (INTEGER, 1, ""),
    4: (INTEGER, 1, " // 60"),
    8: (INTEGER, 1, " // 3600"),
    16: (INTEGER, 1, " // 86400"),
    32: (INTEGER, 1, " // 604800"),
}
_MONTHS = {64: 1, 128: 3, 256: 12}


def timestampdiff(name: str, values: list[Value], statement: Statement) -> Value:
    """The estimate that TIMESTAMPDIFF makes from a duration: a month has 30 days, a year 365."""
    if len(values) != 2:
        raise no_function(name)
    unit, duration = values[0].constant, argument("s", values[1], name, statement)
    if unit not in _SECONDS and unit not in _MONTHS:
        raise Db2Error(-171, "42815", "1", name)
    number = f"CAST(trim({duration.text}) AS DECIMAL(20,6))"
    if unit in _MONTHS:
        months = "CAST(trunc(v / 10000000000) AS BIGINT) * 12 + CAST(trunc(v / 100000000) AS BIGINT) % 100"
        return made_of([duration], let(number, f"CAST(({months}) // {_MONTHS[unit]} AS INTEGER)"), INTEGER)
    kind, factor, division = _SECONDS[unit]
    parts = ((10, 31536000, 10000), (8, 2592000, 100), (6, 86400, 100), (4, 3600, 100), (2, 60, 100))
    whole = " + ".join(
        f"CAST(trunc(v / {10**place}) AS BIGINT) % {limit} * {seconds}" for place, seconds, limit in parts
    )
    rest = f"CAST(trunc((v % 100) * {factor}) AS BIGINT)"
    total = f"(({whole}) * {factor} + {rest})"
    return made_of([duration], let(number, f"CAST({total}{division} AS {kind.name})"), kind)


FORMATS = {
    "YYYY": "%Y",
    "MM": "%m",
    "DD": "%d",
    "HH24": "%H",
    "HH12": "%I",
    "HH": "%I",
    "MI": "%M",
    "SS": "%S",
    "NNNNNN": "%f",
    "FF6": "%f",
    "FF": "%f",
    "FF3": "%g",
    "DDD": "%j",
    "YY": "%y",
    "MON": "%b",
    "MONTH": "%B",
    "DAY": "%A",
    "DY": "%a",
    "AM": "%p",
    "PM": "%p",
}
"""Elements of a format string, and DuckDB's."""


def _format(text: str) -> str:
    """A format string in DuckDB's notation. Raises -20447 for an element that is not known."""
    result, place = "", 0
    elements = sorted(FORMATS, key=len, reverse=True)
    while place < len(text):
        element = next((e for e in elements if text.upper().startswith(e, place)), None)
        if element is None and text[place].isalnum() and text[place] != "T":
            raise Db2Error(-20447, "22007", text, "VARCHAR_FORMAT")
        result += FORMATS[element] if element else text[place]
        place += len(element) if element else 1
    return result


def formatted(name: str, values: list[Value], statement: Statement) -> Value:
    """VARCHAR_FORMAT of a timestamp by a constant format."""
    if not 1 <= len(values) <= 2:
        raise no_function(name)
    moment = argument("p", values[0], name, statement)
    if len(values) == 1:
        return cast(moment, varchar(26))
    if not isinstance(values[1].constant, str):
        raise no_function(name)
    return made_of([moment], f"strftime({moment.text}, '{_format(values[1].constant)}')", varchar(254))


def parsed(name: str, values: list[Value], statement: Statement) -> Value:
    """TIMESTAMP_FORMAT of a text by a constant format."""
    if len(values) != 2 or not isinstance(values[1].constant, str):
        raise no_function(name)
    text = argument("t", values[0], name, statement)
    return made_of([text], f"strptime({text.text}, '{_format(values[1].constant)}')", TIMESTAMP)


def timestamp(name: str, values: list[Value], statement: Statement) -> Value:
    """TIMESTAMP of one value, or of a date and a time."""
    if len(values) == 1 or (len(values) == 2 and isinstance(values[1].constant, int)):
        return argument("p", values[0], name, statement)
    if len(values) != 2:
        raise no_function(name)
    day, hour = argument("d", values[0], name, statement), argument("m", values[1], name, statement)
    return made_of((day, hour), f"({day.text} + {hour.text})", TIMESTAMP)


def _part(text: str) -> Template:
    return Template("a", INTEGER, f"CAST({text} AS INTEGER)")


def _adder(unit: str) -> Routine:
    """ADD_DAYS and its like: the same arithmetic as with a labelled duration."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if len(values) != 2:
            raise no_function(name)
        moment, number = argument("a", values[0], name, statement), argument("i", values[1], name, statement)
        return shift(moment, number, unit, "+")

    return bind


_EPOCH_DAYS = 719163
_OF_DAY = "(hour({0}) * 3600 + minute({0}) * 60 + second({0}))"

DATETIMES: dict[str, Routine] = {
    "DATE": Template("d", DATE, "{0}"),
    "TIME": Template("m", TIME, "{0}"),
    "TIMESTAMP": timestamp,
    "TIMESTAMP_ISO": Template("p", TIMESTAMP, "{0}"),
    "TIMESTAMPDIFF": timestampdiff,
    "TIMESTAMP_FORMAT": parsed,
    "TO_DATE": parsed,
    "TO_TIMESTAMP": parsed,
    "VARCHAR_FORMAT": formatted,
    "TO_CHAR": formatted,
    "YEAR": _part("year({0})"),
    "QUARTER": _part("quarter({0})"),
    "MONTH": _part("month({0})"),
    "DAY": _part("day({0})"),
    "HOUR": _part("hour({0})"),
    "MINUTE": _part("minute({0})"),
    "SECOND": _part("second({0})"),
    "MICROSECOND": _part("microsecond({0}) % 1000000"),
    "DAYOFWEEK": _part("dayofweek({0}) + 1"),
    "DAYOFWEEK_ISO": _part("isodow({0})"),
    "DAYOFYEAR": _part("dayofyear({0})"),
    "WEEK_ISO": _part("weekofyear({0})"),
    "DAYNAME": Template("d", varchar(100), "dayname({0})"),
    "MONTHNAME": Template("d", varchar(100), "monthname({0})"),
    "LAST_DAY": Template("d", DATE, "last_day({0})"),
    "DAYS": Template("d", INTEGER, f"CAST(date_diff('day', DATE '1970-01-01', {{0}}) + {_EPOCH_DAYS} AS INTEGER)"),
    "JULIAN_DAY": Template("d", INTEGER, "CAST(julian({0}) AS INTEGER)"),
    "MIDNIGHT_SECONDS": _part(_OF_DAY),
    "DAYS_BETWEEN": Template("dd", INTEGER, "CAST(date_diff('day', {1}, {0}) AS INTEGER)"),
    "SECONDS_BETWEEN": Template("pp", BIGINT, "(date_sub('second', {1}, {0}))"),
    "MINUTES_BETWEEN": Template("pp", BIGINT, "(date_sub('minute', {1}, {0}))"),
    "HOURS_BETWEEN": Template("pp", BIGINT, "(date_sub('hour', {1}, {0}))"),
    "MONTHS_BETWEEN": Template("pp", DOUBLE, "CAST(date_sub('month', {1}, {0}) AS DOUBLE)"),
    **{f"ADD_{unit}S": _adder(unit) for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")},
}
