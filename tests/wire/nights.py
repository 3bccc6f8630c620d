"""The nightly job over servers that share a clock with it."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from advisor.nightly import config, job
from advisor.nightly.clock import Clock
from advisor.nightly.database import Outcome
from tests.wire.conftest import Server

INTERVAL_S = 300


class Stopped(BaseException):
    """Whatever ends a program: nothing of it is caught."""


class Nights:
    """A config over servers, and a clock that the servers share."""

    def __init__(self, folder: Path, servers: dict[str, Server], port: int | None = None, **extra: str) -> None:
        self.servers = servers
        self.now = datetime(2026, 3, 2, 2, 0).astimezone()
        self.stop = False
        self.between = ""  # commands for the first server between two snapshots
        for name, server in servers.items():
            (folder / f"{name}.secret").write_text(f"{server.password}\n", encoding="utf-8")
        tables = [
            f'[[database]]\nname = "{name}"\nurl = "{server.url}"\npassword_file = "{name}.secret"\n{extra.get(name, "")}'
            for name, server in servers.items()
        ]
        mail = f'[notify.mail]\nhost = "127.0.0.1"\nport = {port}\nstarttls = false\nfrom = "a@b"\nto = ["dba@b"]'
        lines = [
            f"[defaults]\ninterval_s = {INTERVAL_S}\nparallel = {len(servers)}\nfail_on = ['any']\n[store]\npath = 'store'",
            *tables,
        ]
        self.file = folder / "nightly.toml"
        self.file.write_text("\n".join([*lines, mail if port else ""]), encoding="utf-8")
        self.store = folder / "store"

    def wait(self, seconds: float) -> None:
        if self.stop:
            raise Stopped
        if self.between:
            next(iter(self.servers.values())).say(self.between)
        self.pass_time(seconds)

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        for server in {id(each.standin): each for each in self.servers.values()}.values():
            server.advance(seconds)

    def survey(self) -> list[Outcome]:
        return job.survey(config.read(self.file), Clock(lambda: self.now, self.wait))

    def run(self, **options: Any) -> job.Night:
        return job.run(config.read(self.file), clock=Clock(lambda: self.now, self.wait), **options)
