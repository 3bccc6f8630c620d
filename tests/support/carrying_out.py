"""Execution and undo of advice on a state."""

import csv
import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Protocol

import pytest

from advisor.catalogue.platforms import HOST
from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.cases import FIRES, SILENT, find_differences, make_edge_cases
from advisor.judgement.sql_faults import rule_fault
from advisor.judgement.states import settle_state
from advisor.plan.steps import AT_ONCE
from advisor.report.confirm import queries
from tests.standin.commands import Interpreter, is_command
from tests.standin.commands.platforms import ManagedHands
from tests.support.data_files import written
from tests.support.paths import ROOT, cases_path
from tests.support.states import State, capture_files, state_of
from tests.support.stepwise import Steps

MOST_ROUNDS = 12  # number of doublings from the smallest size found to the largest size advised

# These rules advise one step, such as doubling a size, and leave the next step to the next measurement. Counters do not
# change here, so the rules may advise more steps in the same direction, but must stop. A prefetch size depends on the
# containers, and a rebalance adds containers.
STEPS = {
    "bufferpool.hit-ratio-low", "lock.escalations", "log.buffer-full", "memory.catalog-cache-miss", "memory.package-cache-miss",
    "memory.sort-overflow", "memory.analytics-sort-fixed", "memory.stmm-at-bound", "config.agent-wait",
    "prefetch.size-misaligned", "purescale.group-pool-small",
}  # fmt: skip

# A configuration command in a text: it ends with its settings, each a name and a value.
_CFG_COMMAND = re.compile(r"UPDATE DBM? CFG (?:FOR \w+ )?USING \w+ [^\s,;]+(?: \w+ \d+)*")
_RESTARTS = {
    "RA": r"(?i)activate|UPDATE DB CFG|LOGPATH|LOGFILSIZ|LOGBUFSZ|HADR|the next activation",
    "IR": r"db2set|db2start|DB2_|DBM CFG|SHEAPTHRES",
}
_NAMED = {"name": "SAMPLE", "level": None}
_PLACEHOLDER = re.compile(r"<[a-z][^<>=]*>")
_DEFAULT_LOG = re.compile(r"SQL\d{5}")  # the directory of the log


class Hands(Protocol):
    """An executor of commands: tests.standin.commands on a state, tests.wire.carrying_out on a server."""

    host: str | None  # whether the host accepts operating system commands

    def carry_out(self, line: str) -> None:
        """Execute one line of an action: a command, or text for a person."""


@cache
def cases_of(kind: str) -> list[Any]:
    """Return each rule with each ``fires`` or ``silent`` case, as pytest parameters; tests do not change the cases."""
    found = []
    for rule in all_rules().values():
        path = cases_path(rule)
        cases = written(path).get(kind, []) if path.exists() else []
        found += [pytest.param(rule, case, id=f"{rule.name}: {case['name']}") for case in cases]
    return found


def first_cases() -> list[Any]:
    """Return each rule with its first ``fires`` case, as pytest parameters."""
    return list({param.values[0].name: param for param in reversed(cases_of("fires"))}.values())


@cache
def edges() -> list[Any]:
    """Return each rule with the edges of its cases and the expected result, as pytest parameters."""
    found = []
    for rule in all_rules().values():
        path = cases_path(rule)
        cases = make_edge_cases(written(path)) if path.exists() else ()
        found += [pytest.param(rule, kind, case, id=f"{rule.name}: {case['name']}") for kind, case in cases]
    return found


def is_at_edge(rule: Rule, kind: str, case: dict[str, Any]) -> Steps:
    """Assert that a rule fires at the last value of an edge and is silent beyond it."""
    advice = yield settle_state(state_of(case)), [rule]
    assert find_differences(kind, case, advice) == []


def fires(rule: Rule, case: dict[str, Any]) -> Steps:
    """Assert that a rule reports a case's findings, is silent after they are carried out, and that its undo works."""
    state = settle_state(state_of(case))
    advice = yield state, [rule]
    differences = find_differences(FIRES, case, advice)
    assert not differences, _explain(rule, differences)
    states_its_effect(advice)
    holds_no_placeholder(advice)
    restores_by_hand(state, advice)
    yield from comes_to_rest(state, advice, [rule])


def is_silent(rule: Rule, case: dict[str, Any]) -> Steps:
    """Assert that a rule has no finding in a case, or cannot run for the given reason."""
    advice = yield settle_state(state_of(case)), [rule]
    differences = find_differences(SILENT, case, advice)
    assert not differences, _explain(rule, differences)


def _explain(rule: Rule, differences: list[str]) -> str:
    """Return the differences between a case and the advice, with line and fault of SQL that cannot run."""
    if any("failed: " in each for each in differences) and (fault := rule_fault(rule)):
        differences = [f"{rule.path.relative_to(ROOT)}, {fault}"]
    if rule.get_list("defers_to"):
        differences = [*differences, "note: a case judges its rule alone, so defers_to has no effect"]
    return "; ".join(differences)


def has_commands(lines: list[str]) -> bool:
    return any(is_command(line) for line in lines)


def hands_of(state: State) -> Interpreter[State] | ManagedHands[State]:
    """Return what carries out commands on a state, in the way of its platform."""
    runs_on = str(state.site.get("runs_on", HOST)).lower()
    return Interpreter(state) if runs_on == HOST else ManagedHands(runs_on, state)


def carry_out(hands: Hands, advice: Advice, reversible: bool = False) -> list[Recommendation]:
    """Execute the ranked list from the top, except text for a person.

    With ``reversible``, also skip advice without undo commands, and advice with a registry variable that a person must
    remove from a Db2uInstance.
    """
    done = []
    for item in advice.ranked:
        by_commands = has_commands(item.undo) and not any(line.startswith("-- Remove registry.") for line in item.undo)
        if has_commands(item.actions) and (by_commands or not reversible):
            hands.host = item.object_name if item.object_type == "HOST" else None
            for line in item.actions:
                hands.carry_out(line)
            done.append(item)
    return done


def take_back(hands: Hands, done: list[Recommendation]) -> None:
    """Carry out the undo commands, the last change first."""
    for _ in undo_each(hands, done):
        pass


def undo_each(hands: Hands, done: list[Recommendation]) -> Iterator[str]:
    """Carry out the undo commands, the last change first, and yield each command that changes a setting or object."""
    for item in reversed(done):
        hands.host = item.object_name if item.object_type == "HOST" else None
        for line in item.undo:
            hands.carry_out(line)
            if is_command(line) and not line.startswith(("ATTACH", "db2stop", "db2start")):
                yield line


def returned(done: list[Recommendation], after: Advice) -> list[str]:
    """Return the advice that is repeated after execution, or that would restore an old value."""
    changed = {_key(item): item for item in done}
    old = {item.target: item.current for item in done if item.target is not None}
    found = []
    for item in after.ranked:
        # manual steps were not executed
        if _key(item) in changed and has_commands(item.actions) and not _next_step(changed[_key(item)], item):
            found.append(f"again: {_said(item)}")
        if item.target in old and item.proposed is not None and item.proposed == old[item.target]:
            found.append(f"back: {_said(item)}")
    return found


def comes_to_rest(state: State, before: Advice, rules: list[Rule] | None = None) -> Steps:
    """Assert that advice on a settled state is followed by silence, and that its undo restores the state.

    The module tests/standin/commands/ executes the commands. Manual steps change no state, so this check skips advice
    that is only text.
    """
    rules = list(all_rules().values()) if rules is None else rules
    advice, interpreter = before, hands_of(state.copy())
    for _ in range(MOST_ROUNDS):
        done = carry_out(interpreter, advice)
        if not done:
            break
        advice = yield interpreter.state, rules
        assert returned(done, advice) == []
    else:
        assert not done, "never comes to rest"
    can_be_undone(state, before)


def can_be_undone(state: State, before: Advice) -> None:
    """Assert that the undo of advice on a settled state restores the state, and that each of its commands changes it."""
    interpreter = hands_of(state.copy())
    done = carry_out(interpreter, before, reversible=True)
    changed = files(interpreter.state)
    for line in undo_each(interpreter, done):
        held, changed = changed, files(interpreter.state)
        assert held != changed, f"undoes nothing: {line}"
    assert difference(files(_unnumbered(state)), files(_unnumbered(interpreter.state))) == []

    for item in before.ranked:
        assert item.undo or not has_commands(item.actions), f"{item.rule.name} has no undo"


def states_its_effect(advice: Advice) -> None:
    """Assert that manual steps name the restart that their effect promises, and none if they promise none."""
    for item in advice.ranked:
        said = " ".join(item.actions)
        if item.by_hand and item.effect in _RESTARTS:
            assert re.search(_RESTARTS[item.effect], said), f"{item.rule.name}: {said}"
        elif item.by_hand and item.effect in AT_ONCE:
            assert not re.search(r"db2stop|db2set|NEWLOGPATH|, at the next activation", said), item.rule.name


def holds_no_placeholder(advice: Advice) -> None:
    """Assert that steps contain values, and words for what a person chooses."""
    for item in advice.recommendations:
        found = _PLACEHOLDER.findall(
            "\n".join([item.finding, *item.actions, *item.undo, *queries(item.rule.query, _NAMED, item)])
        )
        assert not found, f"{item.rule.name}: {found}"


def restores_by_hand(state: State, advice: Advice) -> None:
    """Assert that the configuration commands in manual undo steps are commands, and restore the old values."""
    has_default_log = any(
        _DEFAULT_LOG.search(row["VALUE"] or "") for row in _configured(state) if row["NAME"] == "logpath"
    )
    lines = [line for item in advice.ranked for line in item.undo if not is_command(line)]
    for command in (found[0].removesuffix(".") for line in lines for found in _CFG_COMMAND.finditer(line)):
        if "NEWLOGPATH" in command and has_default_log:  # Db2 cannot return to it
            continue
        interpreter = Interpreter(state.copy())
        interpreter.carry_out("ATTACH TO db2inst1")
        interpreter.carry_out(command)
        assert _configured(interpreter.state) == _configured(state), command


def _configured(state: State) -> list[dict[str, Any]]:
    rows = [*state.sources["dbcfg"], *state.sources["dbmcfg"]]
    return [{name: row.get(name) or None for name in ("NAME", "MEMBER", "VALUE", "VALUE_FLAGS")} for row in rows]


def _unnumbered(state: State) -> State:
    """Return the state without the IDs of unused pools: a pool that is created again gets a new ID."""
    state = state.copy()
    spaces = state.sources["tablespace"]
    used = {row[column] for row in spaces for column in ("TBSP_CUR_POOL_ID", "TBSP_NEXT_POOL_ID")}
    for row in state.sources["cat_bufferpool"]:
        if row["BUFFERPOOLID"] not in used:
            row["BUFFERPOOLID"] = 0
    return state


def _next_step(first: Recommendation, second: Recommendation) -> bool:
    """Return whether a rule advises a further step in the same direction from the value it started with."""
    if first.rule.name not in STEPS or second.current != first.proposed:
        return False
    sizes = [_size(value) for value in (first.current, first.proposed, second.proposed)]
    return sizes == sorted(set(sizes)) or sizes == sorted(set(sizes), reverse=True)


def _size(value: str | None) -> int:
    """Return a size as a number; AUTOMATIC is allowed."""
    return int((value or "0").split()[0])


def _key(item: Recommendation) -> tuple[str, str, str, str | None]:
    return *item.key, item.target


def _said(item: Recommendation) -> str:
    return f"{item.rule.name} {item.object_name}: {'; '.join(item.actions)} ({item.current} -> {item.proposed})"


def files(state: State) -> dict[str, str]:
    """Return the files of a capture of the state."""
    return capture_files(settle_state(state))


def difference(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the differences of two captures in words; empty if they are the same byte for byte."""
    found = [f"{name}: only once" for name in before.keys() ^ after.keys()]
    for name in before.keys() & after.keys():
        if before[name] != after[name]:
            old, new = (set(_lines(text[name])) for text in (before, after))
            found += [f"{name}: was {line}" for line in sorted(old - new)] + [
                f"{name}: is {line}" for line in sorted(new - old)
            ]
            found += [] if old != new else [f"{name}: order"]
    return found


def _lines(text: str) -> list[str]:
    return [str(row) for row in csv.reader(io.StringIO(text))]
