/*---
rule: os.ipc-limits
title: Kernel IPC limits below Db2's requirements
lane: condition
takes_effect: host change
applies: {platform: [Linux]}
steps_need: host
judged_by: host
needs: [host.shmmni, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: 0.9
unit: kernel parameter
actions:
  - when: NEED_MSGMAX IS NOT NULL
    set: {name: kernel.msgmax, from: '{MSGMAX}', to: '{NEED_MSGMAX}'}
  - {when: NEED_MSGMAX IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.msgmax = {NEED_MSGMAX}'}
  - when: NEED_MSGMNB IS NOT NULL
    set: {name: kernel.msgmnb, from: '{MSGMNB}', to: '{NEED_MSGMNB}'}
  - {when: NEED_MSGMNB IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.msgmnb = {NEED_MSGMNB}'}
  - when: NEED_MSGMNI IS NOT NULL
    set: {name: kernel.msgmni, from: '{MSGMNI}', to: '{NEED_MSGMNI}'}
  - {when: NEED_MSGMNI IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.msgmni = {NEED_MSGMNI}'}
  - when: NEED_SEMMNI IS NOT NULL
    set:
      name: kernel.sem
      from: '{SEMMSL} {SEMMNS} {SEMOPM} {SEMMNI}'
      to: '{NEED_SEMMSL} {NEED_SEMMNS} {NEED_SEMOPM} {NEED_SEMMNI}'
  - when: NEED_SEMMNI IS NOT NULL
    manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.sem = {NEED_SEMMSL} {NEED_SEMMNS} {NEED_SEMOPM} {NEED_SEMMNI}'
  - when: NEED_SHMALL IS NOT NULL
    set: {name: kernel.shmall, from: '{SHMALL}', to: '{NEED_SHMALL}'}
  - {when: NEED_SHMALL IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.shmall = {NEED_SHMALL}'}
  - when: NEED_SHMMAX IS NOT NULL
    set: {name: kernel.shmmax, from: '{SHMMAX}', to: '{NEED_SHMMAX}'}
  - {when: NEED_SHMMAX IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.shmmax = {NEED_SHMMAX}'}
  - when: NEED_SHMMNI IS NOT NULL
    set: {name: kernel.shmmni, from: '{SHMMNI}', to: '{NEED_SHMMNI}'}
  - {when: NEED_SHMMNI IS NOT NULL, manual: 'Keep it in /etc/sysctl.d/99-db2.conf: kernel.shmmni = {NEED_SHMMNI}'}
finding: >-
  Kernel limits below Db2's requirements for this host ({TOO_LOW}):[ kernel.msgmax is {MSGMAX} instead of
  {NEED_MSGMAX}.][ kernel.msgmnb is {MSGMNB} instead of {NEED_MSGMNB}.][ kernel.msgmni is {MSGMNI} instead of
  {NEED_MSGMNI}.][ kernel.sem is {SEMMSL} {SEMMNS} {SEMOPM} {SEMMNI} instead of {NEED_SEMMSL} {NEED_SEMMNS}
  {NEED_SEMOPM} {NEED_SEMMNI}.][ kernel.shmall is {SHMALL} instead of {NEED_SHMALL}.][ kernel.shmmax is {SHMMAX} instead
  of {NEED_SHMMAX}.][ kernel.shmmni is {SHMMNI} instead of {NEED_SHMMNI}.]
query: ipcs -l
evidence: [limits_too_low=TOO_LOW, 'kernel.msgmax=MSGMAX?', 'kernel.msgmnb=MSGMNB?', 'kernel.msgmni=MSGMNI?',
  'semmsl=SEMMSL?', 'semmns=SEMMNS?', 'semopm=SEMOPM?', 'semmni=SEMMNI?', 'kernel.shmall=SHMALL?',
  'kernel.shmmax=SHMMAX?', 'kernel.shmmni=SHMMNI?']
references:
  - IBM documentation "Kernel parameter requirements (Linux)" (c0057140) for 9.7 fix pack 2 and later
  - system-z, kernel parameters (1) to (3), for older levels
why: >-
  If the kernel refuses shared memory, semaphores or message queues, activations and connections fail: under load, not
  when the limit is set.
not_if: The limits are sufficient or unknown; a container, because its host sets the limits.
note: >-
  Since 9.7 fix pack 2, db2start of a root installation raises low limits until the host restarts; other installations
  do not. Since 11.5, SEMMNS is at least SEMMNI. The rule never lowers a limit. Before fix pack 2 IBM's requirements are
  few: the paper's table applies, with the row at or below the memory.
---*/
WITH WANTED AS (
    SELECT
        K.*,
        A.SEMMSL,
        A.SEMMNS,
        A.SEMOPM,
        A.SEMMNI,
        CAST(100 - CONST.TOLERANCE_PCT AS DOUBLE) / 100 AS ENOUGH,
        -- the requirements of the manual (c0057140); more than 32,768 is refused
        65536 AS WANT_BYTES,
        250 AS WANT_SEMMSL,
        256000 AS WANT_SEMMNS,
        32 AS WANT_SEMOPM,
        FLOOR(LEAST(32000, CASE WHEN B.FIXPACK_2 = 1 THEN 256 * K.WHOLE_GB ELSE 4096 END))
            AS WANT_SHMMNI,
        FLOOR(LEAST(32000, CASE WHEN B.FIXPACK_2 = 1 THEN 256 * K.WHOLE_GB ELSE 1024 END))
            AS WANT_SEMMNI,
        FLOOR(LEAST(32000, CASE WHEN B.FIXPACK_2 = 1 THEN 1024 * K.WHOLE_GB ELSE 1024 END))
            AS WANT_MSGMNI,
        CASE WHEN B.FIXPACK_2 = 1 THEN 1048576 * K.MEMORY_TOTAL ELSE S.SHMMAX END AS WANT_SHMMAX,
        CASE WHEN B.FIXPACK_2 = 1 THEN K.TWICE_MEMORY_PAGES ELSE S.SHMALL END AS WANT_SHMALL
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN (SELECT CASE WHEN DB2_LEVEL >= 9070002 THEN 1 ELSE 0 END AS FIXPACK_2 FROM TUNE.RUN_DATABASE) AS B
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.HOST_SEMAPHORE AS A ON K.HOST_NAME = A.HOST
    -- the paper's table: the size in GB from which a row applies
    LEFT JOIN (
        SELECT V.GB, V.NEXT_GB, V.SHMALL, V.SHMMAX
        FROM (VALUES
            (2, 4, 400000, 1700000000),
            (4, 8, 912600, 3774873600),
            (8, 12, 1971200, 8074035200),
            (12, 16, 3020800, 12373196800),
            (16, 20, 4070400, 16672358400),
            (20, 24, 5120000, 20971520000),
            (24, 1000000, 6169600, 25270681600)
        ) AS V (GB, NEXT_GB, SHMALL, SHMMAX)
    ) AS S ON K.RAM_GB >= S.GB AND K.RAM_GB < S.NEXT_GB
    WHERE K.TYPE <> 'docker'
),
NEEDED AS (
    -- the required value of each limit, NULL if it is enough or unknown
    SELECT
        W.*,
        CASE WHEN MSGMAX < ENOUGH * WANT_BYTES THEN WANT_BYTES END AS NEED_MSGMAX,
        CASE WHEN MSGMNB < ENOUGH * WANT_BYTES THEN WANT_BYTES END AS NEED_MSGMNB,
        CASE WHEN MSGMNI < ENOUGH * WANT_MSGMNI THEN WANT_MSGMNI END AS NEED_MSGMNI,
        CASE WHEN SHMALL < ENOUGH * WANT_SHMALL THEN WANT_SHMALL END AS NEED_SHMALL,
        CASE WHEN SHMMAX < ENOUGH * WANT_SHMMAX THEN WANT_SHMMAX END AS NEED_SHMMAX,
        CASE WHEN SHMMNI < ENOUGH * WANT_SHMMNI THEN WANT_SHMMNI END AS NEED_SHMMNI,
        CASE
            WHEN
                SEMMSL < WANT_SEMMSL OR SEMMNS < WANT_SEMMNS OR SEMOPM < WANT_SEMOPM OR SEMMNI < ENOUGH * WANT_SEMMNI
                THEN GREATEST(SEMMNI, WANT_SEMMNI)
        END AS NEED_SEMMNI
    FROM WANTED AS W
),
COUNTED AS (
    SELECT
        N.*,
        CASE WHEN NEED_MSGMAX IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_MSGMNB IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_MSGMNI IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_SEMMNI IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_SHMALL IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_SHMMAX IS NULL THEN 0 ELSE 1 END
        + CASE WHEN NEED_SHMMNI IS NULL THEN 0 ELSE 1 END AS TOO_LOW
    FROM NEEDED AS N
)
SELECT
    HOST_NAME, MSGMAX, MSGMNB, MSGMNI, SEMMSL, SEMMNS, SEMOPM, SEMMNI, SHMALL, SHMMAX, SHMMNI,
    NEED_MSGMAX, NEED_MSGMNB, NEED_MSGMNI, NEED_SEMMNI, NEED_SHMALL, NEED_SHMMAX, NEED_SHMMNI,
    GREATEST(SEMMSL, WANT_SEMMSL) AS NEED_SEMMSL,
    GREATEST(SEMMNS, WANT_SEMMNS) AS NEED_SEMMNS,
    GREATEST(SEMOPM, WANT_SEMOPM) AS NEED_SEMOPM,
    TOO_LOW
FROM COUNTED
WHERE TOO_LOW > 0
