"""Commands in manual undo steps: a person types them, so they must be commands and restore the old value."""

import re
from typing import Any

import pytest

from advisor.catalogue.rules import Rule
from tests.standin.commands import Interpreter
from tests.support.carrying_out import cases_of, settle_state
from tests.support.states import State, state_of
from tests.support.stepwise import Steps, stepwise

# A configuration command in a text: it ends with its settings, each a name and a value.
COMMAND = re.compile(r"UPDATE DBM? CFG (?:FOR \w+ )?USING (?P<settings>\w+ [^\s,;]+(?: \w+ \d+)*)")
DEFAULT_DIRECTORY = re.compile(r"SQL\d{5}")  # of the log: Db2 cannot return to it


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
@stepwise
def test_commands_restore_the_value(rule: Rule, case: dict[str, Any]) -> Steps:
    state = settle_state(state_of(case))
    advice = yield state, [rule]
    for item in advice.ranked:
        for line in item.undo:
            for found in COMMAND.finditer(line) if line.startswith("-- ") else ():
                command = found[0].removesuffix(".")
                if "NEWLOGPATH" in command and _is_default_log(state):
                    continue
                interpreter = Interpreter(state.copy())
                interpreter.carry_out("ATTACH TO db2inst1")
                interpreter.carry_out(command)
                assert _configured(interpreter.state) == _configured(state), command


def _is_default_log(state: State) -> bool:
    return any(row["NAME"] == "logpath" and DEFAULT_DIRECTORY.search(row["VALUE"]) for row in state.sources["dbcfg"])


def _configured(state: State) -> list[tuple[Any, ...]]:
    rows = [*state.sources["dbcfg"], *state.sources["dbmcfg"]]
    return [tuple(row.get(name) or None for name in ("NAME", "MEMBER", "VALUE", "VALUE_FLAGS")) for row in rows]
