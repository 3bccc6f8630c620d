"""Rewrites of comparisons of a function or of arithmetic over a column."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import (
    CHARACTERS,
    COALESCE,
    DECIMALS,
    INTEGERS,
    MIRROR,
    Change,
    call,
    find_integer,
    find_key,
    find_number,
    find_string,
    is_value,
    split,
)
from advisor.diagnosis.rewriting.trees import (
    Duration,
    Known,
    Parts,
    Prefixed,
    fill,
    is_filter,
    join_conditions,
    list_conjuncts,
    write,
)
from advisor.indexes.hindrances import REWRITES
from advisor.indexes.scopes import unwrap

CANONICAL = "All values of {} are integers without a sign, leading zeros and leading blanks."
_CHARACTER = "{} is a CHAR or VARCHAR column."
_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "=": Decimal.__eq__,
    "<": Decimal.__lt__,
    "<=": Decimal.__le__,
    ">": Decimal.__gt__,
    ">=": Decimal.__ge__,
}
_DAY = re.compile(r"[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_DATE_UNITS = ("DAY", "DAYS", "MONTH", "MONTHS", "YEAR", "YEARS")
_REGISTER = re.compile(r"CURRENT[ _](DATE|TIMESTAMP)", re.IGNORECASE)


@dataclass(frozen=True)
class Comparison:
    """A function over a column compared with a value, or with two by BETWEEN. ``kind`` is the column's type."""

    side: exp.Expr
    name: str
    column: exp.Column
    more: list[exp.Expr]
    sign: str
    value: exp.Expr
    high: exp.Expr
    kind: str

    def change(self, text: str, condition: str = "", **parts: exp.Expr) -> Change:
        """Return the change to a condition, in which names in braces are expressions."""
        names = {"column": self.column, "value": self.value, "high": self.high} | parts
        return Change(fill(text, **names), condition.format(write(self.column)), (self.column,))


Function = Callable[[exp.Expr, Known], Change | None]


def over(*names: str, between: bool = False) -> Callable[[Callable[[Comparison], Change | None]], Function]:
    """Apply a change of comparisons to the nodes that compare one of the functions over a column."""

    def decorate(change: Callable[[Comparison], Change | None]) -> Function:
        def apply(node: exp.Expr, known: Known) -> Change | None:
            found = _read(node, known)
            is_allowed = found and found.name in names and (between or found.sign != "BETWEEN")
            return change(found) if found and is_allowed else None

        return apply

    return decorate


def _read(node: exp.Expr, known: Known) -> Comparison | None:
    if isinstance(node, exp.Between):
        found: tuple[exp.Expr, str, exp.Expr] | None = (unwrap(node.this) or node, "BETWEEN", node.args["low"])
    else:
        found = split(node)
    name, arguments = call(found[0]) if found else ("", [])
    column = unwrap(arguments[0]) if arguments else None
    high = node.args.get("high") or exp.Null()
    if found is None or not isinstance(column, exp.Column) or not is_value(found[2]) or not is_value(high):
        return None
    return Comparison(found[0], name, column, arguments[1:], found[1], found[2], high, known.find_type(column))


def _date_condition(kind: str) -> str | None:
    """Return the condition for dates of a column; None if its type has none."""
    return None if kind not in ("", "DATE", "TIMESTAMP") else "" if kind else "{} is a DATE or TIMESTAMP column."


def change_dates(node: exp.Expr, known: Known) -> Change | None:
    """Change DATE, YEAR, or YEAR with MONTH of a column to a range of the column."""
    return _change_month(node, known) or _change_date(node, known) or _change_year(node, known)


@over("DATE", between=True)
def _change_date(this: Comparison) -> Change | None:
    """Change a comparison of days to a range of the column."""
    condition, is_range = _date_condition(this.kind), this.sign == "BETWEEN"
    low, high = _find_day(this.value), _find_day(this.high) if is_range else exp.Null()
    if condition is None or this.more or low is None or high is None:
        return None
    if any(str(value.this).startswith(":") for value in (low, high) if isinstance(value, exp.Placeholder)):
        condition = f"{condition} The host variables are dates.".strip()
    text = REWRITES["DATE", this.sign]
    if this.kind == "DATE":
        text = (
            "{column} BETWEEN DATE({low}) AND DATE({high})" if is_range else f"{{column}} {this.sign} DATE({{value}})"
        )
    return this.change(text, condition, low=low, value=low, high=high)


def _find_day(value: exp.Expr) -> exp.Expr | None:
    """Return what the function DATE converts to the day of a value; None if this might be another day."""
    value = unwrap(value) or value
    if isinstance(value, (exp.Add, exp.Sub)):
        is_days = isinstance(value.expression, Duration) and value.expression.args["unit"] in _DATE_UNITS
        return value if is_days and _find_day(value.this) is not None else None
    if isinstance(value, Prefixed) or (call(value)[0] == "DATE" and len(value.expressions) == 1):
        is_time = isinstance(value, Prefixed) and value.args["word"] != "DATE"
        value = value.this if isinstance(value, Prefixed) else value.expressions[0]
        return None if is_time or (find_string(value) or "").startswith("9999") else value
    is_date = _DAY.fullmatch(find_string(value) or "") and str(find_string(value)) < "9999"
    is_marker = isinstance(value, exp.Placeholder) and re.fullmatch(r"\?|:.*|CURRENT[ _]DATE", str(value.this).upper())
    return value if is_date or is_marker else None


@over("YEAR", between=True)
def _change_year(this: Comparison) -> Change | None:
    """Change a comparison of years to a range of the column."""
    condition = _date_condition(this.kind)
    first, last = (
        find_integer(value) or 0 for value in (this.value, this.high if this.sign == "BETWEEN" else this.value)
    )
    if condition is None or this.more or not (1000 <= first < 9999 and 1000 <= last < 9999):
        return None
    return this.change(_period(this, date(first, 1, 1), date(last + 1, 1, 1)), condition)


def _period(this: Comparison, first: date, end: date) -> str:
    """Return the comparison with a period, from its first day to the day after it."""
    start, stop = (f"'{day}'" if this.kind == "DATE" else f"DATE('{day}')" for day in (first, end))
    bounds = {"<": f"< {start}", "<=": f"< {stop}", ">": f">= {stop}", ">=": f">= {start}"}
    return f"{{column}} {bounds.get(this.sign, f'>= {start} AND {{column}} < {stop}')}"


def _change_month(node: exp.Expr, known: Known) -> Change | None:
    """Change YEAR and MONTH of a column to a range of the column."""
    if not isinstance(node, exp.And) or isinstance(node.parent, (exp.And, exp.Paren)):
        return None
    parts = list_conjuncts(node)
    found = [(part, this) for part in parts if (this := _read(part, known)) and this.sign == "=" and not this.more]
    years = {write(this.column): (part, this) for part, this in found if this.name == "YEAR"}
    for part, month in found:
        other, year = years.get(write(month.column), (part, month))
        numbers, condition = (find_integer(year.value) or 0, find_integer(month.value) or 0), _date_condition(year.kind)
        valid = other is not part and 1000 <= numbers[0] < 9999 and 1 <= numbers[1] <= 12
        if month.name == "MONTH" and valid and condition is not None:
            end = date(numbers[0] + numbers[1] // 12, numbers[1] % 12 + 1, 1)
            change = year.change(_period(year, date(*numbers, 1), end), condition)
            rest = [[] if one is part else list_conjuncts(change.tree) if one is other else [one] for one in parts]
            return Change(join_conditions([one for group in rest for one in group]), change.condition, change.columns)
    return None


@over(*INTEGERS, *CHARACTERS, "DIGITS")
def change_cast(this: Comparison) -> Change | None:
    """Compare a column with a value of its own type instead of converting the column."""
    number, text, width = find_integer(this.value), find_string(this.value), INTEGERS.get(this.kind, 0)
    if this.more:
        return None
    if this.name in INTEGERS and number is not None:
        return _change_integer(this, number)
    if not width or this.sign != "=" or text is None or not text.isascii():
        return None
    if this.name == "DIGITS" and len(text) == width and text.isdigit():
        return this.change(f"{{column}} IN ({int(text)}, -{int(text)})" if int(text) else "{column} = 0")
    length = re.search(r"\((\d+)\)", str(this.side.args.get("to") or "(99)"))
    is_number = re.fullmatch(r"(-?[1-9]\d{0,18}|0) *", text) and length and int(length[1]) > width
    return this.change(f"{{column}} = {text.strip()}") if is_number and this.name in CHARACTERS else None


def _change_integer(this: Comparison, number: int) -> Change | None:
    if this.kind in INTEGERS:
        return this.change(f"{{column}} {this.sign} {number}")
    if this.sign == "=" and this.kind in DECIMALS:  # the function truncates
        low, end = (
            f">= {number}" if number > 0 else f"> {number - 1}",
            f"<= {number}" if number < 0 else f"< {number + 1}",
        )
        return this.change(f"{{column}} {low} AND {{column}} {end}")
    is_text = this.sign == "=" and this.kind in CHARACTERS and number >= 0
    return this.change(f"{{column}} = '{number}'", CANONICAL) if is_text else None


def change_arithmetic(node: exp.Expr, known: Known) -> Change | None:
    """Move a constant from the side of the column to the side of the value."""
    found = split(node)
    product = _change_product(found, known) if found else None
    if found is None or product or not isinstance(found[0], (exp.Add, exp.Sub)):
        return product
    side, sign, value = found
    left, right = unwrap(side.this), unwrap(side.expression)
    plus, is_right = isinstance(side, exp.Add), isinstance(right, exp.Column)
    column, operand = (right, left) if is_right else (left, right)
    if not isinstance(column, exp.Column) or operand is None:
        return None
    this = Comparison(side, "", column, [], sign, value, exp.Null(), known.find_type(column))
    if isinstance(operand, Duration):
        return None if is_right else _change_days(this, operand, "-" if plus else "+")
    number, total = find_number(operand), find_number(value)
    if number is None or (this.kind and this.kind not in (*INTEGERS, *DECIMALS)):
        return None
    if total is None:
        is_marker = isinstance(value, exp.Placeholder) and this.kind in ("SMALLINT", "INTEGER", "INT")
        text = f"{{column}} {sign} {{value}} {'-' if plus else '+'} {{operand}}"
        return this.change(text, operand=operand) if is_marker and (plus or not is_right) else None
    minus = is_right and not plus  # number - column
    result = number - total if minus else total - number if plus else total + number
    condition = "" if this.kind else "{} has an integer or DECIMAL type."
    return this.change(f"{{column}} {MIRROR[sign] if minus else sign} {result:f}", condition)


def _change_product(found: tuple[exp.Expr, str, exp.Expr], known: Known) -> Change | None:
    """Divide the value by the factor of the column, as in column + 0.1 * column or column * 1.1."""
    side, sign, value = found
    pair = [unwrap(side.this), unwrap(side.expression)] if isinstance(side, (exp.Add, exp.Mul)) else []
    column = next((one for one in pair if isinstance(one, exp.Column)), None)
    factor = next((one for one in pair if one is not column), None)
    if isinstance(side, exp.Add):
        pair = [unwrap(factor.this), unwrap(factor.expression)] if isinstance(factor, exp.Mul) else []
        factor = next((one for one in pair if one != column and column in pair), None)
    number, total, kind = find_number(factor), find_number(value), known.find_type(column) if column else ""
    is_value = all(isinstance(one, exp.Placeholder) or find_number(one) is not None for one in (factor, value))
    is_exact = not kind or kind in (*INTEGERS, *DECIMALS)
    if not isinstance(column, exp.Column) or not factor or not is_value or not is_exact:
        return None
    this = Comparison(side, "", column, [], sign, value, value, kind)
    number = None if number is None else number + isinstance(side, exp.Add)
    if number and total is not None and Fraction(total / number) == Fraction(total) / Fraction(number):
        condition = "" if kind else "{} has an integer or DECIMAL type."
        return this.change(f"{{column}} {MIRROR[sign] if number < 0 else sign} {total / number:f}", condition)
    if (number is not None and number <= 0) or (find_integer(factor) is not None and find_integer(value) is not None):
        return None
    divisor = f"{number:f}" if number else "(1 + {factor})" if isinstance(side, exp.Add) else "{factor}"
    note = "" if number else f"{divisor} is greater than 0. ".format(factor=write(factor))
    note += "The division does not round a digit that {} has."
    note += " Give each ? its type with CAST." if "?" in write(side) + write(value) else ""
    return this.change(f"{{column}} {sign} {{value}} / {divisor}", note, factor=factor)


def _change_days(this: Comparison, operand: exp.Expr, reverse: str) -> Change | None:
    is_register = isinstance(this.value, exp.Placeholder) and _REGISTER.fullmatch(str(this.value.this))
    is_day = this.kind == "TIMESTAMP" or (this.kind == "DATE" and _find_day(this.value) is not None)
    if operand.args["unit"] not in ("DAY", "DAYS") or find_integer(operand.this) is None:
        return None
    if not is_register and (not is_day or find_number(this.value) is not None):
        return None
    form = "{value}" if is_register else f"{this.kind}({{value}})"
    return this.change(f"{{column}} {this.sign} {form} {reverse} {write(operand)}")


@over("SUBSTR", "LEFT")
def change_prefix(this: Comparison) -> Change | None:
    """Change the comparison of a column's beginning to LIKE."""
    text, numbers = find_string(this.value) or "", [find_integer(argument) for argument in this.more]
    if this.sign != "=" or numbers != ([len(text)] if this.name == "LEFT" else [1, len(text)]) or not text.isascii():
        return None
    if not text or text[-1] == " " or re.search(r"[%_\\]", text) or (this.kind and this.kind not in CHARACTERS):
        return None
    return this.change("{column} LIKE {value}", "" if this.kind else _CHARACTER, value=exp.Literal.string(f"{text}%"))


@over("RTRIM", "TRIM", "STRIP")
def change_trim(this: Comparison) -> Change | None:
    """Remove a function that only removes blanks, which comparisons ignore at the end."""
    has_keyword = isinstance(this.side, Parts) and this.side.args["text"].upper() != write(this.column).upper()
    is_text = find_string(this.value) is not None or isinstance(this.value, exp.Placeholder)
    if this.more or has_keyword or not is_text or (this.kind and this.kind not in CHARACTERS):
        return None
    condition = "The database was created without VARCHAR2 compatibility."
    if this.name != "RTRIM":
        condition += " No value of {} starts with a blank."
    return this.change(f"{{column}} {this.sign} {{value}}", condition)


def change_coalesce(node: exp.Expr, known: Known) -> Change | None:
    """Compare a column itself, and ask for NULL only if the default satisfies the comparison."""
    return _change_coalesce(node, known) if is_filter(node) else None


@over(*COALESCE)
def _change_coalesce(this: Comparison) -> Change | None:
    if len(this.more) != 1:
        return None
    default, value, condition = find_key(this.more[0]), find_key(this.value), ""
    if isinstance(default, Decimal) and isinstance(value, Decimal):
        matches = _COMPARE[this.sign](default, value)
    elif isinstance(default, str) and isinstance(value, str) and this.sign == "=":
        matches = default == value
        if not matches and (default.casefold() == value.casefold() or this.kind not in ("", *CHARACTERS)):
            return None  # perhaps equal: in some collations, or as dates
        condition = "" if this.kind or matches else _CHARACTER
    else:
        return None
    text = f"{{column}} {this.sign} {{value}}"
    return this.change(f"{text} OR {{column}} IS NULL" if matches else text, condition)
