"""Rows of the catalog views of authorities and privileges, and of the function that lists a user's authorities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.standin.objects.definitions import Grant, Name, Role, Schema
from tests.standin.objects.privileges import PUBLIC, TABLE_PRIVILEGES
from tests.standin.objects.registry import DATABASE, FUNCTION, PROCEDURE, RELATION, ROLE, SCHEMA, SEQUENCE, VARIABLE

if TYPE_CHECKING:
    from tests.standin.objects.database import Database

Row = dict[str, Any]
DEFAULT_SPACE = "USERSPACE1"
AUTHORITIES = Name("SYSPROC", "AUTH_LIST_AUTHORITIES_FOR_AUTHID")
TABLE_AUTHORITIES = {"REFERENCES": "REFAUTH"}
DATABASE_AUTHORITIES = {
    "BINDADD": "BINDADDAUTH",
    "CONNECT": "CONNECTAUTH",
    "CREATETAB": "CREATETABAUTH",
    "DBADM": "DBADMAUTH",
    "IMPLICIT_SCHEMA": "IMPLSCHEMAAUTH",
    "LOAD": "LOADAUTH",
    "SECADM": "SECURITYADMAUTH",
    "SQLADM": "SQLADMAUTH",
    "WLMADM": "WLMADMAUTH",
    "EXPLAIN": "EXPLAINAUTH",
    "DATAACCESS": "DATAACCESSAUTH",
    "ACCESSCTRL": "ACCESSCTRLAUTH",
}


def _yes(is_so: bool) -> str:
    return "Y" if is_so else "N"


def roles(database: "Database") -> list[Row]:
    found = [one for _, one in database.registry.of(ROLE) if isinstance(one, Role)]
    return [{"ROLENAME": one.name, "ROLEID": id_, "CREATE_TIME": one.created} for id_, one in enumerate(found, 1000)]


def _grantee(database: "Database", grant: Grant) -> Row:
    is_role = database.registry.find(ROLE, Name("", grant.grantee)) is not None
    kind = "G" if grant.grantee == "PUBLIC" else "R" if is_role else "U"
    row = {"GRANTOR": grant.grantor, "GRANTEE": grant.grantee, "GRANTEETYPE": kind}
    return row | {"GRANTORTYPE": "S" if grant.grantor == "SYSIBM" else "U"}


def _grants(database: "Database", *kinds: str) -> list[Grant]:
    return sorted(
        (one for one in database.registry.grants if one.kind in kinds),
        key=lambda one: (one.schema, one.name, one.grantee),
    )


def _merged(rows: list[tuple[tuple[str, ...], Row]]) -> list[Row]:
    """One row for each key; of a column the later value."""
    found: dict[tuple[str, ...], Row] = {}
    for key, row in rows:
        found.setdefault(key, {}).update(row)
    return list(found.values())


def database_authorities(database: "Database") -> list[Row]:
    none = dict.fromkeys(DATABASE_AUTHORITIES.values(), "N")
    found = _grants(database, DATABASE)
    rows = [((one.grantee,), none | _grantee(database, one)) for one in found]
    held = [((one.grantee,), {DATABASE_AUTHORITIES.get(one.privilege, "LOADAUTH"): "Y"}) for one in found]
    return _merged(rows + held)


def authorities_of_users(database: "Database") -> list[Row]:
    """AUTH_LIST_AUTHORITIES_FOR_AUTHID (r0052898) of everybody who was granted anything, and of PUBLIC."""
    privileges, granted = database.privileges, _grants(database, DATABASE)
    rows: list[Row] = []
    for user in {PUBLIC, *privileges.sysadm, *(one.grantee for one in database.registry.grants)}:
        roles = privileges.holders(user) - {user, PUBLIC}
        for authority in (*DATABASE_AUTHORITIES, "SYSADM"):
            holders = {one.grantee for one in granted if one.privilege == authority}
            mine = user in holders or (user in privileges.sysadm and authority == "SYSADM")
            row = {"AUTHID": user, "AUTHORITY": authority, "D_USER": _yes(mine), "D_PUBLIC": _yes(PUBLIC in holders)}
            rows.append(row | {"ROLE_USER": _yes(bool(roles & holders)), "D_GROUP": "N"})
            rows[-1] |= {"ROLE_GROUP": "N", "ROLE_PUBLIC": "N", "D_ROLE": "*"}
    return rows


def schema_authorities(database: "Database") -> list[Row]:
    columns = {"CREATEIN": "CREATEINAUTH", "ALTERIN": "ALTERINAUTH", "DROPIN": "DROPINAUTH"}
    rows = []
    for one in _grants(database, SCHEMA):
        row = _grantee(database, one) | {"SCHEMANAME": one.name}
        held = {columns[one.privilege]: "Y"} if one.privilege in columns else {}
        rows.append(((one.grantee, row["GRANTEETYPE"], one.name), row | held))
    owners = {found.name: found.definer for _, found in database.registry.of(SCHEMA) if isinstance(found, Schema)}
    for name, owner in owners.items():
        all_of_it = dict.fromkeys(columns.values(), "G")
        row = {"GRANTEE": owner, "GRANTEETYPE": "U", "GRANTOR": "SYSIBM", "SCHEMANAME": name}
        rows.append(((owner, "U", name), row | all_of_it))
    return [dict.fromkeys(columns.values(), "N") | row for row in _merged(rows)]


def space_authorities(database: "Database") -> list[Row]:
    """Return the USE privileges: in a new database PUBLIC may use USERSPACE1. Privileges on others are not recorded."""
    spaces = {DEFAULT_SPACE} & database.spaces().keys()
    row = {"GRANTOR": "SYSIBM", "GRANTORTYPE": "S", "GRANTEE": PUBLIC, "GRANTEETYPE": "G", "USEAUTH": "Y"}
    return [row | {"TBSPACE": name} for name in spaces]


def module_authorities(database: "Database") -> list[Row]:
    """In a database that is not restrictive everybody may execute the modules of the system."""
    everybody = [] if database.options.restrictive else [PUBLIC]
    row = {"GRANTOR": "SYSIBM", "GRANTORTYPE": "S", "GRANTEETYPE": "G", "MODULESCHEMA": "SYSIBMADM", "EXECUTEAUTH": "Y"}
    return [row | {"GRANTEE": one, "MODULEID": 1, "MODULENAME": "DBMS_ALERT"} for one in everybody]


def table_authorities(database: "Database") -> list[Row]:
    found = _grants(database, RELATION)
    rows = [
        (
            (one.schema, one.name, one.grantee),
            {"TABSCHEMA": one.schema, "TABNAME": one.name}
            | _grantee(database, one)
            | {TABLE_AUTHORITIES.get(one.privilege, f"{one.privilege}AUTH"): "Y"},
        )
        for one in found
    ]
    none = {TABLE_AUTHORITIES.get(one, f"{one}AUTH"): "N" for one in TABLE_PRIVILEGES}
    return [none | row for row in _merged(rows)]


def routine_authorities(database: "Database") -> list[Row]:
    rows: list[Row] = []
    for one in _grants(database, PROCEDURE, FUNCTION):
        specifics = [r.specific for r in database.registry.routines(one.kind, Name(one.schema, one.name)).values()]
        for specific in specifics or [None if one.name == "*" else one.name]:
            row = {"SCHEMA": one.schema, "SPECIFICNAME": specific, "ROUTINETYPE": one.kind[0], "EXECUTEAUTH": "Y"}
            rows.append(row | _grantee(database, one))
    return rows


def role_authorities(database: "Database") -> list[Row]:
    return [_grantee(database, one) | {"ROLENAME": one.name} for one in _grants(database, ROLE)]


def privileges(database: "Database") -> list[Row]:
    """SYSIBMADM.PRIVILEGES."""
    rows: list[Row] = []
    for one in _grants(database, RELATION, PROCEDURE, FUNCTION, SEQUENCE, VARIABLE, SCHEMA):
        holder = _grantee(database, one)
        row = {"AUTHID": one.grantee, "AUTHIDTYPE": holder["GRANTEETYPE"], "PRIVILEGE": one.privilege, "GRANTABLE": "N"}
        rows.append(row | {"OBJECTNAME": one.name, "OBJECTSCHEMA": one.schema, "OBJECTTYPE": one.kind})
    return rows


SHOWN: dict[Name, Callable[["Database"], list[Row]]] = {
    Name("SYSCAT", "ROLES"): roles,
    Name("SYSCAT", "ROLEAUTH"): role_authorities,
    Name("SYSCAT", "DBAUTH"): database_authorities,
    Name("SYSCAT", "SCHEMAAUTH"): schema_authorities,
    Name("SYSCAT", "TBSPACEAUTH"): space_authorities,
    Name("SYSCAT", "MODULEAUTH"): module_authorities,
    Name("SYSCAT", "TABAUTH"): table_authorities,
    Name("SYSCAT", "ROUTINEAUTH"): routine_authorities,
    Name("SYSIBMADM", "PRIVILEGES"): privileges,
    AUTHORITIES: authorities_of_users,
}
