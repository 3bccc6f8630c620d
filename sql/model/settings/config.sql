-- Every setting in force, in one form. Db2's addition to a switch, "ON (Active)", is not part of its value. INDEXREC
-- SYSTEM takes the instance's value, which Db2 shows after it, "SYSTEM (RESTART)": that is not a pending value.
--
-- SCOPE: DB, DBM or REG
-- MEMBER: NULL for the instance's settings
-- NUM: the value if it is a whole number
-- AUTOMATIC: 1 if Db2 sets the value itself
-- PENDING: 1 if another value takes effect at the next activation or db2start: a rule does not advise a pending value
--   again
-- NEXT_NUM: the pending number, otherwise NULL
WITH DATABASE_SETTING AS (
    SELECT
        MEMBER,
        LOWER(NAME) AS NAME,
        CASE WHEN LOWER(NAME) = 'indexrec' AND VALUE LIKE 'SYSTEM%' THEN 'SYSTEM' ELSE VALUE END AS VALUE,
        VALUE_FLAGS,
        CASE WHEN LOWER(NAME) = 'indexrec' AND VALUE LIKE 'SYSTEM%' THEN 'SYSTEM' ELSE DEFERRED_VALUE END
            AS DEFERRED_VALUE,
        DEFERRED_VALUE_FLAGS
    FROM TUNE.D_DBCFG
),
SETTING (SCOPE, MEMBER, NAME, VALUE, AUTOMATIC, NEXT_VALUE, NEXT_AUTOMATIC) AS (
    SELECT
        'DB' AS SCOPE,
        MEMBER,
        NAME,
        REPLACE(REPLACE(VALUE, ' (Active)', ''), ' (Inactive)', '') AS VALUE,
        CASE WHEN VALUE_FLAGS = 'AUTOMATIC' THEN 1 ELSE 0 END AS AUTOMATIC,
        REPLACE(REPLACE(COALESCE(DEFERRED_VALUE, VALUE), ' (Active)', ''), ' (Inactive)', '') AS NEXT_VALUE,
        CASE WHEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS) = 'AUTOMATIC' THEN 1 ELSE 0 END AS NEXT_AUTOMATIC
    FROM DATABASE_SETTING
    UNION ALL
    SELECT
        'DBM',
        CAST(NULL AS SMALLINT),
        LOWER(NAME),
        VALUE,
        CASE WHEN VALUE_FLAGS = 'AUTOMATIC' THEN 1 ELSE 0 END,
        COALESCE(DEFERRED_VALUE, VALUE),
        CASE WHEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS) = 'AUTOMATIC' THEN 1 ELSE 0 END
    FROM TUNE.D_DBMCFG
    UNION ALL
    SELECT
        'REG',
        MEMBER,
        UPPER(REG_VAR_NAME),
        REG_VAR_VALUE,
        0,
        COALESCE(REG_VAR_ON_DISK_VALUE, REG_VAR_VALUE),
        0
    FROM TUNE.D_REGISTRY
),
DIGITS AS (
    SELECT
        SETTING.*,
        LENGTH('x' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                VALUE, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''),
        '9', '')) AS OTHER_CHARACTERS,
        LENGTH('x' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                NEXT_VALUE, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''),
        '9', '')) AS OTHER_NEXT_CHARACTERS
    FROM SETTING
)
SELECT
    SCOPE,
    MEMBER,
    NAME,
    VALUE,
    CASE
        WHEN VALUE = '-1' THEN CAST(-1 AS BIGINT)
        WHEN OTHER_CHARACTERS = 1 AND LENGTH(VALUE) BETWEEN 1 AND 18 THEN CAST(VALUE AS BIGINT)
    END AS NUM,
    AUTOMATIC,
    NEXT_VALUE,
    CASE
        WHEN NEXT_AUTOMATIC = 0 AND OTHER_NEXT_CHARACTERS = 1 AND LENGTH(NEXT_VALUE) BETWEEN 1 AND 18
            THEN CAST(NEXT_VALUE AS BIGINT)
    END AS NEXT_NUM,
    CASE
        WHEN NEXT_AUTOMATIC <> AUTOMATIC THEN 1
        WHEN AUTOMATIC = 1 THEN 0
        WHEN NEXT_VALUE <> VALUE OR (VALUE IS NULL AND NEXT_VALUE IS NOT NULL) THEN 1
        ELSE 0
    END AS PENDING
FROM DIGITS
