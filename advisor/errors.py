"""Errors that a user can mend: one line that says what is wrong and what to do."""

import difflib
import errno
from collections.abc import Iterable

EXIT_FOUND = 1
EXIT_BAD_INPUT = 2
EXIT_NO_CONNECTION = 3
EXIT_FAULT = 4

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # which do not say of what


class UserError(Exception):
    """Bad usage or bad input; the message is the one line that the user sees."""

    exit_status = EXIT_BAD_INPUT


def reason(error: Exception) -> str:
    """One line that says why one of several could not be done, where the others go on."""
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, OSError):
        return of_system(error)
    return f"internal fault, {type(error).__name__}: {error}"


def of_system(error: OSError) -> str:
    """What the operating system refused, by the file where it says which."""
    what = error.filename or ("writing" if error.errno in _NO_ROOM else "input")
    return f"{what}: {error.strerror or error}"


def nearest(given: str, known: Iterable[str]) -> str:
    """For the end of a message, what somebody may have meant: ``; did you mean x?``, or nothing."""
    names = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.lower(), names, 1)
    return f"; did you mean {names[near[0]]}?" if near else ""


def nearest_or_all(given: str, known: Iterable[str]) -> str:
    """What somebody may have meant, or all that there is."""
    names = list(known)
    return nearest(given, names) or f"; there are {', '.join(names)}"
