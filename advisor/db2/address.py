"""Which database to connect to: a URL, an alias, or keywords, as ``--database`` gives it.

    db2://user@host:50000/SAMPLE?security=ssl
    SAMPLE                                      an alias of db2dsdriver.cfg, or a cataloged database
    HOSTNAME=host;PORT=50000;DATABASE=SAMPLE    keywords of IBM's CLI driver

The driver's connection string knows no quoting: braces and quotation marks are part of a value, and a
semicolon always ends it (observed with the driver of Db2 12.1.4). So a value that the string cannot carry is
refused, never escaped, and what was typed is never shown again: it may hold a password by mistake.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from advisor.db2.password import Secret
from advisor.errors import UserError

SCHEME = "db2"
PORT = 50000  # where an instance listens unless it was told otherwise

_KEYWORD = re.compile(r"[A-Z][A-Z0-9_]*")
_SECRET_KEYWORD = re.compile(r"(?:PWD|PASSWORD|PASSPHRASE|TOKEN|APIKEY|SECRET)$")
_ALIAS = re.compile(r"[^\s:;=@/?{}\"']+")
_CARRIES_NOT = re.compile(r"[;\0\r\n]|^\s")

NOT_HERE = "a password does not belong into --database, where others can see it; leave it out"
FORMS = "db2://USER@HOST:PORT/NAME, an alias of db2dsdriver.cfg, or HOSTNAME=...;PORT=...;DATABASE=..."


@dataclass(frozen=True)
class Tls:
    """How the connection is encrypted: ``authority`` is the file of the server's or the authority's certificate."""

    wanted: bool = False
    authority: Path | None = None
    check_host: bool = True

    def keywords(self) -> dict[str, str]:
        """Keywords of IBM's CLI driver (Security, SSLServerCertificate, SSLClientHostnameValidation)."""
        words = {"SECURITY": "SSL", "SSLCLIENTHOSTNAMEVALIDATION": "Basic" if self.check_host else "OFF"}
        if self.authority is not None:
            words["SSLSERVERCERTIFICATE"] = str(self.authority.resolve())
        return words


@dataclass(frozen=True)
class Address:
    """A database and how to reach it: an alias that the driver resolves, or keywords."""

    alias: str | None
    keywords: dict[str, str]
    user: str | None

    @property
    def label(self) -> str:
        """The database as messages and the keyring name it: NAME on its own, or host:port/NAME."""
        if self.alias is not None:
            return self.alias
        name = self.keywords.get("DATABASE") or self.keywords.get("DSN", "")
        host = self.keywords.get("HOSTNAME")
        return f"{host}:{self.keywords.get('PORT', PORT)}/{name}" if host else name

    @property
    def encrypted(self) -> bool | None:
        """Whether TLS is asked for; None where db2dsdriver.cfg says it."""
        return None if self.alias is not None else self.keywords.get("SECURITY", "").upper() == "SSL"

    def connection_string(self, password: Secret | None, connect_timeout_s: int) -> str:
        """The keywords with user and password; a UserError where the string cannot carry one of them."""
        words = {"PROTOCOL": "TCPIP"} if "HOSTNAME" in self.keywords else {}
        words |= {"CONNECTTIMEOUT": str(connect_timeout_s)} | self.keywords
        if self.user is not None:
            words["UID"] = self.user
        if password is not None:
            if _CARRIES_NOT.search(password.reveal()):
                raise UserError(
                    "the password holds a semicolon, a line break or a leading blank, which the driver takes only for"
                    " an alias; define the database in db2dsdriver.cfg and name its alias in --database"
                )
            words["PWD"] = password.reveal()
        return "".join(f"{name}={value};" for name, value in words.items())


def parse_address(text: str, user: str | None = None, tls: Tls | None = None) -> Address:
    """The database that ``--database`` names, with the user and the TLS options given beside it."""
    if "://" in text:
        address = _from_url(text)
    elif "=" in text:
        address = _from_keywords(text)
    elif _ALIAS.fullmatch(text):
        address = Address(text, {}, None)
    else:
        raise UserError(f"--database is none of {FORMS}")
    return _with_tls(_with_user(address, user), tls or Tls())


def _from_url(text: str) -> Address:
    try:
        url = urlsplit(text)
        port = url.port or PORT
        query = parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query))
    except ValueError:
        raise UserError(f"--database is not a URL of the form {FORMS.partition(',')[0]}") from None
    if url.password is not None or "@" in (url.username or ""):
        raise UserError(NOT_HERE)
    name = unquote(url.path.removeprefix("/"))
    if url.scheme.lower() != SCHEME or not _host(url) or not name or "/" in name or url.fragment:
        raise UserError(f"--database is not a URL of the form {FORMS.partition(',')[0]}")
    place = [("HOSTNAME", _host(url)), ("PORT", str(port)), ("DATABASE", name)]
    user = [("UID", unquote(url.username))] if url.username else []
    return _address([*place, *user, *query])


def _host(url: SplitResult) -> str:
    return unquote(url.hostname or "")


def _from_keywords(text: str) -> Address:
    parts = [part.partition("=") for part in text.split(";") if part.strip()]
    if any(not sign for _, sign, _ in parts):
        raise UserError("--database: a part between two semicolons is not KEYWORD=VALUE")
    address = _address([(name, value.strip()) for name, _, value in parts])
    if not {"DATABASE", "DSN"} & set(address.keywords):
        raise UserError("--database: DATABASE=... is missing")
    return address


def _address(pairs: list[tuple[str, str]]) -> Address:
    words: dict[str, str] = {}
    for name, value in ((name.strip().upper(), value) for name, value in pairs):
        if _SECRET_KEYWORD.search(name):
            raise UserError(NOT_HERE)
        if not _KEYWORD.fullmatch(name):
            raise UserError("--database: a keyword is not made of letters and digits")
        if name in words:
            raise UserError(f"--database: {name} is given twice")
        if _CARRIES_NOT.search(value):
            raise UserError(f"--database: the value of {name} holds a semicolon, a line break or a leading blank")
        words[name] = value
    return Address(None, words, words.pop("UID", None))


def _with_user(address: Address, user: str | None) -> Address:
    if user is None or user == address.user:
        return address
    if address.user is not None:
        raise UserError("--user and --database name different users; give one")
    if _CARRIES_NOT.search(user):
        raise UserError("--user holds a semicolon, a line break or a leading blank")
    return replace(address, user=user)


def _with_tls(address: Address, tls: Tls) -> Address:
    if tls.authority is not None and not tls.authority.is_file():
        raise UserError(f"{tls.authority}: no such file; name the certificate that the server's is checked against")
    if address.alias is not None and (tls.wanted or tls.authority is not None):
        raise UserError(f"{address.alias} is an alias: db2dsdriver.cfg says how it is encrypted, not --tls")
    if not (tls.wanted or tls.authority is not None or address.encrypted):
        return address
    words = tls.keywords()
    if any(_CARRIES_NOT.search(value) for value in words.values()):
        raise UserError("--tls-ca: the driver takes no path with a semicolon")
    return replace(address, keywords=words | address.keywords | {"SECURITY": "SSL"})
