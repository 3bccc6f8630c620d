"""Advice for the committed machines and for other captures of a test."""

import dataclasses
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from advisor.capture import open_capture
from advisor.catalogue.rules import all_rules
from advisor.judgement.advice import Advice
from advisor.judgement.many import judge
from tests.machines import MACHINES
from tests.support.once import once
from tests.support.paths import CAPTURES


def advised(name: str) -> Advice:
    """Return the advice for a committed machine."""
    return once("machines", _all)[name]


def _all() -> dict[str, Advice]:
    return dict(zip(MACHINES, judged([CAPTURES / name for name in MACHINES]), strict=True))


def advised_inside(name: str) -> Advice:
    """Return the advice for a committed machine without proposed indexes, as inside Db2."""
    return once("machines without proposed indexes", _all_inside)[name]


def _all_inside() -> dict[str, Advice]:
    with patch("advisor.judgement.many.propose_indexes", return_value={}):
        return _all()


def judged(captures: Sequence[Path]) -> list[Advice]:
    """Return the advice for each capture; all captures are judged together."""
    rules = list(all_rules().values())
    with ExitStack() as stack:
        return list(judge((stack.enter_context(open_capture(path)), rules) for path in captures))


def to_nine_digits(value: Any) -> Any:
    """Return advice, or a part of it, with numbers rounded for comparison.

    The order in which a sum adds its terms varies and changes the last digits.
    """
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [to_nine_digits(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {field.name: to_nine_digits(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value
