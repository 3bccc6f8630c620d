"""The database of a report: named in the report, or before it in the text."""

from collections.abc import Iterable

from advisor.errors import UserError, list_some
from advisor.imports.readings import Report

SESSION, CONNECTION, NAMED = "values of the session", "connect", "a command that names the database"
ACTIVATION, RESTART = "activate or deactivate", "db2start or db2stop"

_OF_A_DATABASE = frozenset({"get db cfg", "update db cfg", "list tablespaces", "db2look", "Db2 messages"})
_OF_THE_INSTANCE = ("DBMCFG", "ENV_", "REG_VARIABLES")


def name_unnamed(reports: Iterable[Report]) -> None:
    """Give each report without a database the one that its document named before it.

    The name in CONNECT counts until the next CONNECT; the name in another command counts for its output. Without a
    CONNECT, the database of a report counts for the reports after it.
    """
    document, connected, said, once = "", None, None, None
    for report in reports:
        if report.document != document:
            document, connected, said, once = report.document, None, None, None
        if report.format == CONNECTION:
            connected, once = report.database or connected, None
        elif report.format == NAMED:
            once = report.database
        elif _needs_database(report):
            report.database = report.database or once or connected or said
            said, once = report.database, None
        elif report.database:
            said, once = report.database, None


def select_database(reports: list[Report], name: str | None) -> tuple[list[Report], str | None, list[str]]:
    """Return the reports about one database and its instance; the database's name, if known; notes on the others."""
    name_unnamed(reports)
    asked = name.upper() if name else None
    names = sorted(
        {
            item.database.upper()
            for item in reports
            if item.database and item.format not in (CONNECTION, NAMED, ACTIVATION)
        }
    )
    names = names or sorted({item.database.upper() for item in reports if item.database})
    if asked is not None and names and asked not in names:
        raise UserError(f"no text is about database {name}; the texts are about {list_some(names)}")
    if asked is None and len(names) > 1:
        raise UserError(f"the texts are about {list_some(names)}; choose one with --name")
    chosen = asked or (names[0] if names else None)
    of_it = [item for item in reports if not item.database or item.database.upper() == (chosen or "").upper()]
    if len(names) < 2:
        return of_it, chosen, []
    nobodys = sorted({item.format for item in of_it if not item.database and _needs_database(item)})
    notes = [f"not used, since their database is unknown: {', '.join(nobodys)}"] if nobodys else []
    return [item for item in of_it if item.database or not _needs_database(item)], chosen, notes


def _needs_database(report: Report) -> bool:
    """Return whether a report must be about one database, even if it does not name it."""
    if report.format == "db2pd":
        return report.member is None
    if report.format.startswith("listing of "):
        return not any(word in report.format.upper() for word in _OF_THE_INSTANCE)
    return report.format in _OF_A_DATABASE
