-- The number of buckets that each partition of a group owns in its distribution map. An even map gives every partition
-- the same number, plus or minus one. The map is a vector of 32,768 two-byte partition numbers (4,096 in a group
-- created before 10.1). The order of the two bytes depends on the platform, so the smaller reading is taken; it is
-- correct for partition numbers below 256.
--
-- object: SYSCAT.PARTITIONMAPS
WITH DIGIT (N) AS (VALUES 0, 1, 2, 3, 4, 5, 6, 7),
BUCKET (I) AS (
    SELECT A.N + 8 * B.N + 64 * C.N + 512 * D.N + 4096 * E.N
    FROM DIGIT AS A, DIGIT AS B, DIGIT AS C, DIGIT AS D, DIGIT AS E
),
-- bytes are compared by their hexadecimal digits: the character of a byte depends on the code page
ENTRY (PMAP_ID, DIGITS, BUCKETS) AS (
    SELECT
        P.PMAP_ID,
        HEX(CAST(SUBSTR(P.PARTITIONMAP, 2 * K.I + 1, 2) AS VARCHAR(2) FOR BIT DATA)),
        COUNT(*)
    FROM SYSCAT.PARTITIONMAPS AS P
    INNER JOIN BUCKET AS K ON 2 * K.I + 2 <= LENGTH(P.PARTITIONMAP)
    GROUP BY P.PMAP_ID, HEX(CAST(SUBSTR(P.PARTITIONMAP, 2 * K.I + 1, 2) AS VARCHAR(2) FOR BIT DATA))
),
OWNED (PMAP_ID, B1, B2, BUCKETS) AS (
    SELECT
        PMAP_ID,
        16 * LOCATE(SUBSTR(DIGITS, 1, 1), '123456789ABCDEF') + LOCATE(SUBSTR(DIGITS, 2, 1), '123456789ABCDEF'),
        16 * LOCATE(SUBSTR(DIGITS, 3, 1), '123456789ABCDEF') + LOCATE(SUBSTR(DIGITS, 4, 1), '123456789ABCDEF'),
        BUCKETS
    FROM ENTRY
)
SELECT
    G.DBPGNAME,                                                        -- key VARCHAR(128)
    CAST(LEAST(256 * E.B1 + E.B2, 256 * E.B2 + E.B1) AS SMALLINT) AS DBPARTITIONNUM, -- key SMALLINT
    SUM(E.BUCKETS) AS BUCKETS                                          -- gauge BIGINT
FROM OWNED AS E
INNER JOIN SYSCAT.DBPARTITIONGROUPS AS G ON E.PMAP_ID = G.PMAP_ID
GROUP BY G.DBPGNAME, CAST(LEAST(256 * E.B1 + E.B2, 256 * E.B2 + E.B1) AS SMALLINT)
