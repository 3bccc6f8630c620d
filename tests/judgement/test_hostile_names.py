"""Names and values are data: no table space name and no setting's value adds to a command."""

import re
import zlib

import pytest

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.sources import all_sources
from advisor.judgement.advice import Advice
from advisor.quoting import holds_control
from tests.machines import MACHINES, x445
from tests.support.states import State, state_of
from tests.support.stepwise import Steps, stepwise

OLD = "EMPLOYEE_TABLE"


def _renamed(name: str) -> State:
    state = x445(extent=32, prefetch=32)
    for rows in state.sources.values():
        for row in rows:
            for column, value in row.items():
                if value == OLD:
                    row[column] = name
    return state


@pytest.mark.parametrize(
    "name",
    ['he said "hi"', "a;b", "@", "it's", " lead", "Überraum", "名前" * 20, '"', '""', "a--b", "x" * 128, "$(reboot)"],
)
@stepwise
def test_quoted(name: str) -> Steps:
    advice = yield _renamed(name)
    actions = [line for item in advice.ranked for line in item.actions]
    assert 'ALTER TABLESPACE "' + name.replace('"', '""') + '" PREFETCHSIZE 64' in actions


@pytest.mark.parametrize(
    "name",
    [
        *('a"\nDROP TABLE T\n"b', "a\nDROP TABLE T", "a'\nDROP TABLE T\n'b", "\nDROP TABLE T\n"),
        *("a\rDROP TABLE T", "a\x1b[2KDROP TABLE T", "a\x85DROP TABLE T", "a\u2028DROP TABLE T", "a\u202eT ELBAT PORD"),
    ],
)
@stepwise
def test_control_character_gives_no_command(name: str) -> Steps:
    advice = yield _renamed(name)
    lines = [line for item in advice.recommendations for line in (*item.actions, *item.undo)]
    assert not [line for line in lines if line.lstrip().upper().startswith("DROP")]
    assert any(line.startswith("-- A name or value here holds a control character") for line in lines)
    assert not [line for line in lines if holds_control(line)]


WORD = "PWNED"
PAYLOADS = [
    f"\n{WORD}",
    f"; {WORD}",
    f" {WORD} 1",
    f"$({WORD})",
    f"|{WORD}",
    f"`{WORD}`",
    f"\r{WORD}",
    f"@{WORD}",
    f"#{WORD}",
]
VALUES = {
    "dbcfg": ("VALUE", "DEFERRED_VALUE"), "dbmcfg": ("VALUE", "DEFERRED_VALUE"), "registry": ("REG_VAR_VALUE",),
    "hostfact": ("VALUE",),
}  # fmt: skip


def _tainted(state: State, payload: str) -> State:
    """Return values with a payload appended to each."""
    state = state.copy()
    for name, columns in VALUES.items():
        for row in state.sources.get(name, []):
            row.update({column: f"{row[column]}{payload}" for column in columns if row.get(column) is not None})
    return state


def _says_nothing_else(advice: Advice) -> None:
    for item in advice.recommendations:
        for line in (*item.actions, *item.undo):
            in_sql = re.sub(r'"(?:[^"]|"")*"', "", line)
            assert line.startswith(BY_HAND) or WORD not in (line if item.object_type == "HOST" else in_sql), line


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("name", ["x445-8way", "power5-18gb", "vm-oltp-before", "warehouse-tuned"])
@stepwise
def test_value_adds_nothing_to_a_command(name: str, payload: str) -> Steps:
    _says_nothing_else((yield _tainted(MACHINES[name](), payload)))


TEXTS = [
    (source.name, column.name)
    for source in all_sources().values()
    for column in source.columns
    if column.type.startswith(("VARCHAR", "CHAR", "CLOB")) and not (column.is_hex and column.kind == "key")  # refused
]


@pytest.mark.full
@pytest.mark.parametrize(("source", "column"), TEXTS)
@stepwise
def test_no_cell_says_more_than_it_is(source: str, column: str) -> Steps:
    """Every text of every source, one column at a time; object names are quoted or not in a command."""
    payload = PAYLOADS[zlib.crc32(f"{source}.{column}".encode()) % len(PAYLOADS)]
    for machine in ("x445-8way", "vm-oltp-before"):
        state = MACHINES[machine]().copy()
        for row in state.sources.get(source, []):
            if row.get(column) is not None:
                row[column] = f"{row[column]}{payload}"
        _says_nothing_else((yield state))


@stepwise
def test_old_value_that_is_not_a_word_is_not_restored() -> Steps:
    """MINCOMMIT is deprecated: its recommended value is 1, and no command contains the old value."""
    advice = yield state_of({"config": {"mincommit": "5; DROP DATABASE SALES"}})
    (item,) = [item for item in advice.ranked if item.rule.name == "config.deprecated-in-use"]
    assert item.actions == ["UPDATE DB CFG FOR SAMPLE USING MINCOMMIT 1"]
    assert item.undo == []
