"""Errors of Db2 and its driver, each in one line with the remedy.

``failures.csv`` contains one row per message identifier (SQL30081N, CLI0106E) or SQLSTATE. ``part`` limits a row to
messages that contain this text; the first matching row counts. ``{0}`` in ``what`` and ``do`` is the first token of
the message, which the driver writes in quotation marks. ``dropped`` marks a lost connection, and ``again`` an error
that justifies a second attempt, which a timeout does not.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.errors import EXIT_FAULT, UserError
from advisor.resources import csv_rows

_ID = re.compile(r"\b(?:SQL|CLI)\d{4,5}[A-Z]\b")
_PREFIX = re.compile(r"^.*?(?=\b(?:SQL|CLI)\d{4,5}[A-Z]\b)|^(?:[\w ]+: )?(?:\[[^\]]*\])*\s*", re.DOTALL)
_CODES = re.compile(r"\s*SQLSTATE[ =:]+(?P<state>\w{5})|\s*SQLCODE[ =:]+(?P<code>-?\d+)")
_TOKEN = re.compile(r'"([^"]*)"')


@dataclass(frozen=True)
class KnownFailure:
    """One row of failures.csv."""

    id: str
    part: str
    exit: int
    dropped: bool
    again: bool
    what: str
    do: str

    def matches(self, id_: str, state: str, message: str) -> bool:
        return self.id in (id_, state, state[:2]) and self.part in message


class Db2Failure(UserError):  # noqa: N818 -- not a fault of the program
    """A statement or connection that failed.

    ``id`` is the message identifier (``SQL0551N``, or empty). ``sqlcode``, ``sqlstate`` and the quoted ``tokens`` are
    parts of the message, and ``message`` is the driver's text without its prefix. ``reason`` is the problem. ``remedy``
    is empty for a failure that failures.csv does not contain. ``scrub`` masks secrets.
    """

    def __init__(self, text: str, scrub: Callable[[str], str] = str) -> None:
        codes = {kind: value for match in _CODES.finditer(text) for kind, value in match.groupdict().items() if value}
        found = _ID.search(text)
        self.id = found.group() if found else ""
        self.sqlstate = codes.get("state", "").strip()
        self.sqlcode = int(codes.get("code", 0))
        message = " ".join(_CODES.sub("", _PREFIX.sub("", text, count=1)).split())
        known = next((row for row in _load_known_failures() if row.matches(self.id, self.sqlstate, message)), None)
        self.message = scrub(message)  # after matching: a password may be a word of any message
        self.tokens = tuple(scrub(token.strip()) for token in _TOKEN.findall(message))
        self.exit_status = known.exit if known else EXIT_FAULT
        self.dropped = known.dropped if known else False
        self.again = known.again if known else False
        self.reason, self.remedy = self._describe(known)
        name = self.id or f"SQLSTATE {self.sqlstate}"
        super().__init__(f"{self.reason}; {self.remedy} ({name})" if self.remedy else self.reason)

    def mark_commit(self) -> "Db2Failure":
        """Return the failure with the text for a COMMIT, whose result is unknown."""
        self.reason = f"{self.reason} during COMMIT: it is unknown whether the changes were committed"
        self.remedy = "check for the changes before you repeat the command"
        self.args = (f"{self.reason}; {self.remedy} ({self.id or self.sqlstate})",)
        return self

    def _describe(self, known: KnownFailure | None) -> tuple[str, str]:
        if known is not None:
            with suppress(IndexError):  # a message that differs from IBM's documentation
                return known.what.format(*self.tokens), known.do.format(*self.tokens)
        return self.message or "the driver failed without a message", ""


@cache
def _load_known_failures() -> tuple[KnownFailure, ...]:
    return tuple(
        KnownFailure(
            row["id"], row["part"], int(row["exit"]), row["dropped"] == "y", row["again"] == "y", row["what"], row["do"]
        )
        for row in csv_rows(Path(__file__).with_name("failures.csv"))
    )
