"""A statement of the installation, and the files in sql/install/ that contain statements."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from advisor.catalogue.sqltext import remove_comments
from advisor.quoting import literal
from advisor.resources import SQL

DUPLICATE_OBJECT, UNDEFINED = "42710", "42704"


@dataclass(frozen=True)
class Statement:
    """One statement. ``rule`` is the rule whose procedure it creates; its failure does not stop the installation.

    ``file`` contains the statement. It is None for statements generated for an object with its own file. A trial runs
    ``trial`` instead, if there is one.
    """

    text: str
    rule: str | None = None
    file: Path | None = None
    trial: str | None = None


COMMIT = Statement("COMMIT")  # ends a unit of work of the installation


def guard(state: str, statement: str) -> Statement:
    """Return a statement that ignores one SQLSTATE."""
    return replace(fill_statement("guarded", state=state, statement=literal(statement)), file=None)


def create(statement: str) -> Statement:
    """Return a CREATE that does nothing if the object exists."""
    return guard(DUPLICATE_OBJECT, statement)


def fill_statement(name: str, **filled: str) -> Statement:
    """Return the statement of a file in sql/install/ with its ``{placeholders}`` filled."""
    path = SQL / "install" / f"{name}.sql"
    return Statement(read_file(path).format(**filled), file=path)


def read_statement(path: Path) -> Statement:
    """Return the statement of a file."""
    return Statement(read_file(path), file=path)


@cache
def read_file(path: Path) -> str:
    """Return a statement without comments, some of which the command line processor would treat as code."""
    return remove_comments(path.read_text(encoding="utf-8"))
