"""Checks whether each source of sql/collect/ is readable, with the exact GRANT if not.

db2tune prepares and describes the statement without running it. Db2 then checks all names and privileges.
"""

from collections.abc import Iterator

from advisor.catalogue.sources import Source, read_sources
from advisor.db2.failures import Db2Failure
from advisor.db2.negotiation import find_readable_columns
from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.probe import Probe, object_name
from advisor.quoting import quoted

_NO_PRIVILEGE = ("SQL0551N", "SQL0440N")


def sources(probe: Probe) -> Iterator[Diagnosis]:
    for source in read_sources().values():
        yield _source(probe, source)


def _source(probe: Probe, source: Source) -> Diagnosis:
    try:
        columns = find_readable_columns(probe.connection, source)
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return _diagnose_unreadable(probe, source, failure)
    absent = [column.name for column in source.columns if column not in columns]
    found = f"readable; this level lacks {', '.join(absent)}" if absent else "readable"
    return Diagnosis("Sources", source.db2_object, Verdict.OK, found)


def _diagnose_unreadable(probe: Probe, source: Source, failure: Db2Failure) -> Diagnosis:
    name = source.db2_object
    if name.startswith("TUNE."):
        return Diagnosis("Sources", name, Verdict.NOTE, "created by 'db2tune install'; optional")
    if failure.id == "SQL0440N" and not _function_exists(probe, name):
        return Diagnosis("Sources", name, Verdict.NOTE, "this level lacks the function; rules that need it report that")
    if failure.id == "SQL0204N":
        return Diagnosis("Sources", name, Verdict.NOTE, "this level lacks the object; rules that need it report that")
    if failure.id in _NO_PRIVILEGE:
        return Diagnosis("Sources", name, Verdict.MISSING, failure.reason, _grants(probe, name, failure))
    return Diagnosis("Sources", name, Verdict.UNKNOWN, failure.reason)


def _function_exists(probe: Probe, name: str) -> bool:
    """Return whether Db2 has the function. If the catalog is unreadable, assume that it does."""
    try:
        return name in probe.specific_names
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return True


def _grants(probe: Probe, name: str, failure: Db2Failure) -> tuple[str, ...]:
    """Return the GRANTs for the failure: on its object, or else on the source's object."""
    user = quoted(probe.user)
    operation, object_ = failure.tokens[1:3] if failure.id == "SQL0551N" and len(failure.tokens) > 2 else ("", "")
    if operation == "SELECT" or (not operation and "." in name):
        return (f"GRANT SELECT ON {object_name(object_ or name)} TO USER {user}",)
    function = name if "." not in name else object_.rpartition(".")[2]
    try:
        specific = probe.specific_names.get(function, [])
    except Db2Failure as lost:
        if lost.dropped:
            raise
        specific = []
    if len(specific) < 2:
        return (f"GRANT EXECUTE ON FUNCTION {object_name(f'SYSPROC.{function}')} TO USER {user}",)
    return tuple(
        f"GRANT EXECUTE ON SPECIFIC FUNCTION {object_name(f'SYSPROC.{each}')} TO USER {user}" for each in specific
    )
