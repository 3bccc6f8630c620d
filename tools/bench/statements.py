"""Texts of DDL and of commands without repeated statements, like those of a large database."""

from collections.abc import Callable, Iterator
from itertools import chain, count

OBJECTS = 300  # the number of pools, table spaces and so on of a large database

DONE = "DB20000I  The SQL command completed successfully.\n"
SET = "DB20000I  The UPDATE DATABASE CONFIGURATION command completed successfully.\n"


def large(kind: str, megabytes: int) -> Iterator[str]:
    """Yield a text of one of KINDS of at least that size, in pieces."""
    length = 0
    for piece in KINDS[kind]():
        yield piece
        length += len(piece)
        if length >= megabytes * 1_000_000:
            return


def _db2look() -> Iterator[str]:
    """Yield the storage DDL, and then nearly all of the text: tables and their indexes, views and grants."""
    from tests.support.paths import FIXTURES

    head = (FIXTURES / "imports" / "db2look-shop.txt").read_text(encoding="utf-8")
    return chain([head.partition("COMMIT WORK")[0]], map(_space_by_db2look, range(OBJECTS)), map(_table, count()))


def _space_by_db2look(number: int) -> str:
    return (
        f"CREATE STOGROUP \"SG_{number}\" ON '/db2/data{number}/a',\n\t\t'/db2/data{number}/b'\n"
        f"\t OVERHEAD 6.725000\n\t DEVICE READ RATE {100 + number}.000000\n\t DATA TAG NONE;\n\n"
        f'CREATE BUFFERPOOL "BP_{number}"  SIZE {1000 + number} PAGESIZE 8192;\n\n'
        f'CREATE LARGE TABLESPACE "TS_{number}" IN DATABASE PARTITION GROUP IBMDEFAULTGROUP \n'
        f'\t PAGESIZE 8192 MANAGED BY AUTOMATIC STORAGE \n\t USING STOGROUP "SG_{number}" \n\t AUTORESIZE YES \n'
        f"\t INITIALSIZE {32 + number} M \n\t MAXSIZE NONE \n\t EXTENTSIZE 32\n\t PREFETCHSIZE AUTOMATIC\n"
        f'\t BUFFERPOOL "BP_{number}"\n\t DATA TAG INHERIT\n\t OVERHEAD INHERIT\n\t TRANSFERRATE INHERIT \n'
        "\t DROPPED TABLE RECOVERY ON;\n\n\n"
        f'ALTER TABLESPACE "TS_{number}"\n\t PREFETCHSIZE {32 + number};\n\n'
    )


def _table(number: int) -> str:
    schema, name = f"SHOP_{number % 97}", f"ORDER_{number}"
    table = f'"{schema}"."{name}"'
    columns = "".join(
        f"\t\t  \"C_{number}_{column}\" VARCHAR({column} OCTETS) NOT NULL WITH DEFAULT '{number};' , \n"
        for column in range(1, 20)
    )
    title = f"------------------------------------------------\n-- DDL Statements for %s {table}\n"
    return (
        f"{title % 'Table'}------------------------------------------------\n \n\n"
        f'CREATE TABLE {table}  (\n{columns}\t\t  "ID_{number}" BIGINT NOT NULL )   \n'
        f'\t\t COMPRESS YES ADAPTIVE  \n\t\t IN "TS_{number % OBJECTS}" INDEX IN "TS_IX"  \n\t\t ORGANIZE BY ROW; \n\n'
        f"COMMENT ON TABLE {table} IS 'Orders of region {number}, which come by night';\n\n"
        f"COMMENT ON COLUMN {table}.\"C_{number}_1\" IS 'CREATE by whom, number {number}';\n\n"
        f'{title % "Primary Key on Table"}\n\nALTER TABLE {table} \n\tADD CONSTRAINT "P_{number}" PRIMARY KEY\n'
        f"\t\t(\"ID_{number}\")\n\tENFORCED;\n\n\n\n{title % 'Indexes on Table'}\n\nSET NLS_STRING_UNITS = 'SYSTEM';\n\n"
        f'CREATE INDEX "{schema}"."I_{number}" ON {table} \n\t\t("C_{number}_1" ASC,\n\t\t "C_{number}_2" DESC)\n'
        "\t\t\n\t\tCOMPRESS YES \n\t\tINCLUDE NULL KEYS ALLOW REVERSE SCANS;\n\n"
        f'CREATE OR REPLACE VIEW "{schema}"."V_{number}" AS\nSELECT C_{number}_1, C_{number}_2\n'
        f"  FROM {schema}.{name}\n WHERE ID_{number} > {number}\n   AND C_{number}_3 = 'open';\n\n"
        f'GRANT SELECT ON TABLE {table} TO ROLE "READER_{number}" ;\n\n'
        f'GRANT CONTROL ON INDEX "{schema}"."I_{number}" TO USER "SHOP" ;\n\n'
    )


def _statistics() -> Iterator[str]:
    """Yield tables with the updates of their statistics, most of which are of distributions."""
    return map(_table_with_statistics, count())


def _table_with_statistics(number: int) -> str:
    schema, name = f"SHOP_{number % 97}", f"ORDER_{number}"
    of = f"TABNAME = '{name}' AND TABSCHEMA = '{schema}'"
    columns = "".join(
        f"UPDATE SYSSTAT.COLUMNS\nSET COLCARD={number + column},\n    NUMNULLS=0,\n    SUB_COUNT=-1,\n    SUB_DELIM_LENGTH=-1,\n"
        f"    AVGCOLLENCHAR=8,\n    HIGH2KEY='''paid {number}''',\n    LOW2KEY='''new {number}''',\n    AVGCOLLEN={column}\n"
        f"WHERE COLNAME = 'C_{number}_{column}' AND {of};\n\n"
        + "".join(
            f"UPDATE SYSSTAT.COLDIST\nSET COLVALUE='''value {number * place}''',\n    VALCOUNT={number + place}\n"
            f"WHERE COLNAME = 'C_{number}_{column}' AND {of}\n      AND TYPE  = '{kind}'\n      AND SEQNO = {place};\n\n"
            for kind, most in (("F", 10), ("Q", 20))
            for place in range(1, most + 1)
        )
        for column in range(1, 20)
    )
    return (
        f"{_table(number)}-- Mimic table {name}\n\nUPDATE SYSSTAT.TABLES\nSET CARD={number},\n    NPAGES={number},\n"
        f"    FPAGES={number},\n    OVERFLOW=0,\n    ACTIVE_BLOCKS=0\nWHERE {of};\n\n{columns}"
    )


def _ddl() -> Iterator[str]:
    """Yield only statements that define storage."""
    for n in count():
        yield (
            f"CREATE BUFFERPOOL BP{n} SIZE {1000 + n} PAGESIZE 8 K;\n"
            f"CREATE LARGE TABLESPACE TS_{n} PAGESIZE 8 K MANAGED BY DATABASE USING (FILE '/db2/data/ts_{n}' {64 + n} M)\n"
            f"  EXTENTSIZE 32 PREFETCHSIZE 64 BUFFERPOOL BP{n};\n"
            f"ALTER TABLESPACE TS_{n} EXTEND (ALL {32 + n} M);\n"
        )


def _session() -> Iterator[str]:
    """Yield typed commands with their output, and among them some that rules ignore."""
    yield "$ db2 connect to shop\n"
    for n in count():
        yield (
            f"[db2inst1@db{n % 9} ~]$ db2 update db cfg for shop using LOGFILSIZ {4096 + n} LOGPRIMARY {10 + n % 90}\n{SET}"
            f"[db2inst1@db{n % 9} ~]$ db2 get snapshot for locks on shop > /tmp/locks.{n}\n"
            f'[db2inst1@db{n % 9} ~]$ db2 "alter bufferpool BP{n % OBJECTS} size {1000 + n}"\n{DONE}'
            f"[db2inst1@db{n % 9} ~]$ db2set DB2_PARALLEL_IO={n}\n"
            f"[db2inst1@db{n % 9} ~]$ ls -l /db2/archive/shop/NODE0000/LOGSTREAM0000/C000000{n % 9}/S{n:07}.LOG\n"
            f"-rw-r----- 1 db2inst1 db2iadm1 {n * 4096} Mar  4 11:32 S{n:07}.LOG\n"
            f'[db2inst1@db{n % 9} ~]$ db2 "runstats on table shop.order_{n} with distribution and indexes all"\n'
            "DB20000I  The RUNSTATS command completed successfully.\n"
            f'[db2inst1@db{n % 9} ~]$ db2 "select count(*) from shop.order_{n}"\n\n'
            f"1          \n-----------\n{n:11}\n\n  1 record(s) selected.\n\n"
            f"[db2inst1@db{n % 9} ~]$ db2 update dbm cfg using SHEAPTHRES {n}\n"
            "DB20000I  The UPDATE DATABASE MANAGER CONFIGURATION command completed successfully.\n"
        )


def _commands() -> Iterator[str]:
    """Yield only commands that set something."""
    for n in count():
        yield (
            f"update db cfg for shop using LOGFILSIZ {4096 + n} LOGPRIMARY {10 + n % 90};\n"
            f"update dbm cfg using SHEAPTHRES {n};\n! db2set DB2_PARALLEL_IO={n};\n"
            f"update db cfg for shop using SORTHEAP {n} LOCKLIST {n + 1} AUTOMATIC;\n"
        )


OF_PEOPLE: dict[str, Callable[[], Iterator[str]]] = {
    "db2look": _db2look,
    "db2look -m": _statistics,
    "session": _session,
}
# They show the cost of a statement that counts, without lines between.
WORST: dict[str, Callable[[], Iterator[str]]] = {"nothing but DDL": _ddl, "nothing but commands": _commands}
KINDS = OF_PEOPLE | WORST
