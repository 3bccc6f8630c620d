-- Table spaces in which the user, a role of the user's or everybody may create tables.
SELECT DISTINCT T.TBSPACE
FROM SYSCAT.TBSPACEAUTH AS T
WHERE
    T.USEAUTH <> 'N'
    AND (
        T.GRANTEE IN (SESSION_USER, 'PUBLIC')
        OR T.GRANTEE IN (SELECT R.ROLENAME FROM SYSCAT.ROLEAUTH AS R WHERE R.GRANTEE IN (SESSION_USER, 'PUBLIC'))
    )
