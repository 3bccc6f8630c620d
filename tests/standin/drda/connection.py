"""One client's connection: reads request chains, has each command handled, and answers with one reply chain."""

import contextlib
import socket
from collections.abc import Callable
from threading import Lock

from tests.standin.api import Backend
from tests.standin.drda import replies
from tests.standin.drda.codepoints import Code
from tests.standin.drda.faults import LOGGER, reported
from tests.standin.drda.framing import Command, Reply, read_chain, write_chain
from tests.standin.drda.handshake import Handshake
from tests.standin.drda.statements import Statements
from tests.standin.errors import Db2Error, Disconnect

_BEGINNING: dict[int, Callable[[Handshake, Command], list[Reply]]] = {
    Code.EXCSAT: Handshake.exchange_attributes,
    Code.ACCSEC: Handshake.choose_security,
    Code.SECCHK: Handshake.check_password,
    Code.ACCRDB: Handshake.access_database,
}
_WORK: dict[int, Callable[[Statements, Command], list[Reply]]] = {
    Code.PRPSQLSTT: Statements.prepare,
    Code.DSCSQLSTT: Statements.describe,
    Code.EXCSQLIMM: Statements.execute_immediate,
    Code.EXCSQLSTT: Statements.execute,
    Code.EXCSQLSET: Statements.accept,
    Code.OPNQRY: Statements.open,
    Code.CNTQRY: Statements.fetch,
    Code.CLSQRY: Statements.close_cursor,
    Code.RDBCMM: Statements.commit,
    Code.RDBRLLBCK: Statements.rollback,
}
_ASIDE: dict[int, Callable[[Command], list[Reply]]] = {
    Code.SNDPKT: lambda ping: [Reply(Code.PKTOBJ, data) for data in ping.sent(Code.PKTOBJ)],
    Code.GOODBYE: lambda _: [],
}


def _card(_: Command, error: Db2Error) -> list[Reply]:
    return [replies.error_card(error)]


def _open_failed(command: Command, error: Db2Error) -> list[Reply]:
    return replies.open_failed(command.get(Code.RDBNAM), error)


def _access_failed(command: Command, error: Db2Error) -> list[Reply]:
    return replies.access_failed(command.get(Code.RDBNAM), error)


def _commit_failed(_: Command, error: Db2Error) -> list[Reply]:
    return [replies.work_ended(is_committed=False), replies.error_card(error)]


_FAILURES: dict[int, Callable[[Command, Db2Error], list[Reply]]] = {
    Code.OPNQRY: _open_failed,
    Code.ACCRDB: _access_failed,
    Code.RDBCMM: _commit_failed,
    Code.RDBRLLBCK: _commit_failed,
}


class Connection:
    """Serves one socket until the client says goodbye, goes away, or is cut off by ``drop``."""

    def __init__(
        self, client: socket.socket, backend: Backend, interrupt_token: bytes, interrupt: Callable[[bytes], None]
    ) -> None:
        self._client = client
        self._interrupt_other = interrupt
        self._handshake = Handshake(backend, interrupt_token)
        self._statements: Statements | None = None
        self._is_busy = False
        self._lock = Lock()  # so that an interrupt meets the chain that it is meant for, or none

    def serve(self) -> None:
        try:
            with self._client, self._client.makefile("rb") as source:
                while chain := read_chain(source):
                    self._answer(chain)
                    if chain[-1].code == Code.GOODBYE:
                        break
        except (Disconnect, OSError) as fault:
            LOGGER.debug("connection ended: %s", fault)
        finally:
            self._end()

    def drop(self) -> None:
        """Cut the client off without an answer, and end what still runs; safe from any thread."""
        with contextlib.suppress(OSError):
            self._client.shutdown(socket.SHUT_RDWR)
        self.interrupt()

    def interrupt(self) -> None:
        """End the statement that runs now; safe from any thread."""
        with self._lock:
            if self._is_busy and self._handshake.session:
                self._handshake.session.interrupt()

    def _answer(self, chain: list[Command]) -> None:
        self._set_busy(True)
        answers = [(command.correlation, reply) for command in chain for reply in self._handle(command)]
        self._set_busy(False)
        if answers:
            self._client.sendall(write_chain(answers))

    def _set_busy(self, is_busy: bool) -> None:
        with self._lock:
            self._is_busy = is_busy

    def _handle(self, command: Command) -> list[Reply]:
        try:
            return self._dispatch(command)
        except Exception as fault:
            return _FAILURES.get(command.code, _card)(command, reported(fault))

    def _dispatch(self, command: Command) -> list[Reply]:
        LOGGER.debug("command %04x", command.code)
        if command.code in _BEGINNING:
            return _BEGINNING[command.code](self._handshake, command)
        if command.code == Code.INTRDBRQS:
            return self._interrupt_request(command)
        if command.code in _ASIDE:
            return _ASIDE[command.code](command)
        if command.code not in _WORK:
            return [replies.not_supported(command.code)]
        if self._statements is None and self._handshake.session:
            self._statements = Statements(self._handshake.session, self._handshake.order)
        if self._statements is None:
            return [replies.out_of_order()]
        return _WORK[command.code](self._statements, command)

    def _interrupt_request(self, command: Command) -> list[Reply]:
        """A client whose statement takes too long connects once more, to name the connection to interrupt."""
        self._interrupt_other(command.get(Code.RDBINTTKN))
        return [replies.card()]

    def _end(self) -> None:
        """Roll back what the client left open; a session that cannot even do that is only logged."""
        self._set_busy(False)
        session = self._handshake.session
        if session is None:
            return
        try:
            if self._statements:
                self._statements.close()
            session.close()
        except Exception:
            LOGGER.exception("a session did not close")
