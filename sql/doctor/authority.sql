-- Authorities over instance and database, and how the user holds each: Y, N or * (cannot be).
SELECT
    T.AUTHORITY,
    T.D_USER,
    T.D_GROUP,
    T.D_PUBLIC,
    T.ROLE_USER,
    T.ROLE_GROUP,
    T.ROLE_PUBLIC
FROM TABLE(SYSPROC.AUTH_LIST_AUTHORITIES_FOR_AUTHID(SESSION_USER, 'U')) AS T
ORDER BY T.AUTHORITY
