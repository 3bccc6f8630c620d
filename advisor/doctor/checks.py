"""What db2tune finds on a server, and what it lacks there: level, members, monitor switches, privileges, sources.

Each fact is one statement of sql/doctor/, which only reads; one that fails leaves a line with the reason and stops
nothing but itself. A source of sql/collect/ is checked by preparing and describing its statement, not by running it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.doctor.privileges import sources
from advisor.doctor.probe import Check, Examination, State, answered, object_name
from advisor.quoting import quoted
from advisor.resources import data_file

PAGE_SIZE = 8192  # bytes: the smallest page that the tables of schema TUNE fit into

_MONITOR_LEVELS = ("NONE", "BASE", "EXTENDED")
_DB2_OWN = ("SYSCATSPACE", "SYSTOOLSPACE")  # table spaces for Db2 itself
_ON = ("YES", "TRUE", "1", "ON")


@dataclass(frozen=True)
class Doctor:
    """All checks of one database, in the order of their areas."""

    database: str
    user: str
    checks: tuple[Check, ...]

    @property
    def missing(self) -> list[Check]:
        return [check for check in self.checks if check.state is State.MISSING]


def report(connection: Connection) -> Doctor:
    """Examine the database; raises Db2Failure only when the connection is lost."""
    examination = Examination(connection)
    checks = [check for area in _AREAS for check in area(examination)]
    return Doctor(examination.database, examination.user, tuple(checks))


def _server(this: Examination) -> Iterator[Check]:
    area = "Server"
    encrypted = {True: "encrypted", False: "not encrypted by TLS", None: "encrypted as db2dsdriver.cfg says"}
    how = f"{this.database} as {this.user}, {encrypted[this.connection.target.encrypted]}"
    yield Check(area, "connection", State.NOTE, how)
    yield from answered(area, "level", lambda: _level(this))
    yield from answered(area, "edition", lambda: _edition(this))
    yield from answered(area, "platform", lambda: _platform(this))
    yield from answered(area, "topology", lambda: _topology(this))
    yield from answered(area, "members", lambda: _members(this))


def _level(this: Examination) -> Iterator[Check]:
    for row in this.rows("instance"):
        found = f"{row['SERVICE_LEVEL']}, fix pack {row['FIXPACK_NUM']}, instance {row['INST_NAME']}"
        yield Check("Server", "level", State.NOTE, found)


def _edition(this: Examination) -> Iterator[Check]:
    for row in this.rows("product"):
        licence = f"licence {row['LICENSE_TYPE']}" if row["LICENSE_INSTALLED"] == "Y" else "no licence installed"
        yield Check(
            "Server", "edition", State.NOTE, f"{row['INSTALLED_PROD_FULLNAME']} {row['PROD_RELEASE']}, {licence}"
        )


def _platform(this: Examination) -> Iterator[Check]:
    for row in this.rows("system"):
        found = f"{row['OS_NAME']} {row['OS_VERSION']}.{row['OS_RELEASE']} on {row['HOST_NAME']}"
        size = f"{row['TOTAL_CPUS']} processors, {row['TOTAL_MEMORY']} MB of memory"
        yield Check("Server", "platform", State.NOTE, f"{found}, {size}")


def _topology(this: Examination) -> Iterator[Check]:
    instance = this.rows("instance")[0]
    if this.rows("caching_facility"):
        found = f"pureScale, {instance['NUM_MEMBERS']} members"
    elif instance["NUM_DBPARTITIONS"] > 1:
        found = f"partitioned, {instance['NUM_DBPARTITIONS']} partitions"
    else:
        found = "single member"
    yield Check("Server", "topology", State.NOTE, found)


def _members(this: Examination) -> Iterator[Check]:
    stopped = [row for row in this.rows("member") if row["STATE"].strip() != "STARTED"]
    count = len(this.rows("member"))
    yield Check("Server", "members", State.NOTE, f"{count - len(stopped)} of {count} started")
    for row in stopped:
        what = f"member {row['ID']} on {row['HOME_HOST']}"
        yield Check(
            "Server",
            what,
            State.MISSING,
            f"{row['STATE'].strip()}: nothing of it is seen",
            (f"db2start member {row['ID']}",),
        )


def _monitoring(this: Examination) -> Iterator[Check]:
    yield from answered("Monitoring", "monitor switches", lambda: _switches(this))


def _switches(this: Examination) -> Iterator[Check]:
    wanted = {row["NAME"]: row for row in data_file("doctor", "switches")}
    values = {name: [row["VALUE"] for row in this.rows("switch") if row["NAME"] == name] for name in wanted}
    for name, want in wanted.items():
        found = ", ".join(sorted(set(values[name])))
        if not values[name]:
            yield Check("Monitoring", name, State.UNKNOWN, "is not among the parameters of this level")
        elif any(_rank(value) < _rank(want["LOWEST"]) for value in values[name]):
            command = f"UPDATE DB CFG FOR {this.database} USING {name.upper()} {want['LOWEST']}"
            yield Check("Monitoring", name, State.MISSING, f"{found}: {want['WHY']}", (command,))
        else:
            yield Check("Monitoring", name, State.OK, found)


def _rank(value: str) -> int:
    return _MONITOR_LEVELS.index(value) if value in _MONITOR_LEVELS else 0


def _authorities(this: Examination) -> Iterator[Check]:
    def held() -> Iterator[Check]:
        for authority, by in this.authorities.items():
            yield Check("Authorities", authority, State.NOTE, f"held by {by}")

    yield from answered("Authorities", "authorities held", held)


def _install(this: Examination) -> Iterator[Check]:
    yield from answered("To install", "installed version", lambda: _version(this))
    yield from answered("To install", "create schema TUNE", lambda: _schema(this))
    yield from answered("To install", "create tables", lambda: _tables(this))
    yield from answered("To install", "table space", lambda: _room(this))
    yield Check("To install", "user temporary table space", State.NOTE, "not needed")


def _version(this: Examination) -> Iterator[Check]:
    try:
        rows = this.rows("version")
    except Db2Failure as failure:
        if failure.id != "SQL0204N":
            raise
        rows = []
    found = f"{rows[0]['VERSION']}, by {rows[0]['INSTALLED_BY']} at {rows[0]['INSTALLED_AT']}" if rows else "none"
    yield Check("To install", "installed version", State.NOTE, found)


def _schema(this: Examination) -> Iterator[Check]:
    what = "create schema TUNE"
    if "DBADM" in this.authorities:
        yield Check("To install", what, State.OK, f"DBADM, held by {this.authorities['DBADM']}")
    elif this.rows("schema_create"):
        yield Check("To install", what, State.OK, "CREATEIN on the schema, which exists")
    else:
        commands = (f"CREATE SCHEMA TUNE AUTHORIZATION {quoted(this.user)}",)
        yield Check(
            "To install", what, State.MISSING, "neither DBADM nor CREATEIN; a DBADM creates the schema", commands
        )


def _tables(this: Examination) -> Iterator[Check]:
    held = next((each for each in ("DBADM", "CREATETAB") if each in this.authorities), None)
    if held:
        yield Check("To install", "create tables", State.OK, f"{held}, held by {this.authorities[held]}")
    else:
        command = f"GRANT CREATETAB ON DATABASE TO USER {quoted(this.user)}"
        yield Check("To install", "create tables", State.MISSING, "neither DBADM nor CREATETAB", (command,))


def _room(this: Examination) -> Iterator[Check]:
    """A table space with pages that are large enough, and the privilege to use it."""
    large = [row for row in this.rows("tablespace") if row["DATATYPE"] in ("A", "L") and row["PAGESIZE"] >= PAGE_SIZE]
    names = [row["TBSPACE"] for row in large if row["TBSPACE"] not in _DB2_OWN]
    usable = {row["TBSPACE"] for row in this.rows("tablespace_use")}
    everywhere = {"SYSADM", "SYSCTRL"} & set(this.authorities)
    fitting = [name for name in names if name in usable or everywhere]
    if fitting:
        more = f" and {len(fitting) - 1} more" if len(fitting) > 1 else ""
        yield Check("To install", "table space", State.OK, f"{fitting[0]}{more}, pages of {PAGE_SIZE} bytes or more")
    elif names:
        command = f"GRANT USE OF TABLESPACE {object_name(names[0])} TO USER {quoted(this.user)}"
        found = "USE is held neither by the user, nor a role of the user's, nor PUBLIC"
        yield Check("To install", "table space", State.MISSING, found, (command,))
    else:
        page = f"PAGESIZE {PAGE_SIZE // 1024} K"
        commands = (f"CREATE BUFFERPOOL TUNE {page}", f"CREATE TABLESPACE TUNE {page} BUFFERPOOL TUNE")
        yield Check(
            "To install", "table space", State.MISSING, f"none has pages of {PAGE_SIZE} bytes or more", commands
        )


def _schedule(this: Examination) -> Iterator[Check]:
    yield from answered("To schedule", "DB2_ATS_ENABLE", lambda: _scheduler(this))
    yield from answered("To schedule", "SYSTOOLSPACE", lambda: _tools(this))


def _scheduler(this: Examination) -> Iterator[Check]:
    rows = this.rows("scheduler")
    values, on_disk = (
        [(row[name] or "").upper() for row in rows] for name in ("REG_VAR_VALUE", "REG_VAR_ON_DISK_VALUE")
    )
    if any(value in _ON for value in values):
        yield Check("To schedule", "DB2_ATS_ENABLE", State.OK, values[0])
    elif any(value in _ON for value in on_disk):
        yield Check("To schedule", "DB2_ATS_ENABLE", State.MISSING, "set, but in force only after db2stop and db2start")
    else:
        found = f"{values[0] if values and values[0] else 'not set'}: the task scheduler runs no tasks"
        yield Check("To schedule", "DB2_ATS_ENABLE", State.MISSING, found, ("db2set DB2_ATS_ENABLE=YES",))


def _tools(this: Examination) -> Iterator[Check]:
    if any(row["TBSPACE"] == "SYSTOOLSPACE" for row in this.rows("tablespace")):
        yield Check("To schedule", "SYSTOOLSPACE", State.OK, "exists")
    else:
        command = "CREATE TABLESPACE SYSTOOLSPACE IN IBMCATGROUP MANAGED BY AUTOMATIC STORAGE EXTENTSIZE 4"
        yield Check(
            "To schedule",
            "SYSTOOLSPACE",
            State.MISSING,
            "does not exist; the scheduler keeps its tasks there",
            (command,),
        )


_AREAS = (_server, _monitoring, sources, _authorities, _install, _schedule)
