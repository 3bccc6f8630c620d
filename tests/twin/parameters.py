"""The configuration as a capture shows it: configured values, the model's values, and defaults from the manuals.

Source: IBM, Db2 documentation, "Database configuration parameters", "Database manager configuration parameters".
Without configured sizes, the log has an ordinary size and holds what the cleaners leave; it has no effect in the model.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tests.twin import demand, settings
from tests.twin.machine import AUTOMATIC

if TYPE_CHECKING:
    from tests.twin.monitored import Row, Shown

ANY, V91, V95, V97, V105 = (8, 1), (9, 1), (9, 5), (9, 7), (10, 5)
LOG_FILE, LOG_FILES, LOG_FURTHER, LOG_MOST = 16384, 13, 12, 244
MARGIN = 1.25
FREE = ("LOGFILSIZ", "LOGPRIMARY", "LOGSECOND")

DATABASE = (
    ("APPLHEAPSZ", "AUTOMATIC(256)", V95),
    ("APPL_MEMORY", "AUTOMATIC(40000)", V95),
    ("AUTO_MAINT", "ON", V91),
    ("AUTO_REORG", "OFF", V91),
    ("AUTO_RUNSTATS", "ON", V91),
    ("AUTO_STMT_STATS", "ON", V97),
    ("AUTO_TBL_MAINT", "ON", V91),
    ("AUTORESTART", "ON", ANY),
    ("AVG_APPLS", "AUTOMATIC(1)", V95),
    ("BLK_LOG_DSK_FUL", "NO", ANY),
    ("CUR_COMMIT", "ON", V97),
    ("DBHEAP", "AUTOMATIC(1200)", V95),
    ("DB_MEM_THRESH", "100", V91),
    ("DFT_DEGREE", "1", ANY),
    ("DFT_EXTENT_SZ", "32", ANY),
    ("DFT_QUERYOPT", "5", ANY),
    ("DFT_TABLE_ORG", "ROW", V105),
    ("DLCHKTIME", "10000", ANY),
    ("FAILARCHPATH", "", V91),
    ("INDEXREC", "SYSTEM", ANY),
    ("LOCKTIMEOUT", "-1", ANY),
    ("LOGARCHMETH1", "OFF", V91),
    ("LOGARCHMETH2", "OFF", V91),
    ("LOGINDEXBUILD", "OFF", V91),
    ("MAX_LOG", "0", V91),
    ("MAXFILOP", "61440", V95),
    ("MIRRORLOGPATH", "", ANY),
    ("MON_ACT_METRICS", "BASE", V97),
    ("MON_DEADLOCK", "WITHOUT_HIST", V97),
    ("MON_LOCKTIMEOUT", "NONE", V97),
    ("MON_LOCKWAIT", "NONE", V97),
    ("MON_OBJ_METRICS", "EXTENDED", V105),
    ("MON_REQ_METRICS", "BASE", V97),
    ("MON_UOW_DATA", "NONE", V97),
    ("NEWLOGPATH", "", ANY),
    ("NUM_FREQVALUES", "10", ANY),
    ("NUM_LOG_SPAN", "0", V91),
    ("NUM_QUANTILES", "20", ANY),
    ("OVERFLOWLOGPATH", "", V91),
    ("SECTION_ACTUALS", "NONE", V97),
    ("SELF_TUNING_MEM", "OFF", V91),
    ("STAT_HEAP_SZ", "AUTOMATIC(4384)", V95),
    ("STMTHEAP", "AUTOMATIC(8192)", V95),
    ("STMT_CONC", "OFF", V97),
    ("TRACKMOD", "NO", ANY),
    ("UTIL_HEAP_SZ", "AUTOMATIC(5000)", V95),
)
MANAGER = (
    ("AGENTPRI", "-1", ANY),
    ("ASLHEAPSZ", "15", ANY),
    ("DIAGLEVEL", "3", ANY),
    ("DFT_MON_BUFPOOL", "OFF", ANY),
    ("DFT_MON_LOCK", "OFF", ANY),
    ("DFT_MON_SORT", "OFF", ANY),
    ("DFT_MON_STMT", "OFF", ANY),
    ("DFT_MON_TABLE", "OFF", ANY),
    ("DFT_MON_TIMESTAMP", "ON", ANY),
    ("DFT_MON_UOW", "OFF", ANY),
    ("FEDERATED", "NO", ANY),
    ("HEALTH_MON", "OFF", V97),
    ("INTRA_PARALLEL", "NO", ANY),
    ("KEEPFENCED", "YES", ANY),
    ("MAX_QUERYDEGREE", "-1", ANY),
    ("MON_HEAP_SZ", "AUTOMATIC(90)", V95),
    ("NOTIFYLEVEL", "3", ANY),
    ("NUM_INITAGENTS", "0", ANY),
    ("NUM_POOLAGENTS", "AUTOMATIC(100)", V95),
    ("RQRIOBLK", "65535", V105),
    ("SHEAPTHRES", "0", V91),
    ("UTIL_IMPACT_LIM", "10", V91),
    ("WLM_DISPATCHER", "NO", V105),
)
NEWER = {"PAGE_AGE_TRGT_MCR": V105, "SEQDETECT": ANY, "SELF_TUNING_MEM": V91}


def log_held(shown: Shown) -> float:
    """Return the bytes of one member's log from the oldest change of a page not written yet to its end."""
    rate = shown.outcome.log.bytes_per_second
    periods = [state.cleaning.period for state in shown.found.buffers.pools.values()]
    longest = max((period for period in periods if math.isfinite(period)), default=0.0)
    return rate * max(longest, *(each.response for each in shown.outcome.classes))


def log_files(shown: Shown) -> tuple[int, int, int]:
    """LOGFILSIZ, LOGPRIMARY and LOGSECOND: what is set, otherwise a log of ordinary size that holds what it has to."""
    machine = shown.machine
    size = int(settings.number(machine, "LOGFILSIZ"))
    if "LOGFILSIZ" not in machine.dbcfg and settings.number(machine, "SOFTMAX") == 0:
        size = LOG_FILE
    needed = math.ceil(log_held(shown) * MARGIN / settings.PAGE / size)
    further = int(machine.dbcfg.get("LOGSECOND", LOG_FURTHER))
    return size, int(machine.dbcfg.get("LOGPRIMARY", min(LOG_MOST, max(LOG_FILES, needed)))), further


def _values(shown: Shown) -> dict[str, str]:
    """Every database parameter that is shown, as it would be set."""
    machine = shown.machine
    known = {name: value for name, value, since in DATABASE if machine.level >= since}
    for name in settings.DEFAULTS:
        if machine.level >= NEWER.get(name, ANY) and (name not in known or name in machine.dbcfg):
            known[name] = settings.text(machine, name)
    known |= dict(zip(FREE, (str(each) for each in log_files(shown)), strict=True))
    known |= {"LOGPATH": settings.log_path(machine)}
    if machine.level >= V91:
        pages = demand.memory_used(machine, shown.outcome.working.at_once) / len(shown.members) / settings.PAGE
        known["DATABASE_MEMORY"] = f"{AUTOMATIC}({int(pages)})"
        known["MAXAPPLS"] = f"{AUTOMATIC}({max(40, sum(work.clients for work in machine.work))})"
    return known | {name.upper(): value for name, value in machine.dbcfg.items()}


def shown_as(name: str, value: str, automatic: str = "") -> Row:
    """A parameter in a capture: of AUTOMATIC the number in force, told in brackets or by `automatic`."""
    flags, force = "NONE", value
    if value.upper().startswith(AUTOMATIC):
        flags, force = AUTOMATIC, automatic or value[len(AUTOMATIC) :].strip("() ")
    return {
        "NAME": name.lower(),
        "VALUE": force,
        "VALUE_FLAGS": flags,
        "DEFERRED_VALUE": force,
        "DEFERRED_VALUE_FLAGS": flags,
    }


def database(shown: Shown) -> list[Row]:
    """DB_GET_CFG."""
    machine, members = shown.machine, len(shown.members)
    force = {name: value for name, value in settings.DEFAULTS.items() if value != AUTOMATIC}
    force |= {"NUM_IOCLEANERS": str(settings.cleaners(machine) // members)}
    force |= {"NUM_IOSERVERS": str(settings.servers(machine) // members)}
    rows = []
    for name, value in sorted(_values(shown).items()):
        inner = "" if "(" in value else force.get(name, "")
        row = shown_as(name, value, inner)
        rows += [{"NAME": row["NAME"], "MEMBER": member} | row for member in shown.members]
    return rows


def manager(shown: Shown) -> list[Row]:
    """SYSIBMADM.DBMCFG."""
    machine = shown.machine
    clients = max(200, sum(work.clients for work in machine.work))
    known = {name: value for name, value, since in MANAGER if machine.level >= since}
    if machine.level >= V95:
        known |= {"MAX_COORDAGENTS": f"AUTOMATIC({clients})", "MAX_CONNECTIONS": f"AUTOMATIC({clients})"}
    pages = settings.instance_memory(machine) / len(shown.members) / settings.PAGE
    known["INSTANCE_MEMORY"] = f"{AUTOMATIC}({int(pages)})"
    known |= {name.upper(): value for name, value in machine.dbmcfg.items()}
    return [shown_as(name, value) for name, value in sorted(known.items())]


def registry(shown: Shown) -> list[Row]:
    """ENV_GET_REG_VARIABLES: clients come over the network, so DB2COMM is set."""
    known = {"DB2COMM": "TCPIP"} | shown.machine.registry
    return [
        {"REG_VAR_NAME": name, "MEMBER": member, "REG_VAR_VALUE": value, "REG_VAR_ON_DISK_VALUE": value}
        | {"IS_AGGREGATE": 0, "AGGREGATE_NAME": ""}
        for name, value in sorted(known.items())
        for member in shown.members
    ]
