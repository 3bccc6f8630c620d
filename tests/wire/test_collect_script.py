"""tune-collect.sql in the command line processor: the same advice as of a capture over a connection, and nothing changed.

Every line has one column, as wide as its type allows (r0010410: -x alone leaves headings out, and a result stays padded).
"""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from advisor.capture.manifest import read_manifest
from advisor.catalogue.collect_script import NOT_READ, collect_script
from advisor.db2.collector import collect
from advisor.imports.texts import import_texts
from advisor.judge.run import advise
from tests.support.clp import printed
from tests.wire.conftest import FIXTURES, standin
from tests.wire.fixtures import NAMES, listed, seconds_of

QUICK = ("x445-8way",)


@dataclass(frozen=True)
class Taken:
    """A machine, as a capture over a connection and as two texts of the same moments have it."""

    fixture: Path
    capture: Path
    texts: list[Path]


def take(fixture: Path, folder: Path, **options: Any) -> Taken:
    """Both, of one stand-in that stands still between them."""
    capture, texts = folder / "capture", [folder / "sales-1.txt", folder / "sales-2.txt"]
    capture.mkdir()
    with contextmanager(standin)(fixture, **options) as server, server.connect() as connection:

        def write(text: Path) -> None:
            text.write_text(printed(connection, collect_script()), encoding="utf-8")

        def wait(seconds: float) -> None:
            write(texts[0])
            server.advance(seconds)

        collect(connection, capture, int(seconds_of(fixture)), None, wait, texts=False)
        write(texts[1])
    return Taken(fixture, capture, texts)


@pytest.fixture(params=[pytest.param(n, marks=[] if n in QUICK else pytest.mark.full) for n in NAMES], scope="module")
def taken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    yield take(FIXTURES / request.param, tmp_path_factory.mktemp("taken"))


def test_the_advice_is_that_of_a_capture(taken: Taken, tmp_path: Path) -> None:
    import_texts(taken.texts, tmp_path)
    assert listed(advise(tmp_path)) == listed(advise(taken.capture))


def test_so_are_the_rows(taken: Taken, tmp_path: Path) -> None:
    import_texts(taken.texts, tmp_path)
    own, other = read_manifest(taken.capture), read_manifest(tmp_path)
    assert [item.database for item in own.snapshots] == [item.database for item in other.snapshots]
    assert own.not_collected.keys() | NOT_READ == other.not_collected.keys()
    for name in other.sources:
        assert rows(tmp_path, name) == rows(taken.capture, name)


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        found = [{key: value(cell) for key, cell in row.items()} for row in csv.DictReader(file)]
    return sorted(found, key=lambda row: [str(cell) for cell in row.values()])


def value(cell: str) -> str | float:
    """A cell, where 8.0 and 8.0E0 are the same."""
    try:
        return float(cell)
    except ValueError:
        return cell
