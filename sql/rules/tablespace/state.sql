/*---
rule: tablespace.state
title: Table space is not in normal state
lane: condition
severity: critical
takes_effect: immediately
risk: high
judged_by: config
needs: [tablespace.TBSP_STATE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.9
actions:
  - manual: '[{WAY_OUT:text}][See what it means: db2tbst {UNKNOWN_STATE:shell}].'
    undo: {manual: There is nothing to undo.}
finding:
  - 'It is in state {STATE_NAME:text} ({TBSP_STATE:text}): {MEANS:text}.'
  - {when: STATES > 1, text: '{STATES} of its states need somebody, one after the other.'}
evidence: [TBSP_STATE:text, member=MEMBER]
query: >-
  SELECT TBSP_NAME, MEMBER, TBSP_STATE FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_STATE <> 'NORMAL' ORDER
  BY TBSP_NAME
references:
  - IBM documentation of table space states (c0060111), the tablespace_state monitor element (r0007533) and db2tbst
why: >-
  A state that waits for something to be done keeps applications from the tables of the table space, until somebody does
  it.
not_if: >-
  The state ends by itself (a backup, a reorganization, a load, a restore, a rollforward, a rebalance in progress); the
  database is an HADR standby, which is rolled forward all the time.
note: >-
  Of several states the one that keeps more out is told first (sql/schema/tablespace_states.csv has all of them, and
  what ends each). A state that is not known there is reported as it is.
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
