"""``db2look`` -l, or DDL that people wrote: buffer pools, table spaces, partition groups and storage groups.

Only statements that define where data lies are parsed (db2look.lark), one at a time; all others are skipped. What
CREATE and later ALTER statements say of one object is put together. What a statement leaves to a default is absent.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from advisor.imports.commands import continued, is_message, outcome
from advisor.imports.formats import commands
from advisor.imports.labels import sections
from advisor.imports.reader import Format, Part
from advisor.imports.readings import Report
from advisor.imports.values import platform

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

LONGEST_STATEMENT = 1 << 16
MOST_OBJECTS = 50_000  # that are held in memory

_SECTIONS = sections("db2look")
_STATEMENT = re.compile(
    r"\s*(?P<prompt>(?:(?:db2\s*=>|.{0,60}?[$#%>])\s*)?(?:db2\s+(?:[-+]\w+\s+)*[\"']?)?)(?:"
    r"(?:CREATE|ALTER)\s+(?P<named>(?:(?:LARGE|LONG|REGULAR|USER|SYSTEM)\s+)?(?:TEMPORARY\s+)?"
    r"(?:BUFFERPOOL|TABLESPACE|STOGROUP|NODEGROUP|DATABASE\s+PARTITION\s+GROUP))"
    r"|ALTER\s+DATABASE\s+(?:\w+\s+)?ADD\s+STORAGE)\b",
    re.IGNORECASE,
)
_DB2LOOK = re.compile(r"DB2LOOK\D{0,30}\d")
_SERVER = re.compile(r"DB2/(\w{1,20})\D{1,30}(\d{1,2}(?:\.\d{1,3}){1,3})")
_CONNECT = re.compile(r"CONNECT\s+TO\s+\"?([\w@#$]{1,8})\b", re.IGNORECASE)
_DATABASE = re.compile(r"[\w@#$]{1,8}")
_OTHER = re.compile(
    r"(?:ALTER|CALL|COMMENT|COMMIT|CONNECT|CREATE|DELETE|DROP|GRANT|INSERT|MERGE|RENAME|REVOKE|RUNSTATS|SET|TRANSFER|UPDATE)\b",
    re.IGNORECASE,
)
_ENDS = (";", "@", "~", "!")
_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_PAGE_SIZES = {4096, 8192, 16384, 32768}
_SKIPPED = "statements that do not define where data lies"


@cache
def _grammar() -> "Lark":
    from lark import Lark

    return Lark.open("db2look.lark", rel_to=__file__, parser="lalr")


def _starts(line: str, previous: str) -> bool:
    if line.lstrip().startswith("--"):
        return "DB2LOOK" in line and _DB2LOOK.search(line) is not None
    return _statement(line) is not None


def _statement(line: str) -> re.Match[str] | None:
    upper = line.upper()
    return _STATEMENT.match(line) if "CREATE" in upper or "ALTER" in upper else None


class _Reader:
    """Reads the DDL of one database."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.report = self.new_report()
        self.objects: dict[tuple[str, str], dict[str, str]] = {}
        self.comment = ""  # the one before
        self.by_db2look = False
        self.inside = 0  # characters so far of a statement that is skipped
        self.skipped = 0  # the first line of those that are skipped

    def new_report(self) -> Report:
        return self.part.readings.report("db2look", self.part.document)

    def read(self) -> None:
        lines = self.part.lines
        for line in lines:
            text = line.strip()
            if text.startswith("--"):
                if self.by_db2look and _DB2LOOK.search(text):
                    lines.back()  # the DDL of another database
                    break
                self.about(text)
            elif match := _statement(line):
                self.say_skipped(lines.number)
                self.statement(line, match)
            elif text:
                format = None if self.inside or _CONNECT.match(text) else self.part.starts(line)
                if format and self.by_db2look and format in commands.FORMATS:  # db2look -f writes the settings
                    lines.back()
                    commands.take_commands(self.part)
                    continue
                if format and format not in FORMATS:
                    lines.back()
                    break
                self.skip(text)
                if self.by_db2look and text.upper().startswith("TERMINATE"):
                    break
        self.say_skipped(lines.number + 1)
        self.flush()

    def about(self, text: str) -> None:
        """A comment, in the language of whoever ran db2look: the server's version follows the database's name."""
        self.by_db2look |= _DB2LOOK.search(text) is not None
        if server := _SERVER.search(text):
            self.report.platform = platform(server[1])
            self.report.level = server[2]
            name = self.comment.rpartition(":")[2].strip()
            self.report.database = name.upper() if _DATABASE.fullmatch(name) else None
        self.comment = text

    def skip(self, text: str) -> None:
        """A statement that is not parsed; one of db2look's ends only at its terminator."""
        if connect := _CONNECT.match(text):
            name = connect[1].upper()
            if self.report.database not in (None, name):
                self.flush()
                self.report = self.new_report()
            self.report.database = name
        self.skipped = self.skipped or self.part.lines.number
        if self.inside or (self.by_db2look and _OTHER.match(text)):
            self.inside += len(text)
        if text.endswith(_ENDS) or self.inside > LONGEST_STATEMENT:
            self.inside = 0

    def say_skipped(self, number: int) -> None:
        if self.skipped:
            self.part.readings.ignored(self.part.document, self.skipped, number - 1, _SKIPPED)
        self.skipped = self.inside = 0

    def statement(self, line: str, match: re.Match[str]) -> None:
        from lark.exceptions import LarkError

        first = self.part.lines.number
        text = _called(continued(self.part, line), match) if match["prompt"] else self.whole(line)
        if outcome(self.part).failed:
            return self.ignore(first, "failed")
        if len(text) > LONGEST_STATEMENT:
            return self.ignore(first, f"a statement of more than {LONGEST_STATEMENT} characters")
        try:
            statements = _grammar().parse(text.rstrip(" \t\n\"';@~!") if match["prompt"] else text.rstrip(" \t\n;@~!"))
        except LarkError:
            return self.ignore(first, "is not understood as a statement of Db2")
        for statement in statements.children:
            why = self.use(statement) if not isinstance(statement, str) else None
            if why:
                self.ignore(first, why)
        if len(self.objects) >= MOST_OBJECTS:
            self.flush()
        return None

    def ignore(self, first: int, why: str) -> None:
        self.part.readings.ignored(self.part.document, first, self.part.lines.number, why)

    def whole(self, line: str) -> str:
        """The lines of a statement up to its terminator, or up to another's begin.

        Where people wrote it the terminator may be missing: then another format may start behind an empty line.
        Clauses of db2look on lines of their own look like columns of a listing, so there nothing else is looked for.
        """
        parts, length = [line], len(line)
        while not parts[-1].rstrip().endswith(_ENDS) and length <= LONGEST_STATEMENT:
            following = next(self.part.lines, None)
            if following is None:
                break
            after_gap = not self.by_db2look and not parts[-1].strip()
            if is_message(following) or _starts(following, "") or (after_gap and self.part.starts(following)):
                self.part.lines.back()
                break
            parts.append(following)
            length += len(following)
        return "\n".join(parts)

    def use(self, statement: "Tree[Token]") -> str | None:
        """Take over what a statement says; gives why it cannot be used."""
        clauses = [item for item in statement.children if not isinstance(item, str)]
        name = next((_name(clause) for clause in clauses if clause.data == "name"), "")
        match statement.data:
            case "pool" | "space":
                return self.define(str(statement.data), name, clauses)
            case "group":
                members = list(_members(clauses))
                for member in members:
                    self.give("group", {"name": name, "member": str(member), "in_use": "Y"})
                return None if members else "the numbers of its partitions are not possible"
            case "storage_group":
                for path in _texts(statement):
                    self.give("path", {"group": name, "path": path})
                return None
            case "group_on_all":
                return "ON ALL does not say which partitions these are"
            case "storage":
                return "the paths of automatic storage are without the name of a storage group"
        return "says nothing that the catalog shows"

    def define(self, kind: str, name: str, clauses: "list[Tree[Token]]") -> str | None:
        if kind == "pool" and any(clause.data == "member" for clause in clauses):
            return "the size of a pool on one member stands under the pool's number, which DDL does not have"
        facts = self.objects.setdefault((kind, name), {"name": name})
        page_size = next((size for clause in clauses if clause.data == "pagesize" and (size := _bytes(clause))), None)
        known = page_size or int(facts.get("pagesize", "0"))
        said = {fact: value for fact, value in _facts(clauses, known) if fact in _SECTIONS[kind].gives}
        facts.update(said)
        why = None
        for clause in clauses:
            if clause.data == "containers":
                why = self.containers(name, said.get("managed") == "SYSTEM", clause, known) or why
        return why or (None if said else "says nothing that the catalog shows")

    def containers(self, space: str, paths: bool, clause: "Tree[Token]", page_size: int) -> str | None:
        parts = [item for item in clause.children if not isinstance(item, str)]
        members = [str(member) for member in _members(parts)] or [""]
        for number, container in enumerate(part for part in parts if part.data == "container"):
            tokens = [item for item in container.children if isinstance(item, str)]
            (path,) = _texts(container)
            if "$N" in path:
                return "the names of its containers are expressions"
            pages = next((_pages(part, page_size) for part in container.find_data("amount")), None)
            facts = {
                "space": space,
                "number": str(number),
                "kind": "PATH" if paths else str(tokens[0]),
                "path": path,
                "pages": str(pages or ""),
            }
            for member in members:
                self.give("container", facts | {"member": member})
        return None

    def give(self, section: str, facts: dict[str, str]) -> None:
        for source, row in _SECTIONS[section].rows(facts).items():
            if row:
                self.part.readings.row(self.report, source, row)

    def flush(self) -> None:
        for (kind, _), facts in self.objects.items():
            if len(facts) > 1:
                self.give(kind, facts | _type(facts))
        self.objects.clear()


def _called(text: str, match: re.Match[str]) -> str:
    """The statement of a call or behind a prompt, up to the quote that ends it."""
    statement = text[match.end("prompt") :]
    quote = match["prompt"][-1]
    ends = re.search(rf"(?<!\\){quote}", statement) if quote in "\"'" else None
    return statement[: ends.start()].replace(f"\\{quote}", quote) if ends else statement


def _type(facts: dict[str, str]) -> dict[str, str]:
    """Who manages the space: temporary table spaces of automatic storage are directories, all others are files."""
    match facts.get("managed"):
        case "SYSTEM":
            return {"type": "S"}
        case "AUTOMATIC" if facts.get("kind") in ("SYSTEM", "TEMPORARY", "USER"):
            return {"type": "S"}
        case "DATABASE" | "AUTOMATIC":
            return {"type": "D"}
    return {}


def _facts(clauses: "list[Tree[Token]]", page_size: int) -> Iterator[tuple[str, str]]:
    """What the clauses of a statement say, by the names of columns/db2look.csv."""
    for clause in clauses:
        fact = str(clause.data)
        words = [str(item).upper() for item in clause.children if isinstance(item, str)]
        amount = next(clause.find_data("amount"), None)
        match fact:
            case "pagesize":
                if size := _bytes(clause):
                    yield fact, str(size)
            case "cached" | "direct":
                yield "caching", "ON" if fact == "cached" else "OFF"
            case "dbpgname" | "stogroup":
                yield fact, _name(clause.children[-1])
            case "extentsize" | "prefetchsize" if amount:
                if pages := _pages(amount, page_size):
                    yield fact, str(pages)
            case "npages":
                yield fact, words[-1]
            case "kind" | "managed" | "prefetchsize" | "overhead" | "transferrate" | "numblockpages" | "blocksize":
                yield fact, words[0]


def _name(clause: "Tree[Token] | Token") -> str:
    """An identifier as the catalog holds it."""
    text = str(clause if isinstance(clause, str) else clause.children[0])
    return text[1:-1].replace('""', '"').rstrip() if text.startswith('"') else text.upper()


def _texts(clause: "Tree[Token]") -> list[str]:
    texts = [str(item) for item in clause.children if isinstance(item, str)]
    return [text[1:-1].replace("''", "'") for text in texts if text.startswith("'")]


def _bytes(clause: "Tree[Token]") -> int | None:
    """A page size in bytes."""
    amount = next(clause.find_data("amount"))
    size = _number(amount) * (_BYTES[str(amount.children[1]).upper()] if len(amount.children) > 1 else 1)
    return size if size in _PAGE_SIZES else None


def _pages(amount: "Tree[Token]", page_size: int) -> int | None:
    """An amount of storage in pages: a number without a unit counts pages already."""
    if len(amount.children) == 1:
        return _number(amount) or None
    return _number(amount) * _BYTES[str(amount.children[1]).upper()] // page_size if page_size else None


def _number(clause: "Tree[Token]", place: int = 0) -> int:
    text = str(clause.children[place])
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _members(clauses: "list[Tree[Token]]") -> Iterator[int]:
    """The members that ranges such as 0 TO 3 name; Db2 has numbers up to 999."""
    for clause in clauses:
        if clause.data == "range":
            first, last = _number(clause), _number(clause, -1)
            if first <= last < 1000:
                yield from range(first, last + 1)


def _read(part: Part) -> None:
    _Reader(part).read()


FORMATS = (Format("db2look", _starts, _read),)
