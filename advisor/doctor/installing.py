"""Checks whether schema TUNE can be installed or upgraded, before anything is created: rights, pages, limits."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from advisor.db2.failures import Db2Failure
from advisor.doctor.diagnosis import Diagnosis, Verdict, diagnose_or_explain
from advisor.doctor.probe import Probe, identifier
from advisor.install.space import NAME, PAGE_SIZE, POOL, TEMPORARY, Objects, count_objects, create_space
from advisor.install.statements import install_statements
from advisor.quoting import alias, quoted
from advisor.resources import data_file

AREA = "To install"

# MB of log for one unit of work: at least what install.space estimates for a selftest, the largest one. A trial stores no
# Db2 packages, and a unit of work of the installation few.
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


MOST_FILES = 256  # logprimary and logsecond together: accepted at every level and with circular logging (r0000241)
INFINITE = -1  # logsecond: infinite logging

_AREA = AREA
_DB2_OWN = ("SYSCATSPACE", "SYSTOOLSPACE")  # table spaces for Db2 itself


def diagnose_installation(probe: Probe) -> Iterator[Diagnosis]:
    yield from diagnose_or_explain(_AREA, "installed version", lambda: _version(probe))
    yield from diagnose_or_explain(_AREA, "owner of schema TUNE", lambda: _owner(probe))
    yield from diagnose_or_explain(_AREA, "settings", lambda: _modes(probe))
    yield from diagnose_or_explain(_AREA, "create schema TUNE", lambda: _schema(probe))
    yield from diagnose_or_explain(_AREA, "create tables", lambda: _tables(probe))
    yield from diagnose_or_explain(_AREA, "table space", lambda: _room(probe))
    yield from diagnose_or_explain(_AREA, "system temporary table space", lambda: _temporary(probe))
    yield from diagnose_or_explain(_AREA, "log", lambda: _log(probe))
    yield from diagnose_or_explain(_AREA, "log of one transaction", lambda: diagnose_transaction(probe))
    yield from diagnose_or_explain(_AREA, "locks", lambda: diagnose_locks(probe))
    yield from diagnose_or_explain(_AREA, "heaps", lambda: diagnose_heaps(probe))
    yield from diagnose_or_explain(_AREA, "DBMS_ALERT", lambda: _alert(probe))
    yield Diagnosis(_AREA, "user temporary table space", Verdict.NOTE, "not needed")


def _version(probe: Probe) -> Iterator[Diagnosis]:
    rows = _read_if_installed(probe, "version")
    found = f"{rows[0]['VERSION']}, by {rows[0]['INSTALLED_BY']} at {rows[0]['INSTALLED_AT']}" if rows else "none"
    yield Diagnosis(_AREA, "installed version", Verdict.NOTE, found)
    for row in _read_if_installed(probe, "refused"):
        yield Diagnosis(_AREA, f"{row['KIND']} {row['NAME']}", Verdict.NOTE, f"refused: {row['REASON']}")


def _read_if_installed(probe: Probe, name: str) -> list[dict[str, Any]]:
    """Return the rows of a query on schema TUNE; none if its table does not exist."""
    try:
        return probe.rows(name)
    except Db2Failure as failure:
        if failure.id != "SQL0204N":
            raise
        return []


def _owner(probe: Probe) -> Iterator[Diagnosis]:
    """Yield one line per reason why others can change the schema, which prevents installation (SQLSTATE 70081)."""
    what = "owner of schema TUNE"
    for row in probe.rows("owner"):
        commands = (str(row["COMMAND"]),) if row["COMMAND"] else ()
        yield Diagnosis(_AREA, what, Verdict.MISSING, str(row["FOUND"]), commands)
    if not probe.rows("owner"):
        yield Diagnosis(_AREA, what, Verdict.OK, "no other user owns or can change it")


def _modes(probe: Probe) -> Iterator[Diagnosis]:
    """Yield settings that change the meaning of statements or the effect of an installation."""
    said = {(row["NAME"], row["VALUE"]): row["SAYS"] for row in data_file("doctor", "modes")}
    for name in dict.fromkeys(name for name, _ in said):
        values = probe.setting(name)
        notes = [f"{value}: {said[name, value]}" for value in values if (name, value) in said]
        if not values:
            yield Diagnosis(_AREA, name, Verdict.UNKNOWN, "is not among the parameters of this level")
        elif notes:
            yield Diagnosis(_AREA, name, Verdict.NOTE, "; ".join(notes))
        else:
            yield Diagnosis(_AREA, name, Verdict.OK, ", ".join(values))


def _schema(probe: Probe) -> Iterator[Diagnosis]:
    what = "create schema TUNE"
    if "DBADM" in probe.authorities:
        yield Diagnosis(_AREA, what, Verdict.OK, f"DBADM, held by {probe.authorities['DBADM']}")
    elif probe.rows("schema_create"):
        yield Diagnosis(_AREA, what, Verdict.OK, "CREATEIN on the schema, which exists")
    else:
        commands = (f"CREATE SCHEMA TUNE AUTHORIZATION {quoted(probe.user)}",)
        yield Diagnosis(
            _AREA, what, Verdict.MISSING, "DBADM or CREATEIN is missing; a DBADM creates the schema", commands
        )


def _tables(probe: Probe) -> Iterator[Diagnosis]:
    held = next((each for each in ("DBADM", "CREATETAB") if each in probe.authorities), None)
    if held:
        yield Diagnosis(_AREA, "create tables", Verdict.OK, f"{held}, held by {probe.authorities[held]}")
    else:
        command = f"GRANT CREATETAB ON DATABASE TO USER {quoted(probe.user)}"
        yield Diagnosis(_AREA, "create tables", Verdict.MISSING, "DBADM or CREATETAB is missing", (command,))


@cache
def _objects() -> Objects:
    return count_objects(install_statements())


def _room(probe: Probe) -> Iterator[Diagnosis]:
    """Check for a table space with large enough pages and enough space, and the privilege to use it."""
    large = [row for row in probe.rows("tablespace") if row["DATATYPE"] in ("A", "L") and row["PAGESIZE"] >= PAGE_SIZE]
    large = [row for row in large if row["TBSPACE"] not in _DB2_OWN]
    usable = {row["TBSPACE"] for row in probe.rows("tablespace_use")}
    everywhere = {"SYSADM", "SYSCTRL"} & set(probe.authorities)
    fitting = [row for row in large if row["TBSPACE"] in usable or everywhere]
    if fitting:
        yield _space(probe, fitting[0], len(fitting) - 1)
    elif large:
        command = f"GRANT USE OF TABLESPACE {identifier(large[0]['TBSPACE'])} TO USER {quoted(probe.user)}"
        found = "the user, the user's roles and PUBLIC lack USE"
        yield Diagnosis(_AREA, "table space", Verdict.MISSING, found, (command,))
    else:
        found = (
            f"no table space has pages of {PAGE_SIZE} bytes or more: db2tune install --create-tablespace creates one,"
            f" which needs about {_objects().megabytes()} MB"
        )
        yield Diagnosis(_AREA, "table space", Verdict.MISSING, found, (POOL, create_space(NAME)))


def _space(probe: Probe, row: dict[str, Any], others: int) -> Diagnosis:
    """Compare the space for a new schema with the free space of a table space, if it cannot grow."""
    name, page, extent = row["TBSPACE"], row["PAGESIZE"], row["EXTENTSIZE"]
    needed = _objects().megabytes(page, extent)
    found = f"{name}{f' and {others} more' if others else ''}, pages of {PAGE_SIZE} bytes or more; a new schema TUNE"
    found += f" needs about {needed} MB in {name} (pages of {page // 1024} KB, extent size {extent})"
    free = _read_free(probe, name)
    if free is None or free >= needed or _read_if_installed(probe, "version"):
        return Diagnosis(_AREA, "table space", Verdict.OK, found)
    command = f"ALTER TABLESPACE {identifier(name)} AUTORESIZE YES"
    return Diagnosis(_AREA, "table space", Verdict.MISSING, f"{found}; {free} MB are free", (command,))


def _read_free(probe: Probe, name: str) -> int | None:
    """Return the free MB of a table space; None if it can grow or the user must not read that."""
    try:
        rows = probe.rows("tablespace_free")
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return None
    return next((int(row["FREE"]) // 1024**2 for row in rows if row["TBSP_NAME"] == name), None)


def _temporary(probe: Probe) -> Iterator[Diagnosis]:
    """Check the pages for sorting and grouping. If they are too small, statements fail (SQL1585N)."""
    what = "system temporary table space"
    sizes = [row["PAGESIZE"] for row in probe.rows("tablespace") if row["DATATYPE"] == "T"]
    if max(sizes, default=0) >= PAGE_SIZE:
        yield Diagnosis(_AREA, what, Verdict.OK, f"pages of {max(sizes)} bytes")
    else:
        found = f"no table space has pages of {PAGE_SIZE} bytes or more: calls can fail with SQL1585N"
        yield Diagnosis(_AREA, what, Verdict.MISSING, found, (POOL, TEMPORARY))


def _log(probe: Probe) -> Iterator[Diagnosis]:
    """Check the log size. A trial of the installation is one unit of work, which must fit into the log."""
    values = {name: probe.setting(name) for name in ("logfilsiz", "logprimary", "logsecond")}
    if not all(values.values()):
        yield Diagnosis(_AREA, "log", Verdict.UNKNOWN, "the parameters do not contain its size")
        return
    pages, primary, secondary = (min(map(int, found)) for found in values.values())
    file_mb = pages * LOG_PAGE / 1024**2
    held = (primary + secondary) * file_mb
    if secondary == INFINITE or held >= INSTALL_LOG_MB:
        size = "infinite" if secondary == INFINITE else f"{held:.0f} MB"
        yield Diagnosis(_AREA, "log", Verdict.OK, f"{size}; an installation can need {INSTALL_LOG_MB} MB")
        return
    files = math.ceil(INSTALL_LOG_MB / file_mb)
    found = f"{held:.0f} MB; an installation can need {INSTALL_LOG_MB} MB (SQL0964C)"
    if files <= MOST_FILES:
        change = f"LOGSECOND {files - primary}"
    else:  # more files may be refused; larger ones are in use after the next activation
        change = f"LOGFILSIZ {math.ceil(INSTALL_LOG_MB * 1024**2 / LOG_PAGE / (primary + secondary))}"
    command = f"UPDATE DB CFG FOR {alias(probe.database)} USING {change}"
    yield Diagnosis(_AREA, "log", Verdict.MISSING, found, (command,))


def _alert(probe: Probe) -> Iterator[Diagnosis]:
    """Check DBMS_ALERT.SLEEP, which ADVISE runs between two snapshots with the installer's privileges."""
    if probe.rows("alert_use"):
        yield Diagnosis(_AREA, "DBMS_ALERT", Verdict.OK, "EXECUTE on the module")
    elif "DATAACCESS" in probe.authorities:
        yield Diagnosis(_AREA, "DBMS_ALERT", Verdict.OK, f"DATAACCESS, held by {probe.authorities['DATAACCESS']}")
    else:
        command = f"GRANT EXECUTE ON MODULE SYSIBMADM.DBMS_ALERT TO USER {quoted(probe.user)}"
        found = "the user, the user's roles and PUBLIC lack EXECUTE: ADVISE rejects P_INTERVAL_S"
        yield Diagnosis(_AREA, "DBMS_ALERT", Verdict.MISSING, found, (command,))
