"""A report of db2mon, as printed by its 11.5 script: the sections that the importer reads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import cycle
from typing import Any

from tests.support.states import BEGIN, Row, State

Rows = Iterable[Sequence[Any]]

_TYPES = {"ANY": "A", "LARGE": "L", "SYSTEMP": "T", "USRTEMP": "U"}
_CACHING = {2: "Default off", 1: "Explicit off", 0: "Explicit on"}
_KINDS = ("DATA", "INDEX", "XDA", "COL")
_INDEX = "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID=DATA_PARTITION_ID IID"
_INDEX_READS = "L_READS=OBJECT_INDEX_L_READS P_READS=OBJECT_INDEX_P_READS"
_SPLITS = "INT_NODE_SPLITS BOUNDARY_LEAF_NODE_SPLITS NONBOUNDARY_LEAF_NODE_SPLITS"

# Sections whose columns belong to a source, by the same name or as NAME=COLUMN; and the widths of text columns.
_PLAIN: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "DB#SORT: Sort metrics at database level": (
        "workload",
        "MEMBER TOTAL_SORTS SORT_OVERFLOWS TOTAL_HSJN=TOTAL_HASH_JOINS HSJN_OVFL=HASH_JOIN_OVERFLOWS"
        " PST_THR_HSJN=POST_THRESHOLD_HASH_JOINS PST_SHRTHR_HSJN=POST_SHRTHRESHOLD_HASH_JOINS",
        (),
    ),
    "DB#DLCKS: Deadlocks": ("workload", "MEMBER DEADLOCKS LOCK_ESCALS_MAXLOCKS LOCK_ESCALS_LOCKLIST", ()),
    "DB#SYSRE: Database system resource usage information": (
        "system",
        "MEMBER OS=OS_NAME HOST_NAME CPU_TOT=CPU_TOTAL CPU_ONL=CPU_ONLINE CPU_HMT=CPU_HMT_DEGREE MEMORY_TOTAL"
        " MEMORY_FREE CPU_USAGE_TOT=CPU_USAGE_TOTAL SWAP_PAGES_IN SWAP_PAGES_OUT",
        (0, 8, 16),
    ),
    "DB#LOGRE: Database log read times": (
        "transaction_log",
        "MEMBER NUM_LOG_READ_IO NUM_LOG_DATA_IN_BUFFER=NUM_LOG_DATA_FOUND_IN_BUFFER"
        " CUR_COM_LOG_BUFF_LOG_READS=CUR_COMMIT_LOG_BUFF_LOG_READS CUR_COM_DISK_LOG_READS=CUR_COMMIT_DISK_LOG_READS",
        (),
    ),
    "DB#LOGST: Other statistics": ("transaction_log", "MEMBER NUM_LOG_WRITE_IO NUM_LOG_PART_PAGE_IO", ()),
    "IDX#OPS: Index operations": ("index", f"{_INDEX} INDEX_SCANS", (0, 16, 32, 32)),
    "IDX#SPLITS: Index page splits": ("index", f"{_INDEX} {_SPLITS}", (0, 16, 32, 32)),
    "IDX#READS: Index page reads": ("index", f"{_INDEX} {_INDEX_READS}", (0, 16, 32, 32)),
    "TSP#SIZE: Tablespace properties": (
        "tablespace",
        "MEMBER TBSP_NAME TBSP_ID TBSP_PAGE_SIZE TBSP_USED_PAGES TBSP_EXTENT_SIZE FS_CACHING TBSP_PREFETCH_SIZE",
        (0, 32, 0, 0, 0, 0, 12),
    ),
    "TSP#PRFST: Tablespace prefetching statistics": (
        "tablespace",
        "MEMBER TBSP_NAME POOL_ASYNC_DATA_READS POOL_DATA_P_READS POOL_ASYNC_INDEX_READS POOL_INDEX_P_READS"
        " POOL_ASYNC_COL_READS POOL_COL_P_READS PREFETCH_WAIT_TIME PREFETCH_WAITS UNREAD_PREFETCH_PAGES",
        (0, 30),
    ),
    "": (  # the previous section's second table
        "tablespace",
        "MEMBER TBSP_NAME VECTORED_IOS PAGES_FROM_VECTORED_IOS BLOCK_IOS PAGES_FROM_BLOCK_IOS",
        (0, 30),
    ),
    "BPL#READS: Bufferpool read statistics (overall)": (
        "bufferpool",
        "MEMBER BP_NAME POOL_DATA_L_READS POOL_DATA_P_READS POOL_INDEX_L_READS POOL_INDEX_P_READS POOL_COL_L_READS"
        " POOL_COL_P_READS POOL_READ_TIME",
        (0, 20),
    ),
    "BPL#RDASYNC: Bufferpool read statistics (asynchronous reads)": (
        "bufferpool",
        "MEMBER BP_NAME POOL_ASYNC_DATA_READS POOL_ASYNC_INDEX_READS POOL_ASYNC_COL_READS POOL_ASYNC_READ_TIME",
        (0, 20),
    ),
    "BPL#WRITE: Bufferpool write statistics (overall)": (
        "bufferpool",
        "MEMBER BP_NAME POOL_DATA_WRITES POOL_INDEX_WRITES POOL_XDA_WRITES POOL_COL_WRITES POOL_WRITE_TIME",
        (0, 20),
    ),
    "BPL#WRASYNC: Bufferpool write statistics (asynchronous writes)": (
        "bufferpool",
        "MEMBER BP_NAME POOL_ASYNC_DATA_WRITES POOL_ASYNC_INDEX_WRITES POOL_ASYNC_WRITE_TIME",
        (0, 20),
    ),
    "CFG#REGVA: DB2 registry variable settings": ("registry", "MEMBER REG_VAR_NAME REG_VAR_VALUE", (0, 50, 50)),
    "CFG#DB: Database settings": ("dbcfg", "MEMBER NAME FLAGS=VALUE_FLAGS CURRENT_VALUE=VALUE", (0, 24, 10, 64)),
    "CFG#DBM: Instance settings": ("dbmcfg", "NAME FLAGS=VALUE_FLAGS CURRENT_VALUE=VALUE", (24, 10, 64)),
}
# Other values that the report prints as they are in the state, not as a rate or percentage.
_MORE = {
    "workload": "TOTAL_RQST_TIME TOTAL_WAIT_TIME",
    "transaction_log": "LOG_WRITE_TIME NUM_LOG_BUFFER_FULL",
    "tablespace": "TBSP_CONTENT_TYPE POOL_DATA_L_READS POOL_INDEX_L_READS POOL_COL_L_READS",
    "cat_tablespace": "TBSPACE TBSPACEID DATATYPE PAGESIZE EXTENTSIZE",
    "bufferpool": "AUTOMATIC BP_CUR_BUFFSZ",
    "cat_bufferpool": "BPNAME PAGESIZE",
    "statement": "EXECUTABLE_ID MEMBER NUM_EXECUTIONS",
}


def _columns(header: str) -> list[str]:
    return [word.rpartition("=")[2] for word in header.split()]


def _holds() -> dict[str, tuple[str, ...]]:
    held: dict[str, list[str]] = {}
    for source, names in [*((source, header) for source, header, _ in _PLAIN.values()), *_MORE.items()]:
        held.setdefault(source, []).extend(_columns(names))
    return {source: tuple(dict.fromkeys(names)) for source, names in held.items()}


HOLDS = _holds()


def printed(state: State) -> str:
    """Return the report of a state."""
    return "".join(f"{line}\n" for line in _report(state))


def _report(state: State) -> Iterator[str]:
    yield from ("REPORT STARTS HERE", "")
    for moment, when in ((BEGIN, "start"), (BEGIN + timedelta(seconds=state.seconds), "end")):
        title = f"Point-in-time data: Current executing SQL, lock waits and utilities at {when} of capture"
        yield from _banner(title, "#")
        yield from _table("CAPTURE_TIME", [[moment.strftime("%Y-%m-%d-%H.%M.%S.%f")]], [26])
    yield from _banner("Data collected from start to end of monitor interval", "#")
    yield from _times(state)
    yield from _statements(state)
    yield from _input_and_output(state)
    yield from _pools(state)
    for title, (source, header, widths) in _PLAIN.items():
        rows = ([_cell(row, column) for column in _columns(header)] for row in state.sources.get(source, []))
        labels = " ".join(word.partition("=")[0] for word in header.split())
        yield from section(title, labels, rows, widths) if title else _table(labels, rows, widths)
    about = state.database
    members = len(state.sources["database"])
    yield from section(
        "INS#INFO: Instance information",
        "INST_NAME NUM_DBPARTITIONS NUM_MEMBERS SERVICE_LEVEL BLD_LEVEL",
        [[about["instance"], members, members, f"DB2 v{about['level']}", "s2404151200"]],
        (20, 0, 0, 20, 40),
    )
    sets = state.sources.get("memory_set", [])
    yield from section(
        "DB#MEMST: Database memory set information @ end",
        "MEMBER SET_TYPE DBNAME MEMORY_SET_USED_MB",
        (
            [row["MEMBER"], row["MEMORY_SET_TYPE"], row["DB_NAME"], f"{row['MEMORY_SET_USED'] / 1024:.2f}"]
            for row in sets
        ),
        (0, 20, 20),
    )


def _cell(row: Row, column: str) -> Any:
    value = row.get(column)
    match column:
        case "FS_CACHING":
            return _CACHING[row[column]]
        case "DATA_PARTITION_ID":
            return value or None
        case "VALUE_FLAGS":
            return "" if value == "NONE" else value
        case "VALUE":
            return None if value is None else str(value)[:64]
        case "CPU_USAGE_TOTAL":
            return f"{value:.1f}"
    return value


def section(title: str, header: str, rows: Rows, widths: Sequence[int] = ()) -> Iterator[str]:
    """Return one section: its title and a table.

    ``widths`` belong to text columns; the other columns contain numbers.
    """
    yield from _banner(title, "=")
    yield from _table(header, rows, widths)


def _banner(title: str, sign: str) -> Iterator[str]:
    yield from (sign * (len(title) + 2), f" {title}  ", sign * (len(title) + 2), "")


def _table(header: str, rows: Rows, texts: Sequence[int] = ()) -> Iterator[str]:
    labels = header.split()
    lines = [["-" if value is None else str(value) for value in row] for row in rows]
    widths = [max(len(name), *(len(line[at]) for line in lines), 6) for at, name in enumerate(labels)]
    left = {at: max(width, len(labels[at])) for at, width in enumerate(texts) if width}
    widths = [left.get(at, width) for at, width in enumerate(widths)]
    yield " ".join(name.ljust(width) for name, width in zip(labels, widths, strict=True))
    yield " ".join("-" * width for width in widths)
    for line in lines:
        cells = [text.ljust(widths[at]) if at in left else text.rjust(widths[at]) for at, text in enumerate(line)]
        yield " ".join(cells)
    yield from ("", f"  {len(lines)} record(s) selected.", "")


def _cut(value: float, digits: int) -> str:
    """Cut digits that do not fit, as DECIMAL does."""
    return f"{int(value * 10**digits) / 10**digits:.{digits}f}"


def _part(part: Any, whole: Any) -> str | None:
    return _cut(100 * (part or 0) / whole, 2) if whole else None


def _average(value: Any, number: int) -> str | None:
    return _cut((value or 0) / number, 2) if number else None


def _reads(row: Row, kind: str, what: str) -> int:
    return sum(row.get(f"POOL_{temporary}{kind}_{what}_READS") or 0 for temporary in ("", "TEMP_"))


def _times(state: State) -> Iterator[str]:
    rows, seconds = state.sources["workload"], state.seconds
    rates = "ACT_COMPLETED_TOTAL TOTAL_APP_COMMITS TOTAL_APP_ROLLBACKS DEADLOCKS SELECT_SQL_STMTS UID_SQL_STMTS"
    rates += " ROWS_RETURNED ROWS_MODIFIED PKG_CACHE_INSERTS"
    yield from section(
        "DB#THRUP: Throughput metrics at database level",
        "TS_DELTA MEMBER ACT_PER_S CMT_PER_S RB_PER_S DDLCK_PER_S SEL_P_S UID_P_S ROWS_RET_P_S ROWS_MOD_P_S"
        " PKG_CACHE_INS_P_S",
        (
            [int(seconds), row["MEMBER"], *(_cut((row[name] or 0) / seconds, 1) for name in rates.split())]
            for row in rows
        ),
    )
    waits = "TOTAL_WAIT_TIME LOCK_WAIT_TIME TOTAL_EXTENDED_LATCH_WAIT_TIME LOG_DISK_WAIT_TIME LOG_BUFFER_WAIT_TIME"
    waits += " PREFETCH_WAIT_TIME POOL_READ_TIME DIRECT_READ_TIME DIRECT_WRITE_TIME"
    processing = "TOTAL_COMPILE_PROC_TIME TOTAL_SECTION_SORT_PROC_TIME TOTAL_COL_PROC_TIME"
    for title, labels, names in (
        (
            "DB#WAITT: Wait times at database level",
            "MEMBER TOTAL_RQST_TM TOTAL_WAIT_TM PCT_RQST_WAIT PCT_LOCK PCT_LTCH PCT_LG_DSK PCT_LG_BUF PCT_PFTCH"
            " PCT_POOL_R PCT_DIR_R PCT_DIR_W",
            waits,
        ),
        (
            "DB#PROCT: Processing times at database level",
            "MEMBER TOTAL_RQST_TM TOTAL_WAIT_TM PCT_COMP_PROC PCT_SECT_SORT_PROC PCT_COL_PROC",
            processing,
        ),
    ):
        yield from section(
            title,
            labels,
            (
                [row["MEMBER"], total, row["TOTAL_WAIT_TIME"], *(_part(row[name], total) for name in names.split())]
                for row, total in ((row, row["TOTAL_RQST_TIME"]) for row in rows)
            ),
        )


def _statements(state: State) -> Iterator[str]:
    rows = state.sources.get("statement", [])
    text = "SELECT * FROM T{EXECUTABLE_ID} WHERE NAME LIKE ? AND AMOUNT > ?"
    averages = ("ROWS_MODIFIED", "ROWS_READ", "ROWS_RETURNED")
    yield from section(
        "SQL#TOPROWS: Row level statistics per stmt - top statements by execution time",
        "MEMBER NUM_EXEC AVG_ROWS_MOD AVG_ROWS_READ AVG_ROWS_RET STMT_TEXT",
        (
            [row["MEMBER"], times, *(_cut((row[name] or 0) / times, 1) for name in averages), text.format(**row)]
            for row, times in ((row, row["NUM_EXECUTIONS"]) for row in rows)
        ),
        (0, 0, 0, 0, 0, 200),
    )
    yield from section(
        "INF#EXPLN: Statement & plan identifiers - top statements by execution time",
        "MEMBER EXECUTABLE_ID STMT_TEXT",
        ([row["MEMBER"], f"x'{row['EXECUTABLE_ID']}'", text.format(**row)] for row in rows),
        (0, 67, 200),
    )


def _input_and_output(state: State) -> Iterator[str]:
    yield from section(
        "DB#LOGWR: Database log write times",
        "MEMBER LOG_WRITE_MB_PER_S LOG_WRITE_TIME NUM_LOG_BUFFER_FULL",
        (
            [
                row["MEMBER"],
                _cut(row["LOG_WRITES"] // 256 / state.seconds, 4),
                row["LOG_WRITE_TIME"],
                row["NUM_LOG_BUFFER_FULL"],
            ]
            for row in state.sources["transaction_log"]
        ),
    )
    spaces = [
        (
            row,
            sum(_reads(row, kind, "P") for kind in _KINDS),
            sum(row.get(f"POOL_{kind}_WRITES") or 0 for kind in _KINDS),
        )
        for row in state.sources["tablespace"]
    ]
    yield from section(
        "TSP#DSKIO: Disk read and write I/O times",
        "MEMBER TBSP_NAME NUM_READS AVG_READ_TIME NUM_WRITES AVG_WRITE_TIME",
        (
            (
                *(row["MEMBER"], row["TBSP_NAME"][:20], reads, _average(row["POOL_READ_TIME"], reads)),
                *(writes, _average(row["POOL_WRITE_TIME"], writes)),
            )
            for row, reads, writes in spaces
        ),
        (0, 20),
    )
    yield from section(
        "BPL#STATS: Bufferpool statistics by tablespace",
        "MEMBER TBSP_NAME DATA_L_READS DATA_P_READS COL_L_READS COL_P_READS INDEX_L_READS INDEX_P_READS"
        " SYNC_DATA_P_READS",
        (
            [row["MEMBER"], row["TBSP_NAME"][:20]]
            + [_reads(row, kind, what) for kind in ("DATA", "COL", "INDEX") for what in ("L", "P")]
            + [_reads(row, "DATA", "P") - (row["POOL_ASYNC_DATA_READS"] or 0)]
            for row, *_ in spaces
        ),
        (0, 20),
    )


def _pools(state: State) -> Iterator[str]:
    names = {row["BUFFERPOOLID"]: row["BPNAME"] for row in state.sources["cat_bufferpool"]}
    sizes = {row["BPNAME"]: row["PAGESIZE"] for row in state.sources["cat_bufferpool"]}
    rows = state.sources["bufferpool"]
    spaces = {row["TBSP_NAME"]: row for row in state.sources["tablespace"]}
    yield from section(
        "TSP#BPMAP: Tablespace to bufferpool mapping",
        "TBSP_NAME DATATYPE BPNAME",
        (
            [name[:20], _TYPES[row["TBSP_CONTENT_TYPE"]], names.get(row["TBSP_CUR_POOL_ID"])]
            for name, row in spaces.items()
        ),
        (20, 8, 20),
    )
    yield from section(
        "BPL#SIZES: Bufferpool sizes",
        "MEMBER BP_NAME PAGESIZE NUM_PAGES AUTOMATIC",
        (
            [row["MEMBER"], row["BP_NAME"], sizes[row["BP_NAME"]], row["BP_CUR_BUFFSZ"], row["AUTOMATIC"]]
            for row in rows
        ),
        (0, 20),
    )
    ratios = (
        [row["MEMBER"], row["BP_NAME"]]
        + [_part(row[f"POOL_{kind}_LBP_PAGES_FOUND"], _reads(row, kind, "L")) or 0 for kind in ("DATA", "COL", "INDEX")]
        for row in rows
    )
    yield from section(
        "BPL#HITRA: Bufferpool data and index hit ratios",
        "MEMBER BP_NAME ROW_DATA_LBP_HITRATIO COL_DATA_LBP_HITRATIO INDEX_LBP_HITRATIO",
        ratios,
        (0, 20),
    )


_LARGE: tuple[tuple[str, str, Callable[[int], Sequence[Any]], tuple[int, ...]], ...] = (
    (
        "SQL#TOPROWS: Row level statistics per stmt - top statements by execution time",
        "MEMBER NUM_EXEC AVG_ROWS_MOD AVG_ROWS_READ AVG_ROWS_RET STMT_TEXT",
        lambda n: (n % 4, n, "0.0", f"{n % 97}.5", "1.0", f"SELECT NAME, SUM(AMOUNT) FROM APP.ORDERS {n:>100}"),
        (0, 0, 0, 0, 0, 200),
    ),
    (
        "SQL#TOPWAITT: Wait time breakdown for top SQL statements by execution time",
        "MEMBER PCT_WAIT PCT_LG_DSK STMT_TEXT",
        lambda n: (n % 4, "56.43", "1.15", f"SELECT NAME, SUM(AMOUNT) FROM APP.ORDERS {n:>100}"),
        (0, 0, 0, 200),
    ),
    (
        "TBL#ROWMC: Various table level metrics",
        "MEMBER TABNAME DATA_PART_ID TBSP_ID ROWS_READ ROWS_INSERTED ROWS_UPDATED ROWS_DELETED APPEND DIR_READ_REQS"
        " DIR_WRITE_REQS OBJ_DATA_P_RDS TABLE_HR OVFL_ACCESSES",
        lambda n: (n % 4, f"TABLE_{n}", None, 7, n * 31, n, n, 0, "N", 0, 0, n, "99.10", 0),
        (0, 32),
    ),
    (
        "IDX#OPS: Index operations",
        "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID IID INDEX_SCANS INDEX_ONLY_SCANS INDEX_JUMP_SCANS KEY_UPDATES"
        " PSEUDO_DELETES DEL_KEYS_CLEANED",
        lambda n: (n % 4, "APP", f"TABLE_{n}", f"IX_{n}", None, n % 9 + 1, n * 7, n, 0, n, n, 0),
        (0, 16, 32, 32),
    ),
    (
        "IDX#READS: Index page read metrics",
        "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID IID L_READS P_READS GBP_L_READS GBP_P_READS GBP_INVALID LBP_FOUND",
        lambda n: (n % 4, "APP", f"TABLE_{n}", f"IX_{n}", None, n % 9 + 1, n * 70, n, 0, 0, 0, n * 70),
        (0, 16, 32, 32),
    ),
)


def large(megabytes: float) -> Iterator[str]:
    """Return the lines of a report of about this size, most of them rows of tables, statements and indexes."""
    yield "REPORT STARTS HERE\n\n"
    throughput = section(
        "DB#THRUP: Throughput metrics at database level", "TS_DELTA MEMBER ACT_PER_S", [[300, 0, "99.5"]]
    )
    yield from (f"{line}\n" for line in throughput)
    size, n = 0, 0
    for title, header, row, widths in cycle(_LARGE):
        for line in section(title, header, map(row, range(n, n + 2_000)), widths):
            size += len(line) + 1
            yield f"{line}\n"
        n += 2_000
        if size > megabytes * 1_000_000:
            return
