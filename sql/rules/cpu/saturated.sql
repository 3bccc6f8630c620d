/*---
rule: cpu.saturated
title: Host processors are saturated
lane: condition
takes_effect: host change
judged_by: load
needs: [system.CPU_USAGE_TOTAL, system.CPU_ONLINE, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
confidence: 0.6
thresholds:
  min_own_pct: {default: 20, from: own, why: 'below it another workload keeps the host busy, not this database'}
  min_statement_pct:
    default: 10
    from: own
    why: 'percent of the database''s CPU time: a statement worth naming'
  others_times:
    default: 2
    from: own
    why: Db2's background work (prefetchers, cleaners, logger) never takes this multiple
actions:
  - when: OTHERS_PCT IS NOT NULL
    manual: >-
      Find the other workloads on {HOST_NAME:text} (top, ps): other databases and instances, other zones, backups,
      scripts. Move or limit them before you tune statements.
  - when: SIBLINGS_PCT IS NOT NULL AND OTHERS_PCT IS NULL
    takes_effect: immediately
    manual: >-
      Move clients from the members on {HOST_NAME:text} to members on the other hosts, which are usually
      {SIBLINGS_PCT:0} % busy. If the members have equal work, find what runs only on {HOST_NAME:text} (top, ps).
  - when: EXECUTABLE_ID IS NOT NULL
    takes_effect: immediately
    manual: >-
      Start with the most expensive statement and see its plan: CALL EXPLAIN_FROM_SECTION(x'{EXECUTABLE_ID:text}', 'M',
      NULL, {MEMBER|0}, NULL, ?, ?, ?, ?, ?), then db2exfmt -d {DB_NAME:shell} -1 -o plan.txt
  - takes_effect: immediately
    manual: >-
      First apply advice that saves CPU time (indexes, statistics, large pages, less monitoring). Postpone changes that
      cost it (compression, intra-partition parallelism).
  - choose:
      - when: SIBLINGS_PCT IS NOT NULL
        takes_effect: immediately
        manual: Then limit less urgent work with the workload manager.
      - {manual: 'Then limit less urgent work with the workload manager, or give the host more processors.'}
finding:
  - >-
    The processors of host {HOST_NAME:text} are {CPU_USAGE_TOTAL} % busy; this database uses {DB2_CPU_PCT:1} % over the
    interval.
  - {when: SIBLINGS_PCT IS NOT NULL, text: 'The other hosts are usually {SIBLINGS_PCT:0} % busy.'}
  - {when: OTHERS_PCT IS NOT NULL, text: 'Other workloads use most of it, {OTHERS_PCT:0} %.'}
  - when: FIRST_ID IS NOT NULL
    text: 'Statement {FIRST_ID:text} takes {FIRST_PCT:0} % of {WHOSE_TIME:text}[: {FIRST_TEXT:text}].'
  - {when: SECOND_ID IS NOT NULL, text: 'Statement {SECOND_ID:text} takes {SECOND_PCT:0} %[: {SECOND_TEXT:text}].'}
  - {when: THIRD_ID IS NOT NULL, text: 'Statement {THIRD_ID:text} takes {THIRD_PCT:0} %[: {THIRD_TEXT:text}].'}
query: SELECT HOST_NAME, CPU_USAGE_TOTAL FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS T
evidence: [CPU_USAGE_TOTAL, database_cpu_pct=DB2_CPU_PCT:2, 'others_cpu_pct=OTHERS_PCT:0?',
  'other_hosts_pct=SIBLINGS_PCT:0?', CPU_ONLINE, cores=CORES,
  'statement=FIRST_ID:text?', 'statement_pct=FIRST_PCT:2?']
references:
  - vmware-netapp, section 5.3
  - x445 (no processor near 100 %)
why: >-
  On busy processors every request waits for CPU, and other waits last longer than their causes. Advice that saves CPU
  time is worth more, and advice that costs it is worth less.
not_if: The host is less than 90 % busy, or this database used less than 20 % of its processors.
note: >-
  CPU_USAGE_TOTAL is a sample, so this database's average over the interval must confirm it; one interval is enough.
  Single processors are not visible. If others use twice as much as this database, its statements are not named, because
  they are not the cause. A host twice as busy as the others gets no more processors: those of the others are idle. The
  rule claims nothing: sql.missing-index claims the savings of statements.
---*/
WITH NAMED AS (
    SELECT
        S.STATEMENT,
        S.EXECUTABLE_ID,
        S.MEMBER,
        X.SHORT_TEXT,
        -- a capture may contain only the elapsed time of statements
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
    S.USUAL_COST AS SIBLINGS_PCT,
    D.DB_NAME,
    T.*
FROM SHARED AS P
LEFT JOIN TOP AS T ON P.OTHERS_PCT IS NULL
CROSS JOIN TUNE.RUN_DATABASE AS D
LEFT JOIN (
    SELECT H.HOST_NAME, F.USUAL_COST
    FROM TUNE.SIBLING AS F
    INNER JOIN TUNE.HOST AS H ON F.MEMBER = H.MEMBER
    WHERE F.MEASURE = 'CPU' AND F.FAR = 1
) AS S ON P.HOST_NAME = S.HOST_NAME
CROSS JOIN TUNE.O_CPU_SATURATED AS O
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    P.CPU_USAGE_TOTAL >= SITE.SATURATED_PCT
    AND P.DB2_CPU_PCT >= O.MIN_OWN_PCT
