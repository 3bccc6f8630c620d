"""The x445 of the first paper and its variants; undocumented values are invented so that the gates pass."""

from typing import Any

from tests.support.states import Row, State

MEMBERS = 8
ARRAY = {"strip_kb": 64, "data_disks": 6, "rotational": 1}


def x445(
    extent: int = 24, prefetch: int = 24, containers: int = 2, members: int = MEMBERS, array: dict[str, int] = ARRAY
) -> State:
    """Return the IBM x445 8-way before tuning: DB2 8.1, eight logical nodes, a business intelligence load.

    Invented: prefetch 24, OVERHEAD and TRANSFERRATE, the logs' location, the processors' model, and all counters, which
    are per member over 300 seconds. The pool, the sort heap, the processors and the arrays are the paper's.
    """
    every = range(members)
    data = {(m, c): f"d:\\MP\\EMPLOYEE_data_D{14 + (containers + 1) * m + c}" for m in every for c in range(containers)}
    log = {m: f"D:\\hrinst\\NODE{m:04d}\\SQL00001\\SQLOGDIR\\" for m in every}
    sources: dict[str, list[Row]] = {
        "database": [
            {
                "MEMBER": m,
                "DB_CONN_TIME": "2026-03-01 08:00:00",
                "UPTIME_S": 93900,
                "SORT_HEAP_TOP": 9000,
                "SORT_SHRHEAP_TOP": 9000,
            }
            for m in every
        ],
        "member": [{"MEMBER": m, "HOME_HOST": "ibmserv", "STATE": "STARTED"} for m in every],
        "workload": [_workload(m) for m in every],
        "bufferpool": [row for m in every for row in _pools(m)],
        "cat_bufferpool": [_catalog_pool("IBMDEFAULTBP", 1, 250, 4096), _catalog_pool("BP16K", 2, -1, 16384)],
        "tablespace": [row for m in every for row in _tablespaces(m, extent, prefetch)],
        "cat_tablespace": [
            _catalog_space("SYSCATSPACE", 0, "A", 4, 4, 4096, "IBMCATGROUP", 1),
            _catalog_space("TEMPSPACE1", 1, "T", 32, 32, 4096, "IBMTEMPGROUP", 1),
            _catalog_space("EMPLOYEE_TABLE", 2, "A", extent, prefetch, 16384, "IBMDEFAULTGROUP", 2),
        ],
        "container": [_container(m, c, name, containers) for (m, c), name in data.items()],
        "transaction_log": [_log(m) for m in every],
        "system": [_system(m) for m in every],
        "dbcfg": [row for m in every for row in _config(m, log[m])],
        "dbmcfg": [
            {
                "NAME": name,
                "VALUE": value,
                "VALUE_FLAGS": "NONE",
                "DEFERRED_VALUE": value,
                "DEFERRED_VALUE_FLAGS": "NONE",
            }
            for name, value in (("sheapthres", "20000"), ("intra_parallel", "NO"), ("cpuspeed", "2.5e-07"))
        ],
        "registry": [
            {
                "REG_VAR_NAME": "DB2COMM",
                "MEMBER": m,
                "REG_VAR_VALUE": "TCPIP",
                "REG_VAR_ON_DISK_VALUE": "TCPIP",
                "IS_AGGREGATE": 0,
                "AGGREGATE_NAME": None,
            }
            for m in every
        ],
        "statement": [
            {
                "EXECUTABLE_ID": f"{number:064X}",
                "MEMBER": 0,
                "NUM_EXECUTIONS": 40,
                "TOTAL_SORTS": 80,
                "SORT_OVERFLOWS": 42,
                "TOTAL_SECTION_SORT_TIME": 36000,
                "SORT_SHRHEAP_TOP": top,
                "STMT_KEY": None,
                "STMT_TEXT": None,
                "STMT_TEXT_LENGTH": None,
                "PLANID": number,
                "CACHED_S": 90000,
                "MAX_COORD_STMT_EXEC_TIME": 0,
                "LONGEST_AGO_S": 90000,
            }
            for number, top in enumerate((1200, 2200, 2800, 3600, 4100, 4800, 5200, 5900, 6400, 8800), 1)
        ],
        "partition_group": [{"DBPGNAME": "IBMDEFAULTGROUP", "DBPARTITIONNUM": m, "IN_USE": "Y"} for m in every],
        "partition_map": [
            {"DBPGNAME": "IBMDEFAULTGROUP", "DBPARTITIONNUM": m, "BUCKETS": _even(members, m)} for m in every
        ],
        "cat_table": [
            {
                "TABSCHEMA": "HRDB",
                "TABNAME": "EMPLOYEE",
                "CARD": 160000000,
                "NPAGES": 4800000,
                "AVGROWSIZE": 480,
                "TBSPACE": "EMPLOYEE_TABLE",
                "INDEX_TBSPACE": None,
                "LONG_TBSPACE": None,
                "TABLEORG": "R",
                "PARTITION_MODE": "H",
                "FPAGES": 4800000,
                "OVERFLOW": 0,
                "ACTIVE_BLOCKS": 0,
                "CLUSTERED": None,
                "STATS_AGE_H": 240,
                "STATUS": "N",
                "ACCESS_MODE": "F",
            }
        ],
        "cat_column": [
            {
                "TABSCHEMA": "HRDB",
                "TABNAME": "EMPLOYEE",
                "COLNAME": "EMPSERIAL",
                "COLNO": 0,
                "PARTKEYSEQ": 1,
                "MUCH_READ": 1,
                "TYPENAME": "INTEGER",
                "LENGTH": 4,
                "COLCARD": 160000000,
                "NUMNULLS": 0,
                "AVGCOLLEN": 4,
                "NMOSTFREQ": -1,
                "NQUANTILES": -1,
                "LOW2KEY": None,
                "HIGH2KEY": None,
                "FREQUENT_ROWS": None,
            }
        ],
        "table": [_table(m) for m in every],
        "table_size": [
            {
                "TABSCHEMA": "HRDB",
                "TABNAME": "EMPLOYEE",
                "DBPARTITIONNUM": m,
                "DATA_PARTITION_ID": 0,
                "DATA_OBJECT_P_SIZE": 9600000,
                "AVAILABLE": "Y",
                "REORG_PENDING": "N",
                "NUM_REORG_REC_ALTERS": 0,
                "LOAD_STATUS": None,
                "NO_LOAD_RESTART": "N",
            }
            for m in every
        ],
        "fcm": [
            {"MEMBER": m, "BUFF_TOTAL": 4096, "BUFF_FREE": 3900, "BUFF_FREE_BOTTOM": 3000, "BUFF_AUTO_TUNING": 0}
            for m in every
        ],
        "utility": [],
        "package": [],
        "index": [],
        "storage_path": [],
        "cat_bufferpool_exception": [],
        "hostfact": _host_facts(data, log, members, array),
    }
    return State(
        sources=sources,
        database={
            "name": "HRDB",
            "host": "ibmserv",
            "instance": "hrinst",
            "level": "8.1",
            "platform": "Windows",
            "topology": "dpf",
        },
        site={"workload": "BI"},
    )


def _even(members: int, member: int) -> int:
    """Return a partition's buckets in an even map of 4,096 buckets, the size before 10.1."""
    share, rest = divmod(4096, members)
    return share + (1 if member < rest else 0)


def _workload(member: int) -> Row:
    return {
        "WORKLOAD_NAME": "SYSDEFAULTUSERWORKLOAD", "MEMBER": member, "TOTAL_RQST_TIME": 2400000,
        "TOTAL_CPU_TIME": 1200000000, "TOTAL_WAIT_TIME": 1030000, "TOTAL_ACT_TIME": 2350000, "ACT_COMPLETED_TOTAL": 600,
        "POOL_READ_TIME": 300000, "POOL_WRITE_TIME": 0, "PREFETCH_WAIT_TIME": 700000, "PREFETCH_WAITS": 40000,
        "LOG_DISK_WAIT_TIME": 30000, "LOG_DISK_WAITS_TOTAL": 3000, "LOG_BUFFER_WAIT_TIME": 0, "LOCK_WAIT_TIME": 0,
        "TOTAL_EXTENDED_LATCH_WAIT_TIME": 0, "FCM_RECV_WAIT_TIME": 0, "FCM_SEND_WAIT_TIME": 0,
        "FCM_TQ_RECV_WAIT_TIME": 0, "FCM_TQ_SEND_WAIT_TIME": 0, "TQ_TOT_SEND_SPILLS": 0,
        "TOTAL_COMPILE_PROC_TIME": 2000, "TOTAL_SECTION_SORT_PROC_TIME": 360000, "TOTAL_SORTS": 900,
        "SORT_OVERFLOWS": 420, "TOTAL_HASH_JOINS": 300, "HASH_JOIN_OVERFLOWS": 0, "TOTAL_APP_COMMITS": 240,
        "TOTAL_APP_ROLLBACKS": 0, "ROWS_READ": 240000000, "ROWS_RETURNED": 60000, "ROWS_MODIFIED": 0,
        "SELECT_SQL_STMTS": 600, "UID_SQL_STMTS": 0,
    }  # fmt: skip


def _reads(read: bool) -> Row:
    """Return page traffic: 9,000,000 logical and 7,800,000 physical reads, 94 % by prefetchers, 16 pages in 6 ms."""
    return {
        "POOL_DATA_L_READS": 9000000 * read, "POOL_DATA_P_READS": 7800000 * read, "POOL_INDEX_L_READS": 0,
        "POOL_INDEX_P_READS": 0, "POOL_ASYNC_DATA_READS": 7300000 * read, "POOL_READ_TIME": 3037500 * read,
        "POOL_ASYNC_READ_TIME": 2737500 * read,
    }  # fmt: skip


def _pools(member: int) -> list[Row]:
    common = {
        "MEMBER": member,
        "AUTOMATIC": 0,
        "POOL_INDEX_LBP_PAGES_FOUND": 0,
        "POOL_ASYNC_DATA_LBP_PAGES_FOUND": 0,
        "POOL_TEMP_DATA_L_READS": 0,
        "POOL_TEMP_DATA_P_READS": 0,
    }
    return [
        {"BP_NAME": "IBMDEFAULTBP", "BP_CUR_BUFFSZ": 250, **_reads(False), "POOL_DATA_LBP_PAGES_FOUND": 0, **common},
        {"BP_NAME": "BP16K", "BP_CUR_BUFFSZ": 1000, **_reads(True), "POOL_DATA_LBP_PAGES_FOUND": 1200000, **common},
    ]


def _catalog_pool(name: str, number: int, pages: int, page_size: int) -> Row:
    return {
        "BPNAME": name,
        "BUFFERPOOLID": number,
        "NPAGES": pages,
        "PAGESIZE": page_size,
        "NUMBLOCKPAGES": 0,
        "BLOCKSIZE": 0,
    }


def _tablespaces(member: int, extent: int, prefetch: int) -> list[Row]:
    def space(name: str, number: int, kind: str, content: str, page: int, e: int, f: int, pool: int, used: int) -> Row:
        read = name == "EMPLOYEE_TABLE"
        return {
            "TBSP_NAME": name, "MEMBER": member, "TBSP_ID": number, "TBSP_TYPE": kind, "TBSP_CONTENT_TYPE": content,
            "TBSP_PAGE_SIZE": page, "TBSP_EXTENT_SIZE": e, "TBSP_PREFETCH_SIZE": f, "TBSP_CUR_POOL_ID": pool,
            "TBSP_NEXT_POOL_ID": pool, "FS_CACHING": 1, "TBSP_REBALANCER_MODE": "NO_REBAL", "TBSP_USING_AUTO_STORAGE": 0,
            "TBSP_STATE": "NORMAL", "TBSP_USABLE_PAGES": None, "TBSP_PAGE_TOP": None, "TBSP_NUM_CONTAINERS": None,
            "STORAGE_GROUP_NAME": None, "TBSP_USED_PAGES": used, "TBSP_TOTAL_PAGES": 748800 if read else used,
            **_reads(read), "POOL_ASYNC_DATA_READ_REQS": 456250 * read, "POOL_WRITE_TIME": 0, "POOL_ASYNC_WRITE_TIME": 0,
            "POOL_TEMP_DATA_L_READS": 0, "POOL_TEMP_DATA_P_READS": 0,
            "VECTORED_IOS": 304000 * read, "PAGES_FROM_VECTORED_IOS": 7300000 * read, "BLOCK_IOS": 0,
            "PAGES_FROM_BLOCK_IOS": 0, "UNREAD_PREFETCH_PAGES": 0, "PREFETCH_WAIT_TIME": 700000 * read,
            "PREFETCH_WAITS": 40000 * read, "SKIPPED_PREFETCH_DATA_P_READS": 0, "SKIPPED_PREFETCH_INDEX_P_READS": 0,
        }  # fmt: skip

    catalog = [space("SYSCATSPACE", 0, "DMS", "ANY", 4096, 4, 4, 1, 6000)] if member == 0 else []
    return [
        *catalog,
        space("TEMPSPACE1", 1, "SMS", "SYSTEMP", 4096, 32, 32, 1, 1),
        space("EMPLOYEE_TABLE", 2, "DMS", "ANY", 16384, extent, prefetch, 2, 600000),
    ]


def _catalog_space(
    name: str, number: int, data: str, extent: int, prefetch: int, page: int, group: str, pool: int
) -> Row:
    return {
        "TBSPACE": name, "TBSPACEID": number, "TBSPACETYPE": "S" if data == "T" else "D", "DATATYPE": data,
        "EXTENTSIZE": extent, "PREFETCHSIZE": prefetch, "OVERHEAD": 24.1, "TRANSFERRATE": 0.9, "PAGESIZE": page,
        "DBPGNAME": group, "BUFFERPOOLID": pool,
    }  # fmt: skip


def _container(member: int, number: int, name: str, containers: int) -> Row:
    """Return 5,850 MB of raw partition in 16 KB pages; the reads are spread evenly."""
    return {
        "TBSP_NAME": "EMPLOYEE_TABLE", "CONTAINER_ID": number, "MEMBER": member, "TBSP_ID": 2, "CONTAINER_NAME": name,
        "CONTAINER_TYPE": "DISK_EXTENT_TAG", "STRIPE_SET": 0, "TOTAL_PAGES": 374400, "USABLE_PAGES": 374376,
        "ACCESSIBLE": 1, "FS_ID": None, "PAGES_READ": 7800000 // containers, "PAGES_WRITTEN": 0,
        "POOL_READ_TIME": 3037500 // containers,
    }  # fmt: skip


def _log(member: int) -> Row:
    return {
        "MEMBER": member, "TOTAL_LOG_AVAILABLE": 60000000, "TOTAL_LOG_USED": 1000000, "SEC_LOGS_ALLOCATED": 0,
        "APPLID_HOLDING_OLDEST_XACT": 0, "LOG_WRITES": 3000, "LOG_WRITE_TIME": 24000, "NUM_LOG_WRITE_IO": 3000,
        "NUM_LOG_PART_PAGE_IO": 2000, "NUM_LOG_BUFFER_FULL": 0, "NUM_LOG_READ_IO": 0, "NUM_LOG_DATA_FOUND_IN_BUFFER": 0,
        "LOG_HADR_WAIT_TIME": 0, "LOG_HADR_WAITS_TOTAL": 0, "SEC_LOG_USED_TOP": 0, "TOT_LOG_USED_TOP": 4000000,
    }  # fmt: skip


def _system(member: int) -> Row:
    return {
        "MEMBER": member, "HOST_NAME": "ibmserv", "OS_NAME": "Windows", "CPU_TOTAL": 16, "CPU_ONLINE": 16,
        "CPU_HMT_DEGREE": 2, "CPU_CORES_PER_SOCKET": 1, "MEMORY_TOTAL": 16384, "MEMORY_FREE": 10240, "CPU_USAGE_TOTAL": 35,
        "SWAP_PAGES_IN": 0, "SWAP_PAGES_OUT": 0,
    }  # fmt: skip


def _config(member: int, log_path: str) -> list[Row]:
    values: dict[str, Any] = {
        "sortheap": 256, "buffpage": 1000, "num_ioservers": 6, "num_iocleaners": 8, "chngpgs_thresh": 60,
        "seqdetect": "YES", "logpath": log_path, "newlogpath": None, "mirrorlogpath": None, "logfilsiz": 5000,
        "logprimary": 12, "logsecond": 4, "logbufsz": 256, "dbheap": 4096, "mincommit": 1, "locklist": 5000,
        "mon_req_metrics": "BASE", "mon_act_metrics": "BASE", "mon_obj_metrics": "BASE",
    }  # fmt: skip
    return [
        {
            "NAME": name,
            "MEMBER": member,
            "VALUE": value,
            "VALUE_FLAGS": "NONE",
            "DEFERRED_VALUE": value,
            "DEFERRED_VALUE_FLAGS": "NONE",
        }
        for name, value in values.items()
    ]


def _table(member: int) -> Row:
    return {
        "TABSCHEMA": "HRDB", "TABNAME": "EMPLOYEE", "MEMBER": member, "DATA_PARTITION_ID": 0, "TBSP_ID": 2,
        "TAB_ORGANIZATION": "R", "TABLE_SCANS": 12, "ROWS_READ": 240000000, "ROWS_INSERTED": 0, "ROWS_UPDATED": 0,
        "ROWS_DELETED": 0, "OVERFLOW_ACCESSES": 0, "STATS_ROWS_MODIFIED": 0,
    }  # fmt: skip


def _host_facts(
    data: dict[tuple[int, int], str], log: dict[int, str], members: int, array: dict[str, int]
) -> list[Row]:
    """Return host facts: each container on an array of its own, each log on its member's first array.

    The first half of the members has its arrays at the second SMP module. Its processors come after those of the first,
    with the siblings last.
    """
    facts: list[tuple[str, str, Any]] = []
    half = members // 2
    for (member, number), name in data.items():
        device = f"array{member}_{number}"
        facts.append((f"container:{name}", "device", device))
        facts += [(f"device:{device}", item, value) for item, value in array.items()]
        facts.append((f"device:{device}", "numa_node", 1 if member < half else 0))
    facts += [(f"path:{path}", "device", f"array{member}_0") for member, path in log.items()]
    for core in range(members):
        facts.append((f"core:{core}", "numa_node", 0 if core < half else 1))
        facts.append((f"core:{core}", "cpus", f"{core},{core + members}"))
    model = "Intel(R) Xeon(TM) MP CPU 2.80GHz"
    facts += [("cpu", "model", model), ("cpu", "cpuspeed_model", model), ("cpu", "threads_per_core", 2)]
    facts += [("numa", "remote_pct", 40), ("virtual", "type", "none"), ("logtarget", "path", "d:\\mp\\log_")]
    return [{"HOST": "ibmserv", "FACT_KEY": key, "ITEM": item, "VALUE": str(value)} for key, item, value in facts]


def skewed() -> State:
    """Return a distribution key with three values: member 0 holds and reads 2.4 times the average."""
    state = x445(prefetch=48)
    for row in state.sources["cat_column"]:
        row.update(COLNAME="REGION", COLCARD=3)
    for name, column in (("table", "ROWS_READ"), ("table_size", "DATA_OBJECT_P_SIZE")):
        for row in state.sources[name]:
            factor = 2.4 if row.get("MEMBER", row.get("DBPARTITIONNUM")) == 0 else 0.8
            row[column] = int(row[column] * factor)
    _wait_for_rows(state, 1000000)
    return state


def _wait_for_rows(state: State, ms: int) -> None:
    """Add this wait for the fullest member's rows to all other members' waits."""
    for row in state.sources["workload"]:
        if row["MEMBER"] != 0:
            row["TOTAL_RQST_TIME"] += ms
            row["FCM_RECV_WAIT_TIME"] += ms


def missing() -> State:
    """Stop member 5: it is in db2nodes.cfg, but answers no monitor function."""
    state = x445()
    for name, rows in state.sources.items():
        if name not in ("member", "partition_group", "partition_map"):
            rows[:] = [row for row in rows if row.get("MEMBER", row.get("DBPARTITIONNUM")) != 5]
    for row in state.sources["member"]:
        row["STATE"] = "STOPPED" if row["MEMBER"] == 5 else "STARTED"
    return state


def uneven_map() -> State:
    """Return a map of 32,768 buckets that gives partition 0 more than the others: 5,076 and 3,956."""
    state = x445()
    for row in state.sources["partition_map"]:
        row["BUCKETS"] = 5076 if row["DBPARTITIONNUM"] == 0 else 3956
    _wait_for_rows(state, 600000)
    return state


def one_adapter() -> State:
    """Put everything on one adapter and six disks: processors idle while reads take 40 ms and queue."""
    state = x445(prefetch=48)
    for row in state.sources["workload"]:
        row.update(POOL_READ_TIME=1400000, PREFETCH_WAIT_TIME=200000, TOTAL_CPU_TIME=300000000)
    for row in state.sources["system"]:
        row["CPU_USAGE_TOTAL"] = 15
    for name in ("bufferpool", "tablespace"):
        for row in state.sources[name]:
            if row["POOL_DATA_P_READS"]:
                row.update(POOL_DATA_P_READS=535000, POOL_ASYNC_DATA_READS=500000,
                           POOL_READ_TIME=1400000 + 1250000, POOL_ASYNC_READ_TIME=1250000)  # fmt: skip
            if row.get("POOL_ASYNC_DATA_READ_REQS"):
                row["POOL_ASYNC_DATA_READ_REQS"] = 31250
    facts = state.sources["hostfact"]
    for row in facts:
        if row["ITEM"] == "device":
            row["VALUE"] = "array0_0"
    facts[:] = [
        row for row in facts if not row["FACT_KEY"].startswith("device:") or row["FACT_KEY"] == "device:array0_0"
    ]
    facts += [
        {"HOST": "ibmserv", "FACT_KEY": "device:array0_0", "ITEM": "busy_pct", "VALUE": "98"},
        {"HOST": "ibmserv", "FACT_KEY": "device:array0_0", "ITEM": "queue_length", "VALUE": "32"},
    ]
    return state


MACHINES = {
    "x445-8way": x445,
    "x445-extent-32": lambda: x445(extent=32, prefetch=32),
    "x445-tuned-prefetch": lambda: x445(prefetch=48),
    "x445-sizing": lambda: x445(extent=16, prefetch=32),
    "x445-skew": skewed,
    "x445-missing": missing,
    "x445-map": uneven_map,
    "x445-adapter": one_adapter,
}
