"""Units of work and lock waits from texts with lock waits: statements over the input (F_).

A text has either the holder of each wait (LOCK_PAIR), or the locks that are waited for with their holders and waiters
(LOCK_ENTRY). An application waits for each other holder of a lock whose mode is not compatible with the requested one.
columns/lock_modes.csv has the compatible modes (IBM documentation, c0005274). Only the last text with lock waits of a
member counts: its waits replace the earlier ones. An application that waits for several holders counts for the first.
"""

from advisor.imports.sources import LOCK_ENTRY, LOCK_PAIR
from advisor.imports.values import columns
from advisor.quoting import literal

# Columns that these statements fill, by source.
FILLED = {
    LOCK_ENTRY: ("STATUS", "LOCK_MODE", "MODE_WANTED"),
    LOCK_PAIR: ("MODE_REQUESTED", "MODE_HELD", "WAIT_S"),
    "unit_of_work": ("WAITERS", "LONGEST_WAIT_S", "WAITED_S", "WAITS_FOR"),
    "lock_wait": ("WAITERS", "LONGEST_WAIT_S"),
}
_NO_UNIT = 0  # UOW_ID of a unit of work of which a text has only the application


def _pair_entries() -> str:
    modes = ", ".join(
        f"({literal(row['MODE'])}, {literal(held)})"
        for row in columns("lock_modes")
        for held in row["COMPATIBLE"].split()
    )
    return (
        f"INSERT INTO F_{LOCK_PAIR} BY NAME SELECT W.REPORT, W.REPORT_MEMBER, W.APPLICATION_HANDLE AS WAITER,"
        " H.APPLICATION_HANDLE AS HOLDER, W.MEMBER, MAX(COALESCE(W.MODE_WANTED, W.LOCK_MODE)) AS MODE_REQUESTED,"
        f" MAX(H.LOCK_MODE) AS MODE_HELD FROM F_{LOCK_ENTRY} AS W INNER JOIN F_{LOCK_ENTRY} AS H"
        " ON W.REPORT = H.REPORT AND W.LOCK_NAME = H.LOCK_NAME AND W.APPLICATION_HANDLE <> H.APPLICATION_HANDLE"
        " WHERE W.STATUS IN ('W', 'C') AND H.STATUS IN ('G', 'C') AND (COALESCE(W.MODE_WANTED, W.LOCK_MODE),"
        f" COALESCE(H.LOCK_MODE, '')) NOT IN (VALUES {modes}) GROUP BY ALL"
    )


def derive_waits() -> list[str]:
    """Return the statements that add the holders, the waiters and their modes."""
    last = f"(SELECT F.MEMBER, MAX(R.PLACE) AS PLACE FROM F_{LOCK_PAIR} AS F, REPORT AS R WHERE F.REPORT = R.NUMBER GROUP BY ALL)"
    return [
        _pair_entries(),
        f"CREATE TABLE WAITS AS SELECT P.REPORT, P.REPORT_MEMBER, P.* EXCLUDE (REPORT, REPORT_MEMBER) FROM F_{LOCK_PAIR}"
        f" AS P INNER JOIN REPORT AS R ON P.REPORT = R.NUMBER INNER JOIN {last} AS L ON R.PLACE = L.PLACE"
        " AND P.MEMBER IS NOT DISTINCT FROM L.MEMBER WHERE WAITER <> HOLDER"
        " QUALIFY HOLDER = MIN(HOLDER) OVER (PARTITION BY WAITER, P.MEMBER)",
        f"INSERT INTO F_unit_of_work BY NAME SELECT REPORT, REPORT_MEMBER, HOLDER AS APPLICATION_HANDLE, {_NO_UNIT} AS"
        " UOW_ID, MEMBER, COUNT(DISTINCT WAITER) AS WAITERS, MAX(WAIT_S) AS LONGEST_WAIT_S,"
        " CASE WHEN COUNT(WAIT_S) = COUNT(*) THEN SUM(WAIT_S) END AS WAITED_S FROM WAITS GROUP BY ALL",
        f"INSERT INTO F_unit_of_work BY NAME SELECT REPORT, REPORT_MEMBER, WAITER AS APPLICATION_HANDLE, {_NO_UNIT} AS"
        " UOW_ID, MEMBER, MIN(HOLDER) AS WAITS_FOR FROM WAITS GROUP BY ALL",
        "INSERT INTO F_lock_wait BY NAME SELECT REPORT, REPORT_MEMBER, MEMBER, COALESCE(MODE_REQUESTED, '-') AS"
        " MODE_REQUESTED, COALESCE(MODE_HELD, '-') AS MODE_HELD, COUNT(DISTINCT WAITER) AS WAITERS,"
        " MAX(WAIT_S) AS LONGEST_WAIT_S FROM WAITS GROUP BY ALL",
    ]
