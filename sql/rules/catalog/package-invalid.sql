/*---
rule: catalog.package-invalid
title: Packages will be bound anew when they are called next
lane: condition
severity: low
takes_effect: immediately
applies: {not: [managed]}
judged_by: config
needs: [package.VALID, package.PACKAGES, package.USED_DAYS]
object: DATABASE
confidence: 0.6
thresholds:
  used_days: {default: 30, from: own, why: what did not run for a month waits for nobody}
actions:
  - manual: >-
      At a quiet time, when statistics are right: db2rbind {DB_NAME:shell} -l /path/of/rbind.log, which takes those that
      are not valid; or one by one: REBIND PACKAGE {PKGSCHEMA:name}.{PKGNAME:name}[ VERSION {PKGVERSION:name}] RESOLVE
      CONSERVATIVE
    undo: {manual: Packages that were bound again stay so.}
finding: >-
  {PACKAGES} package(s) are invalid, {PKGSCHEMA:text}.{PKGNAME:text} first of all, which ran {USED_DAYS} days ago: the
  next one who calls them waits until they are bound, and gets an error if a table or a privilege is missing.
evidence: [packages=PACKAGES, used_days=USED_DAYS]
query: SELECT PKGSCHEMA, PKGNAME, PKGVERSION, LASTUSED FROM SYSCAT.PACKAGES WHERE VALID = 'N'
references:
  - IBM documentation of SYSCAT.PACKAGES (r0001053), rebinding of packages (c0005566) and db2rbind (r0001995)
why: >-
  A change of a table, an index or a privilege invalidates the packages that were bound to it. The first call binds them
  anew, with locks on the catalog, and all other callers wait for it.
not_if: No package is invalid; none of them ran within 30 days, or it is not known when; a managed database.
note: >-
  From 11.5 on Db2 binds them by itself once after each start of the database. Packages of routines are bound the same
  way.
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
