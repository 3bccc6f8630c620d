"""Calls of the MCP server over standard input and output, with the client of the SDK."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, Tool

from tests.support.paths import ROOT

Asked = tuple[str, dict[str, Any]]
SERVER = ["-m", "advisor.cli.main", "mcp"]


def call_tools(
    asked: Sequence[Asked], *options: str, environment: dict[str, str] | None = None, folder: Path = ROOT
) -> list[CallToolResult]:
    """Start a server, call tools at the same time, and return their results in order."""

    async def call(client: Client) -> list[CallToolResult]:
        await client.list_tools()  # the client then checks answers against their schema
        return await asyncio.gather(*(client.call_tool(name, arguments) for name, arguments in asked))

    return asyncio.run(with_client(call, options, environment, folder))


def list_tools() -> list[Tool]:
    """Start a server and return its tools."""

    async def listed(client: Client) -> list[Tool]:
        return list((await client.list_tools()).tools)

    return asyncio.run(with_client(listed))


async def with_client(
    of: Any, options: Sequence[str] = (), environment: dict[str, str] | None = None, folder: Path = ROOT
) -> Any:
    """Start a server, and return what ``of`` returns for its client."""
    passed = {name: os.environ[name] for name in ("DB2TUNE_RUNS", "PYTHONPATH") if name in os.environ}
    server = StdioServerParameters(
        command=sys.executable, args=[*SERVER, *options], env=passed | (environment or {}), cwd=folder
    )
    async with Client(server, read_timeout_seconds=120) as client:
        return await of(client)
