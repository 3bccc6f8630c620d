"""``db2pd -hadr``: a set of labels with values for each log stream to a standby, or from a primary."""

import re
from datetime import UTC, datetime, timedelta

from advisor.imports.labels import Labels, is_usable
from advisor.imports.readings import Report
from advisor.imports.values import moment

SECTION = "Log shipping of HADR"

_LINE = re.compile(r"([A-Z][A-Z_,]{2,40}(?:\((?:bytes|seconds|pages)\))?)\s*=\s*(.*)")
_TIME = re.compile(r"(.{10,40}?)\s*\((\d{5,12})\)")
_FARTHEST_ZONE = timedelta(hours=15)


def starts_set(text: str) -> bool:
    """Return whether a line is the first of a set."""
    if not text.startswith("HADR_ROLE"):
        return False
    line = pair(text)
    return line is not None and line[0] == "HADR_ROLE"


def pair(text: str) -> tuple[str, str] | None:
    """Return the label and the value of a line."""
    match = _LINE.fullmatch(text)
    return (match[1], match[2].strip()) if match else None


def row(labels: Labels, values: dict[str, str], report: Report) -> dict[str, str] | None:
    """Return the row of a set; None if it does not identify its stream."""
    given = {label.lower(): value for label, value in values.items() if value.upper() != "NULL"}
    found = labels.rows(given)["hadr"]
    connected = _parse_local_time(values.get("HADR_CONNECT_STATUS_TIME", ""))
    if connected and report.taken_at and report.taken_at >= connected:
        found["CONNECT_STATUS_S"] = str(int((report.taken_at - connected).total_seconds()))
    written, replayed = (_seconds(values.get(label, "")) for label in ("PRIMARY_LOG_TIME", "STANDBY_REPLAY_LOG_TIME"))
    if written and replayed:
        found["REPLAY_LAG_S"] = str(written - replayed)
    return found if is_usable("hadr", found) else None


def _seconds(text: str) -> int | None:
    """Return the seconds after a time."""
    match = _TIME.fullmatch(text)
    return int(match[2]) if match else None


def _parse_local_time(text: str) -> datetime | None:
    """Return a server time. The order of day and month depends on its territory: the seconds after it identify it."""
    match = _TIME.fullmatch(text)
    found = moment(match[1]) if match else None
    if match is None or found is None:
        return None
    utc = datetime.fromtimestamp(int(match[2]), UTC).replace(tzinfo=None)
    return found if abs(found - utc) < _FARTHEST_ZONE else None
