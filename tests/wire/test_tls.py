"""``db2tune --tls``: encrypted, only with the expected server; otherwise one line and exit status 3."""

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

READ = ("advise", "--interval", "0", "--connect-timeout", "5")
HOST = "IP:127.0.0.1"


def _openssl(*arguments: str) -> None:
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl to make certificates with")
    subprocess.run([program, *arguments], check=True, capture_output=True, timeout=60)


def _authority(folder: Path, name: str) -> Path:
    """Write a certificate that can sign others, with its key in the same folder."""
    own = folder / f"{name}.pem"
    _openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
             "-keyout", str(own.with_suffix(".key")), "-out", str(own))  # fmt: skip
    return own


def _signed(folder: Path, name: str, authority: Path, host: str) -> Path:
    """Write the certificate of a server called ``host``, signed by an authority, with its key in the same folder."""
    own = folder / f"{name}.pem"
    request, extension = own.with_suffix(".csr"), own.with_suffix(".ext")
    extension.write_text(f"subjectAltName={host}\n", encoding="utf-8")
    _openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
             "-keyout", str(own.with_suffix(".key")), "-out", str(request))  # fmt: skip
    _openssl("x509", "-req", "-in", str(request), "-days", "2", "-CA", str(authority), "-CAkey",
             str(authority.with_suffix(".key")), "-CAcreateserial", "-extfile", str(extension), "-out", str(own))  # fmt: skip
    return own


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return certificates: right.pem signed both servers' ones, other.pem none; elsewhere.pem names another host."""
    folder = tmp_path_factory.mktemp("tls")
    right = _authority(folder, "right")
    _authority(folder, "other")
    _signed(folder, "here", right, HOST)
    _signed(folder, "elsewhere", right, "DNS:db.example.com")
    return folder


def _serving(folder: Path, certificate: str) -> Iterator[Server]:
    own = folder / f"{certificate}.pem"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, own.with_suffix(".key"))
    yield from standin(CAPTURES / "x445-8way", tls=context)


@pytest.fixture(scope="module")
def here(folder: Path) -> Iterator[Server]:
    yield from _serving(folder, "here")


@pytest.fixture(scope="module")
def elsewhere(folder: Path) -> Iterator[Server]:
    yield from _serving(folder, "elsewhere")


@pytest.fixture(scope="module")
def plain() -> Iterator[Server]:
    yield from standin(CAPTURES / "x445-8way")


def _options(folder: Path, options: str) -> list[str]:
    return [str(folder / word) if word.endswith(".pem") else word for word in options.split()]


@pytest.mark.parametrize(
    ("server", "options"),
    [
        ("here", "--tls-ca right.pem"),
        ("here", "--tls --tls-ca right.pem"),
        ("elsewhere", "--tls-ca right.pem --no-tls-hostname-check"),
    ],
)
def test_a_server_that_is_known_is_read(
    request: pytest.FixtureRequest, folder: Path, server: str, options: str
) -> None:
    done = request.getfixturevalue(server).tune(*READ, *_options(folder, options))
    assert done.exit_code == 0, done.output
    assert done.output.startswith("HRDB on ")


def test_everything_works_encrypted(here: Server, folder: Path) -> None:
    options = _options(folder, "--tls-ca right.pem")
    for command in (("install",), ("advise", "--in-database", "--interval", "60"), ("uninstall", "--yes")):
        done = here.tune(*command, *options)
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("server", "options", "said"),
    [
        ("here", "--tls-ca other.pem", "not trusted"),
        ("here", "--tls", "not trusted"),
        ("elsewhere", "--tls-ca right.pem", "does not name the host 127.0.0.1"),
        ("here", "", "--tls"),
        ("plain", "--tls-ca right.pem", "TLS"),
    ],
)
def test_any_other_server_is_refused_in_one_line(
    request: pytest.FixtureRequest, folder: Path, server: str, options: str, said: str
) -> None:
    done = request.getfixturevalue(server).tune(*READ, *_options(folder, options))
    lines = [line for line in done.output.splitlines() if line.strip()]
    assert done.exit_code == 3, done.output
    assert len(lines) == 1, done.output
    assert lines[0].startswith("db2tune: ")
    assert said in lines[0]
