-- Does every setting of a query have the expected value? Otherwise this fails and reports the setting. A message has
-- room for 70 bytes and begins with the values, because a name may be long.
BEGIN
    DECLARE WRONG VARCHAR(2048);
    SET WRONG = (
        SELECT MIN(
            'expected ' || S.EXPECTED || ', found ' || COALESCE(S.FOUND, 'none') || ': ' || S.WHAT
            || CASE WHEN S.MEMBER IS NULL THEN '' ELSE ' on ' || CAST(S.MEMBER AS VARCHAR(11)) END
        )
        FROM (
{query}
        ) AS S
        WHERE S.FOUND IS NULL OR S.FOUND <> S.EXPECTED
    );
    IF WRONG IS NOT NULL THEN
        SIGNAL SQLSTATE '{state}' SET MESSAGE_TEXT = WRONG;
    END IF;
END
