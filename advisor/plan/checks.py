"""Whether a setting still is what the advice took it for, asked before a script changes it.

What must hold before a script is what its counterpart leaves behind: before a change, the present value of every setting,
and before the undo, the new one; a value that Db2 chooses itself is AUTOMATIC. Which query or command shows a setting is
in the table of its kinds, sql/rank/setting_kinds.csv, with the queries in sql/plan/checks/.
"""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from advisor.catalogue.settings import Kind, Words, kind_of
from advisor.catalogue.sqltext import without_comments
from advisor.judge.advice import Command, Recommendation, Setting, asked_for
from advisor.quoting import holds_control, literal
from advisor.report.text import safe
from advisor.resources import SQL

STATE = "70070"  # what a check raises

_EXPECTED = "FROM EXPECTED AS E\n"  # how a query reads what is expected

SHELL_FUNCTION = """\
when='before any change'
expect() {  # what it is, the value that it must have, the value that it has
    [ "$2" = "$3" ] && return
    printf 'stopped %s: %s is "%s" and not "%s"\\n' "$when" "$1" "$3" "$2" >&2
    exit 1
}"""
AFTER_THE_CHANGE = "when='after the change'"


@dataclass(frozen=True)
class Check:
    """That a setting has a value: what shows it, a query by its name or a command of the shell, and what it is called.

    ``member`` is the number of the one that is asked; None where it is not one by itself.
    """

    shown_by: str
    name: str
    member: int | None
    expected: str


def checks(settings: Iterable[Setting], changed: bool, typed_by: str) -> list[Check]:
    """What settings are, with ``changed`` after the change, as far as something shows it.

    Only those that the database, the owner of the instance or root changes. A name or value with a control character
    has no check: no script may hold it.
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
    """The checks in SQL, one statement for all that one query shows: each fails with STATE where a value is another."""
    by_query: dict[str, list[Check]] = {}
    for check in asked:
        by_query.setdefault(check.shown_by, []).append(check)
    for name, group in by_query.items():
        rows = ",\n    ".join(_row(check) for check in group)
        expected = f"FROM (VALUES\n    {rows}\n) AS E (NAME, MEMBER, VALUE)\n"
        yield _statement().format(query=_indented(_query(name).replace(_EXPECTED, expected)), state=STATE)


def command(check: Check) -> str:
    """A check in the shell, by the function ``expect``."""
    return f'expect {shlex.quote(safe(check.name))} {shlex.quote(check.expected)} "$({check.shown_by})"'


def typed(line: str, item: Recommendation) -> str:
    """A command of the host as it is typed into a shell, with every value quoted."""
    for made in item.commands:
        if made.settings and line in (made.action, made.undo):
            return _typed(made, changed=line == made.action)
    return shlex.join(line.split(" "))


def look_at(item: Recommendation) -> str | None:
    """Where to see a setting that no check asks for; None where nothing shows it."""
    shown = (kind_of(setting.kind, setting.name).look_at for setting in item.settings)
    return next((place for place in shown if place), None)


def _check(setting: Setting, kind: Kind, value: str) -> Check:
    words = Words(setting.name, setting.object, setting.member)
    shown_by = kind.fill(kind.shown_by, words, shlex.quote if kind.on_host else str)
    return Check(shown_by, kind.fill(kind.checked, words), setting.member, asked_for(value))


def _typed(made: Command, changed: bool) -> str:
    kinds = [kind_of(setting.kind, setting.name) for setting in made.settings]
    texts = [kinds[0].statement] if kinds[0].statement else []
    for setting, kind in zip(made.settings, kinds, strict=True):
        value = (setting.proposed if changed else setting.current) or ""
        texts.append(kind.fill(kind.setting, Words(setting.name, setting.object, setting.member, value), _quoted))
    return " ".join(texts)


def _quoted(value: str) -> str:
    return shlex.quote(value) if value else ""


def _row(check: Check) -> str:
    member = "CAST(NULL AS SMALLINT)" if check.member is None else str(check.member)
    return f"({literal(check.name)}, {member}, {literal(check.expected)})"


def _indented(query: str) -> str:
    """Each line of a query further in: none then begins as a command of the command line processor could."""
    return "\n".join(" " * 12 + line for line in query.split("\n"))


@cache
def _statement() -> str:
    return without_comments((SQL / "plan" / "scripts" / "check.sql").read_text(encoding="utf-8"))


@cache
def _query(name: str) -> str:
    """A query without the comment above it."""
    return without_comments((SQL / "plan" / "checks" / f"{name}.sql").read_text(encoding="utf-8"))
