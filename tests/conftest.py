"""Settings of all tests."""

import atexit
import gc
import math
import os
import re
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.measuring import Measuring, Reporting
from tests.support.once import WORKERS

os.environ["DB2TUNE_RUNS"] = ""  # advice of tests is not saved with the user's runs
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in the background; child processes would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
_LACKED = re.compile(
    r"cannot import name '(?P<name>\w+)' from (?:partially initialized module )?'(?P<package>[\w.]+)'|named '(?P<module>[\w.]+)'"
)
gc.set_threshold(50_000)  # parser trees have millions of objects: collecting them repeatedly took a third of parsing


def pytest_configure(config: pytest.Config) -> None:
    """Write the captures of the machines, before workers start and tests are collected."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Measuring())
        atexit.register(os._exit, 0)  # DuckDB lists its own objects as leaked while Python ends
        return
    from tests.machines import build

    build()
    config.pluginmanager.register(Reporting(config))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore modules without selected tests: reading them takes longer than many tests."""
    if config.option.markexpr != "not full" or not collection_path.match("test_*.py"):
        return None
    return "\npytestmark = pytest.mark.full\n" in collection_path.read_text(encoding="utf-8") or None


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Name the file that an import lacks, which Python may call a circular import."""
    found = _LACKED.search(str(report.longrepr or ""))
    if found is None:
        return
    file = (found["module"] or f"{found['package']}.{found['name']}").replace(".", "/") + ".py"
    path = Path(__file__).parents[1] / file
    if file.startswith(("advisor/", "tests/", "tools/")) and path.parent.is_dir() and not path.exists():
        report.longrepr = f"{report.longrepr}\nE   {file}: this file is missing"


@pytest.hookimpl(trylast=True)  # after the tests were selected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal the tests to the workers: a worker begins with its part of this list, and then takes from others.

    Each gets an equal part of every kind, the long tests first.
    """
    kinds: dict[str, list[pytest.Item]] = {"wire": [], "others": []}
    for item in items:
        kinds["wire" if "wire" in item.path.parts else "others"].append(item)
    items[:] = [item for number in range(WORKERS) for members in kinds.values() for item in _share(members, number)]


def _share(members: list[pytest.Item], number: int) -> list[pytest.Item]:
    size = math.ceil(len(members) / WORKERS)
    return members[number * size : (number + 1) * size]
