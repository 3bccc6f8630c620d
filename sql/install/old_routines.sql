-- Drops procedures of an earlier version with another number of parameters: they would stay next to the new ones.
BEGIN
    FOR P AS
        SELECT R.SPECIFICNAME
        FROM SYSCAT.ROUTINES AS R
        INNER JOIN (
            VALUES
                {rows}
        ) AS N (ROUTINENAME, PARM_COUNT)
            ON R.ROUTINENAME = N.ROUTINENAME AND R.PARM_COUNT <> N.PARM_COUNT
        WHERE R.ROUTINESCHEMA = 'TUNE' AND R.ROUTINETYPE = 'P'
    DO
        EXECUTE IMMEDIATE 'DROP SPECIFIC PROCEDURE TUNE."' || P.SPECIFICNAME || '"';
    END FOR;
END
