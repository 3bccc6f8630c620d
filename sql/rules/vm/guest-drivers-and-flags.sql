-- rule:      vm.guest-drivers-and-flags
-- title:     The guest drives emulated hardware
-- area:      vm
-- lane:      H
-- effect:    HR
-- applies:   guest=yes; not=managed
-- evidence:  host
-- needs:     host.type
-- source:    002_e991ec30bbd9209f.txt, sections 5.1 to 5.4
-- why:       An emulated adapter is a program of the hypervisor: each request leaves the guest several times. A
--            paravirtual driver puts requests into memory that both share. Without the hypervisor's tools the guest
--            cannot give memory back in good order, and page tables that software maps cost on every switch.
-- not-if:    The drivers are paravirtual or not known; the tools run; the hardware maps the guest's memory.
-- note:      No time is claimed: a virtual machine within 15 % of bare metal is as good as the paper's (86.5 % to
--            97 %), and what bare metal would do is not known. Processor flags that the guest does not show, data store
--            types and thin disks are for a person to look at.
WITH STEP (HOST_NAME, NAME, NOW, DO_TEXT, UNDO_TEXT) AS (
    SELECT
        G.HOST_NAME,
        'disk:' || V.DEVICE AS NAME,
        V.DRIVER AS NOW,
        '-- Attach ' || V.DEVICE || ' to a paravirtual adapter ('
        || CASE G.TYPE WHEN 'vmware' THEN 'PVSCSI' WHEN 'hyperv' THEN 'storvsc' ELSE 'virtio' END
        || '), now ' || V.DRIVER || '.' AS DO_TEXT,
        '-- Attach ' || V.DEVICE || ' to the old adapter again.' AS UNDO_TEXT
    FROM TUNE.HOST_GUEST AS G
    INNER JOIN TUNE.DEVICE AS V ON G.HOST_NAME = V.HOST
    WHERE V.DRIVER IN ('mptspi', 'mptsas', 'BusLogic', 'ata_piix', 'ahci', 'sym53c8xx')
    UNION ALL
    SELECT
        G.HOST_NAME,
        'network',
        G.NET_DRIVER,
        '-- Give ' || G.HOST_NAME || ' a paravirtual network card ('
        || CASE G.TYPE WHEN 'vmware' THEN 'vmxnet3' WHEN 'hyperv' THEN 'netvsc' ELSE 'virtio' END
        || '), now ' || G.NET_DRIVER || '.',
        '-- Give it the old network card again.'
    FROM TUNE.HOST_GUEST AS G
    WHERE G.NET_DRIVER IN ('e1000', 'e1000e', 'pcnet32', '8139cp', '8139too')
    UNION ALL
    SELECT
        G.HOST_NAME,
        'tools',
        'not running',
        '-- Install the hypervisor''s tools in ' || G.HOST_NAME || ' and start them.',
        '-- Remove the tools.'
    FROM TUNE.HOST_GUEST AS G
    WHERE G.TYPE = 'vmware' AND G.TOOLS = 0
    UNION ALL
    SELECT
        G.HOST_NAME,
        'mmu',
        'software',
        '-- Let the hardware map the memory of ' || G.HOST_NAME || ' (MMU mode automatic; EPT or NPT in the firmware).',
        '-- Set the MMU mode back to software.'
    FROM TUNE.HOST_GUEST AS G
    WHERE G.MMU_MODE = 'software'
)
SELECT
    'HOST' AS OBJECT_TYPE,
    S.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || S.HOST_NAME || ':GUEST:' || S.NAME AS TARGET,
    S.NOW AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    'guest hardware' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    S.DO_TEXT AS ACTION_TEXT,
    S.UNDO_TEXT,
    'emulated=' || CAST(COUNT(*) OVER (PARTITION BY S.HOST_NAME) AS VARCHAR(20))
    || '; ' || S.NAME || '=' || S.NOW AS EVIDENCE,
    'The virtual machine ' || S.HOST_NAME || ' works with what its hypervisor emulates, in '
    || CAST(COUNT(*) OVER (PARTITION BY S.HOST_NAME) AS VARCHAR(20)) || ' places: ' || S.NAME || ' is '
    || S.NOW || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM STEP AS S
