/*---
rule: cpu.saturated
title: The processors of the host are the bottleneck
lane: safety
takes_effect: host change
applies: {not: [managed]}
judged_by: load
needs: [system.CPU_USAGE_TOTAL, system.CPU_ONLINE, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
confidence: 0.6
thresholds:
  alert_pct: {default: 90, from: vmware-netapp, why: where section 5.3 raises an alert; 80 is its reasonable ceiling}
  min_own_pct: {default: 20, from: own, why: 'with less of it used here, this database is not what keeps the host busy'}
  min_statement_pct:
    default: 10
    from: own
    why: 'percent of the processor time of the database: a statement worth naming'
  others_times:
    default: 2
    from: own
    why: what serves no request (prefetchers, cleaners, logger) is no such multiple
actions:
  - when: OTHERS_PCT IS NOT NULL
    manual: >-
      See who else runs on {HOST_NAME:text} (top, ps): other databases and instances, other zones, backups, scripts.
      Move that away, or hold it back, before statements are tuned.
  - when: EXECUTABLE_ID IS NOT NULL
    manual: >-
      Begin with the statement that takes most, see its plan: CALL EXPLAIN_FROM_SECTION(x'{EXECUTABLE_ID:text}', 'M',
      NULL, {MEMBER|0}, NULL, ?, ?, ?, ?, ?), then db2exfmt -d {DB_NAME:shell} -1 -o plan.txt
  - manual: >-
      Do first what saves processor time (indexes, statistics, large pages, less monitoring); put off what costs it
      (compression, intra-partition parallelism).
    undo: {manual: 'nothing to take back: this changes no setting'}
  - {manual: 'Then let the workload manager hold back what can wait, or give the host more processors.'}
finding:
  - >-
    The processors of host {HOST_NAME:text} are {CPU_USAGE_TOTAL} % busy, {DB2_CPU_PCT:2} % with this database over the
    interval.
  - {when: OTHERS_PCT IS NOT NULL, text: 'Most of it, {OTHERS_PCT:0} %, is not this database''s.'}
  - when: FIRST_ID IS NOT NULL
    text: 'Of {WHOSE_TIME:text} statement {FIRST_ID:text} takes {FIRST_PCT:0} %[: {FIRST_TEXT:text}].'
  - {when: SECOND_ID IS NOT NULL, text: 'Statement {SECOND_ID:text} takes {SECOND_PCT:0} %[: {SECOND_TEXT:text}].'}
  - {when: THIRD_ID IS NOT NULL, text: 'Statement {THIRD_ID:text} takes {THIRD_PCT:0} %[: {THIRD_TEXT:text}].'}
evidence: [CPU_USAGE_TOTAL, database_cpu_pct=DB2_CPU_PCT:2, 'others_cpu_pct=OTHERS_PCT:0?', CPU_ONLINE, cores=CORES,
  'statement=FIRST_ID:text?', 'statement_pct=FIRST_PCT:2?']
references:
  - vmware-netapp, section 5.3
  - x445 (no processor near 100 %)
why: >-
  When processors are busy, every request waits for them, and other waits get longer than their causes. Advice that
  saves processor time is worth more then, and advice that costs it is worth less.
not_if: The host is less than 90 % busy, or this database used less than 20 % of its processors; a managed database.
note: >-
  CPU_USAGE_TOTAL is a sample: the part that this database used on average over the interval must agree, three intervals
  are not asked for. Single processors are not seen. Where others take twice what this database does, its statements are
  not named: they are not what is short of processors. It promises nothing by itself: what the statements could save is
  said by sql.missing-index.
---*/
WITH NAMED AS (
    SELECT
        S.STATEMENT,
        S.EXECUTABLE_ID,
        S.MEMBER,
        X.SHORT_TEXT,
        -- a capture may say of statements only how long they took
        CASE WHEN S.CPU_MS IS NULL THEN S.TIME_PLACE ELSE S.CPU_PLACE END AS PLACE,
        CASE WHEN S.CPU_MS IS NULL THEN S.TIME_PCT ELSE S.CPU_PCT END AS PCT,
        CASE WHEN S.CPU_MS IS NULL THEN 'the time of all statements' ELSE 'its processor time' END AS WHOSE_TIME
    FROM TUNE.STATEMENT AS S
    LEFT JOIN TUNE.STATEMENT_TEXT AS X ON S.STATEMENT = X.STATEMENT
),
TOP AS (
    SELECT
        MAX(CASE WHEN PLACE = 1 THEN EXECUTABLE_ID END) AS EXECUTABLE_ID,
        MAX(CASE WHEN PLACE = 1 THEN MEMBER END) AS MEMBER,
        MAX(CASE WHEN PLACE = 1 THEN WHOSE_TIME END) AS WHOSE_TIME,
        MAX(CASE WHEN PLACE = 1 THEN STATEMENT END) AS FIRST_ID,
        MAX(CASE WHEN PLACE = 1 THEN PCT END) AS FIRST_PCT,
        MAX(CASE WHEN PLACE = 1 THEN SHORT_TEXT END) AS FIRST_TEXT,
        MAX(CASE WHEN PLACE = 2 THEN STATEMENT END) AS SECOND_ID,
        MAX(CASE WHEN PLACE = 2 THEN PCT END) AS SECOND_PCT,
        MAX(CASE WHEN PLACE = 2 THEN SHORT_TEXT END) AS SECOND_TEXT,
        MAX(CASE WHEN PLACE = 3 THEN STATEMENT END) AS THIRD_ID,
        MAX(CASE WHEN PLACE = 3 THEN PCT END) AS THIRD_PCT,
        MAX(CASE WHEN PLACE = 3 THEN SHORT_TEXT END) AS THIRD_TEXT
    FROM NAMED
    CROSS JOIN TUNE.O_CPU_SATURATED AS O
    WHERE NAMED.PCT >= O.MIN_STATEMENT_PCT
),
SHARED AS (
    SELECT
        P.*,
        CASE
            WHEN P.CPU_USAGE_TOTAL - P.DB2_CPU_PCT >= O.OTHERS_TIMES * P.DB2_CPU_PCT
                THEN P.CPU_USAGE_TOTAL - P.DB2_CPU_PCT
        END AS OTHERS_PCT
    FROM TUNE.HOST_PROCESSOR AS P
    CROSS JOIN TUNE.O_CPU_SATURATED AS O
)
SELECT
    P.HOST_NAME,
    P.CPU_USAGE_TOTAL,
    P.DB2_CPU_PCT,
    P.OTHERS_PCT,
    P.CPU_ONLINE,
    P.CORES,
    D.DB_NAME,
    T.*
FROM SHARED AS P
LEFT JOIN TOP AS T ON P.OTHERS_PCT IS NULL
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_CPU_SATURATED AS O
WHERE
    P.CPU_USAGE_TOTAL >= O.ALERT_PCT
    AND P.DB2_CPU_PCT >= O.MIN_OWN_PCT
