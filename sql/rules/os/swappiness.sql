/*---
rule: os.swappiness
title: The kernel swaps programs out too readily
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux], not: [managed]}
judged_by: host
needs: [host.swappiness, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: CONFIDENCE
thresholds:
  max_swapping:
    default: 10
    from: manuals
    why: Red Hat's value for databases; above it, where the host does swap out
  max_quiet: {default: 30, from: own, why: above it also where nothing was swapped out in the interval}
  target: {default: 5, from: own, why: swap only when nothing else is left; 0 would risk the out-of-memory killer}
actions:
  - set: {name: vm.swappiness, from: '{SWAPPINESS}', to: '{NEW_SWAPPINESS}', unit: kernel parameter}
  - {manual: 'Keep it in /etc/sysctl.d/99-db2.conf: vm.swappiness = {NEW_SWAPPINESS}'}
finding:
  - choose:
      - when: SWAPS = 1
        text: vm.swappiness is {SWAPPINESS}, and the host swaps out {SWAP_OUT_PER_S:1} pages a second.
      - 'vm.swappiness is {SWAPPINESS}: the kernel may swap out Db2''s memory to keep file cache.'
evidence: [vm.swappiness=SWAPPINESS, 'SWAP_PAGES_OUT_per_s=SWAP_OUT_PER_S:1?']
references:
  - system-z (database caches on paging space are not optimal)
  - Red Hat Performance Tuning Guide (10 for databases)
  - IBM Linux on Z, kernel settings for Db2 (0)
why: >-
  The kernel may drop file cache or swap out programs when memory runs short. A buffer pool that was swapped out costs a
  read where it should save one.
not_if: >-
  10 or less; up to 30 where the host did not swap out in the interval, or with one snapshot while its facts were
  collected; no paging space; a container, which has its host's setting.
note: >-
  No time is claimed, and the lane is housekeeping even where the host swaps: that the host has too little memory is
  memory.overcommit's to say. IBM's zero is for kernels before 3.5.
---*/
WITH SWAPPING AS (
    SELECT
        K.HOST_NAME,
        K.SWAPPINESS,
        P.SWAP_OUT_PER_S,
        CASE WHEN P.SWAP_OUT_PER_S > 0 THEN 1 ELSE 0 END AS SWAPS
    FROM TUNE.HOST_KERNEL AS K
    LEFT JOIN TUNE.MEMORY_PRESSURE AS P ON K.HOST_NAME = P.HOST_NAME
    LEFT JOIN TUNE.HOST_FACT AS F ON K.HOST_NAME = F.HOST AND F.FACT_KEY = 'memory' AND F.ITEM = 'swap_total_kb'
    WHERE K.TYPE <> 'docker' AND COALESCE(F.NUM, 1) > 0
)
SELECT
    S.HOST_NAME,
    S.SWAPPINESS,
    S.SWAP_OUT_PER_S,
    S.SWAPS,
    FLOOR(O.TARGET) AS NEW_SWAPPINESS,
    CASE WHEN S.SWAPS = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM SWAPPING AS S
CROSS JOIN TUNE.O_OS_SWAPPINESS AS O
WHERE S.SWAPPINESS > CASE WHEN S.SWAPS = 1 THEN O.MAX_SWAPPING ELSE O.MAX_QUIET END AND S.SWAPPINESS > O.TARGET
