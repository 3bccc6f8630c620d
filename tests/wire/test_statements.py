"""Statement texts and metrics over the wire: collected from outside and inside, and omitted on request."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.capture import open_capture
from advisor.db2.connection import Out
from tests.standin.objects.image import Image, put
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

INTERVAL_S = 300
SEARCH = "SELECT O.ID, O.TOTAL\n  FROM SHOP.ORDERS O\n WHERE O.STATUS = ? AND O.SHIPPED IS NULL"


@pytest.fixture(scope="module")
def shop(image: Image) -> Iterator[Server]:
    """Return the shop in which a statement lacks an index, with schema TUNE."""
    with contextmanager(standin)(CAPTURES / "shop-missing-index") as server:
        assert server.standin is not None
        put(server.standin.backend.database, image)
        server.advance(INTERVAL_S)
        yield server


def texts(capture: Path) -> list[str]:
    with open_capture(capture) as found, found.files["statement"].open(encoding="utf-8", newline="") as file:
        return [row.get("STMT_TEXT", "") for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    ("options", "kept"), [([], True), (["--no-statement-text"], False), (["--anonymize"], False)], ids=str
)
def test_a_capture_has_the_texts_or_not(shop: Server, tmp_path: Path, options: list[str], kept: bool) -> None:
    result = shop.tune("capture", "--interval", "0", "-o", str(tmp_path / "kept"), *options)
    assert result.exit_code == 0, result.output
    found = texts(tmp_path / "kept")
    assert len(found) == 3
    assert (SEARCH in found) == any(found) == kept


def test_inside_the_database(shop: Server) -> None:
    with shop.connect() as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        shop.advance(INTERVAL_S)
        _, (_, ranked) = connection.call("TUNE.ADVISE")
        connection.commit()
        first = next(iter(connection.rows(
            "SELECT TIME_PCT, EXECUTIONS, TABLE_NAMES, SEE_PLAN FROM TUNE.STATEMENT_LIST WHERE PLACE = 1"
        )))  # fmt: skip
        (text,) = next(iter(connection.rows("SELECT STMT_TEXT FROM TUNE.TOP_STATEMENT WHERE TIME_PLACE = 1")))
    rules = [row[ranked.columns.index("RULE")] for row in ranked.rows]
    assert rules == ["sql.missing-index", "prefetch.automatic-behind", "sql.unused-index", "sql.duplicate-index"]
    assert (str(first[0]), *first[1:3]) == ("60.0", 3000, '"SHOP"."ORDERS"')
    assert first[3].startswith("CALL EXPLAIN_FROM_SECTION(x'0100000000000000A1")
    assert text == SEARCH


def test_the_command_reads_what_was_judged_inside(shop: Server, tmp_path: Path) -> None:
    result = shop.tune(
        "statements", "--in-database", "--interval", "0", "--format", "json", "--advis", str(tmp_path / "sql")
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["statements"]["top"][0]["text"] == SEARCH
    assert f"{SEARCH};" in (tmp_path / "sql").read_text(encoding="utf-8")


def test_a_site_that_wants_no_texts(shop: Server) -> None:
    with shop.connect() as connection:
        connection.call("TUNE.SET_OPTION", ["site", "statement_text", "OFF"])
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        newest = "SELECT COUNT(STMT_TEXT), COUNT(*) FROM TUNE.S_STATEMENT WHERE SNAP_ID = (SELECT MAX(SNAP_ID) FROM TUNE.SNAPSHOT)"
        counted = next(iter(connection.rows(newest)))
        connection.call("TUNE.SET_OPTION", ["site", "statement_text", None])
        connection.commit()
    assert tuple(counted) == (0, 3)
