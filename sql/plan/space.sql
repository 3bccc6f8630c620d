-- How much room is left: KB free in each table space, on the member with the least?
SELECT TBSP_NAME, MIN(TBSP_FREE_PAGES * TBSP_PAGE_SIZE / 1024) AS FREE_KB
FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
GROUP BY TBSP_NAME
ORDER BY TBSP_NAME
