"""Every printed command, typed: a shell, the command line processor or SQL reads exactly the command that was meant.

The lines of a hostile machine's advice are sorted by their reader. A shell with only stubs runs the program calls, also
those in manual lines: one program runs for each, the payload is inside the word that contains the name, and no file
appears. In statements the payload is inside delimited identifiers and literals.
"""

from itertools import product
from typing import Any

import pytest

from advisor.catalogue.commands import BY_HAND
from advisor.quoting import holds_control, quoted, shell
from tests.machines import MACHINES
from tests.support.carrying_out import cases_of
from tests.support.hostile import COLUMNS, PAYLOADS, WORD, taint
from tests.support.states import state_of
from tests.support.stepwise import Steps, stepwise
from tests.support.typed import MARK, TYPED, Payload, actions, check, check_calls, check_statement, find_commands

SHELL = Payload(PAYLOADS["shell"])
QUICK = ("shop-missing-index", "x445-map", "vm-oltp-before", "managed")
REFUSED = {
    **{name: text for name, text in PAYLOADS.items() if name not in TYPED},
    **{f"U+{ord(one):04X}": f"{one}{WORD}" for one in "\n\r\x1b\x85\u2028\u202e\u200f\x7f"},
}
CASES = [
    pytest.param(name, which, payload, marks=() if name in QUICK else pytest.mark.full, id=f"{name}-{which}-{payload}")
    for name, which, payload in product(MACHINES, COLUMNS, TYPED)
    if name in QUICK or payload == "shell"
]


@pytest.mark.parametrize(("name", "which", "payload"), CASES)
@stepwise
def test_printed_commands_hold_names_as_words(name: str, which: str, payload: str) -> Steps:
    advice = yield taint(MACHINES[name](), which, TYPED[payload])
    check(advice, Payload(TYPED[payload]))


@pytest.mark.full
@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
@stepwise
def test_commands_of_every_rule_hold_names_as_words(rule: Any, case: dict[str, Any]) -> Steps:
    for which in COLUMNS:
        advice = yield taint(state_of(case), which, SHELL.raw), [rule]
        check(advice, SHELL)


@pytest.mark.parametrize("payload", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("which", COLUMNS)
@stepwise
def test_control_characters_reach_no_command(which: str, payload: str) -> Steps:
    for name in QUICK:
        advice = yield taint(MACHINES[name](), which, payload)
        for line in actions(advice):
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
        check_calls(calls, SHELL)
        check_statement(asked[0], SHELL, whole=False)


def test_name_that_is_quoted_is_read_back() -> None:
    calls, _ = find_commands(f"-- Save it: db2look -d {shell('SHOP' + SHELL.raw)} -e. Then go on", SHELL)
    assert [call.marked for call in calls] == [f"db2look -d 'SHOP{MARK}' -e"]
    check_calls(calls, SHELL)
    _, asked = find_commands(f"-- Run REORG TABLE {quoted('SHOP' + SHELL.raw)}.{quoted('T')}, then go on", SHELL)
    assert [text.marked for text in asked] == [f'REORG TABLE "SHOP{MARK}"."T"']
    check_statement(asked[0], SHELL, whole=False)
