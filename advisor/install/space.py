"""Table spaces that the installation can create, and the space and log that it needs, by estimate."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.install.statement import COMMIT, Statement, core, fill_statement
from advisor.quoting import literal, quoted

PAGE_SIZE = 8192  # bytes: minimum page size for the tables of schema TUNE and their sorts
EXTENT_SIZE = 4  # pages: small, because almost every table is smaller than an extent
NAME = "TUNE"  # of the buffer pool, and of the table space unless the user names another

_PAGES = f"PAGESIZE {PAGE_SIZE // 1024} K"
_IN_POOL = f"BUFFERPOOL {NAME}"
POOL = f"CREATE BUFFERPOOL {NAME} {_PAGES}"
TEMPORARY = f"CREATE SYSTEM TEMPORARY TABLESPACE {NAME}TEMP {_PAGES} {_IN_POOL}"

_TABLE = re.compile(r"\bCREATE TABLE TUNE\.(?!N_)(\w+)(.*)", re.DOTALL)  # N_ is a copy that an upgrade renames
_INDEXED = re.compile(r"\bCREATE INDEX TUNE\.\w+ ON TUNE\.(\w+)")
_LOADED = re.compile(r"(?:INSERT|MERGE) INTO TUNE\.")
_VIEW = re.compile(r"CREATE OR REPLACE VIEW TUNE\.C_(\w+) \(([^)]+)\)")
_DROPPED = re.compile(r"DROP TABLE TUNE\.(\w+)$")
_LOB = re.compile(r"(\w+) [CB]LOB\b")
_CREATED = re.compile(r"\bCREATE (?:OR REPLACE )?(?:TABLE|VIEW|PROCEDURE|INDEX) TUNE\.")
_LEAST_EXTENTS = 2  # of each object: its extent map, and its pages
_ROWS_AND_KEYS = 2  # bytes of rows and index keys per byte of a statement that loads rows
_OBJECT_LOG = 16 * 1024  # bytes in the log: rows and keys of the catalog for an object with 15 columns
_TEXT_LOG = 16  # bytes in the log per byte of text: the stored text and the compiled form


def create_space(name: str) -> str:
    """Return the statement for the table space. IBMCATGROUP has one partition, so that joins stay local."""
    return f"CREATE TABLESPACE {name} IN IBMCATGROUP {_PAGES} EXTENTSIZE {EXTENT_SIZE} {_IN_POOL}"


def create_spaces(name: str) -> Iterator[Statement]:
    """Yield statements that create the table space, a system temporary one and their pool, if missing.

    Db2 creates a buffer pool when its statement is committed (r0000912).
    """
    space = f"SELECT 1 FROM SYSCAT.TABLESPACES WHERE TBSPACE = {literal(name)}"
    temporary = f"SELECT 1 FROM SYSCAT.TABLESPACES WHERE DATATYPE = 'T' AND PAGESIZE >= {PAGE_SIZE}"
    pool = f"SELECT 1 FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = {literal(NAME)} UNION ALL {space} AND EXISTS ({temporary})"
    for found, statement in ((pool, POOL), (space, create_space(quoted(name))), (temporary, TEMPORARY)):
        yield core(fill_statement("schema", "unless", found=found, statement=literal(statement)))
        yield COMMIT


@dataclass(frozen=True)
class Objects:
    """The storage objects of the tables, and the bytes of loaded rows and keys."""

    tables: int
    indexes: int
    lobs: int
    loaded: int

    def bytes(self, page_size: int = PAGE_SIZE, extent_size: int = EXTENT_SIZE) -> int:
        """Return the bytes that the objects occupy in a DMS or automatic storage table space.

        Space is allocated in extents. A table has a data object, an index object for all its indexes, and two objects for
        its LOBs (c0004964). The first extent of an object is its extent map (c0008085), so each has at least two.
        """
        extent = page_size * extent_size
        objects = self.tables + self.indexes + self.lobs
        return (objects * _LEAST_EXTENTS + math.ceil(self.loaded / extent)) * extent

    def megabytes(self, page_size: int = PAGE_SIZE, extent_size: int = EXTENT_SIZE) -> int:
        return math.ceil(self.bytes(page_size, extent_size) / 1024**2)


def count_objects(statements: Iterable[Statement]) -> Objects:
    """Count the storage objects that an installation creates. A view column has the type of table columns of its name."""
    texts = [statement.text for statement in statements]
    tables = {found[1]: found[2] for text in texts if (found := _TABLE.search(text))}
    for text in texts:
        if found := _DROPPED.match(text):
            del tables[found[1]]
    indexed = {found[1] for text in texts if (found := _INDEXED.search(text))}
    indexed |= {name for name, columns in tables.items() if "PRIMARY KEY" in columns}
    large = {column for columns in tables.values() for column in _LOB.findall(columns)}
    views = {found[1]: found[2] for text in texts if (found := _VIEW.match(text))}
    lobs = {name for name, columns in tables.items() if _LOB.search(columns)}
    lobs |= {name for name, columns in views.items() if large & set(columns.split(", "))}
    loaded = sum(len(text.encode()) for text in texts if _LOADED.match(text))
    return Objects(len(tables), len(indexed), 2 * len(lobs), loaded * _ROWS_AND_KEYS)


def estimate_log(statements: Iterable[Statement]) -> int:
    """Return the bytes of log that one unit of work with the statements needs.

    This is an estimate: no manual states the size of the compiled form of a view or procedure, so each byte of text
    counts several times.
    """
    log = 0
    for statement in statements:
        size = len(statement.text.encode())
        if _CREATED.search(statement.text):
            log += _OBJECT_LOG + size * _TEXT_LOG
        elif _LOADED.match(statement.text):
            log += size * _ROWS_AND_KEYS
    return log
