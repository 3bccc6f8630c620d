"""Checks whether the limits of locks, log and heaps allow an installation of schema TUNE."""

import math
from collections.abc import Iterator

from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.probe import Probe
from advisor.quoting import alias

AREA = "To install"

# Estimated MB of log for one unit of work. The largest is that of a trial: rows and index keys of 7,000 columns in the
# catalog, texts (0.4 MB) and compiled forms of 500 tables and views, 60 Db2 packages, 0.6 MB of rows; and the same amount
# for a rollback. A unit of work of the installation stores up to 20 Db2 packages.
INSTALL_LOG_MB = 50
LOG_PAGE = 4096  # bytes: the unit of logfilsiz

INSTALL_LOCKS = 20_000  # estimate: a row lock for each new row of the catalog
_LOCK = 256  # bytes of the first lock on an object (locklist, r0000267)
_LOCK_PAGE = 4096  # bytes: the unit of locklist
# Pages of the heaps that compile a statement, by default, and the error if they are too small.
HEAPS = {"stmtheap": (8192, "SQL0101N"), "applheapsz": (256, "SQL0954C")}


def diagnose_locks(probe: Probe) -> Iterator[Diagnosis]:
    """Check that one application may hold the locks of an installation; Db2 escalates to table locks otherwise."""
    pages, share = _smallest(probe, "locklist"), _smallest(probe, "maxlocks")
    if probe.is_automatic("locklist") or not pages or not share:
        found = "self-tuned" if probe.is_automatic("locklist") else "the parameters do not contain their limit"
        yield Diagnosis(AREA, "locks", Verdict.OK if probe.is_automatic("locklist") else Verdict.UNKNOWN, found)
        return
    held = pages * _LOCK_PAGE * share // 100 // _LOCK
    if held >= INSTALL_LOCKS:
        yield Diagnosis(AREA, "locks", Verdict.OK, f"{held:,}; an installation can need {INSTALL_LOCKS:,}")
        return
    found = f"{held:,}; an installation can need {INSTALL_LOCKS:,}, and escalation locks tables of the catalog"
    needed = math.ceil(INSTALL_LOCKS * _LOCK * 100 / share / _LOCK_PAGE)
    yield Diagnosis(AREA, "locks", Verdict.NOTE, found, (_update(probe, "LOCKLIST", needed),))


def diagnose_transaction(probe: Probe) -> Iterator[Diagnosis]:
    """Check the limits of one transaction's log. Beyond them Db2 rolls it back or ends its connection."""
    pages, primary = _smallest(probe, "logfilsiz"), _smallest(probe, "logprimary")
    if not pages or not primary:
        return
    file_mb = pages * LOG_PAGE / 1024**2
    needs = {
        "num_log_span": (file_mb, "files", math.ceil(INSTALL_LOG_MB / file_mb) + 1),
        "max_log": (primary * file_mb / 100, "percent", math.ceil(INSTALL_LOG_MB * 100 / (primary * file_mb))),
    }
    for name, (unit_mb, unit, needed) in needs.items():
        limit = _smallest(probe, name, positive=True)
        if limit and limit * unit_mb < INSTALL_LOG_MB:
            found = f"{limit} {unit}, {limit * unit_mb:.0f} MB; an installation can need {INSTALL_LOG_MB} MB"
            value = 0 if name == "max_log" and needed > 100 else needed  # 0 removes the limit
            yield Diagnosis(AREA, name, Verdict.MISSING, found, (_update(probe, name.upper(), value),))
        else:
            yield Diagnosis(AREA, name, Verdict.OK, f"{limit} {unit}" if limit else "no limit")


def diagnose_heaps(probe: Probe) -> Iterator[Diagnosis]:
    """Check that the heaps for compilation are not fixed below Db2's default."""
    for name, (least, error) in HEAPS.items():
        pages = _smallest(probe, name)
        if probe.is_automatic(name) or (pages and pages >= least):
            yield Diagnosis(AREA, name, Verdict.OK, "AUTOMATIC" if probe.is_automatic(name) else f"{pages} pages")
        elif pages:
            found = f"fixed at {pages} pages, less than the default of {least}: statements can fail with {error}"
            yield Diagnosis(AREA, name, Verdict.NOTE, found, (_update(probe, name.upper(), "AUTOMATIC"),))


def _smallest(probe: Probe, name: str, positive: bool = False) -> int | None:
    """Return the smallest value of a parameter on the members, or None if it is unknown."""
    values = [int(value) for value in probe.setting(name) if value.lstrip("-").isdigit()]
    return min((value for value in values if value > 0 or not positive), default=None)


def _update(probe: Probe, name: str, value: int | str) -> str:
    return f"UPDATE DB CFG FOR {alias(probe.database)} USING {name} {value}"
