"""Refusals at the installation: each statement in turn, with the SQLCODEs that a real server could give.

``python -m tools.trials.refusals [EVERY [FIRST]]`` refuses each statement outside the core on the fake server, or every
EVERY-th one, beginning with number FIRST, installs the few rules of the wire tests and calls TUNE.ADVISE. It prints
the statements after which no list is returned, and their share. ``python -m tools.trials.refusals views`` lets each
computed view fail at a run instead.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from click.testing import Result

from advisor.install.compiled import compute_view
from advisor.install.loading import KEPT, list_steps
from advisor.install.statement import COMMIT
from advisor.install.statements import install_statements
from tests.standin.errors import Db2Error
from tests.standin.session import Session
from tests.support.paths import CAPTURES
from tests.wire.conftest import Server, few_rules, standin

CODES = {
    "SQL0104N": Db2Error(-104, "42601", "X", "Y", "Z"),
    "SQL0440N": Db2Error(-440, "42884", "X", "FUNCTION"),
    "SQL0101N": Db2Error(-101, "54001"),
    "SQL0204N": Db2Error(-204, "42704", "X"),
}


@dataclass(frozen=True)
class Listed:
    """What TUNE.ADVISE returned: its lines, its rules, the rules that did not run, and TUNE.MISSING."""

    lines: list[str]
    rules: set[str]
    not_run: dict[str, str]
    missing: list[tuple[str, str]]


@contextmanager
def refuse(words: Sequence[str], code: str) -> Iterator[None]:
    """Let the fake server refuse each statement of a client that contains one of the ``words``."""
    describe = Session.describe

    def refusing(self: Session, sql: str, scope: Any) -> Any:
        if scope is None and any(word in sql for word in words):
            raise CODES[code]
        return describe(self, sql, scope)

    with patch.object(Session, "describe", refusing):
        yield


def list_advice(server: Server) -> Listed:
    """Call TUNE.ADVISE twice, an interval apart."""
    with server.connect() as connection:
        connection.call("TUNE.ADVISE", [])
        connection.commit()
    server.advance(300)
    with server.connect() as connection:
        _, (text, advice) = connection.call("TUNE.ADVISE", [])
        listed = {str(row[4]).rstrip() for row in advice.rows}
        not_run: dict[str, str] = dict(
            connection.rows("SELECT RULE, REASON FROM TUNE.M_NOT_RUN WHERE REASON IS NOT NULL AND RUN_ID = 2")
        )
        missing = [(kind, name) for kind, name in connection.rows("SELECT KIND, NAME FROM TUNE.MISSING")]
    return Listed([line for (line,) in text.rows], listed, not_run, missing)


def try_statement(text: str, code: str) -> str | None:
    """Refuse a statement, install and ask for advice. Return what went wrong, or None."""
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        with refuse([text], code):
            done = server.tune("install")
        if done.exit_code:
            return done.output.strip().splitlines()[-1]
        try:
            found = list_advice(server)
        except Exception as error:  # the trial goes on with the next statement
            return str(error)
    return None if found.lines else "no lines"


def try_views() -> int:
    """Let each computed view fail at a run, and ask for advice. Print the views without a list after it."""
    failing = "CREATE OR REPLACE PROCEDURE TUNE.C_{} () LANGUAGE SQL MODIFIES SQL DATA SIGNAL SQLSTATE '22003'"
    views = [str(name) for _, _, name in list_steps()]
    failed = 0
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        server.tune("install")
        list_advice(server)
        for view in views:
            server.say(failing.format(view))
            server.advance(300)
            with server.connect() as connection:
                _, (text, _) = connection.call("TUNE.ADVISE", [])
                connection.commit()
            if not text.rows:
                failed += 1
                print(f"no list without {view}", flush=True)
            server.say(compute_view(view, view in KEPT).text)
    print(f"{len(views) - failed} of {len(views)} views can fail at a run and leave a list")
    return 1 if failed else 0


def refuse_each(server: Server, command: Sequence[str], every: int = 1) -> Iterator[tuple[str, Result]]:
    """Run a command that reads the database, and again with every ``every``-th of its statements refused."""
    sent: dict[str, None] = {}
    describe = Session.describe

    def noting(self: Session, sql: str, scope: Any) -> Any:
        if scope is None:
            sent[sql] = None
        return describe(self, sql, scope)

    with patch.object(Session, "describe", noting):
        yield "", server.tune(*command)
    for number, sql in enumerate(list(sent)[::every]):
        with refuse([sql], list(CODES)[number % len(CODES)]):
            yield sql, server.tune(*command)


def main(every: int, first: int) -> int:
    with few_rules():
        tried = [one for one in install_statements() if not one.is_core and one != COMMIT][first::every]
        failed = 0
        for number, statement in enumerate(tried, 1):
            code = list(CODES)[number % len(CODES)]
            if wrong := try_statement(statement.text, code):
                failed += 1
                print(f"{code} for {' '.join(statement.text.split())[:90]}: {wrong}", flush=True)
    print(
        f"{len(tried) - failed} of {len(tried)} refusals leave a working list ({100 - 100 * failed / len(tried):.1f} %)"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["views"]:
        with few_rules():
            sys.exit(try_views())
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(given[0] if given else 1, given[1] if len(given) > 1 else 0))
