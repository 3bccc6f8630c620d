"""Host facts: the collector on recorded hosts, the files of facts, and their use in rules."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from advisor.capture.hostfacts import rename_hosts
from advisor.catalogue.host_items import all_items, check
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.hostfacts.collector import script
from advisor.hostfacts.files import read_facts
from advisor.report.text import answers
from tests.support.paths import ROOT
from tests.support.recorded_host import RECORDINGS, SHELLS, Recorded, recorded
from tests.support.states import state_of, write_capture

HOSTS = sorted(path.stem for path in RECORDINGS.glob("*.yml"))
SCHEMA = json.loads((ROOT / "advisor" / "hostfacts" / "hostfacts.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if shutil.which(SHELLS[name][0]) is None:
        pytest.skip(f"{name} is not installed here")
    return name


def collected(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """Return the collector's output, after checking it against the schema and the vocabulary."""
    assert done.returncode == 0, done.stderr.decode()
    document: dict[str, Any] = json.loads(done.stdout.decode("utf-8"))
    jsonschema.validate(document, SCHEMA)
    for fact in document["facts"]:
        check(fact["fact"], fact["item"], fact["value"])
    return document


def facts_of(document: dict[str, Any]) -> list[list[str]]:
    return [[fact["fact"], fact["item"], fact["value"]] for fact in document["facts"]]


@pytest.mark.parametrize("name", HOSTS)
def test_the_collector_finds_what_a_host_has(name: str, shell: str, tmp_path: Path) -> None:
    host = recorded(name, tmp_path, awk="busybox" if shell == "busybox" else None)
    done = host.run(shell)
    assert done.stderr == b""
    document = collected(done)
    assert (document["host"], document["os"]) == ("db1.example.com", host.recording["system"])
    assert sorted(facts_of(document)) == sorted(host.facts)


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_without_anything_has_no_facts(name: str, tmp_path: Path) -> None:
    """Each command is missing and every file is unreadable: the collector guesses nothing and reports no error."""
    host = recorded(name, tmp_path)
    for folder in ("root", "later"):
        shutil.rmtree(tmp_path / folder)
        (tmp_path / folder).mkdir()
    for command in {line.partition(" ")[0] for line in host.recording["commands"]} | {"poolbind"}:
        (tmp_path / "bin" / command).unlink(missing_ok=True)
    done = host.run("dash", text=script())
    assert done.stderr == b""
    assert facts_of(collected(done)) == []


HOSTILE = [
    '/data/a "b"',
    "/data/it's",
    "/data/back\\slash",
    "/data/$(touch x)`id`",
    "/data/gr\u00fc\u00df",
    "/data/" + "x" * 250,
]


def test_hostile_paths_survive(shell: str, tmp_path: Path) -> None:
    host = recorded("linux-bare", tmp_path)
    host.command("df", "printf 'head\\n/dev/sdb1 1 1 1 2%% /db2/log\\n'")
    built_in, given = HOSTILE[:3], HOSTILE[3:]
    document = collected(host.run(shell, *given, text=script(built_in)))
    found = {fact.partition(":")[2] for fact, item, value in facts_of(document) if (item, value) == ("device", "sdb")}
    assert found == {*HOSTILE, "/db2/log"}


@pytest.mark.parametrize(("device", "mount"), [("/dev/sdb1", "/home/x 1% /db2/log"), ("x 1% /db2/log", "/home/x")])
def test_mount_point_comes_from_the_mount_table(device: str, mount: str, shell: str, tmp_path: Path) -> None:
    """Users choose the names of their mounts, for example of FUSE."""
    host = recorded("linux-bare", tmp_path)
    with (tmp_path / "root" / "proc" / "self" / "mountinfo").open("a", encoding="utf-8") as table:
        table.write(f"40 21 0:50 / {mount.replace(' ', chr(92) + '040')} rw - fuse x rw\n")
    line = f"{device} 1 1 1 2% {mount}".replace("%", "%%")
    host.command("df", f"printf 'head\\n{line}\\n'")
    document = collected(host.run(shell, "/home/x 1% /db2/log/y", text=script()))
    assert {value for _, item, value in facts_of(document) if item == "fs_type"} == {"fuse"}


def test_what_no_line_can_hold_is_left_out(tmp_path: Path) -> None:
    host = recorded("linux-bare", tmp_path)
    host.command("df", "printf 'head\\n/dev/sdb1 1 1 1 2%% /db2/log\\n'")
    host.command("lscpu", "printf 'Model name: a\\033[2Jb\\001\\n'")
    done = host.run("dash", "/a\nb", "/a\tb", "relative", "/" + "y" * 400, text=script())
    facts = facts_of(collected(done))
    assert done.stderr.count(b"skipped") == 3
    assert ["cpu", "model", "a[2Jb"] in facts
    assert {fact for fact, _, _ in facts if fact.startswith(("path:", "container:"))} == {"path:/db2/log"}


def test_a_path_that_may_not_be_looked_at_is_not_guessed(tmp_path: Path) -> None:
    host = recorded("linux-bare", tmp_path)
    done = host.run("dash", "/db2/secret", text=script())
    assert b"/db2/secret: not readable; run this script as the instance owner" in done.stderr
    assert not [fact for fact, _, _ in facts_of(collected(done)) if "secret" in fact]


def test_a_command_that_hangs_is_given_up(shell: str, tmp_path: Path) -> None:
    host = recorded("linux-bare", tmp_path)
    host.command("multipath", "exec /bin/sleep 30")
    host.command("sleep", 'exec /bin/sleep "$1"')
    text = script(host.recording["names"]).replace("LIMIT_S=10", "LIMIT_S=1")
    found = facts_of(collected(host.run(shell, "-i", "0", text=text)))
    assert ["device:dm-0", "paths", "2"] in found  # as reported by the kernel
    assert not [item for _, item, _ in found if item in ("path_policy", "busy_pct", "steal_pct")]


def test_statements_for_the_command_line_processor(tmp_path: Path) -> None:
    done = recorded("linux-bare", tmp_path).run("dash", "-s")
    lines = done.stdout.decode().splitlines()
    assert "CALL TUNE.SET_HOSTFACTS('db1.example.com', 'container:/db2/md/it''s \"c2\"', 'device', 'md0');" in lines
    assert all(re.fullmatch(r"CALL TUNE\.SET_HOSTFACTS\('.*', '.*', '.*', '.*'\);", line) for line in lines)


@pytest.mark.parametrize("arguments", [["-x"], ["-i", "soon"], ["-i", "-1"]])
def test_bad_usage_of_the_collector(arguments: list[str], tmp_path: Path) -> None:
    done = recorded("linux-vmware", tmp_path).run("dash", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_collector_runs_here(shell: str, tmp_path: Path) -> None:
    """On the test machine, from standard input as over ssh."""
    done = subprocess.run(
        [*SHELLS[shell], "-s", "--", "-i", "1", str(tmp_path)],
        input=script().encode(),
        capture_output=True,
        check=False,
    )
    document = collected(done)
    assert document["os"] in ("Linux", "AIX", "SunOS")
    assert {"cpu", "memory", f"path:{tmp_path}"} <= {fact for fact, _, _ in facts_of(document)}


# ---- the files


def run(*args: str) -> Result:
    return CliRunner().invoke(main, list(args))


def write(path: Path, content: str | dict[str, Any] | bytes) -> Path:
    data = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def document(*facts: tuple[str, str, str], host: str = "db1", **more: Any) -> dict[str, Any]:
    return {
        "schema": 1,
        "host": host,
        "facts": [{"fact": fact, "item": item, "value": value} for fact, item, value in facts],
    } | more


TOML = """
[host.db1.device.sda]
strip_kb = 64
pooled = true
[host.db1.device."cciss/c0d0"]
data_disks = 6
[host.db1.hypervisor]
ready_pct = 2.50
mmu_mode = "hardware"
[host."db2.example.com".container."/data/c 1"]
device = "sda"
"""


def test_manual_facts_are_read(tmp_path: Path) -> None:
    assert read_facts([write(tmp_path / "own.toml", TOML)]) == {
        ("db1", "device:sda", "strip_kb"): "64",
        ("db1", "device:sda", "pooled"): "1",
        ("db1", "device:cciss/c0d0", "data_disks"): "6",
        ("db1", "hypervisor", "ready_pct"): "2.5",
        ("db1", "hypervisor", "mmu_mode"): "hardware",
        ("db2.example.com", "container:/data/c 1", "device"): "sda",
    }


def test_the_later_file_wins(tmp_path: Path) -> None:
    one = write(tmp_path / "one.json", document(("device:sda", "strip_kb", "64"), ("cpu", "cores", "8")))
    other = write(tmp_path / "other.json", document(("device:sda", "strip_kb", "256")))
    facts = read_facts([one, other])
    assert facts == {("db1", "device:sda", "strip_kb"): "256", ("db1", "cpu", "cores"): "8"}


def test_the_documented_file_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "hostfacts.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert ("db1", "container:/data/c1", "device") in read_facts([write(tmp_path / "own.toml", block)])


BAD: list[tuple[str, Any, str]] = [
    ("f.json", "{", "f.json: not valid JSON"),
    ("f.json", "[" * 100_000, "f.json: not valid JSON"),
    ("f.json", b"\xff\xfe\x00", "f.json: not valid JSON"),
    ("f.json", "[]", "f.json: the file: must be an object, not a list"),
    ("f.json", {"schema": 1, "facts": []}, "f.json: the file: host is missing"),
    ("f.json", document() | {"schema": 2}, "schema 2 is newer"),
    (
        "f.json",
        document(("device:sda", "strip_kb", "")),
        "f.json: facts[0].value: must be a text that is not empty, not ''",
    ),
    ("f.json", document(("device:sda", "strip", "64")), "fact device has no item 'strip'; did you mean strip_kb?"),
    ("f.json", document(("devise:sda", "strip_kb", "64")), "fact 'devise' does not exist; did you mean device?"),
    ("f.json", document(("device", "strip_kb", "64")), "write a fact of this kind as device:<d>"),
    ("f.json", document(("cpu:0", "cores", "64")), "write a fact of this kind as cpu"),
    ("f.json", document(("cpu", "cores", "many")), "fact 'cpu': cores is 'many', not a number"),
    ("f.json", document(("cpu", "cores", "-1")), "not a number"),
    ("f.json", document(("cpu", "smt_capable", "yes")), "not 0 or 1"),
    ("f.json", document(("cpu", "model", "a\nb")), "not a text on one line"),
    ("f.json", document(("cpu", "model", "\u00fc" * 1000)), "longer than"),
    ("f.toml", "[host", "f.toml: not valid TOML"),
    ("f.toml", "[hosts.db1.cpu]\ncores = 8", "f.toml: the file: there is no 'hosts'; did you mean host?"),
    (
        "f.toml",
        "[host.db1.device]\nstrip_kb = 64",
        'host.db1.device.strip_kb: must be a table, [host."<host>".device."<d>"], not 64',
    ),
    ("f.toml", "[host.db1]\ncores = 64", "host.db1: there is no 'cores'; did you mean core?"),
    ("f.toml", "host = 1", "host: must be a table, [host.db1.device.sda], not 1"),
    (
        "f.toml",
        "[host.db1.device.sda]\nstrip_kb = [64]",
        "host.db1.device.sda.strip_kb: must be a number or a text, not a list",
    ),
    ("f.toml", "[host.db1.device.sda]\nstrip = 64", "did you mean strip_kb?"),
    ("f.toml", "[host.db1.device.sda]\nstrip_kb = inf", "not a number"),
    ("f.toml", b"[host.db1.cpu]\nmodel = '\xff'\ncores = 'x'", "not a number"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_bad_files_are_refused_with_one_line(name: str, content: Any, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, content)
    done = run("advise", "--capture", "nowhere", "--hostfacts", str(path))
    assert done.exit_code == 2
    assert message in done.stderr
    assert re.fullmatch(r"db2tune: [^\n]+\n", done.stderr)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = run("advise", "--capture", "nowhere", "--hostfacts", str(tmp_path / "none.json"))
    assert done.exit_code == 2
    assert re.fullmatch(r"db2tune: [^\n]+\n", done.stderr)


# ---- their use in rules


def test_hosts_get_the_names_that_db2_has_for_them() -> None:
    facts = {(host, "cpu", "cores"): "8" for host in ("DB1", "db2.example.com", "db3.a", "db4", "other")}
    named = rename_hosts(facts, {"db1.example.com", "DB2", "db3.b", "db4.a", "db4.b"})
    assert {host for host, _, _ in named} == {"db1.example.com", "DB2", "db3.a", "db4", "other"}


def test_facts_about_none_of_the_hosts_are_refused() -> None:
    with pytest.raises(UserError, match="are for web1, but the database runs on db1; use Db2's host name"):
        rename_hosts({("web1", "cpu", "cores"): "8"}, {"db1"})
    assert rename_hosts({}, {"db1"}) == {}


SWAPPING = {
    "hostfact": [
        {"HOST": "db1", "FACT_KEY": "memory", "ITEM": "swap_out_per_s", "VALUE": "0"},
        {"HOST": "db1", "FACT_KEY": "sysctl", "ITEM": "swappiness", "VALUE": "1"},
    ]
}


def test_a_file_comes_over_the_facts_of_a_capture(tmp_path: Path) -> None:
    capture = str(write_capture(state_of(SWAPPING), tmp_path / "capture"))
    facts = write(tmp_path / "f.json", document(("sysctl", "swappiness", "60"), host="DB1.example.com"))

    def proposed(*more: str) -> list[str]:
        done = run("advise", "--capture", capture, "--format", "json", *more)
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)["recommendations"]
        return [step["text"] for item in found if item["rule"] == "os.swappiness" for step in item["actions"]]

    assert proposed() == []
    assert any("vm.swappiness" in action for action in proposed("--hostfacts", str(facts)))


def test_a_question_comes_with_the_line_that_answers_it(tmp_path: Path) -> None:
    """Each question that only a person can answer comes with a line; with a value, it is a valid file."""
    for question, line in answers().items():
        filled = re.sub(r"<number>|0 or 1", "1", line).replace("[host", "\n[host").replace("] ", "]\n")
        facts = read_facts([write(tmp_path / "own.toml", filled)])
        assert len(facts) == 1, question
    asked = run("advise", "--all", "--capture", str(write_capture(state_of({}), tmp_path / "capture"))).stdout
    assert "Questions" in asked
    assert '[host."<host>".device."<d>"] strip_kb = <number>' in asked
    assert "db2tune hostfacts" in asked


def test_the_script_knows_the_paths_of_a_capture(tmp_path: Path) -> None:
    state = state_of(
        {
            "container": [
                {"TBSP_NAME": "USERSPACE1", "CONTAINER_ID": number, "CONTAINER_NAME": name}
                for number, name in enumerate(("/data/it's one", "d:\\two"))
            ]
        }
    )
    done = run("hostfacts", "--capture", str(write_capture(state, tmp_path / "capture")))
    assert done.exit_code == 0, done.output
    assert "'container:/data/it'\\''s one'" in done.stdout
    assert "container:d" not in done.stdout
    assert re.search(r"'path:/\S+'", done.stdout), "the log"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--load", "F"], "--load needs --database"),
        (["--capture", "c", "--database", "d"], "use either --capture or --database"),
    ],
)
def test_bad_usage_of_the_command(args: list[str], message: str, tmp_path: Path) -> None:
    path = str(write(tmp_path / "f.toml", TOML))
    done = run("hostfacts", *(path if arg == "F" else arg for arg in args))
    assert done.exit_code == 2
    assert message in done.stderr


# ---- the vocabulary


def test_every_fact_of_a_host_has_a_command_that_finds_it() -> None:
    for item in all_items().values():
        assert item.type in ("text", "number", "flag"), item
        assert item.source in ("host", "person", "both"), item
        assert any(item.commands.values()) is (item.source != "person"), item


def test_the_collector_writes_nothing_but_its_vocabulary(tmp_path: Path) -> None:
    """Each item of a recorded host is documented in the table for this system."""
    names = {"Linux": "Linux", "AIX": "AIX", "SunOS": "Solaris"}
    seen: dict[str, set[tuple[str, str]]] = {}
    for number, name in enumerate(HOSTS):
        (tmp_path / str(number)).mkdir()
        host: Recorded = recorded(name, tmp_path / str(number))
        seen.setdefault(names[host.recording["system"]], set()).update(
            (fact.partition(":")[0], item) for fact, item, _ in host.facts
        )
    for system, found in seen.items():
        told = {key for key, item in all_items().items() if item.commands[system]}
        assert found <= told, system
