"""How a connection begins: attributes, security mechanism, password, database."""

from tests.standin.api import Backend, Session
from tests.standin.drda import replies
from tests.standin.drda.codepoints import EBCDIC, Code
from tests.standin.drda.framing import Command, Reply
from tests.standin.errors import Db2Error

_PASSWORD_IN_CLEAR = 3  # user and password; the client falls back to it from encryption if it is all there is
_WRONG_PASSWORD = 0x0F
_BIG_ENDIAN_CLIENT = b"QTDSQLASC"


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
        return [replies.security_accepted(_PASSWORD_IN_CLEAR)]

    def check_password(self, command: Command) -> list[Reply]:
        database, user, password = (_text(command.get(code)) for code in (Code.RDBNAM, Code.USRID, Code.PASSWORD))
        try:
            self.session = self._backend.connect(database.strip(), user, password)
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
        if command.get(Code.TYPDEFNAM) == _BIG_ENDIAN_CLIENT:
            self.order = ">"
        return [replies.database_accessed(self._interrupt_token)]


def _database(name: bytes) -> str:
    """The blank-padded name of a database, while a client may still write EBCDIC: all its letters are above 7F."""
    return name.decode(EBCDIC if name[:1] >= b"\x80" else "utf-8").strip()


def _text(data: bytes) -> str:
    """What is sent once both sides write ASCII: UTF-8, or ISO 8859-1 by a client whose locale is C."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")
