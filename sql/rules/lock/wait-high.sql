-- rule:      lock.wait-high
-- title:     Sessions wait for each other's locks
-- area:      lock
-- lane:      P
-- effect:    RA
-- risk:      medium
-- evidence:  load
-- claims:    LOCK
-- needs:     workload.LOCK_WAIT_TIME, workload.LOCK_WAITS
-- threshold: min_wait_pct = 5 -- [prop] percent of database time; some waiting is the price of consistency
-- threshold: min_waits = 100 -- [prop] fewer waits are one incident, not a pattern
-- threshold: min_sampled = 3 -- [prop] waits seen at the snapshot; fewer do not say who waits for whom
-- threshold: reader_part = 0.5 -- [prop] half of the waits seen are readers that wait for writers
-- source:    002_e991ec30bbd9209f.txt, appendices (CUR_COMMIT ON); 004_131ea73468d225e1.txt (a load that stresses
--            locks); IBM documentation of cur_commit (r0053556) and of currently committed semantics (c0053760)
-- why:       Who waits for a lock does nothing, and holds its own locks longer. Readers with cursor stability need
--            not wait for writers at all: with CUR_COMMIT they get the row as it was committed last, from the log.
-- not-if:    Lock waits are below 5 % of database time or 100; most waits seen are for or with a super exclusive
--            lock (Z): that is a utility or DDL; a change of CUR_COMMIT is pending.
-- note:      Who waits for whom is seen at the moment of the second snapshot only, so the command is given when at
--            least three waits show it (NS asked for, X held) and CUR_COMMIT is not ON on all members; else text.
--            CUR_COMMIT changes what applications see that rely on waiting for writers. It is configurable, but not
--            online. AVAILABLE means that applications must ask for it.
WITH SEEN AS (
    SELECT
        COALESCE(SUM(WAITERS), 0) AS WAITERS,
        COALESCE(SUM(CASE WHEN MODE_REQUESTED = 'NS' AND MODE_HELD = 'X' THEN WAITERS END), 0) AS READERS,
        COALESCE(SUM(CASE WHEN MODE_REQUESTED = 'Z' OR MODE_HELD = 'Z' THEN WAITERS END), 0) AS UTILITIES
    FROM TUNE.D_LOCK_WAIT
),
SETTING AS (
    SELECT
        MIN(VALUE) AS CUR_COMMIT,
        MAX(VALUE) AS MAX_CUR_COMMIT,
        COALESCE(MAX(PENDING), 0) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME = 'cur_commit'
),
WORST AS (
    SELECT
        QUOTED,
        LOCK_WAIT_TIME,
        ROW_NUMBER() OVER (ORDER BY LOCK_WAIT_TIME DESC, QUOTED) AS PLACE
    FROM TUNE.TABLE_USE
    WHERE LOCK_WAIT_TIME > 0
),
JUDGED AS (
    SELECT
        S.*,
        C.CUR_COMMIT,
        D.DB_NAME,
        T.LOCK_PCT,
        T.LOCK_WAITS,
        T.LOCK_WAIT_TIME,
        W.QUOTED,
        W.LOCK_WAIT_TIME AS TABLE_WAIT_TIME,
        CASE
            WHEN C.CUR_COMMIT = C.MAX_CUR_COMMIT AND C.CUR_COMMIT IN ('DISABLED', 'AVAILABLE') THEN 1
            ELSE 0
        END AS OFF,
        CASE
            WHEN
                S.WAITERS >= O.MIN_SAMPLED AND S.READERS >= O.READER_PART * S.WAITERS
                AND C.CUR_COMMIT = C.MAX_CUR_COMMIT AND C.CUR_COMMIT IN ('DISABLED', 'AVAILABLE')
                THEN 1
            ELSE 0
        END AS COMMITTED
    FROM SEEN AS S
    CROSS JOIN SETTING AS C
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_LOCK_WAIT_HIGH AS O
    LEFT JOIN WORST AS W ON W.PLACE = 1
    WHERE
        T.LOCK_PCT >= O.MIN_WAIT_PCT
        AND T.LOCK_WAITS >= O.MIN_WAITS
        AND C.PENDING = 0
        AND (S.WAITERS = 0 OR 2 * S.UTILITIES < S.WAITERS)
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    J.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE
        WHEN J.COMMITTED = 1 THEN J.LOCK_PCT * CAST(J.READERS AS DOUBLE) / NULLIF(J.WAITERS, 0)
        ELSE J.LOCK_PCT
    END AS CLAIMED_PCT,
    CAST(CASE WHEN J.COMMITTED = 1 THEN 0.3 ELSE 0.1 END AS DOUBLE) AS RECOVER_LOW,
    CAST(CASE WHEN J.COMMITTED = 1 THEN 0.5 ELSE 0.3 END AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(CASE WHEN J.COMMITTED = 1 THEN 0.8 ELSE 0.6 END AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN J.COMMITTED = 1 THEN 'DBCFG:CUR_COMMIT' END AS TARGET,
    CASE WHEN J.COMMITTED = 1 THEN J.CUR_COMMIT END AS CURRENT_VALUE,
    CASE WHEN J.COMMITTED = 1 THEN 'ON' END AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN J.COMMITTED = 1 THEN 'UPDATE DB CFG FOR ' || J.DB_NAME || ' USING CUR_COMMIT ON'
        ELSE
            '-- While it lasts, see who waits for whom: SELECT TABSCHEMA, TABNAME, LOCK_MODE_REQUESTED, LOCK_MODE,'
            || ' LOCK_WAIT_ELAPSED_TIME, HLD_APPLICATION_HANDLE, REQ_STMT_TEXT FROM SYSIBMADM.MON_LOCKWAITS' || CHR(10)
            || '-- Then let the holder commit sooner, and give the statement that waits an index for its predicates,'
            || ' so that it asks for fewer locks.'
            || CASE
                WHEN J.OFF = 1
                    THEN CHR(10) || '-- Where readers (NS) wait for writers (X), CUR_COMMIT ON ends it, from the next'
                        || ' activation on.'
                ELSE ''
            END
    END AS ACTION_TEXT,
    CASE
        WHEN J.COMMITTED = 1 THEN 'UPDATE DB CFG FOR ' || J.DB_NAME || ' USING CUR_COMMIT ' || J.CUR_COMMIT
        ELSE '-- Nothing is changed by looking.'
    END AS UNDO_TEXT,
    'LOCK_WAIT_TIME_pct=' || CAST(CAST(ROUND(J.LOCK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; LOCK_WAITS=' || CAST(J.LOCK_WAITS AS VARCHAR(20))
    || '; CUR_COMMIT=' || COALESCE(J.CUR_COMMIT, 'not known')
    || '; waits_seen=' || CAST(J.WAITERS AS VARCHAR(20))
    || '; readers_for_writers=' || CAST(J.READERS AS VARCHAR(20))
    || '; most_on=' || COALESCE(J.QUOTED, 'not known') AS EVIDENCE,
    'Sessions waited for locks for ' || CAST(CAST(ROUND(J.LOCK_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time, ' || CAST(J.LOCK_WAITS AS VARCHAR(20)) || ' times for '
    || CAST(CAST(ROUND(CAST(J.LOCK_WAIT_TIME AS DOUBLE) / NULLIF(J.LOCK_WAITS, 0)) AS BIGINT) AS VARCHAR(20))
    || ' ms on average'
    || COALESCE(
        ', most on ' || J.QUOTED || ' ('
        || CAST(
            CAST(ROUND(100 * CAST(J.TABLE_WAIT_TIME AS DOUBLE) / NULLIF(J.LOCK_WAIT_TIME, 0)) AS BIGINT) AS VARCHAR(20)
        ) || ' %)', ''
    )
    || CASE
        WHEN J.COMMITTED = 1
            THEN '; of ' || CAST(J.WAITERS AS VARCHAR(20)) || ' waits seen, ' || CAST(J.READERS AS VARCHAR(20))
                || ' were readers that waited for a writer'
        ELSE ''
    END || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM JUDGED AS J
