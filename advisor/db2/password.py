"""The password of a connection: its sources, and its protection against disclosure.

It is never an argument of a command: process lists and shell histories expose arguments.
"""

import getpass
import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import IO, NoReturn

from advisor.errors import UserError

VARIABLE = "DB2TUNE_PASSWORD"
KEYRING_SERVICE = "db2tune"
LONGEST = 1024  # maximum bytes: more than a password, less than a wrong file
MASK = "***"

WAYS = (
    f"--password-fd N, the environment variable {VARIABLE}, the keyring ('keyring set {KEYRING_SERVICE} USER@DATABASE')"
    " or a terminal prompt"
)


class Secret:
    """A text that prints as ``***``."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return MASK

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not copied or stored")

    def reveal(self) -> str:
        """Return the text, only for the driver."""
        return self._text

    def scrub(self, message: str) -> str:
        """Return the message with every occurrence of the secret masked."""
        return message.replace(self._text, MASK) if self._text else message


def find(
    user: str,
    database: str,
    descriptor: int | None = None,
    environment: Mapping[str, str] = os.environ,
    ask: Callable[[str], str] = getpass.getpass,
) -> Secret:
    """Return the password of a user for a database, from the first source that contains it.

    ``descriptor`` is the number of an open file descriptor; its first line is the password. Raise
    UserError with all sources if none contains a password.
    """
    if descriptor is not None:
        return _read_descriptor(descriptor)
    if VARIABLE in environment:
        return _require_text(environment[VARIABLE], f"environment variable {VARIABLE}")
    account = f"{user}@{database}"
    stored = _read_keyring(account)
    if stored is not None:
        return _require_text(stored, f"keyring entry {account}")
    if not sys.stdin.isatty():
        raise UserError(f"no password for {account}; provide it with {WAYS}")
    return _require_text(ask(f"Password of {account}: "), "terminal")


def _read_descriptor(descriptor: int) -> Secret:
    what = f"file descriptor {descriptor}"
    try:
        with os.fdopen(descriptor, "rb", closefd=descriptor > 2) as file:
            return read_first_line(file, what)
    except OSError as error:
        raise UserError(f"{what}: cannot be read ({error.strerror}); open it, as in --password-fd 3 3<file") from None


def read_first_line(file: IO[bytes], what: str) -> Secret:
    """Return the secret in the first line of a file. ``what`` is the file in messages."""
    line = file.readline(LONGEST + 1)
    secret = line.rstrip(b"\r\n")
    if not secret or len(line) > LONGEST:
        raise UserError(f"{what}: its first line is empty or longer than the maximum of a password ({LONGEST} bytes)")
    try:
        return Secret(secret.decode("utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{what}: its first line is not UTF-8 text") from None


def _read_keyring(account: str) -> str | None:
    """Return the password from the keyring, or None without the package, a keyring or the entry."""
    if find_spec("keyring") is None:
        return None
    import keyring
    from keyring.errors import KeyringError

    try:
        password: str | None = keyring.get_password(KEYRING_SERVICE, account)
    except KeyringError:
        return None
    return password


def _require_text(text: str, where: str) -> Secret:
    if not text:
        raise UserError(f"{where}: the password is empty")
    return Secret(text)
