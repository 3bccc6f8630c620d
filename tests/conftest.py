"""Settings of all tests."""

import gc
import math
import os
from pathlib import Path

import pytest

from advisor.parallel import THREADS
from tests.support.once import WORKERS

os.environ["DB2TUNE_RUNS"] = ""  # advice of tests is not saved with the user's runs
os.environ.setdefault(THREADS, "1")  # pytest's workers already use every processor
# DuckDB plans with very many small allocations: pytest's workers keep more memory ready, in large pages.
os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.tcache_count=5000:glibc.malloc.hugetlb=1")
gc.set_threshold(50_000)  # parser trees have millions of objects: collecting them repeatedly took a third of parsing


def pytest_configure(config: pytest.Config) -> None:
    """Write the captures of the machines, before workers start and tests are collected."""
    if not hasattr(config, "workerinput"):
        from tests.machines import build

        build()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore modules without selected tests: reading them takes longer than many tests."""
    if config.option.markexpr != "not full" or not collection_path.match("test_*.py"):
        return None
    return "\npytestmark = pytest.mark.full\n" in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(trylast=True)  # after the tests were selected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal the tests to the workers: a worker begins with its part of this list, and then takes from others.

    Each gets an equal part of every kind, the long tests first, so no worker waits for advice that another one makes.
    """
    kinds: dict[object, list[pytest.Item]] = {"wire": []}
    for item in items:
        kind = "wire" if "wire" in item.path.parts else getattr(getattr(item, "obj", None), "answer", "others")
        kinds.setdefault(kind, []).append(item)
    kinds["others"] = kinds.pop("others", [])
    items[:] = [item for number in range(WORKERS) for members in kinds.values() for item in _share(members, number)]


def _share(members: list[pytest.Item], number: int) -> list[pytest.Item]:
    size = math.ceil(len(members) / WORKERS)
    return members[number * size : (number + 1) * size]


@pytest.fixture
def judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge a capture when a test first requests its advice, and only once."""
    from advisor.judgement import run
    from tests.support.judged_once import remembering

    monkeypatch.setattr(run, "evaluate", remembering(run.evaluate))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test of tests.support.together with the other selected ones."""
    if not hasattr(pyfuncitem.obj, "steps"):
        return None
    from tests.support.together import failure_of

    failure = failure_of(pyfuncitem)
    if failure is not None:
        pytest.fail(failure, pytrace=False)
    return True
