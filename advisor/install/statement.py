"""A statement of the installation, and the files in sql/install/ that contain statements."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.catalogue.sqltext import remove_comments, statement_of
from advisor.quoting import literal
from advisor.resources import SQL

if TYPE_CHECKING:
    from advisor.db2.connection import Connection

DUPLICATE_OBJECT, UNDEFINED = "42710", "42704"


@dataclass(frozen=True)
class Statement:
    """One statement. ``rule`` is the rule whose procedure it creates.

    Only the failure of an ``is_core`` statement stops the installation; any other costs what depends on it. If Db2 refuses
    a statement with many rows, ``each`` inserts them one by one. ``file`` contains the statement, in ``section`` if it
    contains several. It is None for statements generated for an object with its own file. A trial runs ``trial`` instead,
    if there is one.
    """

    text: str
    rule: str | None = None
    file: Path | None = None
    trial: str | None = None
    section: str | None = None
    is_core: bool = False
    each: "tuple[Statement, ...]" = ()


COMMIT = Statement("COMMIT", is_core=True)  # ends a unit of work of the installation


def run_statement(connection: "Connection", statement: Statement) -> None:
    """Run a statement, or commit. Raise Db2Failure."""
    if statement == COMMIT:
        connection.commit()
    else:
        connection.execute(statement.text, timeout_s=connection.ddl_timeout_s)


def core(statement: Statement) -> Statement:
    """Return a statement without which nothing works."""
    return replace(statement, is_core=True)


def guard(state: str, statement: str) -> Statement:
    """Return a statement that ignores one SQLSTATE."""
    return replace(
        fill_statement("schema", "guarded", state=state, statement=literal(statement)), file=None, section=None
    )


def create(statement: str) -> Statement:
    """Return a CREATE that does nothing if the object exists."""
    return guard(DUPLICATE_OBJECT, statement)


def fill_statement(file: str, name: str, **filled: str) -> Statement:
    """Return a statement of a file in sql/install/ with its ``{placeholders}`` filled."""
    section = read_section(file, name)
    return replace(section, text=section.text.format(**filled))


def read_section(file: str, name: str) -> Statement:
    """Return a statement of a file in sql/install/."""
    return Statement(statement_of(f"install/{file}", name), file=SQL / "install" / f"{file}.sql", section=name)


def read_statement(path: Path) -> Statement:
    """Return the statement of a file, without comments: the command line processor would treat some as code."""
    return Statement(remove_comments(path.read_text(encoding="utf-8")), file=path)
