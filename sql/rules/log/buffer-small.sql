/*---
rule: log.buffer-small
title: Log buffer is far below its default (LOGBUFSZ)
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
memory: GROWTH_KB
defers_to:
  - {rule: log.buffer-full, within: any}
thresholds:
  small_pages: {default: 64, from: own, why: 'a quarter of the default; early levels had 8'}
actions:
  - when: HEAP_SMALL = 1
    takes_effect: immediately
    set: {kind: DBCFG, name: DBHEAP, from: '{DBHEAP}', to: AUTOMATIC, unit: 4 KB pages}
  - set: {kind: DBCFG, name: LOGBUFSZ, from: '{LOGBUFSZ}', to: '256', unit: 4 KB pages}
finding: >-
  The log buffer has {LOGBUFSZ} pages, {LOGBUFSZ_KB} KB: a transaction with more changes writes to the log before it
  commits.
evidence: [LOGBUFSZ, 'DBHEAP?']
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of logbufsz (r0000243) and dbheap (r0000276)
why: >-
  When the buffer is full, Db2 writes it and the sessions wait. A small buffer also holds less of the log that
  rollback, currently committed reads and HADR read again. 256 pages are the default.
not_if: >-
  At least 64 pages; pending; members differ; a log file has fewer than 256 pages (log.as-created); the buffer was
  seen full (log.buffer-full gives the size).
note: >-
  The buffer is part of DBHEAP, which must be larger.
---*/
SELECT
    B.NUM AS LOGBUFSZ,
    4 * B.NUM AS LOGBUFSZ_KB,
    4 * (256 - B.NUM) AS GROWTH_KB,
    CASE WHEN H.FIXED = 1 THEN H.NUM END AS DBHEAP,
    CASE WHEN H.FIXED = 1 AND H.NUM < 1024 THEN 1 ELSE 0 END AS HEAP_SMALL
FROM TUNE.SETTING AS B
LEFT JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'dbheap' AND (H.IS_SET = 1 OR H.AUTOMATIC = 1)
LEFT JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz'
CROSS JOIN TUNE.O_LOG_BUFFER_SMALL AS O
WHERE
    B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.FIXED = 1 AND B.NUM < LEAST(256, O.SMALL_PAGES)
    AND COALESCE(F.NUM, 256) >= 256
    AND (H.NAME IS NULL OR H.FIXED = 1 OR (H.AUTOMATIC = 1 AND H.PENDING = 0))
