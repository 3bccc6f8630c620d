"""Indexes that could help a statement: new ones, and existing ones with more columns."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from advisor.indexes.catalog import Catalog, Key, Table
from advisor.indexes.hindrances import OBSTACLES, Hindrance
from advisor.indexes.shapes import DEFAULT_LIMITS, NOT_INDEXABLE, Candidate, Limits, fitting_keys, shapes
from advisor.indexes.statement import Statement, TableUse

NO_STATISTICS = "The table has no statistics."


@dataclass(frozen=True)
class Skipped:
    """A table reference without candidates, and the reason; ``is_answer``: enough is known to say that none helps."""

    schema: str
    table: str
    reason: str
    is_answer: bool = True


@dataclass(frozen=True)
class Proposal:
    """The candidates of one statement, and the table references without any."""

    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...] = ()


def propose(statement: Statement, catalog: Catalog, limits: Limits = DEFAULT_LIMITS) -> Proposal:
    """Return the candidate indexes of a statement, the most promising first for each table reference."""
    found: dict[Candidate, None] = {}
    skipped: dict[Skipped, None] = {}
    for use in statement.tables:
        table = catalog.get((use.schema, use.table))
        reason = _obstacle(use, table, limits)
        if reason is None and table is not None:
            limited = statement.limit is not None and len(statement.tables) == 1
            mine = _candidates(use, table, limits, limited)
            found.update(dict.fromkeys(mine))
            reason = None if mine else _nothing(use, table, limited, statement.hindrances)
        if reason:
            is_answer = reason == OBSTACLES["system"] or (
                table is not None and not use.obstacle and reason != NO_STATISTICS
            )
            skipped[Skipped(use.schema, use.table, reason, is_answer)] = None
    return Proposal(tuple(found), tuple(skipped))


def merged(candidates: Iterable[Candidate], catalog: Catalog, limits: Limits = DEFAULT_LIMITS) -> list[Candidate]:
    """Return indexes that serve two candidates on one table whose keys begin with the same columns."""
    by_table: dict[tuple[str, str], dict[tuple[Key, ...], Candidate]] = {}
    for candidate in candidates:
        by_table.setdefault((candidate.schema, candidate.table), {})[candidate.keys] = candidate
    found: list[Candidate] = []
    for name, given in by_table.items():
        if (table := catalog.get(name)) is not None:
            found += list(_merged(table, given, limits).values())[: limits.merged]
    return found


def _merged(table: Table, given: dict[tuple[Key, ...], Candidate], limits: Limits) -> dict[tuple[Key, ...], Candidate]:
    found: dict[tuple[Key, ...], Candidate] = {}
    for one, other in permutations(given.values(), 2):
        last = {column for column in table.columns if table.columns[column].distinct == 1} - {
            key.column for key in one.keys[: one.free]
        }
        together = sorted(_together(one, other), key=lambda key: key.column in last)
        if len(found) < limits.merged and 0 < len(together) <= limits.key_columns + limits.covering_columns:
            for each in shapes(table, Candidate(table.schema, table.name, tuple(together)), (), (), limits):
                if each.keys not in given:
                    found.setdefault(each.keys, each)
    return found


def _obstacle(use: TableUse, table: Table | None, limits: Limits) -> str | None:
    """Return why a table can have no candidate."""
    if use.obstacle or table is None:
        return use.obstacle or OBSTACLES["absent"]
    reasons = {
        "The table is column-organized.": table.column_organized,
        NO_STATISTICS: table.pages is None or table.pages < 0,
        f"The table has fewer than {limits.min_pages:,} pages.": 0 <= (table.pages or 0) < limits.min_pages,
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def _nothing(use: TableUse, table: Table, limited: bool, hindrances: Iterable[Hindrance]) -> str:
    """Return why a known table has no candidates."""
    usable = use.compared
    if not usable and not (limited and use.order):
        found = [item for item in hindrances if item.table in ("", use.table) and item.schema in ("", use.schema)]
        return " ".join(dict.fromkeys(item.text for item in found)) or "No predicate on the table can use an index."
    long = [name for name in usable if name in table.columns and not fitting_keys(table, [Key(name)])]
    if long and len(set(long)) == len(set(usable)):
        return f"The key of an index is too short for {', '.join(dict.fromkeys(long))}."
    if use.equal and not any(_distinguishes(table, equal.column, use) for equal in use.equal):
        return "The compared columns have one value, or an existing index already begins with them."
    return "An existing index already begins with these columns."


def _candidates(use: TableUse, table: Table, limits: Limits, limited: bool) -> list[Candidate]:
    found: dict[tuple[str, ...], Candidate] = {}
    covered = _covered(use, table, limits)
    compared = [equal.column for equal in use.equal if equal.values == 1]
    is_grouped = _is_grouped(use)
    for free, then in _sequences(use, table, limits, limited):
        wanted = Candidate(table.schema, table.name, (*map(Key, free), *then), free=len(free))
        for each in shapes(table, wanted, covered, compared, limits):
            if is_grouped and not set(covered or [""]) <= set(each.columns):
                continue
            before = found.get(each.columns)
            if before is None or before.free < each.free:
                found[each.columns] = each
    found |= {each.columns: each for each in _with_include(use, table, limits) if each.columns not in found}
    too_many = len(found) > limits.candidates
    return sorted(found.values(), key=lambda each: too_many and each.covering > 0)[: limits.candidates]


def _sequences(use: TableUse, table: Table, limits: Limits, limited: bool) -> list[tuple[list[str], list[Key]]]:
    """Return pairs of columns compared with values, and of keys that follow them in this order."""
    usable = {name for name, column in table.columns.items() if column.type.upper() not in NOT_INDEXABLE}
    parts = {equal.column: _share(use, table, equal.column) for equal in use.equal if equal.column in usable}
    several = {equal.column for equal in use.equal if equal.values > 1}
    chosen = [column for column in parts if _distinguishes(table, column, use)]
    equal = _arranged(chosen, parts, several, table)[: limits.key_columns]
    constant = parts.keys() - several
    single = [column for column in equal if column not in several]
    ranges = [
        column
        for column in dict.fromkeys((*use.ranges, *use.likes))
        if column in usable and column not in equal and table.columns[column].distinct != 1
    ]
    found: list[tuple[list[str], list[Key]]] = []
    for joined in _joined(use, table, usable, equal):
        after = [column for column in equal if column not in joined]
        found.append(([*after, *joined], [Key(column) for column in ranges[:1]]))
        if after:
            found.append((joined, []))
    if equal or ranges:
        found[0:0] = [(equal, [Key(column)]) for column in ranges[:2]] or [(equal, [])]
    ordered = [key for key in use.order if key.column not in constant]
    grouped = [Key(column) for column in use.group or use.distinct if column not in constant]
    for following in (ordered, grouped):
        if (
            following
            and all(key.column in usable for key in following)
            and (single or (limited and following is ordered) or (following is grouped and _is_grouped(use)))
        ):
            found.append((single, following))
    return [
        (free[: limits.key_columns], then[: max(0, limits.key_columns - len(free))])
        for free, then in found
        if free or then
    ]


def _is_grouped(use: TableUse) -> bool:
    """Return whether a query groups all rows of a table: only an index with all needed columns helps."""
    return bool(use.group or use.distinct) and not use.compared


def _joined(use: TableUse, table: Table, usable: set[str], equal: list[str]) -> list[list[str]]:
    """Return the join columns per joined table, the most selective first."""
    by_table: dict[tuple[str | None, str | None], list[str]] = {}
    for join in use.joins:
        columns = by_table.setdefault((join.schema, join.table), [])
        known = join.column in usable and table.columns[join.column].distinct != 1
        if known and join.column not in columns and join.column not in equal:
            columns.append(join.column)
    found = [columns for columns in by_table.values() if columns]
    return [sorted(columns, key=lambda name: -(table.columns[name].distinct or 0)) for columns in found]


def _share(use: TableUse, table: Table, column: str) -> float:
    """Return the part of the rows that have the wanted values of a column; 1 if statistics are missing."""
    statistics = table.columns[column]
    rows = max(1, table.rows or 1)
    wanted = [equal for equal in use.equal if equal.column == column]
    shares = [1.0]
    for equal in wanted:
        if equal.is_null and statistics.nulls is not None:
            shares.append(statistics.nulls / rows)
        elif not equal.is_null and statistics.distinct is not None and statistics.distinct > 0:
            shares.append(equal.values / statistics.distinct)
    return min(shares)


def _distinguishes(table: Table, column: str, use: TableUse) -> bool:
    """Return false for a column with one value, such as the client of an SAP system."""
    is_null = any(equal.is_null for equal in use.equal if equal.column == column)
    return is_null or table.columns[column].distinct != 1


def _arranged(columns: list[str], parts: dict[str, float], several: set[str], table: Table) -> list[str]:
    """Return columns as an existing index begins, then single values before lists, the most selective first."""
    begun: list[str] = []
    for index in table.indexes if columns else ():
        names = [key.column for key in index.keys]
        same = next((place for place, name in enumerate(names) if name not in parts), len(names))
        if same > len(begun) and not index.is_unique and (same == len(names) or set(columns) <= set(names[:same])):
            begun = names[:same]
    rest = sorted(
        (name for name in columns if name not in begun), key=lambda name: (name in several, parts[name], name)
    )
    return [*begun, *rest]


def _covered(use: TableUse, table: Table, limits: Limits) -> tuple[str, ...]:
    """Return the columns that a covering index must have, or none if it cannot help."""
    if (
        use.is_target
        or not use.needed
        or any(
            column not in table.columns or table.columns[column].type.upper() in NOT_INDEXABLE for column in use.needed
        )
    ):
        return ()
    return use.needed if len(use.needed) <= limits.key_columns + limits.covering_columns else ()


def _with_include(use: TableUse, table: Table, limits: Limits) -> list[Candidate]:
    """Return unique indexes that find the row, with more included columns."""
    compared = {equal.column for equal in use.equal} | {join.column for join in use.joins}
    found = []
    for index in table.indexes:
        names = [key.column for key in index.keys]
        more = tuple(column for column in _covered(use, table, limits) if column not in {*names, *index.include})
        if (
            index.unique_rule == "U"
            and not index.is_required
            and set(names) <= compared
            and 0 < len(more) <= limits.covering_columns
        ):
            keys = (*index.keys, *map(Key, (*index.include, *more)))
            if len(fitting_keys(table, keys)) == len(keys):
                include = (*index.include, *more)
                found.append(Candidate(table.schema, table.name, index.keys, include, True, len(names), 0, index))
    return found


def _together(first: Candidate, second: Candidate) -> list[Key]:
    """Return the common columns, the rest of the first, then of the second; nothing if they begin differently."""
    free = {key.column for key in second.keys[: second.free]}
    common = [key for key in first.keys[: first.free] if key.column in free]
    if not common or first.is_unique or second.is_unique:
        return []
    keys: dict[str, Key] = {}
    for key in (*common, *first.keys, *second.keys):
        keys.setdefault(key.column, key)
    return list(keys.values())
