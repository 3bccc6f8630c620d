"""No SQL statement relies on undocumented behaviour."""

import re
from pathlib import Path

import pytest

from advisor.catalogue.sqltext import code, remove_comments
from advisor.install.statements import INSTALL_TITLE, script
from advisor.resources import PROCEDURES, SQL
from tests.support.installing import installing

TEXTS = [statement.text for statement in installing()]
MB = 1024 * 1024
SCRIPT_MB = 3  # a small part of the documented 64 MB of log
STATEMENT_KB = 64  # maximum length of a compiled text of the installation, far below the 2 MB of SQL0101N


def test_snapshots_need_nothing_documented_for_purescale_only() -> None:
    """r0056718: DB2_CF is for pureScale instances only. ENV_INST_INFO (r0022040) is for all instances."""
    read = {path.name for path in SQL.glob("[cr]*/*.sql") if "DB2_CF" in code(path.read_text(encoding="utf-8"))}
    assert read == set()


def test_partition_map_bytes_are_compared_by_digits() -> None:
    """r0000811: HEX returns each byte's digits. A byte's character depends on the code page: ASCII is not used."""
    assert [path.name for path in SQL.rglob("*.sql") if re.search(r"\bASCII\(", code(path.read_text("utf-8")))] == []


def test_what_not_everybody_may_call_is_called_dynamically() -> None:
    """r0001941: a RESTRICTIVE database grants nothing to PUBLIC; a static CALL would prevent the creation of ADVISE."""
    guarded = re.compile(r"CALL +(?:SYSIBMADM\.DBMS_ALERT|SYSPROC\.ADMIN_TASK_\w+)")
    static = {path.stem for path in PROCEDURES.rglob("*.sql") if guarded.search(code(path.read_text(encoding="utf-8")))}
    assert static == set()


RUN = [*PROCEDURES.rglob("*.sql"), *(path for path in SQL.rglob("*.sql") if path.parent.name not in ("cases", "rules"))]


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_what_is_run_is_named_with_its_schema(path: Path) -> None:
    """r0005877 (CURRENT PATH), c0053747 (modules): Db2 searches the session's path for unqualified names.

    This includes names qualified only by a module. The path may contain another object of that name, or lack the
    system's schema.
    """
    text = remove_comments(path.read_text(encoding="utf-8"))
    alone = re.findall(
        r"\bTABLE\((?!SYSPROC\.)(\w+)\(|(?<!\.)\b(?:CALL |JOIN |FROM )((?:DBMS|ADMIN|ENV|SNAP|MON)_\w+)", text
    )
    assert alone == []


def test_what_a_task_did_is_committed_by_itself() -> None:
    """r0054371 does not document whether the scheduler commits after the procedure."""
    body = code((PROCEDURES / "scheduled.sql").read_text(encoding="utf-8"))
    assert re.search(r"CALL TUNE\.ADVISE\(\);\s+COMMIT;", body)


def test_installation_fits_into_log_and_statement_heap() -> None:
    """r0000239 to r0000241: the default log has 3 primary and 10 secondary files of 1,000 pages of 4 KB."""
    assert len(script(installing(), INSTALL_TITLE).encode()) < SCRIPT_MB * MB
    assert max(len(text.encode()) for text in TEXTS) < STATEMENT_KB * 1024


def test_no_statement_has_braces() -> None:
    """c0004148: the driver searches for escape clauses in braces, and rewrites such a statement before it sends it."""
    assert [text[:60] for text in TEXTS if "{" in text or "}" in text] == []
