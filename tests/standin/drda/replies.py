"""Reply messages and data objects of the server, made from plain values."""

import logging
import struct
from collections.abc import Sequence
from dataclasses import replace

from tests.standin.drda.codec import RowEncoder, row_descriptor, wire
from tests.standin.drda.codepoints import EBCDIC, PRODUCT, TRUE, UTF8, UTF16, Code, Severity
from tests.standin.drda.framing import Reply, message, number, parameter
from tests.standin.errors import Db2Error, Disconnect
from tests.standin.types import Column

_ABSENT, _PRESENT = b"\xff", b"\x00"
_TOKEN_BYTES = 70  # SQLERRMC: one byte more, and the driver gives the connection up
_TOKEN_END = b"\xff"
_MODULE = b"SQLSTAND"  # SQLERRP, any eight characters
_LITTLE_SHORT = struct.Struct("<h")
_CARD = struct.Struct("<i5s8s")
_COUNTERS = struct.Struct("<6i")
_ENTRY = struct.Struct("<hhqh")
_SUCCESS = "00000"
_BYTE_ORDER = "QTDSQLX86"  # little-endian
_CODE_PAGES = b"".join(
    parameter(code, number(page))
    for code, page in ((Code.CCSIDSBC, UTF8), (Code.CCSIDDBC, UTF16), (Code.CCSIDMBC, UTF8))
)


def _severity(code: Severity) -> bytes:
    return parameter(Code.SVRCOD, number(code))


# --- outcome of a statement -----------------------------------------------------------------------------------


def card_group(code: int = 0, state: str = _SUCCESS, tokens: Sequence[str] = (), rows: int = 0) -> bytes:
    """An SQLCA; absent if there is nothing to say. ``rows`` is the row count, SQLERRD(3)."""
    if not code and not rows:
        return _ABSENT
    return _present_card(code, state, tokens, rows)


def _present_card(code: int = 0, state: str = _SUCCESS, tokens: Sequence[str] = (), rows: int = 0) -> bytes:
    text = message_tokens(tokens)
    return b"".join(
        (
            _PRESENT,
            _CARD.pack(code, state.encode(), _MODULE),
            _PRESENT,
            _COUNTERS.pack(0, 0, rows, 0, 0, 0),
            b" " * 11,  # SQLWARN
            number(0),  # name of the database
            number(len(text)) + text,
            number(0),  # the same tokens in a single-byte code page
            _ABSENT,  # diagnostics
        )
    )


def message_tokens(tokens: Sequence[str]) -> bytes:
    """Tokens as SQLERRMC holds them: what is over 70 bytes is cut, between two characters."""
    data = _TOKEN_END.join(token.encode() for token in tokens)
    if len(data) <= _TOKEN_BYTES:
        return data
    *whole, last = data[:_TOKEN_BYTES].split(_TOKEN_END)
    return _TOKEN_END.join([*whole, last.decode(errors="ignore").encode()])


def card(code: int = 0, state: str = _SUCCESS, tokens: Sequence[str] = (), rows: int = 0) -> Reply:
    return Reply(Code.SQLCARD, card_group(code, state, tokens, rows))


def error_card(error: Db2Error) -> Reply:
    return card(error.code, error.state, error.tokens)


# --- descriptions ---------------------------------------------------------------------------------------------


def prepared(columns: Sequence[Column]) -> Reply:
    """SQLDARD of a PREPARE. Its SQLCA is present: Db2 puts its estimates there. pydrda knows the columns by it."""
    return Reply(Code.SQLDARD, _present_card() + _description_group(columns))


def description(columns: Sequence[Column]) -> Reply:
    """SQLDARD: names and types of result columns or of parameter markers. The name of a marker is its number."""
    named = [column if column.name else replace(column, name=str(place)) for place, column in enumerate(columns, 1)]
    return Reply(Code.SQLDARD, _ABSENT + _description_group(named))


def cursor_description(columns: Sequence[Column]) -> Reply:
    """SQLCINRD: the columns of a result set that a procedure returns."""
    return Reply(Code.SQLCINRD, _description_group(columns))


def _description_group(columns: Sequence[Column]) -> bytes:
    return b"".join((_ABSENT, _LITTLE_SHORT.pack(len(columns)), *map(_description_entry, columns)))


def _description_entry(column: Column) -> bytes:
    how, type_ = wire(column.type), column.type
    is_decimal = type_.name == "DECIMAL"
    size = (type_.length, type_.scale, 0) if is_decimal else (0, 0, how.length(type_))  # no length beside a precision
    name = column.name.encode()
    return b"".join(
        (
            _ENTRY.pack(*size, how.sqltype + column.nullable),
            number(how.ccsid),
            bytes(8),  # extent of an array
            _LITTLE_SHORT.pack(how.unit),
            _PRESENT,
            bytes(2),  # the column is named
            number(len(name)) + name,
            bytes(10),  # single-byte name, label and comment twice
            _ABSENT * 3,  # user-defined type, extended group, one more
        )
    )


# --- queries --------------------------------------------------------------------------------------------------


def query_opened() -> Reply:
    """OPNQRYRM: rows come in blocks, the cursor is read only, survives commits and sends LOBs with the rows."""
    return message(
        Code.OPNQRYRM,
        _severity(Severity.INFO),
        parameter(Code.QRYPRCTYP, number(Code.LMTBLKPRC)),
        parameter(Code.SQLCSRHLD, TRUE),
        parameter(Code.QRYATTUPD, b"\x01"),
        parameter(Code.QRYINSID, bytes(8)),
        parameter(Code.DYNDTAFMT, TRUE),
    )


def query_description(columns: Sequence[Column]) -> Reply:
    return Reply(Code.QRYDSC, row_descriptor(columns))


def query_ended(severity: Severity) -> Reply:
    return message(Code.ENDQRYRM, _severity(severity))


def end_of_data() -> list[Reply]:
    return [query_ended(Severity.WARNING), card(100, "02000")]


def query_not_open() -> Reply:
    return message(Code.QRYNOPRM, _severity(Severity.ERROR))


def open_failed(database: bytes, error: Db2Error) -> list[Reply]:
    return [message(Code.OPNQFLRM, _severity(Severity.ERROR), parameter(Code.RDBNAM, database)), error_card(error)]


# --- procedures -----------------------------------------------------------------------------------------------


def parameter_row(columns: Sequence[Column], values: Sequence[object], state: bytes) -> list[Reply]:
    """SQLDTARD: all parameters of a CALL after it ran, LOBs behind; ``state`` is the SQLCA of the CALL."""
    encoder = RowEncoder(columns)
    row = parameter(Code.FDODSC, row_descriptor(columns)) + parameter(Code.FDODTA, encoder.encode(values, state))
    return [Reply(Code.SQLDTARD, row), *(Reply(Code.EXTDTA, lob) for lob in encoder.apart(values))]


def result_set_names(packages: Sequence[bytes]) -> Reply:
    """RSLSETRM: the package section by which the driver asks each result set for more."""
    return message(
        Code.RSLSETRM,
        _severity(Severity.INFO),
        parameter(Code.PKGSNLST, b"".join(parameter(Code.PKGNAMCSN, package) for package in packages)),
    )


def result_set_list(cursors: Sequence[str]) -> Reply:
    """SQLRSLRD: locator, cursor name and (unknown) row count of each result set."""
    parts = [_LITTLE_SHORT.pack(len(cursors))]
    for locator, cursor in enumerate(cursors, 1):
        name = cursor.encode()
        parts += [struct.pack("<i", locator), number(len(name)), name, number(0), bytes(8)]
    return Reply(Code.SQLRSLRD, b"".join(parts))


# --- connection -----------------------------------------------------------------------------------------------


def server_attributes(levels: bytes) -> Reply:
    """EXCSATRD: who answers; the levels of the managers are those that the client asked for."""
    return message(
        Code.EXCSATRD,
        parameter(Code.EXTNAM, "standin".encode(EBCDIC)),
        parameter(Code.MGRLVLLS, levels),
        parameter(Code.SRVCLSNM, "QDB2/LINUXX8664".encode(EBCDIC)),
        parameter(Code.SRVNAM, "standin".encode(EBCDIC)),
        parameter(Code.SRVRLSLV, PRODUCT.encode(EBCDIC)),
    )


def security_mechanism(offered: int, asked: bytes) -> Reply:
    """ACCSECRD: the only mechanism that the server has; SECCHKCD 01 says that it is not the one that was asked for."""
    refusal = [] if asked == number(offered) else [parameter(Code.SECCHKCD, b"\x01")]
    return message(Code.ACCSECRD, parameter(Code.SECMEC, number(offered)), *refusal)


def security_checked(code: int) -> Reply:
    """SECCHKRM: 0 lets the client in, 0F says that user and password do not match."""
    severity = Severity.ERROR if code else Severity.INFO
    return message(Code.SECCHKRM, _severity(severity), parameter(Code.SECCHKCD, bytes([code])))


def no_database(name: bytes) -> Reply:
    return message(Code.RDBNFNRM, _severity(Severity.ERROR), parameter(Code.RDBNAM, name))


def database_accessed(interrupt_token: bytes, encoding: str) -> Reply:
    """ACCRDBRM: byte order and code pages of all that the server sends, and how to interrupt it."""
    return message(
        Code.ACCRDBRM,
        _severity(Severity.INFO),
        parameter(Code.PRDID, PRODUCT.encode(encoding)),
        parameter(Code.TYPDEFNAM, _BYTE_ORDER.encode(encoding)),
        parameter(Code.TYPDEFOVR, _CODE_PAGES),
        parameter(Code.RDBINTTKN, interrupt_token),
    )


def access_failed(database: bytes, error: Db2Error) -> list[Reply]:
    return [
        message(Code.RDBAFLRM, _severity(Severity.ERROR), parameter(Code.RDBNAM, database)),
        Reply(Code.TYPDEFNAM, _BYTE_ORDER.encode()),
        Reply(Code.TYPDEFOVR, _CODE_PAGES),
        error_card(error),
    ]


def work_ended(is_committed: bool) -> Reply:
    """ENDUOWRM: the unit of work was committed or rolled back."""
    disposition = b"\x01" if is_committed else b"\x02"
    return message(Code.ENDUOWRM, _severity(Severity.WARNING), parameter(Code.UOWDSP, disposition))


def not_supported(code: int) -> Reply:
    return message(Code.CMDNSPRM, _severity(Severity.ERROR), parameter(Code.CODPNT, number(code)))


def out_of_order() -> Reply:
    """PRCCNVRM: the command needs a connection that was not made."""
    return message(Code.PRCCNVRM, _severity(Severity.ERROR), parameter(Code.PRCCNVCD, b"\x06"))


LOGGER = logging.getLogger("standin")


def reported(fault: Exception) -> Db2Error:
    """The condition to answer with: a fault of the stand-in itself is logged and becomes SQL0901N.

    Disconnect passes through: it is not answered.
    """
    if isinstance(fault, Disconnect):
        raise fault
    if isinstance(fault, Db2Error):
        return fault
    LOGGER.error("a statement met a fault of the stand-in", exc_info=fault)
    return Db2Error(-901, "58004", f"{type(fault).__name__}: {fault}")
