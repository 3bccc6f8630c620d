-- A wholesale schema after TPC-H at a tenth of its smallest scale: orders with lines, parts with suppliers.
SELECT setseed(0.42);

CREATE TABLE nation (
    n_nationkey INTEGER PRIMARY KEY, n_name CHAR(25) NOT NULL, n_regionkey INTEGER NOT NULL
);
INSERT INTO nation SELECT i, 'NATION ' || i, i % 5 FROM generate_series(0, 24) i;

CREATE TABLE supplier (
    s_suppkey INTEGER PRIMARY KEY, s_name CHAR(25) NOT NULL, s_nationkey INTEGER NOT NULL,
    s_phone CHAR(15) NOT NULL, s_acctbal DECIMAL(12, 2) NOT NULL, s_comment VARCHAR(101) NOT NULL
);
INSERT INTO supplier
SELECT i, 'Supplier#' || lpad(i::text, 9, '0'), floor(random() * 25), (10 + i % 25) || '-' || 1000000 + i,
       round((random() * 11000 - 1000)::numeric, 2), repeat(md5(i::text), 2)
FROM generate_series(1, 1000) i;

CREATE TABLE customer (
    c_custkey INTEGER PRIMARY KEY, c_name VARCHAR(25) NOT NULL, c_nationkey INTEGER NOT NULL,
    c_phone CHAR(15) NOT NULL, c_acctbal DECIMAL(12, 2) NOT NULL, c_mktsegment CHAR(10) NOT NULL,
    c_comment VARCHAR(117) NOT NULL
);
INSERT INTO customer
SELECT i, 'Customer#' || lpad(i::text, 9, '0'), floor(random() * 25), (10 + i % 25) || '-' || 1000000 + i,
       round((random() * 11000 - 1000)::numeric, 2),
       (ARRAY['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY'])[1 + floor(random() * 5)],
       repeat(md5(i::text), 3)
FROM generate_series(1, 15000) i;

CREATE TABLE part (
    p_partkey INTEGER PRIMARY KEY, p_name VARCHAR(55) NOT NULL, p_brand CHAR(10) NOT NULL,
    p_type VARCHAR(25) NOT NULL, p_size INTEGER NOT NULL, p_container CHAR(10) NOT NULL,
    p_retailprice DECIMAL(12, 2) NOT NULL
);
INSERT INTO part
SELECT i, (ARRAY['almond', 'blue', 'coral', 'dark', 'forest', 'green', 'ivory', 'lace'])[1 + floor(random() * 8)]
          || ' ' || substr(md5(i::text), 1, 24),
       'Brand#' || 1 + floor(random() * 5) || 1 + floor(random() * 5),
       (ARRAY['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'])[1 + floor(random() * 6)] || ' '
       || (ARRAY['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED'])[1 + floor(random() * 5)] || ' '
       || (ARRAY['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'])[1 + floor(random() * 5)],
       1 + floor(random() * 50),
       (ARRAY['SM', 'LG', 'MED', 'JUMBO', 'WRAP'])[1 + floor(random() * 5)] || ' '
       || (ARRAY['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'])[1 + floor(random() * 8)],
       round((900 + i % 1000)::numeric, 2)
FROM generate_series(1, 20000) i;

CREATE TABLE partsupp (
    ps_partkey INTEGER NOT NULL, ps_suppkey INTEGER NOT NULL, ps_availqty INTEGER NOT NULL,
    ps_supplycost DECIMAL(12, 2) NOT NULL, ps_comment VARCHAR(199) NOT NULL,
    PRIMARY KEY (ps_partkey, ps_suppkey)
);
INSERT INTO partsupp
SELECT p, (p + s * 250) % 1000 + 1, 1 + floor(random() * 9999), round((1 + random() * 999)::numeric, 2),
       repeat(md5(p::text), 3)
FROM generate_series(1, 20000) p, generate_series(0, 3) s;

CREATE TABLE orders (
    o_orderkey INTEGER PRIMARY KEY, o_custkey INTEGER NOT NULL, o_orderstatus CHAR(1) NOT NULL,
    o_totalprice DECIMAL(12, 2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority CHAR(15) NOT NULL,
    o_clerk CHAR(15) NOT NULL, o_shippriority INTEGER NOT NULL, o_comment VARCHAR(79) NOT NULL
);
INSERT INTO orders
SELECT i * 4, 1 + floor(random() * 14999), CASE WHEN r < 0.49 THEN 'F' WHEN r < 0.98 THEN 'O' ELSE 'P' END,
       round((900 + random() * 400000)::numeric, 2), DATE '1992-01-01' + (random() * 2405)::integer,
       (ARRAY['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'])[1 + floor(random() * 5)],
       'Clerk#' || lpad((1 + floor(random() * 1000))::text, 9, '0'), 0, repeat(md5(i::text), 2)
FROM (SELECT i, random() r FROM generate_series(1, 150000) i) AS given;

CREATE TABLE lineitem (
    l_orderkey INTEGER NOT NULL, l_linenumber INTEGER NOT NULL, l_partkey INTEGER NOT NULL,
    l_suppkey INTEGER NOT NULL, l_quantity DECIMAL(12, 2) NOT NULL, l_extendedprice DECIMAL(12, 2) NOT NULL,
    l_discount DECIMAL(12, 2) NOT NULL, l_tax DECIMAL(12, 2) NOT NULL, l_returnflag CHAR(1) NOT NULL,
    l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL,
    l_receiptdate DATE NOT NULL, l_shipmode CHAR(10) NOT NULL, l_comment VARCHAR(44) NOT NULL,
    PRIMARY KEY (l_orderkey, l_linenumber)
);
INSERT INTO lineitem
SELECT o_orderkey, n, p, (p + floor(random() * 4)::integer * 250) % 1000 + 1, q, round((q * (900 + p % 1000))::numeric, 2),
       round((floor(random() * 11) / 100)::numeric, 2), round((floor(random() * 9) / 100)::numeric, 2),
       CASE WHEN shipped > DATE '1995-06-17' THEN 'N' WHEN random() < 0.5 THEN 'R' ELSE 'A' END,
       CASE WHEN shipped > DATE '1995-06-17' THEN 'O' ELSE 'F' END,
       shipped, o_orderdate + 30 + (random() * 60)::integer, shipped + 1 + (random() * 29)::integer,
       (ARRAY['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'])[1 + floor(random() * 7)], md5(p::text)
FROM (
    SELECT o_orderkey, o_orderdate, n, 1 + floor(random() * 20000)::integer AS p, 1 + floor(random() * 50) AS q,
           o_orderdate + 1 + (random() * 120)::integer AS shipped
    FROM orders, generate_series(1, 7) n
    WHERE n <= 1 + o_orderkey / 4 % 7
) AS given;
