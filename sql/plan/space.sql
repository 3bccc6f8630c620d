-- How much space is free in each table space, in KB, on the member with the least?
SELECT
    T.TBSP_NAME,
    MIN(T.TBSP_FREE_PAGES * T.TBSP_PAGE_SIZE / 1024) AS FREE_KB
FROM TABLE(SYSPROC.MON_GET_TABLESPACE(NULL, -2)) AS T
GROUP BY T.TBSP_NAME
ORDER BY T.TBSP_NAME
