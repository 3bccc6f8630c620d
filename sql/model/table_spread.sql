-- The distribution of every large hashed table over the partitions of its database partition group, one row per table.
-- A range below 100 MB everywhere is left out: below 10 MB on a partition its size is not collected. The catalog names
-- no table space for a range-partitioned table; its group is the group of the table space that its reads use.
--
-- MEMBER: partition with the most data for its part of the distribution map
-- KB: data on this partition, KB
-- MIN_KB: data on the emptiest partition, KB
-- ALL_KB: data on all partitions, KB
-- SKEW: data of the fullest partition relative to that part (1 is even)
-- READ_SKEW: rows read on the busiest partition relative to the average
-- READ_PART: the table's part of all rows read (0 to 1)
-- KEY_COLUMNS: columns of the distribution key in the form for a command
-- KEY_VALUES: most combinations of their values; NULL if the number of one is unknown
WITH READ_ON AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        MEMBER,
        MAX(TBSP_ID) AS TBSP_ID,
        SUM(ROWS_READ) AS ROWS_READ
    FROM TUNE.D_TABLE
    GROUP BY TABSCHEMA, TABNAME, MEMBER
),
READS AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        MAX(TBSP_ID) AS TBSP_ID,
        SUM(ROWS_READ) AS ROWS_READ,
        MAX(ROWS_READ) AS MOST_READ
    FROM READ_ON
    GROUP BY TABSCHEMA, TABNAME
),
PIECE AS (
    SELECT
        S.*,
        MAX(S.DATA_OBJECT_P_SIZE) OVER (PARTITION BY S.TABSCHEMA, S.TABNAME, COALESCE(S.DATA_PARTITION_ID, 0))
            AS RANGE_KB
    FROM TUNE.D_TABLE_SIZE AS S
),
SIZE AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        DBPARTITIONNUM,
        SUM(DATA_OBJECT_P_SIZE) AS KB
    FROM PIECE
    WHERE RANGE_KB >= 102400
    GROUP BY TABSCHEMA, TABNAME, DBPARTITIONNUM
),
PLACE AS (
    SELECT
        C.TABSCHEMA,
        C.TABNAME,
        C.CARD,
        G.DBPGNAME,
        G.MEMBER,
        R.ROWS_READ,
        R.MOST_READ,
        COALESCE(S.KB, 0) AS KB,
        CAST(COALESCE(S.KB, 0) AS DOUBLE) / NULLIF(G.PART, 0) AS KB_IF_ALL
    FROM TUNE.D_CAT_TABLE AS C
    LEFT JOIN READS AS R ON C.TABSCHEMA = R.TABSCHEMA AND C.TABNAME = R.TABNAME
    LEFT JOIN TUNE.D_CAT_TABLESPACE AS K ON C.TBSPACE = K.TBSPACE
    LEFT JOIN TUNE.D_CAT_TABLESPACE AS I ON C.TBSPACE IS NULL AND R.TBSP_ID = I.TBSPACEID
    INNER JOIN (SELECT DISTINCT TABSCHEMA, TABNAME FROM SIZE) AS L
        ON C.TABSCHEMA = L.TABSCHEMA AND C.TABNAME = L.TABNAME
    INNER JOIN TUNE.GROUP_MEMBER AS G ON COALESCE(K.DBPGNAME, I.DBPGNAME) = G.DBPGNAME AND G.PART > 0
    LEFT JOIN SIZE AS S ON C.TABSCHEMA = S.TABSCHEMA AND C.TABNAME = S.TABNAME AND G.MEMBER = S.DBPARTITIONNUM
    WHERE C.PARTITION_MODE = 'H'
),
SPREAD AS (
    SELECT
        PLACE.*,
        COUNT(*) OVER (PARTITION BY TABSCHEMA, TABNAME) AS PARTITIONS,
        MIN(KB) OVER (PARTITION BY TABSCHEMA, TABNAME) AS MIN_KB,
        SUM(KB) OVER (PARTITION BY TABSCHEMA, TABNAME) AS ALL_KB,
        ROW_NUMBER() OVER (PARTITION BY TABSCHEMA, TABNAME ORDER BY KB_IF_ALL DESC, MEMBER) AS FULLEST
    FROM PLACE
),
DISTRIBUTION_KEY AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        CASE
            WHEN MIN(COLCARD) > 0
                THEN CAST(ROUND(EXP(LEAST(
                    34, SUM(LN(CAST(CASE WHEN COLCARD > 1 THEN COLCARD ELSE 1 END AS DOUBLE)))
                ))) AS BIGINT)
        END AS KEY_VALUES,
        MAX(CASE WHEN PARTKEYSEQ = 1 THEN '"' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 2 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 3 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 4 THEN ', "' || REPLACE(COLNAME, '"', '""') || '"' ELSE '' END)
        || MAX(CASE WHEN PARTKEYSEQ = 5 THEN ', and the columns after it' ELSE '' END) AS KEY_COLUMNS
    FROM TUNE.D_DISTRIBUTION_KEY
    GROUP BY TABSCHEMA, TABNAME
)
SELECT
    S.TABSCHEMA,
    S.TABNAME,
    S.CARD,
    S.DBPGNAME,
    S.PARTITIONS,
    S.MEMBER,
    S.KB,
    S.MIN_KB,
    S.ALL_KB,
    S.KB_IF_ALL / CAST(NULLIF(S.ALL_KB, 0) AS DOUBLE) AS SKEW,
    CAST(S.PARTITIONS * S.MOST_READ AS DOUBLE) / NULLIF(S.ROWS_READ, 0) AS READ_SKEW,
    CAST(S.ROWS_READ AS DOUBLE) / NULLIF(A.ROWS_READ, 0) AS READ_PART,
    D.KEY_COLUMNS,
    D.KEY_VALUES
FROM SPREAD AS S
CROSS JOIN (SELECT SUM(ROWS_READ) AS ROWS_READ FROM TUNE.D_TABLE) AS A
LEFT JOIN DISTRIBUTION_KEY AS D ON S.TABSCHEMA = D.TABSCHEMA AND S.TABNAME = D.TABNAME
WHERE S.FULLEST = 1
