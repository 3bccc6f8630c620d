"""Serves a machine state to any Db2 client: ``python -m tests.standin --state fixtures/x445-8way.capture --port 50000``."""

import argparse
import os
import signal
import threading
from pathlib import Path

from tests.standin.backend import OWNER, PASSWORD, Backend, User
from tests.standin.drda import Server
from tests.standin.objects.definitions import ROW_LIMIT
from tests.standin.objects.modes import Options

PASSWORD_VARIABLE = "STANDIN_PASSWORD"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.standin", description=__doc__)
    parser.add_argument("--state", type=Path, required=True, help="a capture: directory or zip")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=50000, help="0: any free port")
    parser.add_argument("--user", default=OWNER, help="the instance owner")
    parser.add_argument(
        "--password", help=f"by default that of the environment variable {PASSWORD_VARIABLE}, or {PASSWORD!r}"
    )
    parser.add_argument("--level", help="10.5, 11.1, 11.5 or 12.1; by default that of the state")
    parser.add_argument("--page-size", type=int, default=8, choices=sorted(ROW_LIMIT), help="of USERSPACE1, in KB")
    parser.add_argument("--user-temporary", action="store_true", help="there is a user temporary table space")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    password = arguments.password or os.environ.get(PASSWORD_VARIABLE) or PASSWORD
    users = {arguments.user: User(password, is_sysadm=True)}
    options = Options(arguments.page_size, arguments.user_temporary)
    backend = Backend.of(arguments.state, users, arguments.level, options)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with Server(backend, arguments.host, arguments.port) as server:
        print(
            f"ready: database {backend.database.name} on {arguments.host}:{server.port}, user {arguments.user}",
            flush=True,
        )
        stop.wait()


if __name__ == "__main__":
    main()
