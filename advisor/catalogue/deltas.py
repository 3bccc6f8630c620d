"""Generated SQL: from two snapshots of a source to what happened between them.

Counters are differenced, gauges keep their last value. The declaration of the source says which is
which, so no delta is written by hand and every engine gets the same text.
"""

from advisor.catalogue.sources import Source

_TIMES = 10  # a tenth of what a row counts may have been before the interval


def delta_view(source: Source) -> str:
    """The SELECT behind TUNE.D_<SOURCE>.

    Rows of a member that has no common start in both snapshots (it joined, or was activated again)
    are left out; an object that exists only at the end counts from its own start, unless
    it was there before and left out, and may have counted much of it then. Of one snapshot every row
    is there, also of members of which nobody knows when they were activated.
    """
    keys, counters = source.names("key"), source.names("counter")
    if not counters:
        return last_view(source)
    columns = [f"E.{name}" for name in source.names("key", "gauge", "hwm")]
    columns += [f"{_difference(source, name)} AS {name}" for name in counters]
    lines = [
        "SELECT",
        "    " + ",\n    ".join(columns),
        f"FROM {source.table} AS E",
        "INNER JOIN TUNE.RUN_SNAPSHOT AS W ON W.END_ID = E.SNAP_ID",
    ]
    conditions = []
    if "MEMBER" in keys:
        lines.append("LEFT JOIN TUNE.RUN_MEMBER AS M ON M.MEMBER = E.MEMBER AND M.COMPARABLE = 1")
        conditions.append("(W.BEGIN_ID IS NULL OR M.MEMBER IS NOT NULL)")
    same = " AND ".join(["B.SNAP_ID = W.BEGIN_ID", *(f"B.{key} = E.{key}" for key in keys)])
    lines.append(f"LEFT JOIN {source.table} AS B ON {same}")
    if cut := source.cut:
        lines += [
            f"LEFT JOIN (SELECT SNAP_ID, MEMBER, MAX({cut.most}) AS MOST FROM {source.table} GROUP BY SNAP_ID, MEMBER) AS C",
            "    ON C.SNAP_ID = W.BEGIN_ID AND C.MEMBER = E.MEMBER",
        ]
        conditions.append(
            "(B.SNAP_ID IS NOT NULL OR W.BEGIN_ID IS NULL"
            f" OR COALESCE(E.{cut.age}, 0) <= W.END_EPOCH - W.BEGIN_EPOCH"
            f" OR E.{cut.counter} >= {_TIMES} * COALESCE(C.MOST, 0))"
        )
    if conditions:
        lines.append("WHERE\n    " + "\n    AND ".join(conditions))
    return "\n".join(lines)


def last_view(source: Source) -> str:
    """The SELECT behind TUNE.L_<SOURCE>: what does not count, as it is at the end, of every member."""
    columns = ",\n    ".join(f"E.{name}" for name in source.names("key", "gauge", "hwm"))
    return f"SELECT\n    {columns}\nFROM {source.table} AS E\nINNER JOIN TUNE.RUN_SNAPSHOT AS W ON W.END_ID = E.SNAP_ID"


def _difference(source: Source, name: str) -> str:
    begin = f"COALESCE(B.{name}, 0)"
    if source.reset == "restart":
        return f"CASE WHEN E.{name} < {begin} THEN E.{name} ELSE E.{name} - {begin} END"
    return f"E.{name} - {begin}"


def counter_check(sources: list[Source]) -> str:
    """The SELECT behind TUNE.COUNTER_CHECK: per source, its worst difference; below zero it was reset."""
    parts = []
    for source in sources:
        counters = source.names("counter")
        if counters and source.reset == "void":
            least = ", ".join(f"COALESCE({name}, 0)" for name in counters)
            parts.append(f"SELECT '{source.name}' AS SOURCE, MIN(LEAST(0, {least})) AS WORST FROM {source.delta}")
    return "\nUNION ALL\n".join(parts)
