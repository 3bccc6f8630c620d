-- What the configuration says of what the monitor functions count, of how statements are understood, and of the log:
-- member by member.
SELECT
    T.NAME,
    T.MEMBER,
    T.VALUE
FROM SYSIBMADM.DBCFG AS T
WHERE
    T.NAME IN (
        'mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics',
        'varchar2_compat', 'date_compat', 'number_compat', 'restrict_access',
        'dft_table_org', 'string_units', 'auto_reval', 'cur_commit',
        'logfilsiz', 'logprimary', 'logsecond'
    )
ORDER BY T.NAME, T.MEMBER
