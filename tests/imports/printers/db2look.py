"""A machine state as db2look -l prints it.

Objects of every database (IBMDEFAULTBP, SYSCATSPACE) are created here too; db2look only alters them.
"""

from collections.abc import Iterable
from itertools import groupby

from tests.support.states import Row, State

HOLDS: dict[str, tuple[str, ...]] = {
    "cat_bufferpool": ("BPNAME", "NPAGES", "PAGESIZE"),
    "cat_tablespace": (
        "TBSPACE",
        "TBSPACETYPE",
        "DATATYPE",
        "EXTENTSIZE",
        "PREFETCHSIZE",
        "OVERHEAD",
        "TRANSFERRATE",
        "PAGESIZE",
        "DBPGNAME",
    ),
}

# Table spaces without automatic storage, and with one of the two words for file system caching.
CONTAINER = ("TBSP_NAME", "CONTAINER_ID", "MEMBER", "CONTAINER_NAME", "CONTAINER_TYPE", "TOTAL_PAGES")
TABLESPACE = ("TBSP_NAME", "TBSP_TYPE", "TBSP_CONTENT_TYPE", "TBSP_PAGE_SIZE", "TBSP_EXTENT_SIZE")

_KIND = {"A": "REGULAR", "L": "LARGE", "T": "TEMPORARY", "U": "USER TEMPORARY"}
_SERVER = {"Linux": "DB2/LINUXX8664", "Windows": "DB2/NT64", "AIX": "DB2/AIX64", "Solaris": "DB2/SUN64"}


def printed(state: State) -> str:
    """Return the text for a machine state."""
    about = state.database
    lines = [
        f'-- This CLP file was created using DB2LOOK Version "{about["level"]}" ',
        "-- Timestamp: Mon Mar  2 10:05:00 2026",
        f"-- Database Name: {about['name']:<15}",
        f"-- Database Manager Version: {_SERVER[about['platform']]} Version {about['level']}",
        "",
        f"CONNECT TO {about['name']};",
        "",
    ]
    for pool in state.sources["cat_bufferpool"]:
        size = "AUTOMATIC" if pool["NPAGES"] == -2 else pool["NPAGES"]
        lines += [f"CREATE BUFFERPOOL {_quoted(pool['BPNAME'])}  SIZE {size} PAGESIZE {pool['PAGESIZE']};", ""]
    spaces = {row["TBSP_NAME"]: row for row in state.sources["tablespace"]}
    pools = {row["BUFFERPOOLID"]: row["BPNAME"] for row in state.sources["cat_bufferpool"]}
    for row in state.sources["cat_tablespace"]:
        containers = [item for item in state.sources["container"] if item["TBSP_NAME"] == row["TBSPACE"]]
        lines += [*_space(row, spaces.get(row["TBSPACE"], {}), containers, pools), "", ""]
    return "\n".join([*lines, "COMMIT WORK;", "", "CONNECT RESET;", "", "TERMINATE;", ""])


def _space(row: Row, space: Row, containers: list[Row], pools: dict[int, str]) -> Iterable[str]:
    kind, group = _KIND[row["DATATYPE"]], row["DBPGNAME"]
    yield f"CREATE {kind} TABLESPACE {_quoted(row['TBSPACE'])} IN DATABASE PARTITION GROUP {group} "
    if space.get("TBSP_USING_AUTO_STORAGE"):
        yield f"\t PAGESIZE {row['PAGESIZE']} MANAGED BY AUTOMATIC STORAGE "
        yield f"\t USING STOGROUP {_quoted(space['STORAGE_GROUP_NAME'])} "
        yield "\t AUTORESIZE YES "
        yield "\t INITIALSIZE 32 M "
    else:
        yield f"\t PAGESIZE {row['PAGESIZE']} MANAGED BY {'SYSTEM' if row['TBSPACETYPE'] == 'S' else 'DATABASE'} "
        yield from _containers(containers)
    yield f"\t EXTENTSIZE {row['EXTENTSIZE']}"
    yield f"\t PREFETCHSIZE {'AUTOMATIC' if row['PREFETCHSIZE'] == -1 else row['PREFETCHSIZE']}"
    yield f"\t BUFFERPOOL {_quoted(pools[row['BUFFERPOOLID']])}"
    yield f"\t OVERHEAD {_rate(row['OVERHEAD'])}"
    yield f"\t TRANSFERRATE {_rate(row['TRANSFERRATE'])} "
    yield {0: "\t FILE SYSTEM CACHING ", 1: "\t NO FILE SYSTEM CACHING "}.get(space.get("FS_CACHING", 2), "")
    yield "\t DROPPED TABLE RECOVERY ON;"


def _containers(rows: list[Row]) -> Iterable[str]:
    for member, group in groupby(
        sorted(rows, key=lambda row: (row["MEMBER"], row["CONTAINER_ID"])), lambda row: row["MEMBER"]
    ):
        texts = [
            f"{'DEVICE' if row['CONTAINER_TYPE'].startswith('DISK') else 'FILE'} '{row['CONTAINER_NAME']}'{row['TOTAL_PAGES']}"
            for row in group
        ]
        yield f"\t USING ({(',' + chr(10) + chr(9) * 2).join(texts)}) ON DBPARTITIONNUMS ({member})"


def _rate(value: float) -> str:
    return "INHERIT" if value == -1 else f"{value:f}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
