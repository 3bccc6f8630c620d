"""Conditions that statements raise, their message texts, and which handler takes one."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.standin.api import Outcome
from tests.standin.errors import Db2Error
from tests.standin.pl import tree

_MESSAGES = Path(__file__).with_name("messages.csv")
_GENERAL = {"00": "", "01": "SQLWARNING", "02": "NOT FOUND"}  # by class of SQLSTATE; all others are exceptions
_TOKEN_SEPARATOR = "\xff"  # as in SQLERRMC


@cache
def _templates() -> Mapping[int, str]:
    with _MESSAGES.open(encoding="utf-8", newline="") as file:
        return {int(row["code"]): row["text"] for row in csv.DictReader(file)}


@dataclass(frozen=True)
class Condition:
    """SQLCODE, SQLSTATE and tokens of a statement that has been executed."""

    code: int = 0
    state: str = "00000"
    tokens: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: Db2Error | Outcome) -> "Condition":
        return cls(source.code, source.state, tuple(source.tokens))

    @property
    def error(self) -> Db2Error:
        return Db2Error(self.code, self.state, *self.tokens)

    @property
    def kind(self) -> str:
        """SQLEXCEPTION, SQLWARNING or NOT FOUND; empty for success."""
        return _GENERAL.get(self.state[:2], "SQLEXCEPTION")

    @property
    def token_string(self) -> str:
        return _TOKEN_SEPARATOR.join(self.tokens)

    @property
    def message(self) -> str:
        """The text that MESSAGE_TEXT gives: identifier, sentence, SQLSTATE; empty for success."""
        if not self.kind:
            return ""
        template = _templates().get(self.code)
        text = ", ".join(f'"{token}"' for token in self.tokens)
        if template is not None:
            missing = [""] * template.count("{")
            text = template.format(*self.tokens, *missing)
        letter = "N" if self.code < 0 else "W"
        return f"SQL{abs(self.code):04d}{letter}  {text}  SQLSTATE={self.state}"


SUCCESS = Condition()


def valid_state(state: str, code: int, error_state: str) -> str:
    """A SQLSTATE: five digits or upper case letters, not of the class of success; else an error of that code."""
    valid = len(state) == 5 and state.isascii() and state.isalnum() and state == state.upper()
    if not valid or state.startswith("00"):
        raise Db2Error(code, error_state, state)
    return state


def most_specific(
    handlers: tuple[tree.Handler, ...], condition: Condition, names: Mapping[str, str]
) -> tree.Handler | None:
    """The handler of one compound statement that takes a condition; ``names`` gives SQLSTATEs of condition names."""
    for handler in handlers:
        if condition.state in handler.states or condition.state in {names[name] for name in handler.names}:
            return handler
    for handler in handlers:
        if condition.kind in handler.general:
            return handler
    return None
