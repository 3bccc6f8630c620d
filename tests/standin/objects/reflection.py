"""The rows that user objects have in the catalog views, by view; columns that are left out are NULL."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.standin.objects.authorities import SHOWN
from tests.standin.objects.definitions import (
    Alias,
    Index,
    Name,
    Routine,
    Schema,
    Sequence,
    Table,
    Variable,
    View,
    width,
)
from tests.standin.objects.registry import FUNCTION, INDEX, PROCEDURE, RELATION, SCHEMA, SEQUENCE, VARIABLE
from tests.standin.types import Column, SqlType

if TYPE_CHECKING:
    from tests.standin.objects.database import Database

Row = dict[str, Any]
TYPE_NAMES = {"CHAR": "CHARACTER"}
CACHE = 20  # values of a sequence that are kept in memory by default


def _yes(is_so: bool) -> str:
    return "Y" if is_so else "N"


def _type_columns(of: SqlType) -> Row:
    """TYPENAME, LENGTH and SCALE; the length of a number is its bytes."""
    length = of.length if of.length and of.name != "TIMESTAMP" else width(of)
    scale = of.length if of.name == "TIMESTAMP" else of.scale
    name = TYPE_NAMES.get(of.name, of.name)
    return {"TYPESCHEMA": "SYSIBM", "TYPENAME": name, "LENGTH": length, "SCALE": scale}


def _table_row(table: Table, id_: int, database: "Database") -> Row:
    return {
        "TYPE": "G" if table.temporary else "T",
        "BASE_TABSCHEMA": None,
        "ALTER_TIME": table.altered,
        "COLCOUNT": len(table.columns),
        "TABLEID": id_,
        "TABLEORG": table.organization[0],
        "TBSPACE": table.tablespace,
        "INDEX_TBSPACE": table.index_tablespace,
        "CARD": -1,
        "NPAGES": -1,
        "FPAGES": -1,
        "PARENTS": len(table.foreigns),
        "CHILDREN": len(database.registry.children(table)),
        "KEYCOLUMNS": sum(len(unique.columns) for unique in table.uniques if unique.kind == "P"),
        "KEYUNIQUE": sum(unique.kind == "U" for unique in table.uniques),
        "CHECKCOUNT": len(table.checks),
        "REMARKS": table.remarks or None,
    }


def _view_row(view: View) -> Row:
    status = "N" if view.valid else "X"
    row = {"TYPE": "V", "STATUS": status, "ALTER_TIME": view.created, "COLCOUNT": len(view.columns)}
    return row | {"TABLEID": 0, "CARD": -1, "REMARKS": view.remarks or None}


def tables(database: "Database") -> list[Row]:
    rows: list[Row] = []
    for id_, (key, found) in enumerate(database.registry.of(RELATION), 4):
        assert isinstance(found, Table | View | Alias)
        common = {"TABSCHEMA": key.schema, "TABNAME": key.name, "OWNER": found.definer, "DEFINER": found.definer}
        common |= {"OWNERTYPE": "U", "CREATE_TIME": found.created, "STATUS": "N"}
        if isinstance(found, Table):
            common |= _table_row(found, id_, database)
        elif isinstance(found, View):
            common |= _view_row(found)
        else:
            common |= {"TYPE": "A", "BASE_TABSCHEMA": found.target.schema, "BASE_TABNAME": found.target.name}
        rows.append(common)
    return rows


def columns(database: "Database") -> list[Row]:
    """The rows of an object are made once, and are the same while it is the same."""
    page, made = database.options.codepage, database.column_rows
    objects = [*database.registry.tables(), *database.registry.views()]
    database.column_rows = {
        id(one): made.get(id(one))
        or (one, _table_columns(one, page) if isinstance(one, Table) else _view_columns(one, page))
        for one in objects
    }
    return [row for _, rows in database.column_rows.values() for row in rows]


def _table_columns(table: Table, page: int) -> list[Row]:
    rows = []
    remarks = dict(table.column_remarks)
    keys = [name for unique in table.uniques if unique.kind == "P" for name in unique.columns]
    for number, column in enumerate(table.columns):
        row = _column_row(table.schema, table.name, number, column.column, page)
        row |= {"DEFAULT": column.default, "IDENTITY": _yes(column.identity is not None)}
        row["GENERATED"] = "" if column.identity is None else "A" if column.identity.always else "D"
        place = keys.index(column.name) + 1 if column.name in keys else None
        rows.append(row | {"REMARKS": remarks.get(column.name), "KEYSEQ": place})
    return rows


def _view_columns(view: View, page: int) -> list[Row]:
    return [_column_row(view.schema, view.name, number, one, page) for number, one in enumerate(view.columns)]


def _column_row(schema: str, name: str, number: int, column: Column, page: int) -> Row:
    row = {"TABSCHEMA": schema, "TABNAME": name, "COLNAME": column.name, "COLNO": number}
    codepage = page if column.type.is_text else 0
    return row | _type_columns(column.type) | {"NULLS": _yes(column.nullable), "CODEPAGE": codepage, "HIDDEN": ""}


def views(database: "Database") -> list[Row]:
    return [
        {
            "VIEWSCHEMA": view.schema,
            "VIEWNAME": view.name,
            "OWNER": view.definer,
            "OWNERTYPE": "U",
            "DEFINER": view.definer,
            "SEQNO": 1,
            "VIEWCHECK": "N",
            "READONLY": "Y",
            "VALID": "Y" if view.valid else "X",
            "QUALIFIER": view.qualifier,
            "TEXT": view.text,
        }
        for view in database.registry.views()
    ]


def _routines(database: "Database") -> list[tuple[int, Routine]]:
    found = [one for space in (PROCEDURE, FUNCTION) for _, one in database.registry.of(space)]
    return [(id_, one) for id_, one in enumerate(found, 65536) if isinstance(one, Routine)]


def routines(database: "Database") -> list[Row]:
    return _system_functions(database) + [
        {
            "ROUTINESCHEMA": one.procedure.schema,
            "ROUTINENAME": one.procedure.name,
            "ROUTINETYPE": one.kind[0],
            "OWNER": one.procedure.definer,
            "OWNERTYPE": "U",
            "DEFINER": one.procedure.definer,
            "SPECIFICNAME": one.specific,
            "ROUTINEID": id_,
            "ORIGIN": "Q",
            "LANGUAGE": "SQL",
            "DIALECT": "DB2 SQL PL",
            "PARM_COUNT": len(one.procedure.parameters),
            "RESULT_SETS": one.result_sets,
            "VALID": "Y",
            "CREATE_TIME": one.created,
            "ALTER_TIME": one.created,
            "QUALIFIER": one.qualifier,
            "PRECOMPILE_OPTIONS": one.procedure.options or f"DYNAMICRULES {one.procedure.dynamic_rules}",
            "TEXT": one.procedure.text,
        }
        for id_, one in _routines(database)
    ]


def _system_functions(database: "Database") -> list[Row]:
    """Those of the machine; no two of them have one name, so the specific name is the same."""
    functions = [name for name, found in database.relations.items() if found.kind == "function"]
    return [
        {"ROUTINESCHEMA": schema, "ROUTINENAME": name, "SPECIFICNAME": name, "ROUTINETYPE": "F", "FUNCTIONTYPE": "T"}
        | {"OWNER": "SYSIBM", "OWNERTYPE": "S", "DEFINER": "SYSIBM", "ORIGIN": "B", "VALID": "", "ROUTINEID": id_}
        for id_, (schema, name) in enumerate(sorted(functions), 1)
    ]


def procedures(database: "Database") -> list[Row]:
    return [
        {
            "PROCSCHEMA": one.procedure.schema,
            "PROCNAME": one.procedure.name,
            "SPECIFICNAME": one.specific,
            "PROCEDURE_ID": id_,
            "DEFINER": one.procedure.definer,
            "PARM_COUNT": len(one.procedure.parameters),
            "ORIGIN": "Q",
            "CREATE_TIME": one.created,
            "LANGUAGE": "SQL",
            "RESULT_SETS": one.result_sets,
            "VALID": "Y",
            "TEXT": one.procedure.text,
        }
        for id_, one in _routines(database)
        if one.kind == PROCEDURE
    ]


def routine_parameters(database: "Database") -> list[Row]:
    modes = {"IN": "P", "OUT": "O", "INOUT": "B"}
    return [
        {
            "ROUTINESCHEMA": one.procedure.schema,
            "ROUTINENAME": one.procedure.name,
            "SPECIFICNAME": one.specific,
            "PARMNAME": parameter.column.name,
            "ROWTYPE": modes[parameter.mode],
            "ORDINAL": number,
            "DEFAULT": default,
        }
        | _type_columns(parameter.column.type)
        for _, one in _routines(database)
        for number, (parameter, default) in enumerate(
            zip(one.procedure.parameters, one.procedure.defaults, strict=True), 1
        )
    ]


def variables(database: "Database") -> list[Row]:
    return [
        {
            "VARSCHEMA": one.schema,
            "VARNAME": one.name,
            "VARID": id_,
            "OWNER": one.definer,
            "OWNERTYPE": "U",
            "CREATE_TIME": one.created,
            "VALID": "Y",
            "SCOPE": "S",
            "DEFAULT": one.default,
            "QUALIFIER": one.qualifier,
            "READONLY": "C" if one.constant else "N",
        }
        | _type_columns(one.type)
        for id_, (_, one) in enumerate(database.registry.of(VARIABLE), 1)
        if isinstance(one, Variable)
    ]


def sequences(database: "Database") -> list[Row]:
    rows: list[Row] = []
    for id_, (_, one) in enumerate(database.registry.of(SEQUENCE), 4):
        assert isinstance(one, Sequence)
        options = one.options
        row = {"SEQSCHEMA": one.schema, "SEQNAME": one.name, "DEFINER": one.definer, "OWNER": one.definer}
        row |= {"SEQID": id_, "SEQTYPE": "S", "INCREMENT": options.increment, "START": options.start}
        row |= {"MINVALUE": options.minimum, "MAXVALUE": options.maximum, "CYCLE": _yes(options.cycle)}
        rows.append(row | {"CACHE": CACHE, "ORDER": "N", "CREATE_TIME": one.created, "OWNERTYPE": "U", "ORIGIN": "U"})
    return rows


def indexes(database: "Database") -> list[Row]:
    rows: list[Row] = []
    shown = (one for key, one in database.registry.of(INDEX) if database.has_schema(key.schema))
    for id_, one in enumerate(shown, 1):
        assert isinstance(one, Index)
        names = "".join(("-" if descending else "+") + column for column, descending in one.columns)
        row = {"INDSCHEMA": one.schema, "INDNAME": one.name, "OWNER": one.definer, "OWNERTYPE": "U"}
        row |= {"TABSCHEMA": one.table.schema, "TABNAME": one.table.name, "COLNAMES": names, "DEFINER": one.definer}
        row |= {"UNIQUERULE": one.rule, "COLCOUNT": len(one.columns), "INDEXTYPE": "REG", "IID": id_}
        rows.append(row | {"CREATE_TIME": one.created, "SYSTEM_REQUIRED": int(bool(one.constraint)), "NLEAF": -1})
    return rows


def schemata(database: "Database") -> list[Row]:
    return [
        {
            "SCHEMANAME": one.name,
            "OWNER": one.definer,
            "OWNERTYPE": "U",
            "DEFINER": one.definer,
            "CREATE_TIME": one.created,
        }
        for _, one in database.registry.of(SCHEMA)
        if isinstance(one, Schema)
    ]


def constraints(database: "Database") -> list[Row]:
    rows: list[Row] = []
    for table in database.registry.tables():
        kinds = [(unique.name, unique.kind) for unique in table.uniques]
        kinds += [(check.name, "K") for check in table.checks] + [(one.name, "F") for one in table.foreigns]
        common = {"TABSCHEMA": table.schema, "TABNAME": table.name, "OWNER": table.definer, "ENFORCED": "Y"}
        rows += [common | {"CONSTNAME": name, "TYPE": kind} for name, kind in kinds]
    return rows


def key_columns(database: "Database") -> list[Row]:
    return [
        {"CONSTNAME": key.name, "TABSCHEMA": table.schema, "TABNAME": table.name, "COLNAME": column, "COLSEQ": number}
        for table in database.registry.tables()
        for key in (*table.uniques, *table.foreigns)
        for number, column in enumerate(key.columns, 1)
    ]


def tasks(database: "Database") -> list[Row]:
    return [task.row for task in database.scheduler.tasks.values()]


REFLECTED: dict[Name, Callable[["Database"], list[Row]]] = SHOWN | {
    Name("SYSCAT", "TABLES"): tables,
    Name("SYSCAT", "COLUMNS"): columns,
    Name("SYSCAT", "VIEWS"): views,
    Name("SYSCAT", "ROUTINES"): routines,
    Name("SYSCAT", "PROCEDURES"): procedures,
    Name("SYSCAT", "ROUTINEPARMS"): routine_parameters,
    Name("SYSCAT", "VARIABLES"): variables,
    Name("SYSCAT", "SEQUENCES"): sequences,
    Name("SYSCAT", "INDEXES"): indexes,
    Name("SYSCAT", "SCHEMATA"): schemata,
    Name("SYSCAT", "TABCONST"): constraints,
    Name("SYSCAT", "KEYCOLUSE"): key_columns,
    **{Name("SYSCAT", view): lambda _: [] for view in ("DATATYPES", "MODULES", "TRIGGERS")},  # users create none here
    Name("SYSTOOLS", "ADMIN_TASK_LIST"): tasks,
    Name("SYSTOOLS", "ADMIN_TASK_STATUS"): lambda _: [],
}
