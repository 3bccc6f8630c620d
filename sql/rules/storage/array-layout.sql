-- rule:      storage.array-layout
-- title:     The arrays are laid out against the load
-- area:      storage
-- lane:      H
-- effect:    HR
-- applies:   not=managed
-- evidence:  host
-- needs:     host.device, container.CONTAINER_NAME
-- asks:      host.raid_level, host.strip_kb, host.adapter, host.start_sector, host.snapshots
-- threshold: min_scan_pct = 5 -- [prop] percent of database time of scans, from which the array should suit scans
-- threshold: min_strip_kb = 64 -- [seed 000] what it recommends for large sequential reads
-- threshold: align_kb = 4 -- [prop] what a partition must start at where no strip is known: the block of the storage
-- threshold: min_disks = 4 -- [prop] so many disks are worth a second adapter
-- threshold: node_difference = 2 -- [prop] adapters that one NUMA node has more than another
-- source:    000_9a1c354496f94ea4.txt, "I/O adapter" and figure 3 (RAID levels for sequential reads, in this order: 0,
--            50, 10, 5, 5E, 1); 001_518820f6be7b57c0.txt, rules for selecting disks, and cache modes;
--            002_e991ec30bbd9209f.txt, section 5.2 (alignment, volume options)
-- why:       A scan is as fast as the disks, the adapter and the path behind it together. A partition that starts in
--            the middle of a block makes the storage touch two for one; disks behind one adapter wait for it.
-- not-if:    The fact is not known; flash or a volume of a pool, for what is about disks; no scans for analysis, for
--            RAID level and strip; fewer than four disks on one adapter.
-- note:      A checklist of what the host and people told: each item is a line of its own, and none claims time. Slow
--            reads are claimed once, by storage.io-latency-high, which sends here. The papers measured none of the
--            items alone. RAID 5 is named for scans only. Cache mode "record" was best on one storage server (ESS)
--            with Linux on System z; later ones (DS6000, DS8000) divide their cache by themselves.
WITH ITEM (HOST, KIND, DEVICE, ADVICE, FACT) AS (
    SELECT
        D.HOST,
        'RAID level' AS KIND,
        D.DEVICE,
        'is RAID ' || D.RAID_LEVEL || ': scans read fastest from RAID 0, then 50, 10, 5, 5E, 1; with protection use 50'
            AS ADVICE,
        'raid_level=' || D.RAID_LEVEL AS FACT
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    WHERE
        D.RAID_LEVEL IN ('1', '5', '5E') AND D.SCAN_PCT >= O.MIN_SCAN_PCT AND D.POOLED = 0 AND D.ROTATIONAL = 1
    UNION ALL
    SELECT
        D.HOST,
        'strip size',
        D.DEVICE,
        'has a strip of ' || CAST(D.STRIP_KB AS VARCHAR(20)) || ' KB: for scans use '
        || CAST(CAST(FLOOR(O.MIN_STRIP_KB) AS BIGINT) AS VARCHAR(20)) || ' KB or more when it is set up anew',
        'strip_kb=' || CAST(D.STRIP_KB AS VARCHAR(20))
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    WHERE
        D.STRIP_KB < O.MIN_STRIP_KB AND D.SCAN_PCT >= O.MIN_SCAN_PCT AND D.POOLED = 0 AND D.ROTATIONAL = 1
    UNION ALL
    SELECT
        D.HOST,
        'partition alignment',
        D.DEVICE,
        'has its data partition at sector ' || CAST(D.START_SECTOR AS VARCHAR(20)) || ', which is no multiple of '
        || CAST(CAST(FLOOR(COALESCE(D.STRIP_KB, O.ALIGN_KB)) AS BIGINT) AS VARCHAR(20))
        || ' KB: check with parted /dev/' || D.DEVICE || ' align-check optimal 1, and make it anew from 1 MB on',
        'start_sector=' || CAST(D.START_SECTOR AS VARCHAR(20))
    FROM TUNE.DATA_DEVICE AS D
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    WHERE
        MOD(D.START_SECTOR, NULLIF(CAST(FLOOR(2 * COALESCE(D.STRIP_KB, O.ALIGN_KB)) AS BIGINT), 0)) <> 0
    UNION ALL
    SELECT
        A.HOST,
        'one adapter',
        A.DEVICE,
        'and all other data, ' || CAST(A.DISKS AS VARCHAR(20)) || ' disks, hang on ' || A.ADAPTER
        || ': spread them over adapters, controllers, ranks and channels, changing at each disk',
        'adapter=' || A.ADAPTER || '; disks=' || CAST(A.DISKS AS VARCHAR(20))
    FROM TUNE.DATA_HOST AS A
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    WHERE A.ADAPTER IS NOT NULL AND A.DISKS >= O.MIN_DISKS
    UNION ALL
    SELECT
        N.HOST,
        'adapters of NUMA nodes',
        N.DEVICE,
        'and the others hang on ' || CAST(N.MOST_ADAPTERS AS VARCHAR(20)) || ' adapters of one NUMA node and '
        || CAST(N.LEAST_ADAPTERS AS VARCHAR(20)) || ' of another: give each node the same number',
        'most_adapters=' || CAST(N.MOST_ADAPTERS AS VARCHAR(20))
        || '; least_adapters=' || CAST(N.LEAST_ADAPTERS AS VARCHAR(20))
    FROM TUNE.DATA_HOST AS N
    CROSS JOIN TUNE.O_STORAGE_ARRAY_LAYOUT AS O
    WHERE N.MOST_ADAPTERS - N.LEAST_ADAPTERS >= O.NODE_DIFFERENCE
    UNION ALL
    SELECT
        HOST,
        'slow slot',
        DEVICE,
        'hangs on an adapter that runs below its link speed: look with lspci -vv (LnkSta), and give it a faster slot',
        'link_downgraded=1'
    FROM TUNE.DATA_DEVICE
    WHERE LINK_DOWNGRADED = 1
    UNION ALL
    SELECT
        HOST,
        'volume options',
        DEVICE,
        'lies on a volume with options for file shares:'
        || CASE WHEN SNAPSHOTS = 1 THEN ' switch automatic snapshots off;' ELSE '' END
        || CASE WHEN ATIME = 1 THEN ' switch the update of access times off;' ELSE '' END
        || CASE WHEN SNAP_RESERVE_PCT > 0 THEN ' set the snapshot reserve to 0;' ELSE '' END
        || ' a database is backed up by its own schedule',
        'snapshots=' || CASE WHEN SNAPSHOTS = 1 THEN 'on' ELSE 'off' END
        || '; atime=' || CASE WHEN ATIME = 1 THEN 'on' ELSE 'off' END
    FROM TUNE.DATA_DEVICE
    WHERE SNAPSHOTS = 1 OR ATIME = 1 OR SNAP_RESERVE_PCT > 0
    UNION ALL
    SELECT
        HOST,
        'cache mode',
        DEVICE,
        'is cached in mode ' || CACHE_MODE || ': random reads were fastest with tunedasd -c record /dev/' || DEVICE,
        'cache_mode=' || CACHE_MODE
    FROM TUNE.DATA_DEVICE
    WHERE CACHE_MODE <> 'record' AND OLTP = 1
)
SELECT
    'HOST' AS OBJECT_TYPE,
    I.HOST || ': ' || I.KIND AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- ' || I.DEVICE || ' ' || I.ADVICE || '.' AS ACTION_TEXT,
    '-- Set the storage up as it was.' AS UNDO_TEXT,
    'device=' || I.DEVICE || '; ' || I.FACT AS EVIDENCE,
    'Of the devices that hold data, ' || CAST(COUNT(*) OVER (PARTITION BY I.HOST, I.KIND) AS VARCHAR(20))
    || CASE WHEN COUNT(*) OVER (PARTITION BY I.HOST, I.KIND) = 1 THEN ' needs' ELSE ' need' END
    || ' a look at: ' || I.KIND || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM ITEM AS I
