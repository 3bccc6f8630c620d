/*---
rule: storage.array-layout
title: Disk array layout does not fit the load
lane: housekeeping
takes_effect: host change
steps_need: host
judged_by: host
needs: [host.device, container.CONTAINER_NAME, system.HOST_NAME]
asks: [host.raid_level, host.strip_kb, host.adapter, host.start_sector, host.snapshots]
object: 'HOST {HOST_NAME:text}: {KIND:text}'
confidence: 0.3
thresholds:
  min_strip_kb: {default: 64, from: x445, why: the paper's recommendation for large sequential reads}
  align_kb:
    default: 4
    from: own
    why: block size of the storage, for a partition with unknown strip
  min_disks: {default: 4, from: own, why: this many disks justify a second adapter}
  node_difference: {default: 2, from: own, why: difference between the numbers of adapters of two NUMA nodes}
actions:
  - choose:
      - when: KIND = 'RAID level'
        manual: >-
          Choose RAID 50, which also protects the data: {DEVICE:text} is RAID {RAID_LEVEL:text}. Scans read fastest from
          RAID 0, then 50, 10, 5, 5E, 1.
      - when: KIND = 'strip size'
        manual: >-
          Use a strip of at least {MIN_STRIP_KB} KB for scans when {DEVICE:text} is set up again. It has {STRIP_KB} KB.
      - when: KIND = 'partition alignment'
        manual: >-
          Align the data partition of {DEVICE:text}: it starts at sector {START_SECTOR}, not a multiple of {ALIGN_KB}
          KB. Check with parted /dev/{DEVICE:shell} align-check optimal 1, and create it again, starting at 1 MB.
      - when: KIND = 'one adapter'
        manual: >-
          Distribute {DEVICE:text} and all other data ({DISKS} disks on {ADAPTER:text}) over adapters, controllers,
          ranks and channels, alternating with each disk.
      - when: KIND = 'adapters of NUMA nodes'
        manual: >-
          Attach the same number of adapters to each NUMA node: {DEVICE:text} and the other devices use {MOST_ADAPTERS}
          on one node and {LEAST_ADAPTERS} on another.
      - when: KIND = 'slow slot'
        manual: >-
          Use a faster slot for the adapter of {DEVICE:text}, which runs below its link speed. Check with lspci -vv
          (LnkSta).
      - when: KIND = 'volume options'
        manual: >-
          Change the volume of {DEVICE:text}, which has options for file shares:[ switch {SNAPSHOTS_ON:text} off;][
          switch {ATIME_ON:text} off;][ set {RESERVE_SET:text} to 0;] a database has its own backup schedule.
      - manual: >-
          Set cache mode record for random reads: tunedasd -c record /dev/{DEVICE:shell}. {DEVICE:text} uses mode
          {CACHE_MODE:text}; record was fastest.
    undo: {manual: Restore the previous storage setup.}
finding:
  - choose:
      - {when: DEVICES = 1, text: '1 data device needs a check: {KIND:text}.'}
      - '{DEVICES} data devices need a check: {KIND:text}.'
evidence:
  - device=DEVICE:text
  - choose:
      - when: KIND = 'RAID level'
        figures: [raid_level=RAID_LEVEL:text]
      - when: KIND = 'strip size'
        figures: [strip_kb=STRIP_KB]
      - when: KIND = 'partition alignment'
        figures: [start_sector=START_SECTOR]
      - when: KIND = 'one adapter'
        figures: [adapter=ADAPTER:text, disks=DISKS]
      - when: KIND = 'adapters of NUMA nodes'
        figures: [most_adapters=MOST_ADAPTERS, least_adapters=LEAST_ADAPTERS]
      - when: KIND = 'slow slot'
        figures: [link_downgraded=LINK_DOWNGRADED]
      - when: KIND = 'volume options'
        figures: ['snapshots=SNAPSHOTS?', 'atime=ATIME?', 'snap_reserve_pct=SNAP_RESERVE_PCT?']
      - figures: [cache_mode=CACHE_MODE:text]
references:
  - 'x445, "I/O adapter" and figure 3 (RAID levels for sequential reads, in this order: 0, 50, 10, 5, 5E, 1)'
  - system-z, rules for selecting disks, and cache modes
  - vmware-netapp, section 5.2 (alignment, volume options)
why: >-
  The slowest of disks, adapter and path limits a scan. A partition that starts within a block makes the storage access
  two blocks instead of one; disks behind one adapter wait for it.
not_if: >-
  The fact is unknown; flash or a volume of a pool, for checks of disks; no analytic scans, for RAID level and strip;
  fewer than four disks on one adapter.
note: >-
  This is a checklist from host facts and site options: one line per item, no claim. storage.io-latency-high claims slow
  reads and refers to this rule. The papers measured none of the items alone. RAID 5 is reported for scans only. Cache
  mode "record" was best on one storage server (ESS) with Linux on System z; later ones (DS6000, DS8000) divide their
  cache automatically.
---*/
WITH DEVICES AS (
    SELECT
        D.*,
        CASE WHEN D.SCAN_PCT >= SITE.HIGH_PCT AND D.POOLED = 0 AND D.ROTATIONAL = 1 THEN 1 ELSE 0 END AS SCANNED,
        FLOOR(COALESCE(D.STRIP_KB, O.ALIGN_KB)) AS ALIGN_KB,
        A.ADAPTER AS ONLY_ADAPTER,
        A.DISKS,
        A.MOST_ADAPTERS,
        A.LEAST_ADAPTERS
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN TUNE.DATA_HOST AS A ON D.HOST = A.HOST AND D.DEVICE = A.DEVICE
)
SELECT
    D.HOST AS HOST_NAME,
    K.KIND,
    D.DEVICE,
    D.RAID_LEVEL,
    D.STRIP_KB,
    FLOOR(O.MIN_STRIP_KB) AS MIN_STRIP_KB,
    D.START_SECTOR,
    D.ALIGN_KB,
    D.ONLY_ADAPTER AS ADAPTER,
    D.DISKS,
    D.MOST_ADAPTERS,
    D.LEAST_ADAPTERS,
    D.LINK_DOWNGRADED,
    D.SNAPSHOTS,
    D.ATIME,
    D.SNAP_RESERVE_PCT,
    D.CACHE_MODE,
    CASE WHEN D.SNAPSHOTS = 1 THEN 'automatic snapshots' END AS SNAPSHOTS_ON,
    CASE WHEN D.ATIME = 1 THEN 'the update of access times' END AS ATIME_ON,
    CASE WHEN D.SNAP_RESERVE_PCT > 0 THEN 'the snapshot reserve' END AS RESERVE_SET,
    COUNT(*) OVER (PARTITION BY D.HOST, K.KIND) AS DEVICES
FROM DEVICES AS D
CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
CROSS JOIN (VALUES
    ('RAID level'), ('strip size'), ('partition alignment'), ('one adapter'), ('adapters of NUMA nodes'), ('slow slot'),
    ('volume options'), ('cache mode')
) AS K (KIND)
WHERE
    (K.KIND = 'RAID level' AND D.SCANNED = 1 AND D.RAID_LEVEL IN ('1', '5', '5E'))
    OR (K.KIND = 'strip size' AND D.SCANNED = 1 AND D.STRIP_KB < O.MIN_STRIP_KB)
    OR (
        K.KIND = 'partition alignment'
        AND MOD(D.START_SECTOR, NULLIF(CAST(FLOOR(2 * COALESCE(D.STRIP_KB, O.ALIGN_KB)) AS BIGINT), 0)) <> 0
    )
    OR (K.KIND = 'one adapter' AND D.ONLY_ADAPTER IS NOT NULL AND D.DISKS >= O.MIN_DISKS)
    OR (K.KIND = 'adapters of NUMA nodes' AND D.MOST_ADAPTERS - D.LEAST_ADAPTERS >= O.NODE_DIFFERENCE)
    OR (K.KIND = 'slow slot' AND D.LINK_DOWNGRADED = 1)
    OR (K.KIND = 'volume options' AND (D.SNAPSHOTS = 1 OR D.ATIME = 1 OR D.SNAP_RESERVE_PCT > 0))
    OR (K.KIND = 'cache mode' AND D.OLTP = 1 AND D.CACHE_MODE <> 'record')
