"""The MCP server reads a configured database and changes nothing in it."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.mcp.clients import SERVER, call_tools
from tests.support.paths import ROOT
from tests.wire.conftest import Server


def _configure(server: Server, folder: Path) -> Path:
    (folder / "secret").write_text(f"{server.password}\n", encoding="utf-8")
    config = folder / "nightly.toml"
    config.write_text(
        f'[store]\npath = "store"\n[[database]]\nname = "HR"\nurl = "{server.url}"\npassword_file = "secret"\n',
        encoding="utf-8",
    )
    return config


def test_tool_reads_the_database_of_the_configuration(steered: Server, tmp_path: Path) -> None:
    config = _configure(steered, tmp_path)
    asked = [("advise", {"database": "HR", "interval_seconds": 0}), ("advise", {"database": "HRDB"})]
    answer, refused = call_tools(asked, f"--config={config}")
    assert not answer.is_error, answer.content
    assert answer.structured_content["run"] == "s1"
    assert answer.structured_content["document"]["recommendations"] != []
    assert refused.is_error
    assert steered.password not in answer.content[0].text + refused.content[0].text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nightly.toml", "secret"]


@pytest.mark.parametrize("signalled", [False, True])
def test_end_of_the_server_ends_the_running_call(steered: Server, tmp_path: Path, signalled: bool) -> None:
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "advise", "arguments": {"database": "HR", "interval_seconds": 3600}}
    messages = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    command = [sys.executable, *SERVER, f"--config={_configure(steered, tmp_path)}"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as server:
        assert server.stdin
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
        children = psutil.Process(server.pid).children
        _wait_until(lambda: bool(children()))
        (child,) = children()
        time.sleep(1)
        assert child.is_running()
        if signalled:
            server.send_signal(signal.SIGTERM)
        else:
            server.stdin.close()
        assert server.wait(20) == (143 if signalled else 0)
    child.wait(20)
    assert not child.is_running()


def _wait_until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.05)
