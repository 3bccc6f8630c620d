"""Garbled samples of the formats that have no property test of their own: no text may raise an error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.imports.garbling import garble_lines
from tests.imports.reading import reading
from tests.support.paths import FIXTURES

SAMPLES = (
    *(
        "application-errors",
        "db2advis",
        "db2diag-instance",
        "db2evmonfmt",
        "db2exfmt",
        "db2pd-progress",
        "db2pd-wlocks",
    ),
    *("list-tablespaces-german", "list-utilities", "monreport-dbsummary", "reorgchk"),
)


@pytest.mark.parametrize("sample", SAMPLES)
@settings(max_examples=15)
@given(data=st.data())
def test_garbled_sample_raises_no_error(sample: str, data: st.DataObject) -> None:
    lines = (FIXTURES / "imports" / f"{sample}.txt").read_text(encoding="utf-8").splitlines()
    garbled = garble_lines(data, lines, ["delete", "double", "squeeze", "cut", "swap"])
    for found in reading("\n".join(garbled)).ranges:
        assert 1 <= found.first <= found.last <= len(garbled)
