"""Each tool returns the JSON of the command line, and names its run."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp_types import CallToolResult

from advisor import __version__
from advisor.cli.main import main
from advisor.mcp.answers import make_answer
from advisor.mcp.tools import NOTICE, all_tools
from tests.mcp.clients import call_tools, list_tools
from tests.support.paths import CAPTURES, FIXTURES, ROOT

BEFORE, AFTER = str(CAPTURES / "x445-8way"), str(CAPTURES / "x445-tuned-prefetch")
TEXT = FIXTURES / "imports" / "db2pd-shop.txt"
NAMES = ["advise", "explain", "plan", "ticket", "simulate", "statements", "indexes", "diff", "verify", "rules"]


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
    results = call_tools([(name, arguments) for name, arguments, _ in asked])
    for (name, arguments, words), result in zip(asked, results, strict=True):
        answer = _read(result)
        assert answer["document"] == _print_json(words), (name, arguments)
        assert answer["notice"] == NOTICE
        assert answer["program"] == {"name": "db2tune", "version": __version__}
    return [_read(result)["run"] for result in results]


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
    database = {"x445-8way": "HRDB", "webshop": "SHOP"}[name]
    for run in _check(_of_capture(capture)[part]):
        assert run["input"] == {"capture": capture}
        assert database in json.dumps(run["database"])
        assert "10:05:00" in json.dumps(run["interval"])


def test_other_tools_answer_with_the_json_of_the_command_line() -> None:
    difference, verdict, *rules = _check(OTHERS)
    assert difference["input"] == {"before": BEFORE, "after": AFTER}
    assert verdict["input"] == {"captures": [BEFORE], "captures_after": [AFTER]}
    assert difference["database"]["name"] == verdict["database"]["name"] != ""
    assert difference["interval"].keys() == {"before", "after"}
    assert verdict["interval"]["begin"] < verdict["interval"]["end"]
    assert rules == [{"input": {}}] * 4


def test_list_of_tools_is_read_only_and_has_the_notice() -> None:
    found = {tool.name: tool for tool in list_tools()}
    assert list(found) == NAMES == list(all_tools())
    for tool in found.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert NOTICE in str(tool.description)
        assert tool.input_schema["additionalProperties"] is False


def test_pasted_text_gives_the_advice_of_the_file() -> None:
    pasted, named = map(
        _read, call_tools([("advise", {"text": TEXT.read_text(encoding="utf-8")}), ("advise", {"files": [str(TEXT)]})])
    )
    expected = _print_json(["advise", "--no-keep", str(TEXT)])
    for answer in (pasted, named):
        assert _without_time(answer["document"]) == _without_time(expected)
        assert answer["run"]["database"]["name"] == "SHOP"
    assert pasted["run"]["input"] == {"text": f"{len(TEXT.read_text(encoding='utf-8'))} pasted characters"}
    assert named["run"]["input"] == {"files": [str(TEXT)]}


def _without_time(document: dict[str, Any]) -> dict[str, Any]:
    return document | {"window": document["window"] | {"end": None}}


def test_kept_run_is_read_by_number_and_none_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert _read(explained)["run"]["input"] == _read(advised)["run"]["input"] == {"run": "1"}
    assert _read(explained)["document"]["recommendations"][0]["rank"] == 1
    assert missing.is_error
    assert f"run 7: not found in {runs}; kept: 1" in missing.content[0].text
    assert sorted(runs.iterdir()) == before
    monkeypatch.setenv("DB2TUNE_RUNS", str(runs))
    verified = make_answer({"runs": ["1"]}, 0, b'{"schema": 3}', b"")["run"]
    assert verified["input"] == {"runs": ["1"]}
    assert verified["database"]["name"] == "SHOP"


def test_page_lists_all_tools_and_a_valid_configuration() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    table = page.partition("## Tools")[2].partition("The first seven")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == NAMES
    (snippet,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (server,) = json.loads(snippet)["mcpServers"].values()
    assert server["args"][0] in main.commands
    assert [tool.source for tool in all_tools().values()] == [True] * 7 + [False] * 3
