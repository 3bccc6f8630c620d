"""Figures of the package cache: where the time of the statement goes."""

from advisor.diagnosis.case import Case, Proposal, percent
from advisor.diagnosis.checks import Found, check

WAITS = 0.4  # own: share of the time from which waits for locks are the cause


@check("lock-waits", "A statement that waits for locks", "IBM documentation, lock_wait_time monitor element")
def lock_waits(case: Case) -> Found:
    total = case.paste.figure("TOTAL_ACT_TIME", "STMT_EXEC_TIME", "COORD_STMT_EXEC_TIME")
    waited = case.paste.figure("LOCK_WAIT_TIME")
    if not total or not waited or waited < WAITS * total:
        return
    share = min(1.0, waited / total)
    yield Proposal(
        "Find out who holds the locks",
        f"{percent(share)} of its time is waits for locks (LOCK_WAIT_TIME), whatever its plan is.",
        (
            "SELECT TABSCHEMA, TABNAME, LOCK_MODE_REQUESTED, LOCK_MODE, LOCK_WAIT_ELAPSED_TIME, HLD_APPLICATION_HANDLE,"
            " HLD_CURRENT_STMT_TEXT, REQ_STMT_TEXT FROM SYSIBMADM.MON_LOCKWAITS",
        ),
        saves=(0.0, share),
        costs="The holder must commit sooner, or change rows in another order.",
        proof="LOCK_WAIT_TIME per execution falls (MON_GET_PKG_CACHE_STMT).",
        notes=("For readers, CUR_COMMIT ON and isolation CS; an index on the predicates locks fewer rows.",),
        weight=0.96,
    )
