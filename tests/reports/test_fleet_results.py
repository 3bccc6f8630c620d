"""Captures by URL, and their results as JSON Lines: the same as from a folder, reused only for the same judgement."""

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from advisor.capture.site import Site
from advisor.catalogue.rules import Rule, all_rules
from advisor.cli.main import main
from advisor.fleet import captures, members, places
from advisor.fleet.estate import Surveyed, estate
from advisor.fleet.results import COLUMNS, Results
from advisor.fleet.show import as_json
from tests.support.summed import summed

urls = pytest.mark.skipif(find_spec("fsspec") is None, reason="fsspec is not installed")


class Few(Site):
    """A site with few rules, for quick judgement."""

    @property
    def rules(self) -> dict[str, Rule]:
        return {name: all_rules()[name] for name in ("memory.sort-overflow", "config.registry-legacy-unsafe")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    captures = tmp_path_factory.mktemp("captures")
    for number, fixture in enumerate(("vm-oltp-starved", "laptop")):
        summed(fixture, captures / f"c{number}", f"DB{number}")
    (captures / "cut.capture").write_bytes(b"PK")
    return captures


@pytest.fixture(scope="module")
def here(folder: Path) -> str:
    return told(folder)


def told(*where: places.Place, results: places.Place | None = None, site: Site | None = None) -> str:
    return as_json(estate(captures.survey(where, site or Few(), results=results)))


def fleet(*arguments: str | Path) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, ["fleet", *map(str, arguments)])


def uploaded(folder: Path, url: str) -> None:
    import fsspec

    store, root = fsspec.url_to_fs(url)
    store.put(f"{folder}/", f"{root}/", recursive=True)


def test_what_was_judged_is_not_judged_again(
    tmp_path: Path, folder: Path, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    judged = members.judge_batch

    def noted(batch: Iterable[members.Member], site: Site) -> object:
        given = list(batch)
        asked.extend(one.name for one in given)
        return judged(given, site)

    monkeypatch.setattr(captures, "judge_batch", noted)
    results = tmp_path / "results"
    told(folder / "c0", results=results)
    assert told(folder, results=results) == here
    assert told(folder, results=results) == here
    assert asked == ["DB0", "DB1"]
    assert len(Results(results, Few()).read()) == 2
    assert Results(results, Few(options={"": {"statement_text": "OFF"}})).read() == {}  # the site's present options
    rows = [json.loads(line) for path in results.iterdir() for line in path.read_text(encoding="utf-8").splitlines()]
    assert {tuple(row) for row in rows} == {COLUMNS}
    assert max(Counter((row["capture"], row["options"], row["rank"]) for row in rows).values()) == 1
    assert all(path.stat().st_mode & 0o077 == 0 for path in results.iterdir())


def test_a_capture_without_checksums_is_judged_each_time(tmp_path: Path, folder: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    manifest = copy / "c1" / "manifest.json"
    said = json.loads(manifest.read_text(encoding="utf-8"))
    del said["sources"]["database"]["sha256"]
    manifest.write_text(json.dumps(said), encoding="utf-8")
    both = [members.member(copy / name) for name in ("c0", "c1")]
    assert [one.key is None for one in both] == [False, True]
    results = Results(tmp_path / "results", Few())
    results.add(both, [Surveyed("DB0", "about", "300 s"), Surveyed("DB1", "about", "300 s")])
    assert results.read() == {both[0].key: Surveyed("DB0", "about", "300 s")}


def damage(content: bytes, how: str) -> bytes:
    first, middle = content.splitlines(keepends=True)[0], len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    return {"empty": b"", "cut": content[:-1], "a line less": content.removeprefix(first), "a bit": flipped}[how]


@pytest.mark.parametrize("how", ["empty", "cut", "a line less", "a bit"])
def test_damaged_results_are_reported_in_a_line(how: str, tmp_path: Path, folder: Path) -> None:
    told(folder, results=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage(file.read_bytes(), how))
    result = fleet(folder, "--results", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"db2tune: {file.name}: not a complete file of results; remove it or name another folder\n"


def test_results_of_another_program_are_ignored(
    tmp_path: Path, folder: Path, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "earlier.parquet").write_bytes(b"PAR1")  # db2tune kept results as Parquet
    told(folder, results=tmp_path)
    monkeypatch.setattr("advisor.fleet.results.program", lambda: "another")
    assert Results(tmp_path, Few()).read() == {}
    assert told(folder, results=tmp_path) == here
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


@urls
def test_a_url_is_as_good_as_a_folder(folder: Path, here: str) -> None:
    """Database names, findings and stored results are the same; a truncated capture does not affect the others."""
    uploaded(folder, "memory://estate")
    here = here.replace(f"{folder}/", "")
    assert told("memory://estate", results="memory://kept/results").replace("memory://estate/", "") == here
    assert told("memory://estate", results="memory://kept/results").replace("memory://estate/", "") == here
    assert [places.name(where) for where in places.captures_below("memory://estate/c0")] == ["c0"]
    (kept,) = places.system("memory://kept/results")[0].ls("/kept/results", detail=False)
    assert kept.endswith(".jsonl")


@urls
def test_what_is_too_large_is_not_brought(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploaded(folder / "c0", "memory://large")
    monkeypatch.setattr(places, "MOST_BROUGHT", 1000)
    (found,) = captures.survey(["memory://large"], Few())
    assert str(found.error).startswith("memory://large: more than 0 GiB")


@urls
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nothing://x/y", "nothing://x/y: Protocol not known: nothing"),
        ("memory://nowhere", "memory://nowhere: contains no capture"),
        ("nothing://me:secret@host/y?sig=secret", "nothing://host/y: Protocol not known"),
    ],
)
def test_broken_url_is_one_line_without_its_secrets(url: str, said: str) -> None:
    result = fleet(url)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"db2tune: {said}")
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
