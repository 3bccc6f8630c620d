-- Order entry: customers, orders with lines, stock of warehouses, payments and a history of states.
SELECT setseed(0.17);

CREATE TABLE customer (
    id INTEGER PRIMARY KEY, email VARCHAR(60) NOT NULL, last_name VARCHAR(30) NOT NULL, first_name VARCHAR(30) NOT NULL,
    city VARCHAR(30) NOT NULL, phone VARCHAR(20), created DATE NOT NULL, credit DECIMAL(12, 2) NOT NULL,
    state CHAR(1) NOT NULL, notes VARCHAR(120)
);
INSERT INTO customer
SELECT i, 'user' || i || '@example.com', 'Name' || floor(random() * 1000), 'First' || floor(random() * 400),
       'City' || floor(random() * 300), CASE WHEN random() < 0.7 THEN '0' || 100000000 + i END,
       DATE '2018-01-01' + (random() * 2500)::integer, round((random() * 5000)::numeric, 2),
       CASE WHEN random() < 0.95 THEN 'A' ELSE 'C' END, repeat(md5(i::text), 2)
FROM generate_series(1, 40000) i;

CREATE TABLE product (
    id INTEGER PRIMARY KEY, sku CHAR(12) NOT NULL, name VARCHAR(60) NOT NULL, category INTEGER NOT NULL,
    price DECIMAL(12, 2) NOT NULL, description VARCHAR(200) NOT NULL
);
INSERT INTO product
SELECT i, 'SKU' || lpad(i::text, 9, '0'), 'Product ' || md5(i::text), floor(random() * 200),
       round((1 + random() * 999)::numeric, 2), repeat(md5(i::text), 4)
FROM generate_series(1, 10000) i;

CREATE TABLE stock (
    warehouse INTEGER NOT NULL, product_id INTEGER NOT NULL, quantity INTEGER NOT NULL, reserved INTEGER NOT NULL,
    shelf CHAR(8) NOT NULL, counted DATE NOT NULL, PRIMARY KEY (warehouse, product_id)
);
INSERT INTO stock
SELECT w, p, floor(random() * 500), floor(random() * 20), 'S' || floor(random() * 1000),
       DATE '2024-01-01' + (random() * 180)::integer
FROM generate_series(1, 12) w, generate_series(1, 10000) p;

CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, state CHAR(10) NOT NULL, created DATE NOT NULL,
    shipped DATE, warehouse INTEGER NOT NULL, amount DECIMAL(12, 2) NOT NULL, reference CHAR(12) NOT NULL,
    remark VARCHAR(80)
);
INSERT INTO orders
SELECT i, 1 + floor(random() * 40000), CASE WHEN i < 178000 THEN 'CLOSED' WHEN r < 0.5 THEN 'NEW' WHEN r < 0.8
       THEN 'PICKED' ELSE 'SHIPPED' END, DATE '2023-01-01' + i / 330,
       CASE WHEN i < 178000 THEN DATE '2023-01-02' + i / 330 END, 1 + floor(random() * 12),
       round((10 + random() * 2000)::numeric, 2), 'R' || substr(md5(i::text), 1, 11), repeat(md5(i::text), 2)
FROM (SELECT i, random() r FROM generate_series(1, 180000) i) AS given;

CREATE TABLE order_line (
    order_id INTEGER NOT NULL, pos INTEGER NOT NULL, product_id INTEGER NOT NULL, quantity INTEGER NOT NULL,
    price DECIMAL(12, 2) NOT NULL, delivered DATE, info CHAR(24) NOT NULL, PRIMARY KEY (order_id, pos)
);
INSERT INTO order_line
SELECT o, n, 1 + floor(random() * 10000), 1 + floor(random() * 9), round((1 + random() * 999)::numeric, 2),
       CASE WHEN o < 178000 THEN DATE '2023-01-03' + o / 330 END, substr(md5(o::text), 1, 24)
FROM generate_series(1, 180000) o, generate_series(1, 5) n WHERE n <= 1 + o % 5;

CREATE TABLE payment (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, paid DATE NOT NULL, amount DECIMAL(12, 2) NOT NULL,
    method CHAR(4) NOT NULL, iban CHAR(22) NOT NULL
);
INSERT INTO payment
SELECT i, 1 + floor(random() * 180000), DATE '2023-01-05' + i / 280, round((10 + random() * 2000)::numeric, 2),
       (ARRAY['CARD', 'BANK', 'CASH', 'BILL'])[1 + floor(random() * 4)], 'DE' || lpad((i * 7)::text, 20, '0')
FROM generate_series(1, 150000) i;

CREATE TABLE history (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, changed TIMESTAMP NOT NULL, user_id INTEGER NOT NULL,
    state CHAR(10) NOT NULL, message VARCHAR(60) NOT NULL
);
INSERT INTO history
SELECT i, 1 + (i / 2 + floor(random() * 500)::integer) % 180000, TIMESTAMP '2023-01-01 00:00:00' + i * INTERVAL '2 minutes',
       floor(random() * 300), (ARRAY['NEW', 'PICKED', 'SHIPPED', 'CLOSED'])[1 + floor(random() * 4)], md5(i::text)
FROM generate_series(1, 360000) i;
