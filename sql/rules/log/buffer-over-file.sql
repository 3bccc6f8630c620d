-- rule:       log.buffer-over-file
-- title:      The log buffer is larger than a log file
-- area:       log
-- lane:       C
-- severity:   low
-- effect:     RA
-- applies:    not=managed
-- judged-by:  config
-- confidence: 0.6
-- yields:     log.as-created@object, log.space-sizing@object
-- needs:      dbcfg.VALUE
-- threshold:  buffers = 4 -- [prop] log buffers that a file should hold at least
-- threshold:  least_files = 4 -- [prop] of larger files at least so many, or one transaction holds too much of the log
-- threshold:  used_part = 0.3 -- [prop] of the log: where no more was ever in use, its files hurt nobody
-- object:     DATABASE
-- by-hand:    when MORE_MB > 0: See that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free: files are
--             resized when the database starts, which fails when there is no room.
-- set:        when LOGPRIMARY IS NOT NULL: DBCFG LOGFILSIZ: {LOGFILSIZ} -> {NEW_LOGFILSIZ} (4 KB pages);
--             LOGPRIMARY: {LOGPRIMARY} -> {NEW_LOGPRIMARY} (files)
-- by-hand:    when LOGPRIMARY IS NULL: Make LOGFILSIZ {NEW_LOGFILSIZ}, and LOGPRIMARY as much smaller: GET DB CFG says
--             how many files there are now.
-- undo-by-hand: What both were before.
-- finding:    The log buffer of {LOGBUFSZ} pages is larger than a log file of {LOGFILSIZ} pages: one full buffer goes
--             through {FILES} files.
-- evidence:   LOGBUFSZ, LOGFILSIZ, LOGPRIMARY?
-- look-at:    SELECT NAME, VALUE FROM SYSIBMADM.DBCFG WHERE NAME IN ('logbufsz', 'logfilsiz', 'logprimary')
-- source:     IBM documentation of logbufsz (r0000243) and logfilsiz (r0000239)
-- why:        At the end of each file the log is switched: the file is closed, archived, and the next one opened. A
--             buffer that holds more than a file is never written in one go, so that most of it is of no use.
-- not-if:     The file is as large as the buffer; a size waits; members differ; Db2 says that at most three tenths of
--             the log were ever in use.
-- note:       LOGFILSIZ grows, and LOGPRIMARY shrinks with it, so that the primary files take about what they took.
--             Secondary files are left as they are.
WITH LARGER AS (
    SELECT 1024 * CEIL(ROUND(O.BUFFERS * Z.NUM / CAST(1024 AS DOUBLE), 6)) AS PAGES
    FROM TUNE.SETTING AS Z
    CROSS JOIN TUNE.O_LOG_BUFFER_OVER_FILE AS O
    WHERE Z.SCOPE = 'DB' AND Z.NAME = 'logbufsz' AND Z.NUM > 0
)
SELECT
    B.NUM AS LOGBUFSZ,
    F.NUM AS LOGFILSIZ,
    N.PAGES AS NEW_LOGFILSIZ,
    P.NUM AS LOGPRIMARY,
    CASE
        WHEN P.NUM IS NOT NULL
            THEN GREATEST(
                LEAST(P.NUM, O.LEAST_FILES), CEIL(ROUND(CAST(P.NUM AS DOUBLE) * F.NUM / NULLIF(N.PAGES, 0), 6))
            )
    END AS NEW_LOGPRIMARY,
    CEIL(CAST(B.NUM AS DOUBLE) / NULLIF(F.NUM, 0)) AS FILES,
    L.VALUE AS LOGPATH,
    CEIL(
        (
            GREATEST(LEAST(P.NUM, O.LEAST_FILES), CEIL(ROUND(CAST(P.NUM AS DOUBLE) * F.NUM / NULLIF(N.PAGES, 0), 6)))
            * N.PAGES - CAST(P.NUM AS DOUBLE) * F.NUM + COALESCE(S.NUM, 0) * (N.PAGES - F.NUM)
        ) / CAST(256 AS DOUBLE)
    ) AS MORE_MB
FROM TUNE.SETTING AS B
INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary'
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.NUM > 0
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
CROSS JOIN TUNE.O_LOG_BUFFER_OVER_FILE AS O
CROSS JOIN (SELECT MAX(TOT_LOG_USED_TOP) AS TOT_LOG_USED_TOP FROM TUNE.D_TRANSACTION_LOG) AS U
CROSS JOIN LARGER AS N
WHERE
    B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.FIXED = 1
    AND F.NUM > 0 AND B.NUM > F.NUM
    AND (P.NAME IS NULL OR (P.FIXED = 1 AND P.NUM > 0))
    AND (
        U.TOT_LOG_USED_TOP IS NULL
        OR U.TOT_LOG_USED_TOP > O.USED_PART * 4096 * F.NUM * (P.NUM + COALESCE(S.NUM, 0))
    )
