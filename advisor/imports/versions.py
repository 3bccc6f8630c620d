"""Several versions of one setting in the texts: the last one counts, and a note lists the others.

A whole configuration outranks lines of it that are quoted elsewhere, as in notes. A value set by a command is pending if some later lines of a configuration still show another value. A whole
configuration shows the result of the commands before it, and pending values are in force after an activation.
"""

from collections.abc import Collection, Sequence

from advisor.catalogue.sources import Source
from advisor.imports.readings import NTH, Report
from advisor.imports.sources import SETTINGS

MOST_NAMED = 5
WHOLE, FEW = 40, 10  # settings of a whole configuration, and below them of quoted lines

# For each source: the columns of the value in force, and of the pending one. One of the first is filled if the text
# has the value, even an empty one.
_NOW = {
    "dbcfg": ("VALUE", "VALUE_FLAGS"),
    "dbmcfg": ("VALUE", "VALUE_FLAGS"),
    "registry": ("REG_VAR_VALUE", "IS_AGGREGATE", "AGGREGATE_NAME"),
}
_LATER = {
    "dbcfg": ("DEFERRED_VALUE", "DEFERRED_VALUE_FLAGS"),
    "dbmcfg": ("DEFERRED_VALUE", "DEFERRED_VALUE_FLAGS"),
    "registry": ("REG_VAR_ON_DISK_VALUE",),
}
_SINCE = {"dbcfg": "SINCE_ACTIVATION", "dbmcfg": "SINCE_START", "registry": "SINCE_START"}
# The later of two reports counts, and the later command of a report of commands.
_PLACE = f"CAST(R.PLACE AS BIGINT) * {1 << 32} + COALESCE(F.{NTH}, 0)"
_SAY_BOTH = ("IS_AGGREGATE",)


def has_versions(source: Source) -> bool:
    """Return whether a source contains settings."""
    return source.name in SETTINGS


def versions(source: Source) -> str:
    """Return the statement that creates VERSION: each setting as each report has it.

    The rows of a report may have the value in force and the pending one separately.
    """
    keys = ", ".join(f"F.{key}" for key in source.names("key"))
    columns = [column.name for column in source.columns if column.kind != "key"]
    present = " AND ".join(f"F.{key} IS NOT NULL" for key in source.names("key"))
    if source.name == "dbcfg":  # an activation moves the log, and empties this
        present += " AND (R.SINCE_ACTIVATION OR LOWER(F.NAME) <> 'newlogpath')"
    now, later = (
        " OR ".join(f"MAX(F.{name}) IS NOT NULL" for name in columns if name in (*names, *_SAY_BOTH)) or "false"
        for names in (_NOW[source.name], _LATER[source.name])
    )
    since = f"BOOL_AND(R.{_SINCE[source.name]})"
    waited = dict(zip(_NOW[source.name], _LATER[source.name], strict=False))
    items = ", ".join(
        f"CASE WHEN NOT {since} AND ({later}) THEN MAX(F.{waited[name]}) ELSE MAX(F.{name}) END AS {name}"
        if waited.get(name) in columns
        else f"MAX(F.{name}) AS {name}"
        for name in columns
    )
    place = f"{_PLACE} - L.LOWERED"
    return (
        f"CREATE TABLE VERSION AS SELECT {keys}, {place} AS PLACE, BOOL_OR(R.COMMAND) AND {since} AS COMMAND, {items},"
        f" {now} OR NOT {since} AND ({later}) AS SAID_NOW, {later} AS SAID_LATER FROM F_{source.name} AS F"
        f" INNER JOIN REPORT AS R ON F.REPORT = R.NUMBER INNER JOIN ({_lowered(source)}) AS L ON F.REPORT = L.REPORT"
        f" WHERE {present} GROUP BY {keys}, {place}"
    )


def _lowered(source: Source) -> str:
    """Return the statement for how far below all others the place of a report is: 0, unless it quotes some lines."""
    quotes = "false" if source.name == "registry" else f"NOT ANY_VALUE(R.COMMAND) AND COUNT(*) < {FEW}"
    return (
        f"SELECT F.REPORT, CASE WHEN {quotes} AND BOOL_OR(NOT ANY_VALUE(R.COMMAND) AND COUNT(*) >= {WHOLE}) OVER ()"
        f" THEN {1 << 62} ELSE 0 END AS LOWERED FROM F_{source.name} AS F INNER JOIN REPORT AS R ON F.REPORT = R.NUMBER"
        " GROUP BY F.REPORT"
    )


def select_last_versions(source: Source, number: int) -> str:
    """Return the statement for the version of every setting that counts, as rows of a snapshot, from VERSION."""
    keys = ", ".join(source.names("key"))
    columns = [column.name for column in source.columns if column.kind != "key"]
    items = []
    for name in columns:
        place = "LATER_PLACE" if name in _LATER[source.name] else "NOW_PLACE"
        items.append(f"ANY_VALUE({name}) FILTER (PLACE = {place}) AS {name}")
    values = [name for name in columns if name.startswith("REG_VAR")]  # a variable without any is not set
    having = " OR ".join(f"ANY_VALUE({name}) FILTER (PLACE IN (NOW_PLACE, LATER_PLACE)) IS NOT NULL" for name in values)
    return (
        "WITH CONFIGURED AS (SELECT MAX(PLACE) AS PLACE FROM"
        f" (SELECT PLACE FROM VERSION WHERE NOT COMMAND GROUP BY PLACE HAVING COUNT(*) >= {WHOLE}) AS LISTED),\n"
        f"NOW_AT AS (SELECT *, MAX(PLACE) FILTER (SAID_NOW) OVER (PARTITION BY {keys}) AS NOW_PLACE FROM VERSION),\n"
        "BEFORE_AT AS (SELECT *, GREATEST(MAX(PLACE) FILTER (SAID_NOW AND NOT COMMAND AND PLACE < NOW_PLACE)"
        f" OVER (PARTITION BY {keys}), (SELECT PLACE FROM CONFIGURED)) AS BEFORE_PLACE FROM NOW_AT),\n"
        "LATER_AT AS (SELECT *, MAX(PLACE) FILTER (SAID_LATER AND (PLACE >= COALESCE(NOW_PLACE, -1)"
        " OR COMMAND AND PLACE > COALESCE(BEFORE_PLACE, -1)))"
        f" OVER (PARTITION BY {keys}) AS LATER_PLACE FROM BEFORE_AT)\n"
        f"SELECT {', '.join([f'{number} AS SNAP_ID', *source.names('key'), *items])}"
        f" FROM LATER_AT GROUP BY {keys}{f' HAVING {having}' if having else ''}"
    )


def select_conflicts(source: Source) -> str:
    """Return the statement for the settings with several values in VERSION, and these in their order."""
    keys = ", ".join(source.names("key"))
    name, value = source.names("key")[0], _NOW[source.name][0]
    if value not in source.names("gauge"):
        return "SELECT NULL, NULL WHERE false"
    plain = "AND VALUE_FLAGS = 'NONE'" if "VALUE_FLAGS" in source.names("gauge") else ""
    return (
        f"SELECT UPPER({name}), LIST(COALESCE({value}, 'none') ORDER BY PLACE) FROM VERSION"
        f" WHERE SAID_NOW {plain} GROUP BY {keys} HAVING COUNT(DISTINCT COALESCE({value}, '')) > 1 ORDER BY 1"
    )


def note(found: list[tuple[str, list[str]]]) -> list[str]:
    """Return a note on them."""
    if not found:
        return []
    named = "; ".join(f"{name} {', then '.join(_shorten_list(values))}" for name, values in found[:MOST_NAMED])
    more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return [f"several values of one setting, the last one counts: {named}{more}"]


def _shorten_list(values: list[str]) -> list[str]:
    others = len(values) - MOST_NAMED
    return [*values[: MOST_NAMED - 1], f"{others} others", values[-1]] if others > 1 else values


def find_not_followed(reports: Sequence[Report], formats: Collection[str]) -> list[bool]:
    """Return for each report whether no activation or start follows it in its document."""
    last = {report.document: place for place, report in enumerate(reports) if report.format in formats}
    return [place > last.get(report.document, -1) for place, report in enumerate(reports)]


# The new path of a log: a path that was set, followed by an activation and not by a configuration that shows it.
_MOVED = (
    "FROM (SELECT MEMBER AS M, MAX_BY(RTRIM(PATH, '/') || '/', PLACE) FILTER (NOT SINCE AND PATH <> '') AS MOVED,"
    " MAX(PLACE) FILTER (NOT SINCE AND NAME = 'newlogpath' AND PATH <> '') AS SET_AT,"
    " MAX(PLACE) FILTER (NAME = 'logpath') AS SHOWN_AT FROM (SELECT F.MEMBER, LOWER(F.NAME) AS NAME,"
    f" {_PLACE} AS PLACE,"
    " R.SINCE_ACTIVATION AS SINCE, CASE WHEN LOWER(F.NAME) = 'newlogpath' THEN COALESCE(F.VALUE, F.DEFERRED_VALUE)"
    " END AS PATH FROM F_dbcfg AS F INNER JOIN REPORT AS R ON F.REPORT = R.NUMBER) AS P GROUP BY MEMBER) AS N"
    " WHERE SET_AT > COALESCE(SHOWN_AT, -1)"
)


def remove_pending_paths(source: Source, number: int) -> list[str]:
    """Return the statements that remove a pending path that is already in force.

    Db2 ends it with a slash, adds the member and the log stream, and empties NEWLOGPATH. After an activation the log
    uses this path.

    If logs are not kept, archiving is off, even if the text lacks its line: unless LOGRETAIN or USEREXIT, the
    predecessors of the methods (r0000247), will keep logs from the next activation on.
    """
    if source.name != "dbcfg":
        return []
    out = f"O_{source.name}"
    plain = "DEFERRED_VALUE_FLAGS = 'NONE'"
    kept = "SET DEFERRED_VALUE = VALUE, DEFERRED_VALUE_FLAGS = VALUE_FLAGS"
    ends = r"[/\\]NODE\d+([/\\]LOGSTREAM\d+)?$"
    scheme, plain_path = r"UPPER(regexp_extract({0}, '^\w\w+:'))", r"RTRIM(regexp_replace({0}, '^\w\w+:', ''), '/\')"
    path = f"RTRIM(regexp_replace({plain_path}, '{ends}', ''), '/\\')"
    same = " AND ".join(f"{part.format('VALUE')} = {part.format('DEFERRED_VALUE')}" for part in (scheme, path))
    return [
        f"UPDATE {out} {kept} WHERE VALUE_FLAGS = 'NONE' AND {plain} AND {same}",
        f"UPDATE {out} {kept} FROM (SELECT MEMBER AS M, VALUE AS PATH FROM {out} WHERE NAME = 'logpath') AS L"
        f" WHERE NAME = 'newlogpath' AND MEMBER = M AND COALESCE(VALUE, '') = '' AND {plain}"
        f" AND {path.format('PATH')} = {path.format('DEFERRED_VALUE')}",
        f"UPDATE {out} SET VALUE = MOVED, DEFERRED_VALUE = MOVED {_MOVED} AND NAME = 'logpath' AND MEMBER = M",
        f"INSERT INTO {out} BY NAME SELECT {number} AS SNAP_ID, M AS MEMBER, 'logpath' AS NAME, MOVED AS VALUE,"
        f" 'NONE' AS VALUE_FLAGS {_MOVED} AND M NOT IN (SELECT MEMBER FROM {out} WHERE NAME = 'logpath')",
        f"INSERT INTO {out} BY NAME SELECT SNAP_ID, MEMBER, 'logarchmeth1' AS NAME, 'OFF' AS VALUE, 'NONE' AS VALUE_FLAGS"
        f" FROM {out} GROUP BY SNAP_ID, MEMBER HAVING COUNT(*) FILTER (NAME = 'logarchmeth1') = 0 AND COUNT(*) FILTER"
        " (NAME IN ('log_retain_status', 'user_exit_status') AND UPPER(VALUE) = 'NO') = 2 AND COUNT(*) FILTER"
        " (NAME IN ('logretain', 'userexit') AND UPPER(COALESCE(DEFERRED_VALUE, VALUE)) NOT IN ('OFF', 'NO')) = 0",
    ]
