"""Changes of tables and indexes between the ends of two captures: definitions, statistics and sizes.

Captures list an index only if it is used or has many entries. A missing index was therefore dropped only if it had many
entries.
"""

from dataclasses import dataclass
from pathlib import Path

from advisor.judgement.changes import load_ends

DEFINED, SIZED = "tables and indexes", "volume"
MANY = 10_000  # least entries of an index that is always listed, and least rows of a table that matters
MIN_GROWTH = 1.2  # least ratio of sizes that counts as a change

# Snapshot 1 is the earlier end, 2 the later one, $hours the time between them; ages are in whole hours or days.
_TABLES = """
SELECT TABSCHEMA || '.' || TABNAME AS TABLE_NAME,
    CASE WHEN B.SNAP_ID IS NULL THEN 'created' WHEN A.SNAP_ID IS NULL THEN 'dropped' ELSE 'new statistics' END
FROM (SELECT * FROM TUNE.S_CAT_TABLE WHERE SNAP_ID = 1) AS B
FULL JOIN (SELECT * FROM TUNE.S_CAT_TABLE WHERE SNAP_ID = 2) AS A USING (TABSCHEMA, TABNAME)
WHERE B.SNAP_ID IS NULL OR A.SNAP_ID IS NULL OR A.STATS_AGE_H < B.STATS_AGE_H + $hours - 2
ORDER BY GREATEST(COALESCE(A.NPAGES, -1), COALESCE(B.NPAGES, -1)) DESC, TABLE_NAME
"""
_INDEXES = f"""
WITH ONE AS (
    SELECT SNAP_ID, INDSCHEMA || '.' || INDNAME AS INDEX_NAME, TABSCHEMA || '.' || TABNAME AS TABLE_NAME,
        MAX(COLNAMES) AS COLNAMES, MAX(INDCARD) AS ENTRIES, MAX(AGE_D) AS AGE_D
    FROM TUNE.S_INDEX WHERE INDNAME IS NOT NULL GROUP BY SNAP_ID, INDSCHEMA, INDNAME, TABSCHEMA, TABNAME
)
SELECT COALESCE(A.TABLE_NAME, B.TABLE_NAME), INDEX_NAME, COALESCE(A.COLNAMES, B.COLNAMES),
    CASE WHEN B.SNAP_ID IS NULL THEN 'created' WHEN A.SNAP_ID IS NULL THEN 'dropped' ELSE 'recreated' END
FROM (SELECT * FROM ONE WHERE SNAP_ID = 1) AS B
FULL JOIN (SELECT * FROM ONE WHERE SNAP_ID = 2) AS A USING (INDEX_NAME)
WHERE (B.SNAP_ID IS NULL AND A.AGE_D <= $hours / 24 + 1) OR (A.SNAP_ID IS NULL AND B.ENTRIES >= {MANY})
    OR A.AGE_D < B.AGE_D OR A.COLNAMES <> B.COLNAMES
ORDER BY 1, 2
"""
_SIZES = f"""
WITH ONE AS (
    SELECT SNAP_ID, TABSCHEMA || '.' || TABNAME AS TABLE_NAME, SUM(DATA_OBJECT_P_SIZE) / 1024.0 AS MB
    FROM TUNE.S_TABLE_SIZE GROUP BY SNAP_ID, TABSCHEMA, TABNAME HAVING SUM(DATA_OBJECT_P_SIZE) > 0
)
SELECT TABLE_NAME, B.MB, A.MB
FROM (SELECT * FROM ONE WHERE SNAP_ID = 1) AS B
INNER JOIN (SELECT * FROM ONE WHERE SNAP_ID = 2) AS A USING (TABLE_NAME)
WHERE GREATEST(A.MB / B.MB, B.MB / A.MB) >= {MIN_GROWTH}
ORDER BY ABS(A.MB - B.MB) DESC, TABLE_NAME
"""
_ROWS = f"""
WITH ONE AS (
    SELECT SNAP_ID, TABSCHEMA || '.' || TABNAME AS TABLE_NAME, CAST(CARD AS DOUBLE) AS CARD, NPAGES
    FROM TUNE.S_CAT_TABLE WHERE CARD > 0
)
SELECT TABLE_NAME, B.CARD, A.CARD
FROM (SELECT * FROM ONE WHERE SNAP_ID = 1) AS B
INNER JOIN (SELECT * FROM ONE WHERE SNAP_ID = 2) AS A USING (TABLE_NAME)
WHERE GREATEST(A.CARD / B.CARD, B.CARD / A.CARD) >= {MIN_GROWTH} AND GREATEST(A.CARD, B.CARD) >= {MANY}
ORDER BY GREATEST(A.NPAGES, B.NPAGES) DESC, TABLE_NAME
"""
# Kind of things, source, query, and the sentence for each of its rows.
_ASKED = (
    (DEFINED, "cat_table", _TABLES, "table {}: {}"),
    (DEFINED, "index", _INDEXES, "index of {}: {} ({}) {}"),
    (SIZED, "table_size", _SIZES, "table {}: {:,.0f} -> {:,.0f} MB of data"),
    (SIZED, "cat_table", _ROWS, "table {}: {:,.0f} -> {:,.0f} rows according to its statistics"),
)


@dataclass(frozen=True)
class Objects:
    """Sentences by kind of things, largest first; ``not_compared`` gives the reasons for unknown kinds."""

    said: dict[str, list[str]]
    not_compared: dict[str, str]


def objects(before: Path, after: Path) -> Objects:
    """Return the changes of tables and indexes. Raise UserError like ``changes.ends``."""
    said: dict[str, list[str]] = {}
    with load_ends(before, after, sorted({source for _, source, _, _ in _ASKED})) as both:
        for about, source, query, sentence in _ASKED:
            if source not in both.not_compared:
                given = {"hours": both.hours} if "$hours" in query else {}
                rows = both.tables.fetch(query, given)
                said.setdefault(about, []).extend(sentence.format(*row) for row in rows)
    unlike = {
        about: f"{source} is {both.not_compared[source]}"
        for about, source, _, _ in _ASKED
        if source in both.not_compared
    }
    return Objects(said, unlike)
