"""Every printed command, typed: a shell, the command line processor or SQL reads exactly the command that was meant.

The lines of a hostile machine's advice are sorted by their reader. A shell with only stubs runs the program calls, also
those in manual lines: one program runs for each, the payload is inside the word that contains the name, and no file
appears. In statements the payload is inside delimited identifiers and literals.
"""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import yaml

from advisor.judgement.advice import BY_HAND, Advice
from advisor.quoting import holds_control, quoted, shell
from advisor.report import advis, next_text, statements
from advisor.report import indexes as index_report
from tests.machines import MACHINES
from tests.standin.commands.interpreter import printed
from tests.support.carrying_out import cases_of
from tests.support.hostile import COLUMNS, PAYLOADS, WORD, taint
from tests.support.states import state_of
from tests.support.together import Steps, together
from tests.support.typed import MARK, PROGRAMS, SHELLS, Part, Payload, find_commands, read_tokens, type_into_shell

SHELL = Payload(PAYLOADS["shell"])
WIDE = 100_000  # so that no line is wrapped
QUICK = ("shop-missing-index", "x445-map", "vm-oltp-before", "managed")
TYPED = {name: text for name, text in PAYLOADS.items() if not holds_control(text)}
REFUSED = {
    **{name: text for name, text in PAYLOADS.items() if name not in TYPED},
    **{f"U+{ord(one):04X}": f"{one}{WORD}" for one in "\n\r\x1b\x85\u2028\u202e\u200f\x00\x7f"},
}
CASES = [
    pytest.param(name, which, payload, marks=() if name in QUICK else pytest.mark.full, id=f"{name}-{which}-{payload}")
    for name, which, payload in product(MACHINES, COLUMNS, TYPED)
    if name in QUICK or payload == "shell"
]


def _actions(advice: Advice) -> list[str]:
    return [line for item in advice.recommendations for line in (*item.actions, *item.undo)]


def _texts(advice: Advice) -> Iterator[str]:
    """Yield the lines with commands of reports and files, except the actions."""
    given = advice.statements
    yield from statements.list_all(given, advice.database["name"], WIDE)
    yield from (line for line in advis.render(given, advice.database["name"]).split("\n") if line.startswith("-- "))
    yield from index_report.lines(advice, WIDE)
    in_text = replace(advice, in_text=frozenset({"dbcfg"}))
    yield from next_text.parts(in_text)


def _check(advice: Advice, payload: Payload) -> tuple[int, int]:
    """Check all lines; return how many program calls and statements they contain."""
    calls: list[Part] = []
    asked = 0
    for line in dict.fromkeys([*_actions(advice), *_texts(advice)]):
        if line.startswith(("POST ", "spec: ")):
            _check_document(line.removeprefix("POST /manage/deployments/custom_setting "), payload)
            continue
        if line.startswith(BY_HAND) or line not in _actions(advice):
            found, texts = find_commands(line, payload)
            assert not found or WORD not in payload.mark(line), line
        else:
            whole = [Part(line, payload.mark(line))]
            found, texts = (whole, []) if whole[0].program in PROGRAMS else ([], whole)
        calls += found
        asked += len(texts)
        for text in texts:
            _check_statement(text, payload, whole=not line.startswith(BY_HAND) and line in _actions(advice))
    _check_calls(calls, payload)
    return len(calls), asked


def _check_statement(text: Part, payload: Payload, whole: bool) -> None:
    expected = [(quote, word.replace(MARK, payload.raw)) for quote, word in read_tokens(text.marked)]
    assert read_tokens(text.printed) == expected, text
    assert not [word for quote, word in expected if not quote and WORD in word], text
    if whole and not text.printed.startswith("CALL RDSADMIN."):
        printed().parse(text.printed)


def _check_document(text: str, payload: Payload) -> None:
    written, meant = yaml.safe_load(text), yaml.safe_load(payload.mark(text).replace(MARK, "MARK"))
    assert json.loads(json.dumps(meant).replace("MARK", json.dumps(payload.raw)[1:-1])) == written, text


def _argument(word: str, payload: Payload) -> str:
    inside = payload.forms["name"] if word[:1] == word[-1:] == '"' else payload.raw
    return word.replace(MARK, inside)


def _typed(text: str) -> str:
    """Return a command without redirection to a file of the kernel, and without a variable."""
    return text.replace(" > /", " /").replace('"$DB_PARAMETER_GROUP"', "group")


def _check_calls(calls: list[Part], payload: Payload) -> None:
    expected = [[_argument(word, payload) for word in shlex.split(_typed(call.marked))] for call in calls]
    for program in SHELLS if calls else ():
        ran, files = type_into_shell(
            program, [_typed(call.printed) for call in calls], {call.program for call in calls}
        )
        assert files == []
        assert ran == [one for argv in expected for one in (["next"], argv)]


@pytest.mark.parametrize(("name", "which", "payload"), CASES)
@together
def test_printed_commands_hold_names_as_words(name: str, which: str, payload: str) -> Steps:
    advice = yield taint(MACHINES[name](), which, TYPED[payload])
    _check(advice, Payload(TYPED[payload]))


@pytest.mark.full
@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
@together
def test_commands_of_every_rule_hold_names_as_words(rule: Any, case: dict[str, Any]) -> Steps:
    for which in COLUMNS:
        advice = yield taint(state_of(case), which, SHELL.raw), [rule]
        _check(advice, SHELL)


@pytest.mark.parametrize("payload", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("which", COLUMNS)
@together
def test_control_characters_reach_no_command(which: str, payload: str) -> Steps:
    for name in QUICK:
        advice = yield taint(MACHINES[name](), which, payload)
        for line in _actions(advice):
            assert not holds_control(line)
            assert line.startswith(BY_HAND) or WORD not in line


_NAMED = "SHOP" + MARK


@pytest.mark.parametrize(
    "line",
    [
        f"-- Save it: db2look -d {_NAMED} -e",
        f'-- Save it: db2look -d "{_NAMED}" -e',
        f"-- Save it: db2look -d '{_NAMED}' -e",
        f"-- Run BACKUP DATABASE {_NAMED} TO /backups",
        f'-- Run ALTER TABLESPACE "{_NAMED}" PREFETCHSIZE 8',
    ],
)
def test_name_that_is_not_quoted_is_noticed(line: str) -> None:
    calls, asked = find_commands(line.replace(MARK, SHELL.raw), SHELL)
    assert len(calls + asked) == 1
    with pytest.raises(AssertionError):
        _check_calls(calls, SHELL)
        _check_statement(asked[0], SHELL, whole=False)


def test_name_that_is_quoted_is_read_back() -> None:
    calls, _ = find_commands(f"-- Save it: db2look -d {shell('SHOP' + SHELL.raw)} -e. Then go on", SHELL)
    assert [call.marked for call in calls] == [f"db2look -d 'SHOP{MARK}' -e"]
    _check_calls(calls, SHELL)
    _, asked = find_commands(f"-- Run REORG TABLE {quoted('SHOP' + SHELL.raw)}.{quoted('T')}, then go on", SHELL)
    assert [text.marked for text in asked] == [f'REORG TABLE "SHOP{MARK}"."T"']
    _check_statement(asked[0], SHELL, whole=False)
