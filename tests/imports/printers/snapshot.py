"""Snapshots (``get snapshot for``) of a machine state: database manager, database, pools, table spaces and tables."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from tests.support.states import Row, State, base_state

_DATABASE = {
    "workload": {
        "Lock waits": "LOCK_WAITS",
        "Time database waited on locks (ms)": "LOCK_WAIT_TIME",
        "Deadlocks detected": "DEADLOCKS",
        "Post threshold sorts (shared memory)": "POST_SHRTHRESHOLD_SORTS",
        "Total sorts": "TOTAL_SORTS",
        "Sort overflows": "SORT_OVERFLOWS",
        "Time waited for prefetch (ms)": "PREFETCH_WAIT_TIME",
        "Commit statements attempted": "TOTAL_APP_COMMITS",
        "Rollback statements attempted": "TOTAL_APP_ROLLBACKS",
        "Select SQL statements executed": "SELECT_SQL_STMTS",
        "Update/Insert/Delete statements executed": "UID_SQL_STMTS",
        "Rows selected": "ROWS_RETURNED",
        "Rows read": "ROWS_READ",
        "Package cache lookups": "PKG_CACHE_LOOKUPS",
        "Package cache inserts": "PKG_CACHE_INSERTS",
        "Catalog cache lookups": "CAT_CACHE_LOOKUPS",
        "Catalog cache inserts": "CAT_CACHE_INSERTS",
        "Number of hash joins": "TOTAL_HASH_JOINS",
        "Number of hash join overflows": "HASH_JOIN_OVERFLOWS",
        "Post threshold hash joins (shared memory)": "POST_SHRTHRESHOLD_HASH_JOINS",
    },
    "database": {
        "Shared Sort heap high water mark": "SORT_SHRHEAP_TOP",
        "Catalog cache overflows": "CAT_CACHE_OVERFLOWS",
    },
    "transaction_log": {
        "Log space available to the database (Bytes)": "TOTAL_LOG_AVAILABLE",
        "Log space used by the database (Bytes)": "TOTAL_LOG_USED",
        "Maximum secondary log space used (Bytes)": "SEC_LOG_USED_TOP",
        "Maximum total log space used (Bytes)": "TOT_LOG_USED_TOP",
        "Secondary logs allocated currently": "SEC_LOGS_ALLOCATED",
        "Appl id holding the oldest transaction": "APPLID_HOLDING_OLDEST_XACT",
        "Log pages written": "LOG_WRITES",
        "Log write time (sec.ns)": "LOG_WRITE_TIME",
        "Number write log IOs": "NUM_LOG_WRITE_IO",
        "Number read log IOs": "NUM_LOG_READ_IO",
        "Number partial page log IOs": "NUM_LOG_PART_PAGE_IO",
        "Number log buffer full": "NUM_LOG_BUFFER_FULL",
        "Log data found in buffer": "NUM_LOG_DATA_FOUND_IN_BUFFER",
    },
}


def _pages() -> dict[str, str]:
    labels = {}
    for kind in ("data", "index", "xda"):
        name = kind.upper()
        labels |= {
            f"Buffer pool {kind} logical reads": f"POOL_{name}_L_READS",
            f"Buffer pool {kind} physical reads": f"POOL_{name}_P_READS",
            f"Buffer pool temporary {kind} logical reads": f"POOL_TEMP_{name}_L_READS",
            f"Buffer pool temporary {kind} physical reads": f"POOL_TEMP_{name}_P_READS",
            f"Asynchronous pool {kind} page reads": f"POOL_ASYNC_{name}_READS",
            f"Buffer pool {kind} writes": f"POOL_{name}_WRITES",
            f"Asynchronous pool {kind} page writes": f"POOL_ASYNC_{name}_WRITES",
        }
    return labels


_POOL = _pages() | {
    "Total buffer pool read time (milliseconds)": "POOL_READ_TIME",
    "Total buffer pool write time (milliseconds)": "POOL_WRITE_TIME",
    "Total elapsed asynchronous read time": "POOL_ASYNC_READ_TIME",
    "Total elapsed asynchronous write time": "POOL_ASYNC_WRITE_TIME",
    "Database files closed": "FILES_CLOSED",
}
_SPACE = _pages() | {
    "Total buffer pool read time (millisec)": "POOL_READ_TIME",
    "Total buffer pool write time (millisec)": "POOL_WRITE_TIME",
    "Total elapsed asynchronous read time": "POOL_ASYNC_READ_TIME",
    "Total elapsed asynchronous write time": "POOL_ASYNC_WRITE_TIME",
    "Asynchronous data read requests": "POOL_ASYNC_DATA_READ_REQS",
    "Asynchronous index read requests": "POOL_ASYNC_INDEX_READ_REQS",
    "Asynchronous xda read requests": "POOL_ASYNC_XDA_READ_REQS",
    "Direct reads elapsed time (ms)": "DIRECT_READ_TIME",
    "Direct write elapsed time (ms)": "DIRECT_WRITE_TIME",
}
# Unused lines are printed too, as by Db2: a snapshot has many of them.
_OTHERS = (
    "No victim buffers available",
    "Direct reads",
    "Direct writes",
    "Direct read requests",
    "Direct write requests",
)
_LAYOUT = {
    "Tablespace Page size (bytes)": "TBSP_PAGE_SIZE",
    "Tablespace Extent size (pages)": "TBSP_EXTENT_SIZE",
    "Tablespace Prefetch size (pages)": "TBSP_PREFETCH_SIZE",
    "Buffer pool ID currently in use": "TBSP_CUR_POOL_ID",
    "Buffer pool ID next startup": "TBSP_NEXT_POOL_ID",
    "Total number of pages": "TBSP_TOTAL_PAGES",
    "Number of used pages": "TBSP_USED_PAGES",
}
TYPES = {"DMS": "Database managed space", "SMS": "System managed space"}
CONTENTS = {
    "ANY": "All permanent data. Regular table space.",
    "LARGE": "All permanent data. Large table space.",
    "SYSTEMP": "System Temporary data",
    "USRTEMP": "User Temporary data",
}
_CONTAINERS = {
    "PATH": "Path",
    "FILE_EXTENT_TAG": "File (extent sized tag)",
    "DISK_EXTENT_TAG": "Disk (extent sized tag)",
}
_AGENTS = {
    "Agents assigned from pool": "AGENTS_FROM_POOL",
    "Agents created from empty pool": "AGENTS_CREATED_EMPTY_POOL",
}
_SYSTEMS = {"Linux": "LINUXX8664", "AIX": "AIX64", "Windows": "NT64"}

HOLDS = {
    "workload": ("MEMBER", *_DATABASE["workload"].values()),
    "database": ("MEMBER", "DB_CONN_TIME", "UPTIME_S", *_DATABASE["database"].values()),
    "transaction_log": ("MEMBER", *_DATABASE["transaction_log"].values()),
    "bufferpool": ("BP_NAME", "MEMBER", "BP_CUR_BUFFSZ", *_POOL.values()),
    "tablespace": (
        "TBSP_NAME",
        "MEMBER",
        "TBSP_ID",
        "TBSP_TYPE",
        "TBSP_CONTENT_TYPE",
        "TBSP_USING_AUTO_STORAGE",
        "TBSP_REBALANCER_MODE",
        *_LAYOUT.values(),
        *_SPACE.values(),
    ),
    "container": (
        "TBSP_NAME",
        "CONTAINER_ID",
        "MEMBER",
        "TBSP_ID",
        "CONTAINER_NAME",
        "CONTAINER_TYPE",
        "STRIPE_SET",
        "TOTAL_PAGES",
        "USABLE_PAGES",
        "ACCESSIBLE",
    ),
    "cat_tablespace": (
        "TBSPACE",
        "TBSPACEID",
        "TBSPACETYPE",
        "DATATYPE",
        "EXTENTSIZE",
        "PREFETCHSIZE",
        "PAGESIZE",
        "BUFFERPOOLID",
    ),
    "table": ("TABSCHEMA", "TABNAME", "MEMBER", "DATA_PARTITION_ID", "TBSP_ID", "ROWS_READ", "OVERFLOW_ACCESSES"),
    "instance": ("MEMBER", *_AGENTS.values()),
}


def printed(state: State) -> str:
    """Return all snapshots, member by member, one after the other."""
    members = [row["MEMBER"] for row in state.sources["database"]]
    return "".join(_line(*item) for member in members for item in _member(state, member, len(members)))


Item = tuple[str, object]


def _line(label: str, value: object) -> str:
    if not label:
        return f"{value}\n"
    return f"{label:<43}= {'Not Collected' if value is None else value}\n"


def _member(state: State, member: int, members: int) -> Iterator[Item]:
    activation = next(row for row in state.sources["database"] if row["MEMBER"] == member)
    activated = datetime.fromisoformat(activation["DB_CONN_TIME"])
    taken_at = activated + timedelta(seconds=activation["UPTIME_S"])
    times: list[Item] = [
        ("First database connect timestamp", _time(activated)),
        ("Last reset timestamp", ""),
        ("Snapshot timestamp", _time(taken_at)),
    ]
    name: list[Item] = [
        ("Database name", state.database["name"]),
        ("Database path", "/db/SQL00001/"),
        ("Input database alias", state.database["name"]),
    ]
    yield from _instance(state, member, members, taken_at)
    yield from _heading("Database Snapshot")
    yield from name
    yield "Operating system running at database server", _SYSTEMS[state.database["platform"]]
    yield from times
    yield "", ""
    for source, labels in _DATABASE.items():
        rows = _of(state, source, member)
        yield from _values(labels, {column: _sum(row.get(column) for row in rows) for column in labels.values()})
        yield "", ""
    yield "Node number", member
    yield "File number of first active log", 0
    for row in _of(state, "bufferpool", member):
        yield from _heading("Bufferpool Snapshot")
        yield "Bufferpool name", row["BP_NAME"]
        yield from (*name, times[-1], ("", ""))
        yield from _values(_POOL, row)
        yield from ((label, 0) for label in _OTHERS)
        yield from (("", ""), ("Node number", member), ("Tablespaces using bufferpool", 1))
        yield from (("", "Alter bufferpool information:"), (" Pages left to remove", 0))
        yield " Current size", row["BP_CUR_BUFFSZ"]
        yield " Post-alter size", row["BP_CUR_BUFFSZ"]
    yield from _heading("Tablespace Snapshot")
    yield from (*times, *name)
    for row in _of(state, "tablespace", member):
        yield from _space(state, row, member)
    yield from _heading("Table Snapshot")
    yield from (*times, *name, ("", "\nTable List"))
    for row in _of(state, "table", member):
        yield from (("", ""), (" Table Schema", row["TABSCHEMA"]), (" Table Name", row["TABNAME"]))
        yield from ((" Table Type", "User"), (" Data Partition Id", row["DATA_PARTITION_ID"]))
        yield from ((" Tablespace ID", row["TBSP_ID"]), (" Rows Read", row["ROWS_READ"]))
        yield from ((" Rows Written", 1), (" Overflows", row["OVERFLOW_ACCESSES"]), (" Page Reorgs", 0))


def _instance(state: State, member: int, members: int, taken_at: datetime) -> Iterator[Item]:
    for row in _of(state, "instance", member):
        yield from _heading("Database Manager Snapshot")
        yield "Instance name", state.database["instance"]
        yield "Number of database partitions in DB2 instance", members
        yield "Product name", f"DB2 v{state.database['level']}"
        yield from (("Last reset timestamp", ""), ("Snapshot timestamp", _time(taken_at)), ("", ""))
        yield from _values(_AGENTS, row)
        yield from (("", "\nMemory usage for database manager:\n"), ("    Node number", member))


def _space(state: State, row: Row, member: int) -> Iterator[Item]:
    defined = next((item for item in state.sources["cat_tablespace"] if item["TBSPACE"] == row["TBSP_NAME"]), {})
    yield from (("", "\n"), ("Tablespace name", row["TBSP_NAME"]), ("  Tablespace ID", row["TBSP_ID"]))
    yield "  Tablespace Type", TYPES[row["TBSP_TYPE"]]
    yield "  Tablespace Content Type", CONTENTS[row["TBSP_CONTENT_TYPE"]]
    yield "  Automatic Prefetch size enabled", "Yes" if defined.get("PREFETCHSIZE") == -1 else "No"
    yield "  Using automatic storage", "Yes" if row["TBSP_USING_AUTO_STORAGE"] else "No"
    yield from (("  Tablespace State", "0x'00000000'"), ("", "   Detailed explanation:\n     Normal"))
    yield from _values({f"  {label}": column for label, column in _LAYOUT.items()}, row)
    if row["TBSP_REBALANCER_MODE"] == "NO_REBAL":
        yield "  Rebalancer Mode", "No Rebalancing"
    for item in _of(state, "container", member):
        if item["TBSP_NAME"] == row["TBSP_NAME"]:
            yield from (("", ""), ("  Container Name", item["CONTAINER_NAME"]))
            yield "      Container ID", item["CONTAINER_ID"]
            yield "      Container Type", _CONTAINERS[item["CONTAINER_TYPE"]]
            yield "      Total Pages in Container", item["TOTAL_PAGES"]
            yield "      Usable Pages in Container", item["USABLE_PAGES"]
            yield "      Stripe Set", item["STRIPE_SET"]
            yield "      Container is accessible", "Yes" if item["ACCESSIBLE"] else "No"
    yield from (("", "\n  Table space map:\n"), ("", "   Range  Stripe Stripe  Max         Max  Start  End    Adj."))
    yield from (("", "   [   0] [   0]      0  100350    401403      0 100350   0    1 (0)"), ("", ""))
    yield from _values({f"  {label}": column for label, column in _SPACE.items()}, row)
    yield from ((f"  {label}", 0) for label in _OTHERS)


def _of(state: State, source: str, member: int) -> list[Row]:
    return [row for row in state.sources.get(source, []) if row["MEMBER"] == member]


def _sum(values: Iterable[int | None]) -> int | None:
    present = [value for value in values if value is not None]
    return sum(present) if present else None


def _values(labels: dict[str, str], row: Row) -> Iterator[Item]:
    for label, column in labels.items():
        value = row.get(column)
        if value is not None and "(sec.ns)" in label:
            value = f"{value // 1000}.{value % 1000 * 1_000_000:09}"
        yield label, value


def _heading(text: str) -> Iterator[Item]:
    yield "", f"\n             {text}\n"


def _time(moment: datetime) -> str:
    return f"{moment:%m/%d/%Y %H:%M:%S.%f}"


def large(megabytes: int) -> Iterator[str]:
    """Yield pieces of a database's snapshots, one per minute, up to this total length."""
    state = _large()
    others = "".join(_line(*item) for of in (_application, _statement) for number in range(400) for item in of(number))
    written = 0
    while written < megabytes << 20:
        piece = printed(state) + others
        state.sources["database"][0]["UPTIME_S"] += 60
        written += len(piece)
        yield piece


# Unused lines about each connection and each statement: most of the text of a busy database.
_OF_AN_APPLICATION = (
    "Application handle,Application status,Status change time,Application code page,Application country/region code,"
    "DUOW correlation token,Application name,Application ID,Sequence number,TP Monitor client user ID,"
    "TP Monitor client workstation name,TP Monitor client application name,TP Monitor client accounting string,"
    "Connection request start timestamp,Connect request completion timestamp,Application idle time,"
    "CONNECT Authorization ID,Client login ID,Configuration NNAME of client,Client database manager product ID,"
    "Process ID of client application,Platform of client application,Communication protocol of client,"
    "Inbound communication address,Database name,Client database alias,Input database alias,Last reset timestamp,"
    "Snapshot timestamp,Authorization level granted,Coordinating database partition number,Coordinator agent process or"
    " thread ID,Locks timeout value,Locks held by application,Lock waits since connect,Time application waited on locks"
    " (ms),Deadlocks detected,Lock escalations,Exclusive lock escalations,Number of Lock Timeouts since connected,"
    "Total time UOW waited on locks (ms),Total sorts,Total sort time (ms),Total sort overflows,"
    "Buffer pool data logical reads,Buffer pool data physical reads,Buffer pool index logical reads,"
    "Buffer pool index physical reads,Total buffer pool read time (milliseconds),Direct reads,Direct writes,"
    "Number of SQL requests since last commit,Commit statements,Rollback statements,Dynamic SQL statements attempted,"
    "Static SQL statements attempted,Failed statement operations,Select SQL statements executed,Rows deleted,"
    "Rows inserted,Rows updated,Rows selected,Rows read,Rows written,UOW log space used (Bytes),"
    "Previous UOW completion timestamp,Elapsed time of last completed uow (sec.ms),UOW start timestamp,"
    "Package cache lookups,Package cache inserts,Catalog cache lookups,Catalog cache inserts,Number of hash joins"
)
_OF_A_STATEMENT = (
    "Number of executions,Number of compilations,Worst preparation time (ms),Best preparation time (ms),Rows deleted,"
    "Rows inserted,Rows read,Rows updated,Rows written,Statement sorts,Statement sort overflows,Total sort time,"
    "Buffer pool data logical reads,Buffer pool data physical reads,Buffer pool index logical reads,"
    "Buffer pool index physical reads,Total execution time (sec.microsec),Total user cpu time (sec.microsec),"
    "Total system cpu time (sec.microsec)"
)


def _application(number: int) -> Iterator[Item]:
    yield from _heading("Application Snapshot")
    yield from ((label, 100000 + number) for label in _OF_AN_APPLICATION.split(","))


def _statement(number: int) -> Iterator[Item]:
    if not number % 100:
        yield from _heading("Dynamic SQL Snapshot Result")
    yield "", ""
    yield from ((f" {label}", 100000 + number) for label in _OF_A_STATEMENT.split(","))
    yield " Statement text", f"SELECT * FROM ORDERS WHERE CUSTOMER = {number} AND PLACED > CURRENT DATE - 7 DAYS"


def _large() -> State:
    """Return a database of 20 buffer pools, 200 table spaces with two containers each, and 300 tables."""
    state = base_state()
    pool, space, table = (
        {column: 123456 + number for number, column in enumerate(HOLDS[source])}
        for source in ("bufferpool", "tablespace", "table")
    )
    space |= {name: state.sources["tablespace"][0][name] for name in HOLDS["tablespace"][:7]}
    container = state.sources["container"][0]
    state.sources["bufferpool"] = [pool | {"BP_NAME": f"BP{number}", "MEMBER": 0} for number in range(20)]
    state.sources["tablespace"] = [space | {"TBSP_NAME": f"TS{number}", "TBSP_ID": number} for number in range(200)]
    state.sources["container"] = [
        container | {"TBSP_NAME": f"TS{space}", "TBSP_ID": space, "CONTAINER_ID": number}
        for space in range(200)
        for number in range(2)
    ]
    state.sources["table"] = [
        table | {"TABSCHEMA": "APP", "TABNAME": f"T{number}", "MEMBER": 0} for number in range(300)
    ]
    return state
