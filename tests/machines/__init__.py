"""The machines of the papers, and healthy ones, as states.

Each test run writes their captures to build/machines/. fixtures/ contains the expected advice for all machines, and the
captures of a few for users; ``python -m tests.machines`` writes these. With names, it also writes the expected advice
of these machines, to be reviewed line by line.

A machine is a YAML file in this folder, in the form of a rule's case (tests/rules/), or a function if it needs one. A
file may contain several machines, each a document with its name as ``machine``. Two short forms exist only here.
``facts`` contains host facts (fact, item, value) of the database's host. ``like: <machine>`` copies another one; maps
are merged, and null removes an entry from facts, registry or site.
"""

import re
import shutil
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from advisor.documents import from_yaml
from advisor.judgement.advice import Advice
from tests.machines.x445 import MACHINES as X445
from tests.machines.x445 import x445
from tests.support.paths import CAPTURES
from tests.support.states import State, capture_files, convert_row, filled, state_of

__all__ = ["MACHINES", "build", "summary", "x445"]

HERE = Path(__file__).parent


def _merged(below: Any, above: Any) -> Any:
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return below | {name: _merged(below.get(name), value) for name, value in above.items()}


def _texts() -> dict[str, str]:
    """Return the YAML document of each machine by its name."""
    found = {}
    for path in HERE.glob("*.yml"):
        for text in path.read_text(encoding="utf-8").split("\n---\n"):
            name = re.search(r"^machine: (\S+)$", text, re.MULTILINE)
            found[name[1] if name else path.stem] = text
    return dict(sorted(found.items()))


@cache
def _parsed(name: str) -> dict[str, Any]:
    return dict(from_yaml(TEXTS[name], name))


def _written(name: str) -> dict[str, Any]:
    machine = deepcopy(_parsed(name))
    machine.pop("machine", None)
    like = machine.pop("like", None)
    return _merged(_written(like), machine) if like else machine


def _described(name: str) -> Callable[[], State]:
    def machine() -> State:
        case = _written(name)
        host = case["database"]["host"]
        for part in ("site", "registry_values"):
            case[part] = {name: value for name, value in case.get(part, {}).items() if value is not None}
        case["hostfact"] = [
            {"HOST": host, "FACT_KEY": fact, "ITEM": item, "VALUE": str(value)}
            for fact, items in case.pop("facts", {}).items()
            for item, value in items.items()
            if value is not None
        ] + case.get("hostfact", [])
        state = filled(state_of(case))
        for source, rows in state.sources.items():
            rows[:] = [convert_row(source, row) for row in rows]
        return state

    return machine


def _filled(machine: Callable[[], State]) -> Callable[[], State]:
    return lambda: filled(machine())


TEXTS = _texts()
MACHINES: dict[str, Callable[[], State]] = {name: _filled(machine) for name, machine in X445.items()} | {
    name: _described(name) for name in TEXTS
}


def build() -> None:
    """Write the captures of all machines to build/machines/, and remove others."""
    CAPTURES.mkdir(parents=True, exist_ok=True)
    for old in CAPTURES.iterdir():
        if old.name not in MACHINES:
            shutil.rmtree(old)
    for name, machine in MACHINES.items():
        write_files(capture_files(machine()), CAPTURES / name)


def write_files(files: dict[str, str], folder: Path) -> None:
    """Make these the files of a folder; files with the same content are not touched."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text.encode():
            path.write_text(text, encoding="utf-8", newline="")


def summary(advice: Advice) -> list[dict[str, Any]]:
    """Return the fields of a recommendation in a machine's expected advice."""
    return [
        {
            "rank": item.rank,
            "lane": item.lane,
            "rule": item.rule.name,
            "object": f"{item.object_type} {item.object_name}",
            "benefit_pct": round(item.benefit, 2),
            "after_those_above_pct": round(item.benefit_after, 2),
            "actions": item.actions,
            "undo": item.undo,
        }
        for item in advice.ranked
    ]
