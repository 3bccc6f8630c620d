/*---
rule: os.thp
title: The kernel joins pages into huge ones on its own
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux], not: [managed]}
judged_by: host
needs: [host.thp, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: 0.3
thresholds:
  min_memory_gb: {default: 16, from: own, why: a smaller host has too few pages for the search to be felt}
actions:
  - set: {name: transparent_hugepage, from: '{THP:text}', to: madvise, unit: kernel setting}
  - {manual: 'Keep it over a restart: kernel argument transparent_hugepage=madvise'}
finding: >-
  Transparent huge pages are always on: every process pays for the search of huge pages, whether it gains by them or
  not.
evidence: [thp=THP:text, MEMORY_TOTAL]
references:
  - Red Hat and Oracle documentation (transparent huge pages off or on request for databases)
why: >-
  To make a huge page the kernel has to find or clear room for it, at the moment when a process asks for memory or from
  behind while it runs. Databases see that as stalls.
not_if: It is madvise or never; less than 16 GB of memory; a container, which has its host's setting.
note: >-
  No statement of IBM for Db2 was found, and Db2's shared memory is not what the setting is about: low confidence, no
  benefit claimed. Large pages for it are os.large-pages-linux.
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
