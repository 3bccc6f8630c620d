"""The machines of the papers, and healthy ones, as states.

``python -m tests.machines`` writes them to fixtures/; a test holds the committed files against it. A machine is a
YAML file beside this one, in the form of a rule's case (tests/rules/), or a function where it needs one.
"""

from collections.abc import Callable
from pathlib import Path

import yaml

from tests.machines.x445 import MACHINES as X445
from tests.machines.x445 import x445
from tests.states import State, filled, state_of

__all__ = ["FIXTURES", "MACHINES", "x445"]

HERE = Path(__file__).parent
FIXTURES = HERE.parent.parent / "fixtures"


def _described(path: Path) -> Callable[[], State]:
    return lambda: filled(state_of(yaml.safe_load(path.read_text(encoding="utf-8"))))


def _filled(machine: Callable[[], State]) -> Callable[[], State]:
    return lambda: filled(machine())


MACHINES: dict[str, Callable[[], State]] = {name: _filled(machine) for name, machine in X445.items()} | {
    path.stem: _described(path) for path in sorted(HERE.glob("*.yml"))
}
