"""Identification of tables of monitor functions and views in any form, and the use of their columns.

columns/listing.csv maps a column of a view to a column of a source or an attribute of the report, or marks it as a sign
of the view. Views that sources are collected from need no line there: their columns have the same names.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from advisor.catalogue.sources import Source
from advisor.imports.cells import (
    INTEGERS,
    condition,
    default,
    find_form,
    form_with_default,
    make_text_columns,
    parse_presence,
)
from advisor.imports.databases import SESSION
from advisor.imports.queries import Query
from advisor.imports.sources import all_sources
from advisor.imports.table_rows import Plan, Projection
from advisor.imports.values import columns

REPORT = "report"
_MEMBERS = ("MEMBER", "DBPARTITIONNUM")
_TEXT, _LENGTH = "STMT_TEXT", "STMT_TEXT_LENGTH"
_WORD = re.compile(r"SNAP_GET|\w+")
_IN_PLACE = {"hex", "beginning"}  # converted without a unit
# Keys that a table may lack: its tables then count as not partitioned, its paths as those of one member.
_ABSENT = {
    ("table", "DATA_PARTITION_ID"): "0",
    ("index", "DATA_PARTITION_ID"): "0",
    ("table_size", "DATA_PARTITION_ID"): "0",
    ("table_size", "DBPARTITIONNUM"): "0",
    ("storage_path", "DBPARTITIONNUM"): "0",
}


@dataclass(frozen=True)
class _Use:
    """The use of a view's column: a column of a source, or an attribute of the report; ``how`` is the conversion."""

    target: str
    name: str
    how: str = ""


@dataclass
class _View:
    name: str
    uses: dict[str, list[_Use]] = field(default_factory=dict)
    constants: list[_Use] = field(default_factory=list)
    tells: set[str] = field(default_factory=set)  # without one of these, only its statement identifies the view

    def add(self, column: str, use: _Use | None = None) -> None:
        known = self.uses.setdefault(column, [])
        if use and use not in known:
            known.append(use)


def count_known(names: Iterable[str]) -> int:
    """Return how many of the names are columns of some view."""
    return sum(name in _catalog().known for name in names)


def mentions_view(text: str) -> bool:
    """Return whether a table's heading and statement may concern any view: parsing takes far longer."""
    return not _catalog().words.isdisjoint(_WORD.findall(text.upper()))


def recognise(names: Sequence[str], statement: Query | None, first: Sequence[str]) -> Plan | str:
    """Return the plan for a table with these columns and first row; or why nothing is taken."""
    named = len(first) == len(names) and "NAME" in names
    return _recognise(tuple(names), statement, first[names.index("NAME")].strip() if named else None)


@lru_cache(maxsize=256)
def _recognise(names: tuple[str, ...], statement: Query | None, first: str | None) -> Plan | str:
    """Return the plan or the reason; ``first`` is the first value of the column NAME."""
    if statement is not None and statement.computed:
        return "its columns are those of a nested SELECT"
    if statement is not None and statement.columns is not None and len(statement.columns) == len(names):
        names = statement.columns
    generic = _catalog().generic
    if all(name in generic for name in names):
        return _plan(_View(SESSION, {name: [generic[name]] for name in names}), names)
    if statement is None:
        return _choose_plan(names, first)
    views = [view for name in statement.objects if (view := _catalog().view(name))]
    if not views:
        return f"nothing from {' and '.join(statement.objects[:3]) or 'such values'} is used"
    return _plan(_join_views(views), names, len(views) > 1)


def _choose_plan(names: Sequence[str], first: str | None) -> Plan | str:
    """Return the plan of the view that knows most of the columns and that no column contradicts."""
    there = set(names)
    signs = there & _catalog().signs
    scored = [
        (len(there & view.uses.keys()), view)
        for view in _catalog().views.values()
        if signs <= view.uses.keys() and (not view.tells or view.tells & there)
    ]
    most = max((score for score, _ in scored), default=0)
    if most < 2:
        return "no known view has these columns"
    plans = [_plan(view, names) for score, view in scored if score == most]
    usable = [plan for plan in plans if isinstance(plan, Plan)]
    if not usable:
        return next(plan for plan in plans if isinstance(plan, str))
    usable = _filter_by_first_name(usable, first)
    if len({_meaning(plan) for plan in usable}) == 1:
        return max(usable, key=lambda plan: len(plan.projections))
    return f"its columns are those of {' and of '.join(plan.view for plan in usable)}, and no statement names the view"


def add_text_lengths(plan: Plan, widths: Sequence[int]) -> Plan:
    """Return a plan with the length of each statement's text that is shorter than its column, and so is complete."""
    return replace(plan, projections=tuple(_add_text_length(item, plan.wanted, widths) for item in plan.projections))


def find_text_cell(plan: Plan) -> int | None:
    """Return the cell with the text of a statement, if the plan has one."""
    for projection in plan.projections:
        for name, (index, _) in zip(projection.columns, projection.cells, strict=False):
            if name == _TEXT:
                return index
    return None


def _add_text_length(projection: Projection, wanted: Sequence[int], widths: Sequence[int]) -> Projection:
    columns, count = projection.columns, len(projection.cells)
    if _TEXT not in columns[:count] or _LENGTH in columns:
        return projection
    index, _ = projection.cells[columns.index(_TEXT)]
    width = widths[wanted[index]] if wanted[index] < len(widths) else 0

    def measure(text: str) -> str | None:
        return make_text_columns(text, complete=len(text) < width).get(_LENGTH)

    return replace(
        projection, columns=(*columns[:count], _LENGTH, *columns[count:]), cells=(*projection.cells, (index, measure))
    )


def _filter_by_first_name(plans: list[Plan], name: str | None) -> list[Plan]:
    """Return the tables of names and values that contain the name in the first row."""
    if name is None or len(plans) == 1:
        return plans
    wanted = {f"{row['SCOPE']}cfg" for row in columns("config") if row["NAME"] == name} or {"system"}
    return [plan for plan in plans if plan.projections[0].source in wanted] or plans


def _meaning(plan: Plan) -> tuple[str, frozenset[str]]:
    """Return the subject of a table; views with one subject differ in their additional values."""
    if not plan.projections:
        return "", frozenset()
    main = plan.projections[0]
    return main.source, frozenset(main.columns)


def _join_views(views: list[_View]) -> _View:
    """Return one view with the columns of several."""
    if len(views) == 1:
        return views[0]
    result = _View(" and ".join(view.name for view in views))
    for view in views:
        result.constants += view.constants
        for column, uses in view.uses.items():
            for use in uses:
                result.add(column, use)
    return result


def _plan(view: _View, names: Sequence[str], joined: bool = False) -> Plan | str:
    """Return the plan of a view, or the reason why nothing is taken."""
    used = _group_uses(view, names)
    wanted = tuple(sorted({place for uses in used.values() for place, _ in uses}))
    cell = {place: index for index, place in enumerate(wanted)}
    about = tuple((use.name, cell[place], find_form(use.how)) for place, use in used.pop(REPORT, []))
    projections: list[Projection] = []
    lacking = ""
    for name, uses in used.items():
        source = all_sources()[name]
        placed = [(cell[place], use) for place, use in uses]
        if any(use.how == "names" for _, use in placed):
            return _plan_pivot(view, wanted, source, placed)
        made = _projection(source, placed, [use for use in view.constants if use.target == name], joined)
        if isinstance(made, Projection):
            projections.append(made)
        else:
            lacking = lacking or made
    if not projections and (lacking or not about):
        return lacking or f"nothing from {view.name} is used"
    numbers = {index for projection in projections for index in _numbers(projection)}
    keys = {projections[0].cells[position][0] for position in _list_required(projections[0])} if projections else set()
    return Plan(view.name, wanted, tuple(sorted(numbers)), tuple(sorted(keys)), tuple(projections), about)


def _group_uses(view: _View, names: Sequence[str]) -> dict[str, list[tuple[int, _Use]]]:
    """Return the uses of the columns by their target, with the indexes of the columns."""
    used: dict[str, list[tuple[int, _Use]]] = {}
    done = set()
    for place, name in enumerate(names):
        if name in done or not name:
            continue
        done.add(name)
        uses = view.uses.get(name) or []
        if not uses and name in _catalog().generic:
            uses = [_catalog().generic[name]]
        for use in uses:
            used.setdefault(use.target, []).append((place, use))
    return used


def _projection(source: Source, uses: list[tuple[int, _Use]], constants: list[_Use], joined: bool) -> Projection | str:
    """Return how rows of one source are made from a table, or what the table lacks."""
    kinds = {column.name: column for column in source.columns}
    simple: dict[str, tuple[int, str]] = {}
    sums: dict[str, list[tuple[int, float]]] = {}
    for index, use in sorted(uses, key=lambda item: item[1].how == "other"):
        if use.how.startswith("sum "):
            sums.setdefault(use.name, []).append((index, float(use.how[4:])))
        elif use.name:
            simple.setdefault(use.name, (index, use.how))
    values = {use.name: use.how.removeprefix("=") for use in constants}
    values |= {key: value for (name, key), value in _ABSENT.items() if name == source.name and key not in simple}
    keys = source.names("key")
    if missing := _missing(source, keys, simple.keys() | values.keys()):
        return f"it lacks {missing}, without which rows of {source.db2_object} cannot be used"
    if not (simple.keys() | sums.keys()) - set(keys):
        return f"it contains only names of {source.db2_object}"
    names = (*simple, *sums, *values)
    return Projection(
        source=source.name,
        columns=names,
        cells=tuple((index, find_form(how, form_with_default(kinds[name]))) for name, (index, how) in simple.items()),
        sums=tuple(tuple(parts) for parts in sums.values()),
        constants=tuple(values.values()),
        filters=tuple((index, condition(use.how)) for index, use in uses if not use.name),
        keys=tuple(position for position, name in enumerate(simple) if name in keys),
        counts=any(kinds[name].kind == "counter" for name in names),
        repeats=joined or not any(name in simple for name in keys if name in _MEMBERS),
    )


def _missing(source: Source, keys: list[str], given: set[str]) -> str | None:
    """Return the first key column of a source that a table lacks and must have."""
    if source.name == "container" and "TBSP_ID" in given:
        given = given | {"TBSP_NAME"}  # its name is found by its number
    for key in keys:
        if key not in given and (key != "MEMBER" or source.name == "member"):
            return key
    return None


def _plan_pivot(view: _View, wanted: tuple[int, ...], source: Source, uses: list[tuple[int, _Use]]) -> Plan | str:
    """Return the plan of a table of names and values, if the names are columns of the source."""
    cells = {use.name or use.how: index for index, use in uses}
    if "values" not in cells:
        return "it has names without values"
    member = cells.get("MEMBER")
    kinds = [column for column in source.columns if column.name != "MEMBER"]
    made = tuple((0, form_with_default(column)) for column in kinds)
    projection = Projection(source.name, tuple(column.name for column in kinds), made, (), (), (), (), True, False)
    numbers = () if member is None else (member,)
    return Plan(
        view.name, wanted, numbers, (cells["names"],), (projection,), (), (cells["names"], cells["values"], member)
    )


def _numbers(projection: Projection) -> set[int]:
    """Return the cells of a projection that are also numbers in Db2."""
    kinds = {column.name: column.type for column in all_sources()[projection.source].columns}
    plain = zip(projection.columns, projection.cells, strict=False)
    numeric = {*INTEGERS, "DOUBLE"}
    result = {index for name, (index, form) in plain if kinds[name] in numeric and form is not parse_presence}
    return result | {index for parts in projection.sums for index, _ in parts}


def _list_required(projection: Projection) -> list[int]:
    """Return the keys that must have a value."""
    kinds = {column.name: column for column in all_sources()[projection.source].columns}
    return [position for position in projection.keys if default(kinds[projection.columns[position]]) is None]


@dataclass
class _Catalog:
    """Every known view; the columns of all; the columns that identify a view."""

    views: dict[str, _View] = field(default_factory=dict)
    generic: dict[str, _Use] = field(default_factory=dict)
    signs: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    synonyms: dict[str, str] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)  # all of these, and beginnings of others

    def view(self, name: str) -> _View | None:
        return self.views.get(self.synonyms.get(name, name))

    def find_view(self, name: str) -> _View:
        return self.views.setdefault(name, _View(name))


@cache
def _catalog() -> _Catalog:
    result = _Catalog()
    for source in all_sources().values():
        view = result.find_view(source.db2_object.rpartition(".")[2])
        for column in source.columns:
            view.add(column.name, _Use(source.name, column.name))
        result.signs |= {key for key in source.names("key") if key not in {*_MEMBERS, "DATA_PARTITION_ID", "DB_NAME"}}
    for row in columns("listing"):
        _declare(result, row["VIEW"], row)
    for view in result.views.values():
        _add_member(view)
        result.known |= view.uses.keys()
    result.known |= result.generic.keys()
    result.synonyms = {row["NAME"]: row["VIEW"] for row in columns("listing_names")}
    result.words = {*result.known, *result.views, *result.synonyms, "SNAP_GET", "CURRENT"}
    return result


def _declare(catalog: _Catalog, name: str, row: Mapping[str, str]) -> None:
    """Add one line of columns/listing.csv for one view."""
    column, target, how = row["COLUMN"], row["TARGET"], row["AS"]
    use = _Use(target, row["NAME"], how) if target else None
    if name == "*" and use:
        catalog.generic[column] = use
        return
    view = catalog.find_view(name)
    if column == "*":
        for item in all_sources()[target].columns:
            view.add(item.name, _Use(target, item.name))
    elif not column and use:
        view.constants.append(use)
    else:
        if how in _IN_PLACE:
            view.uses[column] = []
        view.add(column, use)
    if how == "tells":
        view.tells.add(column)
    if how == "key":
        catalog.signs.add(column)


def _add_member(view: _View) -> None:
    """Add MEMBER or DBPARTITIONNUM: two names for one column, depending on the release."""
    for name, other in (_MEMBERS, _MEMBERS[::-1]):
        for use in list(view.uses.get(name, [])):
            if use.target != REPORT and use.name in _MEMBERS and use.how != "other":
                view.add(other, _Use(use.target, use.name, "other"))
    sources = {use.target for uses in view.uses.values() for use in uses} - {REPORT}
    for name in sorted(sources):
        for key in set(_MEMBERS) & set(all_sources()[name].names("key")):
            for column in _MEMBERS:
                if not any(use.target == name and use.name == key for use in view.uses.get(column, [])):
                    view.add(column, _Use(name, key, "other" if column != key else ""))
