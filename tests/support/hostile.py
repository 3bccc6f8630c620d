"""Foreign text in the names and values of a machine: markup, formulas, commands and control sequences."""

from advisor.anonymize.names import table as treatments
from advisor.catalogue.sources import all_sources
from tests.support.states import State

WORD = "CANARY"
PAYLOADS = {
    "shell": f"'\"; : >{WORD}; $(: >{WORD}) `: >{WORD}` | : >{WORD} & #",
    "lines": f"\n: >{WORD}\nDROP TABLE {WORD}\n",
    "terminators": f"@\nDROP TABLE {WORD}@ -- /* {WORD} ; DROP TABLE {WORD} ;",
    "terminators in a line": f"@ -- /* {WORD} ; DROP TABLE {WORD} ; */ \\",
    "html": f"</td></pre></title><script>{WORD}</script><img src={WORD} onerror={WORD}>",
    "markdown": f"](javascript:{WORD}) ![{WORD}]({WORD}) **{WORD}** ```\n# {WORD}",
    "lines of a script": f"\r\n! : >{WORD}\n@\n",
    "separators": f"\x85! : >{WORD}\u2028\u200f{WORD}\x9b31m\x7f",
    "terminal": f"\x1b]0;{WORD}\x07\x1b[31m\r{WORD}\u202e\u2066",
    "template": "{{ " + WORD + " }}{% " + WORD + " %}",
    "formula": f"={WORD}()",
    "formula by sign": f"@{WORD}+1",
}
# Columns with names, by their treatment in anonymization; the rest are words of Db2.
_NAMES = {
    *("application", "bufferpool", "column", "column_list", "database", "filesystem", "group", "host", "index"),
    *("package", "path", "query", "schema", "statement", "stogroup", "table", "tablespace", "type", "user", "workload"),
}
_VALUES = {"setting", "fact_value"}
COLUMNS = {
    which: [(row["SOURCE"], row["COLUMN"]) for row in treatments("columns") if row["TREATMENT"] in kinds]
    for which, kinds in {"names": _NAMES, "values": _VALUES}.items()
}
_HEX = {(source.name, column.name) for source in all_sources().values() for column in source.columns if column.is_hex}
_MANIFEST = ("name", "host", "instance")


def taint(state: State, which: str, payload: str) -> State:
    """Return the machine with a payload before each text if a formula needs it, or after it.

    Identifiers in hexadecimal stay: no other can be read.
    """
    first = payload[0] in "=@" and len(payload) < 12

    def add(value: object) -> str:
        return f"{payload}{value}" if first else f"{value}{payload}"

    state = state.copy()
    for source, column in COLUMNS[which]:
        for row in state.sources.get(source, []):
            if row.get(column) is not None and (source, column) not in _HEX:
                row[column] = add(row[column])
    if which == "names":
        state.database = {**state.database, **{part: add(state.database[part]) for part in _MANIFEST}}
    return state
