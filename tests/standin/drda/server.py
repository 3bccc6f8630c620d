"""The listening server: a thread for each connection, all of which end with it."""

import contextlib
import itertools
import socket
import ssl
from threading import Lock, Thread, current_thread
from typing import Self

from tests.standin.api import Backend
from tests.standin.drda.connection import Connection

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
