"""The index selection for many statements, and for statements of many tables, on generated schemas."""

import random
import time
from typing import Any

from advisor.indexes.advice import Query
from advisor.indexes.catalog import Catalog, Column, Index, Key, Table
from advisor.indexes.pricing import Measured
from advisor.indexes.workload import advise_indexes

TABLES, COLUMNS, JOINED = 500, 15, 60
MANY, WIDE = 2000, 200  # statements on one or two tables, and statements that join 60
BUDGET = 100_000_000_000  # bytes
_TEXTS = (
    "SELECT C{d} FROM S.T{t} WHERE C{a} = ? AND C{b} = ?",
    "SELECT A.C{d}, B.C{c} FROM S.T{t} A JOIN S.T{u} B ON B.C{b} = A.ID WHERE A.C{a} = ?",
    "SELECT C{d}, C{c} FROM S.T{t} WHERE C{a} = ? AND C{b} > ? ORDER BY C{b} FETCH FIRST 20 ROWS ONLY",
    "UPDATE S.T{t} SET C{d} = ? WHERE C{a} = ? AND C{b} IN (?, ?)",
)


def measure(number: int) -> dict[str, Any]:
    """Return the processor seconds to advise indexes for that many statements; WIDE of them join many tables."""
    chance = random.Random(number)
    catalog = _catalog(chance)
    write = _join if number == WIDE else _simple
    queries = [
        Query(str(place), write(chance, place), chance.randint(1, 1000), Measured(20.0, 10.0, 10.0, None, 5e4, 10))
        for place in range(number)
    ]
    begin = time.process_time()
    advice = advise_indexes(queries, catalog, budget=BUDGET, most=10)
    return {"cpu_s": time.process_time() - begin, "count": len(advice.accounts)}


def _catalog(chance: random.Random) -> Catalog:
    found = {}
    for place in range(TABLES):
        rows = chance.choice((50_000, 300_000, 2_000_000))
        cards = {"ID": rows, **{f"C{n}": chance.choice((5, 100, 3000, rows // 10)) for n in range(COLUMNS)}}
        columns = {name: Column(name, "INTEGER", 4, card, 0, 4) for name, card in cards.items()}
        key = Index("S", f"P{place}", (Key("ID"),), unique_rule="P")
        found["S", f"T{place}"] = Table("S", f"T{place}", columns, rows, rows // 40, 8192, indexes=(key,))
    return found


def _simple(chance: random.Random, place: int) -> str:
    columns = dict(zip("abcd", chance.sample(range(COLUMNS), 4), strict=True))
    return _TEXTS[place % len(_TEXTS)].format(t=chance.randrange(TABLES), u=chance.randrange(TABLES), **columns)


def _join(chance: random.Random, _: int) -> str:
    tables = chance.sample(range(TABLES), JOINED)
    joins = (
        f"JOIN S.T{table} T{n} ON T{n}.C{chance.randrange(COLUMNS)} = T{chance.randrange(n)}.C{chance.randrange(COLUMNS)}"
        for n, table in enumerate(tables[1:], 1)
    )
    return f"SELECT T0.C1, T1.C2 FROM S.T{tables[0]} T0 {' '.join(joins)} WHERE T0.C3 = ? AND T5.C4 = ?"
