"""The tables of one run: those of sql/schema/, of the snapshots, and those with data about the run itself."""

import re
from functools import cache

from advisor.catalogue.sources import all_sources
from advisor.resources import SQL, sections

# Data about one run. The embedded engine keeps it in tables of these names. Inside Db2 each is a view of the
# session's run (sql/run), and findings and failed rules are kept for every run. CHOSEN grows while the candidates are
# chosen, one by one.
PER_RUN = {
    "RUN_SNAPSHOT": "BEGIN_ID INTEGER, END_ID INTEGER, BEGIN_EPOCH DOUBLE, END_EPOCH DOUBLE, END_DATE DATE,"
    " QUIET_S DOUBLE",
    "CHANGE_SPAN": "PREVIOUS_ID INTEGER, END_ID INTEGER",
    "RUN_DATABASE": "DB_NAME VARCHAR(128), HOST_NAME VARCHAR(255), INSTANCE_NAME VARCHAR(128), DB2_LEVEL INTEGER,"
    " PLATFORM VARCHAR(20), TOPOLOGY VARCHAR(20), RUNS_ON VARCHAR(10)",
    "SOURCE_COLUMN": "SOURCE VARCHAR(60), COLUMN_NAME VARCHAR(128)",
    "NOT_COLLECTED": "SOURCE VARCHAR(60), REASON VARCHAR(1000)",
    "NOT_RUN": "RULE VARCHAR(60), REASON VARCHAR(2000)",
    "FINDING": "RULE VARCHAR(60), OBJECT_TYPE VARCHAR(20), OBJECT_NAME VARCHAR(300), MEMBER SMALLINT,"
    " CLAIMED_PCT DOUBLE, RECOVER_LOW DOUBLE, RECOVER_EXPECTED DOUBLE, RECOVER_HIGH DOUBLE, CONFIDENCE DOUBLE,"
    " MEMORY_DELTA_KB BIGINT, STEP SMALLINT, PLACE SMALLINT, SETTING_KIND VARCHAR(20), SETTING_OBJECT VARCHAR(300),"
    " QUOTED_OBJECT VARCHAR(520), SETTING_NAME VARCHAR(128), SETTING_MEMBER SMALLINT, TARGET VARCHAR(400),"
    " CURRENT_VALUE VARCHAR(1024), PROPOSED_VALUE VARCHAR(1024), UNIT VARCHAR(40),"
    " ACTION_TEXT VARCHAR(2500), UNDO_TEXT VARCHAR(2500), EVIDENCE VARCHAR(2000),"
    " FINDING VARCHAR(1500), CLAIM_2_PCT DOUBLE, CLAIM_3_PCT DOUBLE",
    "CHOSEN": "CHOICE_NO INTEGER, ID BIGINT, PAYS_FOR BIGINT, MEMORY_KB BIGINT,"
    " AFTER_1_PCT DOUBLE, AFTER_2_PCT DOUBLE, AFTER_3_PCT DOUBLE",
}

FINDING_COLUMNS = tuple(part.split()[0] for part in PER_RUN["FINDING"].split(", "))[1:]

_TABLE = re.compile(r"^CREATE TABLE TUNE\.(?P<name>\w+) \(\n(?P<columns>.*)\n\)$", re.MULTILINE | re.DOTALL)


@cache
def kept_tables() -> dict[str, str]:
    """Return the tables of sql/schema/ by name, with their column lists: the same on every engine."""
    found = {}
    for name, text in sorted(table_texts().items()):
        table = _TABLE.search(text)
        if table is None or table["name"] != name.upper():
            raise ValueError(f"sql/schema/: {name} must be the CREATE TABLE of its name")
        found[table["name"]] = table["columns"]
    return found


def table_texts() -> dict[str, str]:
    """Return the statements of sql/schema/ by name, with their comments."""
    return {name: text for path in (SQL / "schema").glob("*.sql") for name, text in sections(path).items()}


def run_tables() -> dict[str, str]:
    """Return every table that the embedded engines need for a run, by name, with its column list."""
    return kept_tables() | PER_RUN


def snapshot_columns() -> dict[str, str]:
    """Return table name and column list of every snapshot table, for engines that create them empty."""
    return {
        source.table: ", ".join(["SNAP_ID INTEGER", *(f"{c.name} {c.type}" for c in source.columns)])
        for source in all_sources().values()
    }
