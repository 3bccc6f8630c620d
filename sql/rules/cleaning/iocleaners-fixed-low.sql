/*---
rule: cleaning.iocleaners-fixed-low
title: At most one page cleaner (NUM_IOCLEANERS)
lane: condition
severity: low
takes_effect: database reactivation
applies: {not: [purescale]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: cleaning.iocleaners-few, within: any}
actions:
  - set: {kind: DBCFG, name: NUM_IOCLEANERS, from: '{NUM_IOCLEANERS}', to: AUTOMATIC, unit: page cleaners}
finding:
  - choose:
      - when: NUM_IOCLEANERS = 0
        text: 'NUM_IOCLEANERS is 0: no page cleaner runs, and agents write all changed pages themselves.'
      - >-
        NUM_IOCLEANERS is 1: a single page cleaner writes the changed pages of all buffer pools[; AUTOMATIC would start
        {ENOUGH}].
evidence: [NUM_IOCLEANERS, 'AUTOMATIC_would_start=ENOUGH?']
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of num_iocleaners (r0000332)
why: >-
  Page cleaners write changed pages before an agent needs their space. AUTOMATIC starts about one for each processor
  core of the member.
not_if: >-
  AUTOMATIC, or two and more; AUTOMATIC would start only one, too; pending; members differ; agents were seen to write
  pages (cleaning.iocleaners-few gives the advice).
note: >-
  One was the default before AUTOMATIC. The cores of the host are not in a configuration: without them it is a
  question.
---*/
SELECT
    S.NUM AS NUM_IOCLEANERS,
    E.ENOUGH
FROM TUNE.SETTING AS S
CROSS JOIN (
    SELECT
        MIN(
            CEIL(ROUND(
                CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(COALESCE(H.CPU_HMT_DEGREE, 1) * H.MEMBERS, 0), 6
            )) - CASE WHEN D.DB2_LEVEL < 11050000 THEN 1 ELSE 0 END
        ) AS ENOUGH
    FROM TUNE.HOST AS H
    CROSS JOIN TUNE.RUN_DATABASE AS D
) AS E
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'num_iocleaners' AND S.FIXED = 1
    AND (S.NUM = 0 OR (S.NUM = 1 AND COALESCE(E.ENOUGH, 2) >= 2))
