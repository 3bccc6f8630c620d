"""The container harness on a real engine with the fake server's image; skipped, with the reason, without an engine.

The same image with another command plays a server's failures: it ends, or does not listen.
"""

import io
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.container import developer, sample
from tools.container.__main__ import main
from tools.container.engine import OWNER_LABEL, TEST_LABEL, labels, reap, why_not
from tools.container.errors import ContainerError
from tools.container.harness import Db2Container
from tools.container.kinds import PORT, STANDIN, Kind, db2
from tools.container.login import ROOT, ConnectError, connected

pytestmark = pytest.mark.full

docker = pytest.importorskip("docker")

ABSENT = Kind(name="Db2", image="db2tune/absent:1", database="X", password_variable="P", start_s=1)
SLEEP = ["-c", "import time; print('starting', flush=True); time.sleep(600)"]
MUTE = ["-c", f"import socket, time; s = socket.create_server(('', {PORT})); held = [s.accept() for _ in iter(int, 1)]"]
FAILS = ["-c", "import os, sys; print('cannot start with', os.environ['STANDIN_PASSWORD']); sys.exit(3)"]


@pytest.fixture(scope="module")
def server(engine: "docker.DockerClient") -> Iterator[Db2Container]:
    with Db2Container(STANDIN) as server:
        yield server


def names(engine: "docker.DockerClient") -> set[str]:
    return {container.name for container in engine.containers.list(all=True, ignore_removed=True)}


# --- a server that works ------------------------------------------------------------------------------------


def test_connects_with_the_login_it_gives(server: Db2Container) -> None:
    import ibm_db

    with connected(server.login.keywords()) as connection:
        statement = ibm_db.exec_immediate(connection, "SELECT CURRENT SERVER, USER FROM SYSIBM.SYSDUMMY1")
        found = [value.strip() for value in ibm_db.fetch_tuple(statement)]
    assert found == [server.login.database, server.login.user.upper()]


def test_port_is_free_and_published_on_this_machine_only(server: Db2Container, engine: "docker.DockerClient") -> None:
    (published,) = engine.containers.get(server.name).ports[f"{PORT}/tcp"]
    assert published == {"HostIp": "127.0.0.1", "HostPort": str(server.login.port)}


def test_wrong_password_is_one_clear_line(server: Db2Container) -> None:
    wrong = replace(server.login, password="wrong")
    with pytest.raises(ConnectError) as refused, connected(wrong.keywords()):
        pass
    assert str(refused.value).startswith("SQL30082N")
    assert "\n" not in str(refused.value)


def test_password_is_not_in_texts_and_command_lines(server: Db2Container, engine: "docker.DockerClient") -> None:
    container = engine.containers.get(server.name)
    shown = [repr(server.login), server.login.url, container.logs().decode(), str(container.top())]
    assert not [text for text in shown if server.login.password in text]


def test_sample_leaves_rows_and_can_be_loaded_again(server: Db2Container, monkeypatch: pytest.MonkeyPatch) -> None:
    import ibm_db

    monkeypatch.setattr(sample, "ORDERS", 300)
    monkeypatch.setattr(sample, "ROUNDS", 1)
    with connected(server.login.keywords()) as connection:
        for _ in range(2):
            sample.load(connection)
        statement = ibm_db.exec_immediate(connection, f"SELECT COUNT(*) FROM {sample.SCHEMA}.ORDERS")
        assert ibm_db.fetch_tuple(statement) == (300,)
        sample.unload(connection)
        ibm_db.commit(connection)


# --- a server that does not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "reason", "log"),
    [
        pytest.param(FAILS, "ended with status 3", "cannot start with ********", id="ends"),
        pytest.param(SLEEP, "no CONNECT to the stand-in within 2 s: ", "starting", id="never listens"),
        pytest.param(MUTE, "no answer to CONNECT within", "", id="never answers"),
    ],
)
def test_failed_start_gives_reason_and_log_and_leaves_nothing(
    engine: "docker.DockerClient", command: list[str], reason: str, log: str
) -> None:
    server = Db2Container(STANDIN, command=command, start_s=2)
    began = time.monotonic()
    with pytest.raises(ContainerError) as failed, server:
        pass
    first, *rest = str(failed.value).splitlines()
    assert reason in first
    assert "\n".join(rest) == log
    assert time.monotonic() - began < 60  # it waits for the given time, not for the default of ten minutes
    assert server.name not in names(engine)


def test_unhealthy_container_is_not_waited_for(engine: "docker.DockerClient") -> None:
    image = "db2tune-unhealthy"
    check = 'HEALTHCHECK --interval=100ms --start-period=1ms --retries=1 CMD ["/usr/bin/python", "-c", "exit(1)"]'
    engine.images.build(fileobj=io.BytesIO(f"FROM db2tune-standin\n{check}\n".encode()), tag=image, rm=True)
    try:
        with (
            pytest.raises(ContainerError, match="is unhealthy"),
            Db2Container(replace(STANDIN, image=image), command=SLEEP, start_s=60),
        ):
            pass
    finally:
        engine.images.remove(image, force=True)


def test_container_is_removed_when_the_block_raises(server: Db2Container, engine: "docker.DockerClient") -> None:
    with pytest.raises(ZeroDivisionError), Db2Container(STANDIN) as second:
        assert second.name in names(engine)
        raise ZeroDivisionError
    assert second.name not in names(engine)


# --- a process that dies ----------------------------------------------------------------------------------------

# A background process of a shell ignores an interrupt and passes that on; a program in the foreground does not.
HOLDER = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from tools.container.harness import Db2Container
from tools.container.kinds import STANDIN
server = Db2Container(STANDIN, command={SLEEP!r})
print(server.name, flush=True)
with server: pass
"""


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return met


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_container_outlives_its_process(engine: "docker.DockerClient", number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as holder:
        name = holder.stdout.readline().strip()
        assert within(20, lambda: name in names(engine))
        holder.send_signal(number)
        assert holder.wait(20) != 0
    assert within(20, lambda: name not in names(engine))


def test_reap_removes_what_dead_processes_left(engine: "docker.DockerClient") -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    here = socket.gethostname()
    owners = {"dead": f"{here}:{dead.pid}", "alive": f"{here}:{os.getpid()}", "elsewhere": f"not-{here}:{dead.pid}"}
    left = {
        owner: engine.containers.create("db2tune-standin", SLEEP, labels={TEST_LABEL: "1", OWNER_LABEL: label})
        for owner, label in owners.items()
    }
    try:
        reap(engine)
        assert {owner for owner, one in left.items() if one.name in names(engine)} == {"alive", "elsewhere"}
    finally:
        for container in left.values():
            if container.name in names(engine):
                container.remove(force=True)


def test_containers_are_labelled_with_their_owner() -> None:
    assert labels() == {TEST_LABEL: "1", OWNER_LABEL: f"{socket.gethostname()}:{os.getpid()}"}


# --- no engine ----------------------------------------------------------------------------------------------------


def test_says_that_no_engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    assert why_not(db2()).startswith("no Docker engine answers: ")


def test_says_that_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    assert why_not(db2()) == "the Python package docker is not installed (pip install docker)"


@pytest.mark.parametrize(
    ("image", "pull", "reason"),
    [
        ("db2tune/absent:1", "", "the image db2tune/absent:1 is not on this engine (DB2TUNE_DB2_PULL=1 pulls it)"),
        ("localhost:1/absent:1", "1", "the image localhost:1/absent:1 cannot be pulled: "),
    ],
)
def test_says_that_the_image_is_absent(
    engine: "docker.DockerClient", monkeypatch: pytest.MonkeyPatch, image: str, pull: str, reason: str
) -> None:
    monkeypatch.setenv("DB2TUNE_DB2_PULL", pull)
    found = why_not(replace(ABSENT, image=image))
    assert found.startswith(reason)
    assert "\n" not in found


def test_image_is_chosen_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB2TUNE_DB2_IMAGE", "registry.example/db2:11.5.9.0")
    assert db2().image == "registry.example/db2:11.5.9.0"


# --- the developer's container --------------------------------------------------------------------------------------


@pytest.fixture
def desk(engine: "docker.DockerClient", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    """Use a container of another name in the command line, so that a developer's own one stays."""
    monkeypatch.setattr(developer, "NAME", f"db2tune-dev-{os.getpid()}")
    monkeypatch.setattr(developer, "PASSWORD_FILE", tmp_path / "build" / "password")
    yield CliRunner()
    developer.down()


def test_up_status_down(desk: CliRunner) -> None:
    up = desk.invoke(main, ["up", "--standin"])
    assert up.exit_code == 0, up.output
    password = developer.PASSWORD_FILE.read_text()
    assert stat.S_IMODE(developer.PASSWORD_FILE.stat().st_mode) == 0o600
    assert "host 127.0.0.1, port " in up.output
    assert str(developer.PASSWORD_FILE) in up.output
    assert password not in up.output
    assert desk.invoke(main, ["up", "--standin"]).output == up.output
    assert up.output in desk.invoke(main, ["status"]).output
    assert desk.invoke(main, ["up"]).exit_code == 3
    assert desk.invoke(main, ["down"]).output == f"{developer.NAME} is removed\n"
    assert desk.invoke(main, ["status"]).output == f"{developer.NAME} is not there\n"
    assert not developer.PASSWORD_FILE.exists()


def test_up_without_image_is_one_line_offering_the_standin(desk: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB2TUNE_DB2_IMAGE", "db2tune/absent:1")
    done = desk.invoke(main, ["up"])
    assert done.exit_code == 3
    assert done.output.count("\n") == 1
    assert "db2tune/absent:1 is not on this engine" in done.output
    assert "up --standin" in done.output


def test_failed_up_keeps_nothing(
    desk: CliRunner, engine: "docker.DockerClient", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.container.__main__.STANDIN", replace(STANDIN, image="db2tune-standin", start_s=0))
    done = desk.invoke(main, ["up", "--standin"])
    assert done.exit_code == 3
    assert developer.NAME not in names(engine)
    assert not developer.PASSWORD_FILE.exists()


FAKE_ENGINE = f"""#!{sys.executable}
import socket, sys, time
if "--iptables=false" not in sys.argv:
    sys.exit("no packet filters here")
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[sys.argv.index("--host") + 1].removeprefix("unix://"))
listener.listen()
print("API listen on", flush=True)
time.sleep(60)
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return the only programs that start_engine.sh finds, so that it cannot install or start an engine."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "grep", "setsid", "sleep", "tail"):
        (folder / name).symlink_to(str(shutil.which(name)))
    (folder / "python3").symlink_to(sys.executable)
    write_program(folder / "id", "#!/bin/sh\necho 0\n")
    return folder


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def start_engine(tools: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "tools/container/start_engine.sh"],
        cwd=ROOT,
        env={"PATH": str(tools), "TMPDIR": str(tools.parent)} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_start_engine_finds_the_one_that_runs(engine: "docker.DockerClient", tools: Path) -> None:
    done = start_engine(tools)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_start_engine_leaves_a_named_engine_alone(tools: Path) -> None:
    done = start_engine(tools, DOCKER_HOST="tcp://build.example:2375")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_start_engine_retries_with_fewer_features(tools: Path) -> None:
    write_program(tools / "dockerd", FAKE_ENGINE)
    done = start_engine(tools, DOCKER_SOCKET=str(tools / "engine.sock"))
    assert done.returncode == 0, done.stderr
    os.kill(int(done.stdout), signal.SIGTERM)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("", "dockerd is not installed, and there is no apt-get"),
        ("#!/bin/sh\necho no cgroups here >&2\nexit 1\n", "dockerd does not start: no cgroups here"),
    ],
)
def test_start_engine_gives_up_in_one_line(tools: Path, program: str, reason: str) -> None:
    if program:
        write_program(tools / "dockerd", program)
    done = start_engine(tools, DOCKER_SOCKET=str(tools / "none.sock"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"no Docker engine: {reason}\n")
