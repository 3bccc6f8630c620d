"""Queries that read a recommended setting back from Db2, one for each kind of TARGET.

A query returns all values of the setting as text: of each member, of the catalog and the ones in effect.
"""

import re
from dataclasses import dataclass

from advisor.db2.connection import Connection
from advisor.judgement.advice import Recommendation


@dataclass(frozen=True)
class Place:
    """A query whose markers are the groups of its targets' pattern; ``unit`` if it answers in one unit only."""

    target: str
    query: str
    unit: str | None = None


PLACES = (
    Place(
        "BUFFERPOOL:(.+):SIZE",
        """
        WITH POOL AS (SELECT BPNAME, BUFFERPOOLID, NPAGES FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = ?),
        SIZE (PAGES) AS (
            SELECT NPAGES FROM POOL
            UNION ALL
            SELECT E.NPAGES FROM SYSCAT.BUFFERPOOLDBPARTITIONS AS E JOIN POOL AS P ON E.BUFFERPOOLID = P.BUFFERPOOLID
            UNION ALL
            SELECT CASE M.AUTOMATIC WHEN 1 THEN -2 ELSE M.BP_CUR_BUFFSZ END
            FROM TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS M JOIN POOL AS P ON M.BP_NAME = P.BPNAME
        )
        SELECT CASE PAGES WHEN -2 THEN 'AUTOMATIC' ELSE CAST(PAGES AS VARCHAR(20)) END FROM SIZE
        """,
    ),
    Place(  # a member without a size of its own has the pool's size
        r"BUFFERPOOL:(.+):SIZE:(\d+)",
        """
        SELECT CAST(COALESCE(E.NPAGES, P.NPAGES) AS VARCHAR(20))
        FROM SYSCAT.BUFFERPOOLS AS P CROSS JOIN TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS M
        LEFT JOIN SYSCAT.BUFFERPOOLDBPARTITIONS AS E ON E.BUFFERPOOLID = P.BUFFERPOOLID AND E.DBPARTITIONNUM = M.MEMBER
        WHERE P.BPNAME = ? AND M.BP_NAME = P.BPNAME AND M.MEMBER = CAST(? AS SMALLINT)
        """,
    ),
    Place(
        "BUFFERPOOL:(.+):EXISTS",
        "SELECT CASE COUNT(*) WHEN 0 THEN 'missing' ELSE 'there' END FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = ?",
    ),
    Place(
        "TABLESPACE:(.+):AUTORESIZE",
        """
        SELECT CASE TBSP_AUTO_RESIZE_ENABLED WHEN 1 THEN 'YES' ELSE 'NO' END
        FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_NAME = ?
        """,
    ),
    Place(
        "TABLESPACE:(.+):PREFETCHSIZE",
        """
        SELECT CASE PREFETCHSIZE WHEN -1 THEN 'AUTOMATIC' ELSE CAST(PREFETCHSIZE AS VARCHAR(20)) END
        FROM SYSCAT.TABLESPACES WHERE TBSPACE = ?
        """,
    ),
    Place(
        "TABLESPACE:(.+):CONTAINERS",
        """
        SELECT CAST(MIN(TOTAL_PAGES) AS VARCHAR(20)) FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
        WHERE TBSP_NAME = ? GROUP BY MEMBER
        """,
        "pages",
    ),
    # Db2 does not know devices: each container, and each path, counts as a device.
    Place(
        "TABLESPACE:(.+):CONTAINERS",
        """
        SELECT CAST(COUNT(*) AS VARCHAR(20)) FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
        WHERE TBSP_NAME = ? GROUP BY MEMBER
        """,
        "devices",
    ),
    Place(
        "STOGROUP:([^:]+):.+",
        """
        SELECT CAST(COUNT(*) AS VARCHAR(20)) FROM TABLE(ADMIN_GET_STORAGE_PATHS('', -2)) AS T
        WHERE STORAGE_GROUP_NAME = ? GROUP BY DBPARTITIONNUM
        """,
        "devices",
    ),
    Place(  # for three parameters together: any value other than NONE collects at least as much as BASE
        "DBCFG:MON_METRICS",
        """
        SELECT CASE WHEN SUM(CASE VALUE WHEN 'NONE' THEN 1 ELSE 0 END) > 0 THEN 'NONE' ELSE 'BASE' END
        FROM SYSIBMADM.DBCFG WHERE NAME IN ('mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics')
        GROUP BY MEMBER
        """,
    ),
    Place(
        "DBCFG:(.+)",
        """
        SELECT CASE VALUE_FLAGS WHEN 'AUTOMATIC' THEN 'AUTOMATIC' ELSE VALUE END
        FROM SYSIBMADM.DBCFG WHERE UPPER(NAME) = ?
        """,
    ),
    Place(  # ADMIN_CMD changes the instance's parameters only for its next start
        "DBMCFG:(.+)",
        """
        SELECT CASE DEFERRED_VALUE_FLAGS WHEN 'AUTOMATIC' THEN 'AUTOMATIC' ELSE DEFERRED_VALUE END
        FROM SYSIBMADM.DBMCFG WHERE UPPER(NAME) = ?
        """,
    ),
    Place(
        r"MEMBER:(\d+):STATE",
        """
        SELECT CASE WHEN D.MEMBER IS NULL THEN M.STATE ELSE 'active' END
        FROM SYSIBMADM.DB2_MEMBER AS M LEFT JOIN TABLE(MON_GET_DATABASE(-2)) AS D ON M.ID = D.MEMBER
        WHERE M.ID = CAST(? AS SMALLINT)
        """,
    ),
)


def values_of(connection: Connection, item: Recommendation) -> set[str]:
    """Return the present values of the recommended setting."""
    for place in PLACES:
        found = re.fullmatch(place.target, item.target or "")
        if found and place.unit in (None, item.unit):
            return {str(row[0]) for row in connection.rows(place.query, found.groups())}
    raise LookupError(f"{item.rule.name}: no place shows {item.target} in {item.unit}")
