/*---
rule: config.member-asymmetry
title: Members differ in settings, containers or log devices
lane: performance
takes_effect: database reactivation
applies: {topology: several members}
judged_by: structure
needs: [partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME, dbcfg.VALUE_FLAGS, container.TOTAL_PAGES,
  tablespace.TBSP_USING_AUTO_STORAGE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
member: MEMBER
claims:
  SORT: {events: SORTS, cost_ms: SORT_MS}
  POOL_READ: {events: SPILLERS, cost_ms: SPILL_MS}
  LOG_BUFFER: {events: COMMITS, cost_ms: BUFFER_MS}
recover: [0.3, 0.6, 0.9]
confidence: 0.6
memory: MEMORY_DELTA_KB
thresholds:
  memory_step_mb: {default: 8192, from: own, why: hosts whose memory differs by less are alike}
actions:
  - choose:
      - when: PARAMETER IN ('SORTHEAP', 'LOCKLIST', 'PCKCACHESZ', 'DATABASE_MEMORY')
        takes_effect: immediately
        set: {kind: DBCFG, name: '{PARAMETER:text}', member: MEMBER, from: '{PRESENT}', to: '{USUAL}'}
      - when: OBJECT_TYPE = 'DATABASE'
        set: {kind: DBCFG, name: '{PARAMETER:text}', member: MEMBER, from: '{PRESENT}', to: '{USUAL}'}
  - when: OBJECT_TYPE = 'TABLESPACE'
    takes_effect: immediately
    set:
      kind: TABLESPACE
      name: CONTAINERS
      member: MEMBER
      from: '{CONTAINERS} containers, {PAGES} pages'
      to: '{MAX_CONTAINERS} containers, {MAX_PAGES} pages'
  - when: OBJECT_TYPE = 'TABLESPACE'
    takes_effect: immediately
    manual: >-
      Give table space {OBJECT_NAME:name} the same containers on member {MEMBER} as on the others: ALTER TABLESPACE with
      ADD or EXTEND and ON DBPARTITIONNUM.
    undo: {manual: 'Remove them with ALTER TABLESPACE and DROP or REDUCE, ON DBPARTITIONNUM.'}
  - when: OBJECT_TYPE = 'HOST'
    set: {kind: HOST, name: LOGS, from: '{LOGS}', to: '1', unit: logs on the device}
  - when: OBJECT_TYPE = 'HOST'
    manual: >-
      Give each member a separate log device: of the members that log to {DEVICE:text} on host {HOST_NAME:text}, move
      all but one with NEWLOGPATH.
    undo: {manual: Set NEWLOGPATH of the moved members to their present log path.}
finding:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        text: >-
          Member {MEMBER} has {PARAMETER:text} {PRESENT}; {WITH_USUAL} of {LIKE_MEMBERS} similar members have {USUAL}.
      - when: OBJECT_TYPE = 'TABLESPACE'
        text: >-
          The table space has {CONTAINERS} containers with {PAGES} pages on member {MEMBER}, elsewhere up to
          {MAX_CONTAINERS} with {MAX_PAGES}.
      - '{LOGS} members write their logs to {DEVICE:text}: their sequential writes become random.'
  - {when: SORTS > 0, text: 'A sort or join costs {SORT_MS:1} ms more there than on the siblings.'}
  - {when: SPILLERS > 0, text: 'Its spills cost {SPILL_MS:1} ms more.'}
  - {when: COMMITS > 0, text: 'A commit waits {BUFFER_MS:2} ms longer for the log buffer there than on the siblings.'}
evidence:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        figures: ['{PARAMETER:text}=PRESENT', usual=USUAL, members_with_usual=WITH_USUAL, like_members=LIKE_MEMBERS]
      - when: OBJECT_TYPE = 'TABLESPACE'
        figures: [containers=CONTAINERS, containers_max=MAX_CONTAINERS, TOTAL_PAGES=PAGES, TOTAL_PAGES_max=MAX_PAGES]
      - figures: [device=DEVICE:text, logs=LOGS]
references:
  - x445, "Balancing the hardware"
  - vmware-netapp, appendix A
why: >-
  All members work on each large statement, and the slowest one determines its end. A member with different settings
  slows down the others. Often it was forgotten in a change.
not_if: >-
  No value is shared by more than half of the similar members; the value is AUTOMATIC or COMPUTED on either side
  (members may be excluded from STMM deliberately) or a change is pending; the host has different processors or memory;
  the member holds the catalog, or no distributed tables. Containers of automatic storage and SMS grow with the data.
  Log devices that also hold data belong to log.shares-data-device; flash and pooled devices serve several logs.
note: >-
  UPDATE DB CFG selects one member with MEMBER, before 10.1 with DBPARTITIONNUM. Free paths on a host are not known, so
  containers and logs are manual steps. A smaller SORTHEAP or LOGBUFSZ claims the time that sorts, spills or commits
  cost more than on the siblings. bufferpool.small-on-member compares buffer pools.
---*/
WITH LAID_OUT AS (
    SELECT
        SPACE.TBSP_NAME,
        GROUPED.MEMBER,
        COUNT(CONTAINER.CONTAINER_ID) AS CONTAINERS,
        COALESCE(SUM(CONTAINER.TOTAL_PAGES), 0) AS PAGES
    FROM TUNE.TABLESPACE AS SPACE
    INNER JOIN TUNE.GROUP_MEMBER AS GROUPED
        ON
            SPACE.DBPGNAME = GROUPED.DBPGNAME
            AND GROUPED.PARTITIONS >= 2
            AND GROUPED.PART > 0
            AND GROUPED.HOLDS_CATALOG = 0
    LEFT JOIN TUNE.CONTAINER AS CONTAINER ON SPACE.TBSP_NAME = CONTAINER.TBSP_NAME AND GROUPED.MEMBER = CONTAINER.MEMBER
    WHERE SPACE.TBSP_USING_AUTO_STORAGE = 0 AND SPACE.TBSP_TYPE = 'DMS'
    GROUP BY SPACE.TBSP_NAME, GROUPED.MEMBER
),
MEMBER_CONTAINERS AS (
    -- Each member's part of every table space whose containers were created manually (DMS without automatic storage)
    -- and whose tables are spread over several partitions, one row each: CONTAINERS and PAGES there, the least and the
    -- most of each on one member, and PLACE, 1 for the member with the least. The catalog partition is left out.
    SELECT
        TBSP_NAME,
        MEMBER,
        CONTAINERS,
        PAGES,
        MIN(CONTAINERS) OVER (PARTITION BY TBSP_NAME) AS MIN_CONTAINERS,
        MAX(CONTAINERS) OVER (PARTITION BY TBSP_NAME) AS MAX_CONTAINERS,
        MIN(PAGES) OVER (PARTITION BY TBSP_NAME) AS MIN_PAGES,
        MAX(PAGES) OVER (PARTITION BY TBSP_NAME) AS MAX_PAGES,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY CONTAINERS, PAGES, MEMBER) AS PLACE
    FROM LAID_OUT
),
ALIKE AS (
    SELECT
        M.MEMBER,
        DENSE_RANK() OVER (
            ORDER BY
                M.CPUS, M.HOST_MEMBERS, ROUND(CAST(M.MEMORY_TOTAL AS DOUBLE) / NULLIF(O.MEMORY_STEP_MB, 0))
        ) AS HARDWARE
    FROM TUNE.SPREAD_MEMBER AS M
    CROSS JOIN TUNE.O_CONFIG_MEMBER_ASYMMETRY AS O
    WHERE M.HOLDS_CATALOG = 0
),
MEMBER_SETTING AS (
    SELECT
        C.MEMBER,
        UPPER(C.NAME) AS PARAMETER,
        C.NUM AS PRESENT,
        A.HARDWARE,
        A.LIKE_MEMBERS,
        COUNT(*) OVER (PARTITION BY A.HARDWARE, C.NAME, C.NUM) AS WITH_SAME
    FROM (SELECT ALIKE.*, COUNT(*) OVER (PARTITION BY HARDWARE) AS LIKE_MEMBERS FROM ALIKE) AS A
    INNER JOIN TUNE.CONFIG AS C ON A.MEMBER = C.MEMBER AND C.SCOPE = 'DB'
    INNER JOIN TUNE.D_DBCFG AS F ON C.MEMBER = F.MEMBER AND C.NAME = LOWER(F.NAME)
    WHERE
        C.NAME IN (
            'sortheap', 'logbufsz', 'chngpgs_thresh', 'num_ioservers', 'num_iocleaners', 'locklist', 'pckcachesz',
            'database_memory'
        )
        AND C.AUTOMATIC = 0 AND C.PENDING = 0 AND C.NUM >= 0 AND COALESCE(F.VALUE_FLAGS, 'NONE') <> 'COMPUTED'
),
COMPARED AS (
    -- at most one value can be the value of more than half
    SELECT
        MEMBER_SETTING.*,
        MAX(CASE WHEN 2 * WITH_SAME > LIKE_MEMBERS THEN PRESENT END) OVER (PARTITION BY HARDWARE, PARAMETER) AS USUAL,
        MAX(CASE WHEN 2 * WITH_SAME > LIKE_MEMBERS THEN WITH_SAME END) OVER (PARTITION BY HARDWARE, PARAMETER)
            AS WITH_USUAL
    FROM MEMBER_SETTING
),
LOGS AS (
    SELECT
        H.HOST_NAME,
        L.DEVICE,
        COUNT(*) AS LOGS
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
    WHERE L.DATA_TOO = 0 AND L.ROTATIONAL = 1 AND L.POOLED IS NULL
    GROUP BY H.HOST_NAME, L.DEVICE
),
BEHIND AS (
    -- what a setting that is too small costs a member more than its siblings
    SELECT
        MEMBER,
        CASE MEASURE WHEN 'LOG_BUFFER' THEN 'LOGBUFSZ' ELSE 'SORTHEAP' END AS PARAMETER,
        MAX(CASE MEASURE WHEN 'SORT' THEN EVENTS END) AS SORTS,
        MAX(CASE MEASURE WHEN 'SORT' THEN EXCESS END) AS SORT_MS,
        MAX(CASE MEASURE WHEN 'SPILL' THEN EVENTS END) AS SPILLERS,
        MAX(CASE MEASURE WHEN 'SPILL' THEN EXCESS END) AS SPILL_MS,
        MAX(CASE MEASURE WHEN 'LOG_BUFFER' THEN EVENTS END) AS COMMITS,
        MAX(CASE MEASURE WHEN 'LOG_BUFFER' THEN EXCESS END) AS BUFFER_MS
    FROM TUNE.SIBLING
    WHERE FAR = 1 AND MEASURE IN ('SORT', 'SPILL', 'LOG_BUFFER')
    GROUP BY MEMBER, CASE MEASURE WHEN 'LOG_BUFFER' THEN 'LOGBUFSZ' ELSE 'SORTHEAP' END
),
FOUND (OBJECT_TYPE, OBJECT_NAME, MEMBER, PARAMETER) AS (
    SELECT 'DATABASE' AS OBJECT_TYPE, D.DB_NAME || ' ' || C.PARAMETER AS OBJECT_NAME, C.MEMBER, C.PARAMETER
    FROM COMPARED AS C
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE C.PRESENT <> C.USUAL
    UNION ALL
    SELECT 'TABLESPACE', C.TBSP_NAME, C.MEMBER, CAST(NULL AS VARCHAR(128))
    FROM MEMBER_CONTAINERS AS C
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE C.PLACE = 1 AND (C.MIN_CONTAINERS < C.MAX_CONTAINERS OR C.MIN_PAGES < (1 - CONST.EQUAL_PART) * C.MAX_PAGES)
    UNION ALL
    SELECT 'HOST', HOST_NAME || ' ' || DEVICE, CAST(NULL AS SMALLINT), CAST(NULL AS VARCHAR(128))
    FROM LOGS
    WHERE LOGS >= 2
)
SELECT
    F.OBJECT_TYPE, F.OBJECT_NAME, F.MEMBER, S.PARAMETER, S.PRESENT, S.USUAL, S.WITH_USUAL, S.LIKE_MEMBERS, C.CONTAINERS,
    C.PAGES, C.MAX_CONTAINERS, C.MAX_PAGES, L.HOST_NAME, L.DEVICE, L.LOGS,
    CASE
        WHEN S.PARAMETER IN ('LOGBUFSZ', 'LOCKLIST', 'PCKCACHESZ', 'DATABASE_MEMORY') THEN 4 * (S.USUAL - S.PRESENT)
        ELSE 0
    END AS MEMORY_DELTA_KB,
    B.SORTS, B.SORT_MS, B.SPILLERS, B.SPILL_MS, B.COMMITS, B.BUFFER_MS
FROM FOUND AS F
LEFT JOIN COMPARED AS S ON F.MEMBER = S.MEMBER AND F.PARAMETER = S.PARAMETER
LEFT JOIN MEMBER_CONTAINERS AS C
    ON F.OBJECT_TYPE = 'TABLESPACE' AND F.MEMBER = C.MEMBER AND F.OBJECT_NAME = C.TBSP_NAME
LEFT JOIN LOGS AS L ON F.OBJECT_TYPE = 'HOST' AND F.OBJECT_NAME = L.HOST_NAME || ' ' || L.DEVICE
LEFT JOIN BEHIND AS B ON S.MEMBER = B.MEMBER AND S.PARAMETER = B.PARAMETER AND S.PRESENT < S.USUAL
