-- rule:      storage.path-and-queue
-- title:     Paths or queues of the storage are not used to the full
-- area:      storage
-- lane:      H
-- effect:    HR
-- applies:   not=managed
-- evidence:  host
-- needs:     host.device, container.CONTAINER_NAME
-- asks:      host.paths, host.queue_depth
-- threshold: max_depth = 32 -- [seed 002] the default of its adapters; deeper queues are not advised to grow
-- threshold: new_depth = 64 -- [seed 002] what it set
-- threshold: full_part = 0.8 -- [prop] of its depth, what the queue holds on average when it is nearly always full
-- source:    002_e991ec30bbd9209f.txt, section 5.2 (round robin with ALUA, queue depth 64, 256 requests a session);
--            001_518820f6be7b57c0.txt, use as many paths as possible
-- why:       A policy that keeps to one path leaves the others idle until it fails. A full queue on the host makes
--            requests wait there that the array could already sort and serve.
-- not-if:    One path, or a policy that uses all; NVMe; a queue that is deeper than 32 or has room; the fact is not
--            known.
-- note:      Array vendors state limits for the depth over all hosts: ask them first. Slow reads are claimed once, by
--            storage.io-latency-high; here is what to set. A device that the multipath driver puts together has no
--            depth of its own, so only plain block devices of Linux get the command. On ESX policy and depth are
--            the host's: there they are facts that a person tells.
WITH FULL_QUEUE AS (
    SELECT
        D.*,
        CASE
            WHEN B.PLATFORM = 'Linux' AND D.DEVICE LIKE 'sd%' AND D.DEVICE NOT LIKE '%/%' THEN 1
            ELSE 0
        END AS PLAIN,
        CAST(CAST(FLOOR(O.NEW_DEPTH) AS BIGINT) AS VARCHAR(20)) AS NEW_TEXT,
        CAST(D.QUEUE_DEPTH AS VARCHAR(20)) AS OLD_TEXT
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.RUN_DATABASE AS B
    CROSS JOIN TUNE.O_STORAGE_PATH_AND_QUEUE AS O
    WHERE
        D.QUEUE_DEPTH <= O.MAX_DEPTH
        AND D.QUEUE_LENGTH >= O.FULL_PART * D.QUEUE_DEPTH
        AND COALESCE(D.TRANSPORT, '-') <> 'nvme'
),
ITEM (HOST, KIND, DEVICE, OLD_VALUE, NEW_VALUE, ACTION_TEXT, UNDO_TEXT, FACT) AS (
    SELECT
        HOST,
        'path policy' AS KIND,
        DEVICE,
        PATH_POLICY AS OLD_VALUE,
        'round-robin' AS NEW_VALUE,
        '-- Let ' || DEVICE || ' use all its ' || CAST(CAST(FLOOR(PATHS) AS BIGINT) AS VARCHAR(20))
        || ' paths: round-robin or service-time (on ESX: native multipathing, round robin, with ALUA).' AS ACTION_TEXT,
        '-- Set the policy of ' || DEVICE || ' to ' || PATH_POLICY || '.' AS UNDO_TEXT,
        'path_policy=' || PATH_POLICY || '; paths=' || CAST(CAST(FLOOR(PATHS) AS BIGINT) AS VARCHAR(20)) AS FACT
    FROM TUNE.DATA_DEVICE
    WHERE
        PATHS >= 2
        AND PATH_POLICY NOT IN ('round-robin', 'round_robin', 'service-time', 'queue-length', 'shortest_queue')
    UNION ALL
    SELECT
        HOST,
        'queue depth',
        DEVICE,
        OLD_TEXT,
        NEW_TEXT,
        CASE
            WHEN PLAIN = 1
                THEN 'echo ' || NEW_TEXT || ' > /sys/block/' || DEVICE || '/device/queue_depth' || CHR(10)
                || '-- Keep it over a reboot: a udev rule, or the queue depth of the adapter''s driver.'
            ELSE '-- Let the paths of ' || DEVICE || ' take ' || NEW_TEXT || ' requests at once (now ' || OLD_TEXT
                || ').'
        END
        || CASE
            WHEN TRANSPORT = 'iscsi'
                THEN CHR(10) || '-- iSCSI: let storage and initiator take 256 requests a session (default 128).'
            ELSE ''
        END,
        CASE
            WHEN PLAIN = 1 THEN 'echo ' || OLD_TEXT || ' > /sys/block/' || DEVICE || '/device/queue_depth'
            ELSE '-- Set the queue depth back to ' || OLD_TEXT || '.'
        END,
        'queue_depth=' || OLD_TEXT
        || '; queue_length=' || CAST(CAST(ROUND(QUEUE_LENGTH, 1) AS DECIMAL(15, 1)) AS VARCHAR(20))
    FROM FULL_QUEUE
)
SELECT
    'HOST' AS OBJECT_TYPE,
    I.HOST AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'DEVICE:' || I.HOST || ':' || I.DEVICE || ':' || UPPER(REPLACE(I.KIND, ' ', '_')) AS TARGET,
    I.OLD_VALUE AS CURRENT_VALUE,
    I.NEW_VALUE AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    I.ACTION_TEXT,
    I.UNDO_TEXT,
    'device=' || I.DEVICE || '; ' || I.FACT AS EVIDENCE,
    'Of the devices that hold data, ' || CAST(I.POLICIES AS VARCHAR(20)) || ' with several paths keep to one, and '
    || CAST(I.QUEUES AS VARCHAR(20)) || ' with a short queue have it full.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM (
    SELECT
        ITEM.*,
        SUM(CASE WHEN KIND = 'path policy' THEN 1 ELSE 0 END) OVER (PARTITION BY HOST) AS POLICIES,
        SUM(CASE WHEN KIND = 'queue depth' THEN 1 ELSE 0 END) OVER (PARTITION BY HOST) AS QUEUES
    FROM ITEM
) AS I
