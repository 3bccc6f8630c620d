"""How a database was made or configured, where that changes what the same statement means there."""

from dataclasses import dataclass, replace

from tests.standin.errors import Db2Error
from tests.standin.types import SqlType

VARCHAR2, DATE = "varchar2_compat", "date_compat"
CODEUNITS32 = "CODEUNITS32"
UNITS = ("SYSIBM", "NLS_STRING_UNITS")  # the variable by which a session overrides string_units
BYTES = 4  # that one CODEUNITS32 can take
UTF8 = 1208
ENCODINGS = {819: "iso8859-1", 1252: "cp1252"}  # of the code pages in which a character is a byte
SUBSTITUTE = "\x1a"
LONGEST = {"CHAR": 63, "VARCHAR": 8168, "CLOB": 536_870_911}  # in CODEUNITS32


@dataclass(frozen=True)
class Options:
    """Of the database: ``page_size`` of its default table space in KB; whether it has a user temporary one.

    ``modes`` are those of varchar2_compat and date_compat that are ON, ``dft_table_org`` is ROW or COLUMN,
    ``string_units`` SYSTEM or CODEUNITS32; a ``restrictive`` database grants nothing to PUBLIC; ``timezone``
    is that of the host, in hours, minutes and seconds (13000 is 1:30 h). ``codepage`` is 1208, 819 or 1252;
    ``system_temporary`` the largest page size of a system temporary table space, in KB. With ``cur_commit`` ON, cursor
    stability reads what is committed; with any other value it waits (AVAILABLE is for applications that ask for it).
    ``dynamic_rules`` are those of the instance for SQL PL (DB2_SQLROUTINE_PREPOPTS), RUN or BIND.
    """

    page_size: int = 8
    user_temporary: bool = False
    modes: frozenset[str] = frozenset()
    dft_table_org: str = "ROW"
    string_units: str = "SYSTEM"
    restrictive: bool = False
    timezone: int = 0
    codepage: int = UTF8
    system_temporary: int = 32
    cur_commit: str = "ON"
    dynamic_rules: str = "RUN"

    def received(self, text: str) -> str:
        """Text as the database has it: a character that its code page lacks becomes the substitution character."""
        encoding = ENCODINGS.get(self.codepage)
        if encoding is None or text.isascii():
            return text
        return "".join(one if _has(encoding, one) else SUBSTITUTE for one in text)

    def parameters(self) -> dict[str, str]:
        """Return the database configuration parameters of these options that differ from their defaults."""
        found = dict.fromkeys(sorted(self.modes), "ON")
        found |= {"dft_table_org": self.dft_table_org} if self.dft_table_org != "ROW" else {}
        found |= {"codepage": str(self.codepage)} if self.codepage != UTF8 else {}
        found |= {"cur_commit": self.cur_commit} if self.cur_commit != "ON" else {}
        found |= {"restrict_access": "YES"} if self.restrictive else {}
        return found | ({"string_units": self.string_units} if self.string_units != "SYSTEM" else {})

    def written(self, kind: SqlType, units: str | None) -> SqlType:
        """The type that a statement means by the one that it names; ``units`` are those of the session."""
        if kind.name == "DATE" and DATE in self.modes:
            return SqlType("TIMESTAMP", 0)
        if (units or self.string_units) == CODEUNITS32 and kind.is_text:
            if kind.length > LONGEST[kind.name]:
                raise Db2Error(-604, "42611", str(kind))
            return replace(kind, length=kind.length * BYTES)
        return kind


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
