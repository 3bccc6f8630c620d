"""Statements and commands that change the state, in the one spelling that the grammars read, and what they do."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from lark import Lark, UnexpectedInput
from lark import Token as Terminal
from lark.exceptions import VisitError
from sqlglot.tokens import Token, Tokenizer, TokenType

from tests.standin.commands.interpreter import printed
from tests.standin.commands.storage import Row
from tests.standin.errors import Db2Error
from tests.standin.machine.ordinary import Ordinary
from tests.standin.machine.snapshots import BEGIN, END, Snapshots

if TYPE_CHECKING:
    from tests.standin.commands.indexes import Dropped


_SPACE = r"\s+"
_STORAGE = re.compile(
    r"\s*(ALTER|CREATE|DROP)\s+((LARGE|REGULAR|((USER|SYSTEM)\s+)?TEMPORARY)\s+)?(BUFFERPOOL|TABLESPACES?|STOGROUP)\b",
    re.IGNORECASE,
)
_CONFIGURATION = re.compile(
    r"\s*UPDATE\s+(DB|DATABASE|DBM|DATABASE\s+MANAGER)\s+(CFG|CONFIG|CONFIGURATION)\b", re.IGNORECASE
)
_REDISTRIBUTE = re.compile(r"\s*REDISTRIBUTE\s", re.IGNORECASE)
# What ADMIN_CMD also takes and a state does not show.
_MAINTENANCE = re.compile(r"\s*(RUNSTATS|REORG|REORGCHK|PRUNE|QUIESCE|UNQUIESCE|BACKUP)\b", re.IGNORECASE)

# A word behind one of these names an object; after IN the words DATABASE PARTITION GROUP may precede the name.
_BEFORE_NAMES = {"BUFFERPOOL", "TABLESPACE", "TABLESPACES", "STOGROUP", "GROUP", "IN"}
_NOT_NAMES = {"DATABASE"}
_SAME = {"MEMBER": "DBPARTITIONNUM", "MEMBERS": "DBPARTITIONNUMS", "NODE": "DBPARTITIONNUM"}


def is_storage(text: str) -> bool:
    """Whether an SQL statement is about buffer pools, table spaces or storage groups."""
    return _STORAGE.match(text) is not None


def is_configuration(text: str) -> bool:
    return _CONFIGURATION.match(text) is not None


def is_redistribution(text: str) -> bool:
    return _REDISTRIBUTE.match(text) is not None


def is_maintenance(text: str) -> bool:
    return _MAINTENANCE.match(text) is not None


def canonical(statement: str) -> str:
    """Words in upper case, names of objects in double quotes, single spaces; literals stay as they are."""
    parts: list[str] = []
    before: Token | None = None
    for token in Tokenizer().tokenize(statement.strip().rstrip(";")):
        apart = before is not None and token.start > before.end + 1
        parts.append((" " if apart else "") + _word(token, statement.lstrip(), before))
        before = token
    return "".join(parts)


def _word(token: Token, statement: str, before: Token | None) -> str:
    written = statement[token.start : token.end + 1]
    if token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
        return written
    word = written.upper()
    if before is not None and before.text.upper() in _BEFORE_NAMES and word not in _NOT_NAMES:
        return f'"{word}"'
    return _SAME.get(word, word)


_CALL = re.compile(
    r"\s*CALL\s+(?:SYSPROC\s*\.\s*)?(?P<name>ADMIN_CMD|ADMIN_MOVE_TABLE)\s*\((?P<rest>.*)\)\s*;?\s*$", re.I | re.S
)
_LITERAL = re.compile(r"\s*'((?:[^']|'')*)'\s*$")
_ATTACHMENT = re.compile(r"\s*(?:ATTACH\s+TO\s+(?P<instance>\S+)|DETACH)\s*;?\s*$", re.I)
_TEXT_ONLY = "-- "


class Rows(dict[str, list[Row]]):
    """The rows of a state, source by source; each is read when it is first asked for."""

    def __init__(self, names: Iterable[str], read: Callable[[str], list[Row]]) -> None:
        super().__init__()
        self._names = set(names)
        self._read = read
        self._before: dict[str, list[Row]] = {}

    def __missing__(self, name: str) -> list[Row]:
        if name not in self._names:
            raise KeyError(name)
        rows = self._read(name)
        self._before[name] = [dict(row) for row in rows]
        self[name] = rows
        return rows

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def changed(self) -> dict[str, list[Row]]:
        """The sources whose rows are not what they were."""
        return {name: rows for name, rows in self.items() if rows != self._before[name]}


class Commands:
    """Carries out what changes the state of one machine."""

    def __init__(self, snapshots: Snapshots, instance: str, database: str) -> None:
        self._snapshots = snapshots
        self._instance = instance
        self._database = database
        self._maps: dict[int, dict[str, list[Row]]] = {BEGIN: {}, END: {}}
        self._dropped: dict[int, Dropped] = {BEGIN: {}, END: {}}
        self._attached = False  # whether the command line processor of the host is attached to the instance

    def statement(self, connection: duckdb.DuckDBPyConnection, text: str, late: bool) -> bool:
        """An SQL statement; False if it is not about storage and no call of an administrative procedure."""
        if call := _CALL.match(text):
            if call["name"].upper() == "ADMIN_MOVE_TABLE":
                return self._run(connection, late, _parsed(f"CALL SYSPROC.ADMIN_MOVE_TABLE({call['rest']})"))
            if literal := _LITERAL.match(call["rest"]):
                return self.command(connection, literal[1].replace("''", "'"), late)
        if not is_storage(text):
            return False
        return self._run(connection, late, _parsed(canonical(text)))

    def command(self, connection: duckdb.DuckDBPyConnection, text: str, late: bool, attached: bool = False) -> bool:
        """Carry out a command that ADMIN_CMD takes; ADMIN_CMD is not attached to the instance."""
        if is_configuration(text):
            return self._run(connection, late, _tree(_ordinary(), text.strip().rstrip(";")), attached)
        if is_redistribution(text):
            return self._run(connection, late, _parsed(" ".join(text.split()).rstrip(";")))
        if is_maintenance(text):
            return True
        raise Db2Error(
            -104, "42601", text.split(maxsplit=1)[0] if text.split() else "", "BEGIN-OF-STATEMENT", "<command>"
        )

    def line(self, connection: duckdb.DuckDBPyConnection, text: str, late: bool) -> bool:
        """A line that is typed on the host, or text for a person."""
        if text.startswith(_TEXT_ONLY):
            return self._run(connection, late, lambda ordinary: ordinary.carry_out(text))
        if attachment := _ATTACHMENT.match(text):
            return self._attach(attachment["instance"])
        if is_configuration(text) or is_redistribution(text) or is_maintenance(text):
            return self.command(connection, text, late, attached=self._attached)
        return self.statement(connection, text, late) or self._run(connection, late, _parsed(text.strip()))

    def _attach(self, instance: str | None) -> bool:
        """Attach the host's command line processor to its instance, or detach it."""
        if instance is not None and instance.lower() != self._instance.lower():
            raise Db2Error(-1097, "42720")
        self._attached = instance is not None
        return True

    def move_table(self, connection: duckdb.DuckDBPyConnection, arguments: Sequence[Any], late: bool) -> bool:
        texts = ("NULL" if value is None else "'" + str(value).replace("'", "''") + "'" for value in arguments)
        return self.statement(connection, f"CALL SYSPROC.ADMIN_MOVE_TABLE({', '.join(texts)})", late)

    def start(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The instance and the database were started: what waited takes effect."""
        self._run(connection, True, lambda ordinary: ordinary.start())

    def _run(
        self, connection: duckdb.DuckDBPyConnection, late: bool, act: Callable[[Ordinary], Any], attached: bool = True
    ) -> bool:
        """Act on the rows as they are now, and on those of the other moment as far as they have what it takes."""
        now, other = (END, BEGIN) if late else (BEGIN, END)
        rows = {now: self._acted(connection, now, act, attached)}
        try:
            rows[other] = self._acted(connection, other, act, attached)
        except Db2Error:
            rows[other] = self._rows(connection, other)
        for name in {**rows[BEGIN].changed(), **rows[END].changed()}:
            self._snapshots.write(connection, name, rows[BEGIN][name], rows[END][name])
        return True

    def _acted(
        self, connection: duckdb.DuckDBPyConnection, which: int, act: Callable[[Ordinary], Any], attached: bool
    ) -> Rows:
        rows = self._rows(connection, which)
        ordinary = Ordinary(rows, attached, self._database)
        ordinary.maps = self._maps[which]
        ordinary.dropped = self._dropped[which]
        try:
            act(ordinary)
        except VisitError as error:
            raise _fault(error.orig_exc) from error
        return rows

    def _rows(self, connection: duckdb.DuckDBPyConnection, which: int) -> Rows:
        return Rows(self._snapshots.columns, lambda name: self._snapshots.rows(connection, name, which))


@cache
def _ordinary() -> Lark:
    path = Path(__file__).parent / "ordinary.lark"
    return Lark.open(str(path), parser="lalr", maybe_placeholders=True)


def _parsed(text: str) -> Callable[[Ordinary], Any]:
    """A statement by the grammar of the rules or, failing that, the other; the fault is that of the one that read on."""
    try:
        tree = printed().parse(text)
    except UnexpectedInput as first:
        try:
            tree = _ordinary().parse(text)
        except UnexpectedInput as second:
            raise _syntax(text, max(first, second, key=lambda error: _place(text, error))) from second
    return lambda ordinary: ordinary.transform(tree)


def _tree(grammar: Lark, text: str) -> Callable[[Ordinary], Any]:
    try:
        tree = grammar.parse(text)
    except UnexpectedInput as error:
        raise _syntax(text, error) from error
    return lambda ordinary: ordinary.transform(tree)


def _place(text: str, error: UnexpectedInput) -> int:
    token = getattr(error, "token", None)
    ended = isinstance(token, Terminal) and token.type == "$END"
    return len(text) if ended or error.pos_in_stream is None else error.pos_in_stream


def _syntax(text: str, error: UnexpectedInput) -> Db2Error:
    place = _place(text, error)
    unexpected = (text[place:].split() or ["END-OF-STATEMENT"])[0]
    before = " ".join(text[:place].split()[-3:]) or "BEGIN-OF-STATEMENT"
    expected = sorted(getattr(error, "expected", None) or getattr(error, "allowed", None) or ["END-OF-STATEMENT"])
    return Db2Error(-104, "42601", unexpected, before, f"<{expected[0].lower()}>")


def _fault(error: Exception) -> Db2Error:
    if isinstance(error, Db2Error):
        return error
    return Db2Error(-901, "58004", f"{type(error).__name__}: {error}")
