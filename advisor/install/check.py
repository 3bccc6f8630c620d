"""Tries the installation, statement by statement, and takes all of it back: what would this server refuse?

Each statement runs under a savepoint. A refused one is undone and the next one tried, so that one attempt shows
everything. Db2 takes DDL back to a savepoint as it does rows (ROLLBACK statement, r0000992); the savepoint has one
name, which moves (SAVEPOINT statement, r0003271). What stays over a rollback are settings of the session, which ends.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.install.installer import LOCK_TIMEOUT_S, may_install
from advisor.install.origins import made, origin
from advisor.install.statements import Statement, install_statements, script

CHECK_TITLE = "Tries the installation and takes it back. After CONNECT: db2 -td@ -f tune-check.sql > tune-check.txt"

_SAVEPOINT = "SAVEPOINT TUNE_CHECK ON ROLLBACK RETAIN CURSORS"
_BACK = "ROLLBACK TO SAVEPOINT TUNE_CHECK"
_GOES_ON = ("UPDATE COMMAND OPTIONS USING C OFF", "UPDATE COMMAND OPTIONS USING S OFF")
_UNDEFINED = ("SQL0204N", "SQL0440N", "SQL0727N")  # a name that is not there; the last one in something that is rebuilt
_INCOMPLETE = "70082"  # what sql/install/complete.sql says where something is missing
_NOT_OURS = "70081"  # what sql/install/owned.sql says: of somebody else's objects each would be refused
NO_ROOM = "57011"  # log or table space full, out of memory: whatever comes next would fail of it, too
_ROLLED_BACK = "40"  # the class of what takes the whole unit of work back


@dataclass(frozen=True)
class Tried:
    """A statement that was tried: its number from 1, how long it took, what was refused and of which earlier one."""

    number: int
    statement: Statement
    source: str
    seconds: float
    failure: Db2Failure | None = None
    follows: int | None = None

    @property
    def ends(self) -> bool:
        """Whether nothing can be tried after it."""
        state = self.failure.sqlstate if self.failure else ""
        return state in {NO_ROOM, _NOT_OURS} or state.startswith(_ROLLED_BACK)


@dataclass(frozen=True)
class Checked:
    """What the trial of ``statements`` showed; ``tried`` are fewer where it had to end."""

    statements: int
    tried: tuple[Tried, ...]

    @property
    def refused(self) -> list[Tried]:
        return [each for each in self.tried if each.failure]


def check(
    connection: Connection,
    tablespace: str | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    own: Sequence[Rule] = (),
) -> Checked:
    """Try the installation, or the upgrade, and take it back.

    Raises UserError where it would not begin, Db2Failure where the connection is lost; then nothing has changed either.
    """
    may_install(connection)
    statements = install_statements(tablespace, own)
    found = []
    for each in trial(connection, statements, own):
        found.append(each)
        done(each.number, len(statements))
    connection.rollback()
    return Checked(len(statements), tuple(found))


def trial(connection: Connection, statements: Iterable[Statement], own: Sequence[Rule] = ()) -> Iterator[Tried]:
    """Each statement run under a savepoint, in a unit of work that the caller rolls back."""
    connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
    refused: dict[str, int] = {}  # the number of the statement that was to create an object
    for number, statement in enumerate(statements, 1):
        connection.execute(_SAVEPOINT)
        begun = monotonic()
        failure = _run(connection, statement)
        source = origin(statement, own, failure.message if failure else "")
        follows = _follows(failure, statement, refused) if failure else None
        each = Tried(number, statement, source, monotonic() - begun, failure, follows)
        yield each
        if each.ends:
            return
        if failure:
            connection.execute(_BACK)
            refused.setdefault(made(statement) or "", follows or number)


def _run(connection: Connection, statement: Statement) -> Db2Failure | None:
    try:
        connection.execute(statement.text)
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return failure
    return None


def _follows(failure: Db2Failure, statement: Statement, refused: dict[str, int]) -> int | None:
    """The earlier refusal that this one is due to: what it lacks was to be created there."""
    if failure.sqlstate == _INCOMPLETE:
        return next(iter(refused.values()), None)
    if failure.id not in _UNDEFINED:
        return None
    told = {token.upper() for token in failure.tokens}
    named = told & refused.keys() or {f"TUNE.{name}" for name in references(statement.text)} & refused.keys()
    return min((refused[name] for name in named), default=None)


def check_script(statements: Sequence[Statement], own: Sequence[Rule] = ()) -> str:
    """The trial for the command line processor: a line before each statement says where it comes from.

    It goes on after errors and commits nothing, whatever its options were (UPDATE COMMAND OPTIONS, r0001975). A refused
    statement undoes itself, so that it needs no savepoint. ECHO shows a line, as in IBM's db2mon.
    """
    lines = [Statement(text) for text in _GOES_ON]
    for number, statement in enumerate(statements, 1):
        lines += [Statement(f"ECHO {number} of {len(statements)}: {origin(statement, own)}"), statement]
    return script(lines, CHECK_TITLE, end="ROLLBACK")
