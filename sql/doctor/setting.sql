-- The settings that decide what monitor functions count and how statements are parsed, and the limits of log, locks
-- and heaps, per
-- member.
SELECT
    T.NAME,
    T.MEMBER,
    T.VALUE,
    T.VALUE_FLAGS
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
