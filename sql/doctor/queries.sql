-- The questions of doctor.

-- name: alert_use
-- Whether the user, one of the user's roles or PUBLIC may execute module DBMS_ALERT: a row means yes.
SELECT DISTINCT T.MODULENAME
FROM SYSCAT.MODULEAUTH AS T
WHERE
    T.MODULESCHEMA = 'SYSIBMADM'
    AND T.MODULENAME = 'DBMS_ALERT'
    AND T.EXECUTEAUTH <> 'N'
    AND (
        T.GRANTEE IN (SESSION_USER, 'PUBLIC')
        OR T.GRANTEE IN (SELECT R.ROLENAME FROM SYSCAT.ROLEAUTH AS R WHERE R.GRANTEE IN (SESSION_USER, 'PUBLIC'))
    )

-- name: authority
-- Authorities over instance and database, and how the user holds each: Y, N or * (cannot be).
SELECT T.AUTHORITY, T.D_USER, T.D_GROUP, T.D_PUBLIC, T.ROLE_USER, T.ROLE_GROUP, T.ROLE_PUBLIC
FROM TABLE(SYSPROC.AUTH_LIST_AUTHORITIES_FOR_AUTHID(SESSION_USER, 'U')) AS T
ORDER BY T.AUTHORITY

-- name: caching_facility
-- The cluster caching facilities: only pureScale has them.
SELECT T.ID, T.CURRENT_HOST, T.STATE
FROM SYSIBMADM.DB2_CF AS T

-- name: function
-- The built-in functions of Db2, for a GRANT that names exactly one of them.
SELECT T.ROUTINENAME, T.SPECIFICNAME
FROM SYSCAT.ROUTINES AS T
WHERE T.ROUTINESCHEMA = 'SYSPROC' AND T.ROUTINETYPE = 'F'
ORDER BY T.ROUTINENAME, T.SPECIFICNAME

-- name: instance
-- Instance, level and size. NUM_DBPARTITIONS is 1 if the database is not partitioned.
SELECT T.INST_NAME, T.SERVICE_LEVEL, T.FIXPACK_NUM, T.NUM_DBPARTITIONS, T.NUM_MEMBERS
FROM SYSIBMADM.ENV_INST_INFO AS T

-- name: member
-- Every member that the instance knows, started or not.
SELECT T.ID, T.HOME_HOST, T.STATE
FROM SYSIBMADM.DB2_MEMBER AS T
ORDER BY T.ID

-- name: owner
-- Why others can change schema TUNE: one row per reason, with the statement that revokes it. No row: only this user
-- can. Others are the schema's owner, each holder of a privilege on it, and each owner of objects in it or triggers on
-- it. SYSCAT.SCHEMAAUTH has a row only for a holder, and 11.5 has more privileges than the three columns that every
-- level has.
SELECT
    1 AS PLACE,
    'schema TUNE belongs to ' || S.OWNER || ': drop it or transfer it to ' || SESSION_USER AS FOUND,
    'DROP SCHEMA TUNE RESTRICT' AS COMMAND
FROM SYSCAT.SCHEMATA AS S
WHERE S.SCHEMANAME = 'TUNE' AND S.OWNER <> SESSION_USER
UNION ALL
SELECT
    2 AS PLACE,
    CASE WHEN HOLDERS.GRANTEE = 'PUBLIC' THEN 'PUBLIC' ELSE HOLDERS.KIND || ' ' || HOLDERS.GRANTEE END
    || ' holds ' || HOLDERS.PRIVILEGE || ' on schema TUNE: revoke it' AS FOUND,
    CASE
        WHEN HOLDERS.PRIVILEGE <> 'a privilege' THEN
            'REVOKE ' || HOLDERS.PRIVILEGE || ' ON SCHEMA TUNE FROM '
            || CASE
                WHEN HOLDERS.GRANTEE = 'PUBLIC' THEN 'PUBLIC'
                ELSE UPPER(HOLDERS.KIND) || ' "' || REPLACE(HOLDERS.GRANTEE, '"', '""') || '"'
            END
    END AS COMMAND
FROM (
    SELECT
        A.GRANTEE,
        CASE A.GRANTEETYPE WHEN 'R' THEN 'role' WHEN 'G' THEN 'group' ELSE 'user' END AS KIND,
        ASKED.PRIVILEGE,
        CASE ASKED.PRIVILEGE
            WHEN 'CREATEIN' THEN A.CREATEINAUTH
            WHEN 'ALTERIN' THEN A.ALTERINAUTH
            WHEN 'DROPIN' THEN A.DROPINAUTH
            ELSE CASE WHEN A.CREATEINAUTH = 'N' AND A.ALTERINAUTH = 'N' AND A.DROPINAUTH = 'N' THEN 'Y' ELSE 'N' END
        END AS HELD
    FROM SYSCAT.SCHEMAAUTH AS A
    CROSS JOIN (VALUES ('CREATEIN'), ('ALTERIN'), ('DROPIN'), ('a privilege')) AS ASKED (PRIVILEGE)
    WHERE A.SCHEMANAME = 'TUNE' AND (A.GRANTEE <> SESSION_USER OR A.GRANTEETYPE <> 'U')
) AS HOLDERS
WHERE HOLDERS.HELD <> 'N'
UNION ALL
SELECT
    3 AS PLACE,
    OWNED.OWNER || ' owns ' || MIN(OWNED.NAME) || CASE
        WHEN COUNT(*) > 1 THEN ' and ' || CAST(COUNT(*) - 1 AS VARCHAR(11)) || ' more: drop or transfer them'
        ELSE ': drop it or transfer it'
    END AS FOUND,
    CAST(NULL AS VARCHAR(300)) AS COMMAND
FROM (
    SELECT
        T.OWNER,
        CASE T.TYPE WHEN 'V' THEN 'view' WHEN 'A' THEN 'alias' WHEN 'N' THEN 'nickname' ELSE 'table' END
        || ' TUNE.' || T.TABNAME AS NAME
    FROM SYSCAT.TABLES AS T
    WHERE T.TABSCHEMA = 'TUNE'
    UNION ALL
    SELECT R.OWNER, 'routine TUNE.' || R.ROUTINENAME AS NAME
    FROM SYSCAT.ROUTINES AS R
    WHERE R.ROUTINESCHEMA = 'TUNE'
    UNION ALL
    SELECT Q.OWNER, 'sequence TUNE.' || Q.SEQNAME AS NAME
    FROM SYSCAT.SEQUENCES AS Q
    WHERE Q.SEQSCHEMA = 'TUNE'
    UNION ALL
    SELECT V.OWNER, 'variable TUNE.' || V.VARNAME AS NAME
    FROM SYSCAT.VARIABLES AS V
    WHERE V.VARSCHEMA = 'TUNE'
    UNION ALL
    SELECT D.OWNER, 'type TUNE.' || D.TYPENAME AS NAME
    FROM SYSCAT.DATATYPES AS D
    WHERE D.TYPESCHEMA = 'TUNE'
    UNION ALL
    SELECT M.OWNER, 'module TUNE.' || M.MODULENAME AS NAME
    FROM SYSCAT.MODULES AS M
    WHERE M.MODULESCHEMA = 'TUNE'
    UNION ALL
    SELECT G.OWNER, 'trigger ' || G.TRIGSCHEMA || '.' || G.TRIGNAME AS NAME
    FROM SYSCAT.TRIGGERS AS G
    WHERE G.TRIGSCHEMA = 'TUNE' OR G.TABSCHEMA = 'TUNE'
    UNION ALL
    SELECT I.OWNER, 'index TUNE.' || I.INDNAME AS NAME
    FROM SYSCAT.INDEXES AS I
    WHERE I.INDSCHEMA = 'TUNE'
    UNION ALL
    SELECT P.OWNER, 'package TUNE.' || P.PKGNAME AS NAME
    FROM SYSCAT.PACKAGES AS P
    WHERE P.PKGSCHEMA = 'TUNE'
) AS OWNED
WHERE OWNED.OWNER NOT IN (SESSION_USER, 'SYSIBM')
GROUP BY OWNED.OWNER
ORDER BY PLACE, FOUND

-- name: product
-- The installed products with their licences: the edition. The release has the form 11.5; a licence is Y or N.
SELECT T.INSTALLED_PROD_FULLNAME, T.PROD_RELEASE, T.LICENSE_INSTALLED, T.LICENSE_TYPE
FROM SYSIBMADM.ENV_PROD_INFO AS T

-- name: scheduler
-- Whether the administrative task scheduler is on: YES, TRUE, 1 or ON. The value on disk takes effect at db2start.
SELECT T.MEMBER, T.REG_VAR_VALUE, T.REG_VAR_ON_DISK_VALUE
FROM TABLE(SYSPROC.ENV_GET_REG_VARIABLES(-1, 0)) AS T
WHERE T.REG_VAR_NAME = 'DB2_ATS_ENABLE'

-- name: schema_create
-- Whether the user, one of the user's roles or PUBLIC may create objects in schema TUNE: a row means yes.
SELECT DISTINCT T.SCHEMANAME
FROM SYSCAT.SCHEMAAUTH AS T
WHERE
    T.SCHEMANAME = 'TUNE'
    AND T.CREATEINAUTH <> 'N'
    AND (
        T.GRANTEE IN (SESSION_USER, 'PUBLIC')
        OR T.GRANTEE IN (SELECT R.ROLENAME FROM SYSCAT.ROLEAUTH AS R WHERE R.GRANTEE IN (SESSION_USER, 'PUBLIC'))
    )

-- name: session
-- The database, and the user of the connection.
SELECT CURRENT SERVER AS DATABASE_NAME, SESSION_USER AS AUTHID
FROM SYSIBM.SYSDUMMY1

-- name: setting
-- The settings that decide what monitor functions count and how statements are parsed, and the limits of log, locks
-- and heaps, per
-- member.
SELECT T.NAME, T.MEMBER, T.VALUE, T.VALUE_FLAGS
FROM SYSIBMADM.DBCFG AS T
WHERE
    T.NAME IN (
        'mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics',
        'varchar2_compat', 'date_compat', 'number_compat', 'restrict_access',
        'dft_table_org', 'string_units', 'auto_reval', 'cur_commit',
        'logfilsiz', 'logprimary', 'logsecond', 'num_log_span', 'max_log',
        'locklist', 'maxlocks', 'stmtheap', 'applheapsz'
    )
ORDER BY T.NAME, T.MEMBER

-- name: stranger
-- An object of schema TUNE whose owner is not trusted, or no row. Trusted are the user and the schema's owner: only a
-- DBADM can create a schema for an owner (c0005525), except that user TUNE can. SYSIBM owns a schema that any user's
-- CREATE TABLE or CREATE PROCEDURE made.
SELECT OWNED.OWNER, OWNED.NAME
FROM (
    SELECT S.OWNER, 'schema TUNE' AS NAME
    FROM SYSCAT.SCHEMATA AS S
    WHERE S.SCHEMANAME = 'TUNE' AND S.OWNER IN ('SYSIBM', 'TUNE')
    UNION ALL
    SELECT T.OWNER, 'table or view TUNE.' || T.TABNAME AS NAME
    FROM SYSCAT.TABLES AS T
    LEFT JOIN SYSCAT.SCHEMATA AS S ON T.TABSCHEMA = S.SCHEMANAME AND T.OWNER = S.OWNER
    WHERE T.TABSCHEMA = 'TUNE' AND S.OWNER IS NULL
    UNION ALL
    SELECT R.OWNER, 'routine TUNE.' || R.ROUTINENAME AS NAME
    FROM SYSCAT.ROUTINES AS R
    LEFT JOIN SYSCAT.SCHEMATA AS S ON R.ROUTINESCHEMA = S.SCHEMANAME AND R.OWNER = S.OWNER
    WHERE R.ROUTINESCHEMA = 'TUNE' AND S.OWNER IS NULL
) AS OWNED
WHERE OWNED.OWNER <> SESSION_USER
FETCH FIRST 1 ROW ONLY

-- name: system
-- The host of the connected member. TOTAL_MEMORY is MB.
SELECT T.HOST_NAME, T.OS_NAME, T.OS_VERSION, T.OS_RELEASE, T.TOTAL_CPUS, T.TOTAL_MEMORY
FROM SYSIBMADM.ENV_SYS_INFO AS T

-- name: tablespace
-- Table spaces by contents: A any data, L large, T system temporary, U user temporary. Pages in bytes.
SELECT T.TBSPACE, RTRIM(T.DATATYPE) AS DATATYPE, T.PAGESIZE, T.EXTENTSIZE
FROM SYSCAT.TABLESPACES AS T
ORDER BY T.TBSPACE

-- name: tablespace_free
-- Free bytes of each table space that cannot grow, on the member with the fewest.
SELECT T.TBSP_NAME, MIN(T.TBSP_FREE_PAGES * T.TBSP_PAGE_SIZE) AS FREE
FROM TABLE(SYSPROC.MON_GET_TABLESPACE(NULL, -2)) AS T
WHERE T.TBSP_TYPE = 'DMS' AND T.TBSP_AUTO_RESIZE_ENABLED = 0
GROUP BY T.TBSP_NAME

-- name: tablespace_use
-- Table spaces that the user, one of the user's roles or PUBLIC may create tables in.
SELECT DISTINCT T.TBSPACE
FROM SYSCAT.TBSPACEAUTH AS T
WHERE
    T.USEAUTH <> 'N'
    AND (
        T.GRANTEE IN (SESSION_USER, 'PUBLIC')
        OR T.GRANTEE IN (SELECT R.ROLENAME FROM SYSCAT.ROLEAUTH AS R WHERE R.GRANTEE IN (SESSION_USER, 'PUBLIC'))
    )

-- name: version
-- The installations in the database: the newest row is in use.
SELECT T.VERSION, T.INSTALLED_AT, T.INSTALLED_BY
FROM TUNE.VERSION AS T
ORDER BY T.INSTALLED_AT DESC

-- name: refused
-- What this server refused at the installation of schema TUNE.
SELECT T.KIND, T.NAME, T.REASON
FROM TUNE.MISSING AS T
WHERE T.RUN_ID = 0
ORDER BY T.KIND, T.NAME
