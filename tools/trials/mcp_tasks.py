"""Usual tasks of a DBA through the MCP server: the calls, the errors and the characters of their answers.

``python -m tools.trials.mcp_tasks [TASK]`` prints one line per task and the total; with the beginning of a TASK's name, also
its answers. Start ``python -m tests.machines.build`` before, which writes the captures.
"""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from typing import Any

from mcp import Client
from mcp_types import CallToolResult

from tests.mcp.clients import with_client
from tests.support.paths import CAPTURES, FIXTURES

RUN = "$run"  # the run of the answer before
SHOP = {"capture": str(FIXTURES / "webshop.capture")}
BEFORE, AFTER = str(CAPTURES / "x445-8way"), str(CAPTURES / "x445-tuned-prefetch")
DIAG = (FIXTURES / "imports" / "db2diag.txt").read_text(encoding="utf-8")
SLOW = (
    "SELECT SURNAME FROM HOSP.PATIENT WHERE UCASE(SURNAME) = ? AND WARD = ?\n\nPATIENT has 2.6 million rows. Db2 11.5."
)
POOL = "BUFFERPOOL:IBMDEFAULTBP:SIZE="
TASKS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "slow shop, one change for today": [("advise", SHOP)],
    "that change for an approver": [("advise", SHOP), ("ticket", {"run": RUN, "ranks": [2]})],
    "costliest statement, what helps": [("statements", SHOP), ("indexes", {"run": RUN})],
    "this statement is slow": [("query", {"text": SLOW}), ("statements", SHOP), ("query", {"run": RUN, "key": "1"})],
    "did the change help": [
        ("verify", {"captures": [BEFORE], "captures_after": [AFTER]}),
        ("diff", {"before": BEFORE, "after": AFTER}),
    ],
    "which of two databases first": [("fleet", {"captures": [SHOP["capture"], BEFORE]})],
    "db2diag excerpt": [("advise", {"text": DIAG}), ("explain", {"run": RUN, "what": "1"})],
    "what did not run, what to collect": [
        ("advise", SHOP),
        ("advise", {"run": RUN, "detail": "not_run"}),
        ("advise", {"run": RUN, "detail": "questions"}),
    ],
    "double the buffer pool": [
        ("simulate", SHOP | {"settings": [f"{POOL}1000000"]}),
        ("simulate", {"run": RUN, "settings": [f"{POOL}3000000"]}),
    ],
}


@dataclass
class Measured:
    """The answers of a task."""

    results: list[CallToolResult] = field(default_factory=list)

    @property
    def errors(self) -> int:
        return sum(bool(result.is_error) for result in self.results)

    @property
    def texts(self) -> list[str]:
        return [content.text for result in self.results for content in result.content if content.type == "text"]

    @property
    def characters(self) -> int:
        return sum(map(len, self.texts))


async def _measure(client: Client) -> tuple[dict[str, Measured], int]:
    listed = (await client.list_tools()).tools
    found: dict[str, Measured] = {}
    for task, calls in TASKS.items():
        measured = found.setdefault(task, Measured())
        for tool, arguments in calls:
            run = json.loads(measured.texts[-1]).get("run") if measured.texts else None
            given = {name: run if value == RUN else value for name, value in arguments.items()}
            measured.results.append(await client.call_tool(tool, given))
    return found, sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in listed)


def measure() -> tuple[dict[str, Measured], int]:
    """Return the answers by task, and the characters of the list of tools."""
    found: tuple[dict[str, Measured], int] = asyncio.run(with_client(_measure))
    return found


def main() -> int:
    tasks, listed = measure()
    for task, measured in tasks.items():
        print(
            f"{task:<36}{len(measured.results):>3} calls {measured.errors:>3} errors {measured.characters:>8,} characters"
        )
        if sys.argv[1:] and task.startswith(sys.argv[1]):
            print(*measured.texts, sep="\n")
    errors, total = (sum(getattr(each, name) for each in tasks.values()) for name in ("errors", "characters"))
    print(
        f"{'sum':<36}{sum(len(each.results) for each in tasks.values()):>3} calls {errors:>3} errors {total:>8,} characters"
    )
    print(f"list of tools: {listed:,} characters")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
