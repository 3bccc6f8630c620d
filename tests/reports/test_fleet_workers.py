"""A fleet on real Dask worker processes, some of them killed: no result is lost or duplicated."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from advisor.capture.site import Site
from advisor.catalogue.rules import Rule, all_rules
from advisor.cli.main import main
from advisor.fleet import captures, members, workers
from tests.support import misfortune
from tests.support.paths import CAPTURES, ROOT
from tests.support.summed import summed

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed"),
]
LONGEST_S = 60


class Few(Site):
    """A site with few rules, for quick judgement."""

    @property
    def rules(self) -> dict[str, Rule]:
        return {name: all_rules()[name] for name in ("memory.sort-overflow", "config.registry-legacy-unsafe")}


@contextmanager
def cluster(fortune: Path, processes: int) -> Iterator[str]:
    """Start a scheduler in this process and this many worker processes, which restart when they are killed."""
    import dask
    from distributed import LocalCluster

    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"FORTUNE": str(fortune), "PYTHONPATH": path}
    quiet = {"distributed.scheduler.allowed-failures": 1, "distributed.admin.low-level-log-length": 0}
    with (
        dask.config.set(quiet),
        LocalCluster(n_workers=0, protocol="tcp://", dashboard_address=None, silence_logs=50) as scheduler,
        (fortune / "log").open("w") as log,
    ):
        address = scheduler.scheduler_address
        preload = ("--preload", misfortune.__file__, "--local-directory", str(fortune))
        command = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            address,
            "--nthreads",
            "1",
            "--no-dashboard",
            *preload,
        ]
        started = [
            subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log) for _ in range(processes)
        ]
        try:
            yield address
        finally:
            for one in started:
                one.terminate()
            for one in started:
                one.wait(LONGEST_S)


def kill_who_holds(fortune: Path) -> None:
    """Kill the worker that holds a batch, as soon as one does."""
    end = time.monotonic() + LONGEST_S
    while not (fortune / "held").is_symlink() and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(int((fortune / "held").readlink().name), 9)


def test_workers_that_are_killed_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker is killed half-way, and one capture kills every worker: only that capture gets no advice."""
    monkeypatch.setattr(captures, "AT_A_TIME", 2)
    monkeypatch.setattr(workers, "LOOK_S", 1)
    folder, results = tmp_path / "captures", tmp_path / "results"
    for name, fixture in {
        "HELD": "laptop",
        "DEADLY": "laptop",
        "A": "vm-oltp-starved",
        "B": "laptop",
        "C": "laptop",
    }.items():
        summed(fixture, folder / f"{name}-of", name)
    with cluster(tmp_path, 2) as address:
        killer = Thread(target=kill_who_holds, args=[tmp_path], daemon=True)
        killer.start()
        found = captures.survey([folder], Few(), scheduler=address, results=results)
        killer.join()
    here = {one.name: one for one in captures.survey([folder], Few())}
    assert sorted(one.name for one in found) == sorted(here)
    (deadly,) = [one for one in found if one.error]
    assert deadly.name == "DEADLY"
    assert deadly.error == "every worker that analyzed it died; see the logs of the workers"
    sound = [one for one in found if not one.error]
    assert sorted(sound, key=lambda one: one.name) == [here[name] for name in sorted(here) if name != "DEADLY"]
    read = [json.loads(line) for path in results.iterdir() for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [(row["database"], row["capture"], row["rank"]) for row in read]
    assert len(set(rows)) == len(rows)
    assert {row[0] for row in rows} == {"HELD", "A", "B", "C"}


def test_no_workers_or_another_program_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting, seconds in {"CONNECT_S": 0.5, "WORKERS_S": 0.2, "LOOK_S": 0.1}.items():
        monkeypatch.setattr(workers, setting, seconds)

    def said(address: str) -> str:
        result = CliRunner().invoke(main, ["fleet", str(CAPTURES / "laptop"), "--scheduler", address])
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.count("\n") == 1
        return result.stderr

    assert "tcp://127.0.0.1:1: no Dask scheduler answers" in said("tcp://127.0.0.1:1")
    assert "nothing://x: no Dask scheduler answers" in said("nothing://x")
    assert "tls://127.0.0.1:1: no Dask scheduler answers" in said("tls://127.0.0.1:1")
    with cluster(tmp_path, 0) as address:
        assert f"{address}: no workers; start 'dask worker {address}'" in said(address)
    with cluster(tmp_path, 1) as address:
        monkeypatch.setattr(workers, "WORKERS_S", 60)
        monkeypatch.setattr(workers, "program", lambda: "0.0.1+other")
        assert f"it runs db2tune {members.program()} instead of 0.0.1+other" in said(address)
