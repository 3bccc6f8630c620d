/*---
rule: tablespace.container-inaccessible
title: Table space container is inaccessible
lane: safety
severity: critical
takes_effect: immediately
risk: high
steps_need: storage
judged_by: config
needs: [container.ACCESSIBLE, container.CONTAINER_NAME]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.9
actions:
  - manual: >-
      Make {CONTAINER_NAME:text} accessible to the instance owner: mount the file system, check the device and the
      permissions. db2diag.log contains the error.
  - manual: >-
      If the table space is then offline: ALTER TABLESPACE {TBSP_NAME:name} SWITCH ONLINE. If the container is lost,
      restore the table space from a backup and roll it forward.
finding:
  - Db2 cannot open {CONTAINER_NAME:text}.
  - {when: MISSING > 1, text: '{MISSING} of {CONTAINERS} containers are inaccessible.'}
evidence: [CONTAINER_NAME:text, containers_not_accessible=MISSING, containers=CONTAINERS, member=MEMBER]
query: >-
  SELECT TBSP_NAME, MEMBER, CONTAINER_ID, CONTAINER_NAME, CONTAINER_TYPE FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
  WHERE ACCESSIBLE = 0
references:
  - IBM documentation of MON_GET_CONTAINER (r0053944), container_accessible, and table space states (c0060111)
why: >-
  Pages in the container cannot be read or written: statements that need them fail, and at the next database activation
  the table space goes offline.
not_if: Every container is accessible, or its state is unknown.
---*/
WITH FOUND AS (
    SELECT
        C.TBSP_NAME,
        C.MEMBER,
        C.CONTAINER_ID,
        C.CONTAINER_NAME,
        C.ACCESSIBLE,
        COUNT(*) OVER (PARTITION BY C.TBSP_NAME) AS CONTAINERS,
        SUM(CASE WHEN C.ACCESSIBLE = 0 THEN 1 ELSE 0 END) OVER (PARTITION BY C.TBSP_NAME) AS MISSING,
        ROW_NUMBER() OVER (PARTITION BY C.TBSP_NAME, C.ACCESSIBLE ORDER BY C.MEMBER, C.CONTAINER_ID) AS PLACE
    FROM TUNE.L_CONTAINER AS C
)
SELECT
    TBSP_NAME,
    MEMBER,
    CONTAINER_NAME,
    CONTAINERS,
    MISSING
FROM FOUND
WHERE ACCESSIBLE = 0 AND PLACE = 1
