/*---
rule: config.connection-limit
title: Connection limit is almost reached
lane: condition
severity: medium
takes_effect: immediately
applies: {from: '9.7'}
judged_by: config
needs: [instance.NUM_COORD_AGENTS, instance.COORD_AGENTS_TOP, database.APPLS_CUR_CONS, database.CONNECTIONS_TOP,
  dbmcfg.VALUE, dbcfg.VALUE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
confidence: 0.6
actions:
  - manual: >-
      First see which applications hold the connections, and whether they need all: SELECT APPLICATION_NAME,
      CLIENT_HOSTNAME, COUNT(*) AS CONNECTIONS FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T GROUP BY APPLICATION_NAME,
      CLIENT_HOSTNAME ORDER BY CONNECTIONS DESC
  - when: KIND = 'agents'
    set:
      - {kind: DBMCFG, name: MAX_COORDAGENTS, from: '{OLD_LIMIT:text}', to: '{NEW_LIMIT}'}
      - {kind: DBMCFG, name: MAX_CONNECTIONS, from: '{OLD_CONNECTIONS:text}', to: '{NEW_CONNECTIONS}', unit: agents}
  - when: KIND = 'applications'
    set: {kind: DBCFG, name: MAXAPPLS, from: '{OLD_LIMIT:text}', to: '{NEW_LIMIT}', unit: applications}
finding:
  - choose:
      - when: KIND = 'agents'
        text: >-
          {TAKEN} of {OLD_LIMIT:text} coordinating agents are in use, and the limit was reached since db2start: new
          connections then fail with SQL1226N.
      - >-
        {TAKEN} of {OLD_LIMIT:text} applications are connected, and the limit was reached since activation: new
        connections then fail with SQL1040N.
query: >-
  SELECT NUM_COORD_AGENTS, COORD_AGENTS_TOP FROM TABLE(MON_GET_INSTANCE(-2)) AS T
evidence:
  - choose:
      - when: KIND = 'agents'
        figures: [NUM_COORD_AGENTS=TAKEN, COORD_AGENTS_TOP=MOST, MAX_COORDAGENTS=OLD_LIMIT:text,
          'MAX_CONNECTIONS=OLD_CONNECTIONS:text?']
      - figures: [APPLS_CUR_CONS=TAKEN, CONNECTIONS_TOP=MOST, MAXAPPLS=OLD_LIMIT:text]
references:
  - >-
    IBM documentation of max_coordagents (r0000139), "Restrictions and behavior when configuring max_coordagents and
    max_connections" (r0052306), maxappls, coord_agents_top and connections_top
why: >-
  Each connection takes a coordinating agent. At the limit Db2 refuses the next connection. A connection pool that leaks
  connections eventually takes all of them.
not_if: >-
  Less than nine tenths of the limit are in use on each member, or the limit was never reached; it is AUTOMATIC, as high
  as Db2 accepts, pending, or differs between members; the connection concentrator is on, which lets connections wait
  for agents.
note: >-
  Each agent needs some megabytes of private memory, plus locks and sort memory at work, so the limit may protect the
  server. Then the applications must share connections. On a host that lacks memory the rule gives no command.
---*/
WITH AGENTS AS (
    SELECT
        NUM_COORD_AGENTS AS TAKEN,
        COORD_AGENTS_TOP AS MOST
    FROM TUNE.L_INSTANCE
),
APPLICATIONS AS (
    SELECT
        APPLS_CUR_CONS AS TAKEN,
        CONNECTIONS_TOP AS MOST
    FROM TUNE.L_DATABASE
),
FOUND (KIND, BOUND, OLD_LIMIT, OLD_NUM, OLD_CONNECTIONS, LIMITED, TAKEN, MOST) AS (
    SELECT
        'agents' AS KIND,
        64000 AS BOUND, -- Db2 accepts no more, of MAXAPPLS 60000
        A.VALUE AS OLD_LIMIT,
        A.NUM AS OLD_NUM,
        CASE WHEN C.FIXED = 1 AND C.NUM > 0 THEN C.VALUE END AS OLD_CONNECTIONS,
        CASE WHEN C.FIXED = 1 AND C.NUM > 0 THEN 1 ELSE 0 END AS LIMITED,
        G.TAKEN,
        G.MOST
    FROM AGENTS AS G
    INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DBM' AND A.NAME = 'max_coordagents' AND A.FIXED = 1 AND A.NUM > 0
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DBM' AND C.NAME = 'max_connections'
    WHERE COALESCE(C.NUM, 0) <= A.NUM AND COALESCE(C.PENDING, 0) = 0
    UNION ALL
    SELECT
        'applications',
        60000,
        A.VALUE,
        A.NUM,
        CAST(NULL AS VARCHAR(1024)),
        0,
        P.TAKEN,
        P.MOST
    FROM APPLICATIONS AS P
    INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls' AND A.FIXED = 1 AND A.NUM > 0
)
SELECT
    CASE F.KIND WHEN 'agents' THEN 'INSTANCE' ELSE 'DATABASE' END AS OBJECT_TYPE,
    CASE F.KIND WHEN 'agents' THEN D.INSTANCE_NAME ELSE D.DB_NAME END AS OBJECT_NAME,
    F.KIND,
    F.OLD_LIMIT,
    CASE WHEN P.SHORT = 0 THEN LEAST(F.BOUND, CEIL(ROUND(CONST.LIMIT_STEP * F.OLD_NUM, 6))) END AS NEW_LIMIT,
    F.OLD_CONNECTIONS,
    CASE
        WHEN P.SHORT = 0 AND F.LIMITED = 1 THEN LEAST(F.BOUND, CEIL(ROUND(CONST.LIMIT_STEP * F.OLD_NUM, 6)))
    END AS NEW_CONNECTIONS,
    MAX(F.TAKEN) AS TAKEN,
    MAX(F.MOST) AS MOST
FROM FOUND AS F
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (
    SELECT COALESCE(MAX(CASE WHEN SWAPS = 1 OR FULL_UP = 1 THEN 1 ELSE 0 END), 0) AS SHORT
    FROM TUNE.MEMORY_PRESSURE
) AS P
WHERE F.TAKEN >= CONST.NEAR_LIMIT_PART * F.OLD_NUM AND F.MOST >= F.OLD_NUM
    AND F.OLD_NUM < F.BOUND
GROUP BY
    F.KIND, F.BOUND, F.OLD_LIMIT, F.OLD_NUM, F.OLD_CONNECTIONS, F.LIMITED, D.INSTANCE_NAME, D.DB_NAME,
    CONST.LIMIT_STEP, P.SHORT
