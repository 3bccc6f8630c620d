"""A machine state as db2pd prints it: one report per member, then those of the instance and the host."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from tests.support.states import Row, State

_COLUMNS = {
    "database": "MEMBER DB_CONN_TIME UPTIME_S",
    "tablespace": (
        "TBSP_NAME MEMBER TBSP_ID TBSP_TYPE TBSP_CONTENT_TYPE TBSP_PAGE_SIZE TBSP_EXTENT_SIZE TBSP_PREFETCH_SIZE "
        "TBSP_CUR_POOL_ID TBSP_NEXT_POOL_ID TBSP_USING_AUTO_STORAGE STORAGE_GROUP_NAME TBSP_REBALANCER_MODE "
        "TBSP_USED_PAGES TBSP_TOTAL_PAGES"
    ),
    "container": (
        "TBSP_NAME CONTAINER_ID MEMBER TBSP_ID CONTAINER_NAME CONTAINER_TYPE STRIPE_SET TOTAL_PAGES USABLE_PAGES"
    ),
    "bufferpool": (
        "BP_NAME MEMBER AUTOMATIC BP_CUR_BUFFSZ POOL_DATA_L_READS POOL_DATA_P_READS POOL_INDEX_L_READS "
        "POOL_INDEX_P_READS POOL_TEMP_DATA_L_READS POOL_TEMP_DATA_P_READS POOL_DATA_WRITES POOL_INDEX_WRITES"
    ),
    "cat_bufferpool": "BPNAME BUFFERPOOLID PAGESIZE NUMBLOCKPAGES BLOCKSIZE",
    "transaction_log": (
        "MEMBER CURRENT_ACTIVE_LOG METHOD1_NEXT_LOG_TO_ARCHIVE METHOD1_FIRST_FAILURE CUR_COMMIT_DISK_LOG_READS"
    ),
    "storage_path": "STORAGE_GROUP_NAME DB_STORAGE_PATH DBPARTITIONNUM DB_STORAGE_PATH_STATE",
    "dbcfg": "NAME MEMBER VALUE VALUE_FLAGS DEFERRED_VALUE DEFERRED_VALUE_FLAGS",
    "dbmcfg": "NAME VALUE VALUE_FLAGS DEFERRED_VALUE DEFERRED_VALUE_FLAGS",
    "system": "HOST_NAME OS_NAME CPU_TOTAL CPU_ONLINE CPU_HMT_DEGREE CPU_CORES_PER_SOCKET MEMORY_TOTAL",
}
HOLDS = {source: tuple(names.split()) for source, names in _COLUMNS.items()}

_CONTENT = {"ANY": "Regular", "LARGE": "Large", "SYSTEMP": "SysTmp", "USRTEMP": "UsrTmp"}
_KIND = {"FILE_EXTENT_TAG": "File", "DISK_EXTENT_TAG": "Disk", "PATH": "Path"}
_STATE = {"IN_USE": "InUse", "NOT_IN_USE": "NotInUse", "DROP_PENDING": "DropPending"}


def printed(state: State) -> str:
    """Return the text for a machine state."""
    lines: list[str] = []
    for row in state.sources["database"]:
        lines += _member(state, row)
    return "\n".join([*lines, *_instance(state), *_host(state.sources["system"][:1]), ""])


def _member(state: State, about: Row) -> Iterable[str]:
    member, up = about["MEMBER"], timedelta(seconds=about["UPTIME_S"])
    now = datetime.fromisoformat(about["DB_CONN_TIME"]) + up
    clock = f"{up.seconds // 3600:02}:{up.seconds // 60 % 60:02}:{up.seconds % 60:02}"
    yield ""
    yield (
        f"Database Member {member} -- Database {state.database['name']} -- Active -- "
        f"Up {up.days} days {clock} -- Date {now:%Y-%m-%d-%H.%M.%S.%f}"
    )
    of_member = {name: [row for row in rows if row.get("MEMBER") == member] for name, rows in state.sources.items()}
    yield from _spaces(of_member, state.sources["cat_tablespace"], _groups(state))
    yield from _containers(of_member["container"])
    yield from _pools(of_member["bufferpool"], state.sources["cat_bufferpool"])
    yield from _logs(of_member["transaction_log"])
    yield from _paths([row for row in state.sources["storage_path"] if row["DBPARTITIONNUM"] == member], _groups(state))
    yield from _settings("Database Configuration Settings:", of_member["dbcfg"], ("logpath", "loghead"))


def _groups(state: State) -> list[str]:
    names = [row["STORAGE_GROUP_NAME"] for row in [*state.sources["tablespace"], *state.sources["storage_path"]]]
    return sorted({name for name in names if name})


def _spaces(of_member: dict[str, list[Row]], catalog: list[Row], groups: list[str]) -> Iterable[str]:
    rows = of_member["tablespace"]
    containers = Counter(row["TBSP_NAME"] for row in of_member["container"])
    automatic = {row["TBSPACE"] for row in catalog if row["PREFETCHSIZE"] == -1}
    yield from _table(
        "Tablespace Configuration:",
        "Address Id Type Content PageSz ExtentSz Auto Prefetch BufID BufIDDisk FSC NumCntrs MaxStripe LastConsecPg RSE Name",
        [
            [
                row["TBSP_ID"],
                row["TBSP_TYPE"],
                _CONTENT[row["TBSP_CONTENT_TYPE"]],
                row["TBSP_PAGE_SIZE"],
                row["TBSP_EXTENT_SIZE"],
                "Yes" if row["TBSP_NAME"] in automatic else "No",
                row["TBSP_PREFETCH_SIZE"],
                row["TBSP_CUR_POOL_ID"],
                row["TBSP_NEXT_POOL_ID"],
                "On" if row["FS_CACHING"] == 0 else "Off",
                containers[row["TBSP_NAME"]],
                0,
                row["TBSP_EXTENT_SIZE"] - 1,
                "Yes",
                row["TBSP_NAME"],
            ]
            for row in rows
        ],
    )
    yield from _table(
        "Tablespace Statistics:",
        "Address Id TotalPgs UsablePgs UsedPgs PndFreePgs FreePgs HWM Max_HWM State MinRecTime NQuiescers PathsDropped",
        [
            [row["TBSP_ID"], row["TBSP_TOTAL_PAGES"], "n/a", row["TBSP_USED_PAGES"], *[0] * 4, "0x00000000", 0, 0, "No"]
            for row in rows
        ],
    )
    yield from _table(
        "Tablespace Autoresize Statistics:",
        "Address Id AS AR InitSize IncSize IIP MaxSize LastResize LRF",
        [
            [row["TBSP_ID"], "Yes" if row["TBSP_USING_AUTO_STORAGE"] else "No", "No", 0, 0, "No", 0, "None", "No"]
            for row in rows
        ],
    )
    yield from _table(
        "Tablespace Storage Statistics:",
        "Address Id DataTag Rebalance SGID SourceSGID",
        [
            [
                row["TBSP_ID"],
                0,
                "No" if row["TBSP_REBALANCER_MODE"] == "NO_REBAL" else "Yes",
                groups.index(row["STORAGE_GROUP_NAME"]) if row["STORAGE_GROUP_NAME"] else "-",
                "-",
            ]
            for row in rows
        ],
    )


def _containers(rows: list[Row]) -> Iterable[str]:
    yield from _table(
        "Containers:",
        "Address TspId ContainNum Type TotalPgs UseablePgs PathID StripeSet Container",
        [
            [
                row["TBSP_ID"],
                row["CONTAINER_ID"],
                _KIND[row["CONTAINER_TYPE"]],
                row["TOTAL_PAGES"],
                row["USABLE_PAGES"],
                "-",
                row["STRIPE_SET"],
                row["CONTAINER_NAME"],
            ]
            for row in rows
        ],
    )


def _pools(rows: list[Row], catalog: list[Row]) -> Iterable[str]:
    defined = {row["BPNAME"]: row for row in catalog}
    numbers = {row["BP_NAME"]: defined[row["BP_NAME"]]["BUFFERPOOLID"] for row in rows}
    yield from _table(
        "Bufferpools:",
        "Address Id Name PageSz PA-NumPgs BA-NumPgs BlkSize NumTbsp PgsToRemov CurrentSz PostAlter SuspndTSCt Automatic",
        [
            [
                numbers[row["BP_NAME"]],
                row["BP_NAME"],
                defined[row["BP_NAME"]]["PAGESIZE"],
                row["BP_CUR_BUFFSZ"],
                defined[row["BP_NAME"]]["NUMBLOCKPAGES"],
                defined[row["BP_NAME"]]["BLOCKSIZE"],
                1,
                0,
                row["BP_CUR_BUFFSZ"],
                row["BP_CUR_BUFFSZ"],
                0,
                "True" if row["AUTOMATIC"] else "False",
            ]
            for row in rows
        ],
    )
    yield "Bufferpool Statistics for all bufferpools (when BUFFERPOOL monitor switch is ON):"
    yield "BPID DatLRds    DatPRds    HitRatio TmpDatLRds TmpDatPRds HitRatio IdxLRds    IdxPRds    HitRatio"
    for row in rows:
        reads = [
            (row[f"POOL_{kind}_L_READS"], row[f"POOL_{kind}_P_READS"], "0.00%")
            for kind in ("DATA", "TEMP_DATA", "INDEX")
        ]
        yield _aligned([numbers[row["BP_NAME"]], *[value for part in reads for value in part]])
    yield ""
    yield "BPID DataWrts   IdxWrts    DirRds"
    for row in rows:
        yield _aligned([numbers[row["BP_NAME"]], row["POOL_DATA_WRITES"], row["POOL_INDEX_WRITES"], 0])


def _logs(rows: list[Row]) -> Iterable[str]:
    yield from ("", "Logs:")
    for row in rows:
        yield f"Current Log Number            {_or_none(row.get('CURRENT_ACTIVE_LOG'))}"
        yield f"Cur Commit Disk Log Reads     {row['CUR_COMMIT_DISK_LOG_READS']}"
        yield "Method 1 Archive Status       n/a"
        yield f"Method 1 Next Log to Archive  {_or_none(row.get('METHOD1_NEXT_LOG_TO_ARCHIVE'))}"
        yield f"Method 1 First Failure        {_or_none(row.get('METHOD1_FIRST_FAILURE'))}"


def _or_none(value: Any) -> Any:
    return "n/a" if value is None else value


def _paths(rows: list[Row], groups: list[str]) -> Iterable[str]:
    yield from _table(
        "Storage Group Configuration:",
        "Address SGID Default DataTag Name",
        [[number, "Yes", 0, name] for number, name in enumerate(groups)],
    )
    yield from _table(
        "Storage Group Paths:",
        "Address SGID PathID PathState PathName",
        [
            [
                groups.index(row["STORAGE_GROUP_NAME"]),
                number,
                _STATE[row["DB_STORAGE_PATH_STATE"]],
                row["DB_STORAGE_PATH"],
            ]
            for number, row in enumerate(rows)
        ],
    )


def _settings(title: str, rows: list[Row], labelled: tuple[str, ...] = ()) -> Iterable[str]:
    yield from ("", title, f"{'Description':<42}{'Memory Value':<26}Disk Value")
    for row in rows:
        label = {"logpath": "Path to log files", "loghead": "First active log file"}.get(row["NAME"], "")
        name = label if row["NAME"] in labelled else row["NAME"].upper()
        memory, disk = _setting(row, "VALUE"), _setting(row, "DEFERRED_VALUE")
        if max(len(memory), len(disk)) > 25:
            yield f"{name + ' (memory)':<42}{memory}"
            yield f"{name + ' (disk)':<42}{disk}"
        else:
            yield f"{name:<42}{memory:<26}{disk}".rstrip()


def _setting(row: Row, column: str) -> str:
    value = "" if row[column] is None else str(row[column])
    flag = row[f"{column}_FLAGS"]
    return value if flag == "NONE" else f"{flag}({value})" if value else str(flag)


def _instance(state: State) -> Iterable[str]:
    yield from ("", "Database Member 0 -- Active -- Up 20 days 01:00:00 -- Date 2026-03-02-10.05.01.000000")
    yield from _settings("Database Manager Configuration Settings:", state.sources["dbmcfg"])


def _host(rows: list[Row]) -> Iterable[str]:
    for row in rows:
        yield from (
            "",
            "Operating System Information:",
            "",
            f"OSName:   {row['OS_NAME']}",
            f"NodeName: {row['HOST_NAME']}",
        )
        yield from ("", "CPU Information:", "TotalCPU    OnlineCPU   ConfigCPU   Speed(MHz)  HMTDegree   Cores/Socket")
        threads, cores = row["CPU_HMT_DEGREE"], row["CPU_CORES_PER_SOCKET"]
        yield _aligned([row["CPU_TOTAL"], row["CPU_ONLINE"], row["CPU_TOTAL"], 3000, threads, cores])
        yield from (
            "",
            "Physical Memory and Swap (Megabytes):",
            "TotalMem    FreeMem     AvailMem    TotalSwap   FreeSwap",
        )
        yield _aligned([row["MEMORY_TOTAL"], row["MEMORY_FREE"], "n/a", 0, 0])


def _table(title: str, header: str, rows: list[list[Any]]) -> Iterable[str]:
    names = header.split()
    cells = [[f"0x{0x7F0000001000 + number * 512:016X}", *map(str, row)] for number, row in enumerate(rows)]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    yield from ("", title)
    for row in [names, *cells]:
        yield (
            " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            .rstrip()
            .replace("Max_HWM", "Max HWM")
        )


def _aligned(values: Iterable[Any]) -> str:
    return " ".join(f"{value!s:<11}" for value in values).rstrip()
