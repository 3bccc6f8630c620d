"""Names are data: whatever a table space is called, a command names it and nothing else."""

import pytest

from tests.machines import x445
from tests.support.states import State
from tests.support.together import Steps, together

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
@together
def test_quoted(name: str) -> Steps:
    advice = yield _renamed(name)
    actions = [line for item in advice.ranked for line in item.actions]
    assert 'ALTER TABLESPACE "' + name.replace('"', '""') + '" PREFETCHSIZE 64' in actions


@pytest.mark.parametrize(
    "name", ['a"\nDROP TABLE T\n"b', "a\nDROP TABLE T", "a'\nDROP TABLE T\n'b", "\nDROP TABLE T\n"]
)
@together
def test_line_feed_gives_no_command(name: str) -> Steps:
    advice = yield _renamed(name)
    lines = [line for item in advice.recommendations for line in (*item.actions, *item.undo)]
    assert not [line for line in lines if line.lstrip().upper().startswith("DROP")]
    assert any(line.startswith("-- A name in this command holds a line feed") for line in lines)
