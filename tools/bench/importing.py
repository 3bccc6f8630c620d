"""Import of large texts: processor time per MB of every format, and memory at two sizes of the fastest."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tools.bench import statements

MEGABYTES = (300, 900)
KINDS = ("db2mon", "snapshot")

# Every other format, at one size: a repeated sample, or a text that is written for it.
SMALLER = 20
OTHERS = {
    "get db cfg": "configuration-oltp.txt",
    "get dbm cfg, db2set": "instance.txt",
    "list tablespaces": "list-tablespaces.txt",
    "db2pd": "db2pd-shop.txt",
    "db2mtrk": "db2mtrk.txt",
    "db2diag": "db2diag.txt",
    "list history": "list-history.txt",
    "operator": "db2ucluster.yaml",
    "df, mount": "file-systems.txt",
}
WRITTEN = ("tune-collect.sql", *statements.OF_PEOPLE, "listing", "CSV", "IXF", "unknown")


def file_name(kind: str) -> str:
    """Return the name of a text; an export's name gives its function."""
    return "mon_get_table_end.ixf" if kind == "IXF" else "text"


def write(kind: str, megabytes: int, path: Path) -> None:
    """Write a text of one kind of at least that size."""
    with path.open("wb") as file:
        for block in _blocks(kind, megabytes):
            file.write(block.encode() if isinstance(block, str) else block)


def _blocks(kind: str, megabytes: int) -> Iterator[str | bytes]:
    from tests.imports.printers import db2mon, listing, snapshot, tune_collect

    large: dict[str, Callable[[int], Iterator[str]]] = {
        "tune-collect.sql": tune_collect.large,
        "db2mon": db2mon.large,
        "snapshot": snapshot.large,
        "listing": listing.large,
        **{name: partial(statements.large, name) for name in statements.KINDS},
    }
    if kind in large:
        yield from large[kind](megabytes)
    elif kind == "IXF":
        yield from _ixf(megabytes)
    else:
        first, block = _repeated(kind)
        yield first
        yield from (block for _ in range(megabytes * 1_000_000 // len(block)))


def _repeated(kind: str) -> tuple[str, str]:
    """Return the beginning of a text and its repeated part."""
    from tests.support.paths import FIXTURES

    def sample(name: str) -> str:
        return (FIXTURES / "imports" / name).read_text(encoding="utf-8")

    if kind == "CSV":
        head = (
            "TBSP_NAME;MEMBER;TBSP_ID;TBSP_PAGE_SIZE;TBSP_EXTENT_SIZE;POOL_DATA_L_READS;POOL_DATA_P_READS;HIT_RATIO\n"
        )
        return head, "".join(
            f'"TS_{n}";0;{n};8192;32;{n * 81234567};{n * 812345};{n % 100},{n % 7}0\n' for n in range(1000)
        )
    if kind == "unknown":
        return "", "The application has been slow since Monday, and we do not know what changed at the weekend.\n"
    return "", sample(OTHERS[kind]) + "\n"


def _ixf(megabytes: int) -> Iterator[bytes]:
    from tests.support.ixf import BIGINT, SMALLINT, VARCHAR, ixf

    names = (
        "DATA_PARTITION_ID",
        "TABLE_SCANS",
        "ROWS_READ",
        "ROWS_INSERTED",
        "ROWS_UPDATED",
        "ROWS_DELETED",
        "OVERFLOW_ACCESSES",
    )
    columns = [
        ("TABSCHEMA", VARCHAR, 128),
        ("TABNAME", VARCHAR, 128),
        ("MEMBER", SMALLINT, 2),
        ("TAB_TYPE", VARCHAR, 14),
    ]
    rows = [["SHOP", f"T{number}", 0, "USER_TABLE", *range(7)] for number in range(1000)]
    content = ixf([*columns, *((name, BIGINT, 8) for name in names)], rows)
    begin = content.index(b"D001    ") - 6
    yield content[:begin]
    yield from (content[begin:] for _ in range(megabytes * 1_000_000 // (len(content) - begin)))


def measure(path: Path) -> dict[str, Any]:
    """Import one text on one processor; a text without a value is only checked."""
    from advisor.errors import UserError
    from advisor.imports.texts import import_texts

    rows: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as target:
        begin = time.process_time()
        try:
            rows = import_texts([path], Path(target)).rows
        except UserError as error:
            if "nothing" not in str(error):
                raise
        seconds = time.process_time() - begin
    return {"ms_per_mb": 1000 * seconds / (path.stat().st_size / 1e6), "count": sum(rows.values())}
