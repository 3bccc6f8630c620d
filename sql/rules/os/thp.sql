/*---
rule: os.thp
title: Transparent huge pages are enabled
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux]}
steps_need: host
judged_by: host
needs: [host.thp, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: 0.3
thresholds:
  min_memory_gb: {default: 16, from: own, why: a smaller host has too few pages for noticeable stalls}
actions:
  - set: {name: transparent_hugepage, from: '{THP:text}', to: madvise, unit: kernel setting}
  - {manual: Make the change permanent with the kernel argument transparent_hugepage=madvise.}
finding: >-
  Transparent huge pages are always on: every process pays for the search for huge pages, with or without a gain.
evidence: [thp=THP:text, MEMORY_TOTAL]
references:
  - Red Hat and Oracle documentation (transparent huge pages off or on request for databases)
why: >-
  To create a huge page the kernel must find or clear memory, during an allocation or in the background. Databases see
  this as stalls.
not_if: >-
  The setting is madvise or never; the host has less than 16 GB of memory; a container, which uses its host's setting.
note: >-
  IBM has no statement for Db2 that we know of, and Db2's shared memory is not affected by the setting: low confidence,
  no claim. For large pages see os.large-pages-linux.
---*/
SELECT
    K.HOST_NAME,
    K.THP,
    K.MEMORY_TOTAL
FROM TUNE.HOST_KERNEL AS K
CROSS JOIN TUNE.O_OS_THP AS O
WHERE
    K.THP = 'always'
    AND K.RAM_GB >= O.MIN_MEMORY_GB
    AND K.TYPE <> 'docker'
