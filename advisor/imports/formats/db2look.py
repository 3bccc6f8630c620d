"""``db2look``, or DDL that people wrote: storage, tables, indexes and their statistics.

Statements that define storage (ddl.py), tables and indexes (table_ddl.py) and updates of statistics
(statistics_updates.py) are parsed, one at a time; all others are skipped. Statements on one object are combined. A
value that a statement leaves to a default is absent.
"""

import re
from collections.abc import Iterator
from functools import lru_cache, partial

from advisor.imports.commands import is_message, join_continuation, outcome
from advisor.imports.ddl import ALL, Amount, Containers, Statement, parse
from advisor.imports.formats import commands
from advisor.imports.labels import sections
from advisor.imports.reader import Format, Part
from advisor.imports.readings import DDL, Report
from advisor.imports.sources import ALTERED_SPACE
from advisor.imports.sql_words import NotUnderstoodError, parse_name
from advisor.imports.table_objects import MOST_OBJECTS, NOTHING, TableObjects
from advisor.imports.values import platform

LONGEST_STATEMENT = 1 << 16
MOST_LINES = 1 << 12  # of a statement in memory

_SECTIONS = sections("db2look")
_STATEMENT = re.compile(
    r"\s*(?P<prompt>(?:(?:db2\s*=>|.{0,60}?[$#%>])\s*)?(?:db2\s+(?:[-+]\w+\s+)*[\"']?)?)(?:"
    r"(?:CREATE|ALTER)\s+(?P<named>(?:(?:LARGE|LONG|REGULAR|USER|SYSTEM)\s+)?(?:TEMPORARY\s+)?"
    r"(?:BUFFERPOOL|TABLESPACE|STOGROUP|NODEGROUP|DATABASE\s+PARTITION\s+GROUP))"
    r"|ALTER\s+DATABASE\s+(?:\w+\s+)?ADD\s+STORAGE"
    r"|(?P<table>(?:CREATE|ALTER)\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX|UPDATE\s+\"?SYSSTAT"
    r"|CREATE\s+(?:OR\s+REPLACE\s+)?(?:VIEW|ALIAS)))\b",
    re.IGNORECASE,
)
_DB2LOOK = re.compile(r"DB2LOOK\D{0,30}\d")
_SERVER = re.compile(r"DB2/(\w{1,20})\D{1,30}(\d{1,2}(?:\.\d{1,3}){1,3})")
_CONNECT = re.compile(r"CONNECT\s+TO\s+\"?([\w@#$]{1,8})\b", re.IGNORECASE)
_USER = re.compile(r"CONNECT\s+TO\s+\S+\s+USER\s+(\w+)", re.IGNORECASE)
_SCHEMA = re.compile(r"SET\s+(?:CURRENT\s+)?SCHEMA\s*=?\s*(\"[^\"]+\"|[\w#@$]+)\s*\W?$", re.IGNORECASE)
_DATABASE = re.compile(r"[\w@#$]{1,8}")
_OTHER = re.compile(
    r"(?:ALTER|CALL|COMMENT|COMMIT|CONNECT|CREATE|DELETE|DROP|GRANT|INSERT|MERGE|RENAME|REVOKE|RUNSTATS|SET|TRANSFER|UPDATE)\b",
    re.IGNORECASE,
)
_FREQUENT = re.compile(r"(?:COMMENT|CREATE|GRANT|REVOKE|SET)\b")  # they start no other format
_QUOTES = {quote: re.compile(rf"(?<!\\){quote}") for quote in "\"'"}  # the end of a quoted call
_ENDS = (";", "@", "~", "!")
_MARKS = ("CREATE", "ALTER", "SYSSTAT", "DB2LOOK", "SQL", "DB20", "DB21", "DBI")
_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_PAGE_SIZES = {4096, 8192, 16384, 32768}
_SKIPPED = "statements that define no storage, table or index"


def _starts(line: str, previous: str) -> bool:
    if line.lstrip().startswith("--"):
        return "DB2LOOK" in line and _DB2LOOK.search(line) is not None
    return _statement(line) is not None


@lru_cache(16)  # needed again to read it, and at the end of the statement before it
def _statement(line: str) -> re.Match[str] | None:
    upper = line.upper()
    return _STATEMENT.match(line) if "CREATE" in upper or "ALTER" in upper or "SYSSTAT" in upper else None


class _Reader:
    """A reader of the DDL of one database."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.report = self.create_report()
        self.objects: dict[tuple[str, str], dict[str, str]] = {}
        self.spaces: dict[str, list[dict[str, str]]] = {}  # containers of table spaces created here
        self.groups: dict[str, list[str]] = {}  # paths of storage groups
        self.changed: set[str] = set()  # those whose paths were added or dropped: a rebalance may be needed
        self.tables = TableObjects()
        self.comment = ""  # the previous one
        self.by_db2look = False
        self.inside = 0  # characters so far of a skipped statement
        self.skipped = 0  # the first skipped line

    def create_report(self) -> Report:
        return self.part.report(DDL)

    def read(self) -> None:
        lines = self.part.lines
        for line in lines:
            text = line.strip()
            if text.startswith("--"):
                if self.by_db2look and _DB2LOOK.search(text):
                    lines.push_back()  # the DDL of another database
                    break
                self.read_comment(text)
            elif match := _statement(line):
                self.say_skipped(lines.number)
                self.statement(line, match)
            elif text:
                own = self.inside or _CONNECT.match(text) or (self.by_db2look and _FREQUENT.match(text))
                format = None if own else self.part.starts(line)
                if format and self.by_db2look and format in commands.FORMATS:  # db2look -f writes the settings
                    lines.push_back()
                    commands.take_commands(self.part)
                    continue
                if format and format not in FORMATS:
                    lines.push_back()
                    break
                self.skip(text)
                if self.by_db2look and text.upper().startswith("TERMINATE"):
                    break
        self.say_skipped(lines.number + 1)
        self.flush()

    def read_comment(self, text: str) -> None:
        """Read a comment, in the language of the db2look user: the server's version follows the database's name."""
        self.by_db2look |= _DB2LOOK.search(text) is not None
        if server := _SERVER.search(text):
            self.report.platform = platform(server[1])
            self.report.level = server[2]
            name = self.comment.rpartition(":")[2].strip()
            self.report.database = name.upper() if _DATABASE.fullmatch(name) else None
        self.comment = text

    def skip(self, text: str) -> None:
        """Skip a statement that is not parsed; one of db2look's ends only at its terminator."""
        if connect := _CONNECT.match(text):
            name = connect[1].upper()
            if self.report.database not in (None, name):
                self.flush()
                self.report = self.create_report()
            self.report.database = name
            if user := _USER.match(text):
                self.tables.schema = user[1].upper()
        elif schema := _SCHEMA.match(text):
            self.tables.schema = parse_name(schema[1])
        self.skipped = self.skipped or self.part.lines.number
        if self.inside or (self.by_db2look and _OTHER.match(text)):
            self.inside += len(text)
        if text.endswith(_ENDS) or self.inside > LONGEST_STATEMENT:
            self.inside = 0

    def say_skipped(self, number: int) -> None:
        if self.skipped:
            self.part.ignore(_SKIPPED, self.skipped, number - 1)
        self.skipped = self.inside = 0

    def statement(self, line: str, match: re.Match[str]) -> None:
        first = self.part.lines.number
        text = _strip_call(join_continuation(self.part, line), match) if match["prompt"] else self.join_statement(line)
        if outcome(self.part).failed:
            return self.ignore(first, "failed")
        if len(text) > LONGEST_STATEMENT:
            return self.ignore(first, f"a statement of more than {LONGEST_STATEMENT} characters")
        text = text.rstrip(" \t\n;@~!")
        try:
            if match["table"]:
                reasons = [self.tables.use(text)]
            else:
                reasons = [self.use(item) for item in parse(text.rstrip(" \t\n\"';@~!") if match["prompt"] else text)]
        except NotUnderstoodError:
            return self.ignore(first, "is not understood as a statement of Db2")
        for why in filter(None, reasons):
            self.ignore(first, why)
        if len(self.objects) >= MOST_OBJECTS or self.tables.are_many:
            self.flush()
        return None

    def ignore(self, first: int, why: str) -> None:
        self.part.ignore(why, first)

    def join_statement(self, line: str) -> str:
        """Return the lines of a statement up to its terminator, or up to the beginning of another.

        In people's DDL the terminator may be missing: then another format may start after an empty line. Clauses of
        db2look on lines of their own look like columns of a listing, so no other format is searched there.
        """
        if self.by_db2look and not line.rstrip().endswith(_ENDS):
            rest = self.part.lines.find_end(_ENDS, MOST_LINES)
            text = "\n".join((line, *rest))
            if rest and len(text) <= LONGEST_STATEMENT and not _may_be_two(text, len(line)):  # the usual case
                self.part.lines.take_lines(len(rest))
                return text
        parts, length = [line], len(line)
        while not parts[-1].rstrip().endswith(_ENDS) and length <= LONGEST_STATEMENT:
            following = next(self.part.lines, None)
            if following is None:
                break
            after_gap = not self.by_db2look and not parts[-1].strip()
            if is_message(following) or _starts(following, "") or (after_gap and self.part.starts(following)):
                self.part.lines.push_back()
                break
            parts.append(following)
            length += len(following)
        return "\n".join(parts)

    def use(self, statement: Statement) -> str | None:
        """Use a statement; return the reason why it cannot be used."""
        match statement.what:
            case "pool" | "space":
                return self.define(statement)
            case "group":
                members = list(_members(statement.members))
                for member in members:
                    self.give("group", {"name": statement.name, "member": str(member), "in_use": "Y"})
                return None if members else "its partition numbers are not valid"
            case "storage_group":
                return self.paths(statement)
            case "group_on_all":
                return "ON ALL does not list the partitions"
        return "the paths of automatic storage have no name of a storage group"

    def paths(self, statement: Statement) -> str | None:
        """Set the paths of a storage group; its media attributes apply to all known paths."""
        known = self.groups.setdefault(statement.name, [])
        if not statement.is_new and statement.paths:
            self.changed.add(statement.name)
        for action, path in statement.paths:
            if action == "DROP":  # in use until table spaces have left it
                self.give("path", {"group": statement.name, "path": path, "state": action})
            elif path not in known:
                known.append(path)
        media = {name: value for name, value in statement.words.items() if name in ("overhead", "rate")}
        new = [path for action, path in statement.paths if action == "ADD"]
        for path in known if media else new:
            self.give("path", {"group": statement.name, "path": path, **media})
        return None if statement.paths or (media and known) else NOTHING

    def define(self, statement: Statement) -> str | None:
        kind, name = statement.what, statement.name
        if statement.on_one_member and kind == "pool":
            return "the size of a pool on one member is listed under the pool's number, which DDL does not have"
        if statement.is_new:  # created again, perhaps by a script that ran again
            self.objects.pop((kind, name), None)
            self.spaces.pop(name if kind == "space" else "", None)
        facts = self.objects.setdefault((kind, name), {"name": name})
        size = _page_size(statement.amounts.get("pagesize"))
        known = size or int(facts.get("pagesize", "0"))
        said = {fact: value for fact, value in _facts(statement, known) if fact in _SECTIONS[kind].gives}
        facts.update(said)
        why = None
        for listed in statement.containers:
            if listed.action == "USING":
                why = self.containers(name, said.get("managed") == "SYSTEM", listed, known) or why
            else:
                self.alter(name, listed, known)
        return why or (None if said or statement.containers else NOTHING)

    def containers(self, space: str, paths: bool, listed: Containers, page_size: int) -> str | None:
        """Set the containers of a new table space, on some members or on all."""
        made = self.spaces.setdefault(space, [])
        for number, (kind, path, amount) in enumerate(listed.items):
            if "$N" in path:
                return "the names of its containers are expressions"
            facts = {
                "space": space,
                "number": str(number),
                "kind": "PATH" if paths else kind,
                "path": path,
                "pages": str(_pages(amount, page_size) or ""),
            }
            made += [facts | {"member": str(member)} for member in _members(listed.members)] or [facts | {"member": ""}]
        return None

    def alter(self, space: str, listed: Containers, page_size: int) -> None:
        """Change the containers of a table space created here; for others, record only that they changed."""
        made = self.spaces.get(space)
        if made is None or len({container["member"] for container in made}) > 1 or listed.members:
            self.spaces.pop(space, None)
            kind = "SIZE" if listed.action in ("EXTEND", "RESIZE", "REDUCE") else "SET"
            self.part.readings.row(self.create_altered_report(), ALTERED_SPACE, {"TBSP_NAME": space, "WHAT": kind})
            return
        for kind, path, amount in listed.items:
            pages = _pages(amount, page_size)
            if listed.action in ("ADD", "NEW"):
                numbers = [int(container["number"]) for container in made]
                set_of = max((int(container.get("stripe", "0")) for container in made), default=0)
                stripe = {"stripe": str(set_of + (listed.action == "NEW" and path == listed.items[0][1]))}
                number = str(max(numbers, default=-1) + 1)
                facts = {"space": space, "number": number, "kind": kind, "path": path, "pages": str(pages or "")}
                made.append(facts | {"member": ""} | (stripe if set_of or listed.action == "NEW" else {}))
            elif listed.action == "DROP":
                made[:] = [container for container in made if container["path"] != path]
            else:
                for container in made:
                    if path in (ALL, container["path"]):
                        container["pages"] = _resize(container["pages"], listed.action, pages)

    def create_altered_report(self) -> Report:
        """Return a report of its own: it changes earlier values, of this text too."""
        self.flush()
        about = {"database": self.report.database, "level": self.report.level, "platform": self.report.platform}
        found = self.part.report(DDL, command=True, **about)
        self.report = self.part.report(DDL, **about)
        return found

    def add_path_containers(self, facts: dict[str, str]) -> dict[str, str]:
        """Create a container on each path of the storage group, for a table space of automatic storage.

        db2look writes the current paths, not those at creation.
        """
        group, made = facts.get("stogroup", ""), facts.get("managed") == "AUTOMATIC" and not self.by_db2look
        if not made or group not in self.groups or group in self.changed:
            return {}
        return {"containers": str(len(self.groups[group]))}

    def give(self, section: str, facts: dict[str, str]) -> None:
        for source, row in _SECTIONS[section].rows(facts).items():
            if row:
                self.part.readings.row(self.report, source, row)

    def flush(self) -> None:
        self.tables.flush(partial(self.part.readings.rows, self.report))
        for (kind, _), facts in self.objects.items():
            if len(facts) > 1:
                self.give(kind, facts | _type(facts) | self.add_path_containers(facts))
        for containers in self.spaces.values():
            for facts in containers:
                self.give("container", facts)
        self.objects.clear()
        self.spaces.clear()


def _may_be_two(text: str, begin: int) -> bool:
    """Return whether a text may contain another statement or a message after its first line."""
    rest = text[begin:].upper()
    return any(mark in rest for mark in _MARKS)


def _strip_call(text: str, match: re.Match[str]) -> str:
    """Return the statement of a call or after a prompt, up to the closing quote."""
    statement = text[match.end("prompt") :]
    quote = match["prompt"][-1]
    ends = _QUOTES[quote].search(statement) if quote in _QUOTES else None
    return statement[: ends.start()].replace(f"\\{quote}", quote) if ends else statement


def _type(facts: dict[str, str]) -> dict[str, str]:
    """Return who manages the space: temporary table spaces of automatic storage are directories, all others files."""
    match facts.get("managed"):
        case "SYSTEM":
            return {"type": "S"}
        case "AUTOMATIC" if facts.get("kind") in ("SYSTEM", "TEMPORARY", "USER"):
            return {"type": "S"}
        case "DATABASE" | "AUTOMATIC":
            return {"type": "D"}
    return {}


def _facts(statement: Statement, page_size: int) -> Iterator[tuple[str, str]]:
    """Return the values of a statement's clauses, by the names of columns/db2look.csv."""
    yield from statement.words.items()
    for fact, amount in statement.amounts.items():
        if fact == "pagesize":
            if size := _page_size(amount):
                yield fact, str(size)
        elif fact == "maxsize":
            yield fact, str(amount[0] * _BYTES[amount[1] or ""])
        elif pages := _pages(amount, page_size):
            yield fact, str(pages)


def _page_size(amount: Amount | None) -> int | None:
    size = amount[0] * _BYTES[amount[1] or ""] if amount else None
    return size if size in _PAGE_SIZES else None


def _pages(amount: Amount | None, page_size: int) -> int | None:
    """Return an amount of storage in pages: a number without a unit already counts pages."""
    if amount is None or amount[1] is None:
        return (amount and amount[0]) or None
    return amount[0] * _BYTES[amount[1]] // page_size if page_size else None


def _resize(before: str, action: str, pages: int | None) -> str:
    """Return the size of a container in pages after an action; empty if unknown."""
    if action == "RESIZE":
        return str(pages or "")
    if not before or pages is None:
        return ""
    return str(int(before) + (pages if action == "EXTEND" else -pages))


def _members(ranges: list[tuple[int, int]]) -> Iterator[int]:
    """Return the members in ranges such as 0 TO 3; Db2 has numbers up to 999."""
    for first, last in ranges:
        if first <= last < 1000:
            yield from range(first, last + 1)


FORMATS = (
    Format(DDL, _starts, lambda part: _Reader(part).read(), ("create", "alter", "db2look", "sysstat"), typed=True),
)
