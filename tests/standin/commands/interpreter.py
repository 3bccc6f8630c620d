"""Effects of db2tune's own commands on a state: the state changes as Db2 would change the database.

The grammar, commands.lark, accepts only the part of Db2's syntax that the rules print. Text that Db2 would not parse,
or that names a missing object, raises an error. Actions and undo commands are one language.

The state afterwards is the one after an activation of the database and a restart of the instance. Counters keep their
values, so a rule that is silent afterwards is silent because the setting is right. One exception: when the last table
leaves a table space, the table space's traffic is removed.

The ranges of configuration parameters are those of the contract; a row of ranges.csv replaces one that the contract
cannot express. ALSO is a value outside of the range that Db2 accepts. FROM is the first level with the range. With
ARCHIVED it needs archive logging.
"""

import csv
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree, v_args
from lark.exceptions import GrammarError, LarkError

from advisor.catalogue.sources import all_sources
from tests.standin.commands.host import Host, facts_of
from tests.standin.commands.indexes import IndexCommands
from tests.standin.commands.storage import Row, State, StorageCommands

CONTRACT = Path(__file__).parents[2] / "contract"

Range = tuple[float, float, str]


@cache
def _contract() -> dict[tuple[str, str], Range]:
    found = {}
    with (CONTRACT / "config_params.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                found[row["scope"], row["name"]] = float(row["min"]), float(row["max"]), ""
            except ValueError:
                continue  # words, no limit, or one that depends on the machine
    return found


@cache
def _replaced() -> list[dict[str, str]]:
    with Path(__file__).with_name("ranges.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def find_range(scope: str, name: str, level: tuple[int, ...], archived: bool) -> Range | None:
    """Return the least and the most value, and a value that is also accepted; None for a parameter without numbers."""
    for row in _replaced():
        since = tuple(int(part) for part in row["FROM"].split(".")) if row["FROM"] else ()
        if (row["SCOPE"], row["NAME"]) == (scope, name) and level >= since and (archived or not row["ARCHIVED"]):
            return float(row["MIN"]), float(row["MAX"]), row["ALSO"]
    return _contract().get((scope, name))


def is_accepted(value: str, allowed: Range) -> bool:
    """Return whether Db2 accepts a value; words are not numbers and are not checked."""
    least, most, also = allowed
    try:
        return value == also or least <= float(value) <= most
    except ValueError:
        return True


LOG_SUFFIX = re.compile(r"[/\\]NODE\d+(?:[/\\]LOGSTREAM\d+)?[/\\]?$")
SAVE_MAP = re.compile(r"db2gpmap -d .+ -m .+ -g .+$")


def is_command(line: str) -> bool:
    """Whether a line of an action is a command, and not text for a person."""
    return not line.startswith("-- ")


@cache
def printed() -> Lark:
    """Return the grammar of the commands that the rules print."""
    return Lark.open(str(Path(__file__).parent / "commands.lark"), parser="lalr", maybe_placeholders=True)


def parse_command(line: str) -> Tree[Token]:
    """Return the tree of a command. Raise GrammarError with the command and the file that lacks it."""
    try:
        tree = printed().parse(line)
    except LarkError as error:
        raise GrammarError(f"tests/standin/commands/commands.lark does not accept: {line}\n{error}") from error
    if not hasattr(Interpreter, tree.data):
        raise GrammarError(
            f"tests/standin/commands/storage.py or interpreter.py: add the method {tree.data} for: {line}"
        )
    return tree


class Interpreter(IndexCommands[State], StorageCommands[State]):
    """Carries out commands on a state, which it changes. Its methods are named as in the grammar."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.maps: dict[str, list[Row]] = {}
        self.host: str | None = None  # where commands of the operating system are typed

    def carry_out(self, line: str) -> None:
        """Carry out one line. Of text for a person only saving a partition map leaves a trace, its file."""
        if is_command(line) and (facts := facts_of(line)) is not None:
            Host(self.rows, self.host).carry_out(facts)
        elif is_command(line):
            self.transform(parse_command(line))
        elif saved := SAVE_MAP.search(line):
            *_, file, _, group = shlex.split(saved[0])
            rows = [*self._all("partition_group", DBPGNAME=group), *self._all("partition_map", DBPGNAME=group)]
            self.maps[file] = [dict(row) for row in rows]

    # words

    def ID(self, token: Token) -> str:  # noqa: N802 -- terminals are upper case
        return token[1:-1].replace('""', '"')

    def STRING(self, token: Token) -> str:  # noqa: N802
        return token[1:-1].replace("''", "'")

    def INT(self, token: Token) -> int:  # noqa: N802
        return int(token)

    def NUMBER(self, token: Token) -> float:  # noqa: N802
        return float(token)

    def NULL(self, _: Token) -> None:  # noqa: N802
        return None

    def INHERIT(self, _: Token) -> int:  # noqa: N802
        return -1

    def SIZED(self, token: Token) -> Any:  # noqa: N802
        return int(token[:-1]), token[-1]

    def first(self, children: list[Any]) -> Any:
        return children[0]

    def every(self, children: list[Any]) -> list[Any]:
        return list(children)

    pages = argument = database = member = group = first
    strings = places = container = every

    def kilo(self, children: list[Token]) -> int:
        return 1024 * int(children[0].rstrip(" K"))

    def amount(self, children: list[Any]) -> tuple[int, str]:
        return children[0] if isinstance(children[0], tuple) else (children[0], "".join(children[1:]))

    def containers(self, children: list[Any]) -> tuple[list[Any], list[int] | None]:
        return children[:-1], children[-1]

    def fixed(self, children: list[int]) -> tuple[int, bool]:
        return children[0], False

    def automatic(self, _: list[Any]) -> tuple[None, bool]:
        return None, True

    def automatic_from(self, children: list[int]) -> tuple[int, bool]:
        return children[0], True

    def setting(self, children: list[Any]) -> tuple[str, tuple[str | None, bool]]:
        return str(children[0]), children[1]

    def value(self, children: list[Any]) -> tuple[str | None, bool]:
        if len(children) == 1:
            return None, True
        return str(children[0]), children[1] is not None

    # buffer pools

    @v_args(inline=True)
    def alter_pool(self, name: str, member: int | None, size: tuple[int | None, bool]) -> None:
        catalog, (pages, automatic) = self._one("cat_bufferpool", BPNAME=name), size
        stored = -2 if automatic else pages
        pools = self._all("bufferpool", BP_NAME=name)
        if member is None:
            catalog["NPAGES"] = stored
            exceptions = self._all("cat_bufferpool_exception", BUFFERPOOLID=catalog["BUFFERPOOLID"])
            apart = {row["DBPARTITIONNUM"] for row in exceptions}
            pools = [row for row in pools if row["MEMBER"] not in apart]
        else:
            key = {"BUFFERPOOLID": catalog["BUFFERPOOLID"], "DBPARTITIONNUM": member}
            self._remove("cat_bufferpool_exception", **key)
            if stored != catalog["NPAGES"]:  # the same size on all members needs no exception
                self._add("cat_bufferpool_exception", **key, NPAGES=stored)
            pools = [row for row in pools if row["MEMBER"] == member]
        for row in pools:
            row["AUTOMATIC"] = int(automatic)
            row["BP_CUR_BUFFSZ"] = self._buffpage(row) if pages == -1 else pages or row["BP_CUR_BUFFSZ"]

    @v_args(inline=True)
    def alter_blocks(self, name: str, pages: int, block: int | None) -> None:
        pool = self._one("cat_bufferpool", BPNAME=name)
        pool["NUMBLOCKPAGES"], pool["BLOCKSIZE"] = pages, (block or pool["BLOCKSIZE"] or 32) if pages else 0

    @v_args(inline=True)
    def create_pool(
        self,
        name: str,
        size: tuple[int | None, bool],
        page_size: int | None,
        blocked: int | None = None,
        block: int | None = None,
    ) -> None:
        self._none("cat_bufferpool", BPNAME=name)
        pages, automatic = size
        number = 1 + max(row["BUFFERPOOLID"] for row in self.rows["cat_bufferpool"])
        self._add("cat_bufferpool", BPNAME=name, BUFFERPOOLID=number, NPAGES=-2 if automatic else pages,
                  PAGESIZE=page_size or 4096, NUMBLOCKPAGES=blocked or 0, BLOCKSIZE=(block or 32) if blocked else 0)  # fmt: skip
        for member in self._members():
            self._add("bufferpool", BP_NAME=name, MEMBER=member, AUTOMATIC=int(automatic), BP_CUR_BUFFSZ=pages or 1000)

    @v_args(inline=True)
    def drop_pool(self, name: str) -> None:
        number = self._one("cat_bufferpool", BPNAME=name)["BUFFERPOOLID"]
        self._none("cat_tablespace", BUFFERPOOLID=number)
        self._remove("cat_bufferpool", BPNAME=name)
        self._remove("cat_bufferpool_exception", BUFFERPOOLID=number)
        self._remove("bufferpool", BP_NAME=name)

    # configuration

    @v_args(inline=True)
    def update_db(self, database: str, member: int | None, *settings: tuple[str, tuple[str | None, bool]]) -> None:
        self._check_database(database)
        self._check_ranges("db", settings)
        for name, value in settings:
            for row in self._settings("dbcfg", "LOGPATH" if name.upper() == "NEWLOGPATH" else name):
                if member in (None, row["MEMBER"]):
                    _set(row, *value)
        for pool in self._all("cat_bufferpool", NPAGES=-1):
            for row in self._all("bufferpool", BP_NAME=pool["BPNAME"]):
                row["BP_CUR_BUFFSZ"] = self._buffpage(row)

    @v_args(inline=True)
    def attach(self, _: str) -> None:
        """Attach to the instance: the state is the one after a restart, so it does not change."""

    def detach(self, _: list[Any]) -> None:
        """Detach from the instance."""

    @v_args(inline=True)
    def update_dbm(self, *settings: tuple[str, tuple[str | None, bool]]) -> None:
        self._check_ranges("dbm", settings)
        for name, value in settings:
            for row in self._settings("dbmcfg", name):
                _set(row, *value)

    def _check_database(self, name: str) -> None:
        """Refuse the name of another database."""
        own = (getattr(self.state, "database", None) or {}).get("name")
        if own and name.strip('"').upper() != own.upper():
            raise ValueError(f"SQL1013N {name}")

    def _check_ranges(self, scope: str, settings: tuple[tuple[str, tuple[str | None, bool]], ...]) -> None:
        """Refuse values outside of the range of their parameter."""
        methods = [row for row in self.rows.get("dbcfg", []) if row["NAME"].lower() in ("logarchmeth1", "logarchmeth2")]
        archived = any(row["VALUE"] not in (None, "", "OFF") for row in methods)
        for name, (value, _) in settings:
            allowed = find_range(scope, name.lower(), self._level(), archived)
            if value is not None and allowed is not None and not is_accepted(value, allowed):
                self._refuse(name, *allowed)

    def _level(self) -> tuple[int, ...]:
        """Return the level of the state; the newest if it has none."""
        level = (getattr(self.state, "database", None) or {}).get("level")
        return tuple(int(part) for part in level.split(".")) if level else (99,)

    def _refuse(self, name: str, least: float, most: float, _: str) -> None:
        raise ValueError(f"SQL5130N {name} is not in the range {least:g} to {most:.0f}")

    def _settings(self, source: str, name: str) -> list[Row]:
        rows = [row for row in self.rows[source] if row["NAME"].upper() == name.upper()]
        if not rows:
            raise ValueError(f"no configuration parameter {name}")
        return rows

    def _buffpage(self, pool: Row) -> int:
        """The size of a pool that has none of its own."""
        rows = [row for row in self._all("dbcfg", MEMBER=pool["MEMBER"]) if row["NAME"].lower() == "buffpage"]
        return int(rows[0]["VALUE"]) if rows else int(pool["BP_CUR_BUFFSZ"])

    @v_args(inline=True)
    def set_variable(self, name: str, value: str | None, _: str | None, member: int | None) -> None:
        if name.upper() == "DB2_LARGE_PAGE_MEM":
            before = [row["REG_VAR_VALUE"] for row in self._all("registry", REG_VAR_NAME=name.upper())]
            Host(self.rows, self.host).use_large_pages(before[0] if before else None, value)
        for number in self._members() if member is None else [member]:
            self._remove("registry", REG_VAR_NAME=name.upper(), MEMBER=number)
            if value is not None:
                self._add("registry", REG_VAR_NAME=name.upper(), MEMBER=number, REG_VAR_VALUE=str(value),
                          REG_VAR_ON_DISK_VALUE=str(value), IS_AGGREGATE=0, AGGREGATE_NAME=None)  # fmt: skip

    # members and their data

    @v_args(inline=True)
    def restart(self) -> None:
        """Everything is as after a restart of the instance, so there is nothing left to do."""

    @v_args(inline=True)
    def start_member(self, member: int) -> None:
        self._one("member", MEMBER=member)["STATE"] = "STARTED"
        self.activate()

    def activate(self, *_: Any) -> None:
        """Give each newly active member the rows of the first member, with counters that start at 0."""
        model, *others = self._members()
        for row in self._all("member", STATE="STARTED"):
            if row["MEMBER"] not in (model, *others):
                for name, source in all_sources().items():
                    if name != "member" and "MEMBER" in source.names("key"):
                        self._copy(name, model, row["MEMBER"], source.names("counter"))

    def _copy(self, source: str, model: int, member: int, counters: list[str]) -> None:
        for row in self._all(source, MEMBER=model):
            self.rows[source].append(row | {name: 0 for name in counters if name in row} | {"MEMBER": member})

    @v_args(inline=True)
    def stop_member(self, member: int) -> None:
        self._one("member", MEMBER=member)["STATE"] = "STOPPED"
        for name, source in all_sources().items():
            if name != "member" and "MEMBER" in source.names("key"):
                self._remove(name, MEMBER=member)

    @v_args(inline=True)
    def redistribute(self, group: str) -> None:
        inside = sorted(row["DBPARTITIONNUM"] for row in self._all("partition_group", DBPGNAME=group))
        total = sum(row["BUCKETS"] for row in self._all("partition_map", DBPGNAME=group))
        share, rest = divmod(total, len(inside))
        self._remove("partition_map", DBPGNAME=group)
        for place, member in enumerate(inside):
            self._add("partition_map", DBPGNAME=group, DBPARTITIONNUM=member, BUCKETS=share + (place < rest))
            self._one("partition_group", DBPGNAME=group, DBPARTITIONNUM=member)["IN_USE"] = "Y"

    @v_args(inline=True)
    def redistribute_as(self, group: str, file: str) -> None:
        saved = self.maps[str(file)]
        for source, column in (("partition_group", "IN_USE"), ("partition_map", "BUCKETS")):
            self._remove(source, DBPGNAME=group)
            self.rows[source] += [dict(row) for row in saved if column in row]


def _set(row: Row, value: str | None, automatic: bool) -> None:
    if value == "NULL":  # of a path: none
        row["VALUE"] = row["DEFERRED_VALUE"] = None
        return
    if row["NAME"].lower() in ("logpath", "mirrorlogpath") and value is not None:
        value = _log_path(value, row["VALUE"] or "/NODE0000/LOGSTREAM0000/")
    if value == "COMPUTED":  # the present value stays until the next activation computes one
        row["VALUE_FLAGS"] = row["DEFERRED_VALUE_FLAGS"] = value
        return
    if value is not None:
        row["VALUE"] = row["DEFERRED_VALUE"] = value
    row["VALUE_FLAGS"] = row["DEFERRED_VALUE_FLAGS"] = "AUTOMATIC" if automatic else "NONE"


def _log_path(new: str, old: str) -> str:
    """The log path that follows from NEWLOGPATH: Db2 appends the directories of the member itself."""
    suffix = LOG_SUFFIX.search(old)
    separator = "\\" if "\\" in old else "/"
    return new.rstrip("/\\") + (suffix.group() if suffix else separator if old.endswith(separator) else "")
