"""The scripts for managed platforms, run in a shell against programs that play the platforms."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from advisor.capture.site import Site
from advisor.catalogue.commands import recipient
from advisor.judgement.advice import Advice
from advisor.judgement.run import advise
from advisor.plan.platform_scripts import resource
from advisor.plan.scripts import texts
from advisor.plan.steps import Step, activation, plan
from advisor.resources import DEMO_CAPTURE

# Plays the command line processor of a client of RDS: two databases, calls that start a task, a task that is under way
# for one look, and SQL that compares expected settings with the present ones. UPDATE DB CFG is refused. Like IBM's
# program, it finds its connection by its parent process (technote swg21983930), and returns 1 without rows, 2 with a
# warning. A LOB is printed only after a CAST.
DB2 = r"""#!{python}
import json, os, re, sys
path = {state!r}
state = json.load(open(path))
shell = str(os.getppid())
line = sys.stdin.read() if "+p" in sys.argv else sys.argv[-1]
def end(code=0, text=""):
    json.dump(state, open(path, "w"))
    print(text)
    sys.exit(code)
state["typed"].append(line)
if found := re.match(r"CONNECT TO (\w+) USER (\w+)$", line):
    state["connected"][shell] = found[1]
    end(2, "SQL1494W")
if line == "TERMINATE":
    state["connected"].pop(shell, None)
    end()
connected = state["connected"].get(shell)
if connected is None:
    end(4, "SQL1024N  A database connection does not exist.  SQLSTATE=08003")
if found := re.match(r"SELECT CAST\((\w+) AS VARCHAR\(500\)\) FROM TABLE\(RDSADMIN.GET_TASK_STATUS\((\w+), '(\w+)', '(\w+)'\)\)", line):
    assert connected == "RDSADMIN"
    tasks = [task for task in state["tasks"] if task["TASK_TYPE"] == found[4]]
    if not tasks:
        end(1)
    task = tasks[-1]
    if found[1] == "LIFECYCLE":
        task["looks"] += 1
        task["LIFECYCLE"] = ("ERROR" if state["fails"] else "SUCCESS") if task["looks"] > 1 else "IN_PROGRESS"
        if task["LIFECYCLE"] == "SUCCESS":
            state["settings"][task["name"]] = task["value"]
    end(0, task[found[1]])
if found := re.match(r"CALL RDSADMIN.(\w+)\('SHOP', '(\w+)', '(\w+)'", line):
    assert connected == "RDSADMIN"
    number = len(state["tasks"]) + 1
    state["tasks"].append(dict(TASK_ID=number, TASK_TYPE=found[1], LIFECYCLE="CREATED", TASK_OUTPUT="refused by RDS",
                               name=found[2], value=found[3], looks=0))
    end()
if line.startswith("BEGIN"):
    assert connected == "SHOP"
    for name, value in re.findall(r"\('(\w+)', CAST\(NULL AS SMALLINT\), '(\w+)'\)", line):
        if state["settings"][name] != value:
            end(4, "SQL0438N expected " + value + " SQLSTATE=70070")
    end()
end(4, "SQL0551N")
"""
RECORDS = """#!{python}
import json, os, sys
with open({state!r}, "a") as file:
    names = [word.removeprefix("@") for word in sys.argv if word.startswith("@")]
    print(json.dumps([sys.argv[1:], os.environ["DB_PARAMETER_GROUP"], [open(name).read() for name in names]]), file=file)
"""


@dataclass
class Rds:
    """A directory with a program db2 that plays a client of RDS."""

    directory: Path

    def play(self, settings: dict[str, str], fails: bool = False) -> None:
        state = {"connected": {}, "tasks": [], "typed": [], "settings": settings, "fails": fails}
        self._path.write_text(json.dumps(state))
        program = self.directory / "db2"
        program.write_text(DB2.replace("{python}", sys.executable).replace("{state!r}", repr(str(self._path))))
        program.chmod(0o755)

    @property
    def _path(self) -> Path:
        return self.directory / "state.json"

    @property
    def settings(self) -> dict[str, str]:
        return dict(json.loads(self._path.read_text())["settings"])

    @property
    def typed(self) -> list[str]:
        return list(json.loads(self._path.read_text())["typed"])

    def run(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        return run(self.directory, script, *words)


def run(directory: Path, script: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (directory / "script.sh").write_text(script)
    return subprocess.run(
        ["sh", "script.sh", *words],
        cwd=directory,
        env={"PATH": f"{directory}:{os.environ['PATH']}", "SECONDS_BETWEEN": "0", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def rds(tmp_path: Path) -> Rds:
    return Rds(tmp_path)


def advised_on(runs_on: str) -> Advice:
    return advise(DEMO_CAPTURE, site=Site(options={"site": {"runs_on": runs_on.upper()}}))


def step_of(advice: Advice, rule: str) -> Step:
    return next(step for step in plan(advice, everything=True) if step.items[0].rule.name == rule)


BEFORE = {"LOCKLIST": "6200", "MAXLOCKS": "22"}
AFTER = {"LOCKLIST": "AUTOMATIC", "MAXLOCKS": "AUTOMATIC"}


def test_rds_calls_wait_for_their_tasks_and_are_checked(rds: Rds) -> None:
    advice = advised_on("rds")
    scripts = texts(step_of(advice, "lock.escalations"), advice)
    assert list(scripts) == ["apply-rdsadmin.sh", "undo-rdsadmin.sh"]
    rds.play(BEFORE)
    done = rds.run(scripts["apply-rdsadmin.sh"], "admin")
    assert (done.returncode, rds.settings) == (0, AFTER), done.stderr
    connects = [line for line in rds.typed if line.startswith("CONNECT")]
    assert connects == [f"CONNECT TO {name} USER admin" for name in ("SHOP", "RDSADMIN", "SHOP")]
    done = rds.run(scripts["undo-rdsadmin.sh"], "admin")
    assert (done.returncode, rds.settings) == (0, BEFORE), done.stderr


def test_rds_is_left_alone_if_a_setting_differs(rds: Rds) -> None:
    advice = advised_on("rds")
    scripts = texts(step_of(advice, "lock.escalations"), advice)
    rds.play({**BEFORE, "MAXLOCKS": "60"})
    assert rds.run(scripts["apply-rdsadmin.sh"], "admin").returncode != 0
    assert not any("RDSADMIN" in line for line in rds.typed)


def test_rds_script_ends_with_the_task_that_fails(rds: Rds) -> None:
    advice = advised_on("rds")
    scripts = texts(step_of(advice, "lock.escalations"), advice)
    rds.play(BEFORE, fails=True)
    done = rds.run(scripts["apply-rdsadmin.sh"], "admin")
    assert done.returncode == 1
    assert "stopped: refused by RDS" in done.stderr
    assert sum(line.startswith("CALL") for line in rds.typed) == 1


def test_rds_script_asks_for_the_user(rds: Rds) -> None:
    advice = advised_on("rds")
    done = rds.run(texts(step_of(advice, "lock.escalations"), advice)["apply-rdsadmin.sh"])
    assert done.returncode != 0
    assert "give the name of the master user" in done.stderr


def record(directory: Path, name: str) -> Path:
    said = directory / "said.txt"
    (directory / name).write_text(RECORDS.replace("{python}", sys.executable).replace("{state!r}", repr(str(said))))
    (directory / name).chmod(0o755)
    return said


def test_the_service_gets_bodies_and_no_secret_as_a_word(tmp_path: Path) -> None:
    advice = advised_on("saas")
    scripts = texts(step_of(advice, "lock.escalations"), advice)
    said = record(tmp_path, "curl")
    (tmp_path / "header").write_text("Authorization: Bearer s3cret\n")
    given = {"DB2_SERVICE": "https://db2.example", "DB2_PROFILE": "crn%3Av1", "DB2_HEADER": "header"}
    done = run(tmp_path, scripts["apply-service.sh"], **given, DB_PARAMETER_GROUP="")
    assert done.returncode == 0, done.stderr
    calls = [json.loads(line) for line in said.read_text().splitlines()]
    bodies = [json.loads(words[words.index("--data") + 1]) for words, _, _ in calls]
    assert [body["db"] for body in bodies] == [{name: "AUTOMATIC"} for name in ("LOCKLIST", "MAXLOCKS")]
    assert all("https://db2.example/manage/deployments/custom_setting" in words for words, _, _ in calls)
    assert all("s3cret" not in " ".join(words) for words, _, _ in calls)
    assert [files for _, _, files in calls] == [["Authorization: Bearer s3cret\n"]] * 2
    assert run(tmp_path, scripts["apply-service.sh"]).returncode != 0  # without an address


def test_the_operator_gets_one_resource(tmp_path: Path) -> None:
    advice = advised_on("db2u")
    scripts = texts(step_of(advice, "lock.escalations"), advice)
    assert list(scripts) == ["apply.yaml", "undo.yaml"]
    databases = yaml.safe_load(scripts["apply.yaml"])["spec"]["environment"]["databases"]
    assert databases == [{"name": "SHOP", "dbConfig": AFTER}]
    databases = yaml.safe_load(scripts["undo.yaml"])["spec"]["environment"]["databases"]
    assert databases == [{"name": "SHOP", "dbConfig": BEFORE}]


def test_fragments_of_a_resource_are_merged_by_database() -> None:
    lines = [
        'spec: {environment: {databases: [{name: A, dbConfig: {LOCKLIST: "1"}}]}}',
        'spec: {environment: {databases: [{name: A, dbConfig: {MAXLOCKS: "2"}}]}}',
        'spec: {environment: {instance: {registry: {DB2_PARALLEL_IO: "*"}}}}',
    ]
    assert yaml.safe_load(resource(lines)) == {
        "spec": {
            "environment": {
                "databases": [{"name": "A", "dbConfig": {"LOCKLIST": "1", "MAXLOCKS": "2"}}],
                "instance": {"registry": {"DB2_PARALLEL_IO": "*"}},
            }
        }
    }


@pytest.mark.parametrize(
    ("runs_on", "words"),
    [
        ("rds", "RDSADMIN.REACTIVATE_DATABASE(?, 'SHOP')"),
        ("saas", "IBM Support"),
        ("db2u", "administrator of the cluster"),
        ("host", "DEACTIVATE DATABASE SHOP"),
    ],
)
def test_what_activates_a_change(runs_on: str, words: str) -> None:
    advice = advised_on(runs_on)
    step = replace(step_of(advice, "lock.escalations"), effect="RA")
    assert any(words in line for line in activation(step, advice))


def test_recipient_of_each_command() -> None:
    for runs_on, start in (("rds", "(CALL RDSADMIN|aws rds)"), ("saas", "POST /manage"), ("db2u", "spec: ")):
        for item in advised_on(runs_on).ranked:
            for line in (*item.actions, *item.undo):
                assert (recipient(line) is not None) == bool(re.match(start, line)), line


def test_a_database_whose_name_is_a_word_of_yaml() -> None:
    """Without quotes, NO and ON are truth values."""
    advice = advised_on("db2u")
    lines = [line.replace("SHOP", "NO") for item in advice.ranked for line in item.actions if line.startswith("spec: ")]
    databases = yaml.safe_load(resource(lines))["spec"]["environment"]["databases"]
    assert [each["name"] for each in databases] == ["NO"]
