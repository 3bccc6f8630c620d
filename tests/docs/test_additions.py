"""One addition of each kind: its row in docs/architecture.md has all files, and its test names a missing one."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

ADDITIONS = yaml.safe_load(Path(__file__).with_name("additions.yml").read_text(encoding="utf-8"))
EVERY_DAY = "report_column"
PARTS = ("advisor", "docs", "fixtures", "procedures", "sql", "tests", "tools")
GENERATE = (
    "import sys; from tools.reference.pages import DOCS, PAGES; (DOCS / sys.argv[1]).write_text(PAGES[sys.argv[1]]())"
)


def _row(label: str, names: dict[str, str]) -> tuple[str, str]:
    """Return the files and the command of a row of the table, with these names."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    ((files, command),) = re.findall(rf"^\| {label} \| (.*) \| `(pytest .*)` \|$", page, re.MULTILINE)
    return _fill(files, names), _fill(command, names)


def _fill(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"<{name}>", value)
    return text


def _run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    unset = {"PYTHONDONTWRITEBYTECODE", "PYTEST_XDIST_WORKER"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=120)


def _add(copy: Path, file: str, added: Any) -> None:
    """Add to a file in a copy of the project what additions.yml has for it."""
    path = copy / file
    for one in added if isinstance(added, list) else [added]:
        if page := one.get("generated"):
            done = _run(copy, "-c", GENERATE, page)
            assert not done.returncode, done.stderr
            continue
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if after := one.get("after"):
            assert after in text, (file, after)
            text = text.replace(after, after + one["insert"], 1)
        path.write_text(text + one.get("append", "") + one.get("new", ""), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize(
    "kind", [kind if kind == EVERY_DAY else pytest.param(kind, marks=pytest.mark.full) for kind in ADDITIONS]
)
def test_missing_file_of_an_addition_is_named(kind: str, copy: Path) -> None:
    addition = ADDITIONS[kind]
    names = addition.get("names", {})
    listed, command = _row(addition["row"], names)
    added = {_fill(file, names): each for file, each in addition["files"].items()}
    before = {file: (copy / file).read_bytes() if (copy / file).exists() else None for file in added}
    for file in sorted(added, key=lambda file: "generated" in added[file]):
        _add(copy, file, added[file])
    after = {file: (copy / file).read_bytes() for file in added}
    test = ["-m", *shlex.split(command), "-n", "0", "-m", "", "-x"]
    done = _run(copy, *test)
    assert not done.returncode, done.stdout + done.stderr
    faults = [f"{file}: not in the row" for file in added if f"`{file}`" not in listed]
    for file, text in before.items():
        _write(copy / file, text)
        done = _run(copy, *test)
        errors = [line for line in done.stdout.splitlines() if line.startswith("E ")]
        if not done.returncode:
            faults.append(f"{file}: without it, {command} passes")
        elif not any(file in line for line in errors):
            faults.append(f"{file}: not named by {command}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        _write(copy / file, after[file])
    assert not faults, "\n".join(faults)


def _write(path: Path, text: bytes | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text)
