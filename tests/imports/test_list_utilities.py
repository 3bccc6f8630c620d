"""``list utilities show detail``: running utilities."""

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "list-utilities.txt").read_text(encoding="utf-8")


def test_utilities_have_type_and_start() -> None:
    found = reading(TEXT)
    assert [(row["UTILITY_TYPE"], row["UTILITY_START_TIME"]) for row in found.rows["utility"]] == [
        ("BACKUP", "2026-03-02 01:30:02.786115"),
        ("LOAD", "2026-03-02 01:31:14.266120"),
    ]
    assert {report.database for report in found.reports} == {"SHOP"}


def test_utility_without_start_is_not_used() -> None:
    assert (
        "utility" not in reading(TEXT[: TEXT.index("ID                               = 13")].replace("03/02", "x")).rows
    )
