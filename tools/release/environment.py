"""Virtual environments for a while."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def run(*command: str | Path, folder: Path | None = None, also: dict[str, str] | None = None) -> str:
    """What a command prints. Raises SystemExit with all that it said where it fails."""
    words = [str(word) for word in command]
    environment = {**os.environ, **(also or {})}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def python_of(version: str) -> Path | None:
    """The interpreter of a version, such as 3.12, where this machine has one that runs."""
    found = shutil.which(f"python{version}")
    if found is None:
        return None
    asked = subprocess.run([found, "-c", "import venv"], capture_output=True, check=False)
    return Path(found) if asked.returncode == 0 else None


def made(folder: Path, python: Path, wanted: Iterable[str], constraints: Path) -> Path:
    """The interpreter of a new environment that has what is wanted; nothing is built from sources."""
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    run(inside, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    run(inside, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--constraint", constraints, *wanted)
    return inside
