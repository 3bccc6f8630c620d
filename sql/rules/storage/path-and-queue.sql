/*---
rule: storage.path-and-queue
title: Storage paths or queues are underused
lane: housekeeping
takes_effect: host change
steps_need: host
judged_by: host
needs: [host.device, container.CONTAINER_NAME, system.HOST_NAME]
asks: [host.paths, host.queue_depth]
object: HOST {HOST_NAME:text}
confidence: 0.3
thresholds:
  max_depth:
    default: 32
    from: vmware-netapp
    why: the default of the paper's adapters; the rule does not raise deeper queues
  new_depth: {default: 64, from: vmware-netapp, why: the value used in the paper}
  full_part:
    default: 0.8
    from: own
    why: average part of the depth in a queue that is nearly always full
actions:
  - when: KIND = 'policy'
    set: {kind: DEVICE, object: '{DEVICE:text}', name: PATH_POLICY, from: '{PATH_POLICY:text}', to: round-robin}
  - when: KIND = 'policy'
    manual: >-
      Use all {PATHS} paths of {DEVICE:text}: round-robin or service-time (on ESX: native multipathing, round robin,
      with ALUA).
    undo: {manual: 'Set the policy of {DEVICE:text} to {PATH_POLICY:text}.'}
  - when: KIND = 'queue'
    set: {kind: DEVICE, object: '{DEVICE:text}', name: QUEUE_DEPTH, from: '{QUEUE_DEPTH}', to: '{COMMAND_DEPTH}'}
  - when: KIND = 'queue' AND COMMAND_DEPTH IS NULL
    manual: Allow {NEW_DEPTH} concurrent requests on the paths of {DEVICE:text} (now {QUEUE_DEPTH}).
    undo: {manual: 'Set the queue depth back to {QUEUE_DEPTH}.'}
  - when: COMMAND_DEPTH > 0
    manual: Make the change permanent with a udev rule, or with the queue depth of the adapter's driver.
  - when: KIND = 'queue' AND TRANSPORT = 'iscsi'
    manual: Allow 256 iSCSI requests per session on storage and initiator (default 128).
finding: 'Data devices with several paths but only one in use: {POLICIES}; with a short, full queue: {QUEUES}.'
evidence:
  - device=DEVICE:text
  - when: KIND = 'policy'
    figures: [path_policy=PATH_POLICY:text, paths=PATHS]
  - when: KIND = 'queue'
    figures: [queue_depth=QUEUE_DEPTH, queue_length=QUEUE_LENGTH:1]
references:
  - vmware-netapp, section 5.2 (round robin with ALUA, queue depth 64, 256 requests per session)
  - system-z, use as many paths as possible
why: >-
  A failover-only policy leaves the other paths idle. With a full queue on the host, requests wait there instead of in
  the array, which could already sort and serve them.
not_if: >-
  One path; a policy that uses all paths, or is not known to use one only; NVMe; a queue that is deeper than 32 or has
  space; the fact is unknown.
note: >-
  There are many policies, and new ones appear (historical-service-time, io-affinity, vendors' policies): the rule knows
  only those that use one path until it fails. Array vendors document limits for the depth over all hosts: check these
  first. storage.io-latency-high claims slow reads; this rule gives the settings. A multipath device has no depth
  itself, so only plain Linux block devices get the command. On ESX the host sets policy and depth: there they are
  manual facts.
---*/
WITH FOUND AS (
    SELECT
        D.*,
        K.KIND,
        FLOOR(O.NEW_DEPTH) AS NEW_DEPTH
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_PATH_AND_QUEUE AS O
    CROSS JOIN (VALUES ('policy'), ('queue')) AS K (KIND)
    WHERE
        (
            K.KIND = 'policy'
            AND D.PATHS >= 2
            AND (
                D.PATH_POLICY IN ('none', 'single', 'manual', 'most recently used', 'active-passive', 'active/passive')
                OR D.PATH_POLICY LIKE 'fail%over%' OR D.PATH_POLICY LIKE '%fixed%' OR D.PATH_POLICY LIKE '%mru%'
            )
        )
        OR (
            K.KIND = 'queue'
            AND D.QUEUE_DEPTH <= O.MAX_DEPTH
            AND D.QUEUE_LENGTH >= O.FULL_PART * D.QUEUE_DEPTH
            AND COALESCE(D.TRANSPORT, '-') <> 'nvme'
        )
)
SELECT
    F.HOST AS HOST_NAME,
    F.KIND,
    F.DEVICE,
    F.TRANSPORT,
    FLOOR(F.PATHS) AS PATHS,
    F.PATH_POLICY,
    F.QUEUE_DEPTH,
    F.QUEUE_LENGTH,
    F.NEW_DEPTH,
    CASE
        WHEN F.KIND = 'queue' AND B.PLATFORM = 'Linux' AND F.DEVICE LIKE 'sd%' AND F.DEVICE NOT LIKE '%/%'
            THEN F.NEW_DEPTH
    END AS COMMAND_DEPTH,
    SUM(CASE WHEN F.KIND = 'policy' THEN 1 ELSE 0 END) OVER (PARTITION BY F.HOST) AS POLICIES,
    SUM(CASE WHEN F.KIND = 'queue' THEN 1 ELSE 0 END) OVER (PARTITION BY F.HOST) AS QUEUES
FROM FOUND AS F
CROSS JOIN TUNE.RUN_DATABASE AS B
