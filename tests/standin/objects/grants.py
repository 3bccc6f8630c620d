"""GRANT and REVOKE."""

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Grant, Name, Routine
from tests.standin.objects.names import undefined
from tests.standin.objects.privileges import TABLE_PRIVILEGES, definer
from tests.standin.objects.registry import DATABASE, FUNCTION, PROCEDURE, RELATION, ROLE, SCHEMA, SEQUENCE, VARIABLE

ALLOWED: dict[str, tuple[str, ...]] = {
    RELATION: TABLE_PRIVILEGES,
    PROCEDURE: ("EXECUTE",),
    FUNCTION: ("EXECUTE",),
    SEQUENCE: ("USAGE", "ALTER"),
    VARIABLE: ("READ", "WRITE"),
    SCHEMA: ("CREATEIN", "ALTERIN", "DROPIN", "INSERTIN"),  # INSERTIN: 11.5 or later (r0000964)
    ROLE: ("MEMBER",),
    DATABASE: (
        "BINDADD",
        "CONNECT",
        "CREATETAB",
        "CREATE_EXTERNAL_ROUTINE",
        "DBADM",
        "IMPLICIT_SCHEMA",
        "LOAD",
        "SECADM",
        "SQLADM",
        "WLMADM",
        "EXPLAIN",
        "DATAACCESS",
        "ACCESSCTRL",
    ),
}
ALL = {"ALL", "ALL PRIVILEGES"}
UNCHECKED = {"MODULE", "INDEX", "TABLESPACE", "PACKAGE"}  # of which the stand-in keeps no privileges


def grant(run: Definer, statement: st.GrantOrRevoke) -> None:
    if statement.kind in UNCHECKED:
        return
    name = _object(run, statement)
    _may_grant(run, statement, name)
    found = {
        Grant(statement.kind, name.schema or "", name.name, privilege, grantee, run.user)
        for privilege in _privileges(statement)
        for grantee in statement.grantees
    }
    if statement.revoke:
        run.grant(set(), found)
        return
    if run.user in statement.grantees and statement.kind == DATABASE:
        raise Db2Error(-554, "42502")
    run.grant(found, set())


def _privileges(statement: st.GrantOrRevoke) -> list[str]:
    allowed = ALLOWED[statement.kind]
    found: list[str] = []
    for privilege in statement.privileges:
        if privilege in ALL:
            found += [one for one in allowed if one != "CONTROL"]
            continue
        words = privilege.split(" WITH", 1)[0]  # DBADM WITHOUT DATAACCESS, DBADM WITH DATAACCESS
        if words not in allowed:
            raise Db2Error(-104, "42601", privilege, statement.privileges[0], allowed[0])
        found.append(words)
        if words == "DBADM" and "WITHOUT DATAACCESS" not in privilege:
            found.append("DATAACCESS")
    return found


def _object(run: Definer, statement: st.GrantOrRevoke) -> Name:
    """Return the object's full name, for a specific name the routine's own; raise -204 if the object does not exist."""
    name = statement.name
    if statement.kind in {DATABASE, SCHEMA, ROLE}:
        if statement.kind != DATABASE and run.registry.find(statement.kind, Name("", name.name)) is None:
            raise undefined(Name("", name.name))
        return Name("", name.name)
    wanted = run.names.qualified(name)
    if statement.specific:
        return _by_specific(run, statement.kind, wanted)
    if name.name == "*" or any((key.schema, key.name) == wanted for key, _ in run.registry.of(statement.kind)):
        return wanted
    if statement.kind == FUNCTION:
        system = run.database.relations.get((wanted.schema or "", wanted.name))
        if system and system.kind == "function":
            return wanted
    if statement.kind == RELATION:
        found = run.names.relation(*wanted)
        return Name(found.schema, found.name)
    if statement.kind == PROCEDURE and run.database.is_built_in(wanted):
        return wanted
    raise undefined(wanted)


def _by_specific(run: Definer, kind: str, wanted: Name) -> Name:
    for key, one in run.registry.of(kind):
        if isinstance(one, Routine) and (key.schema, one.specific) == wanted:
            return Name(key.schema, key.name)
    raise undefined(wanted)


def _may_grant(run: Definer, statement: st.GrantOrRevoke, name: Name) -> None:
    """-551 unless the user owns the object or has ACCESSCTRL (of authorities, SECADM)."""
    held = run.database.privileges.authorities(run.user)
    verb = "REVOKE" if statement.revoke else "GRANT"
    if "SECADM" in held or (statement.kind != DATABASE and "ACCESSCTRL" in held):
        return
    owners = {
        definer(found)
        for key, found in run.registry.of(statement.kind)
        if (key.schema, key.name) == (name.schema, name.name)
    }
    if run.user not in owners:
        raise Db2Error(-551, "42501", run.user, verb, f"{name.schema}.{name.name}" if name.schema else name.name)
