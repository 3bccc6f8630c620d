-- What the explain tables contain after a statement was explained.

-- name: cost
-- The estimated cost (timerons) of the statement that this user explained last, and the objects that its plan reads.
SELECT S.TOTAL_COST, O.OBJECT_NAME
FROM EXPLAIN_STATEMENT AS S
LEFT JOIN EXPLAIN_OBJECT AS O ON S.EXPLAIN_REQUESTER = O.EXPLAIN_REQUESTER AND S.EXPLAIN_TIME = O.EXPLAIN_TIME
WHERE
    S.EXPLAIN_LEVEL = 'P'
    AND S.EXPLAIN_TIME = (
        SELECT MAX(I.EXPLAIN_TIME) FROM EXPLAIN_INSTANCE AS I WHERE I.EXPLAIN_REQUESTER = SESSION_USER
    )

-- name: recommended
-- The indexes that Db2 recommended in this unit of work, in mode RECOMMEND INDEXES.
SELECT
    A.TBCREATOR,
    A.TBNAME,
    RTRIM(CAST(A.COLNAMES AS VARCHAR(4000))) AS COLNAMES,
    A.UNIQUERULE,
    A.UNIQUE_COLCOUNT
FROM ADVISE_INDEX AS A
WHERE A.EXPLAIN_TIME >= ? AND A.EXISTS = 'N' AND A.EXPLAIN_REQUESTER = SESSION_USER
ORDER BY A.TBCREATOR, A.TBNAME, A.NAME

-- name: virtual_index
-- Adds an index for EXPLAIN in mode EVALUATE INDEXES. Db2 estimates the statistics that are -1. COLNAMES has a + or -
-- in front of each column.
INSERT INTO ADVISE_INDEX (
    CREATOR, NAME, TBCREATOR, TBNAME, COLNAMES, UNIQUERULE, COLCOUNT, UNIQUE_COLCOUNT, IID, USE_INDEX, REVERSE_SCANS,
    INDEXTYPE, EXISTS, RIDTOBLOCK, FIRSTKEYCARD, FULLKEYCARD, FIRST2KEYCARD, FIRST3KEYCARD, FIRST4KEYCARD, NLEAF
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'Y', 'Y', 'REG', 'N', 'N', -1, -1, -1, -1, -1, -1)
