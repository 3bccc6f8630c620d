/*---
rule: {name}
title: The optimization class is not the standard of the site
lane: housekeeping
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.9
thresholds:
  class: {default: 5, from: own, why: the class that the site has tested}
actions:
  - set: {kind: DBCFG, name: DFT_QUERYOPT, from: '{DFT_QUERYOPT:text}', to: '{CLASS}'}
finding: DFT_QUERYOPT is {DFT_QUERYOPT:text}; the standard is {CLASS}.
references:
  - The standard of the site
why: Access plans can be compared only if both databases use the same optimization class.
not_if: The value is the standard, differs between members, or changes at the next activation.
---*/
SELECT
    S.VALUE AS DFT_QUERYOPT,
    O.CLASS
FROM TUNE.SETTING AS S
CROSS JOIN TUNE.O_{view} AS O
WHERE S.SCOPE = 'DB' AND S.NAME = 'dft_queryopt' AND S.FIXED = 1 AND S.NUM <> O.CLASS
