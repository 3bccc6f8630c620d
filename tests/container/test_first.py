"""The first contact and the tests marked real, on the fake server's image; skipped without an engine."""

import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.container import __main__ as command
from tools.container.errors import ContainerError
from tools.container.harness import STARTING, Db2Container
from tools.container.kinds import STANDIN

pytestmark = pytest.mark.full

docker = pytest.importorskip("docker")

PRIVILEGED_ONLY = """
import os, runpy, sys
if not int(open("/proc/self/status").read().split("CapBnd:")[1].split()[0], 16) >> 21 & 1:
    sys.exit("not privileged")
sys.argv[1:] = ["--state", "fixtures/webshop.capture", "--host", "0.0.0.0"]
runpy.run_module("tests.standin", run_name="__main__")
"""


def test_first_contact_works_in_a_container(
    engine: "docker.DockerClient", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tests/wire/test_contact.py runs all steps."""
    steps = ("server", "doctor", "capture", "collect script", "collect", "import")
    words = [word for step in steps for word in ("--step", step)]
    done = CliRunner().invoke(command.main, ["first", "--standin", "--interval", "2", "-o", str(tmp_path), *words])
    assert done.exit_code == 0, done.output
    assert done.output.count("| worked |") == len(steps)
    with tarfile.open(tmp_path / "shop-plain.tar.gz") as archive:
        packed = {entry.name for entry in archive}
    assert {"shop-plain/result.md", "shop-plain/container.log", "shop-plain/collected/manifest.json"} <= packed


def test_tests_get_url_and_password(
    engine: "docker.DockerClient", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    (tmp_path / "test_real.py").write_text(
        f"import os, pathlib\ndef test_environment():\n"
        f"    seen = os.environ['{command.URL_VARIABLE}'], os.environ['{command.PASSWORD_VARIABLE}']\n"
        f"    pathlib.Path({str(seen)!r}).write_text(' '.join(seen))\n"
    )
    monkeypatch.setattr(command, "TESTS", str(tmp_path))
    assert CliRunner().invoke(command.main, ["test", "--standin"]).exit_code == 0
    url, password = seen.read_text().split()
    assert url.startswith("db2://db2inst1@127.0.0.1:")
    assert password not in url


def test_no_connect_before_the_last_line_of_the_log(engine: "docker.DockerClient") -> None:
    with Db2Container(replace(STANDIN, ready="ready: database")) as server:
        assert set(server.refusals) <= {"its log lacks 'ready: database'", STARTING}
    with (
        pytest.raises(ContainerError, match=r"its log lacks 'Setup has completed\.'"),
        Db2Container(replace(STANDIN, ready="Setup has completed."), start_s=2),
    ):
        pass


def test_missing_capabilities_start_a_privileged_container(engine: "docker.DockerClient") -> None:
    """The first container of this command ends at once: only a privileged one has CAP_SYS_ADMIN."""
    serve = ["-c", PRIVILEGED_ONLY]
    with Db2Container(replace(STANDIN, capabilities=("SYS_NICE",)), command=serve) as server:
        assert (server.kind.privileged, server.kind.capabilities) == (True, ())
        assert engine.containers.get(server.name).attrs["HostConfig"]["Privileged"]
