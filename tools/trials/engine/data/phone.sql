-- Call records of a telephone company: time ranges, few distinct values, and subscribers of whom some call very often.
SELECT setseed(0.43);

CREATE TABLE subscriber (
    id INTEGER PRIMARY KEY, msisdn CHAR(12) NOT NULL, plan_id INTEGER NOT NULL, status CHAR(1) NOT NULL,
    activated DATE NOT NULL, birth DATE, segment CHAR(4) NOT NULL, city VARCHAR(30) NOT NULL, name VARCHAR(40) NOT NULL
);
INSERT INTO subscriber
SELECT i, '4917' || lpad((i * 37 % 100000000)::text, 8, '0'), 1 + floor(power(random(), 2) * 40),
       CASE WHEN random() < 0.93 THEN 'A' WHEN random() < 0.7 THEN 'S' ELSE 'T' END, DATE '2012-01-01' + i / 14,
       CASE WHEN random() < 0.8 THEN DATE '1940-01-01' + (random() * 24000)::integer END,
       (ARRAY['PRIV', 'PRIV', 'PRIV', 'PREP', 'BUSI'])[1 + floor(random() * 5)], 'Town' || floor(power(random(), 2) * 400),
       'Subscriber ' || substr(md5(i::text), 1, 20)
FROM generate_series(1, 60000) i;

CREATE TABLE plan (
    id INTEGER PRIMARY KEY, name VARCHAR(30) NOT NULL, fee DECIMAL(12, 2) NOT NULL, kind CHAR(4) NOT NULL
);
INSERT INTO plan SELECT i, 'Plan ' || i, round((random() * 60)::numeric, 2), CASE WHEN i % 3 = 0 THEN 'DATA' ELSE 'TALK' END
FROM generate_series(1, 40) i;

CREATE TABLE cell (
    id INTEGER PRIMARY KEY, site VARCHAR(20) NOT NULL, region INTEGER NOT NULL, technology CHAR(2) NOT NULL
);
INSERT INTO cell SELECT i, 'Site' || i / 3, i % 24, (ARRAY['2G', '3G', '4G', '5G'])[1 + i % 4]
FROM generate_series(1, 3000) i;

CREATE TABLE call (
    id INTEGER PRIMARY KEY, subscriber_id INTEGER NOT NULL, called CHAR(12) NOT NULL, cell_id INTEGER NOT NULL,
    started TIMESTAMP NOT NULL, seconds INTEGER NOT NULL, kind CHAR(3) NOT NULL, roaming INTEGER NOT NULL,
    rated INTEGER NOT NULL, price DECIMAL(12, 2), detail VARCHAR(60) NOT NULL
);
INSERT INTO call
SELECT i, 1 + floor(power(random(), 3) * 60000), '4917' || lpad(floor(random() * 100000000)::text, 8, '0'),
       1 + floor(power(random(), 2) * 3000), TIMESTAMP '2024-03-01 00:00:00' + i * INTERVAL '4 seconds',
       floor(power(random(), 4) * 3600), CASE WHEN r < 0.7 THEN 'VOI' WHEN r < 0.95 THEN 'SMS' ELSE 'MMS' END,
       CASE WHEN random() < 0.01 THEN 1 ELSE 0 END, CASE WHEN i > 498000 THEN 0 ELSE 1 END,
       CASE WHEN i <= 498000 THEN round((random() * 2)::numeric, 2) END, md5(i::text)
FROM (SELECT i, random() AS r FROM generate_series(1, 500000) i) AS given;

CREATE TABLE invoice (
    id INTEGER PRIMARY KEY, subscriber_id INTEGER NOT NULL, issued DATE NOT NULL, due DATE NOT NULL, paid DATE,
    amount DECIMAL(12, 2) NOT NULL, dunning INTEGER NOT NULL
);
INSERT INTO invoice
SELECT i, 1 + i % 60000, DATE '2024-01-01' + 30 * (i / 60000), DATE '2024-01-15' + 30 * (i / 60000),
       CASE WHEN random() < 0.97 THEN DATE '2024-01-10' + 30 * (i / 60000) + floor(random() * 20)::integer END,
       round((5 + random() * 90)::numeric, 2), CASE WHEN random() < 0.96 THEN 0 ELSE 1 + floor(random() * 3) END
FROM generate_series(1, 240000) i;

CREATE TABLE ticket (
    id INTEGER PRIMARY KEY, subscriber_id INTEGER NOT NULL, opened TIMESTAMP NOT NULL, closed TIMESTAMP,
    priority INTEGER NOT NULL, team CHAR(6) NOT NULL, topic CHAR(8) NOT NULL, note VARCHAR(160) NOT NULL
);
INSERT INTO ticket
SELECT i, 1 + floor(random() * 60000), TIMESTAMP '2023-01-01 00:00:00' + i * INTERVAL '9 minutes',
       CASE WHEN i < 79000 OR random() < 0.5 THEN TIMESTAMP '2023-01-02 00:00:00' + i * INTERVAL '9 minutes' END,
       1 + floor(power(random(), 3) * 4), 'TEAM' || floor(random() * 12), (ARRAY['BILL', 'NET', 'SIM', 'ROAM'])[1 + i % 4],
       repeat(md5(i::text), 4)
FROM generate_series(1, 80000) i;
