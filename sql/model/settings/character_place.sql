-- The positions of characters in a text, 1 to 256, one row each: views that split texts join them.
SELECT 1 + A.N + 4 * B.N + 16 * C.N + 64 * D.N AS PLACE
FROM (VALUES (0), (1), (2), (3)) AS A (N)
CROSS JOIN (VALUES (0), (1), (2), (3)) AS B (N)
CROSS JOIN (VALUES (0), (1), (2), (3)) AS C (N)
CROSS JOIN (VALUES (0), (1), (2), (3)) AS D (N)
