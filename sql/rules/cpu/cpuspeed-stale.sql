/*---
rule: cpu.cpuspeed-stale
title: CPUSPEED was measured on another processor
lane: housekeeping
takes_effect: immediately
judged_by: host
needs: [host.model, host.cpuspeed_model, dbmcfg.VALUE, system.HOST_NAME]
object: INSTANCE
confidence: 0.3
actions:
  - set: {kind: DBMCFG, name: CPUSPEED, from: '{CPUSPEED:text}', to: '-1', unit: ms per instruction}
  - {manual: 'Then set the host fact cpu/cpuspeed_model to the new model, and rebind packages with static SQL.'}
finding: CPUSPEED {CPUSPEED:text} was measured on {CPUSPEED_MODEL:text}, but host {HOST_NAME:text} has {MODEL:text}.
evidence: [CPUSPEED:text, model=MODEL:text, cpuspeed_model=CPUSPEED_MODEL:text]
references:
  - vmware-netapp, section 5.4 (after moving or cloning a virtual machine)
  - IBM documentation of cpuspeed (r0000295)
why: >-
  The optimizer uses CPUSPEED to weigh processor time against disk time. Db2 measures it once, when the instance is
  created. A clone or a move to another host keeps the old value.
not_if: >-
  The host has the same processor model as the one that was measured; a measurement (-1) or another value is pending.
note: >-
  The paper recommends the reset; the manual confirms that it takes effect immediately for statements compiled later.
  Only access plans change, so nothing is claimed. Only the site knows where CPUSPEED was last measured. A value set
  manually to model another machine looks the same.
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
