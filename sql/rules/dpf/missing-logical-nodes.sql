/*---
rule: dpf.missing-logical-nodes
title: Partition with data is not active
lane: safety
severity: critical
takes_effect: immediately
applies: {topology: dpf}
judged_by: config
needs: [member.STATE, database.DB_CONN_TIME, partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME]
object: MEMBER {MEMBER}
member: MEMBER
confidence: 0.9
actions:
  - set: {name: STATE, from: '{STATE:text}', to: active}
  - choose:
      - when: STATE = 'STARTED'
        command: ACTIVATE DATABASE {DB_NAME:alias}
        undo: {manual: 'Not undone: DEACTIVATE DATABASE would stop the database on all partitions.'}
      - command: db2start DBPARTITIONNUM {MEMBER}
        undo: {command: 'db2stop DBPARTITIONNUM {MEMBER}'}
finding: >-
  Partition {MEMBER} on host {HOME_HOST:text} holds data ({GROUPS_ON_IT} database partition groups), but the database is
  not active there (state {STATE:text}).
evidence: [STATE:text, HOME_HOST:text, groups=GROUPS_ON_IT]
references:
  - x445, logical nodes and db2nodes.cfg
  - IBM documentation of START DATABASE MANAGER and ACTIVATE DATABASE
why: >-
  Statements that need rows of the partition fail, and nothing on it is monitored or tuned. STMM tunes memory only while
  all partitions are active.
not_if: 'It contains no table space for user data: a partition for administration or the catalog only.'
note: >-
  dpf.partition-map-uneven reports a partition that was added to a group and has no bucket yet. A partition without a
  group may be a coordinator on purpose and is not reported.
---*/
SELECT
    M.MEMBER,
    M.STATE,
    M.HOME_HOST,
    G.GROUPS_ON_IT,
    D.DB_NAME
FROM TUNE.D_MEMBER AS M
INNER JOIN (
    SELECT
        MEMBER,
        COUNT(*) AS GROUPS_ON_IT
    FROM TUNE.GROUP_MEMBER
    WHERE ACTIVE = 0 AND IN_USE IN ('Y', 'D')
    GROUP BY MEMBER
) AS G ON M.MEMBER = G.MEMBER
CROSS JOIN TUNE.RUN_DATABASE AS D
