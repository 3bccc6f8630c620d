"""``nightly.toml``: which databases, how, where the runs are kept, and who is told.

Whatever is wrong raises UserError with one line that names the file and the key. A value is never shown: it may be a
password that was written into the wrong place.
"""

import os
from collections import Counter
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.headerregistry import Address as MailAddress
from pathlib import Path
from typing import Any

from advisor import documents
from advisor.db2 import password
from advisor.db2.address import Address, Tls, parse_address
from advisor.db2.password import Secret
from advisor.errors import UserError
from advisor.report.fail_on import FailOn

DEFAULTS: dict[str, Any] = {"interval_s": 300, "timeout_s": 1800, "keep_days": 90, "fail_on": [], "parallel": 1}
SMTP_PORT = {True: 587, False: 25}  # by starttls
_SCHEMA = Path(__file__).with_name("nightly.schema.json")
_MOST_MB = 4
PASSWORD_WAYS = ("password_file", "password_env", "keyring")


@dataclass(frozen=True)
class PasswordFrom:
    """Where a password comes from; it is read when it is needed, and not kept."""

    file: Path | None = None
    variable: str | None = None

    def find(self, address: Address) -> Secret | None:
        """The password for a user; without a user the driver connects as that of the operating system, which has none."""
        if address.user is None:
            return None
        if self.file is not None:
            return secret_of(self.file)
        if self.variable is not None:
            value = os.environ.get(self.variable, "")
            if not value:
                raise UserError(f"environment variable {self.variable} is not set; it is to hold the password")
            return Secret(value)
        return _from_keyring(address.user, address.label)


@dataclass(frozen=True)
class Database:
    """One database of the list. Times are seconds; ``fail_on`` as the option of advise."""

    name: str
    address: Address
    password: PasswordFrom
    in_database: bool
    hostfacts: tuple[Path, ...]
    options: Path | None
    interval_s: int
    timeout_s: int
    keep_days: int
    fail_on: tuple[FailOn, ...]


@dataclass(frozen=True)
class Mail:
    host: str
    port: int
    starttls: bool
    user: str | None
    password_file: Path | None
    sender: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Webhook:
    """The address is often a secret itself, and is never shown."""

    url: Secret | None
    url_file: Path | None

    def address(self) -> Secret:
        found = self.url if self.url is not None else secret_of(self.url_file or Path())
        if not found.reveal().startswith(("https://", "http://")):
            raise UserError("the address has to begin with https:// or http://")
        return found


@dataclass(frozen=True)
class Config:
    databases: tuple[Database, ...]
    store: Path
    parallel: int
    mail: Mail | None = None
    webhook: Webhook | None = None
    files: Path | None = None
    pages: Path | None = None


@dataclass(frozen=True)
class _Reader:
    """Knows the file, for messages and for paths that are relative to it."""

    file: Path
    defaults: dict[str, Any] = field(default_factory=dict)

    def path(self, text: str) -> Path:
        """A path of the file; environment variables, such as ${CREDENTIALS_DIRECTORY}, and ~ are filled in."""
        return self.file.parent / Path(os.path.expandvars(text)).expanduser()

    def optional(self, table: dict[str, Any], key: str) -> Path | None:
        return self.path(table[key]) if key in table else None

    def wrong(self, where: str, what: str) -> UserError:
        return UserError(f"{self.file.name}: {where}: {what}")

    def database(self, table: dict[str, Any]) -> Database:
        where = f"database {table['name']}"
        given = self.defaults | table
        if len([way for way in PASSWORD_WAYS if table.get(way)]) > 1:
            raise self.wrong(where, f"give one of {', '.join(PASSWORD_WAYS)}")
        if given["timeout_s"] <= given["interval_s"]:
            raise self.wrong(where, "timeout_s has to be longer than interval_s, which is a part of it")
        if table.get("in_database") and table.get("hostfacts"):
            raise self.wrong(
                where, "with in_database, load hostfacts first: db2tune hostfacts --load FILE --database DB"
            )
        if table.get("in_database") and "options" in table:
            raise self.wrong(where, "with in_database, TUNE.SET_OPTION and TUNE.ACCEPT take what options would say")
        tls = Tls(table.get("tls", False), self.optional(table, "tls_ca"))
        try:
            address = parse_address(table["url"], table.get("user"), tls)
        except UserError as error:
            words = {"--database": "url", "--user": "user", "--tls-ca": "tls_ca", "--tls": "tls"}
            text = str(error)
            for option, key in words.items():
                text = text.replace(option, key)
            raise self.wrong(where, text) from None
        return Database(
            name=table["name"],
            address=address,
            password=PasswordFrom(self.optional(table, "password_file"), table.get("password_env")),
            in_database=table.get("in_database", False),
            hostfacts=tuple(self.path(text) for text in table.get("hostfacts", [])),
            options=self.optional(table, "options"),
            interval_s=given["interval_s"],
            timeout_s=given["timeout_s"],
            keep_days=given["keep_days"],
            fail_on=tuple(given["fail_on"]),
        )

    def mail(self, table: dict[str, Any]) -> Mail:
        starttls = table.get("starttls", True)
        if ("user" in table) != ("password_file" in table):
            raise self.wrong("notify.mail", "user and password_file belong together")
        if "user" in table and not starttls:
            raise self.wrong("notify.mail", "without starttls the password would be sent in clear; leave user out")
        for address in (table["from"], *table["to"]):
            try:
                MailAddress(addr_spec=address)
            except (ValueError, IndexError, HeaderParseError):
                raise self.wrong("notify.mail", f"{address} is no address of mail") from None
        return Mail(
            host=table["host"],
            port=table.get("port", SMTP_PORT[starttls]),
            starttls=starttls,
            user=table.get("user"),
            password_file=self.optional(table, "password_file"),
            sender=table["from"],
            to=tuple(table["to"]),
        )

    def webhook(self, table: dict[str, Any]) -> Webhook:
        if ("url" in table) == ("url_file" in table):
            raise self.wrong("notify.webhook", "give url or url_file")
        webhook = Webhook(Secret(table["url"]) if "url" in table else None, self.optional(table, "url_file"))
        if webhook.url is not None:
            try:
                webhook.address()
            except UserError as error:
                raise self.wrong("notify.webhook.url", str(error)) from None
        return webhook


def read(file: Path) -> Config:
    """Read and check a file."""
    document = documents.from_toml(documents.content(file, _MOST_MB, "databases"), file.name)
    for where in _passwords(document):
        raise UserError(
            f"{file.name}: {where}: a password does not belong into this file; use one of {', '.join(PASSWORD_WAYS)}"
        )
    documents.check(document, documents.schema_in(_SCHEMA), file.name, secret=True)
    reader = _Reader(file, DEFAULTS | document.get("defaults", {}))
    databases = tuple(reader.database(table) for table in document["database"])
    name, times = Counter(database.name.upper() for database in databases).most_common(1)[0]
    if times > 1:
        raise reader.wrong(f"database {name}", "this name is there twice; names of databases differ in more than case")
    notify = document.get("notify", {})
    return Config(
        databases=databases,
        store=reader.path(document["store"]["path"]),
        parallel=reader.defaults["parallel"],
        mail=reader.mail(notify["mail"]) if "mail" in notify else None,
        webhook=reader.webhook(notify["webhook"]) if "webhook" in notify else None,
        files=reader.optional(notify.get("files", {}), "directory"),
        pages=reader.optional(document.get("pages", {}), "directory"),
    )


def secret_of(file: Path) -> Secret:
    """The first line of a file."""
    try:
        with file.open("rb") as opened:
            return password.first_line(opened, str(file))
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror}); it is to hold the password or address") from None


def _from_keyring(user: str, label: str) -> Secret:
    try:
        return password.find(user, label, environment={}, ask=lambda _: "")  # nobody is there to be asked
    except UserError:
        entry = f"keyring set {password.KEYRING_SERVICE} {user}@{label}"
        raise UserError(
            f"no password for {user}: the keyring has none ('{entry}'); or give password_file or password_env"
        ) from None


def _passwords(table: dict[str, Any], where: str = "") -> list[str]:
    """The keys, at any depth, that hold a password itself."""
    found = []
    for key, value in table.items():
        here = f"{where}{key}"
        if key.lower() in ("password", "pwd", "passwd", "secret", "token"):
            found.append(here)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                found += _passwords(item, f"{here}.")
    return found
