/*---
rule: config.agent-wait
title: Requests wait for a coordinating agent
lane: performance
takes_effect: immediately
judged_by: load
needs: [workload.AGENT_WAIT_TIME, dbmcfg.VALUE, system.CPU_USAGE_TOTAL]
object: INSTANCE
claims: {AGENT: {events: AGENT_WAITS, cost_ms: AGENT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
actions:
  - set: {kind: DBMCFG, name: MAX_COORDAGENTS, from: '{MAX_COORDAGENTS:text}', to: '{NEW_AGENTS}', unit: agents}
  - when: NEW_AGENTS IS NULL
    manual: >-
      MAX_COORDAGENTS is AUTOMATIC and Db2 keeps its ratio to MAX_CONNECTIONS. Set both in one command with a higher
      ratio.
    undo: {manual: Set both to their previous values.}
finding: >-
  Requests waited {AGENT_PCT:1} % of database time for a coordinating agent, {AGENT_WAITS} times for {AGENT_MS:1} ms
  each. {MAX_COORDAGENTS:text} agents serve up to {MAX_CONNECTIONS:text} connections.
evidence: [AGENT_WAIT_TIME_pct=AGENT_PCT:2, AGENT_WAITS_TOTAL=AGENT_WAITS, MAX_COORDAGENTS:text, MAX_CONNECTIONS:text,
  cpu_busy_pct=CPU_PCT]
references:
  - >-
    IBM documentation of agent_wait_time (r0054009), max_coordagents (r0000139) and "Restrictions and behavior when
    configuring max_coordagents and max_connections" (r0052306)
why: >-
  With MAX_CONNECTIONS above MAX_COORDAGENTS the connection concentrator is on: a unit of work first waits for a free
  agent. If the processors have capacity, this wait is avoidable.
not_if: >-
  Agent waits take less than 5 % of the time; the processors are 80 % busy or more; lock waits take 30 % of the time; a
  host lacks memory; the concentrator is off; a new value is pending.
note: >-
  One step adds as many agents as requests waited at a time on average, at least half as many as there are, up to the
  number of connections. Each agent needs some megabytes of private memory.
---*/
SELECT
    A.VALUE AS MAX_COORDAGENTS,
    C.VALUE AS MAX_CONNECTIONS,
    -- as many more as requests waited at a time, at least half as many more
    CASE
        WHEN A.FIXED = 1
            THEN CEIL(ROUND(LEAST(C.NUM, GREATEST(
                CONST.LIMIT_STEP * A.NUM,
                A.NUM + COALESCE(W.AGENT_WAIT_MS / CAST(NULLIF(1000 * T.SECONDS, 0) AS DOUBLE), 0)
            )), 6))
    END AS NEW_AGENTS,
    W.AGENT_WAITS,
    CAST(W.AGENT_WAIT_MS AS DOUBLE) / NULLIF(W.AGENT_WAITS, 0) AS AGENT_MS,
    100 * CAST(W.AGENT_WAIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS AGENT_PCT,
    P.CPU_PCT
FROM (
    -- data without a number of waits counts as one wait of that length
    SELECT
        SUM(AGENT_WAIT_TIME) AS AGENT_WAIT_MS,
        CASE WHEN SUM(AGENT_WAITS_TOTAL) > 0 THEN SUM(AGENT_WAITS_TOTAL) ELSE 1 END AS AGENT_WAITS
    FROM TUNE.D_WORKLOAD
) AS W
CROSS JOIN (SELECT MAX(CPU_USAGE_TOTAL) AS CPU_PCT FROM TUNE.HOST_PROCESSOR) AS P
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DBM' AND A.NAME = 'max_coordagents' AND A.PENDING = 0
INNER JOIN TUNE.SETTING AS C ON C.SCOPE = 'DBM' AND C.NAME = 'max_connections' AND C.PENDING = 0
WHERE
    100 * W.AGENT_WAIT_MS >= SITE.HIGH_PCT * T.DBT_MS
    AND P.CPU_PCT < SITE.CEILING_CPU_PCT
    AND C.NUM > A.NUM AND A.NUM > 0
    AND T.LOCK_PCT < SITE.DOMINANT_PCT
    AND NOT EXISTS (SELECT 1 FROM TUNE.MEMORY_PRESSURE AS M WHERE M.SWAPS = 1 OR M.FULL_UP = 1)
