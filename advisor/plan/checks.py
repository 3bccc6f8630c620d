"""Whether a setting still is what the advice took it for, asked before a script changes it.

What must hold before a script is what its counterpart leaves behind: before a change, what the undo would set, and
before the undo, what the change has set. So every setting that a command names is asked for, of each member that it
names, and a value that Db2 chooses itself is AUTOMATIC. Which query or command shows what a command sets is data:
sql/plan/checks.csv with the queries beside it in sql/plan/checks/, and sql/plan/host_checks.csv.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from advisor.quoting import literal
from advisor.report.text import safe
from advisor.resources import SQL, data_file

ON_DATABASE, ON_HOST = "checks", "host_checks"
STATE = "70070"  # what a check raises

_NAME = re.compile(r"<(\w+)(\.\.\.)?>")
_WORD = r""""(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s"']\S*?"""
_CONFIGURATION = re.compile(r"(UPDATE DBM? CFG .*?\bUSING )(.+)")
_SETTING = re.compile(r"""\w+ (?:"(?:[^"]|"")*"|'(?:[^']|'')*'|\S+)(?: AUTOMATIC\b)?""")

# What a message has room for, 70 bytes, begins with the values: a name may be long.
_STATEMENT = """\
BEGIN
    DECLARE WRONG VARCHAR(2048);
    SET WRONG = (
        SELECT MIN(
            'expected ' || S.EXPECTED || ', found ' || COALESCE(S.FOUND, 'none') || ': ' || S.WHAT
            || COALESCE(' on ' || CAST(S.MEMBER AS VARCHAR(11)), '')
        )
        FROM (
{query}
        ) AS S
        WHERE S.FOUND IS NULL OR S.FOUND <> S.EXPECTED
    );
    IF WRONG IS NOT NULL THEN
        SIGNAL SQLSTATE '{state}' SET MESSAGE_TEXT = WRONG;
    END IF;
END"""
_EXPECTED = "FROM EXPECTED AS E\n"  # how a query reads what is expected

SHELL_FUNCTION = """\
expect() {  # what it is, the value that it must have, the value that it has
    [ "$2" = "$3" ] && return
    printf 'stopped before any change: %s is "%s" and not "%s"\\n' "$1" "$3" "$2" >&2
    exit 1
}"""


@dataclass(frozen=True)
class Check:
    """That a setting has a value: what shows it, a query by its name or a command of the shell, and what it is called.

    ``member`` is the number of the one that is asked; None where it is not one by itself.
    """

    shown_by: str
    name: str
    member: str | None
    expected: str


def left_behind(lines: Iterable[str], where: str) -> list[Check]:
    """What holds after the commands, as far as something shows it; the last command about a setting counts."""
    found: dict[tuple[str, str, str | None], Check] = {}
    for line in lines:
        for command in _one_setting_each(line):
            if check := _check(command, where):
                found[check.shown_by, check.name, check.member] = check
    return list(found.values())


def statements(checks: Iterable[Check]) -> Iterator[str]:
    """The checks in SQL, one statement for all that one query shows: each fails with STATE where a value is another."""
    by_query: dict[str, list[Check]] = {}
    for check in checks:
        by_query.setdefault(check.shown_by, []).append(check)
    for name, asked in by_query.items():
        rows = ",\n    ".join(_row(check) for check in asked)
        expected = f"FROM (VALUES\n    {rows}\n) AS E (NAME, MEMBER, VALUE)\n"
        query = _query(name).replace(_EXPECTED, expected)
        yield _STATEMENT.format(query=_indented(query), state=STATE)


def command(check: Check) -> str:
    """A check in the shell, by the function ``expect``."""
    return f'expect {shlex.quote(safe(check.name))} {shlex.quote(check.expected)} "$({check.shown_by})"'


def typed(line: str) -> str:
    """A command of the host as it is typed into a shell, with every value quoted."""
    for row in data_file("plan", ON_HOST):
        if found := _pattern(row["COMMAND"]).fullmatch(line):
            return _filled(row["COMMAND"], _names(found), _quoted_for_shell)
    return shlex.join(line.split(" "))


def look_at(target: str) -> str | None:
    """What shows a setting that no check asks for; None where nothing does."""
    rows = data_file("plan", "unchecked")
    return next((row["SHOWN_BY"] for row in rows if _pattern(row["TARGET"]).fullmatch(target)), None)


def _one_setting_each(line: str) -> Iterator[str]:
    """An update of several parameters as one of each."""
    if found := _CONFIGURATION.fullmatch(line):
        yield from (found[1] + setting for setting in _SETTING.findall(found[2]))
    else:
        yield line


def _check(command: str, where: str) -> Check | None:
    """What the first row about a command asks for; None where the row says that nothing shows it, or none is there."""
    for row in data_file("plan", where):
        if found := _pattern(row["COMMAND"]).fullmatch(command):
            names = _names(found)
            if not row["SHOWN_BY"]:
                return None
            shown_by = _filled(row["SHOWN_BY"], names, _quoted_for_shell)
            return Check(shown_by, _filled(row["NAME"], names), names.get("MEMBER"), _filled(row["EXPECTED"], names))
    return None


def _row(check: Check) -> str:
    member = "CAST(NULL AS SMALLINT)" if check.member is None else str(int(check.member))
    return f"({literal(check.name)}, {member}, {literal(check.expected)})"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern: <X> is one word or quoted name, <X...> any text."""
    parts, end = [], 0
    for name in _NAME.finditer(template):
        group = f"(?P<_{name[1]}>.*?)" if name[2] else f"(?P<{name[1]}>{_WORD})"
        parts += [re.escape(template[end : name.start()]), group]
        end = name.end()
    return re.compile("".join([*parts, re.escape(template[end:])]), re.DOTALL)


def _names(found: re.Match[str]) -> dict[str, str]:
    """What a command names: any text as it is, a word without its quotes."""
    values = found.groupdict().items()
    return {name.lstrip("_"): value if name.startswith("_") else _bare(value) for name, value in values}


def _bare(word: str) -> str:
    for quote in "\"'":
        if len(word) > 1 and word.startswith(quote) and word.endswith(quote):
            return word[1:-1].replace(quote * 2, quote)
    return word


def _filled(template: str, names: dict[str, str], write: Callable[[str], str] = str) -> str:
    return _NAME.sub(lambda name: write(names[name[1]]), template)


def _quoted_for_shell(value: str) -> str:
    return shlex.quote(value) if value else ""


def _indented(query: str) -> str:
    """Each line of a query further in: none then begins as a command of the command line processor could."""
    return "\n".join(" " * 12 + line for line in query.split("\n"))


@cache
def _query(name: str) -> str:
    """A query without the comment above it."""
    lines = (SQL / "plan" / "checks" / f"{name}.sql").read_text(encoding="utf-8").strip().split("\n")
    return "\n".join(line for line in lines if not line.startswith("-- "))
