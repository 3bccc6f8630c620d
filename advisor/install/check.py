"""Trial of the installation, statement by statement, with a rollback at the end.

Each statement runs under a savepoint. Statements of rules and computed views are compiled only: their procedures would
need much log. A rejected one is rolled back and the next one runs, so one attempt finds all
errors. Db2 rolls back DDL to a savepoint like rows (ROLLBACK statement, r0000992). The savepoint keeps its name and
moves (SAVEPOINT statement, r0003271). Only settings of the session remain until it ends.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.install.installer import LOCK_TIMEOUT_S, require_installable
from advisor.install.origins import find_created_object, origin
from advisor.install.statement import COMMIT, Statement, core
from advisor.install.statements import install_statements, script

CHECK_TITLE = "Tries the installation and rolls back. After CONNECT: db2 -td@ -f tune-check.sql > tune-check.txt"

_SAVEPOINT = "SAVEPOINT TUNE_CHECK ON ROLLBACK RETAIN CURSORS"
_BACK = "ROLLBACK TO SAVEPOINT TUNE_CHECK"
_GOES_ON = ("UPDATE COMMAND OPTIONS USING C OFF", "UPDATE COMMAND OPTIONS USING S OFF")
_UNDEFINED = ("SQL0204N", "SQL0440N", "SQL0727N")  # an undefined name; SQL0727N: in an object that Db2 recompiles
_INCOMPLETE = "70082"  # sql/install/schema.sql, complete: an object is missing
_NOT_OURS = "70081"  # sql/install/schema.sql, owned: another user owns the schema
NO_ROOM = "57011"  # log or table space full, out of memory: later statements would fail as well
_ROLLED_BACK = "40"  # the class of errors that roll back the unit of work


@dataclass(frozen=True)
class Tried:
    """A tried statement: its number from 1, seconds, failure, and the earlier failure that caused it."""

    number: int
    statement: Statement
    source: str
    seconds: float
    failure: Db2Failure | None = None
    follows: int | None = None

    @property
    def is_last(self) -> bool:
        """Return whether the trial must end here."""
        state = self.failure.sqlstate if self.failure else ""
        return state in {NO_ROOM, _NOT_OURS} or state.startswith(_ROLLED_BACK)


@dataclass(frozen=True)
class Checked:
    """The result of the trial of ``statements``. ``tried`` is shorter if the trial ended early."""

    statements: int
    tried: tuple[Tried, ...]

    @property
    def rejected(self) -> list[Tried]:
        return [each for each in self.tried if each.failure]


def check(
    connection: Connection,
    tablespace: str | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    own: Sequence[Rule] = (),
    creates: bool = False,
) -> Checked:
    """Try the installation or upgrade, and roll back.

    Raise UserError if it cannot begin, and Db2Failure if the connection is lost. Nothing changes in any case.
    """
    require_installable(connection)
    statements = [one for one in install_statements(tablespace, own, creates) if one != COMMIT]
    found = []
    for each in try_installation(connection, statements, own, _trial):
        found.append(each)
        done(each.number, len(statements))
    connection.rollback()
    return Checked(len(statements), tuple(found))


def _trial(statement: Statement) -> str:
    """Return the text that a check runs."""
    return statement.trial or statement.text


def try_installation(
    connection: Connection,
    statements: Iterable[Statement],
    own: Sequence[Rule] = (),
    text: Callable[[Statement], str] = lambda statement: statement.text,
) -> Iterator[Tried]:
    """Run the ``text`` of each statement under a savepoint. The caller rolls back."""
    connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
    refused: dict[str, int] = {}  # object -> number of the rejected statement that creates it
    for number, statement in enumerate(statements, 1):
        connection.execute(_SAVEPOINT)
        begun = monotonic()
        failure = _run(connection, text(statement))
        source = origin(statement, own, failure.message if failure else "")
        follows = _find_cause(failure, statement, refused) if failure else None
        each = Tried(number, statement, source, monotonic() - begun, failure, follows)
        yield each
        if each.is_last:
            return
        if failure:
            connection.execute(_BACK)
            refused.setdefault(find_created_object(statement) or "", follows or number)


def _run(connection: Connection, text: str) -> Db2Failure | None:
    try:
        connection.execute(text, timeout_s=connection.ddl_timeout_s)
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return failure
    return None


def _find_cause(failure: Db2Failure, statement: Statement, refused: dict[str, int]) -> int | None:
    """Return the earlier rejected statement that would have created a missing object of this one."""
    if failure.sqlstate == _INCOMPLETE:
        return next(iter(refused.values()), None)
    if failure.id not in _UNDEFINED:
        return None
    told = {token.upper() for token in failure.tokens}
    named = told & refused.keys() or {f"TUNE.{name}" for name in references(statement.text)} & refused.keys()
    return min((refused[name] for name in named), default=None)


def check_script(statements: Sequence[Statement], own: Sequence[Rule] = ()) -> str:
    """Return the trial as a script for the command line processor. A line before each statement prints its origin.

    It continues after errors and commits nothing (UPDATE COMMAND OPTIONS, r0001975). A rejected statement has no
    effect, so it needs no savepoint. ECHO prints a line, as in IBM's db2mon.
    """
    lines = [Statement(text) for text in _GOES_ON]
    tried = [one for one in statements if one != COMMIT]
    for number, statement in enumerate(tried, 1):
        lines += [Statement(f"ECHO {number} of {len(tried)}: {origin(statement, own)}"), Statement(_trial(statement))]
    return script(map(core, [*lines, Statement("ROLLBACK")]), CHECK_TITLE)
