"""The Db2 command line processor: reads and runs scripts as with -td, and formats result sets.

``python -m tests.support.clp`` plays the program: like IBM's, it finds its connection by the id of its parent process
(technote swg21983930), and returns 1 without rows and 4 after an error.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import ibm_db

from advisor.db2.address import parse_address
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.db2.password import Secret
from tests.support.paths import ROOT
from tests.wire.carrying_out import ADMIN_CMD, ThroughDriver

URL_VARIABLE = "CLP_URL"
LITERAL_CALL = re.compile(r"CALL ([\w.]+)\(((?:'[^']*'(?:, )?)*)\)")
NO_CONNECTION = "SQL1024N  A database connection does not exist.  SQLSTATE=08003"


def run_script(connection: Connection, script: str) -> None:
    """Run the statements of a script; stop at the first error, as -s does."""
    hands = ThroughDriver(connection)
    for statement in statements_of(script):
        hands.carry_out(statement)


def statements_of(script: str) -> list[str]:
    """Return the statements of a script, split at its header's terminator; ignore lines that start with --."""
    code = "\n".join(line for line in script.split("\n") if not line.startswith("--"))
    named = re.search(r"^-- .*\bdb2 -td(\S) -svf ", script, re.MULTILINE)
    if named is None:
        assert not code.strip(), "the header does not contain the command to run it"
        return []
    *statements, rest = code.split(named[1])
    assert not rest.strip(), "does not end its last statement"
    return [statement.strip("\n").removesuffix(" ") for statement in statements]


def read(script: str, terminator: str) -> Iterator[str]:
    """Return the statements of a script as -t or -td reads it.

    Lines that start with two dashes are comments. A statement ends with a line whose last character is the terminator.
    """
    lines: list[str] = []
    for line in script.splitlines():
        if line.startswith("--"):
            continue
        text = line.rstrip()
        lines.append(text.removesuffix(terminator))
        if text.endswith(terminator):
            yield "\n".join(lines).strip()
            lines = []
    assert not "".join(lines).strip(), "the last statement has no end"


def printed(connection: Connection, script: str, echoed: bool = False) -> str:
    """Return the processor's output for a script.

    Each column is as wide as its type allows and NULL is printed as -. Messages and row counts are included. The script
    continues after an error. ``echoed`` means -v, which prints each statement in one line.
    """
    return "".join(
        (f"{' '.join(statement.split())}\n" if echoed else "") + _answer(connection, statement)
        for statement in read(script, ";")
    )


def _answer(connection: Connection, statement: str) -> str:
    if statement.startswith("SET "):
        return _done(connection, statement)
    try:
        rows = list(connection.rows(statement))
        handle = ibm_db.exec_immediate(connection._handle, statement)
    except Db2Failure as failure:
        return _refused(failure)
    names = [ibm_db.field_name(handle, i) for i in range(ibm_db.num_fields(handle))]
    widths = [max(ibm_db.field_display_size(handle, i), len(name)) for i, name in enumerate(names)]
    lines = ["", " ".join(name.ljust(width) for name, width in zip(names, widths, strict=True))]
    lines.append(" ".join("-" * width for width in widths))
    for row in rows:
        cells = ("-" if cell is None else str(cell) for cell in row)
        lines.append(" ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)))
    return "\n".join([*lines, "", f"  {len(rows)} record(s) selected.", "", ""]) + "\n"


def _done(connection: Connection, statement: str) -> str:
    try:
        connection.execute(statement)
    except Db2Failure as failure:
        return _refused(failure)
    return "DB20000I  The SQL command completed successfully.\n\n"


def _refused(failure: Db2Failure) -> str:
    head = (
        "DB21034E  The command was processed as an SQL statement because it was not a valid Command Line Processor"
        " command.  During SQL processing it returned:"
    )
    message = f"{failure.id}  {failure.message.removeprefix(failure.id).strip()}  SQLSTATE={failure.sqlstate}"
    return "\n".join([*wrap(head, 78), *wrap(message, 78), ""]) + "\n"


def typed(lines: Iterable[str], label: str = "do") -> list[str]:
    """Return the commands of a report as a user types them.

    The commands follow the label and are joined at backslash continuations.
    """
    found: list[str] = []
    width = 0
    for line in lines:
        begins = re.match(rf" *{label} +(?!manual: )(?=\S)", line)
        if begins:
            width = begins.end()
            found.append(line[width:])
        elif width and line[:width].isspace() and found[-1].endswith("\\"):
            found[-1] = found[-1][:-1] + line[width:]
        else:
            width = 0
    return found


def line_widths(connection: Any, statement: str) -> list[int]:
    """Return the line length of each result set: column widths by type or name, separated by a blank."""
    called = ibm_db.exec_immediate(connection, statement)
    found, following = [], called
    while following:
        columns = range(ibm_db.num_fields(following))
        widths = [max(ibm_db.field_display_size(following, i), len(ibm_db.field_name(following, i))) for i in columns]
        found.append(sum(widths) + len(widths) - 1)
        following = ibm_db.next_result(called)
    return found


def install_program(folder: Path, url: str, password: str) -> None:
    """Write a program ``db2`` into the folder; ``exec`` keeps the id of its parent process."""
    program = folder / "db2"
    variables = f"PYTHONPATH='{ROOT}' {URL_VARIABLE}='{url}' DB2TUNE_PASSWORD='{password}' CLP_FOLDER='{folder}'"
    program.write_text(f"#!/bin/sh\nexec env {variables} '{sys.executable}' -m tests.support.clp \"$@\"\n")
    program.chmod(0o700)


class Processor:
    """One call of the program: its options, and the exit status so far."""

    def __init__(self, words: list[str]) -> None:
        self.letters, self.terminator, self.file, self.status = "", "", "", 0
        while words and words[0][0] in "+-":
            option, *words = words
            if option.startswith("-td"):
                self.terminator = option[3:]
            elif option == "+c":
                self.letters += "C"
            elif option.startswith("-"):
                self.letters += option[1:]
                if option.endswith("f"):
                    self.file, *words = words
        self.text = " ".join(words)

    def run(self) -> int:
        """Return the exit status."""
        known = Path(os.environ["CLP_FOLDER"]) / f"connected-{os.getppid()}"
        if self.text.upper().startswith("CONNECT TO "):
            known.touch()
            print(f"\n   Database Connection Information\n\n Local database alias   = {self.text.split()[2].upper()}\n")
        elif self.text.upper() in {"CONNECT RESET", "TERMINATE"}:
            known.unlink(missing_ok=True)
        elif not known.exists():
            print(NO_CONNECTION)
            return 4
        else:
            address, password = parse_address(os.environ[URL_VARIABLE]), Secret(os.environ["DB2TUNE_PASSWORD"])
            with Connection(address, password, statement_timeout_s=900) as connection:
                self._run_all(connection)
        return self.status

    def _run_all(self, connection: Connection) -> None:
        script = Path(self.file).read_text(encoding="utf-8") if self.file else ""
        for statement in read(script, self.terminator or ";") if self.file else [self.text]:
            if "v" in self.letters:
                print(statement)
            if statement.startswith("UPDATE COMMAND OPTIONS USING "):
                self.letters += {"S ON": "s", "C OFF": "C"}.get(statement[29:], "")
                continue
            try:
                self._carry_out(connection, statement)
            except Db2Failure as failure:
                print(_refused(failure))
                self.status |= 4
                if "s" in self.letters:
                    return
            if "C" not in self.letters:
                connection.commit()

    def _carry_out(self, connection: Connection, statement: str) -> None:
        if statement.startswith(("SELECT", "WITH", "VALUES")) or LITERAL_CALL.fullmatch(statement):
            self._print_sets(connection, statement)
            return
        if statement.startswith(ADMIN_CMD):
            ThroughDriver(connection).carry_out(statement)
        else:
            connection.execute(statement)
        print("DB20000I  The SQL command completed successfully.\n")

    def _print_sets(self, connection: Connection, statement: str) -> None:
        for columns, rows in _fetch_sets(connection, statement):
            widths = [max([len(name), *(len(_show(row[i])) for row in rows)]) for i, name in enumerate(columns)]
            lines = [columns, ["-" * width for width in widths]] if "x" not in self.letters else []
            for cells in [*lines, *(map(_show, row) for row in rows)]:
                print(" ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
            print("" if "x" in self.letters else f"\n  {len(rows)} record(s) selected.\n")
            self.status |= not rows


def _show(cell: object) -> str:
    return "-" if cell is None else str(cell)


def _fetch_sets(connection: Connection, statement: str) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
    """Yield the columns and rows of each result set."""
    if call := LITERAL_CALL.fullmatch(statement):
        _, sets = connection.call(call[1], re.findall(r"'([^']*)'", call[2]), connection.procedure_timeout_s)
        yield from ((list(found.columns), found.rows) for found in sets)
    else:
        rows = list(connection.rows(statement))
        yield [name for name, _ in connection.describe(statement)], rows


if __name__ == "__main__":
    sys.exit(Processor(sys.argv[1:]).run())
