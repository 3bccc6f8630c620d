/*---
rule: cpu.cpuspeed-stale
title: CPUSPEED was measured on another processor
lane: housekeeping
takes_effect: immediately
applies: {not: [managed]}
judged_by: host
needs: [host.model, host.cpuspeed_model, dbmcfg.VALUE]
object: INSTANCE
confidence: 0.3
actions:
  - set: {kind: DBMCFG, name: CPUSPEED, from: '{CPUSPEED:text}', to: '-1', unit: ms per instruction}
  - {manual: 'then state the new model as the host fact cpu/cpuspeed_model, and rebind packages with static SQL'}
finding: CPUSPEED {CPUSPEED:text} was measured on {CPUSPEED_MODEL:text}, but host {HOST_NAME:text} has {MODEL:text}.
evidence: [CPUSPEED:text, model=MODEL:text, cpuspeed_model=CPUSPEED_MODEL:text]
references:
  - vmware-netapp, section 5.4 (after moving or cloning a virtual machine)
  - IBM documentation of cpuspeed (r0000295)
why: >-
  The optimizer weighs processor time against disk time with CPUSPEED. It is measured once, when the instance is
  created, and a clone or a move to another host takes the old number along.
not_if: >-
  The model of the processor is that of the host on which it was measured; a measurement (-1) or another value waits; a
  managed database.
note: >-
  The paper says to reset it, and the manual confirms the command and that it works at once, for statements compiled
  later. Only plans change, so nothing is claimed. Where CPUSPEED was last measured only a person knows. A value that
  was set by hand, to model another machine, looks the same.
---*/
SELECT
    P.HOST_NAME,
    P.MODEL,
    P.CPUSPEED_MODEL,
    S.VALUE AS CPUSPEED
FROM TUNE.HOST_PROCESSOR AS P
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DBM' AND S.NAME = 'cpuspeed'
WHERE
    P.MODEL <> P.CPUSPEED_MODEL
    AND S.FIXED = 1
    AND S.VALUE <> '-1'
