"""Privilege checks: owners, database authorities, and privileges granted to users, roles and PUBLIC."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.standin.api import Use
from tests.standin.errors import Db2Error
from tests.standin.objects.definitions import Definition, Grant, Name, Role, Routine, Schema
from tests.standin.objects.registry import FUNCTION, PROCEDURE, RELATION, ROLE, SCHEMA, SEQUENCE, VARIABLE, Registry

PUBLIC = "PUBLIC"
TABLE_PRIVILEGES = ("ALTER", "CONTROL", "DELETE", "INDEX", "INSERT", "REFERENCES", "SELECT", "UPDATE")
OWNER_AUTHORITIES = ("DBADM", "DATAACCESS", "ACCESSCTRL", "SECADM", "CONNECT")  # of who created the database
PUBLIC_AUTHORITIES = ("CONNECT", "CREATETAB", "BINDADD", "IMPLICIT_SCHEMA")
# What PUBLIC may not use in the system's schemas without a grant: names begin like this.
CLOSED = ("MON_", "SNAP", "ADMIN_GET_MEM", "ADMIN_GET_DBP_MEM", "ADMIN_MOVE_TABLE", "ADMIN_DROP_SCHEMA")
MONITORING = ("MON_", "SNAP", "ADMIN_GET")  # SQLADM may
SYSTEM_SCHEMAS = {
    "SYSCAT",
    "SYSIBM",
    "SYSIBMADM",
    "SYSPROC",
    "SYSFUN",
    "SYSSTAT",
    "SYSTOOLS",
    "DBMS_ALERT",
    "DBMS_OUTPUT",
    "STANDIN",
}
SPACES = {"EXECUTE": (FUNCTION, PROCEDURE), "USAGE": (SEQUENCE,), "READ": (VARIABLE,), "WRITE": (VARIABLE,)}


@dataclass
class Privileges:
    """Answers for one registry; ``sysadm`` are the authorization IDs of the instance's owners."""

    registry: Registry
    sysadm: frozenset[str]

    def authorities(self, user: str) -> set[str]:
        """Authorities of the database that a user holds, alone or by PUBLIC and roles."""
        holders = self.holders(user)
        found = {one.privilege for one in self.registry.grants if one.kind == "DATABASE" and one.grantee in holders}
        return found | set(OWNER_AUTHORITIES) | {"SYSADM"} if user in self.sysadm else found

    def holders(self, user: str) -> set[str]:
        """The user, PUBLIC and every role that they are in."""
        found: set[str] = set()
        waiting = [user, PUBLIC]
        while waiting:
            holder = waiting.pop()
            found.add(holder)
            roles = {one.name for one in self.registry.grants if one.kind == ROLE and one.grantee == holder}
            waiting += roles - found
        return found

    def check(self, user: str, uses: Iterable[Use]) -> None:
        """-551 for the first use that the user has no right to."""
        held = self.authorities(user)
        if "DATAACCESS" in held:
            return
        for use in sorted(uses, key=lambda one: (one.schema, one.name, one.privilege)):
            if not self._may(user, held, use):
                raise denied(user, use.privilege, f"{use.schema}.{use.name}")

    def require(self, user: str, authorities: Iterable[str], operation: str) -> None:
        """-552 unless the user holds one of the authorities."""
        if not self.authorities(user).intersection(authorities):
            raise Db2Error(-552, "42502", user, operation)

    def may_define(self, user: str, schema: str, privilege: str, owner: str = "") -> bool:
        """Whether a user may create (CREATEIN), alter (ALTERIN) or drop (DROPIN) objects of a schema."""
        if user == owner or "DBADM" in self.authorities(user):
            return True
        found = self.registry.find(SCHEMA, Name("", schema))
        if isinstance(found, Schema) and found.definer == user:
            return True
        return self._granted(user, SCHEMA, "", schema, privilege)

    def define(self, user: str, schema: str, privilege: str, operation: str, name: str, owner: str = "") -> None:
        """-551 unless ``may_define``."""
        if not self.may_define(user, schema, privilege, owner):
            raise denied(user, operation, name)

    def _may(self, user: str, held: set[str], use: Use) -> bool:
        if self._is_open(held, use):
            return True
        for space in SPACES.get(use.privilege, (RELATION,)):
            if self._owns(user, space, use) or self._granted(user, space, use.schema, use.name, use.privilege):
                return True
        return False

    @staticmethod
    def _is_open(held: set[str], use: Use) -> bool:
        """Whether an object of the system is for everyone, or for who monitors."""
        if use.schema == "SESSION" or (use.schema == "SYSIBM" and use.privilege in {"READ", "WRITE"}):
            return True
        if use.schema not in SYSTEM_SCHEMAS or use.privilege not in {"SELECT", "EXECUTE"}:
            return False
        if not use.name.startswith(CLOSED):
            return True
        return bool({"DBADM", "SQLADM"} & held) and use.name.startswith(MONITORING)

    def _owns(self, user: str, space: str, use: Use) -> bool:
        return any(
            definer(found) == user
            for key, found in self.registry.of(space)
            if (key.schema, key.name) == (use.schema, use.name)
        )

    def _granted(self, user: str, kind: str, schema: str, name: str, privilege: str) -> bool:
        holders = self.holders(user)
        return any(
            one.grantee in holders
            and one.kind == kind
            and one.schema == schema
            and one.name in {name, "*"}
            and one.privilege in {privilege, "CONTROL"}
            for one in self.registry.grants
        )

    def initial(self, restrictive: bool) -> set[Grant]:
        """What is granted in a new database; a restrictive one grants nothing to PUBLIC."""
        owners = {Grant("DATABASE", "", "", one, user) for user in self.sysadm for one in OWNER_AUTHORITIES}
        return (
            owners if restrictive else owners | {Grant("DATABASE", "", "", one, PUBLIC) for one in PUBLIC_AUTHORITIES}
        )


def definer(of: Definition) -> str:
    if isinstance(of, Routine):
        return of.procedure.definer
    return "" if isinstance(of, Role) else of.definer


def denied(user: str, operation: str, name: str) -> Db2Error:
    return Db2Error(-551, "42501", user, operation, name)
