-- What the monitor functions count, member by member.
SELECT
    T.NAME,
    T.MEMBER,
    T.VALUE
FROM SYSIBMADM.DBCFG AS T
WHERE T.NAME IN ('mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics')
ORDER BY T.NAME, T.MEMBER
