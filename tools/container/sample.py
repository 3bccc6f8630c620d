"""Tables with some load for an empty database: plain SQL, the same on Db2 and on the stand-in.

Monitoring shows the load: rows read by scans, sorts, joins, changed rows, commits, rollbacks.
"""

import itertools
import random
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

SCHEMA = "DB2TUNE_SAMPLE"
REGIONS = ("NORTH", "EAST", "SOUTH", "WEST")
CUSTOMERS = 200
ORDERS = 4_000
COMMIT_EVERY = 500
ROUNDS = 5

TABLES = {
    "CUSTOMER": "(ID INTEGER NOT NULL PRIMARY KEY, NAME VARCHAR(40) NOT NULL, REGION CHAR(8) NOT NULL)",
    "ORDERS": (
        "(ID INTEGER NOT NULL PRIMARY KEY, CUSTOMER_ID INTEGER NOT NULL, ORDERED DATE NOT NULL, "
        "AMOUNT DECIMAL(9, 2) NOT NULL, NOTE VARCHAR(200))"
    ),
}

QUERIES = (
    f"SELECT COUNT(*) FROM {SCHEMA}.ORDERS WHERE NOTE LIKE '%7%'",
    f"SELECT ID, AMOUNT, NOTE FROM {SCHEMA}.ORDERS ORDER BY AMOUNT DESC, ID",
    f"SELECT C.REGION, COUNT(*), SUM(O.AMOUNT) FROM {SCHEMA}.ORDERS O "
    f"JOIN {SCHEMA}.CUSTOMER C ON C.ID = O.CUSTOMER_ID GROUP BY C.REGION ORDER BY C.REGION",
)

SPILL = (
    f"SELECT MAX(PLACE) FROM (SELECT ROW_NUMBER() OVER (ORDER BY O.NOTE DESC, C.NAME, O.ID) AS PLACE "
    f"FROM {SCHEMA}.ORDERS O, {SCHEMA}.CUSTOMER C WHERE C.ID < ?) AS PLACED"
)
LITERALS = 300
LOCKED = 5

CHANGE = f"UPDATE {SCHEMA}.ORDERS SET AMOUNT = AMOUNT + 1 WHERE CUSTOMER_ID = ?"


def load(connection: Any) -> None:
    """Create and fill the tables again, and run the load; ``connection`` is ibm_db's. Leave no open unit of work."""
    import ibm_db

    ibm_db.autocommit(connection, ibm_db.SQL_AUTOCOMMIT_OFF)
    unload(connection)
    for table, columns in TABLES.items():
        ibm_db.exec_immediate(connection, f"CREATE TABLE {SCHEMA}.{table} {columns}")
    ibm_db.commit(connection)
    _insert(connection, f"INSERT INTO {SCHEMA}.CUSTOMER VALUES (?, ?, ?)", _customers())
    _insert(connection, f"INSERT INTO {SCHEMA}.ORDERS VALUES (?, ?, ?, ?, ?)", _orders())
    for _ in range(ROUNDS):
        _work(connection)


def strain(connection: Any, other: Any) -> Iterator[str]:
    """Cause spills, scans by statements that differ only in literals, and lock timeouts; yield a line for each."""
    import ibm_db

    statement = ibm_db.prepare(connection, SPILL)
    ibm_db.execute(statement, (20,))
    ibm_db.fetch_tuple(statement)
    yield "1 large sort"
    for number in range(LITERALS):
        for _ in _rows(connection, f"SELECT COUNT(*) FROM {SCHEMA}.ORDERS WHERE AMOUNT < {number} AND NOTE <> ''"):
            pass
    yield f"{LITERALS} statements with literals"
    ibm_db.autocommit(other, ibm_db.SQL_AUTOCOMMIT_OFF)
    ibm_db.exec_immediate(other, "SET CURRENT LOCK TIMEOUT 1")
    ended = 0
    for customer in range(LOCKED):
        ibm_db.execute(ibm_db.prepare(connection, CHANGE), (customer,))
        try:
            ibm_db.execute(ibm_db.prepare(other, CHANGE), (customer,))
        except Exception:  # ibm_db raises plain Exception: SQL0911N
            ended += 1
        ibm_db.rollback(other)
        ibm_db.rollback(connection)
    yield f"{ended} lock timeouts"


def unload(connection: Any) -> None:
    """Drop the tables that exist, and commit."""
    import ibm_db

    found = f"SELECT TABNAME FROM SYSCAT.TABLES WHERE TABSCHEMA = '{SCHEMA}' AND TYPE = 'T'"
    for table in [row[0] for row in _rows(connection, found)]:
        ibm_db.exec_immediate(connection, f"DROP TABLE {SCHEMA}.{table}")
    ibm_db.commit(connection)


def _work(connection: Any) -> None:
    import ibm_db

    for query in QUERIES:
        for _ in _rows(connection, query):
            pass
    for end in (ibm_db.commit, ibm_db.rollback):
        for customer in range(0, CUSTOMERS, 20):
            ibm_db.execute(ibm_db.prepare(connection, CHANGE), (customer,))
        end(connection)


def _rows(connection: Any, query: str) -> Iterator[tuple[Any, ...]]:
    import ibm_db

    statement = ibm_db.exec_immediate(connection, query)
    while row := ibm_db.fetch_tuple(statement):
        yield row


def _insert(connection: Any, insert: str, rows: Iterator[tuple[Any, ...]]) -> None:
    import ibm_db

    statement = ibm_db.prepare(connection, insert)
    while batch := tuple(itertools.islice(rows, COMMIT_EVERY)):
        ibm_db.execute_many(statement, batch)
        ibm_db.commit(connection)


def _customers() -> Iterator[tuple[Any, ...]]:
    for number in range(CUSTOMERS):
        yield number, f"Customer {number}", REGIONS[number % len(REGIONS)]


def _orders() -> Iterator[tuple[Any, ...]]:
    """Return the same rows in every run."""
    dice = random.Random(1)
    for number in range(ORDERS):
        day = date(2025, 1, 1) + timedelta(days=number % 365)
        amount = Decimal(dice.randrange(100, 1_000_000)) / 100
        yield (
            number,
            dice.randrange(CUSTOMERS),
            day.isoformat(),
            str(amount),
            f"order {number} " + "x" * dice.randrange(150),
        )
