"""The MCP server over standard input and output. It needs the package mcp.

Each call runs the command in its own process: it can be cancelled, and it cannot write between the messages.
"""

import itertools
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from advisor import __version__
from advisor.db2.password import VARIABLE
from advisor.errors import UserError, describe_os_error
from advisor.files import temporary
from advisor.mcp import library, tools
from advisor.mcp.answers import CommandError, escape, make_answer, make_refusal
from advisor.mcp.calls import Call, Session, make_call
from advisor.mcp.databases import Reachable

_MOST_AT_ONCE = 2
_COMMAND = [sys.executable, "-P", "-m", "advisor.cli.main"]
_NOT_PASSED = {"DB2TUNE_DEBUG", VARIABLE}  # tracebacks, and the password of another database
_SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
Listed = TypeVar("Listed")
_running: set[subprocess.Popen[bytes]] = set()
_INSTRUCTIONS = "Tuning advice for Db2 LUW. The tools read and change nothing. " + tools.NOTICE


def serve(databases: Mapping[str, Reachable], config: Path | None = None) -> None:
    """Answer calls until standard input ends. ``config`` is the file of all configured databases."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # its log would repeat arguments
    with temporary() as folder:
        anyio.run(_serve, Session(folder, databases, config))


async def _serve(session: Session) -> None:
    server = make_server(session)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_at_signal, session.folder)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_at_signal(folder: Path) -> None:
    """End the process at a signal: the thread that reads standard input cannot be interrupted."""
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    with suppress(NotImplementedError), anyio.open_signal_receiver(*numbers) as received:  # Windows has none
        async for number in received:
            for process in _running:
                process.terminate()
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(128 + number)


def make_server(session: Session) -> Server[Any]:
    """Return the server with its tools, prompts and resources."""
    limit = anyio.CapacityLimiter(_MOST_AT_ONCE)

    async def call_tool(context: ServerRequestContext[Any], call: CallToolRequestParams) -> CallToolResult:
        async with limit, anyio.create_task_group() as tasks:
            tasks.start_soon(_report_progress, context.session)
            result = await _call(call, session)
            tasks.cancel_scope.cancel()
        return result

    async def read_resource(_: Any, asked: ReadResourceRequestParams) -> ReadResourceResult:
        status, output, errors = await _run(library.find_resource(asked.uri))
        text = (errors if status else output).decode("utf-8", "backslashreplace")
        if status:
            raise library.refuse(text.strip())
        return ReadResourceResult(contents=[TextResourceContents(uri=asked.uri, mime_type="text/plain", text=text)])

    async def get_prompt(_: Any, asked: GetPromptRequestParams) -> GetPromptResult:
        return library.fill_prompt(asked)

    return Server(
        "db2tune",
        version=__version__,
        title="Tuning advice for Db2",
        instructions=_INSTRUCTIONS,
        on_list_tools=_always(ListToolsResult(tools=[_describe(tool) for tool in tools.all_tools().values()])),
        on_call_tool=call_tool,
        on_list_prompts=_always(ListPromptsResult(prompts=library.list_prompts())),
        on_get_prompt=get_prompt,
        on_list_resources=_always(ListResourcesResult(resources=list(library.list_resources()))),
        on_list_resource_templates=_always(ListResourceTemplatesResult(resource_templates=[*library.list_templates()])),
        on_read_resource=read_resource,
    )


def _always(result: Listed) -> Callable[[Any, Any], Awaitable[Listed]]:
    """Return a handler with a result that is always the same."""

    async def handle(_: Any, __: Any) -> Listed:
        return result

    return handle


async def _call(call: CallToolRequestParams, session: Session) -> CallToolResult:
    try:
        return _result(await _answer(call.name, call.arguments or {}, session))
    except (UserError, CommandError) as error:
        return _result(make_refusal(str(error)), is_error=True)
    except OSError as error:
        return _result(make_refusal(describe_os_error(error)), is_error=True)
    except Exception as error:
        return _result(make_refusal(f"internal error, {type(error).__name__}"), is_error=True)


async def _report_progress(session: ServerSession) -> None:
    """Report the seconds of a call, if the client wants to know them."""
    for seconds in itertools.count(1):
        await anyio.sleep(1)
        await session.report_progress(seconds, message=f"running for {seconds} s")


async def _answer(name: str, given: Mapping[str, Any], session: Session) -> dict[str, Any]:
    known = tools.all_tools()
    if name not in known:
        raise UserError(f"no such tool; there are {', '.join(known)}")
    call = await anyio.to_thread.run_sync(make_call, known[name], given, session)
    _, output, errors = await _run(call)
    answer = make_answer(known[name], call, output, errors)
    if name == "sources":
        answer["document"] |= escape(session.describe())
    return answer


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
        output_schema=tool.output,
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=tool.source
        ),
    )


def _result(answer: dict[str, Any], is_error: bool = False) -> CallToolResult:
    """Return an answer as structured data, and as text in ASCII for clients without structured data."""
    return CallToolResult(
        content=[TextContent(type="text", text=json.dumps(answer, separators=(",", ":")))],
        structured_content=answer,
        is_error=is_error,
    )
