"""The unchanged wire tests against a server in a container."""

import os
import subprocess
import sys
from collections.abc import Sequence

from tools.container import sample
from tools.container.harness import Db2Container
from tools.container.kinds import Kind
from tools.container.login import ROOT, connected

TESTS = "tests/wire"
URL_VARIABLE = "DB2TUNE_TEST_URL"
PASSWORD_VARIABLE = "DB2TUNE_PASSWORD"


def run(kind: Kind, arguments: Sequence[str] = ()) -> int:
    """Start a container, load tables into an empty database, run the tests and return pytest's exit status.

    The tests find the server by DB2TUNE_TEST_URL and the password by DB2TUNE_PASSWORD. They run one after
    another: they share the one database.
    """
    with Db2Container(kind) as server:
        if kind.idle:
            with connected(server.login.keywords()) as connection:
                sample.load(connection)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", TESTS, *arguments],
            cwd=ROOT,
            env=os.environ | {URL_VARIABLE: server.login.url, PASSWORD_VARIABLE: server.login.password},
            check=False,
        ).returncode
