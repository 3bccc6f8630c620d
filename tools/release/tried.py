"""The wheel as users install it: in an empty environment, on each Python here, with oldest and newest dependencies."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.release.environment import CONSTRAINTS, PYTHONS, ROOT, install, made, python_of, run

_BOUND = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9.]+)")
X445 = ROOT / "fixtures" / "x445-8way.capture"
_TRIED = (
    ("--version",),
    ("demo",),
    ("rules", "log.buffer-full"),
    ("plan", "--capture", X445),
    ("ticket", "--capture", X445, "--rank", "1"),
    ("install", "--script"),
)
_VERDICT = """\
from advisor.verify.days import Point
from advisor.verify.statistics import change
found = change([Point(day, day % 3 / 10 + (day > 4), "", day > 4) for day in range(10)])
assert found and 0 < found.low < 1 < found.high, found
"""


def oldest() -> str:
    """Return the lowest version of each dependency that pyproject.toml allows, as constraints."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["verify"]]
    return "".join(f"{name}=={least}\n" for name, least in (_bound(each) for each in asked))


def _bound(asked: str) -> tuple[str, str]:
    found = _BOUND.fullmatch(asked)
    if found is None:
        raise SystemExit(f"pyproject.toml: {asked!r} has no lowest version")
    return found[1], found[2]


def tried(wheel: Path) -> Iterator[str]:
    """Return a line for each environment, or raise SystemExit with the output of a failed program."""
    expected = None
    for version in PYTHONS:
        python = python_of(version)
        if python is None:
            yield f"Python {version}: not on this machine, not tried"
            continue
        for which in ("oldest", "newest", "tested"):
            with TemporaryDirectory() as folder:
                constraints = Path(folder, "constraints.txt")
                constraints.write_text(_constraints(which), encoding="utf-8")
                inside = made(Path(folder, "environment"), python, [str(wheel)], constraints)
                advice = _run(inside.with_name("db2tune"), Path(folder))
                expected = expected or advice
                if advice != expected:
                    raise SystemExit(f"Python {version}, {which} dependencies: other advice for the same machine")
                install(inside, [f"{wheel}[verify]"], constraints)
                run(inside, "-c", _VERDICT, folder=Path(folder))
                run(inside.with_name("db2tune"), "verify", X445, "--after", X445, folder=Path(folder))
                names = json.loads(run(inside, "-m", "pip", "list", "--format", "json"))
                versions = ", ".join(f"{each['name']} {each['version']}" for each in names if each["name"] != "pip")
            yield f"Python {version}, {which} dependencies: {versions}"


def _constraints(which: str) -> str:
    if which == "oldest":
        return oldest()
    return CONSTRAINTS.read_text(encoding="utf-8") if which == "tested" else ""


def _run(program: Path, folder: Path) -> str:
    """Run each command once, away from the checkout, and return the advice for one machine."""
    for words in _TRIED:
        run(program, *words, folder=folder)
    return run(program, "advise", "--capture", X445, "--format", "json", folder=folder)
