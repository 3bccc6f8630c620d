"""The hosted workflows run commands that exist, on pinned actions, for the levels and modes of the first contact."""

import re
from importlib.util import find_spec
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT
from tools.container.kinds import read_data

FOLDER = ROOT / ".github" / "workflows"
JOBS: dict[str, dict[str, Any]] = {
    f"{path.stem}.{name}": job
    for path in sorted(FOLDER.glob("*.yml"))
    for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()
}
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("name", JOBS)
def test_each_command_of_a_job_exists(name: str) -> None:
    for step in JOBS[name]["steps"]:
        for target in re.findall(r"\bmake (\S+)", step.get("run", "")):
            assert target in TARGETS
        for module in re.findall(r"-m ([\w.]+)", step.get("run", "")):
            assert find_spec(module), module
        assert re.fullmatch(r"[\w/-]+@v\d+\.\d+\.\d+", step.get("uses", "a@v1.2.3"))


def test_first_contact_runs_for_each_tag_and_mode() -> None:
    matrix = JOBS["db2.first"]["strategy"]["matrix"]
    assert matrix == {"tag": read_data()["tags"], "mode": list(read_data()["modes"])}


def test_tests_run_on_each_supported_python() -> None:
    assert JOBS["ci.test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
