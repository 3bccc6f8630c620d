"""What was pasted about the tables of a statement: definitions, statistics, indexes, sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from advisor.diagnosis.listings import Row, integer
from advisor.imports.sql_words import NotUnderstoodError, split_statements, split_words
from advisor.imports.table_ddl import INDEX, OTHER, TABLE, parse_table_ddl
from advisor.indexes.catalog import Catalog, Column, Definition, Index, Key, Table
from advisor.plans.graph import number
from advisor.plans.plan import Name

_WORD = r'(?:"[\w$#@ ]{1,130}"|(?<![\w$#@])[\w$#@]{1,130}(?![\w$#@]))'
_AMOUNT = r"(\d[\d,.]*)\+?\s*(thousand|million|billion|mio|k|m|bn)?\b"
_UNITS = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mio": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_ROWS = re.compile(
    rf"(?P<name>(?:{_WORD}\.)?{_WORD})\W{{0,4}}(?:table )?(?:has|have|holds|contains|with|is|of|table)?\W{{0,3}}(?:about|around|approx\S*|only|over|some|roughly|nearly|more than|~)?\W{{0,3}}"
    rf"{_AMOUNT}\s*(?P<rows>rows|records|entries|tuples)?",
    re.I,
)
_ALONE = re.compile(rf"{_AMOUNT}\s*(?:rows|records)\b(?! (?:read|returned|per|selected|match))", re.I)
_INDEX_LIST = re.compile(
    r"\b(?:index|indexes|indices|indexed|key|pk)\b|\b\w{0,128}(?:IX|IDX|INX|PK)\w{0,128}\s*\(", re.I
)
_COLUMNS = re.compile(
    rf"((?:{_WORD}\.)?{_WORD})?\s*\(\s*({_WORD}(?:\s+(?:asc|desc))?(?:\s*,\s*{_WORD}(?:\s+(?:asc|desc))?)*)\s*\)", re.I
)
_INDEX_ON = re.compile(
    rf"\b(unique )?(?:index|indexes|indices)\b[^.;()\n]{{0,30}}?\bon\s+((?:{_WORD}\.)?{_WORD})(?!\s*\()", re.I
)
_NAMED_ON = re.compile(rf"\b({_WORD})\s+on\s+(?:column\s+)?({_WORD})(?!\s*[(.])", re.I)
_DIVIDED = re.compile(r"\b(PARTITION BY|ORGANIZE BY)(?: RANGE| DIMENSIONS)? \(([^()]+)\)", re.I)
_NO_NAMES = frozenset({"index", "indexes", "key", "an", "one", "exists", "is", "on", "of", "columns", "over"})
_IS_ON = re.compile(rf"\b({_WORD}) is on \(([^)]+)\)", re.I)

DEFAULT_ROWS = 1_000_000  # own: of a table of a slow statement, without any number
LEAST_ROWS = 1000  # own: of a table, if a sentence has a number without a name
ROW_BYTES = 100  # own: of a row of unknown columns


@dataclass
class Facts:
    """The facts of one table. ``rows`` is CARD, or the number of a plan or a sentence; ``told`` is its source.

    ``seen`` are the names of other indexes, each with its expression; empty if the text does not show its keys.
    ``divided`` are the columns of PARTITION BY and ORGANIZE BY.
    """

    name: Name
    rows: float | None = None
    told: str = ""
    pages: int | None = None
    file_pages: int | None = None
    overflow: int | None = None
    stats_time: str = ""
    changed: int | None = None
    has_no_statistics: bool = False
    volatile: bool = False
    columns: dict[str, Column] = field(default_factory=dict)
    not_null: set[str] = field(default_factory=set)
    indexes: dict[str, Index] = field(default_factory=dict)
    keys: list[frozenset[str]] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    divided: dict[str, str] = field(default_factory=dict)

    def add_index(self, schema: str, name: str, keys: Sequence[Key], unique: bool = False, **more: object) -> None:
        """Add an index unless one with the same keys is known."""
        if not keys or any(index.keys == tuple(keys) for index in self.indexes.values()):
            return
        name = name or f"{self.name[1]}_{len(self.indexes) + 1}"
        self.indexes[name] = replace(
            Index(schema or self.name[0], name, tuple(keys), unique_rule="U" if unique else "D"),
            **more,  # type: ignore[arg-type]
        )
        if unique:
            self.keys.append(frozenset(key.column for key in keys))


class Tables(dict[Name, Facts]):
    """The tables by schema and name; a name without schema finds the only table of that name. ``views`` have a text."""

    def __init__(self) -> None:
        super().__init__()
        self.views: dict[Name, Definition] = {}

    def of(self, name: Name) -> Facts:
        """Return the facts of a table, new ones if nothing is known of it yet."""
        found = self.find(name)
        if found is None:
            found = self[name] = Facts(name)
        elif name[0] and not found.name[0]:
            del self[found.name]
            found.name = name
            self[name] = found
        return found

    def find(self, name: Name) -> Facts | None:
        """Return the facts of a table, or None."""
        if name in self:
            return self[name]
        same = [each for key, each in self.items() if key[1] == name[1] and "" in (key[0], name[0])]
        return same[0] if len(same) == 1 else None

    def of_index(self, name: str) -> Facts | None:
        """Return the table that has an index of this name."""
        return next((each for each in self.values() if name in each.indexes), None)


def read_ddl(text: str, tables: Tables) -> list[tuple[str, str, Name, tuple[str, ...]]]:
    """Add the tables and indexes of CREATE statements; return the foreign keys: schema, table, parent and columns."""
    foreign = []
    for tokens in split_statements(split_words(text)):
        words = [token.upper() for token in tokens[:4]]
        if words[:1] not in (["CREATE"], ["ALTER"]):
            continue
        try:
            found = parse_table_ddl(tokens)
        except (NotUnderstoodError, IndexError):
            continue
        if found.what == INDEX:
            keys = [Key(column, order == "D") for column, order in found.parts if order != "I"]
            include = tuple(column for column, order in found.parts if order == "I")
            facts = tables.of(found.name)
            facts.add_index(*found.index, keys, found.facts.get("UNIQUERULE") == "U", include=include)
            if found.expression:
                facts.seen[found.index[1]] = found.expression
            continue
        if found.what in (TABLE, "altered table"):
            facts = tables.of(found.name)
            for name, about in found.columns.items():
                length = about.get("LENGTH", "")
                facts.columns[name] = Column(
                    name, about.get("TYPENAME", ""), int(length) if length.isdecimal() else None
                )
            for key in found.keys:
                facts.add_index(
                    "",
                    key.name or f"{'PK' if key.rule == 'P' else 'UK'}_{found.name[1]}",
                    [*map(Key, key.columns)],
                    True,
                )
                facts.not_null.update(key.columns if key.rule == "P" else ())
            for name in found.columns:
                if re.search(rf'(?<![\w"])"?{re.escape(name)}"?\s[^,]*?\bNOT NULL\b', text, re.I):
                    facts.not_null.add(name)
            for kind, columns in _DIVIDED.findall(" ".join(tokens)):
                facts.divided[kind.upper().split()[0]] = " ".join(map(_plain, columns.split(",")))
            facts.volatile |= found.facts.get("VOLATILE") == "C"
        if found.what == OTHER:
            about = found.facts
            base = (about.get("BASE_SCHEMA", ""), about.get("BASE_NAME", ""))
            kind = about["INDNAME"]
            tables.views[found.name] = Definition(
                kind, base if kind == "A" else None, found.name[0], about.get("DEFINITION")
            )
        foreign += [(*found.name, parent, columns) for parent, columns in _foreign_keys(" ".join(tokens))]
    return foreign


def _foreign_keys(text: str) -> Iterable[tuple[Name, tuple[str, ...]]]:
    for match in re.finditer(rf"FOREIGN KEY\s*\(([^)]+)\)\s*REFERENCES\s+(?:({_WORD})\s*\.\s*)?({_WORD})", text, re.I):
        yield (_plain(match[2] or ""), _plain(match[3])), tuple(_plain(each) for each in match[1].split(","))


def _plain(text: str) -> str:
    text = text.strip()
    return text.strip('"').rstrip() if text[:1] == '"' else text.upper()


def read_rows(listings: Iterable[Sequence[Row]], tables: Tables, used: Iterable[Name]) -> None:
    """Add statistics and indexes of catalog listings; a listing without table names is about the only table."""
    only = next(iter(used), None) if len(set(used)) == 1 else None
    for rows in listings:
        for row in rows:
            name = row.get("TABNAME") or row.get("TABLE_NAME") or ("" if "INDNAME" in row else row.get("NAME", ""))
            schema = row.get("TABSCHEMA") or row.get("CREATOR") or row.get("TABLE_SCHEMA") or ""
            key = (schema.strip(), name.strip()) if name else only
            if key is None and (index := row.get("INDNAME") or row.get("NAME")):
                known = tables.of_index(index)
                key = known.name if known else None
            if key is not None:
                _take_row(tables.of(key), row)


def _take_row(facts: Facts, row: Row) -> None:
    if "INDNAME" in row and row.get("COLNAMES"):
        names = re.findall(r"([+-])([^+\-\s]+)", row["COLNAMES"])
        keys = [Key(name.upper(), sign == "-") for sign, name in names] or [
            Key(name.strip().upper()) for name in re.split(r"[\s,]+", row["COLNAMES"].strip()) if name
        ]
        cards = tuple(integer(row.get(f"FIRST{n}KEYCARD")) for n in ("", "2", "3", "4"))
        ratio = integer(row.get("CLUSTERRATIO"))
        more = {
            "distinct": integer(row.get("FULLKEYCARD")),
            "first_distinct": cards,
            "leaf_pages": integer(row.get("NLEAF")),
            "levels": integer(row.get("NLEVELS")),
            "clustering": ratio / 100 if ratio is not None else None,
        }
        facts.add_index(
            row.get("INDSCHEMA", ""), row["INDNAME"], keys, row.get("UNIQUERULE", "D") in ("P", "U"), **more
        )
    elif "COLNAME" in row and "INDNAME" not in row and "COLVALUE" not in row:
        known = facts.columns.get(row["COLNAME"].upper(), Column(row["COLNAME"].upper()))
        facts.columns[known.name] = replace(
            known,
            type=row.get("TYPENAME", known.type),
            length=integer(row.get("LENGTH")) or known.length,
            distinct=integer(row.get("COLCARD")) if "COLCARD" in row else known.distinct,
            nulls=integer(row.get("NUMNULLS")) if "NUMNULLS" in row else known.nulls,
        )
        facts.has_no_statistics |= row.get("COLCARD", "").strip() == "-1"
        if row.get("NULLS") == "N":
            facts.not_null.add(known.name)
    if "CARD" in row and (card := number(row["CARD"].strip())) is not None:
        facts.has_no_statistics = card < 0
        facts.rows, facts.told = (None, "") if card < 0 else (card, "CARD")
    facts.pages = integer(row.get("NPAGES")) if "NPAGES" in row else facts.pages
    facts.file_pages = integer(row.get("FPAGES")) if "FPAGES" in row else facts.file_pages
    facts.overflow = integer(row.get("OVERFLOW")) if "OVERFLOW" in row else facts.overflow
    facts.changed = integer(row.get("STATS_ROWS_MODIFIED")) or facts.changed
    facts.stats_time = row.get("STATS_TIME", facts.stats_time).strip()
    if "STATS_TIME" in row and facts.stats_time in ("", "-", "NULL"):
        facts.has_no_statistics = True
    facts.volatile |= row.get("VOLATILE", "").strip() == "C"


def read_sentences(text: str, tables: Tables, used_columns: Mapping[Name, Sequence[str]]) -> None:
    """Add the rows and indexes of which sentences speak, for the tables of the statement."""
    used = [*used_columns]
    by_name = {name[1]: name for name in used}
    for match in _ROWS.finditer(text):
        name = _plain(match["name"].rpartition(".")[2])
        value = amount(match[2], match[3])
        if name in by_name and value is not None and (match["rows"] or match[3] or value >= 1000):
            facts = tables.of(by_name[name])
            if facts.told != "CARD":
                facts.rows, facts.told = value, "text"
    if len(used) == 1 and tables.of(used[0]).rows is None:
        facts, counts = tables.of(used[0]), [amount(each[1], each[2]) or 0.0 for each in _ALONE.finditer(text)]
        if max(counts, default=0.0) >= LEAST_ROWS:  # fewer are those of the result
            facts.rows, facts.told = max(counts), "text"
    owners = {column: name for name, columns in used_columns.items() for column in columns}
    for sentence in re.split(r"[.;](?:\s|$)|\n\s*\n", text):
        if _INDEX_LIST.search(sentence):
            _read_index_sentence(sentence, tables, by_name, owners)
    for match in _NAMED_ON.finditer(text):
        index, column = _plain(match[1]), _plain(match[2])
        if column in by_name and _INDEX_LIST.search(text) and re.search(r"primary|unique", text, re.I):
            tables.of(by_name[column]).add_index("", "", [Key(index)], True)
        elif column in owners and index not in by_name and _INDEX_LIST.search(text):
            tables.of(owners[column]).add_index("", "" if index.lower() in _NO_NAMES else index, [Key(column)])
    for said in _IS_ON.finditer(text):
        index = _plain(said[1])
        facts_or_none = tables.of_index(index) or (tables.of(used[0]) if len(used) == 1 else None)
        if facts_or_none:
            facts_or_none.add_index("", index, _keys(said[2]))


def _read_index_sentence(
    sentence: str, tables: Tables, by_name: Mapping[str, Name], owners: Mapping[str, Name]
) -> None:
    names = [_plain(word) for word in re.findall(_WORD, sentence)]
    about = [by_name[name] for name in names if name in by_name] or ([*by_name.values()] if len(by_name) == 1 else [])
    for match in _COLUMNS.finditer(sentence):
        name = _plain((match[1] or "").rpartition(".")[2])
        keys = _keys(match[2])
        table = by_name.get(name) or (about[-1] if about and len(set(about)) == 1 else owners.get(keys[0].column))
        if table and re.search(r"[a-z]", match[2], re.I):
            facts = tables.of(table)
            unique = "unique" in sentence.lower() or "primary" in sentence[: match.start()].lower()[-20:]
            facts.add_index("", "" if name in ("", *by_name) or name.lower() in _NO_NAMES else name, keys, unique)
    for match in _INDEX_ON.finditer(sentence):
        column = _plain(match[2].rpartition(".")[2])
        if column not in by_name and len(set(about)) == 1:
            tables.of(about[0]).add_index("", "", [Key(column)], bool(match[1]) or "unique index" in sentence.lower())


def _keys(text: str) -> list[Key]:
    parts = [each.split() for each in text.replace("+", " ").split(",") if each.strip()]
    return [Key(_plain(part[0]), part[-1].lower() == "desc") for part in parts]


def amount(text: str, unit: str | None) -> float | None:
    """Return a number that a person wrote: 5,400,000 or 2.6 million."""
    text = text.rstrip(".,")
    text = text.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) else text.replace(",", ".")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", text):
        text = text.replace(".", "")
    value = number(text)
    return None if value is None else value * _UNITS.get((unit or "").lower(), 1.0)


def build_catalog(
    tables: Tables,
    columns: Mapping[Name, Iterable[str]],
    guesses: Mapping[tuple[Name, str], float],
    nullable: frozenset[str] = frozenset(),
) -> Catalog:
    """Return the tables for the index advice. ``columns`` are those of the statement, ``guesses`` numbers of values.

    ``nullable`` columns are compared with NULL: without statistics, most of their values are.
    """
    found: dict[Name, Table] = {}
    for name, used in columns.items():
        facts = tables.find(name) or Facts(name)
        rows = DEFAULT_ROWS if facts.rows is None else max(0, int(facts.rows))
        known = dict(facts.columns)
        for column in (*used, *(key.column for index in facts.indexes.values() for key in index.keys)):
            known.setdefault(column, Column(column))
        for column, each in known.items():
            if each.distinct is None:
                guess = _guess(facts, column, rows, guesses.get((name, column)))
                nulls = rows * 9 // 10 if each.nulls is None and column in nullable else each.nulls
                known[column] = replace(each, distinct=max(1, int(guess)), nulls=nulls)
        pages = facts.pages if facts.pages else max(1, rows * ROW_BYTES // 4096)
        expressions = tuple(each for each in facts.seen.items() if each[1])
        found[name] = Table(*name, known, rows, pages, indexes=tuple(facts.indexes.values()), expressions=expressions)
    for name, definition in tables.views.items():
        found.setdefault(name, Table(*name, definition=definition))
        if found[name].definition is None:
            found[name] = Table(*name, definition=definition)
    return found


def _guess(facts: Facts, column: str, rows: int, guess: float | None) -> float:
    """Return the number of values of a column without statistics."""
    if frozenset([column]) in facts.keys:
        return rows
    for index in facts.indexes.values():
        first = next(iter(index.first_distinct), None)
        if index.keys[0].column == column and first is not None:
            return first
    return min(rows, guess) if guess is not None else sqrt(max(1, rows))
