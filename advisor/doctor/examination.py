"""Examination of a server: level, members, monitor switches, privileges and sources.

Each fact is one query of sql/doctor/. A failed query produces a line with the reason and does not stop the others. To
check a source of sql/collect/, db2tune prepares and describes its statement without running it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.catalogue.sources import Source, read_sources
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.db2.negotiation import find_readable_columns
from advisor.doctor.diagnosis import Diagnosis, Verdict, diagnose_or_explain
from advisor.doctor.installing import diagnose_installation
from advisor.doctor.probe import Probe, object_name
from advisor.quoting import alias, quoted
from advisor.resources import data_file

# The areas that a purpose needs. Scheduling is optional: the nightly job does not need it.
PURPOSES = {"advise": ("Server", "Monitoring", "Sources"), "install": ("To install",), "schedule": ("To schedule",)}
OPTIONAL = ("schedule",)
_MONITOR_LEVELS = ("NONE", "BASE", "EXTENDED")
_ON = ("YES", "TRUE", "1", "ON")
_NO_PRIVILEGE = ("SQL0551N", "SQL0440N")


@dataclass(frozen=True)
class Examination:
    """The diagnoses of one database, in the order of the areas."""

    database: str
    user: str
    diagnoses: tuple[Diagnosis, ...]

    @property
    def missing(self) -> list[Diagnosis]:
        return [diagnosis for diagnosis in self.diagnoses if diagnosis.verdict is Verdict.MISSING]

    def missing_for(self, purpose: str) -> list[Diagnosis]:
        """Return what a purpose lacks."""
        return [diagnosis for diagnosis in self.missing if diagnosis.area in PURPOSES[purpose]]

    @property
    def ready(self) -> bool:
        """Return whether no purpose that is not optional lacks anything."""
        return not any(self.missing_for(purpose) for purpose in PURPOSES if purpose not in OPTIONAL)


def examine(connection: Connection) -> Examination:
    """Examine the database. Raise Db2Failure only if the connection is lost."""
    probe = Probe(connection)
    diagnoses = [diagnosis for area in _AREAS for diagnosis in area(probe)]
    return Examination(probe.database, probe.user, tuple(diagnoses))


def _server(probe: Probe) -> Iterator[Diagnosis]:
    area = "Server"
    encrypted = {True: "encrypted", False: "not encrypted by TLS", None: "encryption set in db2dsdriver.cfg"}
    how = f"{probe.database} as {probe.user}, {encrypted[probe.connection.address.encrypted]}"
    yield Diagnosis(area, "connection", Verdict.NOTE, how)
    yield from diagnose_or_explain(area, "level", lambda: _level(probe))
    yield from diagnose_or_explain(area, "edition", lambda: _edition(probe))
    yield from diagnose_or_explain(area, "platform", lambda: _platform(probe))
    yield from diagnose_or_explain(area, "topology", lambda: _topology(probe))
    yield from diagnose_or_explain(area, "members", lambda: _members(probe))


def _level(probe: Probe) -> Iterator[Diagnosis]:
    for row in probe.rows("instance"):
        found = f"{row['SERVICE_LEVEL']}, fix pack {row['FIXPACK_NUM']}, instance {row['INST_NAME']}"
        yield Diagnosis("Server", "level", Verdict.NOTE, found)


def _edition(probe: Probe) -> Iterator[Diagnosis]:
    for row in probe.rows("product"):
        licence = f"licence {row['LICENSE_TYPE']}" if row["LICENSE_INSTALLED"] == "Y" else "no licence installed"
        yield Diagnosis(
            "Server", "edition", Verdict.NOTE, f"{row['INSTALLED_PROD_FULLNAME']} {row['PROD_RELEASE']}, {licence}"
        )


def _platform(probe: Probe) -> Iterator[Diagnosis]:
    for row in probe.rows("system"):
        version = ".".join(part for part in (row["OS_VERSION"], row["OS_RELEASE"]) if part)
        found = f"{' '.join(filter(None, (row['OS_NAME'], version)))} on {row['HOST_NAME']}"
        size = [f"{row['TOTAL_CPUS']} processors"] if row["TOTAL_CPUS"] is not None else []
        size += [f"{row['TOTAL_MEMORY']} MB of memory"] if row["TOTAL_MEMORY"] is not None else []
        yield Diagnosis("Server", "platform", Verdict.NOTE, ", ".join([found, *size]))


def _topology(probe: Probe) -> Iterator[Diagnosis]:
    instance = probe.rows("instance")[0]
    if probe.rows("caching_facility"):
        found = f"pureScale, {instance['NUM_MEMBERS']} members"
    elif instance["NUM_DBPARTITIONS"] > 1:
        found = f"partitioned, {instance['NUM_DBPARTITIONS']} partitions"
    else:
        found = "single member"
    yield Diagnosis("Server", "topology", Verdict.NOTE, found)


def _members(probe: Probe) -> Iterator[Diagnosis]:
    stopped = [row for row in probe.rows("member") if row["STATE"].strip() != "STARTED"]
    count = len(probe.rows("member"))
    yield Diagnosis("Server", "members", Verdict.NOTE, f"{count - len(stopped)} of {count} started")
    for row in stopped:
        what = f"member {row['ID']} on {row['HOME_HOST']}"
        yield Diagnosis(
            "Server",
            what,
            Verdict.MISSING,
            f"{row['STATE'].strip()}: db2tune cannot read this member",
            (f"db2start member {row['ID']}",),
        )


def _monitoring(probe: Probe) -> Iterator[Diagnosis]:
    yield from diagnose_or_explain("Monitoring", "monitor switches", lambda: _switches(probe))


def _switches(probe: Probe) -> Iterator[Diagnosis]:
    wanted = {row["NAME"]: row for row in data_file("doctor", "switches")}
    for name, want in wanted.items():
        values = probe.setting(name)
        found = ", ".join(values)
        if not values:
            yield Diagnosis("Monitoring", name, Verdict.UNKNOWN, "this level does not have this parameter")
        elif any(_rank(value) < _rank(want["LOWEST"]) for value in values):
            command = f"UPDATE DB CFG FOR {alias(probe.database)} USING {name.upper()} {want['LOWEST']}"
            yield Diagnosis("Monitoring", name, Verdict.MISSING, f"{found}: {want['WHY']}", (command,))
        else:
            yield Diagnosis("Monitoring", name, Verdict.OK, found)


def _rank(value: str) -> int:
    return _MONITOR_LEVELS.index(value) if value in _MONITOR_LEVELS else 0


def _authorities(probe: Probe) -> Iterator[Diagnosis]:
    def held() -> Iterator[Diagnosis]:
        for authority, by in probe.authorities.items():
            yield Diagnosis("Authorities", authority, Verdict.NOTE, f"held by {by}")

    yield from diagnose_or_explain("Authorities", "authorities held", held)


def _schedule(probe: Probe) -> Iterator[Diagnosis]:
    yield from diagnose_or_explain("To schedule", "DB2_ATS_ENABLE", lambda: _scheduler(probe))
    yield from diagnose_or_explain("To schedule", "SYSTOOLSPACE", lambda: _tools(probe))


def _scheduler(probe: Probe) -> Iterator[Diagnosis]:
    rows = probe.rows("scheduler")
    values, on_disk = (
        [(row[name] or "").upper() for row in rows] for name in ("REG_VAR_VALUE", "REG_VAR_ON_DISK_VALUE")
    )
    if any(value in _ON for value in values):
        yield Diagnosis("To schedule", "DB2_ATS_ENABLE", Verdict.OK, values[0])
    elif any(value in _ON for value in on_disk):
        yield Diagnosis(
            "To schedule", "DB2_ATS_ENABLE", Verdict.MISSING, "set, but takes effect only after db2stop and db2start"
        )
    else:
        found = f"{values[0] if values and values[0] else 'not set'}: the task scheduler runs no tasks"
        yield Diagnosis("To schedule", "DB2_ATS_ENABLE", Verdict.MISSING, found, ("db2set DB2_ATS_ENABLE=YES",))


def _tools(probe: Probe) -> Iterator[Diagnosis]:
    if any(row["TBSPACE"] == "SYSTOOLSPACE" for row in probe.rows("tablespace")):
        yield Diagnosis("To schedule", "SYSTOOLSPACE", Verdict.OK, "exists")
    else:
        command = "CREATE TABLESPACE SYSTOOLSPACE IN IBMCATGROUP MANAGED BY AUTOMATIC STORAGE EXTENTSIZE 4"
        yield Diagnosis(
            "To schedule",
            "SYSTOOLSPACE",
            Verdict.MISSING,
            "does not exist; the scheduler stores its tasks there",
            (command,),
        )


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


_AREAS = (_server, diagnose_installation, _monitoring, sources, _authorities, _schedule)
