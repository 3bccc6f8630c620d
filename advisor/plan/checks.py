"""Checks that a setting still has the expected value before a script changes it.

A change expects the current value of each setting, and its undo expects the new one; AUTOMATIC if Db2 chooses the value.
sql/rank/setting_kinds.csv names the query or command that shows a setting; the queries are in sql/plan/checks.sql.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from advisor.catalogue.settings import Kind, Words, kind_of
from advisor.catalogue.sqltext import remove_comments, statement_of
from advisor.judgement.advice import Command, Recommendation, Setting, requested_value
from advisor.quoting import holds_control, literal, shell
from advisor.report.text import make_printable
from advisor.resources import SQL

STATE = "70070"  # the SQLSTATE of a failed check

_EXPECTED = "FROM EXPECTED AS E\n"  # replaced in a query by the expected values

SHELL_FUNCTION = """\
when='before any change'
expect() {  # setting, expected value, current value
    [ "$2" = "$3" ] && return
    printf 'stopped %s: %s is "%s", expected "%s"\\n' "$when" "$1" "$3" "$2" >&2
    exit 1
}"""
AFTER_THE_CHANGE = "when='after the change'"


@dataclass(frozen=True)
class Check:
    """A check of one setting: its name, expected value, and the query or shell command that shows it.

    ``member`` is the number of the member, or None if the setting is not per member.
    """

    shown_by: str
    name: str
    member: int | None
    expected: str


def checks(settings: Iterable[Setting], changed: bool, typed_by: str) -> list[Check]:
    """Return checks of the settings that ``typed_by`` (database, owner or root) changes, if a query or command shows them.

    ``changed`` expects the values after the change. A name or value with a control character has no check, because no
    script may contain it.
    """
    found: dict[tuple[str, str, int | None], Check] = {}
    for setting in settings:
        kind = kind_of(setting.kind, setting.name)
        value = setting.proposed if changed else setting.current
        if holds_control(f"{setting.target}{setting.object}{value}"):
            continue
        if kind.typed_by == typed_by and kind.shown_by and (value is not None or kind.unset):
            check = _check(setting, kind, value or "")
            found[check.shown_by, check.name, check.member] = check
    return list(found.values())


def statements(asked: Iterable[Check]) -> Iterator[str]:
    """Return the checks in SQL, one statement per query. Each fails with STATE if a value differs."""
    by_query: dict[str, list[Check]] = {}
    for check in asked:
        by_query.setdefault(check.shown_by, []).append(check)
    for name, group in by_query.items():
        rows = ",\n    ".join(_row(check) for check in group)
        expected = f"FROM (VALUES\n    {rows}\n) AS E (NAME, MEMBER, VALUE)\n"
        yield _statement().format(
            query=_indent(statement_of("plan/checks", name).replace(_EXPECTED, expected)), state=STATE
        )


def command(check: Check) -> str:
    """Return a check for the shell, as a call of the function ``expect``."""
    return f'expect {shell(make_printable(check.name))} {shell(check.expected)} "$({check.shown_by})"'


def quote_host_command(line: str, item: Recommendation) -> str:
    """Return a host command for a shell, with all values quoted."""
    for made in item.commands:
        if made.settings and line in (made.action, made.undo):
            return _quote_command(made, changed=line == made.action)
    return " ".join(map(shell, line.split(" ")))


def look_at(item: Recommendation) -> str | None:
    """Return the location that shows a setting without a check, or None."""
    shown = (kind_of(setting.kind, setting.name).look_at for setting in item.settings)
    return next((place for place in shown if place), None)


def _check(setting: Setting, kind: Kind, value: str) -> Check:
    words = Words(setting.name, setting.object, setting.member)
    shown_by = kind.fill(kind.shown_by, words, shell if kind.on_host else str)
    return Check(shown_by, kind.fill(kind.checked, words), setting.member, requested_value(value))


def _quote_command(made: Command, changed: bool) -> str:
    kinds = [kind_of(setting.kind, setting.name) for setting in made.settings]
    texts = [kinds[0].statement] if kinds[0].statement else []
    for setting, kind in zip(made.settings, kinds, strict=True):
        value = (setting.proposed if changed else setting.current) or ""
        texts.append(kind.fill(kind.setting, Words(setting.name, setting.object, setting.member, value), _quoted))
    return " ".join(texts)


def _quoted(value: str) -> str:
    return shell(value) if value else ""


def _row(check: Check) -> str:
    member = "CAST(NULL AS SMALLINT)" if check.member is None else str(check.member)
    return f"({literal(check.name)}, {member}, {literal(check.expected)})"


def _indent(query: str) -> str:
    """Indent the query, so that no line starts like a command of the command line processor."""
    return "\n".join(" " * 12 + line for line in query.split("\n"))


@cache
def _statement() -> str:
    return remove_comments((SQL / "plan" / "scripts" / "check.sql").read_text(encoding="utf-8"))
