-- Skewed and correlated columns: claims with a state of which 99 % are DONE, and cities that decide their zip code.
SELECT setseed(0.31);

CREATE TABLE person (
    id INTEGER PRIMARY KEY, city VARCHAR(30) NOT NULL, zip CHAR(6) NOT NULL, region INTEGER NOT NULL,
    last_name VARCHAR(30) NOT NULL, born DATE NOT NULL, kind CHAR(1) NOT NULL, agent_id INTEGER, score INTEGER NOT NULL,
    address VARCHAR(80) NOT NULL
);
INSERT INTO person
SELECT i, 'City' || c, lpad((c * 10 + floor(random() * 3)::integer)::text, 6, '0'), c % 16,
       'Name' || floor(power(random(), 3) * 5000), DATE '1940-01-01' + (random() * 25000)::integer,
       CASE WHEN random() < 0.98 THEN 'P' ELSE 'C' END, CASE WHEN random() < 0.05 THEN floor(random() * 500) END,
       floor(power(random(), 2) * 1000), repeat(md5(i::text), 2)
FROM (SELECT i, floor(power(random(), 3) * 1000)::integer AS c FROM generate_series(1, 120000) i) AS given;

CREATE TABLE contract (
    id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, product CHAR(4) NOT NULL, tariff CHAR(8) NOT NULL,
    state CHAR(8) NOT NULL, began DATE NOT NULL, ended DATE, premium DECIMAL(12, 2) NOT NULL, branch INTEGER NOT NULL,
    text VARCHAR(80) NOT NULL
);
INSERT INTO contract
SELECT i, 1 + floor(power(random(), 2) * 119999), 'P' || p, 'P' || p || 'T' || floor(random() * 4),
       CASE WHEN random() < 0.97 THEN 'ACTIVE' WHEN random() < 0.9 THEN 'ENDED' ELSE 'LOCKED' END,
       DATE '2010-01-01' + i / 60, CASE WHEN random() < 0.1 THEN DATE '2024-01-01' - (random() * 1000)::integer END,
       round((10 + random() * 500)::numeric, 2), p % 7 + 10 * floor(random() * 6), repeat(md5(i::text), 2)
FROM (SELECT i, floor(power(random(), 2) * 30)::integer AS p FROM generate_series(1, 300000) i) AS given;

CREATE TABLE claim (
    id INTEGER PRIMARY KEY, contract_id INTEGER NOT NULL, state CHAR(8) NOT NULL, reported DATE NOT NULL,
    closed DATE, amount DECIMAL(12, 2) NOT NULL, cause INTEGER NOT NULL, clerk INTEGER NOT NULL, text VARCHAR(90) NOT NULL
);
INSERT INTO claim
SELECT i, 1 + floor(power(random(), 2) * 299999), CASE WHEN i < 396000 THEN 'DONE' WHEN i % 4 = 0 THEN 'NEW' WHEN i % 4 = 1
       THEN 'CHECK' ELSE 'OPEN' END, DATE '2015-01-01' + i / 115, CASE WHEN i < 396000 THEN DATE '2015-01-20' + i / 115 END,
       round((random() * random() * 20000)::numeric, 2), floor(power(random(), 4) * 40), floor(random() * 200),
       repeat(md5(i::text), 2)
FROM generate_series(1, 400000) i;

CREATE TABLE message (
    id INTEGER PRIMARY KEY, claim_id INTEGER, person_id INTEGER NOT NULL, channel CHAR(5) NOT NULL, unread INTEGER NOT NULL,
    sent TIMESTAMP NOT NULL, subject VARCHAR(60) NOT NULL
);
INSERT INTO message
SELECT i, CASE WHEN random() < 0.3 THEN 1 + floor(random() * 400000) END, 1 + floor(power(random(), 2) * 119999),
       CASE WHEN random() < 0.9 THEN 'MAIL' WHEN random() < 0.9 THEN 'PHONE' ELSE 'FAX' END,
       CASE WHEN random() < 0.004 THEN 1 ELSE 0 END, TIMESTAMP '2022-01-01 00:00:00' + i * INTERVAL '4 minutes',
       'Re: ' || md5(i::text)
FROM generate_series(1, 250000) i;
