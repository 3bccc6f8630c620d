"""The configuration file ``nightly.toml``: the databases, the store and the notifications.

Every error raises UserError with one line that names the file and the key. The line never shows a value: it may be a
misplaced password.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.headerregistry import Address as MailAddress
from pathlib import Path
from typing import Any, TypeVar

from advisor import documents
from advisor.db2 import password
from advisor.db2.address import Address, Tls, parse_address
from advisor.db2.password import Secret
from advisor.errors import UserError
from advisor.quoting import shell
from advisor.report.fail_on import FailOn

DEFAULTS: dict[str, Any] = {"interval_s": 300, "timeout_s": 1800, "keep_days": 90, "fail_on": [], "parallel": 1}
INDEX = "index.html"  # in the folder of pages
SMTP_PORT = {True: 587, False: 25}  # by starttls
_SCHEMA = Path(__file__).with_name("nightly.schema.json")
_MOST_MB = 4
PASSWORD_WAYS = ("password_file", "password_env", "keyring")
Part = TypeVar("Part")


@dataclass(frozen=True)
class PasswordFrom:
    """The source of a password, which is read when needed and not stored."""

    file: Path | None = None
    variable: str | None = None

    def find(self, address: Address) -> Secret | None:
        """Return the user's password, or None without a user: the driver then connects as the operating system user.

        Raise UserError if the password is missing.
        """
        if address.user is None:
            return None
        if self.file is not None:
            return secret_of(self.file)
        if self.variable is not None:
            value = os.environ.get(self.variable, "")
            if not value:
                raise UserError(f"environment variable {self.variable} is not set; set it to the password")
            return Secret(value)
        return _read_keyring(address.user, address.label)


@dataclass(frozen=True)
class Database:
    """One database of the list. Times are in seconds; ``fail_on`` works like the option of advise."""

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
    """The URL often contains a secret, so it is never shown."""

    url: Secret | None
    url_file: Path | None

    def address(self) -> Secret:
        found = self.url if self.url is not None else secret_of(self.url_file or Path())
        if not found.reveal().startswith(("https://", "http://")):
            raise UserError("the URL must start with https:// or http://")
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

    @property
    def overview(self) -> str:
        """The page with all advice, or the command that prints it."""
        return str(self.pages / INDEX) if self.pages else f"db2tune fleet --store {shell(str(self.store), 'PATH')}"


@dataclass(frozen=True)
class _Reader:
    """The reader of one file: its name is in messages, and paths are relative to it."""

    file: Path
    defaults: dict[str, Any] = field(default_factory=dict)

    def path(self, text: str) -> Path:
        """Return a path with environment variables, such as ${CREDENTIALS_DIRECTORY}, and ~ expanded."""
        return self.file.parent / Path(os.path.expandvars(text)).expanduser()

    def optional(self, table: dict[str, Any], key: str) -> Path | None:
        return self.path(table[key]) if key in table else None

    def make_error(self, where: str, what: str) -> UserError:
        return UserError(f"{self.file.name}: {where}: {what}")

    def database(self, table: dict[str, Any]) -> Database:
        where = f"database {table['name']}"
        given = self.defaults | table
        if len([way for way in PASSWORD_WAYS if table.get(way)]) > 1:
            raise self.make_error(where, f"set only one of {', '.join(PASSWORD_WAYS)}")
        if given["timeout_s"] <= given["interval_s"]:
            raise self.make_error(where, "timeout_s includes interval_s, so it must be longer")
        if table.get("in_database") and table.get("hostfacts"):
            raise self.make_error(
                where,
                "remove hostfacts, which in_database excludes;"
                " load them with db2tune hostfacts --load FILE --database DB",
            )
        if table.get("in_database") and "options" in table:
            raise self.make_error(
                where, "remove options, which in_database excludes; use TUNE.SET_OPTION and TUNE.ACCEPT in the database"
            )
        tls = Tls(table.get("tls", False), self.optional(table, "tls_ca"))
        try:
            address = parse_address(table["url"], table.get("user"), tls)
        except UserError as error:
            words = {"--database": "url", "--user": "user", "--tls-ca": "tls_ca", "--tls": "tls"}
            text = str(error)
            for option, key in words.items():
                text = text.replace(option, key)
            raise self.make_error(where, text) from None
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
            raise self.make_error("notify.mail", "set both user and password_file, or neither")
        if "user" in table and not starttls:
            raise self.make_error(
                "notify.mail", "without starttls the password is not encrypted; remove user or set starttls"
            )
        for address in (table["from"], *table["to"]):
            try:
                MailAddress(addr_spec=address)
            except (ValueError, IndexError, HeaderParseError):
                raise self.make_error("notify.mail", f"{address} is not an email address") from None
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
            raise self.make_error("notify.webhook", "set either url or url_file")
        webhook = Webhook(Secret(table["url"]) if "url" in table else None, self.optional(table, "url_file"))
        if webhook.url is not None:
            try:
                webhook.address()
            except UserError as error:
                raise self.make_error("notify.webhook.url", str(error)) from None
        return webhook


def read(file: Path) -> Config:
    """Read and check a file. Raise UserError if it is invalid."""
    config, faults = check(file)
    for fault in faults:
        raise fault
    return config


def check(file: Path) -> tuple[Config, list[UserError]]:
    """Return the valid parts of a file, and the error of each other part. Raise UserError if the schema differs."""
    _check_writers(file)
    document = documents.from_toml(documents.content(file, _MOST_MB, "databases"), file.name)
    for where in _passwords(document):
        raise UserError(
            f"{file.name}: {where}: do not put a password into this file; use one of {', '.join(PASSWORD_WAYS)}"
        )
    documents.check(document, documents.schema_in(_SCHEMA), file.name, secret=True)
    reader, notify = _Reader(file, DEFAULTS | document.get("defaults", {})), document.get("notify", {})
    faults: list[UserError] = []

    def build(make: Callable[[dict[str, Any]], Part], table: dict[str, Any] | None) -> Part | None:
        try:
            return None if table is None else make(table)
        except UserError as fault:
            faults.append(fault)
            return None

    databases = [build(reader.database, table) for table in document["database"]]
    name, times = Counter(table["name"].upper() for table in document["database"]).most_common(1)[0]
    if times > 1:
        remedy = "this name occurs twice; give each database its own name (case is ignored)"
        faults.append(reader.make_error(f"database {name}", remedy))
    config = Config(
        databases=tuple(database for database in databases if database),
        store=reader.path(document["store"]["path"]),
        parallel=reader.defaults["parallel"],
        mail=build(reader.mail, notify.get("mail")),
        webhook=build(reader.webhook, notify.get("webhook")),
        files=reader.optional(notify.get("files", {}), "directory"),
        pages=reader.optional(document.get("pages", {}), "directory"),
    )
    return config, faults


def secret_of(file: Path) -> Secret:
    """Return the first line of a file. Raise UserError if the file cannot be read."""
    try:
        _check_writers(file)
        with file.open("rb") as opened:
            return password.read_first_line(opened, str(file))
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror}); it must contain the password or URL") from None


def _check_writers(file: Path) -> None:
    """Raise UserError if every user may change a file. Devices and pipes have other protection."""
    mode = file.stat().st_mode
    if os.name != "nt" and stat.S_ISREG(mode) and mode & stat.S_IWOTH:
        raise UserError(f"{file}: every user may change this file; run chmod o-w on it")


def _read_keyring(user: str, label: str) -> Secret:
    try:
        return password.find(user, label, environment={}, ask=lambda _: "")  # the job has no terminal
    except UserError:
        entry = f"keyring set {password.KEYRING_SERVICE} {shell(f'{user}@{label}')}"
        raise UserError(
            f"the keyring has no password for {user}; set password_file or password_env, or add it with: {entry}"
        ) from None


def _passwords(table: dict[str, Any], where: str = "") -> list[str]:
    """Return the keys, at any depth, that contain a password."""
    found = []
    for key, value in table.items():
        here = f"{where}{key}"
        if key.lower() in ("password", "pwd", "passwd", "secret", "token"):
            found.append(here)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                found += _passwords(item, f"{here}.")
    return found
