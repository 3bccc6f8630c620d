"""Requests and statements as a capture shows them: one workload, one statement for each class of work.

A transaction's statements appear as one statement that runs as often. The waits add up to TOTAL_WAIT_TIME, which with
work, paging and compilation is TOTAL_RQST_TIME; commits do not count for a statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.twin import demand, instance, locks, memory, objects, settings, traffic
from tests.twin.cpu import capacity
from tests.twin.machine import Work, space, store
from tests.twin.monitored import MS, Class, Counters, Row, Shown, classes, share, waited

if TYPE_CHECKING:
    from collections.abc import Callable

WAITS = (
    "POOL_READ_TIME",
    "POOL_WRITE_TIME",
    "PREFETCH_WAIT_TIME",
    "LOG_DISK_WAIT_TIME",
    "LOG_BUFFER_WAIT_TIME",
    "LOCK_WAIT_TIME",
    "TOTAL_EXTENDED_LATCH_WAIT_TIME",
)
ALONE = (
    *("FCM_RECV_WAIT_TIME", "FCM_SEND_WAIT_TIME", "FCM_TQ_RECV_WAIT_TIME", "FCM_TQ_SEND_WAIT_TIME"),
    *("FCM_RECV_WAITS_TOTAL", "FCM_TQ_RECV_WAITS_TOTAL", "FCM_TQ_SEND_WAITS_TOTAL", "TQ_TOT_SEND_SPILLS"),
)
"""What a single member has nothing of; of several the model knows no more than what messages cost."""
NOT_OF_STATEMENTS = ("network", "log", "compile")
NONE = (
    *("DIRECT_READ_TIME", "DIRECT_WRITE_TIME", "LOCK_ESCALS_GLOBAL", "LOCK_TIMEOUTS", "DEADLOCKS"),
    *("WLM_QUEUE_TIME_TOTAL", "WLM_QUEUE_ASSIGNMENTS_TOTAL", "EVMON_WAIT_TIME", "EVMON_WAITS_TOTAL"),
    *("AUDIT_FILE_WRITE_WAIT_TIME", "AUDIT_FILE_WRITES_TOTAL", "AUDIT_SUBSYSTEM_WAIT_TIME"),
    *("AUDIT_SUBSYSTEM_WAITS_TOTAL", "LOB_PREFETCH_WAIT_TIME", "EXT_TABLE_RECV_WAIT_TIME"),
    *("EXT_TABLE_SEND_WAIT_TIME", "FED_WAIT_TIME", "IPC_RECV_WAIT_TIME", "IPC_SEND_WAIT_TIME"),
    *("TOTAL_IMPLICIT_COMPILE_PROC_TIME", "TOTAL_IMPLICIT_COMPILATIONS", "TOTAL_ROUTINE_USER_CODE_PROC_TIME"),
    *("TOTAL_ROLLBACK_PROC_TIME", "TOTAL_RUNSTATS_PROC_TIME", "TOTAL_REORG_PROC_TIME", "TOTAL_LOAD_PROC_TIME"),
    *("TOTAL_BACKUP_PROC_TIME", "TOTAL_INDEX_BUILD_PROC_TIME", "TOTAL_COL_PROC_TIME", "TOTAL_APP_ROLLBACKS"),
    *("TOTAL_HASH_GRPBYS", "HASH_GRPBY_OVERFLOWS", "TOTAL_OLAP_FUNCS", "OLAP_FUNC_OVERFLOWS"),
    *("TOTAL_COL_VECTOR_CONSUMERS", "COL_VECTOR_CONSUMER_OVERFLOWS", "POST_THRESHOLD_SORTS"),
    *("POST_THRESHOLD_HASH_JOINS", "POST_THRESHOLD_HASH_GRPBYS", "POST_THRESHOLD_OLAP_FUNCS"),
    *("CF_WAIT_TIME", "CF_WAITS", "RECLAIM_WAIT_TIME", "SPACEMAPPAGE_RECLAIM_WAIT_TIME", "AGENT_WAIT_TIME"),
    *("AGENT_WAITS_TOTAL", "TCPIP_RECV_WAIT_TIME", "TCPIP_SEND_WAIT_TIME", "DIAGLOG_WRITE_WAIT_TIME"),
    *("DIAGLOG_WRITES_TOTAL", "COMM_EXIT_WAIT_TIME", "IDA_RECV_WAIT_TIME", "IDA_SEND_WAIT_TIME"),
    *("MODEL_PROVIDER_WAIT_TIME", "TOTAL_SYNC_RUNSTATS_PROC_TIME", "TOTAL_STATS_FABRICATION_PROC_TIME"),
    *("TOTAL_CONNECT_REQUEST_PROC_TIME", "POST_THRESHOLD_COL_VECTOR_CONSUMERS"),
    *("TOTAL_RUNSTATS", "TOTAL_REORGS", "TOTAL_BACKUPS", "TOTAL_LOADS"),
)


def total(shown: Shown, each: Callable[[Any, Work], float]) -> float:
    """The sum over classes of something a transaction, a second."""
    pairs = zip(shown.outcome.classes, shown.machine.work, strict=True)
    return sum(outcome.throughput * each(outcome, work) for outcome, work in pairs)


def buffer_share(shown: Shown) -> float:
    """Return the share of the log wait that is for a full buffer: the wait without the commit's own write."""
    found = shown.outcome.log
    least = found.write_time * (1 + found.busy / 2)
    if found.full <= 0 or settings.mincommit(shown.machine) > 1:
        return 0.0
    return max(0.0, 1 - share(least, found.wait))


def late(shown: Shown) -> float:
    """The share of sorts and joins that come when the shared sort memory is taken (Erlang's loss)."""
    shared, heap = settings.shared_sort(shown.machine), settings.size(shown.machine, "SORTHEAP")
    if shared == float("inf") or shown.found.at_once <= 0:
        return 0.0
    return memory.erlang_loss(shown.found.at_once, max(1, int(shared / heap)))


def _escalations(shown: Shown) -> Counters:
    """Escalations a second: by MAXLOCKS where one application's part is the narrower, otherwise by LOCKLIST."""
    machine, result = shown.machine, {"LOCK_ESCALS_LOCKLIST": 0.0, "LOCK_ESCALS_MAXLOCKS": 0.0}
    own = settings.number(machine, "LOCKLIST") * settings.number(machine, "MAXLOCKS") / 100 * locks.PAGE
    for outcome, work, denied in zip(shown.outcome.classes, machine.work, shown.outcome.locking.escalated, strict=True):
        if denied > 0:
            alone = 1 - own / locks.LOCK_BYTES / work.locks
            result["LOCK_ESCALS_MAXLOCKS" if alone >= denied else "LOCK_ESCALS_LOCKLIST"] += outcome.throughput
    return result


def _counters(shown: Shown, of_classes: list[Class]) -> Counters:
    """What the workload counts, a second, but for times that others know better."""
    outcome, working = shown.outcome, shown.outcome.working
    worked = MS * sum(waited(shown, part) for part in ("cpu", "fcm", "paging", "compile"))
    busy = outcome.utilisation["cpu"] * capacity(shown.machine.host.processors)
    statements = total(shown, lambda _, work: work.statements)
    changed = sum(rate for name, rate in objects.updates(shown).items() if not store(shown.machine, name).index)
    looked = total(shown, lambda _, work: work.dynamic)
    too_late, away = late(shown), 1 - 1 / len(shown.members)
    catalog = [
        each.throughput * work.dynamic * (1 - min(1.0, hit)) * work.lookups
        for each, work, hit in zip(outcome.classes, shown.machine.work, outcome.package_hits, strict=True)
    ]
    missed = max(0.0, 1 - settings.size(shown.machine, "CATALOGCACHE_SZ") / 2000.0 / shown.machine.tables)
    return _escalations(shown) | {
        "TOTAL_CPU_TIME": min(busy * 1e6, worked * MS),
        "TOTAL_COMPILATIONS": instance.compiled(shown),
        "LOG_DISK_WAITS_TOTAL": total(shown, lambda _, work: 1.0 if work.log_bytes else 0.0),
        "LOCK_WAITS": outcome.locking.waits,
        "TCPIP_SENDS_TOTAL": statements,
        "FCM_TQ_SEND_VOLUME": total(shown, lambda _, work: work.shipped) * away,
        "TOTAL_SORTS": working.sorts,
        "SORT_OVERFLOWS": working.sort_overflows,
        "TOTAL_HASH_JOINS": working.joins,
        "HASH_JOIN_OVERFLOWS": working.join_overflows,
        "POST_SHRTHRESHOLD_SORTS": working.sorts * too_late,
        "POST_SHRTHRESHOLD_HASH_JOINS": working.joins * too_late,
        "TOTAL_SECTION_SORT_PROC_TIME": MS * sum(each.sorting for each in of_classes),
        "PKG_CACHE_LOOKUPS": looked,
        "PKG_CACHE_INSERTS": instance.compiled(shown),
        "CAT_CACHE_LOOKUPS": sum(catalog),
        "CAT_CACHE_INSERTS": sum(catalog) * missed,
        "TOTAL_APP_COMMITS": outcome.throughput,
        "ACT_COMPLETED_TOTAL": statements,
        "UID_SQL_STMTS": min(changed, statements),
        "SELECT_SQL_STMTS": statements - min(changed, statements),
    }


def workload(shown: Shown) -> list[Row]:
    """MON_GET_WORKLOAD: times of pages are the sums over table spaces, rows those over tables."""
    of_classes, below, tables = classes(shown), traffic.spaces(shown), objects.tables(shown)
    counters = _counters(shown, of_classes)
    buffer = buffer_share(shown)
    worked = MS * sum(waited(shown, part) for part in ("cpu", "fcm", "paging"))
    rows = []
    for member in shown.members:
        mine = [row for row in below if row["MEMBER"] == member]
        touched = [row for row in tables if row["MEMBER"] == member]
        waits = {
            "POOL_READ_TIME": sum(row["POOL_READ_TIME"] - row["POOL_ASYNC_READ_TIME"] for row in mine),
            "POOL_WRITE_TIME": sum(row["POOL_WRITE_TIME"] - row["POOL_ASYNC_WRITE_TIME"] for row in mine),
            "PREFETCH_WAIT_TIME": sum(row["PREFETCH_WAIT_TIME"] for row in mine),
            "LOG_DISK_WAIT_TIME": shown.cut(MS * waited(shown, "log") * (1 - buffer)),
            "LOG_BUFFER_WAIT_TIME": shown.cut(MS * waited(shown, "log") * buffer),
            "LOCK_WAIT_TIME": shown.cut(MS * waited(shown, "lock")),
            "TOTAL_EXTENDED_LATCH_WAIT_TIME": shown.cut(MS * waited(shown, "latch")),
        }
        row: Row = {"WORKLOAD_NAME": "SYSDEFAULTUSERWORKLOAD", "MEMBER": member} | waits | dict.fromkeys(NONE, 0)
        row |= {name: shown.cut(rate) for name, rate in counters.items()}
        row |= dict.fromkeys(ALONE if len(shown.members) == 1 else (), 0)
        row["TOTAL_CONNECT_REQUESTS"] = instance.clients(shown, member)
        row["PREFETCH_WAITS"] = sum(each["PREFETCH_WAITS"] for each in mine)
        row["ROWS_READ"] = sum(each["ROWS_READ"] for each in touched)
        row["ROWS_MODIFIED"] = sum(each["ROWS_UPDATED"] for each in touched)
        row["TOTAL_COMPILE_PROC_TIME"] = shown.cut(MS * waited(shown, "compile"))
        row["TOTAL_WAIT_TIME"] = sum(waits.values())
        of_commits = waits["LOG_DISK_WAIT_TIME"] + waits["LOG_BUFFER_WAIT_TIME"]
        row["TOTAL_ACT_TIME"] = row["TOTAL_WAIT_TIME"] - of_commits + shown.cut(worked)
        row["TOTAL_RQST_TIME"] = row["TOTAL_WAIT_TIME"] + shown.cut(worked) + row["TOTAL_COMPILE_PROC_TIME"]
        rows.append(row)
    return rows


def _statement(shown: Shown, number: int, of: Class) -> Counters:
    """What a class's statement counts, a second."""
    machine, work, outcome = shown.machine, shown.machine.work[number], shown.outcome.classes[number]
    working, parts, plan = shown.found.plan.working[number], outcome.parts, shown.found.plan
    reads = [(store(machine, name), each) for (by, name), each in plan.reads.items() if by == number]
    lasts = MS * of.rate * sum(seconds for part, seconds in parts.items() if part not in NOT_OF_STATEMENTS)
    ahead = of.rate * sum(each.requests + each.scan_requests for _, each in reads) if parts["prefetch"] > 0 else 0.0
    spilled = of.read_back * of.outside / demand.temporary_page(machine)
    if of.spill_reads > 0:
        ahead += spilled / space(machine, machine.temporary).extent
    read, changed = objects.rows_of(machine, work)
    return {
        "NUM_EXECUTIONS": of.rate * work.statements,
        "NUM_COORD_EXEC": of.rate * work.statements,
        "STMT_EXEC_TIME": lasts,
        "COORD_STMT_EXEC_TIME": lasts,
        "TOTAL_ACT_TIME": lasts,
        "TOTAL_CPU_TIME": MS * MS * of.processor,
        "POOL_READ_TIME": MS * of.rate * parts["read"],
        "PREFETCH_WAIT_TIME": MS * (of.rate * parts["prefetch"] + of.spill_reads),
        "PREFETCH_WAITS": ahead,
        "LOCK_WAIT_TIME": MS * of.rate * parts["lock"],
        "TOTAL_COL_TIME": 0.0,
        "ROWS_READ": of.rate * read,
        "ROWS_MODIFIED": of.rate * changed,
        "POOL_DATA_P_READS": of.rate * sum(each.physical for where, each in reads if not where.index),
        "POOL_INDEX_P_READS": of.rate * sum(each.physical for where, each in reads if where.index),
        "POOL_COL_P_READS": 0.0,
        "POOL_TEMP_DATA_P_READS": spilled,
        "TOTAL_SORTS": of.rate * working.count,
        "SORT_OVERFLOWS": of.rate * working.spilled,
        "HASH_JOIN_OVERFLOWS": of.rate * working.joins_spilled,
        "HASH_GRPBY_OVERFLOWS": 0.0,
        "TOTAL_SECTION_SORT_TIME": MS * of.sorted,
    }


def statements(shown: Shown) -> list[Row]:
    """MON_GET_PKG_CACHE_STMT: one for each class of work, in the cache since activation."""
    machine, rows = shown.machine, []
    heap = settings.size(machine, "SORTHEAP")
    for number, (work, of) in enumerate(zip(machine.work, classes(shown), strict=True)):
        top = max((min(heap, each.size) for each in (*work.sorts, *work.joins)), default=0.0)
        fixed: Row = {"CACHED_STATEMENTS": len(machine.work), "LEFT_OUT_TIME": 0, "CACHED_S": int(shown.uptime)}
        fixed |= {"STMT_KEY": f"{number + 1}/1", "SORT_SHRHEAP_TOP": int(-(-top // settings.PAGE))}
        fixed |= {"PLANID": number + 1, "MAX_COORD_STMT_EXEC_TIME": 0, "LONGEST_AGO_S": int(shown.uptime)}
        cut: Row = {name: shown.cut(rate) for name, rate in _statement(shown, number, of).items()}
        key: Row = {"EXECUTABLE_ID": f"{number + 1:064X}"}
        rows += [key | {"MEMBER": member} | fixed | cut for member in shown.members]
    return rows
