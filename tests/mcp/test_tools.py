"""Each tool returns the JSON of the command line, in full or briefly, and names its run."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from advisor.cli.main import main
from advisor.mcp.tools import NOTICE, all_tools
from tests.mcp.clients import call_tools, list_tools, with_client
from tests.support.paths import CAPTURES, FIXTURES, ROOT

BEFORE, AFTER = str(CAPTURES / "x445-8way"), str(CAPTURES / "x445-tuned-prefetch")
TEXT = FIXTURES / "imports" / "db2pd-shop.txt"
NAMES = [
    "advise",
    "explain",
    "plan",
    "ticket",
    "simulate",
    "statements",
    "indexes",
    "query",
    "fleet",
    "sources",
    "diff",
    "verify",
    "rules",
]


def _of_capture(capture: str) -> list[tuple[str, dict[str, Any], list[str]]]:
    """Return tools, their arguments, and the words of the same command."""
    source, words = {"capture": capture}, ["--capture", capture]
    chosen = {"areas": ["memory", "prefetch"], "top": 1, "min_benefit": 0.5}
    narrowed = ["--area", "memory", "--area", "prefetch", "--top", "1", "--min-benefit", "0.5"]
    found: list[tuple[str, dict[str, Any], list[str]]] = [
        ("advise", chosen, narrowed),
        ("advise", {}, []),
        ("explain", {"what": "1"}, ["1"]),
        ("explain", {"what": "memory.sort-overflow"}, ["memory.sort-overflow"]),
        ("plan", {"combine_restarts": True, "housekeeping": True}, ["--batch", "recycle", "--all"]),
        ("plan", {}, []),
        ("simulate", {"settings": ["SORTHEAP=20000"]}, ["--set", "SORTHEAP=20000"]),
        ("ticket", {"ranks": [1, 2]}, ["--rank", "1,2"]),
        ("simulate", {"apply": [1]}, ["--apply", "1"]),
        ("statements", {}, []),
        ("indexes", {}, []),
    ]
    return [(name, source | more, [name, *words, *others]) for name, more, others in found]


OTHERS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("diff", {"before": BEFORE, "after": AFTER}, ["diff", BEFORE, AFTER]),
    ("verify", {"captures": [BEFORE], "captures_after": [AFTER]}, ["verify", BEFORE, "--after", AFTER]),
    ("fleet", {"captures": [BEFORE, AFTER]}, ["fleet", BEFORE, AFTER]),
    ("rules", {}, ["rules"]),
    ("rules", {"rule_or_area": "memory"}, ["rules", "memory"]),
    ("rules", {"rule_or_area": "memory.sort-overflow"}, ["rules", "memory.sort-overflow"]),
    ("rules", {"rule_or_area": "site"}, ["rules", "site"]),
]


def _print_json(words: list[str]) -> Any:
    done = CliRunner().invoke(main, [words[0], "--format", "json", *words[1:]])
    assert done.exit_code in {0, 1}, done.stderr
    return json.loads(done.stdout)


def _check(asked: list[tuple[str, dict[str, Any], list[str]]]) -> list[dict[str, Any]]:
    """Compare answers with the command line. Return what they say about their runs."""
    results = call_tools([(name, arguments | {"detail": "full"}) for name, arguments, _ in asked])
    for (name, arguments, words), result in zip(asked, results, strict=True):
        assert _read(result)["document"] == _print_json(words), (name, arguments)
    return [_read(result) for result in results]


def _read(result: CallToolResult) -> dict[str, Any]:
    """Return the structured answer, which the text repeats."""
    assert not result.is_error, result.content
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("x445-8way", slice(0, 6, 2)),
        ("webshop", slice(7, None)),
        pytest.param("x445-8way", slice(None), marks=pytest.mark.full),
        pytest.param("webshop", slice(None), marks=pytest.mark.full),
    ],
)
def test_tools_answer_with_the_json_of_the_command_line(name: str, part: slice) -> None:
    capture = str(FIXTURES / f"{name}.capture")
    assert {answer["run"] for answer in _check(_of_capture(capture)[part])} == {"s1"}


def test_other_tools_answer_with_the_json_of_the_command_line() -> None:
    assert not any("run" in answer for answer in _check(OTHERS))


def test_list_of_tools_is_read_only_and_short() -> None:
    found = {tool.name: tool for tool in list_tools()}
    assert list(found) == NAMES == list(all_tools())
    for tool in found.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert "Db2" in str(tool.description)
        assert NOTICE not in str(tool.description)
        assert tool.input_schema["additionalProperties"] is False


def test_pasted_text_gives_the_advice_of_the_file() -> None:
    pasted, named = map(
        _read,
        call_tools(
            [
                ("advise", {"text": TEXT.read_text(encoding="utf-8"), "detail": "full"}),
                ("advise", {"files": [str(TEXT)], "detail": "full"}),
            ]
        ),
    )
    expected = _print_json(["advise", "--no-keep", str(TEXT)])
    for answer in (pasted, named):
        assert _without_time(answer["document"]) == _without_time(expected)
        assert answer["document"]["database"]["name"] == "SHOP"
    assert {pasted["run"], named["run"]} == {"s1", "s2"}


def _without_time(document: dict[str, Any]) -> dict[str, Any]:
    return document | {"window": document["window"] | {"end": None}}


def test_kept_run_is_read_by_number_and_none_is_added(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    kept = CliRunner(env={"DB2TUNE_RUNS": str(runs)}).invoke(main, ["advise", str(TEXT)])
    assert kept.exit_code == 0, kept.stderr
    before = sorted(runs.iterdir())
    asked: list[tuple[str, dict[str, Any]]] = [
        ("explain", {"run": "last", "what": "1"}),
        ("plan", {"files": [str(TEXT)]}),
        ("advise", {"run": "1"}),
        ("advise", {"run": "7"}),
    ]
    explained, _, advised, missing = call_tools(asked, environment={"DB2TUNE_RUNS": str(runs)})
    assert _read(explained)["run"] == _read(advised)["run"]
    assert _read(explained)["document"]["recommendations"][0]["rank"] == 1
    assert missing.is_error
    assert f"run 7: not found in {runs}; kept: 1" in missing.content[0].text
    assert sorted(runs.iterdir()) == before


def test_last_run_is_of_the_named_database(tmp_path: Path) -> None:
    runs = {"DB2TUNE_RUNS": str(tmp_path)}
    for text in (TEXT, TEXT.with_name("db2diag.txt")):
        assert CliRunner(env=runs).invoke(main, ["advise", str(text)]).exit_code == 0
    asked: list[tuple[str, dict[str, Any]]] = [("advise", {"run": "last", "database": name}) for name in ("SHOP", "HR")]
    found, missing, kept = call_tools([*asked, ("sources", {})], environment=runs)
    assert _read(found)["document"]["database"]["name"] == "SHOP"
    assert "no run of this database" in missing.structured_content["error"]
    assert [run["database"] for run in _read(kept)["document"]["runs"]] == ["WARES", "SHOP"]


def test_errors_name_the_arguments_of_the_tool() -> None:
    refused = call_tools(
        [
            ("simulate", {"capture": BEFORE, "settings": ["SORTHEAP"]}),
            ("verify", {"captures": [BEFORE], "changed": "yesterday"}),
            ("ticket", {"capture": BEFORE, "rule": "memory.sort-overflow", "object": "X"}),
            ("verify", {"captures": [BEFORE]}),
        ]
    )
    errors = [result.structured_content["error"] for result in refused]
    assert [error.split(" ")[0] for error in errors] == ["settings", "changed", "memory.sort-overflow:", "verify"]
    assert not [error for error in errors if "--" in error]


async def _read_library(client: Client) -> tuple[Any, ...]:
    prompts = await client.list_prompts()
    filled = [await client.get_prompt(each.name, {"source": "run 7"}) for each in prompts.prompts]
    rule = await client.read_resource("db2tune://rules/memory.sort-overflow")
    with pytest.raises(MCPError, match=r"rules --|no such|memory.none"):
        await client.read_resource("db2tune://rules/memory.none")
    progress: list[float] = []

    async def note(seconds: float, _: float | None, __: str | None) -> None:
        progress.append(seconds)

    await client.call_tool("advise", {"capture": BEFORE}, progress_callback=note)
    return filled, rule, progress


def test_prompts_resources_and_progress_are_available() -> None:
    filled, rule, progress = asyncio.run(with_client(_read_library))
    assert all("run 7" in prompt.messages[0].content.text for prompt in filled)
    assert "memory.sort-overflow" in rule.contents[0].text
    assert progress == sorted(progress)


def test_page_lists_all_tools_and_a_valid_configuration() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    table = page.partition("## Tools")[2].partition("Eight tools")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == NAMES
    (snippet,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (server,) = json.loads(snippet)["mcpServers"].values()
    assert server["args"][0] in main.commands
    assert [tool.source for tool in all_tools().values()] == [True] * 8 + [False] * 5
