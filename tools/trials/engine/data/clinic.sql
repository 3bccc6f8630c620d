-- A hospital: wide rows, many joins, codes of few and of many values.
SELECT setseed(0.57);

CREATE TABLE patient (
    id INTEGER PRIMARY KEY, insurance_no CHAR(14) NOT NULL, last_name VARCHAR(30) NOT NULL, first_name VARCHAR(30) NOT NULL,
    born DATE NOT NULL, sex CHAR(1) NOT NULL, zip CHAR(5) NOT NULL, insurer_id INTEGER NOT NULL, address VARCHAR(120) NOT NULL,
    history VARCHAR(400) NOT NULL
);
INSERT INTO patient
SELECT i, 'K' || lpad((i * 7919 % 9999991)::text, 13, '0'), 'Name' || floor(power(random(), 2) * 4000),
       'First' || floor(random() * 300), DATE '1930-01-01' + (random() * 33000)::integer, CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END,
       lpad(floor(power(random(), 2) * 900)::text, 5, '0'), 1 + floor(power(random(), 3) * 90), repeat(md5(i::text), 3), repeat(md5(i::text), 10)
FROM generate_series(1, 40000) i;

CREATE TABLE insurer (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, kind CHAR(3) NOT NULL);
INSERT INTO insurer SELECT i, 'Insurer ' || i, CASE WHEN i % 5 = 0 THEN 'PRV' ELSE 'PUB' END FROM generate_series(1, 90) i;

CREATE TABLE ward (id INTEGER PRIMARY KEY, code CHAR(5) NOT NULL, department INTEGER NOT NULL, beds INTEGER NOT NULL);
INSERT INTO ward SELECT i, 'W' || lpad(i::text, 4, '0'), i % 14, 12 + i % 20 FROM generate_series(1, 120) i;

CREATE TABLE stay (
    id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL, ward_id INTEGER NOT NULL, admitted DATE NOT NULL, discharged DATE,
    kind CHAR(2) NOT NULL, doctor_id INTEGER NOT NULL, diagnosis CHAR(7) NOT NULL, reason VARCHAR(200) NOT NULL, letter VARCHAR(300)
);
INSERT INTO stay
SELECT i, 1 + floor(random() * 40000), 1 + floor(power(random(), 2) * 120), DATE '2018-01-01' + i / 65,
       CASE WHEN i < 149300 OR random() < 0.3 THEN DATE '2018-01-02' + i / 65 + floor(power(random(), 3) * 30)::integer END,
       CASE WHEN random() < 0.8 THEN 'EL' WHEN random() < 0.95 THEN 'EM' ELSE 'DA' END, 1 + floor(random() * 260),
       chr(65 + floor(power(random(), 2) * 20)::integer) || lpad(floor(power(random(), 2) * 100)::text, 2, '0') || '.' || floor(random() * 9),
       repeat(md5(i::text), 4), repeat(md5(i::text), 6)
FROM generate_series(1, 150000) i;

CREATE TABLE treatment (
    id INTEGER PRIMARY KEY, stay_id INTEGER NOT NULL, code CHAR(8) NOT NULL, done TIMESTAMP NOT NULL, room INTEGER NOT NULL,
    minutes INTEGER NOT NULL, price DECIMAL(12, 2) NOT NULL, billed CHAR(1) NOT NULL, doctor_id INTEGER NOT NULL, remark VARCHAR(90) NOT NULL
);
INSERT INTO treatment
SELECT i, 1 + i * 15 / 40, 'T' || lpad(floor(power(random(), 3) * 3000)::text, 6, '0'), TIMESTAMP '2018-01-01 06:00:00' + i * INTERVAL '8 minutes',
       floor(random() * 30), 5 + floor(random() * 180), round((20 + random() * 2000)::numeric, 2),
       CASE WHEN i < 394000 THEN 'Y' WHEN random() < 0.6 THEN 'N' ELSE 'Y' END, 1 + floor(random() * 260), repeat(md5(i::text), 2)
FROM generate_series(1, 399990) i;

CREATE TABLE result (
    id INTEGER PRIMARY KEY, stay_id INTEGER NOT NULL, test INTEGER NOT NULL, taken TIMESTAMP NOT NULL, value DECIMAL(12, 2) NOT NULL,
    abnormal INTEGER NOT NULL, lab CHAR(4) NOT NULL
);
INSERT INTO result
SELECT i, 1 + floor(random() * 150000), 1 + floor(power(random(), 2) * 200), TIMESTAMP '2018-01-01 06:00:00' + i * INTERVAL '5 minutes',
       round((random() * 300)::numeric, 2), CASE WHEN random() < 0.06 THEN 1 ELSE 0 END, 'LAB' || floor(random() * 4)
FROM generate_series(1, 500000) i;

CREATE TABLE bill (
    id INTEGER PRIMARY KEY, stay_id INTEGER NOT NULL, insurer_id INTEGER NOT NULL, state CHAR(6) NOT NULL, sent DATE NOT NULL,
    amount DECIMAL(12, 2) NOT NULL, text VARCHAR(120) NOT NULL
);
INSERT INTO bill
SELECT i, i, 1 + floor(power(random(), 3) * 90), CASE WHEN i < 146000 THEN CASE WHEN random() < 0.99 THEN 'PAID' ELSE 'REFUSE' END
       ELSE 'OPEN' END, DATE '2018-02-01' + i / 65, round((100 + random() * 9000)::numeric, 2), repeat(md5(i::text), 3)
FROM generate_series(1, 148000) i;
