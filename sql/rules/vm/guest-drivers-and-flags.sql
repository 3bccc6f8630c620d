/*---
rule: vm.guest-drivers-and-flags
title: Guest uses emulated hardware
lane: housekeeping
takes_effect: host change
applies: {guest: true}
steps_need: host
judged_by: host
needs: [host.type, system.HOST_NAME]
object: HOST {HOST_NAME:text}
confidence: 0.3
actions:
  - set: {name: 'GUEST:{PART:text}', from: '{PRESENT:text}', to: '{WANTED:text}', unit: guest hardware}
  - when: DEVICE IS NOT NULL
    manual: Attach {DEVICE:text} to a paravirtual adapter ({WANTED:text}), now {PRESENT:text}.
    undo: {manual: 'Attach {DEVICE:text} to the old adapter again.'}
  - when: PART = 'network'
    manual: Replace the network card of {HOST_NAME:text} with a paravirtual one ({WANTED:text}), now {PRESENT:text}.
    undo: {manual: Restore the old network card.}
  - when: PART = 'tools'
    manual: Install the hypervisor's tools in {HOST_NAME:text} and start them.
    undo: {manual: Uninstall the tools.}
  - when: PART = 'mmu'
    manual: Use hardware mapping for the memory of {HOST_NAME:text} (MMU mode automatic; EPT or NPT in the firmware).
    undo: {manual: Set the MMU mode back to software.}
finding: 'Virtual machine {HOST_NAME:text} uses emulated hardware in {PLACES} places: {PART:text} is {PRESENT:text}.'
evidence: [emulated=PLACES, '{PART:text}=PRESENT:text']
references:
  - vmware-netapp, sections 5.1 to 5.4
why: >-
  The hypervisor emulates an adapter in software: each request leaves the guest several times. A paravirtual driver puts
  requests into shared memory. Without the hypervisor's tools the guest cannot return memory in an orderly way, and
  software page tables cost time on every switch.
not_if: The drivers are paravirtual or unknown; the tools run; hardware maps the guest's memory.
note: >-
  The rule claims no time: a virtual machine within 15 % of bare metal is as good as the paper's (86.5 % to 97 %), and
  bare-metal speed is unknown. Check processor flags hidden from the guest, data store types and thin disks manually.
---*/
WITH EMULATED (HOST_NAME, PART, DEVICE, PRESENT, WANTED) AS (
    SELECT
        G.HOST_NAME,
        'disk:' || V.DEVICE,
        V.DEVICE,
        V.DRIVER,
        CASE G.TYPE WHEN 'vmware' THEN 'PVSCSI' WHEN 'hyperv' THEN 'storvsc' ELSE 'virtio' END
    FROM TUNE.HOST_GUEST AS G
    INNER JOIN TUNE.DEVICE AS V ON G.HOST_NAME = V.HOST
    WHERE V.DRIVER IN ('mptspi', 'mptsas', 'BusLogic', 'ata_piix', 'ahci', 'sym53c8xx')
    UNION ALL
    SELECT
        HOST_NAME,
        'network',
        CAST(NULL AS VARCHAR(128)),
        NET_DRIVER,
        CASE TYPE WHEN 'vmware' THEN 'vmxnet3' WHEN 'hyperv' THEN 'netvsc' ELSE 'virtio' END
    FROM TUNE.HOST_GUEST
    WHERE NET_DRIVER IN ('e1000', 'e1000e', 'pcnet32', '8139cp', '8139too')
    UNION ALL
    SELECT
        HOST_NAME,
        'tools',
        CAST(NULL AS VARCHAR(128)),
        'not running',
        'running'
    FROM TUNE.HOST_GUEST
    WHERE TYPE = 'vmware' AND TOOLS = 0
    UNION ALL
    SELECT
        HOST_NAME,
        'mmu',
        CAST(NULL AS VARCHAR(128)),
        'software',
        'hardware'
    FROM TUNE.HOST_GUEST
    WHERE MMU_MODE = 'software'
)
SELECT
    HOST_NAME,
    PART,
    DEVICE,
    PRESENT,
    WANTED,
    COUNT(*) OVER (PARTITION BY HOST_NAME) AS PLACES
FROM EMULATED
