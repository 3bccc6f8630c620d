-- rule:       storage.array-layout
-- title:      The arrays are laid out against the load
-- area:       storage
-- lane:       H
-- effect:     HR
-- applies:    not=managed
-- judged-by:  host
-- confidence: 0.3
-- needs:      host.device, container.CONTAINER_NAME
-- asks:       host.raid_level, host.strip_kb, host.adapter, host.start_sector, host.snapshots
-- threshold:  min_scan_pct = 5 -- [prop] percent of database time of scans, from which the array should suit scans
-- threshold:  min_strip_kb = 64 -- [seed 000] what it recommends for large sequential reads
-- threshold:  align_kb = 4 -- [prop] what a partition must start at where no strip is known: the block of the storage
-- threshold:  min_disks = 4 -- [prop] so many disks are worth a second adapter
-- threshold:  node_difference = 2 -- [prop] adapters that one NUMA node has more than another
-- object:     HOST {HOST_NAME:text}: {KIND:text}
-- by-hand:    when KIND = 'RAID level': {DEVICE:text} is RAID {RAID_LEVEL:text}: scans read fastest from RAID 0, then
--             50, 10, 5, 5E, 1; with protection use 50.
-- by-hand:    else when KIND = 'strip size': {DEVICE:text} has a strip of {STRIP_KB} KB: for scans use {MIN_STRIP_KB}
--             KB or more when it is set up anew.
-- by-hand:    else when KIND = 'partition alignment': {DEVICE:text} has its data partition at sector {START_SECTOR},
--             which is no multiple of {ALIGN_KB} KB: check with parted /dev/{DEVICE:shell} align-check optimal 1, and
--             make it anew from 1 MB on.
-- by-hand:    else when KIND = 'one adapter': {DEVICE:text} and all other data, {DISKS} disks, hang on {ADAPTER:text}:
--             spread them over adapters, controllers, ranks and channels, changing at each disk.
-- by-hand:    else when KIND = 'adapters of NUMA nodes': {DEVICE:text} and the others hang on {MOST_ADAPTERS} adapters
--             of one NUMA node and {LEAST_ADAPTERS} of another: give each node the same number.
-- by-hand:    else when KIND = 'slow slot': {DEVICE:text} hangs on an adapter that runs below its link speed: look with
--             lspci -vv (LnkSta), and give it a faster slot.
-- by-hand:    else when KIND = 'volume options': {DEVICE:text} lies on a volume with options for file shares:[ switch
--             {SNAPSHOTS_ON:text} off;][ switch {ATIME_ON:text} off;][ set {RESERVE_SET:text} to 0;] a database is
--             backed up by its own schedule.
-- by-hand:    else: {DEVICE:text} is cached in mode {CACHE_MODE:text}: random reads were fastest with tunedasd -c
--             record /dev/{DEVICE:shell}.
-- undo-by-hand: Set the storage up as it was.
-- finding:    when DEVICES = 1: Of the devices that hold data, 1 needs a look at: {KIND:text}.
-- finding:    else: Of the devices that hold data, {DEVICES} need a look at: {KIND:text}.
-- evidence:   device=DEVICE:text
-- evidence:   when KIND = 'RAID level': raid_level=RAID_LEVEL:text
-- evidence:   else when KIND = 'strip size': strip_kb=STRIP_KB
-- evidence:   else when KIND = 'partition alignment': start_sector=START_SECTOR
-- evidence:   else when KIND = 'one adapter': adapter=ADAPTER:text, disks=DISKS
-- evidence:   else when KIND = 'adapters of NUMA nodes': most_adapters=MOST_ADAPTERS, least_adapters=LEAST_ADAPTERS
-- evidence:   else when KIND = 'slow slot': link_downgraded=LINK_DOWNGRADED
-- evidence:   else when KIND = 'volume options': snapshots=SNAPSHOTS?, atime=ATIME?, snap_reserve_pct=SNAP_RESERVE_PCT?
-- evidence:   else: cache_mode=CACHE_MODE:text
-- source:     000_9a1c354496f94ea4.txt, "I/O adapter" and figure 3 (RAID levels for sequential reads, in this order: 0,
--             50, 10, 5, 5E, 1); 001_518820f6be7b57c0.txt, rules for selecting disks, and cache modes;
--             002_e991ec30bbd9209f.txt, section 5.2 (alignment, volume options)
-- why:        A scan is as fast as the disks, the adapter and the path behind it together. A partition that starts in
--             the middle of a block makes the storage touch two for one; disks behind one adapter wait for it.
-- not-if:     The fact is not known; flash or a volume of a pool, for what is about disks; no scans for analysis, for
--             RAID level and strip; fewer than four disks on one adapter.
-- note:       A checklist of what the host and people told: each item is a line of its own, and none claims time. Slow
--             reads are claimed once, by storage.io-latency-high, which sends here. The papers measured none of the
--             items alone. RAID 5 is named for scans only. Cache mode "record" was best on one storage server (ESS)
--             with Linux on System z; later ones (DS6000, DS8000) divide their cache by themselves.
WITH DEVICES AS (
    SELECT
        D.*,
        CASE WHEN D.SCAN_PCT >= O.MIN_SCAN_PCT AND D.POOLED = 0 AND D.ROTATIONAL = 1 THEN 1 ELSE 0 END AS SCANNED,
        FLOOR(COALESCE(D.STRIP_KB, O.ALIGN_KB)) AS ALIGN_KB,
        A.ADAPTER AS ONLY_ADAPTER,
        A.DISKS,
        A.MOST_ADAPTERS,
        A.LEAST_ADAPTERS
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
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
