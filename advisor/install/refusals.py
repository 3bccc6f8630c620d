"""What a server refuses at the installation: each refusal costs only what depends on it."""

from dataclasses import dataclass

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.install.loading import list_steps
from advisor.install.origins import find_created_object
from advisor.install.statement import Statement, run_statement

_AWAY = ("08", "40", "57", "58")  # SQLSTATE classes that no statement causes: connection, rollback, resources
_OURS = "70"  # checks of the installation itself
_REASON = 1000  # bytes that TUNE.MISSING keeps
_INSERT = "INSERT INTO TUNE.MISSING (RUN_ID, KIND, NAME, REASON) VALUES (0, ?, ?, ?)"


@dataclass(frozen=True)
class Refusal:
    """A refused statement: KIND and NAME as in TUNE.MISSING, and Db2's message."""

    kind: str
    name: str
    reason: str


class Refusals:
    """The refusals of one installation."""

    def __init__(self) -> None:
        self.found: list[Refusal] = []
        self._kinds = {str(name): str(kind) for _, kind, name in list_steps()}

    def run(self, connection: Connection, statement: Statement) -> None:
        """Run a statement. Raise Db2Failure if it is of the core, or if the connection or a resource is lost."""
        try:
            run_statement(connection, statement)
        except Db2Failure as failure:
            if statement.is_core or failure.dropped or failure.sqlstate.startswith((*_AWAY, _OURS)):
                raise
            if statement.each:
                for each in statement.each:
                    self.run(connection, each)
            else:
                self.found.append(self._describe(statement, failure))
                self._drop_old(connection, statement)

    def write(self, connection: Connection) -> None:
        """Write the first refusal of each name to TUNE.MISSING: the others follow from it."""
        for each in {each.name: each for each in reversed(self.found)}.values():
            connection.execute(_INSERT, [each.kind, each.name, each.reason])

    def _describe(self, statement: Statement, failure: Db2Failure) -> Refusal:
        reason = str(failure).encode()[:_REASON].decode(errors="ignore")
        if statement.rule:
            return Refusal("rule", statement.rule, reason)
        created = (find_created_object(statement) or "").removeprefix("TUNE.")
        name = created[2:] if created[:2] in ("C_", "M_", "X_") else created
        name = name.removeprefix("M_") or " ".join(statement.text.split())[:100]
        return Refusal(self._kinds.get(name, "object"), name, reason)

    @staticmethod
    def _drop_old(connection: Connection, statement: Statement) -> None:
        """Drop the view or procedure of an earlier version that the refused statement would have replaced."""
        created = find_created_object(statement)
        kind = next(
            (kind for kind in ("VIEW", "PROCEDURE") if statement.text.startswith(f"CREATE OR REPLACE {kind} ")), None
        )
        if created and kind:
            try:
                connection.execute(f"DROP {kind} {created}")
            except Db2Failure as failure:
                if failure.dropped or failure.sqlstate.startswith(_AWAY):
                    raise
