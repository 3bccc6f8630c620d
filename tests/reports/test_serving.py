"""The pages of the nightly job as a website for this machine alone."""

import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process with another status")
CONFIG = '[store]\npath = "store"\n[pages]\ndirectory = "pages"\n[[database]]\nname = "HR"\nurl = "HR"\n'


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a config whose folder of pages has links to a file outside."""
    folder = tmp_path_factory.mktemp("served")
    pages = folder / "pages"
    for name in ("databases", "linked"):
        (pages / name).mkdir(parents=True)
    (pages / "index.html").write_text("overview", encoding="utf-8")
    (pages / "databases" / "HR.html").write_text("advice", encoding="utf-8")
    (folder / "secret").write_text("hunter2", encoding="utf-8")
    (pages / "link.html").symlink_to(folder / "secret")
    (pages / "linked" / "index.html").symlink_to(folder / "secret")
    (folder / "nightly.toml").write_text(CONFIG, encoding="utf-8")
    return folder / "nightly.toml"


@pytest.fixture(scope="module")
def port(file: Path) -> Iterator[int]:
    """Serve the pages; Ctrl-C ends the program without an error."""
    command = [sys.executable, "-m", "advisor.cli.main", "nightly", "--config", str(file), "--serve", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        said = re.search(r"at http://127\.0\.0\.1:(\d+)/; ", process.stderr.readline())
        assert said
        yield int(said[1])
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)


def ask(port: int, path: str, method: str = "GET", host: str | None = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_pages_are_served_to_this_machine(port: int) -> None:
    assert ask(port, "/") == (200, "overview")
    assert ask(port, "/databases/HR.html", host=f"localhost:{port}") == (200, "advice")
    assert ask(port, "/index.html", "HEAD") == (200, "")


@pytest.mark.parametrize(
    ("path", "method", "host", "status"),
    [
        ("/databases/", "GET", None, 404),
        ("/databases", "GET", None, 404),
        ("/link.html", "GET", None, 404),
        ("/linked/", "GET", None, 404),
        ("/../secret", "GET", None, 404),
        ("/%2e%2e/secret", "GET", None, 404),
        ("/", "GET", "evil.example", 421),
        ("/", "GET", "evil.example:{port}", 421),
        ("/", "POST", None, 501),
        ("/index.html", "DELETE", None, 501),
    ],
)
def test_nothing_else_is_served(port: int, path: str, method: str, host: str | None, status: int) -> None:
    found, text = ask(port, path, method, host and host.format(port=port))
    assert found == status
    assert not any(word in text for word in ("hunter2", "HR.html", "overview"))


def test_taken_port_is_one_line(port: int, file: Path) -> None:
    done = CliRunner().invoke(main, ["nightly", "--config", str(file), "--serve", str(port)])
    assert (done.exit_code, done.output) == (2, f"db2tune: port {port}: Address already in use; choose another one\n")


def test_folder_without_pages_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "nightly.toml").write_text(CONFIG, encoding="utf-8")
    done = CliRunner().invoke(main, ["nightly", "--config", str(tmp_path / "nightly.toml"), "--serve", "0"])
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
