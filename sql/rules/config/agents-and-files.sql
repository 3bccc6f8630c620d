-- rule:      config.agents-and-files
-- title:     Connections, agents or files are opened again and again
-- area:      config
-- lane:      P/H
-- effect:    ON
-- applies:   from=9.5; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- needs:     dbcfg.VALUE, dbmcfg.VALUE
-- threshold: min_connect_pct = 3 -- [prop] percent of database time that goes into connecting
-- threshold: min_created_part = 0.1 -- [prop] agents created because the pool was empty, to those taken from it
-- threshold: min_created_per_s = 0.1 -- [prop] fewer agents created than six a minute cost nothing
-- threshold: min_closed_per_s = 1 -- [prop] files closed a second to make room for others
-- threshold: maxfilop = 61440 -- [doc] the default and the most on 64-bit Linux and UNIX (r0000280)
-- threshold: maxfilop_windows = 65335 -- [doc] the default and the most on 64-bit Windows (r0000280)
-- source:    002_e991ec30bbd9209f.txt, appendices (MAXFILOP, NUM_POOLAGENTS); 004_131ea73468d225e1.txt, a workload that
--            stresses connections; IBM documentation of maxfilop, files_closed (r0001243), num_poolagents (r0000145)
-- why:       Every connection is authenticated and gets an agent. A client that connects for each transaction pays for
--            that each time, and an agent that is not in the pool must be created first. Beyond MAXFILOP a file
--            is closed before another one is opened.
-- not-if:    Connecting takes less than 3 % of the time; NUM_POOLAGENTS is AUTOMATIC or agents are rarely created; less
--            than one file a second is closed, MAXFILOP is at its most, or differs between members; a new value
--            waits; a managed database.
-- note:      The claim is the processing of connect requests (TOTAL_CONNECT_REQUEST_PROC_TIME); their waits are in
--            other time buckets. What closing files costs is not measured: a hint without a claim. A level without
--            MON_GET_INSTANCE (before 10.5) is judged without the pool of agents. MAXFILOP files of each database
--            must be allowed by the operating system.
WITH AGENTS AS (
    SELECT
        SUM(I.AGENTS_FROM_POOL) AS FROM_POOL,
        SUM(I.AGENTS_CREATED_EMPTY_POOL) AS CREATED
    FROM TUNE.D_INSTANCE AS I
),
CONNECTS AS (
    SELECT
        100 * CAST(SUM(COALESCE(X.TOTAL_CONNECT_REQUEST_PROC_TIME, 0)) AS DOUBLE) / NULLIF(MAX(T.DBT_MS), 0) AS PCT
    FROM TUNE.D_WORKLOAD AS X
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
POOLED AS (
    SELECT
        A.FROM_POOL,
        A.CREATED,
        COALESCE(C.PCT, 0) AS CONNECT_PCT,
        P.VALUE,
        CASE WHEN C.PCT >= O.MIN_CONNECT_PCT THEN 1 ELSE 0 END AS CONNECTS_COST,
        CASE
            WHEN
                P.FIXED = 1
                AND A.CREATED >= O.MIN_CREATED_PER_S * W.SECONDS
                AND A.CREATED >= O.MIN_CREATED_PART * A.FROM_POOL
                THEN 1
            ELSE 0
        END AS POOL_EMPTY
    FROM CONNECTS AS C
    CROSS JOIN AGENTS AS A
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_CONFIG_AGENTS_AND_FILES AS O
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'num_poolagents'
),
FILES AS (
    SELECT
        M.NUM AS MAXFILOP,
        CAST(FLOOR(CASE D.PLATFORM WHEN 'Windows' THEN O.MAXFILOP_WINDOWS ELSE O.MAXFILOP END) AS BIGINT) AS MOST,
        F.CLOSED
    FROM TUNE.SETTING AS M
    CROSS JOIN (SELECT SUM(FILES_CLOSED) AS CLOSED FROM TUNE.D_BUFFERPOOL) AS F
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_CONFIG_AGENTS_AND_FILES AS O
    WHERE M.SCOPE = 'DB' AND M.NAME = 'maxfilop' AND M.FIXED = 1 AND F.CLOSED >= O.MIN_CLOSED_PER_S * W.SECONDS
),
FOUND (OBJECT_TYPE, CLAIMED_PCT, TARGET, CURRENT_VALUE, PROPOSED_VALUE, ACTION_TEXT, UNDO_TEXT, EVIDENCE, FINDING) AS (
    SELECT
        'INSTANCE' AS OBJECT_TYPE,
        CASE WHEN P.CONNECTS_COST = 1 THEN P.CONNECT_PCT ELSE CAST(0 AS DOUBLE) END AS CLAIMED_PCT,
        CASE WHEN P.POOL_EMPTY = 1 THEN 'DBMCFG:NUM_POOLAGENTS' END AS TARGET,
        CASE WHEN P.POOL_EMPTY = 1 THEN P.VALUE END AS CURRENT_VALUE,
        CASE WHEN P.POOL_EMPTY = 1 THEN 'AUTOMATIC' END AS PROPOSED_VALUE,
        CASE WHEN P.POOL_EMPTY = 1 THEN 'UPDATE DBM CFG USING NUM_POOLAGENTS AUTOMATIC' ELSE '' END
        || CASE WHEN P.POOL_EMPTY = 1 AND P.CONNECTS_COST = 1 THEN CHR(10) ELSE '' END
        || CASE
            WHEN P.CONNECTS_COST = 1
                THEN '-- let applications keep connections and reuse them: a connection pool in the driver or the'
                    || ' application server'
            ELSE ''
        END AS ACTION_TEXT,
        CASE WHEN P.POOL_EMPTY = 1 THEN 'UPDATE DBM CFG USING NUM_POOLAGENTS ' || P.VALUE ELSE '' END
        || CASE WHEN P.POOL_EMPTY = 1 AND P.CONNECTS_COST = 1 THEN CHR(10) ELSE '' END
        || CASE WHEN P.CONNECTS_COST = 1 THEN '-- connect for each unit of work again' ELSE '' END AS UNDO_TEXT,
        'TOTAL_CONNECT_REQUEST_PROC_TIME_pct='
        || CAST(CAST(ROUND(P.CONNECT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        || '; AGENTS_FROM_POOL=' || COALESCE(CAST(P.FROM_POOL AS VARCHAR(20)), 'not known')
        || '; AGENTS_CREATED_EMPTY_POOL=' || COALESCE(CAST(P.CREATED AS VARCHAR(20)), 'not known')
        || '; NUM_POOLAGENTS=' || COALESCE(P.VALUE, 'not known') AS EVIDENCE,
        'Connecting takes ' || CAST(CAST(ROUND(P.CONNECT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        || ' % of database time'
        || CASE
            WHEN P.POOL_EMPTY = 1
                THEN ', and ' || CAST(P.CREATED AS VARCHAR(20)) || ' agents were created because the pool of '
                    || P.VALUE || ' was empty, while ' || CAST(P.FROM_POOL AS VARCHAR(20)) || ' came from it.'
            ELSE '.'
        END AS FINDING
    FROM POOLED AS P
    WHERE P.CONNECTS_COST = 1 OR P.POOL_EMPTY = 1
    UNION ALL
    SELECT
        'DATABASE',
        CAST(0 AS DOUBLE),
        'DBCFG:MAXFILOP',
        CAST(F.MAXFILOP AS VARCHAR(20)),
        CAST(F.MOST AS VARCHAR(20)),
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING MAXFILOP ' || CAST(F.MOST AS VARCHAR(20)),
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING MAXFILOP ' || CAST(F.MAXFILOP AS VARCHAR(20)),
        'FILES_CLOSED=' || CAST(F.CLOSED AS VARCHAR(20)) || '; MAXFILOP=' || CAST(F.MAXFILOP AS VARCHAR(20)),
        CAST(F.CLOSED AS VARCHAR(20)) || ' files were closed to open others: MAXFILOP '
        || CAST(F.MAXFILOP AS VARCHAR(20)) || ' is too small.'
    FROM FILES AS F
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE F.MAXFILOP < F.MOST
)
SELECT
    F.OBJECT_TYPE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    F.CLAIMED_PCT,
    CAST(0.25 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    F.TARGET,
    F.CURRENT_VALUE,
    F.PROPOSED_VALUE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN 'files' ELSE 'agents' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    F.ACTION_TEXT,
    F.UNDO_TEXT,
    F.EVIDENCE,
    F.FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM FOUND AS F
CROSS JOIN TUNE.RUN_DATABASE AS D
