"""The database of ``--database``: a URL, an alias or keywords.

    db2://user@host:50000/SAMPLE?security=ssl
    SAMPLE                                      an alias of db2dsdriver.cfg, or a cataloged database
    HOSTNAME=host;PORT=50000;DATABASE=SAMPLE    keywords of IBM's CLI driver

The driver's connection string has no quoting: braces and quotation marks are part of a value, and a semicolon always
ends it (observed with the driver of Db2 12.1.4). So db2tune rejects values that the string cannot contain. Messages
never repeat the input, which may contain a password by mistake.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from advisor.db2.password import Secret
from advisor.errors import UserError

SCHEME = "db2"
PORT = 50000  # default port of an instance

_KEYWORD = re.compile(r"[A-Z][A-Z0-9_]*")
_SECRET_KEYWORD = re.compile(r"(?:PWD|PASSWORD|PASSPHRASE|TOKEN|APIKEY|SECRET)$")
_ALIAS = re.compile(r"[^\s:;=@/?{}\"']+")
_CARRIES_NOT = re.compile(r"[;\0\r\n]|^\s")

NOT_HERE = "--database must not contain a password, because other users can see it; remove it"
FORMS = "db2://USER@HOST:PORT/NAME, an alias of db2dsdriver.cfg, or HOSTNAME=...;PORT=...;DATABASE=..."


@dataclass(frozen=True)
class Tls:
    """Encryption of the connection. ``authority`` is the file of the server's or the authority's certificate."""

    wanted: bool = False
    authority: Path | None = None
    check_host: bool = True

    def keywords(self) -> dict[str, str]:
        """Return keywords of IBM's CLI driver (Security, SSLServerCertificate, SSLClientHostnameValidation)."""
        words = {"SECURITY": "SSL", "SSLCLIENTHOSTNAMEVALIDATION": "Basic" if self.check_host else "OFF"}
        if self.authority is not None:
            words["SSLSERVERCERTIFICATE"] = str(self.authority.resolve())
        return words


@dataclass(frozen=True)
class Address:
    """A database: an alias that the driver resolves, or keywords."""

    alias: str | None
    keywords: dict[str, str]
    user: str | None

    @property
    def label(self) -> str:
        """Return the database's name in messages and the keyring: NAME or host:port/NAME."""
        if self.alias is not None:
            return self.alias
        name = self.keywords.get("DATABASE") or self.keywords.get("DSN", "")
        host = self.keywords.get("HOSTNAME")
        return f"{host}:{self.keywords.get('PORT', PORT)}/{name}" if host else name

    @property
    def encrypted(self) -> bool | None:
        """Return whether TLS is requested, or None for an alias, whose encryption db2dsdriver.cfg sets."""
        return None if self.alias is not None else self.keywords.get("SECURITY", "").upper() == "SSL"

    def connection_string(self, password: Secret | None, connect_timeout_s: int) -> str:
        """Return the keywords with user and password. Raise UserError if the string cannot contain one of them."""
        words = {"PROTOCOL": "TCPIP"} if "HOSTNAME" in self.keywords else {}
        words |= {"CONNECTTIMEOUT": str(connect_timeout_s)} | self.keywords
        if self.user is not None:
            words["UID"] = self.user
        if password is not None:
            if _CARRIES_NOT.search(password.reveal()):
                raise UserError(
                    "the password contains a semicolon, a line break or a leading blank, which the driver accepts only"
                    " for an alias; define the database in db2dsdriver.cfg and use its alias in --database"
                )
            words["PWD"] = password.reveal()
        return "".join(f"{name}={value};" for name, value in words.items())


def parse_address(text: str, user: str | None = None, tls: Tls | None = None) -> Address:
    """Return the database of ``--database``, with the user and the TLS options."""
    if "://" in text:
        address = _parse_url(text)
    elif "=" in text:
        address = _parse_keywords(text)
    elif _ALIAS.fullmatch(text):
        address = Address(text, {}, None)
    else:
        raise UserError(f"--database must be one of {FORMS}")
    return _set_tls(_set_user(address, user), tls or Tls())


def _parse_url(text: str) -> Address:
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


def _parse_keywords(text: str) -> Address:
    parts = [part.partition("=") for part in text.split(";") if part.strip()]
    if any(not sign for _, sign, _ in parts):
        raise UserError("--database: separate KEYWORD=VALUE pairs with semicolons")
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
            raise UserError("--database: keywords may contain only letters, digits and underscores")
        if name in words:
            raise UserError(f"--database: {name} occurs twice")
        if _CARRIES_NOT.search(value):
            raise UserError(f"--database: the value of {name} contains a semicolon, a line break or a leading blank")
        words[name] = value
    return Address(None, words, words.pop("UID", None))


def _set_user(address: Address, user: str | None) -> Address:
    if user is None or user == address.user:
        return address
    if address.user is not None:
        raise UserError("--user and --database contain different users; use one of them")
    if _CARRIES_NOT.search(user):
        raise UserError("--user contains a semicolon, a line break or a leading blank")
    return replace(address, user=user)


def _set_tls(address: Address, tls: Tls) -> Address:
    if tls.authority is not None and not tls.authority.is_file():
        raise UserError(f"{tls.authority}: no such file; name the certificate that verifies the server")
    if address.alias is not None and (tls.wanted or tls.authority is not None):
        raise UserError(f"{address.alias} is an alias: set its encryption in db2dsdriver.cfg instead of --tls")
    if not (tls.wanted or tls.authority is not None or address.encrypted):
        return address
    words = tls.keywords()
    if any(_CARRIES_NOT.search(value) for value in words.values()):
        raise UserError("--tls-ca: the driver does not accept a path with a semicolon")
    return replace(address, keywords=words | address.keywords | {"SECURITY": "SSL"})
