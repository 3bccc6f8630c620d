"""The MCP server over standard input and output. It needs the package mcp.

Each call runs the command in its own process: it can be cancelled, and it cannot write between the messages.
"""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from advisor import __version__
from advisor.db2.password import VARIABLE
from advisor.errors import UserError, describe_os_error
from advisor.mcp import tools
from advisor.mcp.answers import CommandError, make_answer, make_refusal
from advisor.mcp.calls import Call, make_call
from advisor.mcp.databases import Reachable
from advisor.report.text import json_text

_MOST_AT_ONCE = 2
_COMMAND = [sys.executable, "-P", "-m", "advisor.cli.main"]
_NOT_PASSED = {"DB2TUNE_DEBUG", VARIABLE}  # tracebacks, and the password of another database
_SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
_running: set[subprocess.Popen[bytes]] = set()
_INSTRUCTIONS = "Tuning advice for Db2 LUW. The tools read and change nothing. " + tools.NOTICE


def serve(databases: Mapping[str, Reachable]) -> None:
    """Answer calls until standard input ends."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # its log would repeat arguments
    anyio.run(_serve, databases)


async def _serve(databases: Mapping[str, Reachable]) -> None:
    server = make_server(databases)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_at_signal)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_at_signal() -> None:
    """End the process at a signal: the thread that reads standard input cannot be interrupted."""
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    with suppress(NotImplementedError), anyio.open_signal_receiver(*numbers) as received:  # Windows has none
        async for number in received:
            for process in _running:
                process.terminate()
            os._exit(128 + number)


def make_server(databases: Mapping[str, Reachable]) -> Server[Any]:
    """Return the server with its tools."""
    limit = anyio.CapacityLimiter(_MOST_AT_ONCE)

    async def list_tools(_: Any, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_describe(tool) for tool in tools.all_tools().values()])

    async def call_tool(_: Any, call: CallToolRequestParams) -> CallToolResult:
        try:
            async with limit:
                answer = await _answer(call.name, call.arguments or {}, databases)
        except (UserError, CommandError) as error:
            return _result(make_refusal(str(error)), is_error=True)
        except OSError as error:
            return _result(make_refusal(describe_os_error(error)), is_error=True)
        except Exception as error:
            return _result(make_refusal(f"internal error, {type(error).__name__}"), is_error=True)
        return _result(answer)

    return Server(
        "db2tune",
        version=__version__,
        title="Tuning advice for Db2",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answer(name: str, given: Mapping[str, Any], databases: Mapping[str, Reachable]) -> dict[str, Any]:
    known = tools.all_tools()
    if name not in known:
        raise UserError(f"no such tool; there are {', '.join(known)}")
    call = await anyio.to_thread.run_sync(make_call, known[name], given, databases)
    status, output, errors = await _run(call)
    return make_answer(call.inputs, status, output, errors)


async def _run(call: Call) -> tuple[int, bytes, bytes]:
    """Run the command. End it if the call is cancelled; it then removes its temporary files."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*_COMMAND, *call.arguments],
        stdin=subprocess.DEVNULL if call.text is None else pipe,
        stdout=pipe,
        stderr=pipe,
        env=_environment(call),
    )
    _running.add(process)
    text = None if call.text is None else call.text.encode("utf-8", "backslashreplace")
    try:
        output, errors = await anyio.to_thread.run_sync(process.communicate, text, abandon_on_cancel=True)
    finally:
        if process.poll() is None:
            process.terminate()
        _running.discard(process)
    return process.returncode, output, errors


def _environment(call: Call) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _NOT_PASSED}
    return kept | {"PYTHONIOENCODING": "utf-8:backslashreplace"} | call.environment


def _describe(tool: tools.Tool) -> Tool:
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.text,
        input_schema=tool.schema,
        output_schema=tools.OUTPUT_SCHEMA,
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=tool.source
        ),
    )


def _result(answer: dict[str, Any], is_error: bool = False) -> CallToolResult:
    """Return an answer as structured data, and as text in ASCII for clients without structured data."""
    return CallToolResult(
        content=[TextContent(type="text", text=json_text(answer))], structured_content=answer, is_error=is_error
    )
