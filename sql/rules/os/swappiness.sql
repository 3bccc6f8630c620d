/*---
rule: os.swappiness
title: vm.swappiness too high for a database host
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux]}
steps_need: host
judged_by: host
needs: [host.swappiness, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: CONFIDENCE
thresholds:
  max_swapping:
    default: 10
    from: manuals
    why: Red Hat's value for databases; the limit if the host swaps out
  max_quiet: {default: 30, from: own, why: the limit if nothing was swapped out in the interval}
  target: {default: 5, from: own, why: swap only as a last resort; 0 would risk the out-of-memory killer}
actions:
  - set: {name: vm.swappiness, from: '{SWAPPINESS}', to: '{NEW_SWAPPINESS}', unit: kernel parameter}
  - {manual: 'Keep it in /etc/sysctl.d/99-db2.conf: vm.swappiness = {NEW_SWAPPINESS}'}
finding:
  - choose:
      - when: SWAPS = 1
        text: vm.swappiness is {SWAPPINESS}, and the host swaps out {SWAP_OUT_PER_S:1} pages per second.
      - 'vm.swappiness is {SWAPPINESS}: the kernel may swap out Db2 memory to keep file cache.'
evidence: [vm.swappiness=SWAPPINESS, 'SWAP_PAGES_OUT_per_s=SWAP_OUT_PER_S:1?']
references:
  - system-z (database caches on paging space are not optimal)
  - Red Hat Performance Tuning Guide (10 for databases)
  - IBM Linux on Z, kernel settings for Db2 (0)
why: >-
  When memory runs short, the kernel drops file cache or swaps out programs. A buffer pool in swap costs a read instead
  of saving one.
not_if: >-
  vm.swappiness is 10 or less, or up to 30 if the host swapped nothing out in the interval (with one snapshot: while
  host facts were collected); there is no paging space; a container, which uses its host's setting.
note: >-
  The rule claims no time and is housekeeping even if the host swaps: memory.overcommit reports the lack of memory.
  IBM's value 0 is for kernels before 3.5.
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
