/*---
rule: bufferpool.small-on-member
title: Buffer pool is smaller on one member than on the others
lane: performance
takes_effect: immediately
applies: {topology: several members}
judged_by: load
needs: [bufferpool.BP_CUR_BUFFSZ, bufferpool.POOL_READ_TIME, cat_bufferpool.NPAGES, cat_bufferpool_exception.NPAGES,
  database.DB_CONN_TIME, workload.POOL_READ_TIME]
object: BUFFERPOOL {BP_NAME:text}
member: MEMBER
claims: {POOL_READ: {events: PAGES_ASKED, cost_ms: EXCESS_MS}}
recover: [0.3, 0.6, 0.9]
confidence: 0.6
memory: GROWTH_KB
exclusive: bufferpool
actions:
  - set: {name: SIZE, member: MEMBER, from: '{BP_CUR_BUFFSZ}', to: '{USUAL_PAGES}', unit: pages}
finding: >-
  {BP_NAME:text} has {BP_CUR_BUFFSZ} pages on member {MEMBER} and {USUAL_PAGES} on its siblings. Reading takes agents
  there {MISS_MS:3} ms per page that they request; on the siblings {USUAL_MS:3} ms.
evidence: [BP_CUR_BUFFSZ, usual_pages=USUAL_PAGES, ms_per_page=MISS_MS:3, ms_on_siblings=USUAL_MS:3,
  pages_requested=PAGES_ASKED]
references:
  - x445, "Balancing the hardware"
  - IBM documentation of ALTER BUFFERPOOL (DBPARTITIONNUM, MEMBER)
why: >-
  Each member reads through its own pool. A member with a small one reads the same pages from disk again and again. Its
  clients, or under DPF every statement, wait for it. Often its size was forgotten in a change.
not_if: >-
  Db2 sizes the pool on either side; the pool has more than half of its siblings' size, or another size is pending; a
  requested page costs less than twice the reading of the siblings, or the excess is less than 5 % of an average
  member's time; the member holds the catalog, or no distributed tables.
note: >-
  The rule compares the time of reads per requested page, so a member may have more or less work than the others. The
  host must have the memory; otherwise move clients to the other members.
---*/
WITH SIZED AS (
    SELECT
        B.BP_NAME,
        B.MEMBER,
        B.BP_CUR_BUFFSZ,
        CATPOOL.PAGESIZE,
        COALESCE(E.NPAGES, CATPOOL.NPAGES) AS NPAGES,
        COUNT(*) OVER (PARTITION BY B.BP_NAME) AS MEMBERS,
        ROW_NUMBER() OVER (PARTITION BY B.BP_NAME ORDER BY B.BP_CUR_BUFFSZ DESC, B.MEMBER) AS PLACE
    FROM TUNE.D_BUFFERPOOL AS B
    INNER JOIN TUNE.SPREAD_MEMBER AS M ON B.MEMBER = M.MEMBER AND M.HOLDS_CATALOG = 0
    INNER JOIN TUNE.D_CAT_BUFFERPOOL AS CATPOOL ON B.BP_NAME = CATPOOL.BPNAME
    LEFT JOIN TUNE.D_CAT_BUFFERPOOL_EXCEPTION AS E
        ON CATPOOL.BUFFERPOOLID = E.BUFFERPOOLID AND B.MEMBER = E.DBPARTITIONNUM
    WHERE B.AUTOMATIC = 0 AND B.BP_CUR_BUFFSZ > 0
),
COMPARED AS (
    SELECT
        S.*,
        MAX(CASE WHEN 2 * S.PLACE IN (S.MEMBERS, S.MEMBERS + 1) THEN S.BP_CUR_BUFFSZ END)
            OVER (PARTITION BY S.BP_NAME) AS USUAL_PAGES
    FROM SIZED AS S
)
SELECT
    C.BP_NAME,
    C.MEMBER,
    C.BP_CUR_BUFFSZ,
    C.USUAL_PAGES,
    F.OWN_COST AS MISS_MS,
    F.USUAL_COST AS USUAL_MS,
    F.EVENTS AS PAGES_ASKED,
    F.EXCESS AS EXCESS_MS,
    CEIL((C.USUAL_PAGES - C.BP_CUR_BUFFSZ) * CAST(C.PAGESIZE AS DOUBLE) / 1024) AS GROWTH_KB
FROM COMPARED AS C
INNER JOIN TUNE.SIBLING AS F ON F.MEASURE = 'POOL' AND C.BP_NAME = F.NAME AND C.MEMBER = F.MEMBER AND F.FAR = 1
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    CONST.FAR_FACTOR * C.BP_CUR_BUFFSZ <= C.USUAL_PAGES
    -- a larger size in the catalog is pending
    AND (C.NPAGES < 0 OR CAST(CONST.FAR_FACTOR AS BIGINT) * C.NPAGES <= C.USUAL_PAGES)
