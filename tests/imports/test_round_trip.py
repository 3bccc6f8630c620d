"""A machine printed as each text and imported again is the same machine, within the limits of the text."""

import pytest

from advisor.catalogue.sources import all_sources
from advisor.imports import store
from advisor.imports.texts import Known, import_texts
from tests.imports.printers import config, db2look, db2mon, db2pd, listing, snapshot, table_csv, tablespaces
from tests.imports.reading import rows_in
from tests.machines import MACHINES
from tests.support.advised import judged
from tests.support.states import write_capture

PRINTERS = (config, db2look, db2mon, db2pd, listing, snapshot, table_csv, tablespaces)
OF_ONE_MEMBER = (config, tablespaces)  # they print nothing of other members


@pytest.mark.parametrize("name", ["x445-8way", "docker-default", "oltp-tuned"])
@pytest.mark.parametrize("printer", PRINTERS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_what_is_printed_is_imported(printer, name, tmp_path):
    state = MACHINES[name]()
    (tmp_path / "text").write_text(printer.printed(state), encoding="utf-8")
    import_texts([tmp_path / "text"], tmp_path)
    for source, columns in printer.HOLDS.items():
        printed = [
            row for row in state.sources.get(source, []) if printer not in OF_ONE_MEMBER or row.get("MEMBER", 0) == 0
        ]
        end = [row for row in rows_in(tmp_path, source) if row["SNAP_ID"] == "2"]
        found, wanted = (
            {tuple(shown(row.get(column)) for column in columns) for row in rows} for rows in (end, printed)
        )
        assert found == wanted, source


def shown(value):
    """Return a value as text, numbers in one form; no flag and the flag NONE are equal."""
    if value == "NONE":
        return ""
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        return str(value if value is not None else "")


@pytest.mark.parametrize(("limit", "value"), [("MEMORY", 1 << 10), ("MOST_ROWS", 1), ("MOST_SHAPES", 1)])
def test_input_above_each_limit_gives_the_same_capture(limit, value, tmp_path, monkeypatch):
    state = MACHINES["x445-8way"]()
    (tmp_path / "texts").mkdir()
    for printer in (listing, snapshot):
        (tmp_path / "texts" / printer.__name__).write_text(printer.printed(state), encoding="utf-8")

    def captured(name):
        (tmp_path / name).mkdir()
        import_texts([tmp_path / "texts"], tmp_path / name)
        return {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / name).glob("*.csv")}

    whole = captured("whole")
    monkeypatch.setattr(store, limit, value)
    assert captured("parts") == whole


def test_every_source_that_a_text_holds_is_one():
    for printer in PRINTERS:
        for source, columns in printer.HOLDS.items():
            assert set(columns) <= {column.name for column in all_sources()[source].columns}


def test_texts_advise_nothing_that_the_machine_itself_does_not(tmp_path):
    """All texts of a machine contain less than its capture without host facts; missing data is not a problem."""
    names = ["docker-default", "oltp-tuned", "warehouse-tuned", "x445-skew"]
    captures = [capture for name in names for capture in _whole_and_from_texts(MACHINES[name](), tmp_path / name)]
    advice = judged(captures)
    for name, whole, found in zip(names, advice[::2], advice[1::2], strict=True):
        known = {(item.rule.name, item.object_name) for item in whole.recommendations}
        if "lock.timeouts-deadlocks" in dict(found.not_run):  # which judges the waits
            known.add(("lock.waits-without-end", found.database["name"]))
        assert {(item.rule.name, item.object_name) for item in found.ranked} <= known, name


def _whole_and_from_texts(state, folder):
    """Return the capture of a machine without host facts, and the capture of all its texts."""
    state.sources["hostfact"] = []
    texts, made = folder / "texts", folder / "made"
    texts.mkdir(parents=True)
    made.mkdir()
    for printer in PRINTERS:
        if printer is not db2mon:  # the capture covers an interval, the others the time since activation
            (texts / printer.__name__).write_text(printer.printed(state), encoding="utf-8")
    database = state.database
    import_texts([texts], made, Known(database["name"], database["level"], database["platform"]))
    return write_capture(state, folder / "whole"), made
