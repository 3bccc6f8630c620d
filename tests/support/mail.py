"""A mail server that stores the messages it receives."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller


class MailServer:
    """A mail server without TLS on a port of this machine."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])

    async def handle_DATA(  # noqa: N802 -- aiosmtpd calls it so
        self, _server: object, _session: object, envelope: Any
    ) -> str:
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run a mail server for the duration of the context."""
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
