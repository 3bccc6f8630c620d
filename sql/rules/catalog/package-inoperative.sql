/*---
rule: catalog.package-inoperative
title: Packages are inoperative
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [package.VALID, package.PACKAGES]
object: DATABASE
confidence: 0.9
thresholds:
  used_days: {default: 90, from: own, why: a package that neither ran nor was bound for a quarter is not in use}
actions:
  - manual: >-
      Find the dropped function and create it again: SELECT BSCHEMA, BNAME FROM SYSCAT.PACKAGEDEP WHERE BTYPE = 'F'
      AND PKGSCHEMA = {PKGSCHEMA:literal} AND PKGNAME = {PKGNAME:literal}
  - manual: REBIND PACKAGE {PKGSCHEMA:name}.{PKGNAME:name}[ VERSION {PKGVERSION:name}] RESOLVE ANY
    undo: {manual: 'Cannot be undone: a rebound package stays rebound.'}
  - when: PACKAGES > 1
    manual: >-
      Rebind all of them: db2 -x "SELECT 'REBIND PACKAGE ' || CHR(34) || REPLACE(PKGSCHEMA, CHR(34), CHR(34)
      || CHR(34)) || CHR(34) || '.' || CHR(34) || REPLACE(PKGNAME, CHR(34), CHR(34) || CHR(34)) || CHR(34) || CASE WHEN
      PKGVERSION <> '' THEN ' VERSION ' || CHR(34) || REPLACE(PKGVERSION, CHR(34), CHR(34) || CHR(34)) || CHR(34) ELSE
      '' END || ' RESOLVE ANY;' FROM SYSCAT.PACKAGES WHERE VALID = 'X' AND PKGSCHEMA || PKGNAME || PKGVERSION NOT LIKE
      '%' || CHR(10) || '%'" > rebind.sql; db2 -tvf rebind.sql
    undo: {manual: 'Cannot be undone: rebound packages stay rebound.'}
finding:
  - >-
    Inoperative packages: {PACKAGES}, most recent {PKGSCHEMA:text}.{PKGNAME:text}. A function that they call was
    dropped.
  - choose:
      - when: REVALIDATED = 0
        text: 'AUTO_REVAL is DISABLED: every call fails until they are rebound.'
      - Every call fails unless Db2 can bind them to another function.
  - {when: USED_DAYS < 700000, text: 'It ran {USED_DAYS} days ago.'}
evidence: [packages=PACKAGES, 'used_days=USED_DAYS?', 'bound_days=BOUND_DAYS?', 'AUTO_REVAL=AUTO_REVAL:text?']
query: SELECT PKGSCHEMA, PKGNAME, PKGVERSION, LASTUSED FROM SYSCAT.PACKAGES WHERE VALID = 'X'
references:
  - >-
    IBM documentation of SYSCAT.PACKAGES (r0001053), REBIND (r0001990), rebinding of packages (c0005566) and auto_reval
    (r0053784)
why: >-
  VALID X means that a function used by the package was dropped. Db2 does not rebind such a package conservatively, as
  it does an invalid one. It needs an explicit REBIND with RESOLVE ANY.
not_if: No package is inoperative; none of them ran or was bound within 90 days.
note: >-
  IBM's page of the catalog view requires an explicit rebind; its page of rebinding says that the next use tries it
  first. Both fail while the function is missing. The source collects the 20 most recently used packages.
---*/
SELECT
    P.PKGSCHEMA,
    P.PKGNAME,
    CASE WHEN LENGTH('x' || P.PKGVERSION) > 1 THEN P.PKGVERSION END AS PKGVERSION,
    P.PACKAGES,
    P.USED_DAYS,
    P.BOUND_DAYS,
    A.VALUE AS AUTO_REVAL,
    CASE WHEN A.VALUE = 'DISABLED' THEN 0 ELSE 1 END AS REVALIDATED
FROM (
    SELECT
        L.*,
        ROW_NUMBER() OVER (ORDER BY L.PLACE) AS N
    FROM TUNE.D_PACKAGE AS L
    CROSS JOIN TUNE.O_CATALOG_PACKAGE_INOPERATIVE AS O
    WHERE L.VALID = 'X' AND LEAST(COALESCE(L.USED_DAYS, 0), COALESCE(L.BOUND_DAYS, 0)) <= O.USED_DAYS
) AS P
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'auto_reval' AND A.FIXED = 1
WHERE P.N = 1
