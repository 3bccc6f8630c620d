"""Errors that a user can fix: one line with the problem and the remedy."""

import difflib
import errno
from collections.abc import Iterable
from importlib.util import find_spec

EXIT_FOUND = 1
EXIT_BAD_INPUT = 2
EXIT_NO_CONNECTION = 3
EXIT_FAULT = 4

MOST_NAMED = 8

_FOR_VERDICTS = ("numpy", "scipy")  # of the extra verify: two thirds of an installation
INSTALL_VERIFY = "run pip install 'db2tune[verify]'"
_MISSING = f"verdicts require the packages numpy and scipy; {INSTALL_VERIFY}"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # they name no file


class UserError(Exception):
    """Bad usage or bad input. The message is the line that the user reads."""

    exit_status = EXIT_BAD_INPUT


def reason(error: Exception) -> str:
    """Return one line that describes an error, for a part of a run that continues without it."""
    if isinstance(error, UserError):
        return str(error)
    return explain_known(error) or f"internal error, {type(error).__name__}: {error}"


def explain_known(error: BaseException) -> str | None:
    """Return the line for an error of the input or the installation, or None for another error."""
    if isinstance(error, ModuleNotFoundError) and error.name in _FOR_VERDICTS:
        return _MISSING
    if isinstance(error, MemoryError):
        return "the input needs more memory than db2tune uses; pass less of it at once"
    return describe_os_error(error) if isinstance(error, OSError) else None


def can_calculate_verdicts() -> bool:
    """Return whether the packages of the extra ``verify`` are installed."""
    return all(map(find_spec, _FOR_VERDICTS))


def require_verdicts() -> None:
    """Raise UserError if a package of the extra ``verify`` is not installed."""
    if not can_calculate_verdicts():
        raise UserError(_MISSING)


def describe_os_error(error: OSError) -> str:
    """Return the message of an operating system error, with its file if known."""
    what = error.filename or ("writing" if error.errno in _NO_ROOM else "input")
    return f"{what}: {error.strerror or error}"


def list_some(names: Iterable[str], most: int = MOST_NAMED, separator: str = ", ") -> str:
    """Return the first names, and how many more there are."""
    known = list(names)
    more = f"{separator.rstrip(', ')} and {len(known) - most} more" if len(known) > most else ""
    return separator.join(known[:most]) + more


def suggest_nearest(given: str, known: Iterable[str]) -> str:
    """Return ``; did you mean x?`` for the most similar name, or an empty string."""
    names = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.lower(), names, 1)
    return f"; did you mean {names[near[0]]}?" if near else ""


def suggest_nearest_or_all(given: str, known: Iterable[str]) -> str:
    """Return the most similar name, or else a list of all names, for the end of a message."""
    names = list(known)
    return suggest_nearest(given, names) or f"; there are {', '.join(names)}"
