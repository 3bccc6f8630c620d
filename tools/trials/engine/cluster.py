"""A private PostgreSQL server in a temporary directory, reached through a Unix socket only."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
NEEDED = ("hypopg", "pg_stat_statements")
OWNER = "postgres"
START_S = 60
SETTINGS = {
    "listen_addresses": "''",
    "shared_buffers": "1GB",
    "work_mem": "64MB",
    "maintenance_work_mem": "256MB",
    "effective_cache_size": "4GB",
    "random_page_cost": "1.1",  # the tables are in memory
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "jit": "off",
    "autovacuum": "off",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "4GB",
    "track_io_timing": "on",
    "default_statistics_target": "100",
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track_planning": "off",
}


def find_programs() -> Path | None:
    """Return the directory of the newest installed server."""
    return next((path for path in PROGRAMS if (path / "initdb").exists()), None)


def why_not() -> str | None:
    """Return why the tests cannot run: the packages that are missing."""
    programs = find_programs()
    if programs is None:
        return "PostgreSQL is not installed (Debian: postgresql)"
    extensions = Path("/usr/share/postgresql") / programs.parent.name / "extension"
    missing = [name for name in NEEDED if not (extensions / f"{name}.control").exists()]
    if missing:
        return f"PostgreSQL {programs.parent.name} lacks {', '.join(missing)} (Debian: postgresql-contrib, hypopg)"
    if os.geteuid() == 0 and not _has_owner():
        return f"PostgreSQL does not run as root, and the user {OWNER} does not exist"
    return None


@contextmanager
def run_cluster() -> Iterator[str]:
    """Start a server and yield its connection string; stop and remove it at the end."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError(why_not())
    folder = Path(tempfile.mkdtemp(prefix="db2tune-engine-"))
    data, log = folder / "data", folder / "log"
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER)
        _run([str(programs / "initdb"), "-D", str(data), "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
        options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-t", str(START_S)]
        _run([*control, "-l", str(log), "-o", f"-k {folder} {options}", "start"])
        try:
            yield f"host={folder} user={OWNER} dbname={OWNER}"
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: Sequence[str]) -> None:
    user = OWNER if os.geteuid() == 0 else None
    done = subprocess.run(
        command,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd="/",
        timeout=2 * START_S,
        user=user,
        group=user,
        extra_groups=[] if user else None,
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {done.stdout.strip()}")


def _has_owner() -> bool:
    try:
        pwd.getpwnam(OWNER)
    except KeyError:
        return False
    return True
