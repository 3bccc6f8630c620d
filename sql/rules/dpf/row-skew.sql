-- rule:      dpf.row-skew
-- title:     The distribution key puts too many rows on one partition
-- area:      dpf
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   topology=dpf
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT
-- after:     dpf.partition-map-uneven
-- needs:     table_size.DATA_OBJECT_P_SIZE, cat_table.PARTITION_MODE, partition_group.DBPARTITIONNUM,
--            cat_tablespace.DBPGNAME, table.ROWS_READ, workload.POOL_READ_TIME
-- threshold: min_skew = 1.1 -- [prop] the fullest partition holds 10 % more than its part of the table
-- threshold: min_gap_mb = 100 -- [doc] smaller differences are noise of a small table
-- threshold: min_rows = 100000 -- [prop] a smaller table cannot be spread evenly, and need not be
-- threshold: values_per_partition = 50 -- [prop] with fewer values of the key, chance decides how they spread
-- source:    000_9a1c354496f94ea4.txt, "Localizing the data"; IBM documentation of distribution keys
-- why:       A scan is as fast as the partition with most rows: the others wait for it, so of the time that a
--            skewed table is scanned, 1 - average / largest is lost.
-- not-if:    The table is not hashed (one partition, or replicated), has fewer than min_rows rows, is not read
--            unevenly, or is as uneven as the distribution map of its group, which dpf.partition-map-uneven reports.
-- note:      Statistics of other columns and frequent values are not collected, so no new key is named, and a
--            frequent value is only inferred from a key with enough values. Column-organized tables keep
--            their pages elsewhere and are not judged.
WITH PIECE AS (
    -- a range that is small everywhere is left out: below 10 MB on a partition its size is not collected
    SELECT
        S.TABSCHEMA,
        S.TABNAME,
        S.DBPARTITIONNUM,
        SUM(S.DATA_OBJECT_P_SIZE) AS KB
    FROM TUNE.D_TABLE_SIZE AS S
    INNER JOIN (
        SELECT
            TABSCHEMA,
            TABNAME,
            COALESCE(DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID,
            MAX(DATA_OBJECT_P_SIZE) AS KB
        FROM TUNE.D_TABLE_SIZE
        GROUP BY TABSCHEMA, TABNAME, COALESCE(DATA_PARTITION_ID, 0)
    ) AS L
        ON
            S.TABSCHEMA = L.TABSCHEMA AND S.TABNAME = L.TABNAME
            AND COALESCE(S.DATA_PARTITION_ID, 0) = L.DATA_PARTITION_ID
    CROSS JOIN TUNE.O_DPF_ROW_SKEW AS O
    WHERE L.KB >= 1024 * O.MIN_GAP_MB
    GROUP BY S.TABSCHEMA, S.TABNAME, S.DBPARTITIONNUM
),
READS AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        MAX(TBSP_ID) AS TBSP_ID,
        SUM(ROWS_READ) AS ROWS_READ,
        MAX(ROWS_READ) AS MOST_READ
    FROM (
        SELECT
            TABSCHEMA,
            TABNAME,
            MEMBER,
            MAX(TBSP_ID) AS TBSP_ID,
            SUM(ROWS_READ) AS ROWS_READ
        FROM TUNE.D_TABLE
        GROUP BY TABSCHEMA, TABNAME, MEMBER
    ) AS PER_MEMBER
    GROUP BY TABSCHEMA, TABNAME
),
HASHED AS (
    SELECT
        C.TABSCHEMA,
        C.TABNAME,
        C.TBSPACE
    FROM TUNE.D_CAT_TABLE AS C
    CROSS JOIN TUNE.O_DPF_ROW_SKEW AS O
    WHERE C.PARTITION_MODE = 'H' AND (C.CARD < 0 OR C.CARD >= O.MIN_ROWS)
),
PLACE AS (
    -- the table on each partition of its group; of a range-partitioned table the catalog names no table space
    SELECT
        C.TABSCHEMA,
        C.TABNAME,
        G.DBPGNAME,
        G.MEMBER,
        R.ROWS_READ,
        R.MOST_READ,
        COALESCE(P.KB, 0) AS KB,
        CAST(COALESCE(P.KB, 0) AS DOUBLE) / NULLIF(G.PART, 0) AS KB_IF_ALL
    FROM HASHED AS C
    LEFT JOIN READS AS R ON C.TABSCHEMA = R.TABSCHEMA AND C.TABNAME = R.TABNAME
    LEFT JOIN TUNE.D_CAT_TABLESPACE AS K ON C.TBSPACE = K.TBSPACE
    LEFT JOIN TUNE.D_CAT_TABLESPACE AS I ON C.TBSPACE IS NULL AND R.TBSP_ID = I.TBSPACEID
    INNER JOIN TUNE.GROUP_MEMBER AS G ON COALESCE(K.DBPGNAME, I.DBPGNAME) = G.DBPGNAME AND G.PART > 0
    LEFT JOIN PIECE AS P ON C.TABSCHEMA = P.TABSCHEMA AND C.TABNAME = P.TABNAME AND G.MEMBER = P.DBPARTITIONNUM
),
SPREAD AS (
    SELECT
        PLACE.*,
        COUNT(*) OVER (PARTITION BY TABSCHEMA, TABNAME) AS N,
        MIN(KB) OVER (PARTITION BY TABSCHEMA, TABNAME) AS MIN_KB,
        SUM(KB) OVER (PARTITION BY TABSCHEMA, TABNAME) AS ALL_KB,
        ROW_NUMBER() OVER (PARTITION BY TABSCHEMA, TABNAME ORDER BY KB_IF_ALL DESC, MEMBER) AS FULLEST
    FROM PLACE
),
DIST AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        MIN(COLCARD) AS MIN_COLCARD,
        SUM(LN(CAST(CASE WHEN COLCARD > 1 THEN COLCARD ELSE 1 END AS DOUBLE))) AS LN_VALUES,
        MAX(CASE WHEN PARTKEYSEQ = 1 THEN '"' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 2 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 3 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 4 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 5 THEN ', and the columns after it' ELSE '' END) AS KEY_COLUMNS
    FROM TUNE.D_DISTRIBUTION_KEY
    GROUP BY TABSCHEMA, TABNAME
),
JUDGED AS (
    SELECT
        S.*,
        O.VALUES_PER_PARTITION,
        CAST(S.KB_IF_ALL AS DOUBLE) / NULLIF(S.ALL_KB, 0) AS SKEW,
        CAST(S.N * S.MOST_READ AS DOUBLE) / NULLIF(S.ROWS_READ, 0) AS READ_SKEW,
        COALESCE(D.KEY_COLUMNS, 'not known') AS KEY_COLUMNS,
        CASE
            WHEN D.MIN_COLCARD > 0 AND D.LN_VALUES < LN(CAST(O.VALUES_PER_PARTITION * S.N AS DOUBLE))
                THEN CAST(ROUND(EXP(D.LN_VALUES)) AS BIGINT)
        END AS FEW_VALUES,
        '"' || REPLACE(S.TABSCHEMA, '"', '""') || '"."' || REPLACE(S.TABNAME, '"', '""') || '"' AS QUOTED
    FROM SPREAD AS S
    CROSS JOIN TUNE.O_DPF_ROW_SKEW AS O
    LEFT JOIN DIST AS D ON S.TABSCHEMA = D.TABSCHEMA AND S.TABNAME = D.TABNAME
    WHERE
        S.FULLEST = 1
        AND S.KB - S.MIN_KB >= 1024 * O.MIN_GAP_MB
        AND S.KB_IF_ALL >= O.MIN_SKEW * S.ALL_KB
),
CLAIMED AS (
    -- only what is also read unevenly costs time
    SELECT
        J.*,
        CASE
            WHEN J.READ_SKEW >= O.MIN_SKEW
                THEN CAST(J.ROWS_READ AS DOUBLE) / NULLIF(A.ROWS_READ, 0)
                    * (1 - CAST(1 AS DOUBLE) / NULLIF(LEAST(COALESCE(J.READ_SKEW, 1), J.SKEW), 0))
        END AS LOST_PART
    FROM JUDGED AS J
    CROSS JOIN TUNE.O_DPF_ROW_SKEW AS O
    CROSS JOIN (SELECT SUM(ROWS_READ) AS ROWS_READ FROM READS) AS A
)
SELECT
    'TABLE' AS OBJECT_TYPE,
    C.TABSCHEMA || '.' || C.TABNAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    C.LOST_PART * (T.POOL_READ_PCT + T.PREFETCH_WAIT_PCT) AS CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.8 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'TABLE:' || C.TABSCHEMA || '.' || C.TABNAME || ':DISTRIBUTION' AS TARGET,
    C.KEY_COLUMNS AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- Choose another distribution key for ' || C.QUOTED || ': at least '
    || CAST(CAST(CEIL(C.VALUES_PER_PARTITION * C.N) AS BIGINT) AS VARCHAR(20))
    || ' values and none of them frequent, a simple type, rarely updated,'
    || ' among the columns of its large joins, and part of every unique index.' || CHR(10)
    || '-- Try it on a copy in the same table space, filled from a sample: count its rows by DBPARTITIONNUM.' || CHR(10)
    || CASE
        WHEN D.DB2_LEVEL < 9070000 THEN '-- Then export the table, create it anew with that key, and load it.'
        ELSE '-- Then move the table online with SYSPROC.ADMIN_MOVE_TABLE; its argument partkey_cols takes the new key.'
    END
    || CASE
        WHEN C.FEW_VALUES IS NULL
            THEN CHR(10) || '-- If the key must stay, because tables are joined on it: REDISTRIBUTE DATABASE PARTITION'
                || ' GROUP "' || REPLACE(C.DBPGNAME, '"', '""')
                || '" USING DISTFILE, with the rows of each bucket in the file, evens out frequent values.'
        ELSE ''
    END AS ACTION_TEXT,
    '-- Move the table back in the same way, to the old distribution key: ' || C.KEY_COLUMNS AS UNDO_TEXT,
    'DATA_OBJECT_P_SIZE_max_KB=' || CAST(C.KB AS VARCHAR(20))
    || '; DATA_OBJECT_P_SIZE_min_KB=' || CAST(C.MIN_KB AS VARCHAR(20))
    || '; partitions=' || CAST(C.N AS VARCHAR(20))
    || '; skew=' || CAST(CAST(ROUND(C.SKEW, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; ROWS_READ_skew=' || CAST(CAST(ROUND(COALESCE(C.READ_SKEW, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; key_values=' || COALESCE(CAST(C.FEW_VALUES AS VARCHAR(20)), 'enough or not known') AS EVIDENCE,
    'Partition ' || CAST(C.MEMBER AS VARCHAR(20)) || ' holds '
    || CAST(CAST(ROUND(C.SKEW, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' times its part of the table: '
    || CAST(CAST(ROUND(100 * (1 - CAST(1 AS DOUBLE) / NULLIF(C.SKEW, 0))) AS BIGINT) AS VARCHAR(20))
    || ' % of each scan is waiting for it. '
    || CASE
        WHEN C.FEW_VALUES IS NOT NULL
            THEN 'The distribution key has ' || CAST(C.FEW_VALUES AS VARCHAR(20)) || ' values for '
                || CAST(C.N AS VARCHAR(20)) || ' partitions.'
        ELSE 'The distribution key has values enough or is not known: some are probably frequent.'
    END AS FINDING,
    C.LOST_PART * T.PREFETCH_WAIT_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CLAIMED AS C
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE C.LOST_PART * (T.POOL_READ_PCT + T.PREFETCH_WAIT_PCT) > 0
