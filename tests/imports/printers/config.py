"""``get db cfg``, ``get dbm cfg`` and ``db2set -all`` of a machine state."""

from tests.support.states import Row, State

HOLDS = {
    "dbcfg": ("NAME", "VALUE", "VALUE_FLAGS", "DEFERRED_VALUE", "DEFERRED_VALUE_FLAGS"),
    "dbmcfg": ("NAME", "VALUE", "VALUE_FLAGS", "DEFERRED_VALUE", "DEFERRED_VALUE_FLAGS"),
    "registry": ("REG_VAR_NAME", "REG_VAR_VALUE", "AGGREGATE_NAME"),
}

_LABELS = {
    "logpath": "Path to log files",
    "loghead": "First active log file",
    "database_consistent": "All committed transactions have been written to disk",
}


def printed(state: State, detail: bool = True) -> str:
    """Return all three for the first member; without ``detail`` only the values in effect."""
    return "\n".join([database(state, detail), instance(state, detail), registry(state)])


def database(state: State, detail: bool = True) -> str:
    """Return the output of ``get db cfg`` on the first member."""
    first = min(row["MEMBER"] for row in state.sources["dbcfg"])
    heading = f"       Database Configuration for Database {state.database['name']}\n"
    return heading + _listed([row for row in state.sources["dbcfg"] if row["MEMBER"] == first], detail)


def instance(state: State, detail: bool = True) -> str:
    """Return the output of ``get dbm cfg``."""
    return "          Database Manager Configuration\n" + _listed(state.sources["dbmcfg"], detail)


def registry(state: State) -> str:
    """Return the output of ``db2set -all``."""
    lines = []
    for row in {row["REG_VAR_NAME"]: row for row in state.sources["registry"]}.values():
        behind = f" [{row['AGGREGATE_NAME']}]" if row["AGGREGATE_NAME"] else ""
        lines.append(f"[i] {row['REG_VAR_NAME']}={row['REG_VAR_VALUE']}{behind}\n")
    return "".join(lines)


def _listed(rows: list[Row], detail: bool) -> str:
    head = " Description                                   Parameter   Current Value              Delayed Value\n"
    rule = f" {'-' * 110}\n"
    return "\n" + (head + rule if detail else "") + "".join(_line(row, detail) for row in rows) + "\n"


def _line(row: Row, detail: bool) -> str:
    name = row["NAME"]
    label = _LABELS.get(name) or f"{'The parameter of this name':<40} ({name.upper()})"
    now = _shown(row["VALUE"], row["VALUE_FLAGS"])
    later = _shown(row["DEFERRED_VALUE"], row["DEFERRED_VALUE_FLAGS"]) if detail else ""
    return f" {label:<55} = {now:<26} {later}".rstrip() + "\n"


def _shown(value: object, flags: object) -> str:
    text = "" if value is None else str(value)
    return (
        f"{flags}({text})"
        if flags in {"AUTOMATIC", "COMPUTED"} and text
        else str(flags)
        if flags == "AUTOMATIC"
        else text
    )
