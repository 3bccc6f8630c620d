/*---
rule: log.buffer-over-file
title: Log buffer is larger than a log file
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.as-created, within: object}
  - {rule: log.space-sizing, within: object}
thresholds:
  buffers: {default: 4, from: own, why: log buffers that a file should hold at least}
actions:
  - when: MORE_MB > 0
    manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Files are resized at database start,
      which fails without room.
  - when: LOGPRIMARY IS NOT NULL
    set:
      - {kind: DBCFG, name: LOGFILSIZ, from: '{LOGFILSIZ}', to: '{NEW_LOGFILSIZ}', unit: 4 KB pages}
      - {kind: DBCFG, name: LOGPRIMARY, from: '{LOGPRIMARY}', to: '{NEW_LOGPRIMARY}', unit: files}
  - when: LOGPRIMARY IS NULL
    manual: >-
      Set LOGFILSIZ to {NEW_LOGFILSIZ}, and reduce LOGPRIMARY in proportion; GET DB CFG shows the present number of
      files.
    undo: {manual: Set both to their previous values.}
finding: >-
  The log buffer of {LOGBUFSZ} pages is larger than a log file of {LOGFILSIZ} pages: one full buffer spans {FILES}
  files.
evidence: [LOGBUFSZ, LOGFILSIZ, 'LOGPRIMARY?']
query: SELECT NAME, VALUE FROM SYSIBMADM.DBCFG WHERE NAME IN ('logbufsz', 'logfilsiz', 'logprimary')
references:
  - IBM documentation of logbufsz (r0000243) and logfilsiz (r0000239)
why: >-
  At the end of each file Db2 closes and archives it, and opens the next. A buffer larger than a file is never written
  in one piece, so most of it is useless.
not_if: >-
  The file is as large as the buffer; a size is pending; members differ; at most three tenths of the log were ever in
  use.
note: >-
  LOGFILSIZ grows and LOGPRIMARY shrinks, so the primary files need about the same space. Secondary files stay as they
  are.
---*/
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
                LEAST(P.NUM, CONST.LOG_FILES), CEIL(ROUND(CAST(P.NUM AS DOUBLE) * F.NUM / NULLIF(N.PAGES, 0), 6))
            )
    END AS NEW_LOGPRIMARY,
    CEIL(CAST(B.NUM AS DOUBLE) / NULLIF(F.NUM, 0)) AS FILES,
    L.VALUE AS LOGPATH,
    CEIL(
        (
            GREATEST(LEAST(P.NUM, CONST.LOG_FILES), CEIL(ROUND(CAST(P.NUM AS DOUBLE) * F.NUM / NULLIF(N.PAGES, 0), 6)))
            * N.PAGES - CAST(P.NUM AS DOUBLE) * F.NUM + COALESCE(S.NUM, 0) * (N.PAGES - F.NUM)
        ) / CAST(256 AS DOUBLE)
    ) AS MORE_MB
FROM TUNE.SETTING AS B
INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary'
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.NUM > 0
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (SELECT MAX(TOT_LOG_USED_TOP) AS TOT_LOG_USED_TOP FROM TUNE.D_TRANSACTION_LOG) AS U
CROSS JOIN LARGER AS N
WHERE
    B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.FIXED = 1
    AND F.NUM > 0 AND B.NUM > F.NUM
    AND (P.NAME IS NULL OR (P.FIXED = 1 AND P.NUM > 0))
    AND (
        U.TOT_LOG_USED_TOP IS NULL
        OR U.TOT_LOG_USED_TOP > CONST.USED_LOG_PART * 4096 * F.NUM * (P.NUM + COALESCE(S.NUM, 0))
    )
