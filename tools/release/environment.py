"""Temporary virtual environments."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def run(*command: str | Path, folder: Path | None = None, also: dict[str, str] | None = None) -> str:
    """Return the output of a command. Raise SystemExit with all output if it fails."""
    words = [str(word) for word in command]
    environment = {**os.environ, **(also or {})}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def python_of(version: str) -> Path | None:
    """Return the interpreter of a version, such as 3.12, if this machine has a working one."""
    found = shutil.which(f"python{version}")
    if found is None:
        return None
    asked = subprocess.run([found, "-c", "import venv"], capture_output=True, check=False)
    return Path(found) if asked.returncode == 0 else None


def made(folder: Path, python: Path, wanted: Iterable[str], constraints: Path) -> Path:
    """Return the interpreter of a new environment with the wanted packages; nothing is built from sources."""
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    run(inside, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    install(inside, wanted, constraints)
    return inside


def install(python: Path, wanted: Iterable[str], constraints: Path) -> None:
    """Install packages into an environment, none of them from sources."""
    run(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--constraint", constraints, *wanted)
