"""An anonymous capture: no name is left in it, and the advice is the same."""

import csv
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from advisor.anonymize import anonymize_capture
from advisor.anonymize.names import Names, all_kinds, is_kept, table
from advisor.anonymize.values import treatment
from advisor.capture import open_capture
from advisor.capture.manifest import NOT_IN_TEXT
from advisor.catalogue.host_items import all_items
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.judgement.run import advise
from tests.machines import summary, x445
from tests.support.data_files import read_expected
from tests.support.paths import CAPTURES, EXPECTED
from tests.support.states import State, state_of, write_capture

Row = dict[str, str]

# columns of names and paths, by Db2's naming
NAMES = re.compile(
    r"TABSCHEMA|TABNAME|INDNAME|COLNAME|.*TBSPACE|TBSP_NAME|BP_?NAME|STORAGE_GROUP_NAME|DBPGNAME|WORKLOAD_NAME|DB_NAME"
    r"|SESSION_AUTH_ID|CLIENT_APPLNAME|HOME_HOST|HOST_NAME|HOST|CONTAINER_NAME|DB_STORAGE_PATH|EXECUTABLE_ID"
)
# common to every Db2, as complete names or path components
EVERYWHERE = re.compile(
    r"SYS\w+|IBM\w+|TEMPSPACE1|USERSPACE1|NODE\d{4}|SQL\d{5}|SQLOGDIR|LOGSTREAM\d{4}|[TC]\d{7}(\.\w{3})?|\w:|-|\.|"
)


# a paper's machine on Windows and DPF, AIX, Solaris with zones, pureScale, BLU, a guest with many settings
SEVERAL = ("x445-8way", "power5-473gb", "x4470-four-zones", "purescale", "blu", "vm-oltp-final", "hadr-standby-wait")


def rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def all_bytes(directory: Path) -> bytes:
    """Return the bytes of a capture and of its file names."""
    return b"\n".join(path.name.encode() + b"\n" + path.read_bytes() for path in sorted(directory.iterdir()))


def manifest(directory: Path) -> dict[str, Any]:
    return dict(json.loads((directory / "manifest.json").read_text(encoding="utf-8")))


def without_names(state: State, folder: Path) -> Path:
    anonymize_capture(write_capture(state, folder / "original"), folder / "given")
    return folder / "given"


# --- treatment of each column, setting and fact ---


def test_every_text_column_has_a_treatment() -> None:
    texts = {
        (source.name, column.name)
        for source in all_sources().values()
        for column in source.columns
        if "CHAR" in column.type
    }
    treated = {(row["SOURCE"], row["COLUMN"]) for row in table("columns")}
    missing = [
        f"advisor/anonymize/columns.csv: add {source},{column},<treatment>," for source, column in texts - treated
    ]
    missing += [f"sql/collect/{source}.sql: add the text {column}" for source, column in treated - texts]
    assert not missing, "\n".join(sorted(missing))
    assert len(treated) == len(table("columns"))


def test_every_text_fact_has_a_treatment() -> None:
    texts = {key for key, item in all_items().items() if item.type == "text"}
    assert sorted((row["FACT"], row["ITEM"]) for row in table("facts")) == sorted(texts)


@pytest.mark.parametrize("name", ["columns", "settings", "facts"])
def test_every_treatment_is_one(name: str) -> None:
    for row in table(name):
        assert treatment(row["TREATMENT"], "") is not None


def test_what_stays_is_of_a_kind() -> None:
    assert {row["KIND"] for row in table("keep")} <= set(all_kinds())
    assert not [row for row in table("keep") if None in row]


def marked(kind: str, name: str) -> str:
    """Return the name if it stays, otherwise a record that it was requested."""
    return name if is_kept(kind, name) else f"<{kind}>"


@pytest.mark.parametrize(
    ("name", "value", "given"),
    [
        ("logarchmeth1", "DISK:/archive/sales/", "DISK:/<path>/<path>/"),
        ("logarchmeth1", "TSM:SALES_CLASS", "TSM:<secret>"),
        ("logarchmeth2", "OFF", "OFF"),
        ("logpath", "/db2log/NODE0000/LOGSTREAM0000/", "/<path>/NODE0000/LOGSTREAM0000/"),
        ("newlogpath", r"d:\mp\log_", r"d:\<path>\<path>_"),
        ("logpath", "/dev/rhdisk4", "/dev/rhdisk4"),
        ("diagpath", "/home/db2 inst/sqllib", "/<path>/<path>/<path>"),
        ("hadr_remote_host", "db1.example.com", "<host>"),
        ("hadr_remote_host", "10.1.2.3", "<host>"),
        ("hadr_target_list", "db1.example.com:5001|10.1.2.3:hadr", "<host>:5001|<host>:<service>"),
        ("svcename", "50000", "50000"),
        ("svcename", "db2c_sales", "<service>"),
        ("tsm_password", "12345678", "<secret>"),
        ("sysadm_group", "SALESADM", "<user>"),
        ("tm_database", "1ST_CONN", "1ST_CONN"),
        ("DB2SYSTEM", "DB1", "<host>"),
        ("DB2_PARALLEL_IO", "*:5", "*:5"),
        ("DB2_LARGE_PAGE_MEM", "DB:16GB", "DB:16GB"),
        ("DB2COMM", "tcPIP", "tcPIP"),
        ("DB2OPTIONS", "-T -V +C", "-T -V +C"),
        ("DB2_RESOURCE_POLICY", "/home/me/policy.xml", "/<path>/<path>/<path>"),
        ("DB2_RESOURCE_POLICY", "AUTOMATIC", "AUTOMATIC"),
        ("DB2ENVLIST", "SALES_KEY PATH", "<text> PATH"),
        ("sortheap", "AUTOMATIC(256)", "AUTOMATIC(256)"),
        ("cpuspeed", "2.361721e-07", "2.361721e-07"),
        ("appl_memory", "AUTOMATIC(10000..40000)", "AUTOMATIC(10000..40000)"),
        ("something_new", "10.1.2.3", "<text>"),
        ("something_new", "of sales", "<text> <text>"),
        ("something_new", "", ""),
    ],
)
def test_setting(name: str, value: str, given: str) -> None:
    assert treatment("setting", name)(marked, value) == given


@pytest.mark.parametrize(
    ("fact", "item", "value", "given"),
    [
        ("cpu", "model", "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"),
        ("cpu", "model", "PowerPC_POWER7", "PowerPC_POWER7"),
        ("cpu", "model", "Intel in the rack of Smith", "Intel" + " <processor>" * 5),
        ("core:0", "cpus", "0,8", "0,8"),
        ("sysctl", "sem", "250 256000 32 4096", "250 256000 32 4096"),
        ("sysctl", "shmmax", "18446744073692774399", "18446744073692774399"),
        ("device:sda", "adapter", "0000:03:00.0", "0000:03:00.0"),
        ("device:sda", "adapter", "rank 51", "<adapter>"),
        ("volume:vg/lv", "devices", "dm-0,sales_disk", "dm-0,<device>"),
        ("path:/x", "mount_options", "rw,cio,convosync=direct,vers=4.1", "rw,cio,convosync=direct,vers=4.1"),
        ("path:/x", "mount_options", "rw,log=/dev/saleslv,addr=10.1.2.3", "rw,log=/dev/<path>,<text>=<text>"),
        ("path:/x", "fs_type", "jfs2", "jfs2"),
        ("path:/x", "volume", "salesvg/fslv00", "<path>/fslv00"),
        ("zone", "pool", "pool_sales", "<pool>"),
        ("virtual", "type", "zvm", "zvm"),
        ("sales", "sales", "sales 7", "<text> 7"),
    ],
)
def test_fact(fact: str, item: str, value: str, given: str) -> None:
    assert treatment("fact_value", f"{item}:{fact}")(marked, value) == given


@pytest.mark.parametrize(
    ("fact", "given"),
    [
        ("cpu", "cpu"),
        ("core:12", "core:12"),
        ("device:nvme0n1", "device:nvme0n1"),
        ("device:sales", "device:<device>"),
        (r"container:d:\sales\c1", r"container:d:\<path>\<path>"),
        ("volume:rootvg/sales", "volume:rootvg/<path>"),
        ("sales:1", "<fact>"),
    ],
)
def test_key_of_a_fact(fact: str, given: str) -> None:
    assert treatment("fact_key", "")(marked, fact) == given


# --- the machines ---


@pytest.fixture(scope="module")
def given_machine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a machine's anonymous capture, created once."""
    made: dict[str, Path] = {}

    def made_of(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("given") / name
            anonymize_capture(CAPTURES / name, made[name])
        return made[name]

    return made_of


@pytest.mark.parametrize("name", ["x445-8way", "vm-oltp-before"])
def test_advice_is_the_same_but_for_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the new names replaced by the old ones, the advice equals that of the machine exactly."""
    back: dict[str, str] = {}
    word = Names.word

    def remembered(names: Names, kind: str, old: str) -> str:
        new = word(names, kind, old)
        if new != old:
            back[new] = old
        return new

    monkeypatch.setattr(Names, "word", remembered)
    anonymize_capture(CAPTURES / name, tmp_path / "given")
    text = json.dumps(summary(advise(tmp_path / "given")), ensure_ascii=False)
    new_names = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(sorted(back, key=len, reverse=True))})(?![A-Za-z0-9])")
    known = read_expected(EXPECTED)[name]
    assert json.loads(new_names.sub(lambda found: back[found[1]], text)) == known


def test_what_could_not_be_judged_is_the_same(given_machine: Callable[[str], Path]) -> None:
    original, given = advise(CAPTURES / "idle"), advise(given_machine("idle"))
    assert given.not_run == original.not_run
    assert given.questions == original.questions


def _names(directory: Path) -> Iterator[str]:
    """Return the names of a capture, and the components of its paths."""
    for snapshot in manifest(directory)["snapshots"]:
        yield from (snapshot["database"][part] for part in ("name", "host", "instance"))
    for path in directory.glob("*.csv"):
        for row in rows(path):
            yield from (value for column, value in row.items() if NAMES.fullmatch(column))
            if row.get("NAME", "").endswith("path"):
                yield row["VALUE"]
            if path.stem == "hostfact":
                yield row["FACT_KEY"].partition(":")[2]
                yield from [row["VALUE"]] * (row["ITEM"] in ("device", "pool", "path"))


@pytest.mark.parametrize("name", SEVERAL)
def test_no_name_is_left(name: str, given_machine: Callable[[str], Path]) -> None:
    given = given_machine(name)
    parts = {part for found in _names(CAPTURES / name) for part in re.split(r"[/\\]", found)}
    secret = {part.casefold() for part in parts if len(part) >= 3 and not EVERYWHERE.fullmatch(part)}
    secret -= {part for part in secret if is_kept("device", part)}
    headings = {heading for path in given.glob("*.csv") for row in rows(path)[:1] for heading in row}
    words = (*headings, *all_sources(), "OLTP")  # possible values of the option workload
    vocabulary = {word.casefold() for text in words for word in re.split(r"\W", text)}
    text = all_bytes(given).decode()
    assert not secret & ({word.casefold() for word in re.findall(r"[^\s,:;\"/\\]+", text)} - vocabulary)
    assert not [part for part in secret - vocabulary if len(part) >= 6 and part in text.casefold()]


def _untouched(directory: Path, source: str) -> list[tuple[Any, ...]]:
    """Return a file's values in the columns without text."""
    texts = {row["COLUMN"] for row in table("columns") if row["SOURCE"] == source}
    path = directory / f"{source}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        columns = [column for column in next(csv.reader(file)) if column not in texts]
    return sorted([tuple(row[column] for column in columns) for row in rows(path)])


@pytest.mark.parametrize("source", ["tablespace", "database", "statement", "bufferpool", "hostfact"])
def test_numbers_are_untouched(source: str, given_machine: Callable[[str], Path]) -> None:
    name = "vm-oltp-before"
    if (CAPTURES / name / f"{source}.csv").is_file():
        assert _untouched(given_machine(name), source) == _untouched(CAPTURES / name, source)


def test_what_belongs_together_still_does(given_machine: Callable[[str], Path]) -> None:
    given = given_machine("x445-8way")
    containers = {row["CONTAINER_NAME"] for row in rows(given / "container.csv")}
    facts = [row for row in rows(given / "hostfact.csv") if row["SNAP_ID"] == "2"]
    lying = [row for row in facts if row["FACT_KEY"].startswith("container:")]
    assert {row["FACT_KEY"].removeprefix("container:") for row in lying} == containers
    assert {row["VALUE"] for row in lying} <= {row["FACT_KEY"].removeprefix("device:") for row in facts}
    assert len({re.split(r"[/\\]", name)[1] for name in containers}) == 1  # one directory, as before
    assert {row["HOST"] for row in facts} == {manifest(given)["snapshots"][0]["database"]["host"]}


# --- names of every kind ---

MARK = "Qzx9"


def hostile() -> st.SearchStrategy[str]:
    """Return names with a mark that must not appear anywhere."""
    strange = st.text(st.sampled_from("aZ9_ .,;:*'\"\n\t/\\\u00fc\u540d-|$(){}=@%"), max_size=6)
    return st.tuples(strange, strange).map(lambda ends: f"{ends[0]}{MARK}{ends[1]}")


def _case(names: list[str]) -> State:
    """Return a database in which every possible name is one of these."""
    a, b, c = names
    return state_of(
        {
            "database": {"name": MARK, "host": a, "instance": MARK},
            "tablespace": [{"TBSP_NAME": name, "TBSP_ID": place} for place, name in enumerate(names, 1)],
            "container": [
                {
                    "TBSP_NAME": name,
                    "CONTAINER_ID": 0,
                    "CONTAINER_NAME": f"/{a}/{name}",
                    "FS_ID": b,
                    "CONTAINER_TYPE": c,
                }
                for name in names
            ],
            "storage_path": [{"STORAGE_GROUP_NAME": b, "DB_STORAGE_PATH": f"/{a}"}],
            "cat_table": [
                {"TABSCHEMA": b, "TABNAME": name, "TBSPACE": name, "COMPRESSION": c, "PARTITION_MODE": "H"}
                for name in names
            ],
            "cat_column": [{"TABSCHEMA": b, "TABNAME": name, "COLNAME": a} for name in names],
            "lob_column": [{"TABSCHEMA": b, "TABNAME": a, "COLNAME": name, "TYPENAME": name} for name in names],
            "registry_values": {"DB2OPTIONS": a, "DB2INSTPROF": b, MARK: c},
            "config": {
                "logarchmeth1": f"DISK:{a}",
                "hadr_remote_host": b,
                "newlogpath": c,
                "tsm_password": a,
                "sortheap": b,
            },
            "hostfact": [
                {"HOST": a, "FACT_KEY": fact, "ITEM": item, "VALUE": b}
                for fact, item in (
                    (f"container:/{a}/{b}", "device"),
                    (f"device:{b}", "adapter"),
                    (f"path:/{a}", "mount_options"),
                    ("cpu", "model"),
                    ("logtarget", "path"),
                    (c, c),
                )
            ],
            "site": {"protected": f"{a};{b}.{c};{MARK}*"},
        }
    )


NAMED = ("tablespace", "container", "storage_path", "cat_table", "cat_column", "lob_column", "hostfact", "dbcfg")


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(hostile(), min_size=3, max_size=3, unique=True))
@example([f"a{MARK}", f"a{MARK}b", f"ba{MARK}"])
def test_hostile_names(names: list[str]) -> None:
    state = _case(names)
    state.sources = {name: state.sources[name] for name in (*NAMED, "registry", "system", "database")}
    with TemporaryDirectory() as folder:
        given = without_names(state, Path(folder))
        assert MARK.casefold() not in all_bytes(given).decode().casefold()
        for name in NAMED:  # no two names became the same
            assert _distinct(given / f"{name}.csv") == _distinct(Path(folder) / "original" / f"{name}.csv")
        with open_capture(given) as capture:
            assert sorted(capture.files) == sorted(state.sources)


def _distinct(path: Path) -> dict[str, int]:
    """Return the number of values of each column, except columns whose meaning depends on another."""
    found = rows(path)
    return {name: len({row[name] for row in found}) for name in found[0] if not name.endswith("VALUE")}


def test_names_that_are_like_new_ones(tmp_path: Path) -> None:
    """A new name never equals an old name, so the two cannot be confused."""
    taken = ["TBSP_1", "TBSP_2", "TBSP_A1", "tbsp_a2", "TABLE_3", "p1", "DB1"]
    state = state_of(
        {
            "tablespace": [{"TBSP_NAME": name, "TBSP_ID": place} for place, name in enumerate(taken, 2)],
            "container": [{"TBSP_NAME": name, "CONTAINER_ID": 0, "CONTAINER_NAME": f"/p1/{name}"} for name in taken],
            "cat_table": [{"TABNAME": name, "TBSPACE": "TBSP_1"} for name in taken],
        }
    )
    given = without_names(state, tmp_path)
    new = {row["TBSP_NAME"] for row in rows(given / "tablespace.csv")}
    new |= {row["TABNAME"] for row in rows(given / "cat_table.csv")}
    new |= {part for row in rows(given / "container.csv") for part in row["CONTAINER_NAME"].split("/")}
    assert not {name.casefold() for name in new} & {name.casefold() for name in taken}


def test_order_and_names_of_every_db2_stay(tmp_path: Path) -> None:
    spaces = ["SYSCATSPACE", "TEMPSPACE1", "IBM data", "TS_A", "TS_B", "a lower"]
    state = state_of({"tablespace": [{"TBSP_NAME": name, "TBSP_ID": place} for place, name in enumerate(spaces)]})
    given = {int(row["TBSP_ID"]): row["TBSP_NAME"] for row in rows(without_names(state, tmp_path) / "tablespace.csv")}
    assert [given[0], given[1]] == ["SYSCATSPACE", "TEMPSPACE1"]
    assert [given[place] for place in range(2, 6)] == ["TBSP_1", "TBSP_2", "TBSP_3", "TBSP_4"]


# --- the manifest ---


@pytest.mark.parametrize(
    ("protected", "given"),
    [
        ("EMPLOYEE_TABLE", "TBSP_1"),
        ("EMP*", "TBSP_1*"),
        ("BP16K;nosuch", "BP_1"),
        ("IBMDEFAULT*", "IBMDEFAULTBP*;IBMDEFAULTGROUP*"),
        ("HRDB.*", "SCHEMA_1.*"),
        ("HR*", "SCHEMA_1.*"),
        ("HRDB", "DB1"),
        ("ibm*", None),
        ("HRDB.EMPLOYEE", "SCHEMA_1.TABLE_1"),
        ("HRDB.EMP*", "SCHEMA_1.TABLE_1*"),
        ("HRDB SORTHEAP", "DB1 SORTHEAP"),
        ("ibmserv", "host1"),
        ("nosuch", None),
    ],
)
def test_protected(protected: str, given: str | None, tmp_path: Path) -> None:
    state = x445()
    state.site["protected"] = protected
    assert manifest(without_names(state, tmp_path))["options"]["site"].get("protected") == given


def test_too_much_protected(tmp_path: Path) -> None:
    state = state_of({"tablespace": [{"TBSP_NAME": f"T{n}", "TBSP_ID": n} for n in range(2, 60)]})
    state.site["protected"] = "T*"
    with pytest.raises(UserError, match=r"site\.protected matches too many objects"):
        without_names(state, tmp_path)


def _with_manifest(folder: Path, **parts: Any) -> Path:
    path = write_capture(state_of({}), folder / "original")
    (path / "manifest.json").write_text(json.dumps(manifest(path) | parts), encoding="utf-8")
    return path


def test_unknown_options_are_left_out(tmp_path: Path) -> None:
    rule = "log.buffer-full"
    options = {"site": {"workload": "bi", "stmm": MARK, MARK: 1}, rule: {"min_full": "5"}, MARK: {"a": 1}}
    anonymize_capture(_with_manifest(tmp_path, options=options), tmp_path / "given")
    assert manifest(tmp_path / "given")["options"] == {"site": {"workload": "bi"}, rule: {"min_full": "5"}}


@pytest.mark.parametrize(
    ("reason", "given"),
    [
        ("user SMITH may not read SALES.T (SQL0551N)", "SQL0551N"),
        ('SQL0204N  "SALES.T" is an undefined name.', "SQL0204N"),
        (NOT_IN_TEXT, NOT_IN_TEXT),
        ("ask Smith", "not collected"),
    ],
)
def test_reasons(reason: str, given: str, tmp_path: Path) -> None:
    anonymize_capture(_with_manifest(tmp_path, not_collected={"table_size": reason, MARK: reason}), tmp_path / "given")
    assert manifest(tmp_path / "given")["not_collected"] == {"table_size": given}


# --- files ---


def test_a_single_file(tmp_path: Path) -> None:
    path = tmp_path / "a.capture"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (CAPTURES / "idle").iterdir():
            archive.write(file, file.name)
    anonymize_capture(path, tmp_path / "given")
    anonymize_capture(CAPTURES / "idle", tmp_path / "other")
    assert all_bytes(tmp_path / "given") == all_bytes(tmp_path / "other")


def test_null_is_not_empty(tmp_path: Path) -> None:
    state = state_of({})
    path = write_capture(state, tmp_path / "original")
    text = (path / "dbcfg.csv").read_text(encoding="utf-8").splitlines()
    heading = text[0].split(",")
    line = ["1" if name in ("SNAP_ID", "MEMBER") else "" for name in heading]
    line[heading.index("NAME")] = "overflowlogpath"
    line[heading.index("VALUE")] = '""'
    (path / "dbcfg.csv").write_text("\n".join([*text, ",".join(line)]) + "\n", encoding="utf-8")
    anonymize_capture(path, tmp_path / "given")
    found = next(
        text
        for text in (tmp_path / "given" / "dbcfg.csv").read_text(encoding="utf-8").splitlines()
        if "overflowlogpath" in text
    )
    assert found.split(",") == line


def test_no_row_is_needed(tmp_path: Path) -> None:
    state = state_of({})
    state.sources["container"] = []
    assert rows(without_names(state, tmp_path) / "container.csv") == []


def test_target_must_be_empty(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=": not empty; choose"):
        anonymize_capture(CAPTURES / "idle", tmp_path)
