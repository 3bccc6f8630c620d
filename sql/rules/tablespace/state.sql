/*---
rule: tablespace.state
title: Table space is not in normal state
lane: safety
severity: critical
takes_effect: immediately
risk: high
judged_by: config
needs: [tablespace.TBSP_STATE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.9
actions:
  - manual: '[{WAY_OUT:text}][Look up the meaning of the state: db2tbst {UNKNOWN_STATE:shell}].'
finding:
  - 'State {STATE_NAME:text} ({TBSP_STATE:text}): {MEANS:text}.'
  - {when: STATES > 1, text: '{STATES} of its states need a manual step, one after the other.'}
evidence: [TBSP_STATE:text, member=MEMBER]
query: >-
  SELECT TBSP_NAME, MEMBER, TBSP_STATE FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_STATE <> 'NORMAL' ORDER
  BY TBSP_NAME
references:
  - IBM documentation of table space states (c0060111), the tablespace_state monitor element (r0007533) and db2tbst
why: Until a manual step ends the state, applications cannot use the tables of the table space.
not_if: >-
  The state ends automatically (a backup, reorganization, load, restore, rollforward or rebalance in progress); the
  database is an HADR standby, which rolls forward continuously.
note: >-
  The most restrictive of several states comes first (sql/schema/tablespace_states.csv contains all, with their ends).
  Unknown states are reported unchanged.
---*/
SELECT
    S.TBSP_NAME,
    S.MEMBER,
    S.TBSP_STATE,
    S.STATES,
    COALESCE(S.STATE_NAME, 'not known') AS STATE_NAME,
    COALESCE(S.MEANS, 'what that means db2tbst says') AS MEANS,
    S.WAY_OUT,
    CASE WHEN S.WAY_OUT IS NULL THEN S.TBSP_STATE END AS UNKNOWN_STATE
FROM TUNE.WAITING_STATE AS S
WHERE S.PLACE = 1
