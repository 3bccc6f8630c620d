"""Checks of every line of an advice: each reader reads exactly the command that was meant, with the payload in it."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace

import yaml

from advisor.judgement.advice import BY_HAND, Advice
from advisor.quoting import holds_control
from advisor.report import advis, next_text, statements
from advisor.report import indexes as index_report
from tests.standin.commands.interpreter import printed
from tests.support.hostile import PAYLOADS, WORD
from tests.support.typed import MARK, PROGRAMS, SHELLS, Part, Payload, find_commands, read_tokens, type_into_shell

WIDE = 100_000  # so that no line is wrapped
TYPED = {name: text for name, text in PAYLOADS.items() if not holds_control(text)}  # the others reach no command


def actions(advice: Advice) -> list[str]:
    return [line for item in advice.recommendations for line in (*item.actions, *item.undo)]


def _texts(advice: Advice) -> Iterator[str]:
    """Yield the lines with commands of reports and files, except the actions."""
    given = advice.statements
    yield from statements.list_all(given, advice.database["name"], WIDE)
    yield from (line for line in advis.render(given, advice.database["name"]).split("\n") if line.startswith("-- "))
    yield from index_report.lines(advice, WIDE)
    in_text = replace(advice, in_text={"dbcfg": 1})
    yield from next_text.parts(in_text)


def check(advice: Advice, payload: Payload) -> None:
    """Check all program calls, statements and documents in the lines of an advice."""
    calls: list[Part] = []
    own = actions(advice)
    for line in dict.fromkeys([*own, *_texts(advice)]):
        if line.startswith(("POST ", "spec: ")):
            _check_document(line.removeprefix("POST /manage/deployments/custom_setting "), payload)
            continue
        is_command = line in own and not line.startswith(BY_HAND)
        if is_command:
            whole = [Part(line, payload.mark(line))]
            found, texts = (whole, []) if whole[0].program in PROGRAMS else ([], whole)
        else:
            found, texts = find_commands(line, payload)
            assert not found or WORD not in payload.mark(line), line
        calls += found
        for text in texts:
            check_statement(text, payload, whole=is_command)
    check_calls(calls, payload)


def check_statement(text: Part, payload: Payload, whole: bool) -> None:
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


def check_calls(calls: list[Part], payload: Payload) -> None:
    expected = [[_argument(word, payload) for word in shlex.split(_typed(call.marked))] for call in calls]
    for program in SHELLS if calls else ():
        ran, files = type_into_shell(
            program, [_typed(call.printed) for call in calls], {call.program for call in calls}
        )
        assert files == []
        assert ran == [one for argv in expected for one in (["next"], argv)]
