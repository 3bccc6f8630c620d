"""Simulations: settings change a capture as their commands do, can be undone, and are reported."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from advisor.capture import open_capture
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.whatif.settings import Location, Wanted, list_wanted, locations, parse_wanted
from advisor.whatif.simulate import SimulatedCapture, explain_not_simulated, simulate
from tests.support.advised import advised
from tests.support.carrying_out import hands_of, has_commands
from tests.support.paths import CAPTURES, NAMES
from tests.support.states import read_state, state_of, write_capture

QUICK = ("x445-8way", "vm-oltp-before")
DEMO = CAPTURES / "x445-8way"
Rows = dict[str, list[dict[str, Any]]]


def machines() -> list[Any]:
    return [pytest.param(name, marks=[] if name in QUICK else pytest.mark.full) for name in NAMES]


def tables(capture: Path, settings: list[Wanted]) -> Rows:
    """Return the last snapshot of a capture with these settings applied, by source."""
    with open_capture(capture) as found, open_tables() as database:
        changed = SimulatedCapture.from_capture(found, settings)
        changed.load(database)
        rows: Rows = {}
        for name, source in all_sources().items():
            names = [
                *source.names("key"),
                *(column.name for column in source.columns if column.name not in source.names("key")),
            ]
            query = f"SELECT {', '.join(names)} FROM {source.table} WHERE SNAP_ID = {found.snapshots[-1].id}"
            rows[name] = in_order([dict(zip(names, row, strict=True)) for row in database.fetch(query)])
    return rows


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows without NULL values, which a table has and a state may omit."""
    known = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return sorted(known, key=lambda row: sorted((name, str(value)) for name, value in row.items()))


def simulated(name: str) -> list[Any]:
    return [item for item in advised(name).ranked if explain_not_simulated(item) is None and has_commands(item.actions)]


@pytest.mark.parametrize("name", machines())
def test_a_setting_is_what_its_command_does(name: str, tmp_path: Path) -> None:
    """The tests' interpreter reads commands and does not use settings.yml."""
    interpreter = hands_of(read_state(CAPTURES / name))
    items = [item for item in simulated(name) if "DB2_LARGE_PAGE_MEM" not in str(item.settings)]  # also moves memory
    for item in items:
        interpreter.host = item.object_name if item.object_type == "HOST" else None
        for line in item.actions:
            interpreter.carry_out(line)
    mine = tables(CAPTURES / name, [wanted for item in items for wanted in list_wanted(item)])
    theirs = tables(write_capture(interpreter.state, tmp_path), [])
    for source in mine:
        assert mine[source] == theirs[source], source


@pytest.mark.parametrize("name", machines())
def test_what_is_taken_back_is_as_it_was(name: str) -> None:
    settings = [(item, setting) for item in simulated(name) for setting in item.settings]
    done = [wanted for item in simulated(name) for wanted in list_wanted(item)]
    undone = [replace(wanted, value=setting.current) for wanted, (_, setting) in zip(done, settings, strict=True)]
    before, after = tables(CAPTURES / name, []), tables(CAPTURES / name, [*done, *reversed(undone)])
    for source in before:
        assert after[source] == before[source], source


@pytest.mark.full
@pytest.mark.parametrize("name", machines())
def test_recommended_values_are_accepted_with_their_gain(name: str) -> None:
    settings = {item.rank: list_wanted(item) for item in simulated(name)}
    whole = {rank: all(one.value and one.member is one.host is None for one in each) for rank, each in settings.items()}
    named = [
        parse_wanted(f"{one.target}={one.value}") for rank, each in settings.items() if whole[rank] for one in each
    ]
    found = simulate(CAPTURES / name, (), named)
    assert {change.target for change in found.changes} == {one.target for one in named}
    expected = sum(item.benefit_after for item in simulated(name) if whole[item.rank])
    assert found.gain[1] == pytest.approx(expected)


@pytest.mark.parametrize("location", locations(), ids=lambda location: f"{location.kind}:{location.name}")
def test_the_statements_of_a_setting_can_run(location: Location) -> None:
    wanted = Wanted(location.kind, location.name, "A", "1", 0, "A")
    with open_tables() as tables:
        for statement in (location.reads, *location.changes):
            tables.execute(statement, wanted.parameters(statement))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["simulate", *map(str, arguments)])


def document(*arguments: str | Path) -> dict[str, Any]:
    done = run(*arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_carried_out_advice_ends_and_reports_its_memory() -> None:
    found = document(
        "--capture", DEMO, "--apply", "1,4", "--set", "DBCFG:LOGFILSIZ=20000", "--set", "DBCFG:SORTHEAP=9000"
    )
    ranked = {item.rank: item for item in advised(DEMO.name).ranked}
    assert [item["rule"] for item in found["gone"]] == [ranked[1].rule.name, ranked[4].rule.name]
    assert found["new"] == []
    assert {item["was"] for item in found["stay"]} == ranked.keys() - {1, 4}
    assert [(each["target"], each["old"], each["new"]) for each in found["changes"]] == [
        ("TABLESPACE:EMPLOYEE_TABLE:PREFETCHSIZE", 24, 48),
        ("DBCFG:LOGFILSIZ", 5000, 20000),
        ("DBCFG:SORTHEAP", 256, 9000),
    ]
    assert found["conflicts"][0].startswith("DBCFG:SORTHEAP: rank 4 sets 6400, --set sets 9000")
    # the simulation excludes rank 4, and the number of concurrent sort heaps is unknown
    assert found["memory_kb"]["delta"] == ranked[1].memory_delta_kb == 0
    assert found["memory_kb"]["unknown"] == ["DBCFG:SORTHEAP"]
    (member,) = (space for space in found["log_bytes"] if space["member"] == 0)
    assert member["primary_after"] == 4 * member["primary_before"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    pools = [{"BP_NAME": name, "MEMBER": 0, "BP_CUR_BUFFSZ": 1000, "AUTOMATIC": 0} for name in ("A", "B")]
    catalog = [
        {"BPNAME": name, "BUFFERPOOLID": number, "NPAGES": 1000, "PAGESIZE": size, "NUMBLOCKPAGES": 0, "BLOCKSIZE": 0}
        for number, (name, size) in enumerate((("A", 4096), ("B", 32768)), 1)
    ]
    config = {"dbheap": 2000, "logbufsz": 256, "locklist": 4096, "auto_maint": "ON", "mon_req_metrics": "NONE"}
    return write_capture(
        state_of({"bufferpool": pools, "cat_bufferpool": catalog, "config": config}), tmp_path / "capture"
    )


def test_memory_adds_up_and_contradictions_are_reported(small: Path) -> None:
    sets = ["BUFFERPOOL:A:SIZE=3000", "BUFFERPOOL:B:SIZE=500", "DBCFG:LOCKLIST=8192", "DBCFG:LOGBUFSZ=4000"]
    arguments = [word for each in sets for word in ("--set", each)]
    found = document("--capture", small, *arguments)
    assert [each["memory_kb"] for each in found["changes"]] == [2000 * 4, -500 * 32, 4096 * 4, None]
    assert found["memory_kb"]["delta"] == 2000 * 4 - 500 * 32 + 4096 * 4
    assert any("LOGBUFSZ is larger than DBHEAP" in conflict for conflict in found["conflicts"])
    assert found["new"]


@pytest.mark.full
def test_impossible_setting_is_reported_and_stays(tmp_path: Path) -> None:
    name, item = next(
        (name, item)
        for name in NAMES
        for item in advised(name).ranked
        if explain_not_simulated(item) and has_commands(item.actions)
    )
    target = tmp_path / "what-if.md"
    shown = run("--capture", CAPTURES / name, "--apply", str(item.rank), "--format", "markdown", "-o", target)
    assert (shown.exit_code, shown.stdout) == (0, ""), shown.output
    said = target.read_text(encoding="utf-8")
    assert f"rank {item.rank}, {item.rule.title}" in said.partition("## Not carried out")[2]
    assert "## Gone from the list" not in said
    assert "## Limits of the simulation" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "use --apply RANKS or --set SETTING"),
        (["--apply", "99"], "no rank 99"),
        (["--apply", "x"], "is not a list of ranks"),
        (["--apply", "3-1"], "is not a list of ranks"),
        (["--set", "=1"], "must be NAME=VALUE"),
        (["--set", "DBCFG:SORTHEAP"], "must be NAME=VALUE, KIND:NAME=VALUE"),
        (["--set", "DBCFG:SORTHEAP="], "must be NAME=VALUE, KIND:NAME=VALUE"),
        (["--set", "DBCFG:X:SORTHEAP=1"], "must be NAME=VALUE, KIND:NAME=VALUE"),
        (["--set", "DBCF:SORTHEAP=1"], "'DBCF' is not a kind of setting; did you mean dbcfg?"),
        (["--set", "TABLESPACE:X:CONTAINERS=1"], "TABLESPACE CONTAINERS cannot be simulated"),
        (["--set", "BUFFERPOOL:A:SIZE=-"], "must be an integer"),
        (["--set", "BUFFERPOOL:Z:SIZE=1"], "the input contains no Z; there are A, B"),
        (["--set", "DBCFG:LOGBUFSIZ=1"], "the input contains no LOGBUFSIZ; did you mean logbufsz?"),
        (["--set", "DBCFG:LOGBUFSZ=many"], "must be an integer"),
        (["--set", "DBCFG:AUTO_MAINT=7"], "must be OFF or ON"),
        (["--set", "DBCFG:LOGARCHMETH1=a; b"], "is not a valid value"),
        (["--in-database", "--set", "DBCFG:LOGBUFSZ=1"], "simulate cannot use --in-database"),
    ],
)
def test_bad_input_is_one_line(small: Path, arguments: list[str], message: str) -> None:
    done = run("--capture", small, *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.output
    assert message in done.stderr


def test_setting_is_found_by_common_spellings() -> None:
    assert parse_wanted("dbcfg:sortheap= 10 ").target == parse_wanted("sortheap=10").target == "DBCFG:SORTHEAP"
    assert parse_wanted("DB2_PARALLEL_IO=*").target == "REGISTRY:DB2_PARALLEL_IO"
    assert parse_wanted("BUFFERPOOL:a:b:size=1").object == "a:b"
    of_one, of_all = (Wanted("DBCFG", "X", None, "1", member) for member in (3, None))
    assert of_one.is_same_setting(of_all)
    assert not of_one.is_same_setting(replace(of_one, member=4))
    assert Wanted("REGISTRY", "DB2_X", "inst", "1").is_same_setting(parse_wanted("REGISTRY:DB2_X=2"))
