"""Generated SQL for the difference between two snapshots of a source.

Counters are subtracted, gauges keep their last value. The declaration of the source classifies them, so no delta is
written manually and every engine gets the same text.
"""

from advisor.catalogue.sources import Source

_TIMES = 10  # a tenth of a row's counts may precede the interval


def delta_view(source: Source) -> str:
    """Return the SELECT of TUNE.D_<SOURCE>.

    Rows of a member without a common start in both snapshots (it joined, or was activated again) are left out. An
    object only in the end snapshot counts from its own start, unless it was left out of the begin snapshot and may have
    counted much before it. With a single snapshot all rows are used, also those of members with an unknown time of
    activation.
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
    """Return the SELECT of TUNE.L_<SOURCE>: the columns that are not counters, as of the end, for every member."""
    columns = ",\n    ".join(f"E.{name}" for name in source.names("key", "gauge", "hwm"))
    return f"SELECT\n    {columns}\nFROM {source.table} AS E\nINNER JOIN TUNE.RUN_SNAPSHOT AS W ON W.END_ID = E.SNAP_ID"


def _difference(source: Source, name: str) -> str:
    begin = f"COALESCE(B.{name}, 0)"
    if source.reset == "restart":
        return f"CASE WHEN E.{name} < {begin} THEN E.{name} ELSE E.{name} - {begin} END"
    return f"E.{name} - {begin}"


def counter_check(sources: list[Source]) -> str:
    """Return the SELECT of TUNE.COUNTER_CHECK: per source, its worst difference; a negative one means a reset."""
    parts = []
    for source in sources:
        counters = source.names("counter")
        if counters and source.reset == "void":
            least = ", ".join(f"COALESCE({name}, 0)" for name in counters)
            parts.append(f"SELECT '{source.name}' AS SOURCE, MIN(LEAST(0, {least})) AS WORST FROM {source.delta}")
    return "\nUNION ALL\n".join(parts)
