/*---
rule: config.query-optimization
title: Unusual default optimization class (DFT_QUERYOPT)
lane: condition
severity: low
takes_effect: new connections
risk: medium
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: workload.opposite-settings, within: any}
actions:
  - {manual: 'First check the vendor''s advice, and keep access plans of important statements to compare.'}
  - set: {kind: DBCFG, name: DFT_QUERYOPT, from: '{DFT_QUERYOPT}', to: '5'}
finding:
  - choose:
      - when: DFT_QUERYOPT = 0
        text: >-
          DFT_QUERYOPT is 0: the optimizer uses only nested loop joins and index scans, and ignores frequent values.
      - 'DFT_QUERYOPT is 9: the optimizer tries all plans for every dynamic statement, even the simplest.'
evidence: [DFT_QUERYOPT]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of dft_queryopt (r0000345), optimization classes (r0005278) and choosing one (c0005277)
why: >-
  The class applies to all statements that do not set their own. The manual calls 1 to 7 suitable for general use. It
  reserves 0 for very simple statements, and 9 costs much time and memory to compile.
not_if: >-
  Class 1, 2, 3, 5 or 7; pending; members differ; DB2_WORKLOAD shows a vendor application.
note: >-
  Applications set another class themselves with SET CURRENT QUERY OPTIMIZATION, packages with QUERYOPT.
---*/
SELECT S.NUM AS DFT_QUERYOPT
FROM TUNE.SETTING AS S
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'dft_queryopt' AND S.FIXED = 1 AND S.NUM IN (0, 9)
    AND COALESCE(V.IS_SET, 0) = 0
