"""A proxy in front of a server: counts the client's requests, and damages one request or its answer.

The proxy splits the bytes into DRDA messages and interprets nothing else.
"""

import contextlib
import random
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from tests.standin.drda.codepoints import Code

_DSS = struct.Struct(">HBBH")
_CHAINED, _MORE = 0x40, 0x8000
_DRIP_S = 0.3
COMMIT = Code.RDBCMM


@dataclass
class Proxy:
    """A proxy on a port of its own; ``spoil`` applies to request number ``at`` after it was set, over all links."""

    port_behind: int
    asked: list[int] = field(default_factory=list)  # the code point of each request
    at: int = 0
    spoil: str = ""
    seed: int = 0
    instead: Callable[[], object] | None = None  # called in place of a damaged answer

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lock = Lock()
        self._links: list[Link] = []
        Thread(target=self._accept, daemon=True).start()

    def fault(self, spoil: str, at: int, seed: int = 0) -> None:
        """Restart the count at zero, and damage this request."""
        self.spoil, self.at, self.seed = spoil, at, seed
        self.asked = []

    def number(self, code: int) -> int:
        """Return the number of the present request."""
        with self._lock:
            self.asked.append(code)
            return len(self.asked)

    def end(self) -> bool:
        """Cut all open links and wait for their threads; return whether they ended."""
        self.spoil = ""
        links, self._links = self._links, []
        for link in links:
            link.cut()
        ended = [link.ended() for link in links]  # for each thread, even if an earlier one does not end
        return all(ended)

    def close(self) -> None:
        self.end()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._links.append(Link(self, client))


class Link:
    """One client's connection through the proxy."""

    def __init__(self, proxy: Proxy, client: socket.socket) -> None:
        self.proxy, self.client = proxy, client
        self.server = socket.create_connection(("127.0.0.1", proxy.port_behind))
        for each in (client, self.server):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._let_go = Event()
        self._faulty = False
        self._threads = [Thread(target=work, daemon=True) for work in (self._requests, self._replies)]
        for thread in self._threads:
            thread.start()

    def cut(self) -> None:
        """Close both sides, as a lost network does."""
        self._let_go.set()
        for each in (self.client, self.server):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def ended(self) -> bool:
        for thread in self._threads:
            thread.join(5)
        for each in (self.client, self.server):
            each.close()
        return not any(thread.is_alive() for thread in self._threads)

    def _requests(self) -> None:
        with contextlib.suppress(OSError), self.client.makefile("rb") as source:
            for chain in _chains(source.read):
                number = self.proxy.number(int.from_bytes(chain[8:10], "big"))
                self._faulty = bool(self.proxy.spoil) and number == self.proxy.at
                if self._faulty and self.proxy.instead:
                    self._faulty = False
                    self.proxy.instead()
                if self._faulty and self.proxy.spoil == LOST:
                    break
                self.server.sendall(chain)
        self.cut()

    def _replies(self) -> None:
        with contextlib.suppress(OSError), self.server.makefile("rb") as source:
            for chain in _chains(source.read):
                if self._faulty:
                    self._faulty = False
                    if not self._spoiled(chain):
                        break
                else:
                    self.client.sendall(chain)
        self.cut()

    def _spoiled(self, reply: bytes) -> bool:
        """Damage the request; return whether the link continues."""
        spoil = self.proxy.spoil
        if spoil == HALF:
            self.client.sendall(reply[: max(len(reply) // 2, 1)])
        elif spoil == STALL:
            self._let_go.wait()
        elif spoil == DRIP:
            for at in range(len(reply)):
                self.client.sendall(reply[at : at + 1])
                if self._let_go.wait(_DRIP_S):
                    return False
            return True
        elif spoil == GARBLED:
            self.client.sendall(garbled(reply, random.Random(f"{self.proxy.seed} {self.proxy.at}")))
            return True
        return False


# fates of a request: it is lost; its answer is lost, cut in half, never sent, sent byte by byte, or replaced
LOST, UNANSWERED, HALF, STALL, DRIP, GARBLED = "cut before it", "cut after it", "cut in its answer", "stalled", "dripping", "garbled"  # fmt: skip


def garbled(reply: bytes, chance: random.Random) -> bytes:
    """Replace a few bytes."""
    content = bytearray(reply)
    for _ in range(chance.choice((1, 1, 2, 8))):
        content[chance.randrange(len(content))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bytes(content)


def _chains(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the bytes of each chain of messages until the other side is closed."""
    while chain := b"".join(_messages(read)):
        yield chain


def _messages(read: Callable[[int], bytes]) -> Iterator[bytes]:
    chained = True
    while chained:
        header = read(_DSS.size)
        if len(header) < _DSS.size:
            return
        length, _, flags, _ = _DSS.unpack(header)
        yield header + read((length & ~_MORE) - _DSS.size)
        while length & _MORE:
            more = read(2)
            length = int.from_bytes(more, "big")
            yield more + read((length & ~_MORE) - 2)
        chained = bool(flags & _CHAINED)
