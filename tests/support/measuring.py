"""Processor seconds of the tests by folder, in build/test-seconds.json, and a line of progress."""

import json
import os
import time
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest

from tests.support.paths import CAPTURES, ROOT

FILE = ROOT / "build" / "test-seconds.json"
EVERY_S = 20  # between two lines of progress


class Measuring:
    """A plugin of a worker: the processor seconds of its tests and their child processes."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        before = _processor_s()
        try:
            return (yield)
        finally:
            self.seconds[item.path.relative_to(ROOT).parts[1]] += _processor_s() - before

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        session.config.workeroutput["seconds"] = dict(self.seconds)  # type: ignore[attr-defined]  # of xdist


class Reporting:
    """A plugin of the process that starts the workers: their sum, and what is being tested."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._done, self._reported_at = 0, time.monotonic()

    def pytest_testnodedown(self, node: Any) -> None:
        for folder, seconds in getattr(node, "workeroutput", {}).get("seconds", {}).items():
            self._seconds[folder] += seconds

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._done += report.when == "teardown"
        terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal and time.monotonic() - self._reported_at > EVERY_S:
            self._reported_at = time.monotonic()
            terminal.write_line(f" {self._done} tests done, now {report.nodeid.partition('::')[0]}")

    def pytest_sessionfinish(self) -> None:
        if self._seconds:
            FILE.write_text(
                json.dumps(dict(self._seconds) | {"judgement of the demo": _judge_demo()}), encoding="utf-8"
            )


def _processor_s() -> float:
    return sum(os.times()[:4])


def _judge_demo() -> float:
    """Return the processor seconds of one judgement of the demo, without compiling its statements."""
    from advisor.judgement.run import advise

    advise(CAPTURES / "webshop")
    before = _processor_s()
    for _ in range(10):
        advise(CAPTURES / "webshop")
    return (_processor_s() - before) / 10
