"""The scripts of ``make dist``, run statement by statement as ``db2 -td@ -vf`` does, each committed alone."""

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from tests.support.clp import read
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

TERMINATOR = "@"
STATEMENT_BYTES = 65_535  # far below the server's 2,097,152, whatever a client adds
LINE_BYTES = 4_095  # the line limit of a terminal, for users who paste the script

# The catalog view of each kind of object, and its identifying columns.
CATALOG = {
    "SYSCAT.SCHEMATA": ("SCHEMANAME", "SCHEMANAME"),
    "SYSCAT.TABLES": ("TABSCHEMA", "TABNAME, TYPE, COLCOUNT, REMARKS"),
    "SYSCAT.COLUMNS": ("TABSCHEMA", "TABNAME, COLNO, COLNAME, TYPENAME, LENGTH, SCALE, NULLS"),
    "SYSCAT.INDEXES": ("TABSCHEMA", "TABNAME, INDNAME, UNIQUERULE"),
    "SYSCAT.VIEWS": ("VIEWSCHEMA", "VIEWNAME, TEXT"),
    "SYSCAT.ROUTINES": ("ROUTINESCHEMA", "ROUTINENAME, PARM_COUNT, TEXT"),
    "SYSCAT.ROUTINEPARMS": ("ROUTINESCHEMA", "ROUTINENAME, ORDINAL, PARMNAME, TYPENAME"),
    "SYSCAT.SEQUENCES": ("SEQSCHEMA", "SEQNAME"),
    "SYSCAT.VARIABLES": ("VARSCHEMA", "VARNAME, TYPENAME"),
}
OF_THE_SYSTEM = "SQL"  # names that Db2 generates: different each time
LOADED = ("RULE", "RULE_TEXT", "RULE_NEED", "RULE_VIEW", "OPTION", "COLLECT", "COLLECT_COLUMN", "MODEL_STEP")


def _script(command: str) -> str:
    done = CliRunner().invoke(main, [command, "--script"])
    assert done.exit_code == 0, done.output
    return done.output


def _run(server: Server, command: str) -> None:
    with server.connect() as connection:
        for statement in read(_script(command), TERMINATOR):
            if not statement.startswith("UPDATE COMMAND OPTIONS "):
                connection.execute(statement)
                connection.commit()


def _objects(server: Server) -> dict[str, list[tuple[object, ...]]]:
    """Return the objects of schema TUNE in the catalog."""
    found = {}
    with server.connect() as connection:
        for view, (schema, columns) in CATALOG.items():
            rows = connection.rows(f"SELECT {columns} FROM {view} WHERE {schema} = 'TUNE'")
            found[view] = sorted((row for row in rows if not str(row[0]).startswith(OF_THE_SYSTEM)), key=repr)
    return found


def _rows(server: Server) -> dict[str, list[tuple[object, ...]]]:
    with server.connect() as connection:
        return {name: sorted(connection.rows(f"SELECT * FROM TUNE.{name}"), key=repr) for name in LOADED}


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_the_command_line_processor_can_read_it(command: str) -> None:
    """No character is special to the processor: terminators, shell escapes, continuation lines, comments."""
    script = _script(command)
    statements = list(read(script, TERMINATOR))
    assert script.isascii()
    assert [text for text in statements if TERMINATOR in text or not text or "\t" in text] == []
    assert [text for text in statements if text.startswith(("!", "?"))] == []
    assert [line for line in script.splitlines() if line.endswith("\\") or len(line) > LINE_BYTES] == []
    assert [line for line in script.splitlines()[1:] if line.lstrip().startswith("--")] == []
    assert max(map(len, statements)) < STATEMENT_BYTES


def test_the_installation_stops_at_its_first_error() -> None:
    """r0001975: option s, in the script itself. CREATE TABLE after a refused CREATE SCHEMA would create the schema."""
    first, path, *_ = read(_script("install"), TERMINATOR)
    assert (first, path) == ("UPDATE COMMAND OPTIONS USING S ON", "SET PATH = SYSTEM PATH")


def test_script_installs_like_the_program_and_is_repeatable(server: Server) -> None:
    _run(server, "install")
    once, loaded = _objects(server), _rows(server)
    assert all(once.values())
    _run(server, "install")
    assert (_objects(server), _rows(server)) == (once, loaded)
    assert server.tune("install").exit_code == 0
    assert (_objects(server), _rows(server)) == (once, loaded)


def test_it_works_and_its_counterpart_leaves_nothing(server: Server) -> None:
    _run(server, "install")
    with server.connect() as connection:
        _, (text, ranked) = connection.call("TUNE.ADVISE")
        connection.commit()
        errors = list(connection.rows("SELECT PLACE, MESSAGE FROM TUNE.ERROR WHERE PLACE LIKE 'rule%'"))
    assert ranked.columns[0] == "RANK"
    assert text.rows
    assert errors == []
    _run(server, "uninstall")
    assert not any(_objects(server).values())
    _run(server, "install")
    assert all(_objects(server).values())
