-- Whether the user, a role of the user's or everybody may create objects in schema TUNE: a row says yes.
SELECT DISTINCT T.SCHEMANAME
FROM SYSCAT.SCHEMAAUTH AS T
WHERE
    T.SCHEMANAME = 'TUNE'
    AND T.CREATEINAUTH <> 'N'
    AND (
        T.GRANTEE IN (SESSION_USER, 'PUBLIC')
        OR T.GRANTEE IN (SELECT R.ROLENAME FROM SYSCAT.ROLEAUTH AS R WHERE R.GRANTEE IN (SESSION_USER, 'PUBLIC'))
    )
