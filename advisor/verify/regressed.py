"""A stored regression, with its text and its JSON (docs/regression.schema.json)."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from advisor.report.text import number
from advisor.verify.measured import DAY, PRIMARY

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Beside:
    """A sentence about a change at the time of a regression; ``about`` is the kind of thing that changed."""

    about: str
    text: str


@dataclass(frozen=True)
class Regressed:
    """A rise of database time per activity, which began between ``earliest`` and ``latest``.

    ``before`` and ``after`` are medians in ``unit``. The change compares the same hours; it and its bounds are in
    percent.
    """

    begin_at: datetime
    earliest: datetime
    latest: datetime
    series: str
    before: float
    after: float
    unit: str
    change_pct: float
    low_pct: float
    high_pct: float
    beside: tuple[Beside, ...] = ()


def describe_regression(found: Regressed) -> str:
    """Return one sentence with the size and start of the regression."""
    earliest, latest = (_format_time(found, moment) for moment in (found.earliest, found.latest))
    perhaps = "" if found.earliest == found.latest else f" (perhaps {earliest} to {latest})"
    bounds = f"{found.change_pct:+.1f} % ({found.low_pct:+.1f} to {found.high_pct:+.1f})"
    values = f"{number(found.before)} -> {number(found.after)} {found.unit}"
    return f"{PRIMARY} {bounds} since {_format_time(found, found.begin_at)}{perhaps}, {values} as medians"


def as_entry(found: Regressed) -> dict[str, Any]:
    """Return the regression for programs; times are from the server's clock."""
    times = {name: getattr(found, name).isoformat() for name in ("begin_at", "earliest", "latest")}
    return {
        "schema": SCHEMA_VERSION,
        "metric": PRIMARY,
        **asdict(found),
        **times,
        "beside": [asdict(each) for each in found.beside],
    }


def _format_time(found: Regressed, moment: datetime) -> str:
    """Format a time, without the hour if the series has whole days."""
    return f"{moment:%Y-%m-%d}" if found.series == DAY else f"{moment:%Y-%m-%d %H:%M}"
