"""The listening server, with a thread for each connection: how one begins, and its request chains with their replies."""

import contextlib
import itertools
import socket
import ssl
from collections.abc import Callable
from threading import Lock, Thread, current_thread
from typing import Self

from tests.standin.api import Backend, Session
from tests.standin.drda import replies
from tests.standin.drda.codepoints import EBCDIC, Code
from tests.standin.drda.framing import Command, Reply, read_chain, write_chain
from tests.standin.drda.replies import LOGGER, reported
from tests.standin.drda.statements import Statements
from tests.standin.errors import Db2Error, Disconnect

_PASSWORD_IN_CLEAR = 3  # user and password; clients fall back to it from encryption if it is all there is
_WRONG_PASSWORD = 0x0F
_BIG_ENDIAN_CLIENT = "QTDSQLASC"


class Handshake:
    """Leads to ``session``: None until the database is accessed."""

    def __init__(self, backend: Backend, interrupt_token: bytes) -> None:
        self.session: Session | None = None
        self.order = "<"
        self._backend = backend
        self._interrupt_token = interrupt_token
        self._refusal: Db2Error | None = None  # a known user who may not connect now

    def exchange_attributes(self, command: Command) -> list[Reply]:
        return [replies.server_attributes(command.get(Code.MGRLVLLS))]

    def choose_security(self, command: Command) -> list[Reply]:
        name = command.get(Code.RDBNAM)
        if not self._backend.has_database(_database(name)):
            return [replies.no_database(name)]
        return [replies.security_mechanism(_PASSWORD_IN_CLEAR, command.get(Code.SECMEC))]

    def check_password(self, command: Command) -> list[Reply]:
        name = command.get(Code.RDBNAM)
        user, password = (_text(command.get(code), _encoding(name)) for code in (Code.USRID, Code.PASSWORD))
        try:
            self.session = self._backend.connect(_database(name), user, password)
        except Db2Error as refusal:
            self._refusal = refusal
        is_known = self.session or self._refusal
        return [replies.security_checked(0 if is_known else _WRONG_PASSWORD)]

    def access_database(self, command: Command) -> list[Reply]:
        """No answer after a wrong password: the chain ended there."""
        if self._refusal:
            raise self._refusal
        if self.session is None:
            return []
        encoding = _encoding(command.get(Code.RDBNAM))
        if _text(command.get(Code.TYPDEFNAM), encoding) == _BIG_ENDIAN_CLIENT:
            self.order = ">"
        return [replies.database_accessed(self._interrupt_token, encoding)]


def _encoding(name: bytes) -> str:
    """Return the encoding of a command by its database name, whose letters are above 7F in EBCDIC.

    Clients other than IBM's write EBCDIC, and read it, until they send CCSIDMGR 1208 in an EXCSAT after ACCRDB.
    """
    return EBCDIC if name[:1] >= b"\x80" else "utf-8"


def _database(name: bytes) -> str:
    """The blank-padded name of a database."""
    return _text(name, _encoding(name)).strip()


def _text(data: bytes, encoding: str) -> str:
    """Decode a text; the encoding of a client whose locale is C is ISO 8859-1 instead of UTF-8."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


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


_PATIENCE = 5.0  # seconds that a thread gets to end


class Server:
    """Serves a backend on a TCP port (0: any free one, kept over a restart), with TLS if given a context."""

    def __init__(
        self, backend: Backend, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self._backend = backend
        self._address = (host, port)
        self._tls = tls
        self._listener: socket.socket | None = None
        self._tokens = itertools.count(1)
        self._accepting: Thread | None = None
        self._connections: dict[bytes, tuple[Connection, Thread]] = {}
        self._lock = Lock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        return self._address[1]

    @property
    def busy(self) -> bool:
        """Whether a client is connected, or its session not ended yet."""
        with self._lock:
            return bool(self._connections)

    def start(self) -> None:
        self._listener = socket.create_server(self._address)
        self._address = self._listener.getsockname()
        self._accepting = Thread(target=self._accept, args=(self._listener,), name="standin", daemon=True)
        self._accepting.start()

    def stop(self) -> None:
        """Listen no more, interrupt what runs, and cut every client off."""
        if self._listener is None or self._accepting is None:
            return
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listener.close()
        self._listener = None
        self._accepting.join(_PATIENCE)
        with self._lock:
            served = list(self._connections.values())
        for connection, _ in served:
            connection.drop()
        for _, thread in served:
            if thread is not current_thread():
                thread.join(_PATIENCE)

    def interrupt(self, token: bytes) -> None:
        """Interrupt what runs on the connection that was given this token."""
        with self._lock:
            served = self._connections.get(token)
        if served:
            served[0].interrupt()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                self._welcome(client)

    def _welcome(self, client: socket.socket) -> None:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls:
            client = self._tls.wrap_socket(client, server_side=True, do_handshake_on_connect=False)
        token = next(self._tokens).to_bytes(8, "big")
        connection = Connection(client, self._backend, token, self.interrupt)
        thread = Thread(target=self._serve, args=(token, connection), name=f"standin {token.hex()}", daemon=True)
        with self._lock:
            self._connections[token] = (connection, thread)
        thread.start()

    def _serve(self, token: bytes, connection: Connection) -> None:
        try:
            connection.serve()
        finally:
            with self._lock:
                del self._connections[token]
