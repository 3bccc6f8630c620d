/*---
rule: storage.path-and-queue
title: Paths or queues of the storage are not used to the full
lane: housekeeping
takes_effect: host change
applies: {not: [managed]}
judged_by: host
needs: [host.device, container.CONTAINER_NAME]
asks: [host.paths, host.queue_depth]
object: HOST {HOST_NAME:text}
confidence: 0.3
thresholds:
  max_depth: {default: 32, from: vmware-netapp, why: the default of its adapters; deeper queues are not advised to grow}
  new_depth: {default: 64, from: vmware-netapp, why: what it set}
  full_part:
    default: 0.8
    from: own
    why: of its depth, what the queue holds on average when it is nearly always full
actions:
  - when: KIND = 'policy'
    set: {kind: DEVICE, object: '{DEVICE:text}', name: PATH_POLICY, from: '{PATH_POLICY:text}', to: round-robin}
  - when: KIND = 'policy'
    manual: >-
      Let {DEVICE:text} use all its {PATHS} paths: round-robin or service-time (on ESX: native multipathing, round
      robin, with ALUA).
    undo: {manual: 'Set the policy of {DEVICE:text} to {PATH_POLICY:text}.'}
  - when: KIND = 'queue'
    set: {kind: DEVICE, object: '{DEVICE:text}', name: QUEUE_DEPTH, from: '{QUEUE_DEPTH}', to: '{COMMAND_DEPTH}'}
  - when: KIND = 'queue' AND COMMAND_DEPTH IS NULL
    manual: Let the paths of {DEVICE:text} take {NEW_DEPTH} requests at once (now {QUEUE_DEPTH}).
    undo: {manual: 'Set the queue depth back to {QUEUE_DEPTH}.'}
  - when: COMMAND_DEPTH > 0
    manual: 'Keep it over a reboot: a udev rule, or the queue depth of the adapter''s driver.'
  - when: KIND = 'queue' AND TRANSPORT = 'iscsi'
    manual: 'iSCSI: let storage and initiator take 256 requests a session (default 128).'
finding: >-
  Of the devices that hold data, {POLICIES} with several paths keep to one, and {QUEUES} with a short queue have it
  full.
evidence:
  - device=DEVICE:text
  - when: KIND = 'policy'
    figures: [path_policy=PATH_POLICY:text, paths=PATHS]
  - when: KIND = 'queue'
    figures: [queue_depth=QUEUE_DEPTH, queue_length=QUEUE_LENGTH:1]
references:
  - vmware-netapp, section 5.2 (round robin with ALUA, queue depth 64, 256 requests a session)
  - system-z, use as many paths as possible
why: >-
  A policy that keeps to one path leaves the others idle until it fails. A full queue on the host makes requests wait
  there that the array could already sort and serve.
not_if: >-
  One path; a policy that uses all, or one that is not known to keep to one path; NVMe; a queue that is deeper than 32
  or has room; the fact is not known.
note: >-
  Policies are many and new ones come (historical-service-time, io-affinity, those of the vendors): only the names of
  those that keep to one path until it fails are known here. Array vendors state limits for the depth over all hosts:
  ask them first. Slow reads are claimed once, by storage.io-latency-high; here is what to set. A device that the
  multipath driver puts together has no depth of its own, so only plain block devices of Linux get the command. On ESX
  policy and depth are the host's: there they are facts that a person tells.
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
