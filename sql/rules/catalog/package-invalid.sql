/*---
rule: catalog.package-invalid
title: Invalid packages are rebound at their next call
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [package.VALID, package.PACKAGES, package.USED_DAYS]
object: DATABASE
confidence: 0.6
thresholds:
  used_days: {default: 30, from: own, why: a package unused for a month delays no application}
actions:
  - manual: >-
      Rebind at a quiet time, with current statistics: db2rbind {DB_NAME:shell} -l /path/of/rbind.log rebinds all
      invalid packages. Or rebind one: REBIND PACKAGE {PKGSCHEMA:name}.{PKGNAME:name}[ VERSION {PKGVERSION:name}]
      RESOLVE CONSERVATIVE
    undo: {manual: 'Cannot be undone: rebound packages stay rebound.'}
finding: >-
  Invalid packages: {PACKAGES}; {PKGSCHEMA:text}.{PKGNAME:text} ran {USED_DAYS} days ago. The next caller waits for the
  rebind, and gets an error if a table or privilege is missing.
evidence: [packages=PACKAGES, used_days=USED_DAYS]
query: SELECT PKGSCHEMA, PKGNAME, PKGVERSION, LASTUSED FROM SYSCAT.PACKAGES WHERE VALID = 'N'
references:
  - IBM documentation of SYSCAT.PACKAGES (r0001053), rebinding of packages (c0005566) and db2rbind (r0001995)
why: >-
  A change of a table, index or privilege invalidates the packages bound to it. The next call rebinds them with locks on
  the catalog, and all other callers wait.
not_if: No package is invalid; none of them ran within 30 days, or their last use is not known.
note: Packages of routines are rebound in the same way.
---*/
SELECT
    P.PKGSCHEMA,
    P.PKGNAME,
    CASE WHEN LENGTH('x' || P.PKGVERSION) > 1 THEN P.PKGVERSION END AS PKGVERSION,
    P.PACKAGES,
    P.USED_DAYS,
    D.DB_NAME
FROM (
    SELECT
        L.*,
        ROW_NUMBER() OVER (ORDER BY L.PLACE) AS N
    FROM TUNE.D_PACKAGE AS L
    CROSS JOIN TUNE.O_CATALOG_PACKAGE_INVALID AS O
    WHERE L.VALID = 'N' AND L.USED_DAYS <= O.USED_DAYS
) AS P
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE P.N = 1
