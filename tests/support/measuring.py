"""Processor seconds of the tests by folder, in build/test-seconds.json, and a line of progress.

A run of all tests of `make test` fails if a folder exceeds its limit in weight.toml. Limits are multiples of the time of
one judgement of the demo, so that they hold on any machine.
"""

import json
import os
import time
import timeit
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest

from tests.support.paths import CAPTURES, ROOT
from tools.weight import compare, read_limits

FILE = ROOT / "build" / "test-seconds.json"
EVERY_S = 20  # between two lines of progress
JUDGEMENT = "judgement of the demo"


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
        if time.monotonic() - self._reported_at > EVERY_S:
            self._reported_at = time.monotonic()
            self._say(f" {self._done} tests done, now {report.nodeid.partition('::')[0]}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self._seconds:
            return
        judgement = _judge_demo()
        FILE.write_text(json.dumps(dict(self._seconds) | {JUDGEMENT: judgement}), encoding="utf-8")
        option, of_all = self._config.option, pytest.Config.ArgsSource.TESTPATHS
        if option.markexpr == "not full" and not option.keyword and self._config.args_source == of_all:
            times = {folder: round(seconds / judgement) for folder, seconds in sorted(self._seconds.items())}
            if grown := list(compare(times, read_limits("test_times"))):
                self._say("\n".join(grown))
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _say(self, text: str) -> None:
        terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal:
            terminal.write_line(text)


def _processor_s() -> float:
    return sum(os.times()[:4])


def _judge_demo() -> float:
    """Return the processor seconds of the fastest of ten judgements of the demo, without compiling its statements."""
    from advisor.judgement.run import advise

    advise(CAPTURES / "webshop")
    return min(timeit.repeat(lambda: advise(CAPTURES / "webshop"), timer=time.process_time, number=1, repeat=10))
